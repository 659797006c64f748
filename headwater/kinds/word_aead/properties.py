# SPDX-License-Identifier: Apache-2.0
"""The properties of a Phelix core: its streams, its setup and the blocks of a cycle.

The blocks are proven in parts. ``step`` takes keys, plain words and the state before a block as the
core has them; ``load``, ``mixing`` and ``keys`` prove what the keys are, ``words`` and ``marks``
what a message makes of plain words and state.
"""

from __future__ import annotations

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.cipher.phelix import State, half_block, keystream_word
from headwater.core.naming import named
from headwater.kinds.word_aead.check_load import check_load, check_mixing
from headwater.kinds.word_aead.check_message import (
    check_lengths,
    check_marks,
    check_message,
    check_tag,
    check_words,
)
from headwater.kinds.word_aead.core import WordAeadCore
from headwater.kinds.word_aead.facts import KEY_WORDS, LOAD_WORDS
from headwater.kinds.word_aead.phases import phases
from headwater.prove.alike import always, clear, hold, silence
from headwater.prove.checker import (
    CONTROL,
    Proof,
    Property,
    aborting,
    assert_always,
    becomes,
    ended,
)
from headwater.prove.reading import described, independent
from headwater.prove.session import session


def _made_of(core: WordAeadCore) -> list[Value]:
    """All registers. At radix 16 the second key is recomputed in every cycle; no offered word
    depends on it."""
    secrets = [register for register in core.secrets if register is not core.second_key]
    return [*secrets, *core.session.registers, *core.control_registers]


def _nothing_early(core: WordAeadCore) -> Value:
    return core.running | ~(core.data_out.valid | core.tag.valid)


def check_setup(m: Module, core: WordAeadCore, proof: Proof) -> None:
    """Data is taken when all load words, mixings and blocks of the setup have passed, and not
    before. Only missing load words delay this."""
    facts = core.facts
    ahead = facts.halves
    words = Signal(range(LOAD_WORDS + 1), name=proof.named("words"))
    mixed = Signal(range(facts.mixing_cycles + 1), name=proof.named("mixed"))
    placed = Signal(name=proof.named("placed"))
    blocks_made = Signal(range(facts.block_cycles + 1), name=proof.named("made"))
    loaded, keyed = words == LOAD_WORDS, words > KEY_WORDS
    is_mixed, over = mixed == facts.mixing_cycles, blocks_made == facts.block_cycles
    with m.If(core.load.valid & ~loaded):
        m.d.sync += words.eq(words + 1)
    with m.If(keyed & ~is_mixed):
        m.d.sync += mixed.eq(mixed + 1)
    with m.If(is_mixed & loaded):
        m.d.sync += placed.eq(1)
    with m.If(placed & ~over):
        m.d.sync += blocks_made.eq(blocks_made + 1)
    dropped = ended(core, loaded) | (over & core.finished)
    with m.If(dropped | ResetSignal()):
        m.d.sync += [register.eq(0) for register in (words, mixed, placed, blocks_made)]
    properties = [
        core.abort == dropped,
        core.load.ready == ~loaded,
        core.running == over,
        over | ~(core.data_in.ready | core.data_out.valid | core.tag.valid),
    ]
    done = Mux(placed, blocks_made, mixed)
    count = done[ahead:] if ahead else done
    invariants = [
        words <= LOAD_WORDS,
        mixed <= facts.mixing_cycles,
        blocks_made <= facts.block_cycles,
        (mixed == 0) | keyed,
        ~placed | (is_mixed & loaded),
        (blocks_made == 0) | placed,
        core.taken == words,
        core.idle == (words == 0),
        core.keying == ~keyed,
        core.mixing == (keyed & ~is_mixed),
        core.placing == (is_mixed & ~placed),
        core.setting_up == (placed & ~over),
        core.closing | ~core.opening,
        core.running | ~(core.closing | core.opening | core.was_ad),
        over | (core.count == count[:3]),
        (over | (core.second == done[0])) if ahead else Const(1, 1),
    ]
    assert_always(m, proof, properties, invariants=invariants)


