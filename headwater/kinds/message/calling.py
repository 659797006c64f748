# SPDX-License-Identifier: Apache-2.0
"""Functions of a description, called with the words that they ask for by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from inspect import Parameter, signature

from headwater.algebra.word import Wire, Word
from headwater.kinds.message.operations import Function


@cache
def asked_for(function: Function) -> tuple[str, ...]:
    """The words that a function asks for: its parameters that have no default."""
    others = signature(function).parameters.values()
    kinds = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    return tuple(one.name for one in others if one.kind in kinds and one.default is Parameter.empty)


def word_of(function: Function, wire: Wire, words: Mapping[str, Word]) -> Word:
    """What a function gives of these words."""
    operands = {**words, "wire": wire}
    return function(**{name: operands[name] for name in asked_for(function)})


def moved(
    function: Function | None,
    wire: Wire,
    state: Mapping[str, Word],
    others: Mapping[str, Word],
) -> dict[str, Word]:
    """The state after a function; unchanged without one. ``others`` are words that are no
    registers."""
    if function is None:
        return dict(state)
    changed = word_of(function, wire, {**others, **state})
    return {name: changed.get(name, word) for name, word in state.items()}
