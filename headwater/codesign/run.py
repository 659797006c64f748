# SPDX-License-Identifier: Apache-2.0
"""Measuring a scenario: build, run, compare with the model, count cycles."""

from __future__ import annotations

from typing import Any

from headwater.cipher.description import Cipher
from headwater.codesign.baseline import (
    BIT_SERIAL,
    WORD_PARALLEL,
    Baseline,
    run_software,
    software_scenario,
    software_words,
)
from headwater.codesign.firmware import compile_program, find_compiler
from headwater.codesign.job import REPORTED_BITS, job_of
from headwater.codesign.processor import Processor
from headwater.codesign.scenario import Scenario
from headwater.codesign.shape import shape_of
from headwater.codesign.system import coprocessor_sources, run, simulator
from headwater.core.build import facts_of
from headwater.emit.verilog import generate
from headwater.flow.verilator import verilator_version
from headwater.interface.shell import CoreShape

Record = dict[str, Any]
"""What ``codesign --json`` prints."""


def simulate(scenario: Scenario) -> Record:
    """Cycles of a scenario with a coprocessor, without comparison with software.

    Raises
    ------
    ToolError
        If a tool or a package is missing or fails, or what is in memory is not what the model
        says.
    """
    architecture = scenario.architecture
    assert architecture is not None
    verilog = generate(scenario.cipher, architecture)
    core = shape_of(scenario.cipher, architecture, verilog)
    job = job_of(scenario, core)
    coprocessor = coprocessor_sources(core, verilog.text, scenario.port)
    source = "text.c" if scenario.takes_text else "keystream.c"
    program = compile_program([source], macros_of(scenario, core))
    done = run(simulator(scenario.processor, coprocessor), {0: program, **job.memory},
               len(job.expected), wait_states=scenario.wait_states)  # fmt: skip
    job.check(done)
    cycles, message = job.cycles(done)
    facts = facts_of(scenario.cipher, architecture)
    own = REPORTED_BITS / facts.bits_per_cycle
    return {
        **scenario.as_json(),
        "cycles_per_128_bits": cycles,
        "bits_per_cycle": round(REPORTED_BITS / cycles, 4),
        "message_cycles": message,
        "core_cycles_per_128_bits": round(own, 4),
        "core_setup_cycles": facts.setup_cycles,
        "interface_efficiency": round(own / cycles, 4),
        "rtl_sha256": verilog.sha256,
        "tools": tools_of(scenario.processor),
    }


def simulate_software(scenario: Scenario, baseline: Baseline) -> Record:
    """Cycles of the processor alone."""
    words = software_words(scenario, baseline)
    job, done = run_software(scenario.cipher, scenario.processor, baseline, words)
    cycles, message = job.cycles(done)
    return {
        **scenario.as_json(),
        "message_bytes": 4 * words,
        "baseline": f"{baseline.name}, {find_compiler()}",
        "cycles_per_128_bits": cycles,
        "bits_per_cycle": round(REPORTED_BITS / cycles, 6),
        "message_cycles": message,
        "tools": tools_of(scenario.processor),
    }


def tools_of(processor: Processor) -> dict[str, str]:
    """Versions of all that a figure depends on outside this package."""
    return {
        processor.package: processor.version,
        "verilator": verilator_version(),
        "compiler": str(find_compiler()),
    }


def macros_of(scenario: Scenario, core: CoreShape) -> list[str]:
    """What the firmware is told of the processor and the coprocessor."""
    port = scenario.port
    chosen = {
        "COP_INSTRUCTIONS": port.instruction,
        "COP_PAIRS": port.pairs,
        "COP_FIFO": port.fifo,
        "COP_DMA": port.dma,
        "COP_TRANSFER_WORDS": max(1, core.radix // 32),
        "COP_POLLED_WORDS": 4 if port.fifo else _polled_words(core.radix),
        "STATELESS": scenario.stateless,
        "DRIVER_POLLING": scenario.driver == "polling",
        "DRIVER_SIMPLE": scenario.driver == "simple",
    }
    return [*scenario.processor.macros, *(f"{name}={int(value)}" for name, value in chosen.items())]


def _polled_words(radix: int) -> int:
    """Words that are there when the core offers one of its own: 1, 2, 4 or 16 of them."""
    return max(words for words in (1, 2, 4, 16) if words == 1 or 32 * words <= radix)


def measure(scenario: Scenario) -> Record:
    made = simulate(scenario)
    base = WORD_PARALLEL.get(scenario.cipher)
    if base:
        soft = simulate_software(software_scenario(scenario), base)
        made["soft"]=soft["cycles_per_128_bits"]
    base = BIT_SERIAL.get(scenario.cipher)
    if base:
        soft = simulate_software(software_scenario(scenario), base)
        made["soft_bits"]=soft["cycles_per_128_bits"]
    return made
