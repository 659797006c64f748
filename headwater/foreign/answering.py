# SPDX-License-Identifier: Apache-2.0
"""What the solver's answer to a question says of a core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from headwater.errors import ToolError
from headwater.flow.process import MissingToolError, TookTooLongError
from headwater.foreign.nonzero import never_zero
from headwater.foreign.proof import counterexample
from headwater.foreign.question import Question
from headwater.foreign.search import RUNS
from headwater.foreign.step import first_wrong
from headwater.foreign.verdict import NO, OPEN, YES
from headwater.kinds.stepped.runs import is_of_bits


def answer(question: Question, limit_s: float) -> tuple[str, str, list[str]]:
    """The result, a sentence, and the wrong bit if there is one. No proof takes longer than the
    limit."""
    try:
        return _answer(question, limit_s)
    except TookTooLongError:
        return OPEN, f"no proof in {limit_s:g} s; none of {4 * RUNS} random states differs", []
    except MissingToolError:
        raise
    except ToolError as error:
        return OPEN, f"the solver came to no answer: {str(error).splitlines()[0]}", []


def _answer(question: Question, limit_s: float) -> tuple[str, str, list[str]]:
    steps = "a step" if question.radix == 1 else f"{question.radix} steps"
    text = f"a cycle is {steps} of the description, state and output, from any state"
    derived = question.map.derived
    if counterexample(question, limit_s) is None:
        if question.earlier and not derived:
            return YES, f"{text} that a cycle leads to, under this map", []
        if derived:
            return YES, f"{text}; {len(derived)} flip-flops hold what is made of that before", []
        return YES, f"{text} under this map", []
    question, run, without = _without_zeros(question, limit_s)
    if run is None:
        return YES, f"{text} but {without}", []
    if question.map.free or derived:
        return OPEN, "it depends on what flip-flops of no known meaning hold", []
    text = f"there is a state from which a cycle is not {steps} of the description"
    return NO, text, [first_wrong(question, run)]


def _without_zeros(
    question: Question, limit_s: float
) -> tuple[Question, Mapping[str, int] | None, str]:
    """The question without states that a core may leave on purpose, a run in which a bit is wrong
    even so, and which states these are."""
    names = tuple(one.name for one in question.cipher.registers)
    if is_of_bits(question.cipher):
        other = replace(question, nonzero=(names,))
        return other, counterexample(other, limit_s), "that of zeros, which the core leaves"
    known = {name for name, _ in (*question.constant, *question.pinned)}
    moving = [(name,) for name in names if name not in known]
    other = replace(question, nonzero=tuple(moving))
    run = counterexample(other, limit_s)
    if run is None:
        names = never_zero(question.cipher, limit_s)
        other = replace(question, nonzero=tuple((name,) for name in names))
        run = counterexample(other, limit_s)
    listed = ", ".join(names)
    return other, run, f"those with zero in one of {listed}, to which no step leads from others"
