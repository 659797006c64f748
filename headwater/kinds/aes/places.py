# SPDX-License-Identifier: Apache-2.0
"""Which byte, or column, of AES is where in a core that takes several cycles for a round.

A name is a kind and a number: ``old`` is a word of the block or round key that the round began
with, ``new`` one that it has made, ``first`` one of the first round key. FIPS 197 numbers them.
Lists begin at the top of a register. A cycle is numbered from the start of its round; the number of
cycles of a round stands for the time after the last one, at which what is new becomes old.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from headwater.cipher import aes_ofb

Name = tuple[str, int]

SHIFTED = tuple(aes_ofb.bytes_of_block(aes_ofb.shift_rows(aes_ofb.block_of(bytes(range(16))))))
"""For each byte behind ShiftRows, the byte of the block that it is."""

_COLUMNS, _BYTES, _CHAIN = 4, 16, 12


def row(number: int, cycle: int) -> list[Name]:
    """Columns of a row of the state that moves by columns: those whose bytes are still to be used,
    then the new ones."""
    used = {SHIFTED[4 * column + number] // 4 for column in range(cycle)}
    old = [("old", column) for column in range(_COLUMNS) if column not in used]
    return [*old, *(("new", column) for column in range(cycle))]


def due_byte(cycle: int) -> Name:
    """The byte that goes to the S-box where the state moves by bytes: four cycles ahead of the byte
    that enters."""
    ahead = cycle + _BYTES - _CHAIN
    return ("old", SHIFTED[ahead]) if ahead < _BYTES else ("new", SHIFTED[ahead - _BYTES])


@cache
def chain(cycle: int) -> tuple[Name, ...]:
    """Bytes of the state that moves by bytes. The one that is due leaves, the one on top takes its
    place, and the others move up."""
    names: tuple[Name, ...]
    if cycle:
        names = (*chain(cycle - 1), ("new", cycle - 1))
        return _without(names, due_byte(cycle - 1))
    taken = [SHIFTED[number] for number in range(_BYTES - _CHAIN)]
    names = tuple(("old", number) for number in range(_BYTES) if number not in taken)
    while (later := _round_later(names)) != names:
        names = later
    return names


def _without(names: Sequence[Name], due: Name) -> tuple[Name, ...]:
    place = names.index(due)
    return tuple(names[0] if number == place else name for number, name in enumerate(names))[1:]


def _round_later(names: tuple[Name, ...]) -> tuple[Name, ...]:
    for cycle in range(_BYTES):
        names = _without((*names, ("new", cycle)), due_byte(cycle))
    return tuple(("old", number) for _, number in names)


def round_key(cycle: int, words: int, *, is_last: bool) -> list[Name]:
    """Words of the round key, of which a round has ``words``. In the last round, and in the load,
    the first round key takes the place of the new one: a column later, and at the end at once."""
    column = words // _COLUMNS
    old = [("old", number) for number in range(cycle, words)]
    replaced = (*range(cycle - column), *range(words - column, words)) if is_last else ()
    return old + [("first" if number in replaced else "new", number) for number in range(cycle)]


def long_round_key(cycle: int, words: int, *, is_first: bool) -> list[Name]:
    """Words of the last two round keys of a key of two blocks. In the first round the whole key
    takes their place: its halves enter beside each other, from the middle and from the end."""
    new = [("new", number) for number in range(cycle)]
    if not is_first:
        return [*(("old", number) for number in range(cycle, 2 * words)), *new]
    return [
        (kind, half + number)
        for half in (0, words)
        for kind, numbers in (("old", range(cycle, words)), ("first", range(cycle)))
        for number in numbers
    ]
