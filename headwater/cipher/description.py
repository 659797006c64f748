# SPDX-License-Identifier: Apache-2.0
"""What every description consists of, and what follows from it without building anything.

A cipher sets up in *steps*: those of the load, where the load takes steps, then those of its
phases. A phase names the *controls* that are one in its steps; all are zero once the cipher runs.
How the step function is written and read is the matter of the subclasses, one file each.
"""

from __future__ import annotations

import hashlib
import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from headwater.algebra import bitstring
from headwater.algebra.bitstring import BitOrder
from headwater.algebra.polynomial import Polynomial
from headwater.cipher.register import Register
from headwater.errors import InputError

Bits = Any
"""Whatever a description is being read with: integers, hardware values, symbols."""

Lanes = tuple[Sequence[Any], ...]
"""Bit strings that enter side by side, first bit first; all end in the same step."""


@dataclass(frozen=True)
class Phase:
    """Consecutive steps of the setup.

    Members
    -------
    name : str
    steps : int
    controls : tuple of str
        The operands of the step function that are one in these steps.
    """

    name: str
    steps: int
    controls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Placed:
    """Key and IV are put into the registers.

    ``content(key, iv)`` gives each register's first content in ascending stage number; ``key``
    and ``iv`` are sequences of bits, whatever a bit is at that reading.
    """

    content: Callable[[Sequence[Any], Sequence[Any]], Mapping[str, Sequence[Any]]]


@dataclass(frozen=True)
class Injected:
    """Key and IV enter an all-zero state, one bit of every lane in each step.

    The step function gets them as ``entering``.

    Members
    -------
    phases : tuple of Phase
        Of the load, as long as the longest load.
    any_length : bool
        Whether a load has as many steps as key and IV have bits. Otherwise an IV that is shorter
        than the longest is filled up with zeros.
    zero_is_neutral : bool
        Whether zero bits that enter before the others change nothing.
    """

    phases: tuple[Phase, ...]
    any_length: bool = False
    zero_is_neutral: bool = False


