# SPDX-License-Identifier: Apache-2.0
"""The registers of a source of random bits on a bus.

Registers that a coprocessor has as well have the same addresses.
"""

from __future__ import annotations

from dataclasses import replace

from headwater.interface.registers import REGISTERS, WORD_BITS, Field, Register

_OF_COPROCESSOR = {one.name: one for one in REGISTERS}
SEED_BITS = WORD_BITS
"""Bits of a seed word: those of the bus."""

PRNG_REGISTERS = (
    Register(
        "CONTROL",
        0x00,
        "rw",
        "what the source does",
        (
            Field("ENABLE", 0, 1, "whether random bits are offered"),
            Field("RESTART", 1, 1, "a one that is written: wait for a whole new seed", access="w"),
        ),
    ),
    Register(
        "STATUS",
        0x04,
        "r",
        "the state of the source",
        (
            Field("VALID", 0, 1, "a whole seed is in, and its setup is over"),
            Field(
                "BUSY", 1, 1, "the setup of a whole seed goes on; a write to SEED waits for its end"
            ),
            Field("WORD", 2, 1, "RANDOM has a word"),
            Field("ERROR", 3, 1, "a state was stuck at zero: restart, and give a new seed"),
            Field("SEED_WORDS", 16, 16, "words of a whole seed that are still to come"),
        ),
    ),
    Register("SEED", 0x08, "w", "the next word of the seed; a write waits until it is taken"),
    Register(
        "RANDOM", 0x0C, "r", "the next random word, which a read takes; zero while there is none"
    ),
    *(_OF_COPROCESSOR[name] for name in ("IDENTITY",)),
    replace(
        _OF_COPROCESSOR["PARAMETERS"],
        meaning="how the source was built",
        fields=(
            Field("RANDOM_BITS", 0, 16, "random bits in a cycle"),
            Field("INSTANCES", 16, 16, "cores side by side"),
        ),
    ),
    *(_OF_COPROCESSOR[name] for name in ("VERSION", "OPTIONS")),
)
"""By ascending address."""


def after_reset(seed_words: int) -> dict[str, int]:
    """The values of registers that are not zero after reset, by name."""
    return {
        one.name: seed_words << field.low
        for one in PRNG_REGISTERS
        for field in one.fields
        if field.name == "SEED_WORDS"
    }
