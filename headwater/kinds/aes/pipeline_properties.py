# SPDX-License-Identifier: Apache-2.0
"""The properties of the cores of AES with all rounds in a row, in every kind that has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from amaranth.hdl import Module

from headwater.kinds.aes import check_pipeline
from headwater.prove.alike import always
from headwater.prove.checker import CONTROL, Checker, Proof, Property
from headwater.prove.reading import described, independent, other_gates


def pipeline_properties(
    applies: Callable[[Any], bool],
    setup: Checker = check_pipeline.check_setup,
    marks_of: Callable[[Any], tuple[bool, bool]] = lambda _: (False, False),
) -> tuple[Property, ...]:
    """The properties of the cipher; ``marks_of(core)`` tells which counter blocks a mode marks."""

    def with_marks(checker: Callable[..., None]) -> Checker:
        def checked(m: Module, core: Any, _: Proof) -> None:
            checker(m, core, marks_of(core))

        return checked

    return (
        Property(
            "setup",
            setup,
            independent("binary counts of load words, round keys and stages"),
            "the round keys are made behind the load, the first word is there behind all stages, "
            "and from then on one in every cycle",
            cycles=lambda _: 4,
            by_induction=always,
            applies=applies,
            by_hand=CONTROL,
        ),
        Property(
            "load",
            with_marks(check_pipeline.check_load),
            independent("the words of the key in their line, and the IV with its mark"),
            "the key enters the line of round keys, and the IV the counter",
            applies=applies,
        ),
        Property(
            "next",
            check_pipeline.check_next,
            other_gates("the word that waited, and the last stage"),
            "each keystream word is there until it is used, and then that of the last stage",
            applies=applies,
        ),
        Property(
            "counter",
            with_marks(check_pipeline.check_counter),
            independent("a number that counts, anew where the marks end"),
            "the counter block counts as a block enters",
            applies=applies,
        ),
        Property(
            "round",
            check_pipeline.check_rounds,
            described("its rounds, and the words of its key expansion one after another"),
            "each stage makes the described round of the stage before, or half of it, and the "
            "setup the described round keys",
            cycles=lambda facts: 1 + facts.stages_per_round,
            applies=applies,
        ),
    )
