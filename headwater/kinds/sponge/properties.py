# SPDX-License-Identifier: Apache-2.0
"""The properties of an Ascon core, each property as a checker of the core.

``setup``, ``load``, ``step`` or ``round``, ``blocks``, ``words``, ``message`` and ``tag`` together
say what every register becomes in every phase, in the description's words. `check_message` has
those of a message, `check_sliced` those of a core of slices alone.
"""

from __future__ import annotations

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal

from headwater.algebra.word import unnamed
from headwater.core.naming import named
from headwater.kinds.sponge.check_message import check_blocks, check_message, check_words
from headwater.kinds.sponge.check_sliced import check_round, check_sliced_load, check_slices
from headwater.kinds.sponge.core import SpongeCore
from headwater.kinds.sponge.description import RATE_BITS, WORD_BITS, State
from headwater.kinds.sponge.facts import SpongeFacts
from headwater.kinds.sponge.phases import begins_word, is_last, phases
from headwater.kinds.sponge.sliced_facts import SlicedFacts
from headwater.prove.alike import always, clear, hold, silence
from headwater.prove.checker import (
    CONTROL,
    Proof,
    Property,
    aborting,
    assert_always,
    becomes,
    earlier,
    ended,
)
from headwater.prove.reading import described, independent
from headwater.prove.session import session


