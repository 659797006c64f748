# SPDX-License-Identifier: Apache-2.0
"""A cycle of a core makes ``radix`` steps of the description."""

from __future__ import annotations

from collections.abc import Collection

from amaranth.hdl import Assert, Assume, Cat, Module, Mux, ResetSignal, Signal, Value

from headwater.cipher.description import Cipher
from headwater.core.memory import StoredMemory
from headwater.kinds.stepped.checkers.phases import phases
from headwater.kinds.stepped.checkers.plain import (
    nothing_enters,
    output_word,
    steps_of_cycle,
)
from headwater.kinds.stepped.checkers.reference import Schedule, State, Steps, as_word
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.keystream import KeystreamCore
from headwater.kinds.stepped.transformations.zeroed_load import ZeroedLoad
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.prove.checker import Proof, aborting, earlier, first_cycle


def check_step(m: Module, core: SteppedCore, proof: Proof) -> None:
    """A cycle after the load is ``radix`` single steps or, in a slow cycle, as many as a load word
    has bits. So is the output, which may be read ahead."""
    cipher = proof.cipher
    schedule = Schedule.of(cipher, core)
    radix = schedule.radix
    slow_steps = schedule.width if schedule.injected and not _loads_apart(cipher) else 0
    count = max(radix + schedule.ahead, slow_steps)
    steps = steps_of_cycle(m, core, cipher, count)
    word, known = output_word(m, core, steps, schedule.ahead)
    moved = steps.after(radix)
    if slow_steps:
        moved = _either(core.controls.slow, steps.after(slow_steps), moved)
    stepped = earlier(m, "stepped", ~core.loading & core.enable & ~aborting(core))
    # What comes after the load ends the session, where `loading` does not mask it.
    quiet = nothing_enters(core) | (core.abort & core.facts.timeline.decides_early)
    m.d.comb += [
        Assume(phases(core)),
        Assert(core.loading | quiet),
    ]
    _compare(m, stepped, steps.after(0), _without(cipher.beside, moved))
    for name, held in steps.after(0).items():
        if isinstance(held, StoredMemory):
            stays = earlier(m, f"{name}_stays", ~core.loading & ~core.enable & ~aborting(core))
            _compare(m, stays, steps.after(0), {name: held})
    for name in cipher.beside:
        _compare_beside(m, core, name, stepped, steps, (word, known))
    if isinstance(core, KeystreamCore):
        offers = core.running & core.enable & known & nothing_enters(core)
        m.d.comb += Assert(~offers | (core.keystream.payload == word))


def _loads_apart(cipher: Cipher) -> bool:
    """Whether a load has its own steps, which `check_step` does not cover."""
    return isinstance(cipher, WordCipher)


def check_entering(m: Module, core: SteppedCore, proof: Proof) -> None:
    """A load cycle is as many steps as the load word has bits of each lane, which enter in them.
    Before the first, all registers of the running cipher are zero."""
    cipher = proof.cipher
    width = Schedule.of(cipher, core).width
    steps = steps_of_cycle(m, core, cipher, width)
    before, loaded = first_cycle(m), earlier(m, "loaded", core.load_fire & ~aborting(core))
    empty = Signal(init=1, name="spec_empty")
    m.d.sync += empty.eq((empty & ~core.load_fire) | aborting(core))
    m.d.comb += [
        Assume(ResetSignal() | ~before),
        Assume(phases(core) | before),
        Assert(~core.load_fire | (core.load_word == core.load.payload)),
        Assert(before | ~empty | (core.loading & (core.step == core.step.init))),
    ]
    if core.facts.waits:
        m.d.comb += Assert(before | empty | ~core.loading | ~core.step)
    if load := core.transformed(ZeroedLoad):
        begins = load.zeroing & (core.count == core.count.init)
        m.d.comb += [
            Assert(before | load.old_bits_left(core)),
            Assert(before | ~empty | begins),
        ]
    present = steps.after(0)
    _compare(m, loaded, present, steps.after(width))
    for register in cipher.registers:
        if register.from_zero or not register.setup_only:
            m.d.comb += Assert(before | ~empty | (present[register.name] == 0))


def _without(beside: Collection[str], state: State) -> State:
    return {name: value for name, value in state.items() if name not in beside}


def _compare_beside(
    m: Module,
    core: SteppedCore,
    name: str,
    stepped: Signal,
    steps: Steps,
    output: tuple[Value, Value],
) -> None:
    """A register in `SteppedCipher.beside` follows the steps of the setup. Output that enters it is
    as late as the core's output."""
    cipher, radix = core.cipher, core.architecture.radix
    word, known = output
    following = steps.after(radix)[name]
    if core.facts.timeline.latency:
        register = core.state[name]
        entering = [
            cipher.beside[name](
                word[bit],
                lambda stage, bit=bit: register[stage + bit],
                **{control: core.controls(control, bit) for control in cipher.controls},
            )
            for bit in range(radix)
        ]
        following = Cat(register[radix:], *entering)
    in_setup = earlier(m, "in_setup", ~core.running & known)
    _compare(m, stepped & in_setup, core.state, {name: following})


def _compare(m: Module, moved: Value, present: State, following: State) -> None:
    """If ``moved`` holds in this cycle, the registers have the expected content in the next."""
    for name, value in following.items():
        m.d.comb += Assert(~moved | (as_word(present[name]) == earlier(m, name, as_word(value))))


def _either(condition: Value, chosen: State, otherwise: State) -> State:
    return {name: Mux(condition, chosen[name], otherwise[name]) for name in chosen}
