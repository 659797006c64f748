# SPDX-License-Identifier: Apache-2.0
"""The steps of shift registers, read through windows.

Up to the natural radix one evaluation is enough. Beyond it, several follow each other, and their
windows include bits that earlier ones made.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, chain

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.cipher.register import Register
from headwater.core.naming import named
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.sums import SumNaming, Sums
from headwater.kinds.stepped.unrolled import Controls, Unrolled


@dataclass(frozen=True)
class Windows:
    """The steps of shift registers, of which one evaluation makes ``widest`` at most. Values called
    as in ``whole`` are kept."""

    m: Module
    cipher: ShiftRegisterCipher
    controls: Controls
    widest: int
    whole: Collection[str]
    sums: Sums

    def unrolled(self, state: Mapping[str, Value], radix: int, ahead: int) -> Unrolled:
        """``radix`` steps from ``state`` on, and the output ``ahead`` steps later."""
        steps = max(radix, radix + ahead - self.cipher.output_lookahead)
        lines = {name: _Line(register) for name, register in state.items()}
        outputs, before = [], list[tuple[int, Mapping[str, _Line]]]()
        rewriting = _rewriting(self.cipher, radix, self.controls)
        # Steps that only the output needs have no controls.
        moving = _chunks(0, radix, self.widest, begins=rewriting)
        further = _chunks(radix, steps - radix, self.widest, "_further")
        for start, width, suffix in chain(moving, further):
            if start in rewriting:
                before.append((start, lines))
            for control, value in rewriting.get(start, {}).items():
                lines = _rewritten(self.m, self.cipher, lines, start, control, value, suffix)
            reading = _Reading(self, lines, start, width, suffix)
            lines = {name: line.followed_by(reading.new_bits(name)) for name, line in lines.items()}
            outputs.append(reading.output)
        if ahead:
            outputs = [
                _Reading(self, lines, start, width, suffix).output
                for start, width, suffix in _chunks(ahead, radix, self.widest, "_ahead")
            ]

        def after(count: int) -> Mapping[str, Value]:
            # A rewriting counts for the steps behind it only.
            then = next((earlier for start, earlier in before if count <= start), lines)
            return {
                register.name: then[register.name].window(count, register.length)
                for register in self.cipher.registers
            }

        return Unrolled(outputs, after)


class _Line:
    """A register followed by its new bits, as one value, the oldest bit first."""

    def __init__(self, *parts: Value) -> None:
        self._parts = list(parts)
        self._ends = list(accumulate(map(len, parts)))

    def followed_by(self, newer: Value) -> _Line:
        """The line with more bits."""
        line = _Line()
        line._parts = [*self._parts, newer]
        line._ends = [*self._ends, self._ends[-1] + len(newer)]
        return line

    def from_place(self, place: int, content: Value) -> _Line:
        """The line with other content from a place to its end."""
        return _Line(self.window(0, place), content)

    def window(self, first: int, width: int) -> Value:
        """``width`` bits from a place on."""
        parts = []
        # At a wide radix there are hundreds of parts, and thousands of windows.
        place = bisect_right(self._ends, first)
        while width and place < len(self._parts):
            part = self._parts[place]
            begin = first - self._ends[place] + len(part)
            taken = part[begin : min(len(part), begin + width)]
            parts.append(taken)
            first, width, place = first + len(taken), width - len(taken), place + 1
        return parts[0] if len(parts) == 1 else Cat(*parts)


def _rewriting(
    cipher: ShiftRegisterCipher, steps: int, controls: Controls
) -> dict[int, dict[str, Value]]:
    """The controls that may rewrite registers, by the position of the step."""
    rewritten: dict[int, dict[str, Value]] = {}
    for position in range(steps):
        for control in cipher.rewrites:
            value = controls(control, position)
            if not isinstance(value, Const):
                rewritten.setdefault(position, {})[control] = value
    return rewritten


def _rewritten(
    m: Module,
    cipher: ShiftRegisterCipher,
    lines: Mapping[str, _Line],
    start: int,
    control: str,
    value: Value,
    suffix: str,
) -> dict[str, _Line]:
    """The lines, with registers rewritten at a position where a control is one."""
    present = {
        register.name: lines[register.name].window(start, register.length)
        for register in cipher.registers
    }
    rewritten = {
        name: named(m, f"{name}_after_{control}{suffix}", Mux(value, changed, present[name]))
        for name, changed in cipher.rewritten(control, present).items()
    }
    return {
        name: line.from_place(start, rewritten[name]) if name in rewritten else line
        for name, line in lines.items()
    }


def _chunks(
    start: int, steps: int, widest: int, name: str = "", begins: Collection[int] = ()
) -> Iterator[tuple[int, int, str]]:
    """Consecutive runs of at most ``widest`` steps, which also begin at given steps: first step,
    number of steps, name suffix."""
    ends = [*sorted(set(begins) - {start}), start + steps]
    spans: list[tuple[int, int]] = []
    for end in ends:
        steps = end - start
        count = -(-steps // widest)
        for index in range(count):
            width = steps // count + (index < steps % count)
            spans.append((start, width))
            start += width
    for index, (first, width) in enumerate(spans):
        yield first, width, name + (f"_{index}" if len(spans) > 1 else "")


class _Reading:
    """One evaluation of the step: ``width`` steps from step ``start``. Its registers hold the bits
    made before at their newer end."""

    def __init__(
        self, of: Windows, lines: Mapping[str, _Line], start: int, width: int, suffix: str
    ) -> None:
        self._width = width
        windows = {
            register.name: self._window(lines[register.name], register, start)
            for register in of.cipher.registers
        }
        wide = {
            name: Cat(*(of.controls(name, start + place) for place in range(width)))
            for name in of.cipher.controls
        }

        def window(name: str, stage: int) -> Value:
            return windows[name](stage) if name in windows else wide[name]

        self._wire = SumNaming(of.m, suffix, of.whole, of.sums, window, width)
        self.output, self._feedback = of.cipher.step(self._wire, *windows.values(), **wide)

    def new_bits(self, name: str) -> Signal:
        """The bits that enter register ``name`` in these steps."""
        return self._wire(self._feedback[name], f"{name}_in")

    def _window(self, line: _Line, register: Register, start: int) -> Callable[[int], Value]:
        return lambda stage: line.window(register.position(stage) + start, self._width)