def check_keys(m: Module, core: WordAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """The keys of each block are the description's X and X' with the block number."""
    keys, narrow = core.keys, core.words.bit_length() - 1
    lengths = Cat(Const(0, 2), keys.lengths)
    for place, block in enumerate(core.blocks):
        number = Signal(32, name=f"number_{place}")
        added = Signal(32, name=f"added_{place}")
        turn = number[:3]
        subtracts = turn >= 4
        m.d.comb += [
            number.eq(Cat(Const(place, narrow), keys.number)),
            added.eq(
                number
                + Mux(subtracts, turn - 3, 0)[:3]
                + Mux((turn == 1) | (turn == 5), lengths, 0)
            ),
        ]
        nonce = keys.nonce[place % 4]
        word = (keys.key[(place + 4) % 8] + Mux(subtracts, ~nonce, nonce))[:32]
        m.d.comb += Assert(block.made_key == (word + added)[:32])
        if not core.halves:
            live = ~core.mixing
            m.d.comb += Assert(~live | (block.first_key == keys.key[place]))
            m.d.comb += Assert(~live | (block.second_key == block.made_key))
        else:
            used = Mux(core.second, core.second_key, keys.key[0])
            m.d.comb += Assert(core.mixing | (block.first_key == used))


def check_step(m: Module, core: WordAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """A cycle makes ``words`` consecutive blocks, or half a block. The registers take the state
    after the last, and the operands of the next blocks."""
    m.d.comb += Assume(phases(core))
    number = [0]

    def wire(value: Value, name: str = "") -> Value:  # noqa: ARG001
        number[0] += 1
        return named(m, f"reference_{number[0]}", value)

    ends: list[Value] = [*core.old] if core.halves else [*core.old, core.z[4]]
    for place, block in enumerate(core.blocks):
        state: State = block.entering
        old = ends[place]
        if core.halves:
            middle = tuple(core.z)
            after = half_block(wire, state, block.plain, block.first_key)
            m.d.comb += Assert(core.second | (block.plain == 0))
        else:
            middle = half_block(wire, state, Const(0, 32), block.first_key)
            after = half_block(wire, middle, block.plain, block.second_key)
        m.d.comb += [
            Assert(block.keystream == keystream_word(middle, old)),
            Assert(Cat(*block.ending) == Cat(*after)),
        ]
        ends.append(core.z[4] if core.halves else after[4])
    _moves(m, core, after, ends)


def _moves(m: Module, core: WordAeadCore, after: State, ends: list[Value]) -> None:
    """The registers of the next cycle, where blocks are made and the key is not mixed."""
    live = (core.setting_up | core.running) & core.enable & ~aborting(core)
    for register, value in zip(core.z, after, strict=True):
        becomes(m, live, register, value)
    shifts = live & (~core.second if core.halves else 1)
    for register, value in zip(core.old, ends[core.words :], strict=False):
        becomes(m, shifts, register, value)
    turns, keys, words = live & core.block_ends, core.keys, core.words
    for place, register in enumerate(keys.key):
        becomes(m, turns, register, keys.key[(place + words) % 8])
    for place, register in enumerate(keys.nonce):
        becomes(m, turns, register, keys.nonce[(place + words) % 4])
    becomes(m, turns, keys.number, (keys.number + 1)[: len(keys.number)])


PROPERTIES = (
    Property(
        "setup",
        check_setup,
        independent("a binary count of load words, mixings and blocks"),
        "no data is taken or given before load, key mixing and nonce setup are over, and it can be "
        "just then",
        cycles=lambda facts: facts.setup_cycles + 4,
        by_induction=always,
        by_hand=CONTROL,
    ),
    Property(
        "keys",
        check_keys,
        independent("the formula of the keys of a block, by the block number"),
        "each block has the description's keys, with its number",
        cycles=lambda _: 1,
    ),
    Property(
        "step",
        check_step,
        described("its halves of a block, one after the other"),
        "a cycle is so many blocks, or half a one, with the keys and the plain words that the core "
        "has",
    ),
    Property(
        "load",
        check_load,
        independent("key and nonce, moved word by word"),
        "key, nonce and lengths are in their places when the load is over, and stay there",
    ),
    Property(
        "mixing",
        check_mixing,
        independent("the ladder of half blocks, which `step` shows"),
        "the key is mixed as described, and enters the state with the nonce",
    ),
    Property(
        "words",
        check_words,
        independent("text plus keystream, byte by byte"),
        "the bytes of a message that count enter their blocks, and their text leaves",
        cycles=lambda _: 1,
    ),
    Property(
        "marks",
        check_marks,
        independent("the words that are added to the state"),
        "the ends of associated data and the beginning of the MAC are marked in the state",
        cycles=lambda _: 1,
    ),
    Property(
        "message",
        check_message,
        independent("the rules of parts and end"),
        "transfers are taken in order, and end and lengths of the parts are remembered",
    ),
    Property(
        "lengths",
        check_lengths,
        independent("the blocks since the setup"),
        "the associated data is counted in whole transfers",
        cycles=lambda facts: facts.setup_cycles + 4,
        by_induction=always,
        by_hand="the blocks before the first of a message: the solver's search for them takes "
        "about twenty times as long as the induction",
    ),
    Property(
        "tag",
        check_tag,
        independent("the last four keystream words"),
        "the tag is the keystream behind the message plus the text's length modulo 4",
        cycles=lambda _: 1,
    ),
    session(phases),
    hold(phases, _made_of),
    silence(always, phases=phases, also=_nothing_early),
    clear("no bit of key, nonce and state behind"),
)
