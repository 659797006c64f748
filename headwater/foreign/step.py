# SPDX-License-Identifier: Apache-2.0
"""A cycle of a core against the steps of the description, from any state under a map: at random
states, which names what is wrong, and by the solver, which leaves nothing out."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from amaranth.back import rtlil
from amaranth.hdl import Assert, Assume, Cat, Const, Instance, Module, Signal, Value

from headwater.errors import ToolError
from headwater.flow.folders import private_folder
from headwater.flow.sat import Check, Verdict, answers
from headwater.flow.trace import read_trace
from headwater.foreign.mapping import OUTPUT, Meaning, StateMap, Term
from headwater.foreign.netlist import Bit, Netlist
from headwater.foreign.search import RUNS
from headwater.kinds.stepped.runs import (
    Place,
    RunCipher,
    Runs,
    first_bit_first,
    is_of_bits,
    places,
)
from headwater.kinds.stepped.unrolled import Unrolled
from headwater.kinds.stepped.unrolling import unroll

_PINS = ("A", "B", "S")
_ONES = (1 << RUNS) - 1


@dataclass(frozen=True)
class Question:
    """What is compared: one cycle of a core in some of its control states."""

    netlist: Netlist
    cipher: RunCipher
    map: StateMap
    cycles: Sequence[int]
    """Cycles of the trace, whose control states and inputs are taken."""
    ports: Mapping[tuple[str, int], Term]
    """By output bit, what it gives."""
    nonzero: tuple[tuple[str, ...], ...] = ()
    """Registers that are not zero together: states in which they are do not count."""
    constant: Mapping[Place, int] = field(default_factory=dict)
    """Stages of the description that never change in these cycles, and what they hold."""

    pinned: tuple[Place, ...] = ()
    """Stages of the description that are the same in all runs and in no flip-flop: they are what
    they are in the cycle, and what becomes of them is not asked."""

    @property
    def radix(self) -> int:
        """Steps of a cycle."""
        return self.map.alignment.radix

    @property
    def first_step(self) -> int:
        """The first step that is made: that of the first of the cycles, or of the one before."""
        return max(0, self.map.alignment.step_at(self.cycles[0]) - self.earlier)

    @property
    def earlier(self) -> int:
        """Steps that are made before those of the cycle, where flip-flops are functions of the
        state before, or output is what the steps before it made."""
        held = {term for one in self.map.meanings.values() for term in one.terms}
        before = any(term[2] < 0 and term not in held for term in self.ports.values())
        return self.radix if self.map.derived or before else 0

    def held_at(self, cycle: int) -> list[int]:
        """What the pinned stages are in all runs before the steps of a cycle."""
        alignment = self.map.alignment
        state = alignment.model.states[max(0, alignment.step_at(cycle) - self.earlier)]
        return [state[place] for place in self.pinned]

    @property
    def furthest(self) -> int:
        """Steps that are made at most."""
        terms = [term for one in self.map.meanings.values() for term in one.terms]
        later = [later for _, _, later in (*terms, *self.ports.values())]
        return self.earlier + self.radix + max([0, *later]) + 1


@dataclass(frozen=True)
class Difference:
    """A bit that is wrong."""

    flop: int | None
    """None for an output."""
    what: str
    """Its meaning and its name in the core."""
    step: int
    """The step of the cycle in which it is made, counted from 1."""
    terms: frozenset[Term] = frozenset()


def by_simulation(question: Question, seed: int = 1, rounds: int = 4) -> list[Difference]:
    """What is wrong at random states, that of the earliest step first."""
    found: dict[str, Difference] = {}
    for number in range(rounds):
        cycle = question.cycles[number * (len(question.cycles) - 1) // max(1, rounds - 1)]
        source = random.Random(seed + number)
        for one in _wrong_at(question, cycle, lambda _name, _place=0: source.getrandbits(RUNS)):  # noqa: B023
            found.setdefault(one.what, one)
    return sorted(found.values(), key=_order)


def _order(one: Difference) -> tuple[bool, int, str]:
    return one.flop is None, one.step, one.what


def _wrong_at(question: Question, cycle: int, drawn: Callable[..., int]) -> list[Difference]:
    """What is wrong in a cycle, where ``drawn(name, place)`` is each bit that is free, as the
    checker names it."""
    netlist, cipher, state_map = question.netlist, question.cipher, question.map
    trace = state_map.alignment.trace
    step = max(0, state_map.alignment.step_at(cycle) - question.earlier)
    start = {
        place: drawn(f"state_{place[0]}", number) for place, number in _numbers(cipher).items()
    }
    start |= {place: _in_all(bit) for place, bit in question.constant.items()}
    start |= dict(zip(question.pinned, question.held_at(cycle), strict=True))
    runs = Runs(cipher, [0] * cipher.key_bits, [0] * cipher.iv_bits[-1], RUNS)
    runs.set_state(start, step)
    states, outputs = [], []
    for _ in range(question.furthest):
        states.append(runs.state())
        outputs.append(runs.step())
    before = {
        later: first_bit_first(
            cipher, [drawn(f"output_before_{-later - 1}", bit) for bit in range(cipher.word_bits)]
        )
        for later in range(-2 * question.radix - 1, 0)
    }

    def value(term: Term, moved: int) -> int:
        register, stage, later = term
        if register == OUTPUT:
            later += moved
            return (outputs if later >= 0 else before)[later][stage]
        return states[later + moved][register, stage]

    def of(meaning: Meaning, moved: int) -> int:
        total: int = meaning.of(lambda term: value(term, moved), lambda bit: _in_all(bit))
        return total

    def held(name: str, at: int, moved: int, derived: Mapping[int, int]) -> list[int]:
        """What the flip-flops hold, control as in a cycle of the trace."""
        control = set(state_map.control)
        return [
            of(state_map.meanings[flop], moved)
            if flop in state_map.meanings
            else trace.states[at][flop]
            if flop in control
            else derived[flop]
            if flop in derived
            else drawn(f"{name}_free_{flop}")
            for flop in range(len(netlist.q))
        ]

    def entering(name: str, at: int) -> list[int]:
        return [
            one if one in (0, _ONES) else drawn(f"{name}_input_{place}")
            for place, one in enumerate(trace.inputs[at])
        ]

    moved, derived = question.earlier, {}
    if state_map.derived:
        earlier, _ = netlist.cycle(
            held("earlier", cycle - 1, 0, {}), entering("earlier", cycle - 1), _ONES
        )
        derived = {flop: earlier[flop] for flop in state_map.derived}
    after, given = netlist.cycle(held("now", cycle, moved, derived), entering("now", cycle), _ONES)
    wrong = [
        Difference(
            flop,
            _named(netlist, flop, meaning),
            _entered(cipher, meaning, question.radix),
            meaning.terms,
        )
        for flop, meaning in state_map.meanings.items()
        if after[flop] != of(meaning, moved + question.radix)
    ]
    where = {bit: place for place, bit in enumerate(netlist.output_bits)}
    for (port, bit), term in question.ports.items():
        if given[where[port, bit]] != value(term, moved):
            shown = f"{port}[{bit}]" if netlist.ports[port][1] > 1 else port
            wrong.append(
                Difference(None, f"{_numbered(cipher, term)}, at {shown}", max(1, term[2] + 1))
            )
    return wrong


def _numbered(cipher: RunCipher, term: Term) -> str:
    """A bit of output, by its number in a cycle."""
    _, bit, later = term
    return f"keystream bit {later * cipher.word_bits + bit} of a cycle"


def _named(netlist: Netlist, flop: int, meaning: Meaning) -> str:
    return f"{meaning}, in {netlist.name(flop)}"


def _entered(cipher: RunCipher, meaning: Meaning, radix: int) -> int:
    """The step of a cycle in which what a flip-flop holds afterwards is made."""
    registers = {register.name: register for register in cipher.registers}
    shifted = is_of_bits(cipher)  # A register of a word is made as a whole.
    made = [
        radix + later - shifted * abs(stage - registers[name].newest)
        if name != OUTPUT
        else later + 1
        for name, stage, later in meaning.terms
    ]
    return max(1, min(made))


def counterexample(question: Question, time_limit_s: float) -> Mapping[str, int] | None:
    """A run in which a bit is wrong, as the solver names it; None if it proves that there is none,
    from any state, in any of the control states of the cycles, whatever key and IV are at the
    ports.

    Raises
    ------
    ToolError
        If the solver comes to no answer; `TookTooLongError` if it takes longer than the limit.
    """
    check = Check(_checker(question), 1)
    with private_folder() as folder:
        (answer,) = answers([check], folder, time_limit_s)
        if answer.verdict is Verdict.FAILS:
            return read_trace(folder / "witness0", folder / "asserted0.names")[0]
    if answer.verdict is Verdict.NO_RUN:
        raise ToolError(answer.verdict.value)
    return None


def first_wrong(question: Question, run: Mapping[str, int]) -> str:
    """The first bit of a cycle that is wrong in a run that the solver found.

    Raises
    ------
    ToolError
        If no bit is.
    """
    for cycle in question.cycles:
        wrong = _wrong_at(question, cycle, lambda name, place=0: _in_all(run.get(name, 0) >> place))
        if wrong and _is_at(question, cycle, run):
            return f"{min(wrong, key=_order).what}, from states that are rare"
    raise ToolError("a run that it found is none of the core")


def pinned(
    state_map: StateMap, cycles: Sequence[int], asked: Callable[[str], bool]
) -> tuple[Place, ...]:
    """State bits that are the same whatever key and IV are, and that no flip-flop is known to hold,
    such as the upper ones of a counter that a session does not reach; of those registers that are
    ``asked`` for."""
    alignment, held = state_map.alignment, state_map.places()
    states = [alignment.model.states[alignment.step_at(cycle)] for cycle in cycles]
    return tuple(
        place
        for place in states[0]
        if asked(place[0])
        and place not in held
        and all(state[place] in (0, _ONES) for state in states)
    )


def _is_at(question: Question, cycle: int, run: Mapping[str, int]) -> bool:
    """Whether control, and pinned stages, are in a run what they are in a cycle of the trace."""
    held = question.map.alignment.trace.states[cycle]
    number = _numbers(question.cipher)
    return all(
        run.get(f"now_control_{flop}", 0) == held[flop] & 1 for flop in question.map.control
    ) and all(
        run.get(f"state_{place[0]}", 0) >> number[place] & 1 == value & 1
        for place, value in zip(question.pinned, question.held_at(cycle), strict=True)
    )


def _in_all(bit: int) -> int:
    """The lowest bit of a number, in all runs."""
    return -(bit & 1) & _ONES


def _numbers(cipher: RunCipher) -> dict[Place, int]:
    """The place of each stage in the word of its register in hardware."""
    return {place: bit for stages in places(cipher).values() for bit, place in enumerate(stages)}


def _checker(question: Question) -> str:
    """The core's logic between flip-flops, beside as many single steps of the description."""
    netlist, cipher, state_map = question.netlist, question.cipher, question.map
    m, ports = Module(), []

    def free(name: str, width: int) -> Signal:
        signal = Signal(width, name=name)
        ports.append(signal)
        return signal

    words = {
        register.name: free(f"state_{register.name}", register.length)
        for register in cipher.registers
    }
    m.d.comb += [Assume(Cat(*(words[one] for one in group)).any()) for group in question.nonzero]
    made = _reference(m, question, words)
    before = [
        free(f"output_before_{step}", cipher.word_bits) for step in range(2 * question.radix + 1)
    ]
    number = _numbers(cipher)
    after = made.after(question.earlier + question.radix)
    for place, held in question.constant.items():
        m.d.comb += Assume(words[place[0]][number[place]] == held)
        m.d.comb += Assert(after[place[0]][number[place]] == held)
    pinned = [words[place[0]][number[place]] for place in question.pinned]

    def value(term: Term, moved: int) -> Value:
        register, stage, later = term
        step = later + moved
        if register == OUTPUT:
            word = made.outputs[step] if step >= 0 else before[-step - 1]
            return first_bit_first(cipher, word)[stage]
        return made.after(step)[register][number[register, stage]]

    def of(meaning: Meaning, moved: int) -> Value:
        return meaning.of(lambda term: value(term, moved), lambda bit: Const(bit, 1))

    def logic(name: str, moved: int, derived: Mapping[int, Value]) -> tuple[Signal, Signal]:
        """The core's logic in one cycle: what its flip-flops become, and its outputs."""
        control = {flop: free(f"{name}_control_{flop}", 1) for flop in state_map.control}
        q = [
            of(state_map.meanings[flop], moved)
            if flop in state_map.meanings
            else control[flop]
            if flop in control
            else derived[flop]
            if flop in derived
            else free(f"{name}_free_{flop}", 1)
            for flop in range(len(netlist.q))
        ]
        d = Signal(len(q), name=f"{name}_d")
        out = Signal(len(netlist.output_bits), name=f"{name}_out")
        entering = _inputs(question, lambda port, width: free(f"{name}_{port}", width))
        m.submodules[name] = Instance("core_logic", i_q=Cat(q), i_i=Cat(entering), o_d=d, o_y=out)
        m.d.comb += Assume(_observed(question, control, pinned))
        return d, out

    moved, derived = question.earlier, {}
    if state_map.derived:
        earlier, _ = logic("earlier", 0, {})
        derived = {flop: earlier[flop] for flop in state_map.derived}
    d, out = logic("now", moved, derived)
    where = {bit: place for place, bit in enumerate(netlist.output_bits)}
    for flop in state_map.meanings:
        m.d.comb += Assert(d[flop] == of(state_map.meanings[flop], moved + question.radix))
    for place in question.ports:
        expected = value(question.ports[place], moved)
        m.d.comb += Assert(out[where[place]] == expected)
    checker = rtlil.convert(m, name="checker", ports=ports, emit_src=False)
    return f"{logic_of(netlist, 'core_logic')}\n{checker}"


