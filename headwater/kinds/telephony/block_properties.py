# SPDX-License-Identifier: Apache-2.0
"""The properties of the cipher in the cores of modes of AES: those of AES-256 with one round and
with all, and those with a key of any length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from amaranth.hdl import Module, Value

from headwater.core.facts import Facts
from headwater.kinds.aes_ofb import check_counter, check_line, check_pipeline
from headwater.kinds.aes_ofb.described import check_sbox
from headwater.kinds.aes_ofb.line_properties import line_properties, mac_properties
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


def is_pipelined(facts: Facts) -> bool:
    """Whether the cipher is AES-256 with all rounds in a row."""
    return isinstance(facts, BlockModeFacts) and facts.is_pipelined


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
    lines = line_properties(of_lines, _with(check_line.check_setup, order))
    return *_of_one_round(order), *_of_all_rounds(order), *lines, *mac_properties(), sbox


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


def _of_all_rounds(order: Order) -> tuple[Property, ...]:
    return (
        Property(
            "setup",
            _with(check_pipeline.check_setup, order),
            independent("binary counts of load words, round keys and stages"),
            "the round keys are made behind the load, the first word is there behind all stages, "
            "and from then on one in every cycle",
            cycles=lambda _: 4,
            by_induction=always,
            applies=is_pipelined,
            by_hand=CONTROL,
        ),
        Property(
            "load",
            _with_marks(check_pipeline.check_load),
            independent("the halves of the key in their line, and the IV with its mark"),
            "the key enters the line of round keys, and the IV the counter",
            applies=is_pipelined,
        ),
        Property(
            "next",
            check_pipeline.check_next,
            other_gates("the word that waited, and the last stage"),
            "each keystream word is there until it is used, and then that of the last stage",
            applies=is_pipelined,
        ),
        Property(
            "counter",
            _with_marks(check_pipeline.check_counter),
            independent("a count that begins anew where the marks end"),
            "the counter block counts as a block enters",
            applies=is_pipelined,
        ),
        Property(
            "round",
            check_pipeline.check_rounds,
            described("its rounds and its next round key"),
            "each stage makes the described round of the stage before, and the setup the described "
            "round keys",
            applies=is_pipelined,
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
