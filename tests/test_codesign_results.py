# SPDX-License-Identifier: Apache-2.0
"""Custom instructions with two results: each reaches its register before it is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from coprocessors import needs

from headwater.cipher.trivium import TRIVIUM
from headwater.codesign.compiler import compile_program
from headwater.codesign.job import expected_keystream
from headwater.codesign.processor import PROCESSORS, Processor
from headwater.codesign.run import macros_of, prepare
from headwater.codesign.scenario import Scenario
from headwater.codesign.system import run, simulator
from headwater.errors import ToolError
from headwater.interface.core_shape import shape_of
from headwater.interface.public_secret import public_secret

PROGRAM = (Path(__file__).parent / "second_result.c").read_text()
OPERANDS = (0x12345678, 0x9ABCDEF0)
ADDED = (0, 1, 2, 3, 4, 9, 10)
"""Reads of the program, of eleven in a round, that add operands to the words."""
OVERWRITTEN = (9, 10)
"""Those whose second register is written again at once."""
ROUNDS, READS = 2, 11


def left_in_memory(processor: Processor) -> list[int]:
    scenario = Scenario.choose(TRIVIUM, interface="custom2x2", radix=64)
    assert scenario.architecture is not None
    ready = prepare(scenario)
    core = shape_of(TRIVIUM, scenario.architecture, ready.verilog.name)
    program = compile_program(["second.c"], macros_of(scenario, core), {"second.c": PROGRAM})
    simulated = simulator(processor, ready.coprocessor)
    return run(simulated, {**ready.memory, 0: program}, 2 * READS * ROUNDS).words


def expected() -> list[int]:
    words = expected_keystream(TRIVIUM, 2 * READS * ROUNDS, public_secret(TRIVIUM))
    for place in range(READS * ROUNDS):
        for number in range(2):
            if place % READS in ADDED:
                words[2 * place + number] ^= OPERANDS[number]
        if place % READS in OVERWRITTEN:
            words[2 * place + 1] = 7
    return words


@needs("vexriscv")
def test_a_second_result_can_be_read_at_once() -> None:
    assert left_in_memory(PROCESSORS["vexriscv"]) == expected()


def test_verilog_that_is_not_as_expected_is_refused() -> None:
    other = replace(PROCESSORS["vexriscv"], edits={"no such text": ""})
    with pytest.raises(ToolError, match="must have 'no such text' once, not 0 times"):
        other.sources()