def key_then_iv(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """The order of most loads: one lane, the key first."""
    return ([*key, *iv],)


@dataclass(frozen=True, kw_only=True)
class Cipher:
    """A synchronous stream cipher.

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
        Legal lengths of the IV, ascending; the core takes the last one if it cannot take all.
    bit_order, input_order, convention
        How bytes map to bit strings: the keystream's, those of key and IV where they differ, and
        the same in words.
    registers
        The state.
    lanes
        ``lanes(key, iv)`` is the order in which their bits are loaded.
    lane_names
        The same in words, lane by lane.
    load
        How they come into the state.
    phases
        The setup after the load; its output is discarded.
    step
        One clock; see the subclasses.
    authenticated
        The same cipher in its mode with authentication, where it has both.
    """

    name: str
    title: str
    source: str
    security: str
    key_bits: int
    iv_bits: tuple[int, ...]
    bit_order: BitOrder
    input_order: BitOrder | None = None
    convention: str
    registers: tuple[Register, ...]
    lanes: Callable[[Sequence[Any], Sequence[Any]], Lanes] = key_then_iv
    lane_names: str = "the key, then the IV"
    load: Placed | Injected
    phases: tuple[Phase, ...]
    step: Callable[..., tuple[Bits, Mapping[str, Bits]]]
    authenticated: Cipher | None = None

    @property
    def state_bits(self) -> int:
        """Flip-flops that the running cipher itself needs."""
        return sum(register.length for register in self.registers if not register.setup_only)

    @property
    def steps_per_bit(self) -> int:
        """Output bits of the step function for each bit of keystream."""
        return 1

    @property
    def load_bits(self) -> int:
        """Key and IV bits that a load takes at most."""
        return self.key_bits + self.iv_bits[-1]

    @cached_property
    def lane_count(self) -> int:
        """Load bits that enter side by side."""
        return len(self.lanes(self._blank_key, self._blank_iv))

    @cached_property
    def load_steps(self) -> int:
        """Bits of the longest lane, with the longest IV."""
        return max(map(len, self.lanes(self._blank_key, self._blank_iv)))

    @cached_property
    def shortest_lane(self) -> int:
        """Bits of the shortest lane: a load word takes no more of each, so that none is idle."""
        return min(map(len, self.lanes(self._blank_key, self._blank_iv)))

    @property
    def _blank_key(self) -> list[int]:
        return [0] * self.key_bits

    @property
    def _blank_iv(self) -> list[int]:
        return [0] * self.iv_bits[-1]

    @property
    def blank_steps(self) -> int:
        """Steps after the load whose output is discarded."""
        return sum(phase.steps for phase in self.phases)

    @property
    def any_length(self) -> bool:
        """Whether a load ends with its last bit, not after a fixed number of steps."""
        return isinstance(self.load, Injected) and self.load.any_length

    @property
    def load_phases(self) -> tuple[Phase, ...]:
        """Phases that the steps of a load are in; none where a load takes no steps."""
        return self.load.phases if isinstance(self.load, Injected) else ()

    @cached_property
    def controls(self) -> tuple[str, ...]:
        """Names of the step function's controls, in the order of their phases."""
        phases = (*self.load_phases, *self.phases)
        return tuple(dict.fromkeys(name for phase in phases for name in phase.controls))

    def control_at(self, control: str, step: int) -> bool:
        """Value of a control in a step after the load; steps before it are numbered below zero,
        and those before the first are as the first."""
        if step < 0:
            phases, place = self.load_phases, max(0, self.load_steps + step)
        else:
            phases, place = self.phases, step
        for phase in phases:
            if place < phase.steps:
                return control in phase.controls
            place -= phase.steps
        return False

    def legal_radices(self) -> tuple[int, ...]:
        """Every radix that is offered."""
        raise NotImplementedError

    @property
    def natural_radix(self) -> int:
        """Widest radix at which no step reads a bit made in the same cycle."""
        raise NotImplementedError

    @property
    def output_lookahead(self) -> int:
        """Steps that the output alone can be computed ahead without any new bit."""
        raise NotImplementedError

    @property
    def equations(self) -> tuple[Polynomial, Mapping[str, Mapping[int, Polynomial]]]:
        """Output, and what each register's stages become, over variables (register, stage)."""
        raise NotImplementedError

    @property
    def gates(self) -> Counter[str]:
        """Two-input gates of one step as the description writes it."""
        raise NotImplementedError

    def load_cycles(self, load_width: int) -> int:
        """Load words that the longest load takes."""
        return -(-self.load_steps * self.lane_count // load_width)

    def load_lanes(self, key: bytes, iv: bytes, iv_bits: int | None = None) -> list[list[int]]:
        """Key and IV as the bits of each lane, first bit first, all lanes equally long.

        A shorter lane stands at the end of its place, after zeros. See `input_bits`.
        """
        lanes = self.lanes(*self.input_bits(key, iv, iv_bits))
        steps = max(map(len, lanes))
        return [[0] * (steps - len(lane)) + list(lane) for lane in lanes]

    def input_bits(
        self, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bits of key and IV, first bit first.

        An IV that is shorter than the longest legal one stands at the end of its place, after
        zeros, unless a load may have any length.

        Parameters
        ----------
        key, iv
            In the cipher's convention.
        iv_bits
            Length of the IV where it is not a whole number of bytes.

        Raises
        ------
        InputError
            If the key or the IV has no legal length. The message never holds their value.
        """
        length = self._check_lengths(key, iv, iv_bits)
        order = self.input_order or self.bit_order
        key_string = bitstring.split(bitstring.from_bytes(key, order), self.key_bits)
        iv_string = bitstring.split(bitstring.from_bytes(iv, order), length)
        filling = 0 if self.any_length else self.iv_bits[-1] - length
        return key_string, (0,) * filling + iv_string

    def _check_lengths(self, key: bytes, iv: bytes, iv_bits: int | None) -> int:
        if 8 * len(key) != self.key_bits:
            raise InputError(
                f"key of {self.name} must be {_length(self.key_bits)}, not {8 * len(key)} bits"
            )
        if iv_bits is None:
            fitting = [bits for bits in self.iv_bits if -(-bits // 8) == len(iv)]
            iv_bits = fitting[-1] if fitting else 8 * len(iv)
        if iv_bits not in self.iv_bits or -(-iv_bits // 8) != len(iv):
            given = iv_bits if -(-iv_bits // 8) == len(iv) else 8 * len(iv)
            raise InputError(f"IV of {self.name} must be {self._iv_lengths}, not {given} bits")
        unused = bitstring.from_bytes(iv, self.input_order or self.bit_order) >> iv_bits
        if unused:
            raise InputError(f"unused bits of the IV of {self.name} must be zero")
        return iv_bits

    @property
    def _iv_lengths(self) -> str:
        first, last = self.iv_bits[0], self.iv_bits[-1]
        if len(self.iv_bits) > 1 and self.iv_bits == tuple(range(first, last + 1)):
            return f"{first} to {last} bits"
        return " or ".join(map(_length, self.iv_bits))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file that the description is written in."""
        step = self.step.func if isinstance(self.step, partial) else self.step
        return hashlib.sha256(Path(inspect.getfile(step)).read_bytes()).hexdigest()


def _length(bits: int) -> str:
    return f"{bits} bits ({-(-bits // 8) * 2} hex digits)"
