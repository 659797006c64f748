# SPDX-License-Identifier: Apache-2.0
"""Self-synchronising ciphers: each bit of keystream is made of the ciphertext bits just before it.

A keyed register takes in the ciphertext, and a pipeline without a key makes a bit of keystream of
the register's cells. Nothing else is ever in the state: whoever has received enough ciphertext
without an error decrypts right, whatever was before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from headwater.algebra.gates import GateCounter
from headwater.algebra.word import SymbolicWord, Wire, Word, unnamed
from headwater.cipher.description import Cipher, describe_numbers
from headwater.cipher.option import DIRECTION, Option
from headwater.cipher.register import Register
from headwater.errors import InputError

Bit = Any
"""A bit, whatever it is at that reading: an integer over time, a hardware value, a symbol."""


@dataclass(frozen=True)
class Cell:
    """One cell of the keyed register.

    Members
    -------
    address : int
        From 1 on; address 0 is the last bit of ciphertext.
    name : str
        Its name in the Verilog.
    form : function
        What it becomes, of the bits that it reads and, where it has one, of its key bit: the
        second operand.
    reads : tuple of int
        Addresses. Cells stand in such an order that each reads only cells before it.
    key : int or None
        Number of its key bit.
    """

    address: int
    name: str
    form: Callable[..., Bit]
    reads: tuple[int, ...]
    key: int | None = None

    def following(self, read: Callable[[int], Bit], key: Callable[[int], Bit]) -> Bit:
        """What it becomes; ``read(address)`` and ``key(number)`` give bits."""
        first, *others = map(read, self.reads)
        keyed = [] if self.key is None else [key(self.key)]
        return self.form(first, *keyed, *others)


@dataclass(frozen=True)
class Stage:
    """A register of the pipeline.

    Members
    -------
    name : str
    length : int
    made : function
        ``made(wire, word)`` is what it becomes, of the register before it; the first one's is the
        keyed register with the ciphertext bit, bit n being address n.
    """

    name: str
    length: int
    made: Callable[[Wire, Word], Word]


@dataclass(frozen=True, kw_only=True)
class SelfSynchronisingCipher(Cipher):
    """A cipher whose text feeds it.

    In a clock a bit of text is combined with the last stage's content, all cells and stages take
    what follows from their contents before, and the ciphertext bit enters. A setup is that with the
    IV as ciphertext, behind a zero, and zeros behind it.

    Parameters
    ----------
    cells
        The keyed register, in order of reading; see `Cell`.
    stages
        The pipeline, the last one of one bit.
    radices
        Those that are offered.
    """

    kind: ClassVar[str] = "self_synchronising"

    cells: tuple[Cell, ...]
    stages: tuple[Stage, ...]
    radices: tuple[int, ...] = (1, 2, 3, 4)

    @property
    def service(self) -> str:
        """The text feeds the cipher."""
        return "self-synchronising"

    @property
    def no_keystream(self) -> str:
        """There is none: what a bit is combined with is made of the ciphertext before it."""
        return f"of its own, as its ciphertext feeds it: use headwater encrypt {self.name}"

    @property
    def registers(self) -> tuple[Register, ...]:
        """The ciphertext bit, the keyed register from address 1 on, and the pipeline."""
        pipeline = (Register(stage.name, 0, stage.length - 1) for stage in self.stages)
        return Register("c", 0, 0), Register("q", 1, len(self.cells)), *pipeline

    @property
    def state_bits(self) -> int:
        """Flip-flops of the paper's registers, without those that nothing reads."""
        return sum(register.length for register in self.registers)

    def sheet(self) -> dict[str, Any]:
        """Registers, gates, and how far the text before matters."""
        nearest, farthest = self.memory
        return {
            "registers": {one.name: {"length": one.length} for one in self.registers},
            "gates_per_bit": dict(self.gates),
            "memory": f"a keystream bit is made of the ciphertext bits {nearest} to {farthest} "
            "places before it: a wrong ciphertext bit disturbs its own place and those "
            f"{nearest} to {farthest} places on, and after lost bits {farthest} right ones are "
            "enough",
            "setup_steps": farthest,
        }

    @property
    def options(self) -> tuple[Option, ...]:
        """Where the pipeline's delays stand, and the directions that the core has."""
        return (
            *super().options,
            Option(
                "layers",
                tuple(map(str, self.legal_layers(min(self.radices)))),
                "registers between the pipeline's stages, placed evenly; what is left of its "
                "delay is bits behind its last stage, where they are fewest",
            ),
            DIRECTION,
        )

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse a longest IV that leaves some of the memory as it was, and more registers between
        the stages than the radix leaves room for."""
        super().check_choices(radix, load_width, options)
        if self.iv_bits[-1] != self.memory[1] - 1:
            raise InputError(
                f"longest IV of {self.name} must have {self.memory[1] - 1} bits, one less than its "
                f"memory, not {self.iv_bits[-1]}"
            )
        legal = self.legal_layers(radix)
        if int(options["layers"]) not in legal:
            raise InputError(
                f"option layers of {self.name} at radix {radix} must be "
                f"{describe_numbers(legal)}, not {options['layers']}"
            )

    def legal_layers(self, radix: int) -> tuple[int, ...]:
        """How many registers can stand between the stages.

        Each delays by a radix of steps, and so many bits at least stay behind the last stage, so
        that none that leaves is made in its cycle. The keyed register is ``radix - 1`` steps late.
        """
        delays = len(self.stages) + 1 - radix
        most = max(0, delays // radix - 1)
        return tuple(range(min(most + 1, len(self.stages))))

    def legal_radices(self) -> tuple[int, ...]:
        """Every radix that is offered."""
        return self.radices

    @property
    def natural_radix(self) -> int:
        """One: a step reads what the step before it made."""
        return 1

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:
        """The radix: a load word's bits enter as those of a ciphertext do."""
        return (radix,)

    def lead_in(self, iv: Sequence[int]) -> tuple[int, ...]:
        """The ciphertext that sets the cipher up: a zero, the IV, and zeros up to the memory."""
        bits = (0, *iv)
        return bits + (0,) * (self.memory[1] - len(bits))

    @cached_property
    def memory(self) -> tuple[int, int]:
        """Distances of the nearest and of the farthest ciphertext bit that a keystream bit is
        made of."""
        ages = {0: _Age(1, 1)}
        for cell in self.cells:
            ages[cell.address] = cell.following(ages.__getitem__, lambda _: _NO_AGE).later
        word = SymbolicWord(tuple(ages[address] for address in range(len(ages))))
        for stage in self.stages:
            made = stage.made(unnamed, word)
            word = SymbolicWord(tuple(bit.later for bit in made.bits))
        (last,) = word.bits
        return last.nearest, last.farthest

    @cached_property
    def gates(self) -> Counter[str]:
        """Two-input gates of one step, as the description writes it."""
        counter = GateCounter()
        for cell in self.cells:
            cell.following(lambda _: counter.bit(), lambda _: counter.bit())
        length = 1 + len(self.cells)
        for stage in self.stages:
            stage.made(unnamed, SymbolicWord(tuple(counter.bit() for _ in range(length))))
            length = stage.length
        return counter.gates


def following_cells(
    cells: Sequence[Cell], read: Mapping[int, Bit], key: Callable[[int], Bit], wire: Wire
) -> dict[int, Bit]:
    """What every cell becomes in a step, by address; ``read`` has the bits by address."""
    return {cell.address: wire(cell.following(read.__getitem__, key), cell.name) for cell in cells}


@dataclass(frozen=True)
class _Age:
    """How long ago the nearest and the farthest ciphertext bits came that a bit is made of; none
    where the nearest is beyond the farthest."""

    nearest: int
    farthest: int

    @property
    def later(self) -> _Age:
        """The same a clock later."""
        return _Age(self.nearest + 1, self.farthest + 1)

    def __xor__(self, other: _Age) -> _Age:
        return _Age(min(self.nearest, other.nearest), max(self.farthest, other.farthest))

    __and__ = __xor__

    def __invert__(self) -> _Age:
        return self


_NO_AGE = _Age(1 << 30, -1)
