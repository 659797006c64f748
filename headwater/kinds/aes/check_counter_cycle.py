# SPDX-License-Identifier: Apache-2.0
"""Checkers of each cycle of AES-256 in counter mode where a round takes several.

As in `headwater.kinds.aes.check_cycle` a cycle is shown from any state. The round key has the
words of the last two rounds, and begins anew with the whole key in round 1.
"""

from __future__ import annotations

from functools import partial

from amaranth.hdl import Array, Assert, Cat, Const, Module, Mux, Value

from headwater.cipher.aes256 import key_part
from headwater.core.naming import named
from headwater.kinds.aes import places
from headwater.kinds.aes.byte import ByteDatapath
from headwater.kinds.aes.check_cycle import (
    Words,
    first_key,
    follow_state,
    in_cycle,
    made_word,
    substituted,
)
from headwater.kinds.aes.core import part
from headwater.kinds.aes.counter import CounterBytes, CounterColumns
from headwater.kinds.aes.places import Name
from headwater.prove.checker import aborting, becomes

NarrowCounter = CounterBytes | CounterColumns


def check_narrow_iv(m: Module, core: NarrowCounter, enters: Value, mark: Value) -> None:
    """Where ``enters`` says that a word of the load does, one of the IV comes to its place, its
    mark set, with the first round key added."""
    radix = core.architecture.radix
    loaded = core.load.payload | (mark << radix - 8)[:radix]
    entering = named(m, "spec_entering", loaded ^ first_key(core, 0))
    follow_state(m, core, enters & ~core.taking_key, entering, ("new",))


def check_narrow_round(m: Module, core: NarrowCounter) -> None:
    """Each cycle of a round makes its word of the block and of the round key as described. In the
    last round a word of the next counter block enters instead, with the first round key added; in
    round 1 words of the key become the round key. While the core waits, all of them stay."""
    runs = core.running & ~aborting(core)
    moves = runs & core.count_enable
    key = named(m, "spec_key_word", _key_word(m, core))
    made = made_word(m, core, key)
    m.d.comb += Assert(core.loading | (core.made == made))
    begun = part(core.counter, 0, core.architecture.radix) ^ first_key(core, 0)
    follow_state(m, core, moves, Mux(core.last_round, begun, made), ("old", "new"))
    first, words = core.first_round, core.facts.words_per_block

    def key_made(name: Name, cycle: int) -> Value:
        return first_key(core, (name[1] - words - cycle) % (2 * words))

    _keys(core, is_first=True).follow(m, core, moves & first, key_made, ("first",))
    _keys(core, is_first=False).follow(m, core, moves & ~first, lambda *_: key, ("old", "new"))
    waits = (runs & ~core.count_enable) | (_between_words(core) & ~aborting(core))
    moving = (
        (core.state, core.collected, core.mixing) if isinstance(core, ByteDatapath) else core.rows
    )
    for register in (core.round_key, *moving):
        becomes(m, waits, register, register)


def _between_words(core: NarrowCounter) -> Value:
    """Whether the load waits for a word, and is not cleared."""
    idle = core.idle if core.knows_idle else Const(0, 1)
    return core.loading & ~core.load.valid & ~idle


def _keys(core: NarrowCounter, *, is_first: bool) -> Words:
    words, radix = core.facts.words_per_block, core.architecture.radix
    names = partial(places.long_round_key, words=words, is_first=is_first)
    return Words(core.round_key, radix, names)


def _key_word(m: Module, core: NarrowCounter) -> Value:
    """The word of the round key of this cycle: KeyExpansion (FIPS 197, section 5.2), a word or a
    byte at a time, or in round 1 the key itself."""
    count = core.facts.words_per_block
    column, words = count // 4, _keys(core, is_first=False)
    olds = in_cycle(core, [words(("old", cycle), cycle) for cycle in range(count)])
    befores = [words(("new", cycle - column), cycle) for cycle in range(column, count)]
    # Rounds of even number have RotWord and a round constant.
    constant = Cat(Mux(core.odd, 0, core.constant)[:7], Const(0, 1))
    if isinstance(core, CounterColumns):
        start = key_part(
            words(("old", 7), 0),
            ~core.odd,
            constant,
            lambda word: substituted(m, core, word, "spec_key_sub"),
        )
        starts = [start]
    else:
        above = [words(("old", 28 + byte), byte) for byte in range(4)]
        rotated = [words(("old", 28 + (byte + 1) % 4), byte) for byte in range(4)]
        taken = Mux(core.odd, Array(above)[core.phase[:2]], Array(rotated)[core.phase[:2]])
        byte = substituted(m, core, taken, "spec_key_sub")
        starts = [named(m, "spec_key_start", byte ^ Mux(core.phase == 0, constant, 0))] * 4
    expanded = olds ^ in_cycle(core, [*starts, *befores])
    return Mux(core.first_round, first_key(core, 0), expanded)
