# SPDX-License-Identifier: Apache-2.0
"""The properties of a core of VEST about the input of its states and about its rounds.

``setup`` tells for every cycle since reset its part of the setup, the input and whether a round is
made; ``step`` the next content of the registers, by the tables of the functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import xor

from amaranth.hdl import Array, Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.cipher import vest
from headwater.cipher.vest import State
from headwater.cipher.vest_tables import Tables
from headwater.kinds.vest.authenticated import VestAeadCore
from headwater.kinds.vest.check_setup import check_setup
from headwater.kinds.vest.core import VestBase
from headwater.kinds.vest.keystream import VestCore
from headwater.kinds.vest.state import VestRegisters, flat
from headwater.prove.alike import always, clear, hold, silence
from headwater.prove.checker import CONTROL, Proof, Property, becomes, earlier
from headwater.prove.reading import independent
from headwater.prove.session import session


def phases(core: VestBase) -> Value:
    """An invariant of the phases in every reachable state, proven by ``setup``."""
    flags = [core.filling, core.keying, core.hashing, core.sealing, core.absorbing, core.running]
    if isinstance(core, VestAeadCore):
        flags.append(core.tagging)
    one = Cat(flags).any()
    for place, flag in enumerate(flags):
        one &= ~(flag & Cat(Const(0, 1), *flags[place + 1 :]).any())
    true = one & ~(core.seals_key & ~core.sealing) & ~(core.seals_iv & ~core.sealing)
    true &= ~(core.seals_key & core.seals_iv)
    true &= core.loading | ~(core.filling | core.absorbing)
    true &= ~(core.loading & core.running)
    if core.may_rest:
        true &= ~(core.step & (core.filling | core.absorbing))
    if isinstance(core, VestAeadCore):
        true &= ~(core.loading & (core.over | core.tagging))
        true &= ~core.seals_message | (core.sealing & core.over)
        true &= ~(core.seals_message & (core.seals_key | core.seals_iv))
        true &= ~core.over | core.sealing | core.tagging
        true &= ~(core.step & ~core.sealing & ~core.keying & ~core.hashing)
    return true


def check_step(m: Module, core: VestBase, proof: Proof) -> None:  # noqa: ARG001
    """While the key is loaded a state becomes zero or the kept state. Otherwise a round gives
    the description's next state, and without a round it stays. The key turns, is shifted out or
    loaded."""
    m.d.comb += Assume(phases(core))
    for registers, moves, entering, seal in _states(core):
        reference = _reference(core.tables, registers.state, entering, seal)
        held = registers.keyed or registers.state
        for register, value, copy in zip(
            flat(registers.state), flat(reference), flat(held), strict=True
        ):
            begins = Mux(core.restores, copy, 0) if registers.keyed else Const(0, len(register))
            after = Mux(core.filling, begins, Mux(moves, value, register))
            _becomes(m, core, register, after)
        if registers.keyed:
            for copy, register in zip(flat(registers.keyed), flat(registers.state), strict=True):
                _becomes(m, core, copy, Mux(core.keeps, register, copy))
    _check_key(m, core)
    if isinstance(core, VestCore):
        made_word = _output(core.tables, core.first.state.core)
        offered = core.keystream.valid & (core.step if core.facts.waits else 1)
        m.d.comb += Assert(~offered | (core.keystream.payload == made_word))


def _check_key(m: Module, core: VestBase) -> None:
    key, byte = core.key, core.load.payload
    loads = core.filling & core.load.ready & core.load.valid
    turned, spent = Cat(key[1:], key[:1]), Cat(key[8:], Const(0, 8))
    after = Mux(core.keying, turned, Mux(loads, Cat(key[8:], byte), spent))
    moves = core.keying | core.hashing | loads
    _becomes(m, core, key, after, moves)


def _states(core: VestBase) -> Iterator[tuple[VestRegisters, Value, Value, Value]]:
    """For each state: its registers, whether it makes a round, and its inputs."""
    of_iv = Mux(core.seals_iv, vest.SEAL_IV, 0)
    seal = Mux(core.seals_key, vest.SEAL_KEY, 0) | of_iv
    if not isinstance(core, VestAeadCore):
        yield core.first, core.enable, core.entering, seal
        return
    data = core.data_in
    taken = data.ready & (data.valid if core.facts.waits else 1)
    byte = Mux(taken & data.keep, core.authenticated_byte, 0)
    seal_mac = Mux(core.seals_key, vest.SEAL_MAC_KEY, 0) | of_iv
    seal_mac |= Mux(core.seals_message, vest.SEAL_MESSAGE, 0)
    yield core.first, core.first_enable, core.entering, seal
    both = Mux(core.running, byte, core.entering)
    yield core.second, core.second_enable, both[: len(core.entering)], seal_mac


def _reference(tables: Tables, state: State, entering: Value, seal: Value) -> State:
    """A round with every function looked up in its table."""
    counters = []
    for number, (kind, c) in enumerate(zip(tables.counters, state.counters, strict=True)):
        index = Cat(c[tap] for tap in vest.COUNTER_TAPS)
        newest = c[-1] ^ _looked_up(kind.function, index)
        newest ^= seal[number] if number < len(seal) else 0
        counters.append(Cat(newest, c[0] ^ entering[number], c[1:-1]))
    diffuser = Cat(
        reduce(
            xor,
            (state.counters[number][1] for number in bit.counters),
            state.diffuser[bit.source] ^ bit.inverted,
        )
        for bit in tables.diffuser
    )
    return State(tuple(counters), diffuser, _reference_core(tables, state))


def _reference_core(tables: Tables, state: State) -> Value:
    p, bits = state.core, {}
    for number, row in enumerate(tables.rows):
        value = _looked_up(row.function, Cat(p[source] for source in row.sources))
        value ^= p[number] if number >= 5 else 0
        value ^= state.diffuser[number] if number < len(state.diffuser) else 0
        bits[row.destination] = value
    return Cat(bits[place] for place in range(len(bits)))


def _looked_up(function: int, index: Value) -> Value:
    return Array(Const(function >> entry & 1, 1) for entry in range(32))[index]


def _output(tables: Tables, p: Value) -> Value:
    return Cat(reduce(xor, (p[tap] for tap in taps)) for taps in tables.taps)


def _becomes(
    m: Module, core: VestBase, register: Signal, value: Value, when: Value | None = None
) -> None:
    """A register has this value in the next cycle, or zero after a clear."""
    clears = ResetSignal() | core.session.cleared
    becomes(m, ~clears & (1 if when is None else when), register, value)


def check_message(m: Module, core: VestAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """A text byte leaves encrypted by its own keystream byte, and nothing else leaves. The
    plaintext is authenticated. Each state moves as often as the description says."""
    m.d.comb += Assume(phases(core))
    data, out, waits = core.data_in, core.data_out, core.facts.waits
    present = data.valid if waits else Const(1, 1)
    output = _output(core.tables, core.first.state.core)
    text = data.keep & ~data.ad
    there = core.place if core.halves else Const(1, 1)
    byte = Cat(core.low, output) if core.halves else output.word_select(core.place, 8)
    takes = core.running & there & present & (out.ready | ~text if waits else 1)
    offers = core.running & there & present & text
    absorbs = takes & data.keep
    plain = data.payload ^ Mux(core.decrypts & text, byte, 0)
    tag_taken = core.tagging & (core.tag.ready if waits else 1)
    used = takes & text & core.place.all()
    if core.halves:
        used = core.running & (~core.place | (takes & text))
    m.d.comb += [
        Assert(out.valid == offers),
        Assert(~offers | (out.payload == data.payload ^ byte)),
        Assert(~offers | (out.keep & (out.last == data.last))),
        Assert((data.ready & present) == takes),
        Assert(~absorbs | (core.authenticated_byte == plain)),
        Assert(~core.running | (core.first_enable == used)),
        Assert(~core.running | (core.second_enable == absorbs)),
        Assert(~core.tagging | (core.second_enable == tag_taken)),
        Assert(core.tag.valid == core.tagging),
        Assert(~core.tagging | (core.tag.payload == _output(core.tables, core.second.state.core))),
    ]
    _follow_place(m, core, takes & text)


def _follow_place(m: Module, core: VestAeadCore, taken: Value) -> None:
    """The number of the next byte of the output; or, with half bytes, whether the first half is
    there, and its value."""
    place, low = Signal.like(core.place, name="spec_place"), Signal.like(core.low, name="spec_low")
    output = _output(core.tables, core.first.state.core)
    goes_on = earlier(m, "goes_on", core.running & ~core.abort & ~ResetSignal())
    following = ~core.place | ~taken if core.halves else core.place + taken
    m.d.sync += [place.eq(following), low.eq(Mux(core.place, core.low, output))]
    m.d.comb += Assert(~goes_on | (core.place == place))
    if core.halves:
        m.d.comb += Assert(~goes_on | (core.low == low))


PROPERTIES = (
    Property(
        "setup",
        check_setup,
        independent("a count of the rounds, with the description's constants"),
        "key and IV enter in their rounds, the constants with the first round of each seal, and no "
        "word is offered or taken before all is over, but then",
        cycles=lambda _: 4,
        by_induction=always,
        by_hand=CONTROL,
    ),
    Property(
        "step",
        check_step,
        independent("a round whose functions are looked up in the description's tables"),
        "a round makes of every register what the description says, and where none is made the "
        "state stays",
    ),
    Property(
        "message",
        check_message,
        independent("bytes of text and plaintext, each with its own byte of keystream"),
        "text leaves with its own byte of keystream, the plaintext is authenticated, and the "
        "output of the MAC's state is the tag",
        applies=lambda facts: facts.authenticates,
    ),
    session(phases),
    hold(phases),
    silence(lambda facts: facts.waits or facts.authenticates),
    clear("no bit of key, state and keystream behind", also=lambda core: ~core.has_key),
)
