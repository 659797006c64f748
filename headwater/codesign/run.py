# SPDX-License-Identifier: Apache-2.0
"""Measuring a scenario: build, run, compare with the model, count cycles."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from headwater.algebra import bitstring
from headwater.cipher.block_stream import BLOCK_BITS, BlockStreamCipher
from headwater.cipher.description import Cipher
from headwater.codesign.firmware import compile_program, find_compiler
from headwater.codesign.scenario import Scenario
from headwater.codesign.shape import longest_secret, shape_of
from headwater.codesign.system import (
    INPUT_WORD,
    REQUEST_WORD,
    Run,
    coprocessor_sources,
    run,
    simulator,
)
from headwater.core.build import facts_of
from headwater.emit.verilog import generate
from headwater.errors import ToolError
from headwater.flow.verilator import verilator_version
from headwater.interface.shell import CoreShape
from headwater.model.messages import Keystream, Message, process

Record = dict[str, Any]

STEADY_WORDS = 1024
EDGE_WORDS = 16
TAG_WORDS = 4
REPORTED_BITS = 128
MESSAGE_BEGINS, MESSAGE_ENDS, STEADY_BEGINS, STEADY_ENDS = 1, 2, 3, 4


def public_secret(cipher: Cipher) -> tuple[bytes, bytes]:
    """The key and IV of every run. They are no secret: they only have to differ in every bit
    place."""
    key, iv = longest_secret(cipher)
    unused = -cipher.iv_bits[-1] % 8
    made = bytearray((0x5A + 29 * place) % 256 for place in range(len(iv)))
    if made and unused:
        made[-1] &= 0xFF >> unused if cipher.bit_order == "lsb_first" else 0xFF << unused & 0xFF
    return bytes((0xC3 + 41 * place) % 256 for place in range(len(key))), bytes(made)


@dataclass(frozen=True)
class _Job:
    """What the firmware is asked for, and what memory must hold in the end."""

    message_words: int
    request: list[int]
    text: list[int]
    expected: list[int]
    program: str


def measure(scenario: Scenario) -> Record:
    """The record of a scenario that has a coprocessor; always simulated.

    Raises
    ------
    ToolError
        If a tool or a package is missing or fails, or what is in memory is not what the model
        says.
    """
    cipher, architecture = scenario.cipher, scenario.architecture
    assert architecture is not None
    verilog = generate(cipher, architecture)
    core = shape_of(cipher, architecture, verilog)
    job = _text_job(scenario) if scenario.takes_text else _keystream_job(scenario, core)
    program = simulator(
        scenario.processor, coprocessor_sources(core, verilog.text, scenario.port)
    )
    memory = {0: compile_program([job.program], _macros(scenario, core)),
              REQUEST_WORD: job.request}  # fmt: skip
    if job.text:
        memory[INPUT_WORD] = job.text
    done = run(program, memory, len(job.expected), wait_states=scenario.wait_states)
    compare(done.words, job.expected)
    return {**scenario.as_json(), **_figures(scenario, done, verilog.sha256)}


def compare(words: list[int], expected: list[int]) -> None:
    """Refuse words that are not what the model says; the message tells no word."""
    wrong = [place for place, pair in enumerate(zip(words, expected, strict=True))
             if pair[0] != pair[1]]  # fmt: skip
    if wrong:
        raise ToolError(
            f"what is in memory must be what the model says, but {len(wrong)} of {len(expected)} "
            f"words differ, the first at byte {4 * wrong[0]}"
        )


def _figures(scenario: Scenario, done: Run, sha256: str) -> Record:
    assert scenario.architecture is not None
    facts = facts_of(scenario.cipher, scenario.architecture)
    cycles, message = cycle_counts(done)
    core = REPORTED_BITS / facts.bits_per_cycle
    return {
        "cycles_per_128_bits": cycles,
        "bits_per_cycle": round(REPORTED_BITS / cycles, 4),
        "message_cycles": message,
        "core_cycles_per_128_bits": round(core, 4),
        "interface_efficiency": round(core / cycles, 4),
        "core_setup_cycles": facts.setup_cycles,
        "rtl_sha256": sha256,
        "tools": {
            scenario.processor.package: scenario.processor.version,
            "verilator": verilator_version(),
            "compiler": str(find_compiler()),
        },
    }


def cycle_counts(done: Run) -> tuple[float, int]:
    """Cycles for 128 bits in steady state, and for the message."""
    steady = done.marks[STEADY_ENDS] - done.marks[STEADY_BEGINS]
    cycles = steady * REPORTED_BITS / (32 * STEADY_WORDS)
    return round(cycles, 4), done.marks[MESSAGE_ENDS] - done.marks[MESSAGE_BEGINS]


def _macros(scenario: Scenario, core: CoreShape) -> list[str]:
    port = scenario.port
    chosen = {
        "COP_INSTRUCTIONS": port.instruction,
        "COP_PAIRS": port.pairs,
        "COP_FIFO": port.fifo,
        "COP_DMA": port.dma,
        "COP_TRANSFER_WORDS": max(1, core.radix // 32),
        "STATELESS": scenario.stateless,
        "DRIVER_POLLING": scenario.driver == "polling",
        "DRIVER_SIMPLE": scenario.driver == "simple",
    }
    return [*scenario.processor.macros, *(f"{name}={int(value)}" for name, value in chosen.items())]


def request_words(
    cipher: Cipher, message_words: int, load: list[int], *, block_words: int = 0
) -> list[int]:
    """The request as it lies in memory; see `struct request` in the firmware."""
    key, iv = public_secret(cipher)
    counter = cipher.counter_bits // 32 if isinstance(cipher, BlockStreamCipher) else 0
    head = [message_words, STEADY_WORDS, len(load), block_words, counter, len(iv)]
    padded = [*load, *[0] * (64 - len(load))]
    secret = struct.unpack("<16I", key.ljust(32, b"\0") + iv.ljust(32, b"\0"))
    return [*head, *padded, *secret]


def _keystream_job(scenario: Scenario, core: CoreShape) -> _Job:
    cipher, architecture = scenario.cipher, scenario.architecture
    assert architecture is not None
    words = -(-scenario.bytes // 4)
    if scenario.stateless:
        words = -(-words // (BLOCK_BITS // 32)) * (BLOCK_BITS // 32)
    facts = facts_of(cipher, architecture)
    load = core.packed_load(facts.load_words(*public_secret(cipher)))
    block_words = BLOCK_BITS // 32 if scenario.stateless else 0
    request = request_words(cipher, words, load, block_words=block_words)
    expected = expected_keystream(cipher, core, words + STEADY_WORDS)
    return _Job(words, request, [], expected, "keystream.c")


def expected_keystream(cipher: Cipher, core: CoreShape, words: int) -> list[int]:
    """The model's keystream as words of 32 bits in memory."""
    key, iv = public_secret(cipher)
    bits = -(-32 * words // core.radix) * core.radix
    stream = Keystream(cipher, key=key, iv=iv, iv_bits=cipher.iv_bits[-1])
    string = bitstring.from_bytes(stream.read(bits), cipher.bit_order)
    mask = (1 << core.radix) - 1
    payloads = []
    for first in range(0, bits, core.radix):
        word = string >> first & mask
        payloads.append(bitstring.reverse(word, core.radix) if core.top_first else word)
    return core.packed_keystream(payloads)[:words]


def _text_job(scenario: Scenario) -> _Job:
    cipher, architecture = scenario.cipher, scenario.architecture
    assert architecture is not None
    words = -(-scenario.bytes // 4)
    load = facts_of(cipher, architecture).load_words(*public_secret(cipher))
    long = 2 * EDGE_WORDS + STEADY_WORDS
    text = [(0x9E3779B9 * (place + 1)) & 0xFFFFFFFF for place in range(words + long)]
    expected = [*_sealed(cipher, text[:words]), *_sealed(cipher, text[words:])]
    return _Job(words, request_words(cipher, words, load), text, expected, "text.c")


def _sealed(cipher: Cipher, text: list[int]) -> list[int]:
    """Ciphertext and tag of a text, in words."""
    key, nonce = public_secret(cipher)
    data = struct.pack(f"<{len(text)}I", *text)
    sealed = process(cipher, Message(key, nonce, b"", data, 8 * len(data)))
    made = sealed.text + sealed.tag
    return list(struct.unpack(f"<{len(made) // 4}I", made))
