# SPDX-License-Identifier: Apache-2.0
"""Words of a longer one, by a number that is counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.hdl._ast import Concat, Slice

from headwater.core.memory import StoredMemory
from headwater.core.naming import named, part

State = dict[str, Any]
"""The word of each register, and each memory (`StoredMemory`)."""


def either(condition: Value, chosen: Any, otherwise: Any) -> Any:
    """A word, or a memory, if a bit is one, else another one, of which a memory was made."""
    if isinstance(chosen, StoredMemory):
        return chosen.if_chosen(condition, otherwise)
    return Mux(condition, chosen, otherwise)


def called(m: Module, name: str, held: Any) -> Any:
    """A word as a signal of this name; a memory as it is."""
    return held if isinstance(held, StoredMemory) else named(m, name, held)


def apart(word: Value, size: int, *, top_first: bool) -> list[Value]:
    """The parts of a word in the order of the bit string that it holds."""
    parts = [word[place : place + size] for place in range(0, len(word), size)]
    return parts[::-1] if top_first else parts


def joined(parts: Sequence[Value], *, top_first: bool) -> Value:
    """A word of parts in the order of the bit string that it holds."""
    return Cat(*(reversed(parts) if top_first else parts))


def places_of(count: Value, place: int, places: int, words: int) -> Value:
    """Whether a word is number ``place`` of its block, where a block has ``places`` words and all
    blocks together have ``words``."""
    return Cat(count == number for number in range(place, words, places)).any()


def chosen_word(words: Sequence[Value], number: Value) -> Value:
    """Word ``number`` of several."""
    if len(words) == 1:
        return words[0]
    chosen: Value = Const(0, len(words[0]))
    for place, word in enumerate(words):
        chosen |= word & (number == place).replicate(len(word))
    return chosen


def sized(value: Value, bits: int) -> Value:
    """A number in so many bits."""
    return Cat(value, Const(0, bits))[:bits]


def staged(m: Module, name: str, value: Any) -> Any:
    """A register's value between two steps: a signal, or the parts of signals that it consists of.
    Signals of which some bits are never read are left out so. A memory stays as it is."""
    if isinstance(value, StoredMemory):
        return value
    flat = _flat(value)
    return flat if all(map(_is_part, _parts(flat))) else named(m, name, value)


def _flat(value: Value) -> Value:
    return Cat(*(part(one, 0, len(one)) for one in _parts(value)))


def _parts(value: Value) -> tuple[Value, ...]:
    return tuple(value.parts) if isinstance(value, Concat) else (value,)


def _is_part(value: Value) -> bool:
    """Whether a value is a signal or bits of one, or several of them."""
    if isinstance(value, Concat):
        return all(map(_is_part, value.parts))
    return isinstance(value.value if isinstance(value, Slice) else value, Signal | Const)
