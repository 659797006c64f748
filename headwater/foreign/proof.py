# SPDX-License-Identifier: Apache-2.0
"""A cycle of a core against the steps of the description, from any state under a map, by the
solver: it leaves nothing out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from amaranth.back import rtlil
from amaranth.hdl import Assert, Assume, Cat, Const, Instance, Module, Signal, Value

from headwater.errors import ToolError
from headwater.flow.folders import private_folder
from headwater.flow.sat import Check, Verdict, answers
from headwater.flow.trace import read_trace
from headwater.foreign.meanings import OUTPUT, Meaning, Term
from headwater.foreign.netlist import Bit, Netlist
from headwater.foreign.question import Question
from headwater.foreign.search import RUNS
from headwater.kinds.stepped.runs import Place, first_bit_first, numbers
from headwater.kinds.stepped.unrolled import Unrolled
from headwater.kinds.stepped.unrolling import unroll

_PINS = ("A", "B", "S")
_ONES = (1 << RUNS) - 1


def counterexample(question: Question, time_limit_s: float) -> Mapping[str, int] | None:
    """A run in which a bit is wrong, as the solver names it; None if it proves that there is none,
    from any state, in any of the control states of the cycles, whatever key and IV are at the
    ports.

    Raises
    ------
    ToolError
        If the solver comes to no answer; `TookTooLongError` if it takes longer than the limit.
    """
    check = Check(_Checker(question).text(), 1)
    with private_folder() as folder:
        (answer,) = answers([check], folder, time_limit_s)
        if answer.verdict is Verdict.FAILS:
            return read_trace(folder / "witness0", folder / "asserted0.names")[0]
    if answer.verdict is Verdict.NO_RUN:
        raise ToolError(answer.verdict.value)
    return None


@dataclass
class _Checker:
    """The core's logic between flip-flops, beside as many single steps of the description."""

    question: Question
    _m: Module = field(default_factory=Module)
    _ports: list[Signal] = field(default_factory=list)

    def text(self) -> str:
        """Both, with what must hold, as RTLIL."""
        question, m = self.question, self._m
        self._assume()
        moved, derived = question.earlier, {}
        if question.map.derived:
            earlier, _ = self._logic("earlier", 0, {})
            derived = {flop: earlier[flop] for flop in question.map.derived}
        d, out = self._logic("now", moved, derived)
        where = {bit: place for place, bit in enumerate(question.netlist.output_bits)}
        for flop, meaning in question.map.meanings.items():
            m.d.comb += Assert(d[flop] == self._of(meaning, moved + question.radix))
        for place, term in question.ports.items():
            m.d.comb += Assert(out[where[place]] == self._value(term, moved))
        checker = rtlil.convert(m, name="checker", ports=self._ports, emit_src=False)
        return f"{logic_of(question.netlist, 'core_logic')}\n{checker}"

    def _free(self, name: str, width: int) -> Signal:
        signal = Signal(width, name=name)
        self._ports.append(signal)
        return signal

    @cached_property
    def _words(self) -> dict[str, Signal]:
        """The registers of the description before its steps."""
        registers = self.question.cipher.registers
        return {one.name: self._free(f"state_{one.name}", one.length) for one in registers}

    @cached_property
    def _before(self) -> list[Signal]:
        """Output of earlier steps, the last one first."""
        width = self.question.cipher.word_bits
        steps = range(2 * self.question.radix + 1)
        return [self._free(f"output_before_{step}", width) for step in steps]

    @cached_property
    def _number(self) -> dict[Place, int]:
        return numbers(self.question.cipher)

    @cached_property
    def _made(self) -> Unrolled:
        """The steps of the description."""
        cipher, first = self.question.cipher, self.question.first_step

        def controls(name: str, position: int) -> Value:
            return Const(int(cipher.control_at(name, first + position)), 1)

        radix = self.question.furthest
        return unroll(self._m, cipher, self._words, radix=radix, at_once=1, controls=controls)

    def _assume(self) -> None:
        """Registers that are not zero, and stages that never change."""
        question, comb = self.question, self._m.d.comb
        for group in question.nonzero:
            comb += Assume(Cat(*(self._words[one] for one in group)).any())
        after = self._made.after(question.earlier + question.radix)
        for (name, stage), held in question.constant.items():
            number = self._number[name, stage]
            comb += Assume(self._words[name][number] == held)
            comb += Assert(after[name][number] == held)

    def _value(self, term: Term, moved: int) -> Value:
        register, stage, later = term
        step = later + moved
        if register == OUTPUT:
            word = self._made.outputs[step] if step >= 0 else self._before[-step - 1]
            return first_bit_first(self.question.cipher, word)[stage]
        return self._made.after(step)[register][self._number[register, stage]]

    def _of(self, meaning: Meaning, moved: int) -> Value:
        return meaning.of(lambda term: self._value(term, moved), lambda bit: Const(bit, 1))

    def _logic(self, name: str, moved: int, derived: Mapping[int, Value]) -> tuple[Signal, Signal]:
        """The core's logic in one cycle: what its flip-flops become, and its outputs."""
        netlist, state_map = self.question.netlist, self.question.map
        control = {flop: self._free(f"{name}_control_{flop}", 1) for flop in state_map.control}
        q = [
            self._of(state_map.meanings[flop], moved)
            if flop in state_map.meanings
            else control[flop]
            if flop in control
            else derived[flop]
            if flop in derived
            else self._free(f"{name}_free_{flop}", 1)
            for flop in range(len(netlist.q))
        ]
        d = Signal(len(q), name=f"{name}_d")
        out = Signal(len(netlist.output_bits), name=f"{name}_out")
        i = Cat(self._inputs(name))
        self._m.submodules[name] = Instance("core_logic", i_q=Cat(q), i_i=i, o_d=d, o_y=out)
        pinned = [self._words[one][self._number[one, stage]] for one, stage in self.question.pinned]
        self._m.d.comb += Assume(_observed(self.question, control, pinned))
        return d, out

    def _inputs(self, name: str) -> list[Value]:
        """The inputs: what is the same in all runs and cycles is constant, anything else is
        free."""
        trace = self.question.map.alignment.trace
        entering: list[Value] = []
        for place in range(len(self.question.netlist.input_bits)):
            seen = {trace.inputs[cycle][place] for cycle in self.question.cycles}
            if seen in ({0}, {_ONES}):
                entering.append(Const(int(seen == {_ONES}), 1))
            else:
                entering.append(self._free(f"{name}_input_{place}", 1))
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
    outputs = [netlist.bits(port)[bit] for port, bit in netlist.output_bits]
    lines += [f"  connect \\y [{place}] {nets[bit]}" for place, bit in enumerate(outputs)]
    return "\n".join([*lines, "end"])
