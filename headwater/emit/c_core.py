# SPDX-License-Identifier: Apache-2.0
"""One clock cycle of a core as a C function, from the circuit that its Verilog is printed from."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import chain

from headwater.emit.c_expression import (
    LIMB,
    CExpressions,
    Signal,
    limb_parts,
    limbs_of,
    number,
)
from headwater.emit.circuit import Circuit, FunctionBody
from headwater.emit.expression import (
    Expression,
    Joined,
    Name,
    Part,
    as_condition,
    inverted,
    names_in,
    parts_of,
)
from headwater.emit.layout import LINE_LENGTH
from headwater.emit.ordering import after_needs
from headwater.emit.statements import Pending
from headwater.emit.updates import Branch, Condition, is_reset

_WORDS_OF_C = """
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while state given out next uint64_t
"""
"""Names that a wire must not have: keywords, and the variables of the function."""

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
    """

    def __init__(self, name: str, circuit: Circuit) -> None:
        self._name = name
        self._circuit = circuit
        netlist = circuit.netlist
        ports = circuit.wording.ports
        self.inputs = {port: len(netlist.inputs[port]) for port in ports
                       if port in netlist.inputs and port != _CLOCK}  # fmt: skip
        self.outputs = {port: len(netlist.outputs[port]) for port in ports
                        if port in netlist.outputs}  # fmt: skip
        self._signals = {
            **{port: Signal(f"given->{port}", width) for port, width in self.inputs.items()},
            **{name: self._signal(name, f"state->{local(name)}") for name in circuit.registers},
            **{wire: self._signal(wire, local(wire)) for wire in circuit.wires},
            **{constant: Signal(f"{name}_{constant}", len(netlist.wires[constant]))
               for constant in circuit.wording.constants},
            **{value: Signal(f"{name}_{value}", width)
               for value, width, _ in circuit.named_values()},
        }  # fmt: skip
        self._print = CExpressions(name, self._signals, circuit.operators.tables)

    def _signal(self, name: str, text: str) -> Signal:
        names = self._circuit.names
        return Signal(text, self._circuit.width(name), names.lowest.get(name, 0))

    def structures(self) -> str:
        """Declarations of state, inputs and outputs."""
        registers = {name: self._circuit.width(name) for name in self._circuit.registers}
        parts = [
            ("state", "The registers of the core.", registers),
            ("inputs", "Its inputs in one clock cycle.", self.inputs),
            ("outputs", "Its outputs in one clock cycle.", self.outputs),
        ]
        return "\n\n".join(
            f"// {note}\ntypedef struct {{\n{self._members(names)}\n}} {self._name}_{kind};"
            for kind, note, names in parts
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

    def definition(self) -> str:
        """The functions and tables of the core, and the cycle."""
        groups = [self._constants(), self._parity(),
                  *(self._function(body) for body in self._circuit.functions),
                  [f"{_CYCLE.format(name=self._name)} {{", *self._cycle(), "}"]]  # fmt: skip
        return "\n\n".join("\n".join(lines) for lines in groups if lines)

    def _constants(self) -> list[str]:
        lines = [f"static const uint64_t {self._name}_{name} = {number(value)};"
                 for name, _, value in self._circuit.named_values()]  # fmt: skip
        for name in self._circuit.constants_used():
            width, value = self._signals[name].width, self._circuit.wording.constants[name]
            limbs = [number(value >> low & (1 << bits) - 1) for low, bits in limb_parts(width)]
            start = f"static const uint64_t {self._name}_{name}"
            if width <= LIMB:
                lines.append(f"{start} = {limbs[0]};")
            else:
                lines += _wrapped(f"{start}[{len(limbs)}] = {{{', '.join(limbs)}}};", "")
        return lines

    def _parity(self) -> list[str]:
        bodies = [self._circuit.equations, *(one.equations for one in self._circuit.functions)]
        cells = (cell.kind for one in bodies for cell in one.netlist.cells)
        return _PARITY.format(name=self._name).splitlines() if "$reduce_xor" in cells else []

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
        return [*lines, *_wrapped(f"return {printed.word(body.result).text};"), "}"]

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
            yield from self._statements([(update, update.tree) for update in group], "    ")
        yield "    *state = next;"

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
                yield from self._assigned(target, update.low, value, " " * 8)
        yield "    }"

    def _statements(self, pending: Pending, indent: str) -> Iterator[str]:
        if isinstance(pending[0][1], Branch):
            yield from self._branch(pending, indent, "if")
            return
        for update, word in pending:
            assert isinstance(word, tuple)
            target = Signal(f"next.{local(update.register)}",
                            self._signals[update.register].width)  # fmt: skip
            value = self._circuit.equations.word(word)
            yield from self._assigned(target, update.low, value, indent)

    def _branch(self, pending: Pending, indent: str, start: str) -> Iterator[str]:
        branches = [(update, tree) for update, tree in pending if isinstance(tree, Branch)]
        condition = self._condition(branches[0][1].conditions)
        yield from _wrapped(f"{start} ({condition}) {{", indent)
        yield from self._statements([(update, tree.then) for update, tree in branches],
                                    indent + "    ")  # fmt: skip
        others = [(update, tree.otherwise) for update, tree in branches]
        if isinstance(others[0][1], Branch):
            yield from self._branch(others, indent, "} else if")
            return
        if others[0][1] is not None:
            yield f"{indent}}} else {{"
            yield from self._statements(others, indent + "    ")
        yield f"{indent}}}"

    def _condition(self, groups: Iterable[Iterable[Condition]]) -> str:
        alternatives = [[self._bit(condition) for condition in group] for group in groups]
        texts = [" || ".join(group) for group in alternatives]
        if len(texts) == 1:
            return texts[0]
        return " && ".join(f"({text})" if len(group) > 1 else text
                           for text, group in zip(texts, alternatives, strict=True))  # fmt: skip

    def _bit(self, condition: Condition) -> str:
        bit = self._circuit.equations.word((condition.bit,))
        value = as_condition(inverted(bit) if condition.inverted else bit)
        return self._print.condition(value).inside("if")

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
            yield from self._assigned(signal, low, part, "    ")

    def _assigned(self, target: Signal, low: int, value: Expression, indent: str) -> Iterator[str]:
        """The statements that give the bits of a target from ``low`` on a value."""
        for limb, (begins, width) in enumerate(limb_parts(target.width)):
            first, last = max(begins, low), min(begins + width, low + value.width)
            if first >= last:
                continue
            term = self._print.limb(value, first - low, last - first)
            text, place = target.limb(limb), first - begins
            if last - first < width:
                kept = number((1 << width) - 1 ^ (1 << last - first) - 1 << place)
                moved = f"(({term.text}) << {place})" if place else term.inside("|")
                yield from _wrapped(f"{text} = ({text} & {kept}) | {moved};", indent)
            else:
                yield from _wrapped(f"{text} = {term.text};", indent)


def _reads(value: Expression, signal: Signal, wire: str, low: int, part: Expression) -> bool:
    """Whether an expression reads bits of a part of a wire, which begins with bit ``low``."""
    own = [one for one in parts_of(value) if isinstance(one, Name | Part) and one.name == wire]
    read = [(one.low - signal.lowest if isinstance(one, Part) else 0, one.width) for one in own]
    return any(first < low + part.width and low < first + width for first, width in read)


def local(name: str) -> str:
    """The variable of a wire, or the member of a register."""
    return f"{name}_" if name in _WORDS_OF_C.split() else name


def _declared(printed: CExpressions, signal: Signal, value: Expression) -> list[str]:
    """The declaration of a wire with its value."""
    if signal.width <= LIMB:
        return _wrapped(f"const uint64_t {signal.text} = {printed.word(value).text};")
    limbs = ", ".join(term.text for term in printed.limbs(value))
    return _wrapped(f"const uint64_t {signal.text}[{limbs_of(signal.width)}] = {{{limbs}}};")


def _wrapped(statement: str, indent: str = "    ") -> list[str]:
    """A statement in lines that are not too long."""
    return textwrap.wrap(statement, LINE_LENGTH, initial_indent=indent,
                         subsequent_indent=indent + "    ", break_long_words=False,
                         break_on_hyphens=False)  # fmt: skip


_CYCLE = """\
void {name}_cycle({name}_state *restrict state, const {name}_inputs *restrict given,
                  {name}_outputs *restrict out)"""

_PARITY = """\
static uint64_t {name}_parity(uint64_t word) {{
    for (unsigned half = 32; half; half /= 2) word ^= word >> half;
    return word & 1;
}}"""
