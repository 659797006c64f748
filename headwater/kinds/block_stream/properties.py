# SPDX-License-Identifier: Apache-2.0
"""The properties of a core whose keystream is blocks, each property as a checker of the core.

Together they specify the whole core. ``setup``: when the rounds begin and end. ``load``: where key,
nonce and block number are. ``step``: a cycle of rounds is the description's. ``renew``: the matrix
that a block starts from. ``words``: which matrix word is added to which word. ``hold``, ``silence``
and ``clear``: no word is lost and nothing leaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

from amaranth.hdl import Array, Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.algebra.word import IntegerWord, add, unnamed
from headwater.kinds.block_stream import check_pipeline
from headwater.kinds.block_stream.core import BlockStreamCore
from headwater.kinds.block_stream.description import WORD_BITS, WORDS
from headwater.kinds.block_stream.facts import BlockStreamFacts, PipelineFacts, facts_of_fold
from headwater.kinds.block_stream.pipeline import PipelinedCore
from headwater.kinds.block_stream.pipelining import staged_round
from headwater.kinds.block_stream.reference import begun_with, matrix_of, plain_after, plain_state
from headwater.prove.alike import always, clear, hold, silence
from headwater.prove.checker import (
    CONTROL,
    Checker,
    Proof,
    Property,
    aborting,
    assert_always,
    becomes,
    earlier,
    ended,
)
from headwater.prove.offers import cleared
from headwater.prove.reading import described, independent
from headwater.prove.session import session


def _phases(core: BlockStreamCore | PipelinedCore) -> Value:
    """An invariant of the control registers in every reachable state, proven by ``setup``."""
    if isinstance(core, PipelinedCore):
        return check_pipeline.phases(core)
    facts = core.facts
    last = facts.round_cycles - 1
    idle = core.renew & ~core.begun & ~core.full & (core.cycle == 0) & (core.word == 0)
    true = ~core.loading | (idle & (core.loaded < facts.load_cycles))
    if core.derived is not None:
        true &= ~core.loading | ~core.derived
        true &= core.derived | ~core.full | (Const(not facts.buffered, 1) & ~core.renew)
    if core.knows_idle:
        true &= ~core.idle | (core.loading & (core.loaded == 0))
    if facts.buffered:
        true &= core.begun | (core.renew & ~core.full & (core.cycle == 0) & ~core.all_begun)
        renewals = [core.cycle == cycle for cycle in facts.renewals]
        true &= ~core.begun | (core.renew == reduce(or_, renewals))
        true &= core.all_begun | ~(core.full | (core.begun & (core.cycle == last)))
        if core.ahead:
            true &= core.ahead.number == (core.word + core.full)[: len(core.word)]
        return true & (core.cycle <= last) & (core.full | (core.word == 0))
    true &= ~core.renew | (core.cycle < facts.words_per_block)
    true &= core.renew | (core.cycle <= last)
    return true & (core.renew | core.full | (core.cycle == 0))


def check_setup(m: Module, core: BlockStreamCore | PipelinedCore, proof: Proof) -> None:
    """No word is offered before the setup ends, and one is offered in the next cycle. The control
    registers follow a binary count of the setup."""
    facts = facts_of_fold(proof.cipher, core.architecture)
    blank = facts.setup_cycles - facts.load_cycles
    words = Signal(range(facts.load_cycles + 1), name=proof.named("words"))
    blanks = Signal(range(blank + 1), name=proof.named("blanks"))
    ran = Signal(name=proof.named("ran"))
    loaded, over = words == facts.load_cycles, blanks == blank
    taken = ~loaded & core.load.valid
    dropped = ended(core, loaded)
    with m.If(dropped | ResetSignal()):
        m.d.sync += [words.eq(0), blanks.eq(0), ran.eq(0)]
    with m.Else():
        m.d.sync += [words.eq(words + taken), blanks.eq(blanks + (loaded & ~over)), ran.eq(over)]
    offered = core.keystream.valid
    properties = [
        core.abort == dropped,
        core.loading == ~loaded,
        core.load.ready == ~loaded,
        over | ~offered,
        ~over | ran | offered,
    ]
    invariants = [
        _phases(core),
        (words <= facts.load_cycles) & (blanks <= blank) & (loaded | (blanks == 0)),
        loaded | (core.loaded == words),
        ~ran | over,
        *_walks(core, facts, loaded, blanks, over, ran),
    ]
    assert_always(m, proof, properties, invariants=invariants)


def _walks(
    core: BlockStreamCore | PipelinedCore,
    facts: BlockStreamFacts,
    loaded: Value,
    blanks: Value,
    over: Value,
    ran: Value,
) -> Iterator[Value]:
    """The values of the control registers in each cycle of the setup, and at its end. Where the key
    is derived, they go through the same values twice."""
    before = loaded & ~over
    begin = facts.begin_cycles
    if core.derived is not None:
        first = begin + facts.round_cycles
        yield ~before | (core.derived == (blanks >= first))
        yield ~over | core.derived
        blanks = Mux(blanks >= first, blanks - first, blanks)
    if isinstance(core, PipelinedCore):
        yield from check_pipeline.walks(core, blanks, over)
        return
    if facts.buffered:
        yield ~before | (~core.full & (core.begun == (blanks != 0)))
        yield ~before | (core.cycle == Mux(blanks == 0, 0, blanks - 1))
        yield ~over | core.all_begun
        if facts.stages > 1:
            yield ~before | (core.all_begun == (blanks == facts.round_cycles))
    else:
        yield ~before | (core.renew == (blanks < begin))
        yield ~before | (core.cycle == Mux(blanks < begin, blanks, blanks - begin))
        yield ~before | (core.full == (blanks > begin))
        yield ~over | core.full
    yield ~over | ran | (core.full & core.renew if not facts.buffered else core.full)


def check_load(m: Module, core: BlockStreamCore | PipelinedCore, proof: Proof) -> None:  # noqa: ARG001
    """Behind the last load word there are key, nonce and number: each word enters above them, while
    those before it move down."""
    m.d.comb += Assume(_phases(core))
    fires = core.load_fire & ~aborting(core)
    seed = (core.key, core.nonce, core.counter)
    moved, low = Cat(*seed, core.load.payload) >> len(core.load.payload), 0
    for register in seed:
        becomes(m, fires, register, moved[low : low + len(register)])
        low += len(register)


def check_step(m: Module, core: BlockStreamCore, proof: Proof) -> None:
    """A cycle of rounds is the description's, stage by stage; no stage moves in other cycles. After
    a block's last cycle, the result is in the buffer where there is one. The last cycle of rounds
    that derive the key puts it there instead."""
    cipher = proof.cipher
    rounds = ~core.loading & core.enable & ~aborting(core)
    rounds &= core.begun if core.facts.buffered else ~core.renew
    before, after = plain_state(m, core, cipher), plain_after(m, core, cipher, rounds)
    finished = core.all_begun & core.renew if core.facts.buffered else Const(0, 1)
    renewed = core.renew if core.facts.buffered else Const(0, 1)
    if core.derived is not None:
        becomes(m, rounds & _derives(core), core.key, Cat(*cipher.derived(after)))
        finished &= core.derived
    moved, filled = earlier(m, "moved", rounds & ~renewed), earlier(m, "filled", rounds & finished)
    expected = [earlier(m, f"x{place}", value) for place, value in enumerate(after)]
    m.d.comb += Assume(_phases(core))
    if core.stages:
        stands = ~core.loading & ~core.enable & ~aborting(core)
        for register in (*core.state, *core.stages.registers.values()):
            becomes(m, stands, register, register)
    for word, value in zip(expected, before, strict=True):
        m.d.comb += Assert(~moved | (value == word))
    if core.facts.buffered:
        m.d.comb += Assert(~filled | (core.full & (core.buffer == Cat(*expected))))


def _derives(core: BlockStreamCore) -> Value:
    """Whether the rounds that derive the key end in this cycle, if the core makes rounds."""
    assert core.derived is not None
    last = ~core.renew & (core.cycle == core.facts.round_cycles - 1)
    return ~core.derived & (core.all_begun & core.renew if core.facts.buffered else last)


def check_renew(m: Module, core: BlockStreamCore, proof: Proof) -> None:
    """The first block has the number that was loaded, each further block the next number, and its
    matrix is the description's. Key and nonce do not change, but where the key is derived."""
    lanes, buffered = core.lanes, core.facts.buffered
    another = core.begun if buffered else core.full
    if core.derived is not None:
        another &= core.derived
    number = (core.counter + another)[: len(core.counter)]
    renews = ~core.loading & core.renew & core.enable & ~aborting(core)
    ends = renews if buffered else renews & (core.cycle == core.facts.words_per_block - 1)
    running = ~core.loading & ~aborting(core)
    m.d.comb += Assume(_phases(core))
    stays = running if core.derived is None else running & ~_derives(core)
    becomes(m, stays, core.key, core.key)
    becomes(m, running, core.nonce, core.nonce)
    becomes(m, running, core.counter, Mux(ends, number, core.counter))
    matrix = begun_with(core, proof.cipher, number)
    for place, register in enumerate(core.state):
        entering = matrix[place]
        if not buffered:
            kind = Array(matrix[place % lanes :: lanes])
            entering = kind[core.cycle] if place + lanes >= WORDS else core.state[place + lanes]
        becomes(m, renews, register, entering)


