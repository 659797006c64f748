# SPDX-License-Identifier: Apache-2.0
"""What a description consists of, and what can be derived from it without building anything."""

from __future__ import annotations

import hashlib
import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from headwater.algebra import bitstring
from headwater.algebra.bitstring import BitOrder
from headwater.algebra.gates import GateCounter
from headwater.algebra.polynomial import Polynomial
from headwater.errors import InputError

Bits = Any
"""Whatever a description is being read with: integers, Amaranth values, symbols."""

Window = Callable[[int], Bits]
"""A register as a step sees it: called with a stage number, it gives that stage's bits."""


@dataclass(frozen=True)
class Register:
    """A shift register, in the stage numbers of its paper.

    Parameters
    ----------
    name
        Its name in the step function, in the Verilog and in reports.
    newest, oldest
        Numbers of the stage where new bits enter and of the stage where they leave.
    """

    name: str
    newest: int
    oldest: int

    @property
    def length(self) -> int:
        """Number of stages."""
        return abs(self.newest - self.oldest) + 1

    def position(self, stage: int) -> int:
        """Distance of a stage from the oldest one: its bit number in integers and in Verilog."""
        if not min(self.newest, self.oldest) <= stage <= max(self.newest, self.oldest):
            raise ValueError(
                f"Stage of register {self.name} must lie between {self.newest} and {self.oldest}, "
                f"not {stage!r}"
            )
        return abs(stage - self.oldest)

    def oldest_first(self, stages: Sequence[Any]) -> list[Any]:
        """Contents given in ascending stage number, put in order of bit number."""
        if len(stages) != self.length:
            raise ValueError(
                f"Register {self.name} must be loaded with {self.length} bits, not {len(stages)}"
            )
        return list(reversed(stages)) if self.newest < self.oldest else list(stages)


@dataclass(frozen=True)
class ShiftRegisterCipher:
    """A synchronous stream cipher made of shift registers that all move one place per clock.

    Parameters
    ----------
    name, title
        Name on the command line; name in prose.
    source
        The document that the description was written from.
    security
        Known security status, one line.
    key_bits
        Length of the key.
    iv_bits
        Legal lengths of the IV, ascending; the core takes the last one.
    bit_order, convention
        How bytes map to bit strings, and the same in words.
    registers
        The state.
    load
        ``load(key, iv)`` gives each register's first content in ascending stage number.
        ``key`` and ``iv`` are sequences of bits, whatever a bit is at that reading.
    blank_steps
        Steps after the load whose output is discarded.
    step
        ``step(wire, *windows)`` is one clock, or several at once where no window reaches a bit
        that they make: it returns the output and what enters each register. ``wire(value)``
        gives a value a name of its own: that of the variable it is assigned to.
    """

    name: str
    title: str
    source: str
    security: str
    key_bits: int
    iv_bits: tuple[int, ...]
    bit_order: BitOrder
    convention: str
    registers: tuple[Register, ...]
    load: Callable[[Sequence[Any], Sequence[Any]], Mapping[str, Sequence[Any]]]
    blank_steps: int
    step: Callable[..., tuple[Bits, Mapping[str, Bits]]]

    @property
    def state_bits(self) -> int:
        """Flip-flops that the cipher itself needs."""
        return sum(register.length for register in self.registers)

    @property
    def load_bits(self) -> int:
        """Key and IV bits that a load takes."""
        return self.key_bits + self.iv_bits[-1]

    @property
    def max_radix(self) -> int:
        """Widest radix offered: as many bits per cycle as the state has."""
        return self.state_bits

    @cached_property
    def equations(self) -> tuple[Polynomial, Mapping[str, Polynomial]]:
        """The step read with symbols: output and feedback over variables (register, stage)."""

        def window(register: Register) -> Window:
            return lambda stage: Polynomial.variable(register.name, stage)

        return self.step(lambda value: value, *map(window, self.registers))

    @cached_property
    def gates(self) -> Counter[str]:
        """Two-input gates of one step as the description writes it."""
        counter = GateCounter()
        windows = [lambda _stage: counter.bit() for _ in self.registers]
        self.step(lambda value: value, *windows)
        return counter.gates

    @cached_property
    def natural_radix(self) -> int:
        """Widest radix at which no step reads a bit made in the same cycle.

        A stage that is the ``n``-th from the entrance still holds old bits for ``n`` steps.
        """
        output, feedback = self.equations
        return self._steps_before_new_bits(output, *feedback.values())

    @cached_property
    def output_lookahead(self) -> int:
        """Steps that the output alone can be computed ahead without any new bit."""
        return self._steps_before_new_bits(self.equations[0])

    def _steps_before_new_bits(self, *functions: Polynomial) -> int:
        entrance = {register.name: register.newest for register in self.registers}
        stages = [variable for function in functions for variable in function.variables]
        return min(abs(stage - entrance[name]) + 1 for name, stage in stages)

    def setup_cycles(self, radix: int, load_width: int) -> int:
        """Cycles from the first key bit taken to the first keystream word offered.

        ``ceil(load_bits / load_width) + floor(blank_steps / radix)``: steps left over by the
        division are not spent, because the output is read that many steps ahead.
        """
        return self.load_cycles(load_width) + self.blank_steps // radix

    def load_cycles(self, load_width: int) -> int:
        """Load words that carry key and IV."""
        return -(-self.load_bits // load_width)

    def load_string(self, key: bytes, iv: bytes) -> int:
        """Key and IV as the bit string that the core loads: the key, then the IV.

        An IV shorter than the longest legal one stands at the end of its place, after zeros.

        Raises
        ------
        InputError
            If the key or the IV has no legal length. The message never holds their value.
        """
        self._check_length("key", key, (self.key_bits,))
        self._check_length("IV", iv, self.iv_bits)
        start = self.load_bits - 8 * len(iv)
        key_string = bitstring.from_bytes(key, self.bit_order)
        return key_string | bitstring.from_bytes(iv, self.bit_order) << start

    def _check_length(self, what: str, data: bytes, legal: tuple[int, ...]) -> None:
        if 8 * len(data) not in legal:
            lengths = " or ".join(f"{bits} bits ({bits // 4} hex digits)" for bits in legal)
            raise InputError(f"{what} of {self.name} must be {lengths}, not {8 * len(data)} bits")

    def loaded_state(self, load_string: Sequence[Any]) -> dict[str, list[Any]]:
        """Each register's content after a load, oldest bit first."""
        content = self.load(load_string[: self.key_bits], load_string[self.key_bits :])
        return {
            register.name: register.oldest_first(content[register.name])
            for register in self.registers
        }

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file that the description is written in."""
        return hashlib.sha256(Path(inspect.getfile(self.step)).read_bytes()).hexdigest()