def _reference(m: Module, question: Question, words: Mapping[str, Signal]) -> Unrolled:
    cipher, first = question.cipher, question.first_step

    def controls(name: str, position: int) -> Value:
        return Const(int(cipher.control_at(name, first + position)), 1)

    return unroll(m, cipher, words, radix=question.furthest, at_once=1, controls=controls)


def _inputs(question: Question, free: Callable[[str, int], Signal]) -> list[Value]:
    """The inputs: what is the same in all runs and cycles is constant, anything else is free."""
    trace = question.map.alignment.trace
    entering: list[Value] = []
    for place in range(len(question.netlist.input_bits)):
        seen = {trace.inputs[cycle][place] for cycle in question.cycles}
        if seen in ({0}, {_ONES}):
            entering.append(Const(int(seen == {_ONES}), 1))
        else:
            entering.append(free(f"input_{place}", 1))
    return entering


def _observed(question: Question, control: Mapping[int, Signal], pinned: Sequence[Value]) -> Value:
    """Whether the control flip-flops, and pinned stages, hold together what they hold in one of the
    cycles."""
    trace = question.map.alignment.trace
    seen = {
        (
            *(trace.states[cycle][flop] & 1 for flop in control),
            *(one & 1 for one in question.held_at(cycle)),
        )
        for cycle in question.cycles
    }
    signals, example = [*control.values(), *pinned], next(iter(seen))
    steady = [place for place, bits in enumerate(zip(*seen, strict=True)) if len(set(bits)) == 1]
    moving = [place for place in range(len(signals)) if place not in set(steady)]
    fixed = (
        Cat(*(signals[place] == example[place] for place in steady)).all() if steady else Const(1)
    )
    if not moving:
        return fixed
    word = Cat(*(signals[place] for place in moving))
    values = {sum(bits[place] << n for n, place in enumerate(moving)) for bits in seen}
    return fixed & Cat(*(word == value for value in sorted(values))).any()


