# SPDX-License-Identifier: Apache-2.0
"""A retimed core's registers and output in the description's form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import and_, xor

from amaranth.hdl import Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.algebra.polynomial import Monomial, Polynomial
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.timeline import retiming_of
from headwater.kinds.stepped.watch.phases import has_taken
from headwater.kinds.stepped.watch.reference import State, Steps, single_steps
from headwater.kinds.stepped.watch.sums import sums_are_right
from headwater.kinds.stepped.zeroed_load import ZeroedLoad


def plain_state(m: Module, core: SteppedCore) -> State:
    """The registers in the description's form. Registers that are decided early are one step late.
    A bit that was made ``j`` cycles ago still lacks the
    parts that enter later. These are terms of the state in which it was made, whose bits are ``j``
    radices lower now."""
    if core.early:
        return core.early.following
    if core.zeroed_load:
        return _without_old_bits(core, core.zeroed_load)
    if core.retimed is None:
        return core.state
    plain: dict[str, Signal] = {
        name: Signal(len(register), name=f"plain_{name}") for name, register in core.state.items()
    }
    for name, register in core.state.items():
        m.d.comb += plain[name].eq(_completed(core, name, register, plain))
    return plain


def _without_old_bits(core: SteppedCore, load: ZeroedLoad) -> State:
    """While zeros are shifted in, a bit that the load has not reached counts as zero."""
    plan = load.plan
    before = [load.zeroing & has_taken(core, range(words)) for words in range(1, plan.cycles + 1)]

    def plain(name: str, place: int) -> Value:
        cycles = plan.reached.get((name, place), plan.cycles)
        return core.state[name][place] & ~before[cycles - 1]

    return {
        name: Cat(plain(name, place) for place in range(len(register)))
        for name, register in core.state.items()
    }


def old_bits_left(core: SteppedCore, load: ZeroedLoad) -> Value:
    """Whether bits that were left by what they held before are zero, until the load reaches
    them."""
    plan, true = load.plan, Const(1, 1)
    for words in range(1, plan.cycles):
        bits = [core.state[name][place] for (name, place), cycles in plan.left.items()
                if cycles <= words < plan.reached.get((name, place), plan.cycles)]  # fmt: skip
        now = load.zeroing & has_taken(core, range(words, words + 1))
        true &= ~(now & Cat(*bits).any())
    return true


def _completed(
    core: SteppedCore, name: str, register: Signal, plain: Mapping[str, Value]
) -> Value:  # fmt: skip
    made = retiming_of(core.cipher, core.architecture)
    assert made is not None
    parts, radix = made.form.terms.get(name, {}), made.form.radix
    blocks: list[Value] = []
    deepest = max(parts, default=0) // radix
    for cycles in range(1, deepest + 1):
        first = len(register) - cycles * radix
        value: Value = register[first : first + radix]
        for depth, terms in parts.items():
            if depth >= cycles * radix:
                value = value ^ _lacking(core, terms, depth - cycles * radix, cycles, plain)
        blocks.insert(0, value)
    return Cat(register[: len(register) - deepest * radix], *blocks)


def _lacking(
    core: SteppedCore, terms: Polynomial, higher: int, cycles: int, plain: Mapping[str, Value]
) -> Value:
    """A part that bits made some cycles ago still lack. It is added once its operands have moved
    ``higher`` places down."""
    products = [_product(core, term, higher, cycles, plain) for term in terms.monomials]
    return reduce(xor, products, Const(0, core.architecture.radix))


def _product(
    core: SteppedCore, term: Monomial, higher: int, cycles: int, plain: Mapping[str, Value]
) -> Value:
    assert core.retimed is not None
    radix = core.architecture.radix
    factors: list[Value] = []
    controlled = False
    for name, place in sorted(term):
        if name in plain:
            factors.append(plain[name][place + higher : place + higher + radix])
        else:
            controlled = True
            factors.append(core.retimed.late[name, cycles].replicate(radix))
    if not controlled:
        factors.append((~core.retimed.fresh[cycles]).replicate(radix))
    return reduce(and_, factors)


def steps_of_cycle(m: Module, core: SteppedCore, cipher: SteppedCipher, count: int) -> Steps:
    """``count`` single steps from the core's state on, with the core's controls, while the bits of
    its load word enter. What was added a cycle ahead is taken to be right."""
    width = core.architecture.load_width // cipher.lane_count

    def entering(position: int) -> Value:
        if position >= width:
            return Const(0, cipher.lane_count)
        return Cat(core.load_word[lane * width + position] for lane in range(cipher.lane_count))

    m.d.comb += Assume(sums_are_right(core))
    return single_steps(m, cipher, plain_state(m, core), count, core.controls, entering)


def nothing_enters(core: SteppedCore) -> Value:
    """Whether the entering bits of this cycle are zero, where bits can enter."""
    return core.load_word == 0 if core.emptied else Const(1, 1)


def output_word(m: Module, core: SteppedCore, steps: Steps, ahead: int) -> tuple[Value, Value]:
    """The output word that a cycle makes, and whether its expected value is known. It belongs to
    the present state or, in a core with a pipeline, to the state some cycles ago: then these cycles
    must have been seen. Where output is kept for a cycle, it begins with the last outputs of the
    cycle before."""
    timeline = core.facts.timeline
    radix, surplus = timeline.steps_per_cycle, timeline.surplus_bits
    word: Value = Cat(*steps.outputs[ahead : radix if surplus else ahead + radix])
    known: Value = Const(1, 1)
    for cycle in range(timeline.latency):
        later = Signal(len(word), name=f"spec_output_{cycle}")
        seen = Signal(name=f"spec_seen_{cycle}")
        with m.If(core.enable):
            m.d.sync += [later.eq(word), seen.eq(known & ~core.loading)]
        with m.If(core.loading | core.abort | ResetSignal()):
            m.d.sync += seen.eq(0)
        word, known = later, seen
    if surplus:
        word = Cat(word, *steps.outputs[:ahead])
    return word, known


def offered_word(core: SteppedCore, made: Value) -> Value:
    """The output word of a running cycle: the one it makes, or the one that waits."""
    return Mux(core.step, made, core.hold) if core.facts.waits else made
