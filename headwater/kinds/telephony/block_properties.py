# SPDX-License-Identifier: Apache-2.0
"""The properties of the cipher in the cores of modes of AES: those of AES-256 with one round and
with all, and those with a key of any length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from amaranth.hdl import Module, Value

from headwater.core.facts import Facts
from headwater.kinds.aes import check_counter, check_line, check_pipeline
from headwater.kinds.aes.described import check_sbox
from headwater.kinds.aes.line_properties import line_properties, mac_properties
from headwater.kinds.aes.pipeline_properties import pipeline_properties
from headwater.kinds.telephony.block_facts import BlockModeFacts, CalledFacts
from headwater.kinds.telephony.core import OverBlocks, TelephonyCore, marks_of
from headwater.prove.alike import always
from headwater.prove.checker import CONTROL, Checker, Proof, Property
from headwater.prove.reading import described, independent, other_gates

Order = Callable[[TelephonyCore], list[Value]]


def of_blocks(facts: Facts) -> bool:
    """Whether the cipher is AES-256."""
    return isinstance(facts, BlockModeFacts)


def of_lines(facts: Facts) -> bool:
    """Whether the cipher is AES with a key of any length."""
    return isinstance(facts, CalledFacts)


def of_one_line(facts: Facts) -> bool:
    """Whether the cipher is AES with a key of any length, and one round."""
    return isinstance(facts, CalledFacts) and not facts.is_pipelined


def is_pipelined(facts: Facts) -> bool:
    """Whether the cipher is AES with all rounds in a row."""
    return isinstance(facts, BlockModeFacts | CalledFacts) and facts.is_pipelined


def has_one_round(facts: Facts) -> bool:
    """Whether the cipher is AES-256 with one round."""
    return isinstance(facts, BlockModeFacts) and not facts.is_pipelined


def block_properties(order: Order) -> tuple[Property, ...]:
    """The properties; ``order(core)`` are invariants of the mode's flags, proven with the setup."""
    sbox = Property(
        "sbox",
        check_sbox,
        described("its table of the S-box, entry by entry"),
        "the S-box is that of FIPS 197 for every byte",
        cycles=lambda _: 1,
        applies=lambda facts: of_blocks(facts) or of_lines(facts),
    )
    lines = line_properties(of_one_line, _with(check_line.check_setup, order))
    rows = pipeline_properties(
        is_pipelined,
        _with(check_pipeline.check_setup, order),
        lambda core: marks_of(core.facts.mode),
    )
    return *_of_one_round(order), *rows, *lines, *mac_properties(), sbox


def _of_one_round(order: Order) -> tuple[Property, ...]:
    return (
        Property(
            "setup",
            _with(check_counter.check_setup, order),
            independent("a binary count of load words and rounds"),
            "a keystream word is made in each cycle of the last of every fourteen rounds after a "
            "load, unless the word before it waits, and at no other time",
            cycles=lambda _: 4,
            by_induction=always,
            applies=has_one_round,
            by_hand=CONTROL,
        ),
        Property(
            "load",
            _with_marks(check_counter.check_load),
            independent("the key, turned word by word, and the IV under the first round key"),
            "the key enters and turns word by word; the IV enters with the first round key added",
            applies=has_one_round,
        ),
        Property(
            "next",
            check_counter.check_next,
            other_gates("the word that waited, and the one that the rounds make"),
            "each keystream word is there until it is used, and then the one that the rounds make",
            applies=has_one_round,
        ),
        Property(
            "counter",
            _with_marks(check_counter.check_counter),
            independent("the IV with its mark, and a count"),
            "counter blocks are the IV, marked where they are keys of the hash, and count from "
            "zero",
            applies=has_one_round,
        ),
        Property(
            "round",
            check_counter.check_round,
            described("its round and its next round key"),
            "each cycle of a round makes its part of the described state and round key",
            applies=has_one_round,
        ),
    )


def _with(setup: Callable[..., None], order: Order) -> Checker:
    def checker(m: Module, core: OverBlocks, proof: Proof) -> None:
        setup(m, core, proof, order(core))

    return checker


def _with_marks(checkers: Callable[..., None]) -> Checker:
    def checker(m: Module, core: Any, _: Proof) -> None:
        checkers(m, core, marks_of(core.facts.mode))

    return checker
