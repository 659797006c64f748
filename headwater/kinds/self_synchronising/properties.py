# SPDX-License-Identifier: Apache-2.0
"""The properties of the core of a self-synchronising cipher."""

from __future__ import annotations

from collections.abc import Iterator

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.core.counter import state_after
from headwater.kinds.self_synchronising.check_step import check_step, entering_word
from headwater.kinds.self_synchronising.core import SelfSynchronisingCore
from headwater.kinds.self_synchronising.description import SelfSynchronisingCipher
from headwater.kinds.self_synchronising.emptying import emptying
from headwater.kinds.self_synchronising.facts import SelfSynchronisingFacts
from headwater.kinds.self_synchronising.model import SelfSynchronisingModel
from headwater.prove.alike import always, hold, silence
from headwater.prove.checker import CONTROL, Proof, Property, assert_always, becomes, ended
from headwater.prove.offers import cleared
from headwater.prove.reading import described, independent
from headwater.prove.session import session


def _phases(core: SelfSynchronisingCore) -> Value:
    """An invariant of the phases in every reachable state, proven by ``setup``."""
    true = core.loading | ~core.keying
    return true & (core.keying | ~core.idle) if core.knows_idle else true


def check_entering(m: Module, core: SelfSynchronisingCore, proof: Proof) -> None:  # noqa: ARG001
    """While a word of the key is shifted in, zeros enter the cipher. A word of the IV, and later
    the ciphertext, enters it while the key stays."""
    m.d.comb += Assume(_phases(core))
    radix, instant = core.radix, core.architecture.clear == "instant"
    emptied = (core.session.cleared | ResetSignal()) & instant
    shown = (core.load_fire | ~core.keying) & ~emptied
    key = Mux(core.keying, Cat(core.key, core.load.payload)[radix:], core.key)
    becomes(m, shown, core.key, key)
    becomes(m, shown, core.c, entering_word(core))


def check_setup(m: Module, core: SelfSynchronisingCore, proof: Proof) -> None:
    """Data can be taken when all load words have been taken, and not before. The cipher moves one
    cycle after each word that enters it."""
    facts = core.facts
    expected = SelfSynchronisingFacts(proof.cipher, core.architecture)
    total, keyed = expected.key_words + expected.iv_words, expected.key_words
    words = Signal(range(total + 1), name=proof.named("words"))
    took = Signal(name=proof.named("took"))
    over = words == total
    entered = (core.load.valid & ~over) | (over & core.data_fire)
    dropped = ended(core, over)
    with m.If(core.load.valid & ~over):
        m.d.sync += words.eq(words + 1)
    m.d.sync += took.eq(entered)
    with m.If(dropped | ResetSignal()):
        m.d.sync += [words.eq(0), took.eq(0)]
    data, out = core.data_in, core.data_out
    properties = [
        core.abort == dropped,
        core.load.ready == ~over,
        data.ready == (over & (out.ready if facts.waits else 1)),
        over | ~out.valid,
        core.keying == (words < keyed),
    ]
    empties = core.session.shifts_zeros & (words == 0)
    if facts.waits:
        properties.append(core.step == (took | empties))
    invariants = [words <= total, core.count == state_after(core.count, words, total)]
    invariants += [core.idle == (words == 0)] if core.knows_idle else []
    assert_always(m, proof, properties, invariants=invariants)


def check_text(m: Module, core: SelfSynchronisingCore, proof: Proof) -> None:  # noqa: ARG001
    """Where `keep` is one, the output is input plus keystream; the ciphertext enters."""
    data, out = core.data_in, core.data_out
    other = (data.payload ^ core.word) & data.keep
    m.d.comb += [
        Assert(~out.valid | (out.payload == other)),
        Assert((out.keep == data.keep) & (out.last == data.last)),
        Assert(core.ciphertext == Mux(core.decrypts, data.payload & data.keep, other)),
    ]
    if core.facts.waits:
        m.d.comb += [
            Assert(out.valid == (data.valid & ~core.loading)),
            Assert(core.data_fire == (data.valid & data.ready)),
            Assert(core.data_fire == (out.valid & out.ready)),
        ]