def check_words(m: Module, core: BlockStreamCore, proof: Proof) -> None:
    """An offered word is the next word of the finished block with the block's own matrix added. The
    words of a block are offered once each, in order."""
    buffered, lanes, facts = core.facts.buffered, core.lanes, core.facts
    number = core.buffered_counter if buffered else core.counter
    matrix = matrix_of(core, proof.cipher, number)
    index = core.word if buffered else core.cycle
    words = [core.buffer.word_select(lane, WORD_BITS) for lane in range(lanes)]
    words = words if buffered else list(core.state[:lanes])
    offered = core.keystream.valid
    m.d.comb += Assume(_phases(core))
    ready = core.keystream.ready if facts.waits else Const(1, 1)
    # Words that were selected a cycle before are looked at once they were.
    moved = earlier(m, "moved", ~offered | ready) if core.ahead else Const(1, 1)
    for lane, word in enumerate(words):
        meant = Array(matrix[lane::lanes])[index] if facts.words_per_block > 1 else matrix[lane]
        part = core.keystream.payload.word_select(lane, WORD_BITS)
        m.d.comb += Assert(~(offered & moved) | (core.given[lane] == meant))
        m.d.comb += Assert(~offered | (part == add(word, core.given[lane])))
    taken = earlier(m, "taken", offered & ready & ~aborting(core))
    place = earlier(m, "place", index + 1)
    last = place == facts.words_per_block
    m.d.comb += Assert(~taken | last | (offered & (index == place)))
    if buffered:
        rest = earlier(m, "rest", core.buffer >> core.architecture.radix)
        m.d.comb += Assert(~taken | last | (core.buffer == rest))
        m.d.comb += Assert(~taken | ~last | (index == 0))
        fills = core.all_begun & core.renew & core.enable & ~aborting(core)
        younger = core.facts.stages - 1
        becomes(m, fills, core.buffered_counter, core.counter - younger)