def check_setup(m: Module, core: SpongeCore, proof: Proof) -> None:
    """Data is taken when all load words and the rounds behind them have passed, and not before.
    Only missing load words delay this."""
    facts = core.facts
    words = Signal(range(facts.load_words_count + 1), name=proof.named("words"))
    cycle = Signal(range(facts.round_cycles), name=proof.named("cycle"))
    count = Signal(range(facts.long_cycles // facts.round_cycles + 1), name=proof.named("made"))
    loaded, over = words == facts.load_words_count, count == facts.long_cycles // facts.round_cycles
    with m.If(core.load.valid & ~loaded):
        m.d.sync += words.eq(words + 1)
    with m.If(loaded & ~over):
        ends = cycle == facts.round_cycles - 1
        m.d.sync += [cycle.eq(Mux(ends, 0, cycle + 1)), count.eq(count + ends)]
    dropped = ended(core, loaded) | (over & core.finished)
    with m.If(dropped | ResetSignal()):
        m.d.sync += [words.eq(0), cycle.eq(0), count.eq(0)]
    properties = [
        core.abort == dropped,
        core.load.ready == ~loaded,
        core.running == over,
        over | ~(core.data_in.ready | core.data_out.valid | core.tag.valid),
    ]
    setting_up = loaded & ~over
    invariants = [
        words <= facts.load_words_count,
        count <= facts.long_cycles // facts.round_cycles,
        cycle < facts.round_cycles,
        (count == 0) & (cycle == 0) | loaded,
        ~over | (cycle == 0),
        core.idle == (words == 0),
        loaded | (core.place == words[: len(core.place)]),
        over | (core.permuting == setting_up),
        over | (core.round == (count * core.unrolled)[:4]),
        ~setting_up | (core.place == cycle),
        phases(core),
    ]
    assert_always(m, proof, properties, invariants=invariants)


def check_load(m: Module, core: SpongeCore, proof: Proof) -> None:
    """Behind the last load word S0 is the constant, S1 and S2 are the key, S3 and S4 the nonce:
    each word enters S4, while the words before it move down, and those of the key are kept."""
    m.d.comb += Assume(phases(core))
    fires = core.load_fire & ~aborting(core)
    string = Cat(*core.s[1:])
    moved = Cat(string, core.load.payload) >> core.width
    for place, register in enumerate(core.s[1:]):
        becomes(m, fires, register, moved[WORD_BITS * place : WORD_BITS * (place + 1)])
    becomes(m, fires, core.s[0], Const(proof.cipher.initial_word, WORD_BITS))
    keys = core.place < core.facts.words
    becomes(m, fires, core.key, Mux(keys, Cat(core.key, core.load.payload) >> core.width, core.key))


def check_step(m: Module, core: SpongeCore, proof: Proof) -> None:
    """A cycle of the permutation makes as many of the description's rounds as are unrolled, from
    the number that the core counts, but none before the first that a short permutation has."""
    m.d.comb += Assume(phases(core))
    cipher = proof.cipher
    s: State = (core.s[0], core.s[1], core.s[2], core.s[3], core.s[4])
    first = core.facts.first_short_number
    short = core.running & ~core.finishing & (core.round == first)
    for turn, state in enumerate(core.made):
        number = named(m, f"number_{turn}", (core.round + turn)[:4])
        after = cipher.permutation_round(unnamed, s, cipher.round_constant(number))
        if first + turn < cipher.long_rounds - cipher.short_rounds:
            after = tuple(Mux(short, old, new) for old, new in zip(s, after, strict=True))
        for word, new in zip(state, after, strict=True):
            m.d.comb += Assert(~core.permuting | (word == new))
        s = state
    for register, value in zip(core.s, s, strict=True):
        becomes(m, core.permuting & ~aborting(core), register, value)
    becomes(m, core.permuting & ~aborting(core), core.key, core.key)


def check_tag(m: Module, core: SpongeCore, proof: Proof) -> None:  # noqa: ARG001
    """The words of the tag are those of S3 and S4 with the key, one after another, each until it
    is taken, and its slices where it has several; the core is idle behind the last one."""
    m.d.comb += Assume(phases(core))
    ready = core.tag.ready if core.facts.waits else Const(1, 1)
    taken = core.tagging & (ready | ~begins_word(core))
    tag = Cat(*core.s[3:]) ^ core.key
    rest = RATE_BITS - core.width
    m.d.comb += [
        Assert(core.tag.valid == (core.tagging & begins_word(core))),
        Assert(~core.tag.valid | (core.tag.payload == tag[: core.facts.word_bits])),
        Assert(core.finished == (taken & is_last(core))),
    ]
    moved = taken & ~aborting(core)
    if rest:
        left = earlier(m, "rest_of_tag", tag[core.width :])
        now = earlier(m, "tag_moved", moved)
        m.d.comb += Assert(~now | ((Cat(*core.s[3:]) ^ core.key)[:rest] == left))
    becomes(m, moved, core.place, (core.place + 1)[: len(core.place)])
    becomes(m, moved, core.tagging, Const(1, 1))
    for register in (*core.s, core.key, *core.control_registers):
        becomes(m, core.tagging & ~taken & ~aborting(core), register, register)


def _of_slices(facts: SpongeFacts) -> bool:
    return isinstance(facts, SlicedFacts)


def _of_rounds(facts: SpongeFacts) -> bool:
    return not _of_slices(facts)


PROPERTIES = (
    Property(
        "setup",
        check_setup,
        independent("a binary count of load words and rounds"),
        "no data is taken or given before load and first permutation are over, and it can be just "
        "then",
        cycles=lambda facts: facts.setup_cycles + 4,
        by_induction=always,
        by_hand=CONTROL,
    ),
    Property(
        "load",
        check_load,
        independent("key and nonce, moved word by word"),
        "key and nonce are in their places when the load is over",
        applies=_of_rounds,
    ),
    Property(
        "load",
        check_sliced_load,
        independent("key, nonce and the constant, moved slice by slice"),
        "key, nonce and the constant are in their places when the load is over",
        applies=_of_slices,
    ),
    Property(
        "step",
        check_step,
        described("its rounds, one at a time"),
        "a cycle of the permutation is so many rounds",
        applies=_of_rounds,
    ),
    Property(
        "round",
        check_round,
        described("its round, of the whole state"),
        "the cycles of a round make a round, and before the tag's first one add the key",
        cycles=lambda facts: facts.round_cycles + 1,
        begins={"place": 0, "permuting": 1, "loading": 0, "tagging": 0},
        undisturbed=True,
        applies=_of_slices,
    ),
    Property(
        "blocks",
        check_blocks,
        independent("the count of rounds that each block must have"),
        "each block is followed by the rounds that it must have",
    ),
    Property(
        "words",
        check_words,
        independent("state, padding, key and mark, byte by byte"),
        "a word enters the state, and its text leaves, as the description says",
        applies=_of_rounds,
    ),
    Property(
        "words",
        check_slices,
        independent("state, padding, key and mark, bit by bit"),
        "the slices of a word enter the state, and its text leaves, as the description says",
        applies=_of_slices,
    ),
    Property(
        "message",
        check_message,
        independent("the rules of parts, padding and end"),
        "words are taken in order, and each part is padded once",
    ),
    Property(
        "tag",
        check_tag,
        independent("the last two words of the state plus the key, in order"),
        "the tag is what the description says, word after word",
    ),
    session(phases),
    hold(phases),
    silence(always, phases=phases),
    clear("no bit of key and state behind"),
)
