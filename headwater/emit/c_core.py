# SPDX-License-Identifier: Apache-2.0
"""One clock cycle of a core as a C function, from the circuit that its Verilog is printed from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from headwater.emit.c_expression import (
    LIMB,
    CExpressions,
    Signal,
    limb_parts,
    limbs_of,
    number,
)
from headwater.emit.c_statements import CStatements, local, wrapped
from headwater.emit.circuit import Circuit, FunctionBody
from headwater.emit.expression import (
    Expression,
    Joined,
    Name,
    Part,
    names_in,
    parts_of,
)
from headwater.emit.netlist import Memory
from headwater.emit.ordering import after_needs
from headwater.emit.updates import Branch, is_reset

_CLOCK = "clk"


class CCore:
    """Prints a circuit as C.

    Parameters
    ----------
    name
        What every symbol begins with.
    circuit
        The core.

    Members
    -------
    inputs, outputs : dict of str to int
        The ports and their widths, without the clock.
    registers : dict of str to int
        The registers and their widths.
    """

    def __init__(self, name: str, circuit: Circuit) -> None:
        self._name = name
        self._circuit = circuit
        netlist = circuit.netlist
        ports = circuit.wording.ports
        self.inputs = {
            port: len(netlist.inputs[port])
            for port in ports
            if port in netlist.inputs and port != _CLOCK
        }
        self.outputs = {
            port: len(netlist.outputs[port]) for port in ports if port in netlist.outputs
        }
        self.registers = {name: circuit.width(name) for name in circuit.registers}
        self._signals = {
            **{port: Signal(f"given->{port}", width) for port, width in self.inputs.items()},
            **{name: self._signal(name, f"state->{local(name)}") for name in circuit.registers},
            **{one.name: Signal(f"state->{local(one.name)}", one.bits) for one in circuit.memories},
            **{wire: self._signal(wire, local(wire)) for wire in circuit.wires},
            **{
                constant: Signal(f"{name}_{constant}", len(netlist.wires[constant]))
                for constant in circuit.wording.constants
            },
            **{
                value: Signal(f"{name}_{value}", width)
                for value, width, _ in circuit.named_values()
            },
        }
        self._print = CExpressions(name, self._signals, circuit.operators.tables)
        self._statements = CStatements(circuit.equations, self._signals, self._print)

    def _signal(self, name: str, text: str) -> Signal:
        names = self._circuit.names
        return Signal(text, self._circuit.width(name), names.lowest.get(name, 0))

    def structures(self) -> str:
        """Declarations of state, inputs and outputs."""
        parts = [
            ("state", "The registers of the core.", self.registers),
            ("inputs", "Its inputs in one clock cycle.", self.inputs),
            ("outputs", "Its outputs in one clock cycle.", self.outputs),
        ]
        lines = {kind: self._members(names) for kind, _, names in parts}
        lines["state"] += self._memories()
        return "\n\n".join(
            f"// {note}\ntypedef struct {{\n{lines[kind]}\n}} {self._name}_{kind};"
            for kind, note, _ in parts
        )

    def _members(self, widths: dict[str, int]) -> str:
        notes = self._circuit.wording.notes
        lines = []
        for name, width in widths.items():
            size = f"[{limbs_of(width)}]" if width > LIMB else ""
            bits = f"{width} bit{'s' * (width > 1)}"
            note = f"{bits}: {notes[name]}" if name in notes else bits
            lines.append(f"    uint64_t {local(name)}{size};  // {note}")
        return "\n".join(lines)

    def _memories(self) -> str:
        """The members that are memories. Each has a place for every address."""
        notes = self._circuit.wording.notes
        lines = []
        for one in self._circuit.memories:
            note = f"{one.words} words of {one.bits} bit{'s' * (one.bits > 1)}"
            note = f"{note}: {notes[one.name]}" if one.name in notes else note
            lines.append(f"\n    uint64_t {local(one.name)}[{1 << len(one.address)}];  // {note}")
        return "".join(lines)

    def definition(self) -> str:
        """The functions and tables of the core, and the cycle."""
        bodies = [
            *(self._function(body) for body in self._circuit.functions),
            [f"{_CYCLE.format(name=self._name)} {{", *self._cycle(), "}"],
        ]
        groups = [self._constants(), self._parity(), self._carry(bodies), *bodies]
        return "\n\n".join("\n".join(lines) for lines in groups if lines)

    def _constants(self) -> list[str]:
        lines = [
            f"static const uint64_t {self._name}_{name} = {number(value)};"
            for name, _, value in self._circuit.named_values()
        ]
        for name in self._circuit.constants_used():
            width, value = self._signals[name].width, self._circuit.wording.constants[name]
            limbs = [number(value >> low & (1 << bits) - 1) for low, bits in limb_parts(width)]
            start = f"static const uint64_t {self._name}_{name}"
            if width <= LIMB:
                lines.append(f"{start} = {limbs[0]};")
            else:
                lines += wrapped(f"{start}[{len(limbs)}] = {{{', '.join(limbs)}}};", "")
        return lines

    def _parity(self) -> list[str]:
        bodies = [self._circuit.equations, *(one.equations for one in self._circuit.functions)]
        cells = (cell.kind for one in bodies for cell in one.netlist.cells)
        return _PARITY.format(name=self._name).splitlines() if "$reduce_xor" in cells else []

    def _carry(self, bodies: list[list[str]]) -> list[str]:
        called = any(f"{self._name}_carry(" in line for body in bodies for line in body)
        return _CARRY.format(name=self._name).splitlines() if called else []

    def _function(self, body: FunctionBody) -> list[str]:
        """A function of the core."""
        names = body.equations.names
        signals = {name: Signal(local(name), len(names.words[name])) for name in body.wires}
        signals |= {name: Signal(local(name), width) for name, width in body.arguments.items()}
        printed = CExpressions(self._name, signals, {})
        arguments = ", ".join(f"uint64_t {local(name)}" for name in body.arguments)
        lines = [f"static uint64_t {self._name}_{body.name}({arguments}) {{"]
        for wire in body.wires:
            lines += _declared(printed, signals[wire], body.equations.definition(wire))
        return [*lines, *wrapped(f"return {printed.word(body.result).text};"), "}"]

    def _cycle(self) -> Iterator[str]:
        """The body of the cycle: wires, outputs, then the next state."""
        equations = self._circuit.equations
        yield from self._reset_at_once()
        for wire in self._circuit.wires:
            signal, value = self._signals[wire], equations.definition(wire)
            if wire in names_in(value):
                yield from self._gathered(wire, value)
            else:
                yield from _declared(self._print, signal, value)
        for port in self.outputs:
            for place in range(limbs_of(self.outputs[port])):
                target = Signal(f"out->{port}", self.outputs[port]).limb(place)
                yield f"    {target} = {self._signals[port].limb(place)};"
        yield f"    {self._name}_state next = *state;"
        for group in self._circuit.groups:
            yield from self._statements.written(group, "    ")
        for memory in self._circuit.memories:
            yield from self._stored(memory)
        yield "    *state = next;"

    def _stored(self, memory: Memory) -> Iterator[str]:
        """What a cycle writes into a memory."""
        enable, address, word = map(self._circuit.equations.word, memory.written)
        yield from wrapped(f"if ({self._print.condition(enable).text}) {{")
        target = f"next.{local(memory.name)}[{self._print.word(address).text}]"
        yield from wrapped(f"{target} = {self._print.word(word).text};", " " * 8)
        yield "    }"

    def _reset_at_once(self) -> Iterator[str]:
        """What a reset does that does not wait for the clock."""
        reset = self._circuit.reset_at_once
        if reset is None:
            return
        yield "    if (given->rst) {"
        for update in chain(*self._circuit.groups):
            if is_reset([update], reset):
                assert isinstance(update.tree, Branch)
                assert isinstance(update.tree.then, tuple)
                value = self._circuit.equations.word(update.tree.then)
                target = self._signals[update.register]
                yield from self._statements.bits(target, update.low, value, " " * 8)
        yield "    }"

    def _gathered(self, wire: str, value: Expression) -> Iterator[str]:
        """A wire with parts that read other parts of it: they are made in the order of need."""
        assert isinstance(value, Joined), f"no part of {wire} may read itself"
        signal, parts, low = self._signals[wire], [], 0
        for part in reversed(value.parts):
            parts.append((low, part))
            low += part.width
        order, circular = after_needs(
            parts,
            lambda one: [other for other in parts if _reads(one[1], signal, wire, *other)],
        )
        assert not circular, f"no part of {wire} may read itself"
        size = f"[{limbs_of(signal.width)}] = {{0}}" if signal.width > LIMB else " = 0"
        yield f"    uint64_t {signal.text}{size};"
        for low, part in order:
            yield from self._statements.bits(signal, low, part, "    ")


def _reads(value: Expression, signal: Signal, wire: str, low: int, part: Expression) -> bool:
    """Whether an expression reads bits of a part of a wire, which begins with bit ``low``."""
    own = [one for one in parts_of(value) if isinstance(one, Name | Part) and one.name == wire]
    read = [(one.low - signal.lowest if isinstance(one, Part) else 0, one.width) for one in own]
    return any(first < low + part.width and low < first + width for first, width in read)


def _declared(printed: CExpressions, signal: Signal, value: Expression) -> list[str]:
    """The declaration of a wire with its value."""
    if signal.width <= LIMB:
        return wrapped(f"const uint64_t {signal.text} = {printed.word(value).text};")
    limbs = ", ".join(term.text for term in printed.limbs(value))
    return wrapped(f"const uint64_t {signal.text}[{limbs_of(signal.width)}] = {{{limbs}}};")


_CYCLE = """\
void {name}_cycle({name}_state *restrict state, const {name}_inputs *restrict given,
                  {name}_outputs *restrict out)"""

_PARITY = """\
static uint64_t {name}_parity(uint64_t word) {{
    for (unsigned half = 32; half; half /= 2) word ^= word >> half;
    return word & 1;
}}"""

_CARRY = """\
static uint64_t {name}_carry(uint64_t a, uint64_t b, uint64_t carried) {{
    return ((a & b) | ((a | b) & ~(a + b + carried))) >> 63;
}}"""