def _made_of(core: BlockStreamCore | PipelinedCore) -> list[Value]:
    """What an offered word is made of: the word, what is added to it, and the word's number."""
    if isinstance(core, PipelinedCore):
        return [core.keystream.payload]
    if core.facts.buffered:
        ahead = core.ahead.words if core.ahead else ()
        return [core.key, core.nonce, core.buffer, core.buffered_counter, core.word, *ahead]
    return [core.key, core.nonce, *core.state, core.counter, core.cycle, core.full]


def check_clear(m: Module, core: BlockStreamCore, proof: Proof) -> None:
    """From any state: ``clear_cycles`` after clear, with nothing loaded, no register depends on its
    earlier content."""
    state, ahead = (_matrix_of_zeros(core, proof, key=key) for key in (True, False))
    seed = (core.key, core.nonce, core.counter)
    behind = (core.buffer, core.buffered_counter) if core.facts.buffered else ()
    with m.If(cleared(m, core)):
        m.d.comb += Assert(Cat(*seed, *behind) == 0)
        m.d.comb += Assert(core.loading & ~core.keystream.valid)
        for register, value in zip(core.state, state, strict=True):
            m.d.comb += Assert(register == value)
        if core.ahead:
            for register, value in zip(core.ahead.words, ahead, strict=False):
                m.d.comb += Assert(register == value)
        if core.stages:
            for name, value in _between_of_zeros(core, proof, state).items():
                m.d.comb += Assert(core.stages.registers[name] == value)