def check_clear(m: Module, core: SelfSynchronisingCore, proof: Proof) -> None:
    """From any state: ``clear_cycles`` after clear or reset, with nothing loaded, no earlier bit is
    left.
    Where zeros are shifted in, each bit is proven known from the cycle that
    `headwater.kinds.self_synchronising.emptying` derives."""
    if core.architecture.clear == "instant":
        with m.If(cleared(m, core)):
            m.d.comb += [Assert(Cat(*core.secrets) == 0), Assert(core.loading & core.keying)]
        return
    cycles = core.facts.clear_cycles or 0
    quiet = Signal(range(cycles + 1), name=proof.named("quiet"), reset_less=True)
    with m.If(quiet.any() & (quiet != cycles)):
        m.d.sync += quiet.eq(quiet + 1)
    with m.If(core.load.valid):
        m.d.sync += quiet.eq(0)
    with m.If(core.clear | ResetSignal()):
        m.d.sync += quiet.eq(1)
    emptied = core.loading & core.keying & core.enable
    emptied &= core.idle if core.knows_idle else Const(1, 1)
    properties = [(quiet == 0) | emptied, quiet <= cycles]
    properties += [
        (quiet < cycle) | (bit == value) for cycle, bit, value in _newly_known(core, proof.cipher)
    ]
    properties += [
        (quiet != cycles) | (register == value)
        for register, value in _led_to_by_zeros(core, proof.cipher)
    ]
    assert_always(m, proof, properties)


def _newly_known(
    core: SelfSynchronisingCore, cipher: SelfSynchronisingCipher
) -> Iterator[tuple[int, Value, int]]:
    """For each bit: the cycle after a clear or a reset from which on it is known, the bit, and its
    value."""
    registers = {register.name: register for register in core.secrets}
    known: set[tuple[str, int]] = set()
    for cycle, contents in enumerate(
        emptying(SelfSynchronisingFacts(cipher, core.architecture)), 1
    ):
        for name, bits in contents.items():
            for place, bit in enumerate(bits):
                if bit.value is not None and (name, place) not in known:
                    known.add((name, place))
                    yield cycle, registers[name][place], bit.value


def _led_to_by_zeros(
    core: SelfSynchronisingCore, cipher: SelfSynchronisingCipher
) -> Iterator[tuple[Signal, int]]:
    """The final content of each register when key and ciphertext are zeros."""
    key, iv = (bytes(-(-bits // 8)) for bits in (cipher.key_bits, cipher.iv_bits[-1]))
    model = SelfSynchronisingModel(cipher, key=key, iv=iv)
    model.decrypt(0, cipher.memory[1])
    last = cipher.stages[-1].name
    yield from ((core.key, 0), (core.c, 0), (core.q, model.content("q")))
    for section, layer in zip(core.facts.sections, core.layers, strict=False):
        for register in layer:
            yield register, model.content(section[-1].name)
    for register in (core.line, core.hold)[: 1 + core.facts.waits]:
        yield register, -model.content(last) & (1 << len(register)) - 1


PROPERTIES = (
    Property(
        "step",
        check_step,
        described("its stages, step by step"),
        "a cycle in which the cipher moves is as many of the description's steps as the radix, and "
        "its word is their keystream",
    ),
    Property(
        "entering",
        check_entering,
        independent("the words of key, IV and ciphertext, each moved to its place"),
        "a word of the key is shifted in at its end, a word of the IV and of the ciphertext enters "
        "the cipher, and the key stays",
    ),
    Property(
        "setup",
        check_setup,
        independent("a count of the load words"),
        "no data is taken or given before the load is over, and it can be just then; the cipher "
        "moves in the cycle after each word that enters it",
        cycles=lambda _: 4,
        by_induction=always,
        by_hand=CONTROL,
    ),
    Property(
        "text",
        check_text,
        independent("text plus the keystream that the core has, in its place"),
        "a text leaves under the keystream, in its place, and nothing else does",
        cycles=lambda _: 1,
    ),
    session(_phases),
    hold(_phases),
    silence(
        more=", and nothing is offered before the setup is over",
        also=lambda core: ~core.data_out.valid | ~core.loading,
    ),
    Property(
        "clear",
        check_clear,
        described("what its stages become when zeros enter"),
        "clear and reset leave no bit of key, text and state behind",
        cycles=lambda _: 3,
        by_induction=lambda facts: facts.architecture.clear == "shift",
        applies=lambda facts: facts.clear_cycles is not None,
    ),
)
