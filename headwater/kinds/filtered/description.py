# SPDX-License-Identifier: Apache-2.0
"""Ciphers of an LFSR that is filtered by an inversion, with a pipeline before the output.

In each step the LFSR moves by one cell, and some of its cells are inverted as an element of a
field. The inverse passes a pipeline. During the setup it is then injected into the LFSR. Bit 0 of
each inverse plus cell 0 is the output, with the same delay. With authentication, bit 1 enters a
shift register, which is added to an accumulator for every message bit that is one. The setup
authenticates as if the message were ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import xor
from typing import Any, ClassVar

from headwater.algebra.field import Field
from headwater.algebra.gates import GateCounter
from headwater.algebra.large_tower import LargeTower, inversion_parts, read_parts
from headwater.algebra.straight_line import Program
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import unnamed
from headwater.cipher.option import Option
from headwater.cipher.register import Register
from headwater.errors import InputError
from headwater.kinds.bit_aead.description import AuthenticatingCipher
from headwater.kinds.stepped.description import Placed

STAGES = Option(
    "stages",
    ("1", "2", "3", "4"),
    "cycles that an inversion takes; the cipher's delay has room for the registers between",
    "More stages cost registers within the inverters, and shorten their path. Choose as many as "
    "the clock needs; a wide radix leaves room for fewer.",
)

_BYTE = 8


@dataclass(frozen=True, kw_only=True)
class FilteredLfsr(AuthenticatingCipher):
    """A filtered LFSR with a pipeline, with or without authentication.

    ``registers`` are, in this order: the LFSR, which moves towards cell 0; the pipeline of
    inverses, the oldest lowest; the pipeline of what is added to the output; with authentication,
    accumulator and shift register, the accumulator lower. ``step(wire, *words, initialising=)`` is
    one clock of all of them: it gives the output bit and the next content of each. There is one
    phase; its steps are a multiple of `widest_setup`.
    """

    kind: ClassVar[str] = "filtered"

    load: Placed
    feedback_cells: tuple[int, ...]
    """The cells whose sum enters the LFSR."""
    filter_cells: tuple[int, ...]
    """The cells that are inverted, bit 0 first."""
    injected_cells: tuple[int, ...]
    """The cell that each bit of an inverse is added to during the setup."""
    tower: LargeTower
    """The field of the inversion, as the tower of fields that its circuit uses."""
    tag_bits: int = 0
    authenticator: str = ""

    @property
    def lfsr(self) -> Register:
        """The LFSR."""
        return self.registers[0]

    @property
    def length(self) -> int:
        """Cells of the LFSR."""
        return self.lfsr.length

    @property
    def field(self) -> Field:
        """The field of the inversion."""
        return self.tower.field

    @property
    def bits(self) -> int:
        """Bits of an inverse."""
        return self.field.degree

    @property
    def delay(self) -> int:
        """Steps from the inversion to the injection: words of the pipeline."""
        return self.registers[1].length // self.bits

    @property
    def outputs(self) -> tuple[int, ...]:
        """The bits of an inverse that the running cipher uses: to encrypt, and to authenticate."""
        return (0, 1) if self.authenticates else (0,)

    def inversion(self, outputs: Sequence[int] | None = None) -> tuple[Program, ...]:
        """The circuit of the given bits of an inverse, or of all, as consecutive parts."""
        return inversion_parts(self.tower, tuple(range(self.bits) if outputs is None else outputs))

    @property
    def text_unit(self) -> int:
        """A message is whole bytes."""
        return _BYTE if self.authenticates else 1

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the base class, with the steps per cycle of the setup and the pipeline
        stages of the inversion."""
        setup = Option(
            "setup",
            ("small", "wide"),
            "steps of the setup in a cycle, each with an inverter of all bits; small: one, or two "
            f"at radix 2; wide: as many as the radix, but at most {self.widest_setup}",
            "wide costs an inverter for each further step of a cycle, and divides the cycles of "
            "the setup. Choose it for short messages.",
        )
        return (*super().options, setup, STAGES)

    @property
    def widest_setup(self) -> int:
        """Largest power of two of steps in a cycle at which no inverse depends on another inverse
        of the cycle. A bit of an inverse is read one step after its injection at the earliest."""
        return 1 << (self.delay + 1).bit_length() - 1

    def setup_rate(self, radix: int, setup: str) -> int:
        """Steps in a cycle of the setup. If this differs from the radix, every cell of the LFSR has
        a multiplexer. From radix 4 on the multiplexers are smaller than further inverters of all
        bits."""
        if setup == "wide":
            return min(radix, self.widest_setup)
        return radix if radix <= 2 else 1

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse so many pipeline stages that an inverse is too late for its injection."""
        super().check_choices(radix, load_width, options)
        rate, stages = self.setup_rate(radix, options["setup"]), int(options["stages"])
        most = 1 + self.delay // rate
        if stages > most:
            legal = "1" if most == 1 else f"between 1 and {most}"
            raise InputError(
                f"option stages of {self.name} with {rate} steps of the setup in a cycle must be "
                f"{legal}, not {stages}"
            )

    def legal_radices(self) -> tuple[int, ...]:
        """Powers of two up to 16: bytes end at the end of a word, or in the middle of 16 bits. The
        tag ends with a word."""
        powers = (1 << power for power in range((2 * _BYTE).bit_length()))
        return tuple(radix for radix in powers if self.tag_fills(radix))

    @property
    def natural_radix(self) -> int:
        """Widest radix at which no running step reads a bit made in the same cycle."""
        return self.length - max(self.feedback_cells)

    @cached_property
    def gates(self) -> Counter[str]:
        """Two-input gates of a running step. They include the circuit of one bit of the inverse
        (two bits with authentication); sums are in the order of the description."""
        counter = GateCounter()
        reduce(xor, (counter.bit() for _ in self.feedback_cells))
        inputs = [SymbolicWord((counter.bit(),)) for _ in self.filter_cells]
        parts = read_parts(self.inversion(self.outputs), inputs, unnamed, "y")
        parts[0] ^= SymbolicWord((counter.bit(),))
        counter.gates["and"] += self.tag_bits
        counter.gates["xor"] += self.tag_bits
        return counter.gates

    def loaded_state(self, key: Sequence[Any], iv: Sequence[Any]) -> dict[str, list[Any]]:
        """The content after a load, oldest bit first, of the registers that a load writes."""
        placed = self.load.content(key, iv)
        return {
            register.name: list(placed[register.name])
            for register in self.registers
            if not register.setup_only
        }