def _matrix_of_zeros(core: BlockStreamCore, proof: Proof, *, key: bool) -> list[int]:
    """What the state holds while zeros are loaded: the matrix of a block, or that of the ``key``
    where it is derived."""
    if core.architecture.clear == "instant":
        return [0] * WORDS
    cipher = proof.cipher
    sizes = (cipher.key_bits, cipher.iv_bits[-1], cipher.counter_bits)
    zeros = [[0] * (bits // WORD_BITS) for bits in sizes]
    words: list[int] = (
        cipher.begin_key(*zeros[:2], int)
        if key and core.derived is not None
        else cipher.begin(*zeros, int)
    )
    return words if core.facts.buffered else words[: core.lanes] * (WORDS // core.lanes)


def _between_of_zeros(core: BlockStreamCore, proof: Proof, state: Sequence[int]) -> dict[str, int]:
    """What the registers between stages hold when the state has held this for long."""
    held: dict[str, int] = {}

    def delay(name: str, word: IntegerWord) -> IntegerWord:
        held[name] = 0 if core.architecture.clear == "instant" else word.value
        return word

    words = [IntegerWord(value, WORD_BITS) for value in state]
    staged_round(proof.cipher, core.facts.stages, words, lambda _: unnamed, delay)
    return held


def _by_fold(in_place: Checker, in_a_row: Checker) -> Checker:
    """The checker of a property, of which a core with all rounds in a row has its own."""

    def check(m: Module, core: Any, proof: Proof) -> None:
        (in_a_row if isinstance(core, PipelinedCore) else in_place)(m, core, proof)

    return check


def _cycles_of_clear(facts: BlockStreamFacts) -> int:
    """Stages in a row are cleared one by one, and each is followed for a cycle."""
    return 2 if isinstance(facts, PipelineFacts) else (facts.clear_cycles or 0) + 1


PROPERTIES = (
    Property(
        "setup",
        check_setup,
        independent("a binary count of load words and cycles"),
        "no keystream word is offered before the setup ends, and the first one is exactly then",
        cycles=lambda facts: facts.setup_cycles + 2,
        by_induction=always,
        by_hand=CONTROL,
    ),
    Property(
        "load",
        check_load,
        independent("key, nonce and number, moved word by word"),
        "key, nonce and number are in their places when the load is over",
    ),
    Property(
        "step",
        _by_fold(check_step, check_pipeline.check_step),
        described("its rounds, in the places of its matrix"),
        "one cycle of rounds makes of the matrix what the description does",
    ),
    Property(
        "renew",
        _by_fold(check_renew, check_pipeline.check_renew),
        described("its matrix of a key, a nonce and a block number, which is counted apart"),
        "each block begins with the matrix of its number, and the numbers follow each other",
    ),
    Property(
        "words",
        _by_fold(check_words, check_pipeline.check_words),
        described("the words of its matrix, in order, added to those of the block"),
        "the words of a block are offered in order, with those that it began with added",
    ),
    session(_phases),
    hold(_phases, _made_of),
    silence(),
    replace(
        clear(
            "nothing that depends on what was there",
            _by_fold(check_clear, check_pipeline.check_clear),
            reading=described("its matrix of zeros"),
        ),
        cycles=_cycles_of_clear,
    ),
)
