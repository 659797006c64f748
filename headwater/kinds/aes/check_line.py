# SPDX-License-Identifier: Apache-2.0
"""Checkers of the cores of AES with a key of any length: control, load, words, blocks and rounds.

Each reads key and state in the places that the core's own count gives them, which ``setup`` shows
to be right. The round keys are those of FIPS 197, a word after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from amaranth.hdl import Array, Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.cipher.aes import COLUMNS, Change, change_before, next_word, round_constant
from headwater.core.naming import named
from headwater.kinds.aes.block import joined
from headwater.kinds.aes.check_cycle import follow_state, made_word, substituted
from headwater.kinds.aes.check_walk import Walk
from headwater.kinds.aes.core import part, parts
from headwater.kinds.aes.described import described_round, described_substitute
from headwater.kinds.aes.description import BLOCK_BITS
from headwater.kinds.aes.line import LineCore
from headwater.kinds.aes.line_phases import phases, waits
from headwater.kinds.aes.line_widths import LineBlocks, LineBytes, LineColumns
from headwater.kinds.aes.line_words import SLICE, CounterLine, FeedbackLine
from headwater.kinds.aes.mac import MacLine
from headwater.prove.checker import Proof, aborting, assert_always, becomes, earlier, ended

_CHANGES: tuple[Change, ...] = ("rotated", "substituted", "")


def check_setup(m: Module, core: LineCore, proof: Proof, known: Sequence[Value] = ()) -> None:
    """Behind the load a round stands alone. Then a word is made in each cycle of the last of every
    so many rounds, which waits while the word before it does, and in no other cycle. The count of
    the core is a binary count. The induction also proves the invariants that are ``known``."""
    walk = Walk(core, proof)
    there = Signal(name=proof.named("there"))
    loaded, last_round = walk.loaded, walk.last_round
    dropped = ended(core, loaded) | core.finished
    passes = Mux(loaded, ~(last_round & there) | core.word_taken, core.load.valid)
    walk.follow(m, dropped, passes)
    made = walk.begun & last_round & passes
    m.d.sync += there.eq((made | (there & ~core.word_taken)) & ~dropped & ~ResetSignal())
    properties = [
        core.abort == dropped,
        core.load.ready == ~loaded,
        core.full == there,
        ~core.word_taken | there,
    ]
    invariants = [*walk.invariants(), core.running == walk.begun, ~there | walk.begun, *known]
    assert_always(m, proof, properties, invariants=invariants)


def _passes(core: LineCore) -> Value:
    """Whether a cycle of a round passes, in a core that has its key and does not abort."""
    return ~core.loading & ~((core.round == 0) & waits(core)) & ~aborting(core)


def check_load(m: Module, core: LineCore, _: Proof) -> None:
    """Load words pass through the block into the key. Then the key turns by a word in each cycle of
    a round. Where no cycle passes, all registers of key, block and state stay."""
    m.d.comb += Assume(phases(core))
    key, block = core.first_key, core.block
    enters = core.loading & core.load.valid & ~aborting(core)
    bits = core.facts.chained_bits
    chain = Cat(core.load.payload, block[:bits], key)[: bits + len(key)]
    becomes(m, enters, key, chain[bits:])
    head = earlier(m, "head", chain[:bits])
    m.d.comb += Assert(~earlier(m, "enters", enters) | (block[:bits] == head))
    head = part(key, 0, core.architecture.radix)
    passes = _passes(core)
    becomes(m, passes, key, Cat(head, key)[: len(key)])
    waits = ~core.loading & ~passes & ~aborting(core)
    of_message = isinstance(core, MacLine)
    resting = [one for one in core.emptied if not (of_message and one is core.subkey)]
    for register in (key, *resting, *(() if of_message else (block,))):
        becomes(m, waits, register, register)
    if core.facts.waits:
        idle = core.idle if core.knows_idle else Const(0, 1)
        gap = core.loading & ~core.load.valid & ~idle & ~aborting(core)
        for register in (key, *(() if of_message else (block,))):
            becomes(m, gap, register, register)


def check_next(m: Module, core: LineCore, _: Proof) -> None:
    """A word is there until it is used; then the next one is there as soon as it is made. While
    there is none, it is zero."""
    m.d.comb += Assume(phases(core))
    passes, word = _passes(core), core.keystream_word
    makes = passes & core.running & (core.round == 0)
    stays = core.full & ~core.word_taken & ~aborting(core)
    expected = earlier(m, "word", Mux(makes, core.made, word))
    m.d.comb += Assert(~earlier(m, "has_word", makes | stays) | (word == expected))
    becomes(m, ~aborting(core), core.full, makes | stays)
    m.d.comb += Assert(core.full | (word == 0))


def check_blocks(m: Module, core: LineCore, proof: Proof) -> None:
    """In the last round the block turns: in counter mode as its words enter, in output feedback as
    those that are made take their places. A counter block then becomes the next number, from its
    lowest bits on; else the block stays."""
    m.d.comb += Assume(phases(core))
    block, passes = core.block, _passes(core)
    last = core.round == 0
    fed = isinstance(core, FeedbackLine)
    head = core.made if fed else part(block, 0, core.architecture.radix)
    turned = Cat(head, block)[:BLOCK_BITS]
    becomes(m, passes & last, block, turned)
    if isinstance(core, CounterLine):
        _check_count(m, core, proof, passes & last & (core.position == _last_word(core)), turned)
    else:
        becomes(m, passes & ~last, block, block)


def _last_word(core: LineCore) -> int:
    return core.facts.words_per_block - 1


def _check_count(m: Module, core: CounterLine, proof: Proof, turns: Value, turned: Value) -> None:
    """Behind its turn a counter block is the number that it was in its higher bits, and the next
    number in the lower ones: in so many of them as rounds have passed since."""
    bits, before = core.cipher.counted_bits, Signal(BLOCK_BITS, name=proof.named("before"))
    with m.If(turns):
        m.d.sync += before.eq(turned)
    following = named(m, "spec_following", (before[:bits] + 1)[:bits])
    done = [min(SLICE * max(number - 1, 0), bits) for number in range(core.facts.rounds)]
    numbers = Array(Cat(following[:low], before[low:]) for low in done)[core.round]
    carries = Array(before[:low].all() if 0 < low < bits else core.carry for low in done)[
        core.round
    ]
    counts = core.loading | (core.round == 0)
    right = (core.block == numbers) & (core.carry == carries)
    assert_always(m, proof, [counts | right], given=phases(core))


def check_round(m: Module, core: LineCore, _: Proof) -> None:
    """A cycle makes the description's round, or its part of it, or lets words of the next block
    enter under the first round key; and the words of the round key as described."""
    m.d.comb += Assume(phases(core))
    passes, radix = _passes(core), core.architecture.radix
    last = core.round == 0
    begun = core.block_word() ^ part(core.first_key, 0, radix)
    key = part(core.round_key, 0, radix)
    if isinstance(core, LineBlocks):
        made = named(m, "spec_after", described_round(m, core) ^ key)
        becomes(m, passes, core.state, Mux(last, begun, made))
        _check_whole_keys(m, core, passes)
    else:
        assert isinstance(core, LineBytes | LineColumns)
        made = made_word(m, core, key)
        follow_state(m, core, passes, Mux(last, begun, made), ("old", "new"))
        _check_narrow_keys(m, core, passes)
    m.d.comb += Assert(core.loading | (core.made == made))


def _in_rounds(core: LineCore, numbers: Sequence[int]) -> Value:
    """Whether the present round is one of these."""
    return reduce(or_, (core.round == number for number in numbers), Const(0, 1))


def _changes(core: LineCore, place: int) -> list[Change]:
    """For each round what is done before the word at a place of the four that it makes."""
    firsts = range(core.facts.rounds)
    return [
        change_before(core.key_words + COLUMNS * number + place, core.key_words)
        for number in firsts
    ]


def _constant(core: LineCore) -> Value:
    """The round constant of the word that the present round makes with one."""
    values = []
    for number in range(core.facts.rounds):
        first = core.key_words * -(-(core.key_words + COLUMNS * number) // core.key_words)
        values.append(Const(round_constant(first, core.key_words), 8))
    return Array(values)[core.round]


def _check_whole_keys(m: Module, core: LineBlocks, passes: Value) -> None:
    """The four words that a round appends, for each way in which they are made."""
    source = named(m, "spec_source", Mux(core.round == 0, core.first_key, core.round_key))
    before = list(parts(source, 32))
    constant = named(m, "spec_constant", _constant(core))
    ways = list(zip(*(_changes(core, place) for place in range(COLUMNS)), strict=True))
    for number, way in enumerate(dict.fromkeys(ways)):
        words = list(before)
        for place, change in enumerate(way):
            substitute = described_substitute(m, core, f"spec_key_sub_{number}_{place}")
            made = next_word(words[place], words[-1], change, constant, substitute)
            words.append(named(m, f"spec_word_{number}_{place}", made))
        here = _in_rounds(core, [at for at, one in enumerate(ways) if one == way])
        becomes(m, passes & here, core.round_key, joined(words[COLUMNS:]))


def _check_narrow_keys(m: Module, core: LineBytes | LineColumns, passes: Value) -> None:
    """A word is appended to the round key, made as its number says. In the last round it is made of
    the key, which takes the place of all that is left of the round keys at its end."""
    radix, key, ring = core.architecture.radix, core.round_key, core.first_key
    last, columns = core.round == 0, core.phase[-2:]
    oldest = Mux(last, part(ring, 0, radix), part(key, 0, radix))
    source = named(m, "spec_source", Mux(last & (columns == 0), ring, key))
    constant = named(m, "spec_constant", _constant(core))
    made: Value = Const(0, radix)
    for change in _CHANGES:
        here = Const(0, 1)
        for place in range(COLUMNS):
            rounds = [at for at, one in enumerate(_changes(core, place)) if one == change]
            here |= _in_rounds(core, rounds) & (columns == place)
        made = Mux(here, _following(m, core, oldest, source, change, constant), made)
    appended = Cat(named(m, "spec_key_word", made), key)[: len(key)]
    kept = len(key) - BLOCK_BITS
    renewed = Cat(appended[:BLOCK_BITS], ring[len(ring) - radix - kept : len(ring) - radix])
    over = last & (core.phase == core.facts.words_per_block - 1)
    becomes(m, passes, key, Mux(over, renewed, appended))


def _following(
    m: Module,
    core: LineBytes | LineColumns,
    oldest: Value,
    source: Value,
    change: Change,
    constant: Value,
) -> Value:
    """The next word of KeyExpansion, or its next byte, where the word before it is changed so. The
    newest words are the last ones of ``source``."""
    name = f"spec_key_sub_{change}"
    if isinstance(core, LineColumns):
        newest = part(source, core.key_words - 1, 32)
        return next_word(
            oldest, newest, change, constant, lambda word: substituted(m, core, word, name)
        )
    # Of the word that is made, as many bytes as the row's number are behind the word before it.
    end, shift = len(source) // 8 - 4, int(change == "rotated")
    rows = [part(source, end - row + (row + shift) % 4, 8) for row in range(4)]
    byte: Value = Array(rows)[core.phase[:2]]
    if change:
        byte = substituted(m, core, byte, name)
    if change == "rotated":
        byte = byte ^ Mux(core.phase[:2] == 0, constant, 0)
    return oldest ^ byte
