# SPDX-License-Identifier: Apache-2.0
"""Checkers of each cycle of a core of AES-128-OFB that takes several for a round.

`places` says which word is where in each cycle. A cycle is shown from any state: what is made is as
described, and every other word keeps its value and comes to its next place. As the places after the
last cycle are those before the first one, a round, a block and all blocks from the load on follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from amaranth.hdl import Array, Assert, Cat, Module, Mux, Value

from headwater.cipher import aes_ofb
from headwater.cipher.aes_ofb import SBOX
from headwater.core.function import FunctionNaming
from headwater.core.naming import Naming, named
from headwater.kinds.aes import places
from headwater.kinds.aes.byte import ByteCore, ByteDatapath
from headwater.kinds.aes.column import ColumnCore, ColumnDatapath
from headwater.kinds.aes.core import AesCore, part, parts
from headwater.kinds.aes.places import Name
from headwater.prove.checker import becomes, earlier

Narrow = ByteDatapath | ColumnDatapath
_Ofb = ByteCore | ColumnCore


@dataclass(frozen=True)
class Words:
    """The words of a register, by their names before a cycle."""

    register: Value
    width: int
    names: Callable[[int], Sequence[Name]]

    def __call__(self, name: Name, cycle: int) -> Value:
        """The word of this name before a cycle."""
        return part(self.register, list(self.names(cycle)).index(name), self.width)

    def follow(
        self,
        m: Module,
        core: Narrow,
        when: Value,
        made: Callable[[Name, int], Value],
        known: Sequence[str],
    ) -> None:
        """Assert that after a cycle each word of a kind in ``known`` is in its place: the same one,
        or the one that is ``made``."""
        count = core.facts.words_per_block
        for place in range(len(self.register) // self.width):
            names = [self.names(cycle + 1)[place] for cycle in range(count)]
            words = [
                self(name, cycle) if name in self.names(cycle) else made(name, cycle)
                for cycle, name in enumerate(names)
            ]
            expected = earlier(m, f"word_{place}", in_cycle(core, words))
            seen = earlier(
                m, f"seen_{place}", when & _where(core, [kind in known for kind, _ in names])
            )
            m.d.comb += Assert(~seen | (part(self.register, place, self.width) == expected))


def in_cycle(core: Narrow, words: Sequence[Value]) -> Value:
    """The word that belongs to the present cycle."""
    return Array(words)[core.phase]


def _where(core: Narrow, cycles: Sequence[bool]) -> Value:
    """Whether this is one of the cycles for which the sequence has a one."""
    ones = sum(1 << cycle for cycle, is_one in enumerate(cycles) if is_one)
    return (ones >> core.phase)[0] if ones else core.phase != core.phase


def check_narrow_load(m: Module, core: _Ofb, iv: Value) -> None:
    """Where ``iv`` says that a word of the IV enters, it comes with the first round key added, and
    the first round key comes to its place."""
    entering = named(m, "spec_entering", core.load.payload ^ first_key(core, 0))
    follow_state(m, core, iv, entering, ("new",))
    _keys(core, is_last=True).follow(m, core, iv, _first(core), ("first",))


def check_narrow_round(m: Module, core: _Ofb, moves: Value) -> None:
    """Where ``moves`` says that a cycle of a round passes, it makes its word of the block and of
    the round key as described."""
    key = named(m, "spec_key_word", _key_word(m, core))
    made = made_word(m, core, key)
    entering = named(m, "spec_entering", made ^ Mux(core.last_round, first_key(core, 0), 0))
    follow_state(m, core, moves, entering, ("old", "new"))
    first = _first(core)

    def key_made(name: Name, cycle: int) -> Value:
        return first(name, cycle) if name[0] == "first" else key

    for is_last in (True, False):
        here = moves & (core.last_round == is_last)
        _keys(core, is_last=is_last).follow(m, core, here, key_made, ("old", "new", "first"))


def follow_state(
    m: Module, core: Narrow, moves: Value, entering: Value, known: Sequence[str]
) -> None:
    """Assert that where ``moves`` says that a cycle passes, a word enters the state, and those of a
    kind in ``known`` come to their next places. At a byte a cycle, the one that is due is
    substituted."""
    for row, words in enumerate(_states(core)):
        byte = entering if len(entering) == words.width else aes_ofb.rows(entering)[row]
        words.follow(m, core, moves, lambda *_, made=byte: made, known)
    if isinstance(core, ByteDatapath):
        _follow_mixing(m, core, moves)


def narrow_output(m: Module, core: _Ofb) -> Value:
    """The word of keystream that is due."""
    if isinstance(core, ByteDatapath):
        return made_word(m, core, _key_word(m, core))
    newest = (words(("new", 3), 4) for words in _states(core))
    return aes_ofb.column(*newest) ^ first_key(core, 3)


def first_key(core: AesCore, later: int) -> Value:
    """The word of the first round key for this cycle, or for a later one."""
    return part(core.first_key, later, core.architecture.radix)


def _first(core: _Ofb) -> Callable[[Name, int], Value]:
    """The words of the first round key, from the ring that turns by one in each cycle."""
    count = core.facts.words_per_block
    return lambda name, cycle: first_key(core, (name[1] - cycle) % count)


def _states(core: Narrow) -> Iterator[Words]:
    """The registers of the state: one chain, or four rows."""
    if isinstance(core, ByteDatapath):
        yield Words(core.state, 8, places.chain)
        return
    for number, register in enumerate(core.rows):
        yield Words(register, 8, partial(places.row, number))


def _keys(core: _Ofb, *, is_last: bool) -> Words:
    count, radix = core.facts.words_per_block, core.architecture.radix
    return Words(
        core.round_key, radix, lambda cycle: places.round_key(cycle, count, is_last=is_last)
    )


def substituted(m: Module, core: Narrow, word: Value, name: str) -> Value:
    """SubBytes of a word in the form of the core."""
    return SBOX.apply(
        named(m, f"{name}_due", word), FunctionNaming(m), core.architecture["sbox"], name=name
    )


def _key_word(m: Module, core: _Ofb) -> Value:
    """The word of the round key that is made: FIPS 197, section 5.2, a word or a byte at a time."""
    count = core.facts.words_per_block
    column, words = count // 4, _keys(core, is_last=True)
    olds = in_cycle(core, [words(("old", cycle), cycle) for cycle in range(count)])
    befores = [words(("new", cycle - column), cycle) for cycle in range(column, count)]
    if isinstance(core, ColumnCore):
        start = aes_ofb.key_core(
            words(("old", 3), 0),
            core.constant,
            lambda word: substituted(m, core, word, "spec_key_sub"),
        )
        return olds ^ in_cycle(core, [start, *befores])
    rotated = [
        words(("old", count - column + (cycle + 1) % column), cycle) for cycle in range(column)
    ]
    byte = substituted(m, core, Array(rotated)[core.phase[:2]], "spec_key_sub")
    start = named(m, "spec_key_start", byte ^ Mux(core.phase == 0, core.constant, 0))
    return olds ^ in_cycle(core, [start] * column + befores)


def made_word(m: Module, core: Narrow, key: Value) -> Value:
    """The word of the state that a round makes in this cycle, before the first round key of the
    next block is added."""
    wire = FunctionNaming(m)
    if isinstance(core, ByteDatapath):
        column = [byte ^ SBOX.entries[0] for byte in parts(core.mixing, 8)]
        return named(
            m, "spec_made", Mux(core.last_round, column[0], aes_ofb.mixed(Naming(m), column)) ^ key
        )
    for number, words in enumerate(_states(core)):
        due = [words(("old", places.SHIFTED[4 * cycle + number] // 4), cycle) for cycle in range(4)]
        # The S-boxes below read what the core's read: that it is the described byte is shown here.
        m.d.comb += Assert(core.loading | (core.due_bytes[number] == in_cycle(core, due)))
    replaced = substituted(m, core, aes_ofb.column(*core.due_bytes), "spec_sub")
    mixed = aes_ofb.mix_column(named(m, "spec_sub_all", replaced), wire)
    return named(m, "spec_made", Mux(core.last_round, replaced, mixed) ^ key)


def _follow_mixing(m: Module, core: ByteDatapath, moves: Value) -> None:
    """The byte that is due is substituted; four of a column then turn while they are mixed. The
    image of zero is removed from each."""
    (chain,) = _states(core)
    last = ("new", 15)
    due = [
        core.entering if places.due_byte(cycle) == last else chain(places.due_byte(cycle), cycle)
        for cycle in range(16)
    ]
    byte = substituted(m, core, in_cycle(core, due), "spec_sub") ^ SBOX.entries[0]
    byte = named(m, "spec_sub_byte", byte)
    turned = Cat(part(core.mixing, 0, 8), core.mixing[:-8])
    becomes(m, moves, core.collected, Cat(byte, core.collected[:-8]))
    becomes(m, moves, core.mixing, Mux(core.phase[:2] == 3, Cat(byte, core.collected), turned))
