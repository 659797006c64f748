# SPDX-License-Identifier: Apache-2.0
"""A description's step read with Amaranth values, at any radix.

Up to the natural radix one reading with wide windows does it. Beyond, readings follow each other
and their windows reach into the bits that earlier ones made. Every new word is a named signal:
Amaranth expressions are unshared trees, so a step nested in itself would grow exponentially.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from amaranth.hdl import Cat, Module, Signal, Value

from headwater.cipher.description import Register, ShiftRegisterCipher


@dataclass(frozen=True)
class Unrolled:
    """``radix`` steps of a cipher as combinational logic.

    Members
    -------
    output : Value
        The ``radix`` output bits that begin ``ahead`` steps after the present state, oldest first.
    state : mapping of Value
        Each register after ``radix`` steps.
    """

    output: Value
    state: Mapping[str, Value]


def unroll(
    m: Module,
    cipher: ShiftRegisterCipher,
    state: Mapping[str, Value],
    *,
    radix: int,
    ahead: int = 0,
) -> Unrolled:
    """Add ``radix`` steps of ``cipher`` to ``m``, reading the registers in ``state``.

    With ``ahead`` the output is that of later steps than the ones that move the state: so a core
    whose radix does not divide the blank steps still begins at keystream bit 0.
    """
    steps = max(radix, radix + ahead - cipher.output_lookahead)
    lines = dict(state)
    outputs = []
    for start, width, suffix in _chunks(0, steps, cipher.natural_radix):
        reading = _Reading(m, cipher, lines, start, width, suffix)
        lines = {name: Cat(line, reading.new_bits(name)) for name, line in lines.items()}
        outputs.append(reading.output)
    if ahead:
        outputs = [
            _Reading(m, cipher, lines, start, width, f"_ahead{suffix}").output
            for start, width, suffix in _chunks(ahead, radix, cipher.natural_radix)
        ]
    moved = {
        register.name: lines[register.name][radix : radix + register.length]
        for register in cipher.registers
    }
    return Unrolled(Cat(*outputs), moved)


def _chunks(start: int, steps: int, widest: int) -> Iterator[tuple[int, int, str]]:
    """Consecutive runs of at most ``widest`` steps: first step, number of steps, name suffix."""
    count = -(-steps // widest)
    for index in range(count):
        width = steps // count + (index < steps % count)
        yield start, width, f"_{index}" if count > 1 else ""
        start += width


class _Reading:
    """One reading of the step: ``width`` steps from step ``start``, on registers that hold the
    bits made before it at their newer end."""

    def __init__(
        self,
        m: Module,
        cipher: ShiftRegisterCipher,
        lines: Mapping[str, Value],
        start: int,
        width: int,
        suffix: str,
    ) -> None:
        self._m = m
        self._width = width
        self._suffix = suffix
        windows = [
            self._window(lines[register.name], register, start) for register in cipher.registers
        ]
        self.output, self._feedback = cipher.step(self._wire, *windows)

    def new_bits(self, name: str) -> Signal:
        """What enters register ``name`` in these steps."""
        return self._name(f"{name}_in", self._feedback[name])

    def _window(self, line: Value, register: Register, start: int) -> Callable[[int], Value]:
        def window(stage: int) -> Value:
            first = register.position(stage) + start
            return line[first : first + self._width]

        return window

    def _wire(self, value: Value) -> Value:
        """Name a value after the variable that the description assigns it to."""
        variable = Signal(src_loc_at=1).name
        return self._name(variable, value)

    def _name(self, name: str, value: Value) -> Signal:
        signal = Signal(len(value), name=name + self._suffix)
        self._m.d.comb += signal.eq(value)
        return signal
