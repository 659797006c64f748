# SPDX-License-Identifier: Apache-2.0
"""Checkers for a core with all rounds in a row: each follows the core for a cycle from any
state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.algebra.word import IntegerWord, add, unnamed
from headwater.core.naming import Naming
from headwater.kinds.block_stream.description import WORD_BITS, WORDS, BlockStreamCipher
from headwater.kinds.block_stream.pipeline import PipelinedCore
from headwater.kinds.block_stream.pipelining import staged_round, staged_rounds
from headwater.kinds.block_stream.reference import begun_with, matrix_of
from headwater.prove.checker import Proof, aborting, becomes, earlier

_MASK = (1 << WORD_BITS) - 1


def phases(core: PipelinedCore) -> Value:
    """An invariant of the control registers in every reachable state, proven by ``setup``."""
    rounds = core.facts.round_cycles
    true = ~core.loading | (~core.running & (core.passed == 0))
    true &= ~core.loading | (core.loaded < core.facts.load_cycles)
    true &= (core.passed <= rounds) & (~core.running | (core.passed == rounds))
    if core.facts.waits:
        true &= core.running | core.step
    if core.derived is not None:
        true &= (~core.running | core.derived) & (~core.loading | ~core.derived)
    if core.knows_idle:
        true &= ~core.idle | (core.loading & (core.loaded == 0))
    return true


def walks(core: PipelinedCore, blanks: Value, over: Value) -> Iterator[Value]:
    """The values of the control registers in each cycle behind the load. Where the key is derived,
    the count goes through the same values twice; ``blanks`` is that of the second time, too."""
    rounds = core.facts.round_cycles
    yield core.running == over
    yield core.passed == Mux(blanks > rounds, rounds, blanks)


def check_step(m: Module, core: PipelinedCore, proof: Proof) -> None:
    """A stage that moves makes its part of the description's round of the words before it. One that
    does not move stays."""
    m.d.comb += Assume(phases(core))
    kept = earlier(m, "kept", ~aborting(core))

    def delay(name: str, value: Value) -> Value:
        if core.stages.stands(value):
            return value
        register = core.stages.registers[name]
        meant = earlier(m, name, Mux(_moves(core), value, register))
        m.d.comb += Assert(~kept | (register == meant))
        return register

    def wires(number: int) -> Naming:
        return Naming(m, f"_meant_q{number}")

    staged_rounds(proof.cipher, core.facts.stages, core.first, wires, delay)


def _before(core: PipelinedCore, which: int) -> list[Signal]:
    """The words that a round begins with."""
    if not which:
        return list(core.first)
    return [core.stages.registers[f"x{place}_round_{which}"] for place in range(WORDS)]


def _moves(core: PipelinedCore) -> Value:
    return core.step if core.facts.waits else Const(1, 1)


def _derives(core: PipelinedCore) -> Value:
    """Whether the rounds that derive the key are over."""
    assert core.derived is not None
    return ~core.derived & (core.passed == core.facts.round_cycles)


def check_renew(m: Module, core: PipelinedCore, proof: Proof) -> None:
    """What enters the first stage is the description's matrix, with the number that was loaded, and
    then with the next one for each move. Key and nonce do not change, but where the key is
    derived."""
    m.d.comb += Assume(phases(core))
    matrix = begun_with(core, proof.cipher, core.counter)
    m.d.comb += [Assert(word == value) for word, value in zip(core.first, matrix, strict=True)]
    behind = ~core.loading & ~aborting(core)
    enters, key = _moves(core), core.key
    if core.derived is not None:
        enters &= core.derived
        after = _before(core, proof.cipher.rounds)
        key = Mux(_derives(core), Cat(*proof.cipher.derived(after)), key)
    becomes(m, behind, core.key, key)
    becomes(m, behind, core.nonce, core.nonce)
    becomes(m, behind, core.counter, Mux(enters, core.counter + 1, core.counter))


def check_words(m: Module, core: PipelinedCore, proof: Proof) -> None:
    """The last stage adds the matrix of the block that is there: as many entered behind it as there
    are stages before. An offered word is the block of the last stage, each once, in order."""
    m.d.comb += Assume(phases(core))
    moves, kept = _moves(core), ~aborting(core)
    younger = core.facts.round_cycles - 1
    becomes(m, kept, core.leaving, Mux(moves, core.counter - younger, core.leaving))
    matrix = matrix_of(core, proof.cipher, core.leaving)
    after = _before(core, proof.cipher.rounds)
    sums = [add(word, begun) for word, begun in zip(after, matrix, strict=True)]
    for register, value in zip(core.sums, sums, strict=True):
        becomes(m, kept, register, Mux(moves, value, register))
    starts = ~core.running & (core.passed == core.facts.round_cycles)
    if core.derived is not None:
        starts &= core.derived
    taken = core.running & core.keystream.ready if core.facts.waits else core.running
    followed = earlier(m, "followed", (starts | taken) & kept)
    word = earlier(m, "word", Mux(moves, Cat(*sums), Cat(*core.sums)))
    m.d.comb += Assert(~followed | (core.keystream.valid & (core.keystream.payload == word)))


def check_clear(m: Module, core: PipelinedCore, proof: Proof) -> None:
    """After a clear or a reset control is as after a reset, and stays so while nothing is loaded.
    Zeros are shifted in then: what is settled so many cycles behind a clear is so if what it is
    made of was a cycle before. Or all bits are zero at once."""
    clears = core.clear | ResetSignal()
    control = (*core.session.registers, *core.control_registers)
    begins = Cat(register == register.init for register in control).all()
    _follows(m, "begins", clears | (begins & ~core.load.valid), begins)
    if core.architecture.clear == "instant":
        _follows(m, "zeros", clears, Cat(*core.secrets) == 0)
        return
    settled = _settled(core, proof.cipher)
    assert sorted(settled) == list(range(2, (core.facts.clear_cycles or 0) + 1))
    loaded = core.facts.load_cycles + 1
    known = Cat(core.key, core.nonce, core.counter) == 0
    before = Const(1, 1)
    for cycles in sorted(settled):
        now = Cat(value == zero for value, zero in settled[cycles]).all()
        _follows(m, f"settled_{cycles}", begins & ~core.load.valid & ~clears & before, now)
        before = now & known & (core.leaving == _last_number(core)) if cycles > loaded else now


def _follows(m: Module, name: str, when: Value, then: Value) -> None:
    """Assert that ``then`` holds in the cycle after one in which ``when`` does, resets
    included."""
    register = Signal(name=f"spec_{name}", reset_less=True)
    m.d.sync += register.eq(when)
    m.d.comb += Assert(~register | then)


def _last_number(core: PipelinedCore) -> int:
    """The number of the block that leaves, while the one that enters has number zero."""
    return -(core.facts.round_cycles - 1) % (1 << len(core.leaving))


def _settled(core: PipelinedCore, cipher: BlockStreamCipher) -> dict[int, list[tuple[Value, int]]]:
    """Registers, or parts of them, and what they hold once zeros have reached them, by the number
    of cycles behind a clear."""
    facts, width = core.facts, core.architecture.load_width
    seed, loaded = Cat(core.key, core.nonce, core.counter), facts.load_cycles + 1
    settled: dict[int, list[tuple[Value, int]]] = defaultdict(list)
    for words in range(1, loaded):
        settled[words + 1].append((seed[len(seed) - width * words :], 0))
    stages, number = _stages_of_zeros(core, cipher), _last_number(core)
    for name, (word, moves) in stages.items():
        settled[loaded + moves].append((core.stages.registers[name], word))
    settled[loaded + 1].append((core.leaving, number))
    key, nonce, _ = _zeros(cipher)
    parts = [number >> low & _MASK for low in range(0, cipher.counter_bits, WORD_BITS)]
    for place, begun in enumerate(cipher.begin(key, nonce, parts, int)):
        word, moves = stages[f"x{place}_round_{cipher.rounds}"]
        settled[loaded + moves + 1].append((core.sums[place], (word + begun) & _MASK))
    if facts.waits:
        settled[2].append((core.hold, 0))
    return settled


def _zeros(cipher: BlockStreamCipher) -> tuple[list[int], list[int], list[int]]:
    """Words of key, nonce and number."""
    key, nonce, number = cipher.key_bits, cipher.iv_bits[-1], cipher.counter_bits
    return [0] * (key // WORD_BITS), [0] * (nonce // WORD_BITS), [0] * (number // WORD_BITS)


def _stages_of_zeros(core: PipelinedCore, cipher: BlockStreamCipher) -> dict[str, tuple[int, int]]:
    """What each register behind a stage holds of a load of zeros, and the number of moves until
    then."""
    (key, nonce, number), count = _zeros(cipher), core.facts.stages
    first = cipher.begin(key, nonce, number, int)
    if core.derived is not None:
        first = cipher.begin_key(key, nonce, int)
    words = [IntegerWord(word, WORD_BITS) for word in first]
    held: dict[str, tuple[int, int]] = {}
    for which in range(cipher.rounds):

        def delay(name: str, word: IntegerWord, before: int = which * count) -> IntegerWord:
            if name in core.stages.registers:
                # The name ends with the stage of the round.
                held[name] = word.value, before + int(name.rpartition("_")[2]) + 1
            return word

        words = staged_round(cipher, count, words, lambda _: unnamed, delay, which=which)
        for place, word in enumerate(words):
            held[f"x{place}_round_{which + 1}"] = word.value, (which + 1) * count
    return held