def logic_of(netlist: Netlist, module: str) -> str:
    """The core's gates as an RTLIL module, between its flip-flops: inputs q and i, outputs d and
    y."""
    widths = {
        "q": len(netlist.q),
        "i": len(netlist.input_bits),
        "d": len(netlist.d),
        "y": len(netlist.output_bits),
    }
    lines = [f"module \\{module}"]
    for place, (name, width) in enumerate(widths.items(), start=1):
        way = "input" if name in "qi" else "output"
        lines.append(f"  wire width {max(1, width)} {way} {place} \\{name}")
    nets: dict[Bit, str] = {"0": "1'0", "1": "1'1", "x": "1'0", "z": "1'0"}
    nets |= {bit: f"\\q [{place}]" for place, bit in enumerate(netlist.q)}
    for place, (port, bit) in enumerate(netlist.input_bits):
        nets.setdefault(netlist.bits(port)[bit], f"\\i [{place}]")
    for place, bit in enumerate(netlist.ordered):
        lines.append(f"  wire \\w{place}")
        nets[bit] = f"\\w{place}"
    for place, bit in enumerate(netlist.ordered):
        kind, pins = netlist.gate(bit)
        lines.append(f"  cell {kind} $g{place}")
        lines += [f"    connect \\{pin} {nets[pins[pin]]}" for pin in _PINS if pin in pins]
        lines += [f"    connect \\Y \\w{place}", "  end"]
    lines += [f"  connect \\d [{place}] {nets[bit]}" for place, bit in enumerate(netlist.d)]
    given = [netlist.bits(port)[bit] for port, bit in netlist.output_bits]
    lines += [f"  connect \\y [{place}] {nets[bit]}" for place, bit in enumerate(given)]
    return "\n".join([*lines, "end"])
