# SPDX-License-Identifier: Apache-2.0
"""A description's step read with Amaranth values, at any radix.

Shift registers are read through windows: up to the natural radix one evaluation is enough. Beyond
it, several follow each other, and their windows include bits that earlier ones made. Ciphers that
move whole registers are composed step by step. Every new word is a named signal: Amaranth
expressions are unshared trees, so a nested step would grow exponentially.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.cipher.register import Register
from headwater.core.function import FunctionNaming
from headwater.core.naming import named, staged
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.word_cipher import WordCipher

Controls = Callable[[str, int], Value]
"""Value of a control at a position of the unrolled steps."""


@dataclass(frozen=True)
class Unrolled:
    """Steps of a cipher as combinational logic."""

    outputs: Sequence[Value]
    """The output of each evaluation. The first begins ``ahead`` steps after the present state."""
    after: Callable[[int], Mapping[str, Value]]
    """Each register after n steps, for n up to the number of steps unrolled."""
    entered: Callable[[int], Mapping[str, Value]] | None = None
    """Each register after n steps of a load that has its own steps."""
    newest_first: bool = False
    """Whether the newest output is at the lowest bits of a word of output."""

    @property
    def output(self) -> Value:
        """All outputs as one word."""
        return Cat(*(reversed(self.outputs) if self.newest_first else self.outputs))


def no_controls(_name: str, _position: int) -> Value:
    """All controls zero: the running cipher."""
    return Const(0, 1)


def unroll(
    m: Module,
    cipher: SteppedCipher,
    state: Mapping[str, Value],
    *,
    radix: int,
    ahead: int = 0,
    load_steps: int = 0,
    controls: Controls = no_controls,
    entering: Callable[[int], Value] | None = None,
    constants: Mapping[str, Value] | None = None,
    at_once: int | None = None,
    whole: Collection[str] = (),
) -> Unrolled:
    """Add ``radix`` steps of ``cipher`` to ``m``, reading the registers in ``state``.

    The output is ``ahead`` steps later than the steps that move the state: so a core whose radix
    does not divide the blank steps still begins at keystream bit 0. Where a load takes steps, a
    load cycle takes ``load_steps``. ``entering(position)`` are the bits of all lanes that enter
    there, by default none; ``constants`` those of `constants_of`, where the circuit has them
    already. One evaluation makes ``at_once`` steps at most, by default as many as the cipher
    allows. Values called as in ``whole`` are kept, see `SteppedCipher.lut_sums`.
    """
    known = constants_of(cipher) if constants is None else constants
    match cipher:
        case ShiftRegisterCipher():
            widest = min(cipher.natural_radix, at_once or cipher.natural_radix)
            windows = _Windows(m, cipher, controls, widest, whole)
            return windows.unrolled(state, radix, ahead)
        case ClockedCipher():
            inputs = _Inputs(cipher, controls, entering, known)
            states, outputs = _running(m, cipher, state, max(radix + ahead, load_steps), inputs.at)
            return Unrolled(outputs[ahead : ahead + radix], states.__getitem__)
        case WordCipher():
            inputs = _Inputs(cipher, controls, entering, known)
            states, outputs = _running(m, cipher, state, radix, inputs.running)
            entered = _entered(m, cipher, state, load_steps, inputs)
            return Unrolled(
                outputs, states.__getitem__, entered.__getitem__, newest_first=True
            )  # fmt: skip
        case _:
            raise TypeError(f"{type(cipher).__name__} has no reading in hardware")


@dataclass(frozen=True)
class _Windows:
    """The steps of shift registers, of which one evaluation makes ``widest`` at most."""

    m: Module
    cipher: ShiftRegisterCipher
    controls: Controls
    widest: int
    whole: Collection[str]

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
        found = []
        # At a wide radix there are hundreds of parts, and thousands of windows.
        place = bisect_right(self._ends, first)
        while width and place < len(self._parts):
            part = self._parts[place]
            begin = first - self._ends[place] + len(part)
            taken = part[begin : min(len(part), begin + width)]
            found.append(taken)
            first, width, place = first + len(taken), width - len(taken), place + 1
        return found[0] if len(found) == 1 else Cat(*found)


def _rewriting(
    cipher: ShiftRegisterCipher, steps: int, controls: Controls
) -> dict[int, dict[str, Value]]:
    """The controls that may rewrite registers, by the position of the step."""
    found: dict[int, dict[str, Value]] = {}
    for position in range(steps):
        for control in cipher.rewrites:
            value = controls(control, position)
            if not isinstance(value, Const):
                found.setdefault(position, {})[control] = value
    return found


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
        self, of: _Windows, lines: Mapping[str, _Line], start: int, width: int, suffix: str
    ) -> None:
        self._width = width
        self._wire = FunctionNaming(of.m, suffix, of.whole)
        registers = of.cipher.registers
        windows = [self._window(lines[register.name], register, start) for register in registers]
        wide = {
            name: Cat(*(of.controls(name, start + place) for place in range(width)))
            for name in of.cipher.controls
        }
        self.output, self._feedback = of.cipher.step(self._wire, *windows, **wide)

    def new_bits(self, name: str) -> Signal:
        """The bits that enter register ``name`` in these steps."""
        return self._wire(self._feedback[name], f"{name}_in")

    def _window(self, line: _Line, register: Register, start: int) -> Callable[[int], Value]:
        return lambda stage: line.window(register.position(stage) + start, self._width)


def constants_of(cipher: SteppedCipher) -> dict[str, Signal]:
    """The named constants of a description, as signals with initial values and no driver."""
    if not isinstance(cipher, ClockedCipher | WordCipher):
        return {}
    return {
        name: Signal(word.width, name=name.upper(), init=word.value)
        for name, word in cipher.constants.items()
    }


@dataclass(frozen=True)
class _Inputs:
    """The operands of a step other than the registers, at each position."""

    cipher: ClockedCipher | WordCipher
    controls: Controls
    entering: Callable[[int], Value] | None
    constants: Mapping[str, Value]

    def at(self, position: int) -> dict[str, Value]:
        none = Const(0, self.cipher.lane_count)
        return {
            "entering": self.entering(position) if self.entering else none,
            **self.running(position),
        }

    def running(self, position: int) -> dict[str, Value]:
        """The operands where nothing can enter."""
        return {
            **{name: self.controls(name, position) for name in self.cipher.controls},
            **self.constants,
        }


def _running(
    m: Module,
    cipher: ClockedCipher | WordCipher,
    state: Mapping[str, Value],
    count: int,
    operands: Callable[[int], dict[str, Value]],
) -> tuple[list[dict[str, Value]], list[Value]]:
    """The registers after 0, 1, ... ``count`` running steps, and the output of each step."""
    names = [register.name for register in cipher.registers]
    states, outputs = [dict(state)], []
    for position in range(count):
        suffix = f"_{position}" if count > 1 else ""
        present = [states[-1][name] for name in names]
        output, after = cipher.step(FunctionNaming(m, suffix), *present, **operands(position))
        outputs.append(output)
        # Signals of words are in the order of the registers, others in the order of the step.
        order = names if isinstance(cipher, WordCipher) else list(after)
        states.append({name: staged(m, f"{name}_next{suffix}", after[name]) for name in order})
    return states, outputs


def _entered(
    m: Module, cipher: WordCipher, state: Mapping[str, Value], count: int, inputs: _Inputs
) -> list[dict[str, Value]]:
    """The registers after 0, 1, ... ``count`` steps of a load that has its own steps."""
    names = [register.name for register in cipher.registers]
    entered = [dict(state)]
    for position in range(count):
        suffix = f"_entering_{position}" if count > 1 else "_entering"
        present = [entered[-1][name] for name in names]
        after = cipher.load.enter(FunctionNaming(m, suffix), *present, **inputs.at(position))
        entered.append({name: staged(m, f"{name}{suffix}", after[name]) for name in names})
    return entered
