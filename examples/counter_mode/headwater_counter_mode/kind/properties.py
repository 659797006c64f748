# SPDX-License-Identifier: Apache-2.0
"""The properties of the core, each as a checker beside it."""

from __future__ import annotations

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.core.function import FunctionNaming
from headwater.prove.alike import always, clear, hold, silence
from headwater.prove.checker import Proof, Property, aborting, assert_always, becomes, ended
from headwater.prove.reading import described, independent
from headwater.prove.session import session
from headwater_counter_mode.kind.core import CounterModeCore


def phases(core: CounterModeCore) -> Value:
    """An invariant of the control registers in every reachable state."""
    rounds = core.cipher.rounds
    true = ~(core.running & core.loading) & (core.number <= rounds)
    true &= ~core.loading | (core.number == 0)
    true &= core.loading | ~core.session.emptying
    return true & (core.loading | core.running | (core.number != rounds))


def check_setup(m: Module, core: CounterModeCore, proof: Proof) -> None:
    """The first word is there so many cycles behind the last load word as a block has rounds, and
    not before."""
    words, total = core.facts.load_cycles, core.facts.setup_cycles
    time = Signal(range(total + 1), name=proof.named("time"))
    loaded, over = time >= words, time == total
    dropped = ended(core, loaded)
    with m.If(~over & (loaded | core.load.valid)):
        m.d.sync += time.eq(time + 1)
    with m.If(dropped | ResetSignal()):
        m.d.sync += time.eq(0)
    properties = [
        core.abort == dropped,
        core.load.ready == ~loaded,
        core.running == over,
        over | ~core.keystream.valid,
    ]
    invariants = [
        phases(core),
        time <= total,
        Mux(loaded, over | (core.number == time - words), core.words == time),
    ]
    assert_always(m, proof, properties, invariants=invariants)


def check_load(m: Module, core: CounterModeCore, proof: Proof) -> None:  # noqa: ARG001
    """A load word is shifted into key and counter from above; without one they stay, or take
    zeros."""
    m.d.comb += Assume(phases(core))
    goes, width = core.loading & ~aborting(core), len(core.load.payload)
    word = Mux(core.load.valid, core.load.payload, 0)
    held = Cat(core.key, core.counter)
    shifted = Cat(held, word)[width:]
    shifts = core.load.valid | core.session.emptying
    for name, low in (("key", 0), ("counter", len(core.key))):
        register = getattr(core, name)
        following = Mux(shifts, shifted[low : low + len(register)], register)
        becomes(m, goes, register, following)


def check_round(m: Module, core: CounterModeCore, proof: Proof) -> None:
    """A cycle makes a round of the description, the first one of counter and key."""
    m.d.comb += Assume(phases(core))
    first = core.number == 0
    block, key = (Signal.like(one, name=f"spec_{one.name}") for one in (core.block, core.key))
    m.d.comb += block.eq(Mux(first, core.counter, core.block))
    m.d.comb += key.eq(Mux(first, core.key, core.round_key))
    text, behind = proof.cipher.block_round(FunctionNaming(m, "_spec"), block, key, core.number)
    moves = ~core.loading & (core.number != core.cipher.rounds) & ~aborting(core)
    becomes(m, moves, core.block, text)
    becomes(m, moves, core.round_key, behind)
    becomes(m, moves, core.number, (core.number + 1)[:8])
    becomes(m, moves, core.counter, core.counter)
    becomes(m, ~core.loading & ~aborting(core), core.key, core.key)


def check_words(m: Module, core: CounterModeCore, proof: Proof) -> None:  # noqa: ARG001
    """A block is offered behind its last round, and the next one is of the next number."""
    m.d.comb += Assume(phases(core))
    over = core.running & (core.number == core.cipher.rounds)
    port, goes = core.keystream, over & ~aborting(core)
    m.d.comb += [Assert(port.valid == over), Assert(~over | (port.payload == core.block))]
    size = len(core.counter)
    becomes(m, goes & port.ready, core.counter, (core.counter + 1)[:size])
    becomes(m, goes & port.ready, core.number, Const(0, 8))
    for register in (core.counter, core.number, core.block):
        becomes(m, goes & ~port.ready, register, register)


PROPERTIES = (
    Property(
        "setup",
        check_setup,
        independent("the cycles since the first load word, counted"),
        "the first word is offered when the load and a block's rounds are over",
        by_induction=always,
    ),
    Property(
        "load",
        check_load,
        described("the order of key and IV, word by word"),
        "key and IV are shifted into key and counter",
    ),
    Property(
        "round", check_round, described("its round"), "each cycle is a round of the description"
    ),
    Property(
        "words",
        check_words,
        independent("the number of rounds, and a sum"),
        "each block is offered until it is taken, and is followed by that of the next number",
    ),
    session(phases),
    hold(phases),
    silence(phases=phases),
    clear("no bit of the state behind"),
)
