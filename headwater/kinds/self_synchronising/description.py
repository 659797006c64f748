# SPDX-License-Identifier: Apache-2.0
"""Self-synchronising ciphers: each keystream bit depends on the key and the last ciphertext bits.

A keyed register takes in the ciphertext. A pipeline without a key makes a keystream bit from the
register's cells. The state depends on nothing else: a receiver with enough ciphertext free of
errors decrypts correctly, whatever its state was before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from headwater.algebra.gates import GateCounter
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import Wire, Word, unnamed
from headwater.cipher.description import Cipher
from headwater.cipher.option import DIRECTION, Option
from headwater.cipher.register import Register
from headwater.cipher.results import check_word
from headwater.errors import InputError, describe_numbers

Bit = Any
"""A bit, whatever it is at that reading: an integer over time, a hardware value, a symbol."""


@dataclass(frozen=True)
class Cell:
    """One cell of the keyed register."""

    address: int
    """From 1 on; address 0 is the last bit of ciphertext."""
    name: str
    """Its name in the Verilog."""
    form: Callable[..., Bit]
    """``form(first, [key bit,] *others)``: its next value, of the bits at the addresses that it
    reads. The key bit comes second where there is one."""
    reads: tuple[int, ...]
    """Addresses. Cells are ordered so that each reads only cells before it."""
    key: int | None = None
    """Number of its key bit."""

    def following(self, read: Callable[[int], Bit], key: Callable[[int], Bit]) -> Bit:
        """Its next value; ``read(address)`` and ``key(number)`` give bits."""
        first, *others = map(read, self.reads)
        keyed = [] if self.key is None else [key(self.key)]
        return self.form(first, *keyed, *others)


@dataclass(frozen=True)
class Stage:
    """A register of the pipeline."""

    name: str
    """Its name in the Verilog."""
    length: int
    """Its bits."""
    made: Callable[[Wire, Word], Word]
    """``made(wire, word)``: its next value, from the register before it. For the first stage the
    word is the keyed register with the ciphertext bit: bit n is address n."""


@dataclass(frozen=True, kw_only=True)
class SelfSynchronisingCipher(Cipher):
    """A cipher that its own ciphertext feeds. In a clock a text bit is added to the last stage's
    content, all cells and stages take what follows from their contents before, and the ciphertext
    bit enters. In a setup the ciphertext is a zero, the IV, and zeros. The longest IV must be one
    bit shorter than the memory (``headwater show`` prints it), so that a setup leaves nothing of
    before."""

    kind: ClassVar[str] = "self_synchronising"

    cells: tuple[Cell, ...]
    """The keyed register, in order of reading."""
    stages: tuple[Stage, ...]
    """The pipeline; the last stage has one bit."""
    radices: tuple[int, ...] = (1, 2, 3, 4)
    """Those that are offered."""
    service = "self-synchronising"

    @property
    def no_keystream(self) -> str:
        """Why there is no keystream: it depends on the ciphertext before."""
        return f"of its own, as its ciphertext feeds it: use headwater encrypt {self.name}"

    @property
    def registers(self) -> tuple[Register, ...]:
        """The ciphertext bit, the keyed register from address 1 on, and the pipeline."""
        pipeline = (Register(stage.name, 0, stage.length - 1) for stage in self.stages)
        return Register("c", 0, 0), Register("q", 1, len(self.cells)), *pipeline

    @property
    def state_bits(self) -> int:
        """Flip-flops of the paper's registers that are read."""
        return sum(register.length for register in self.registers)

    def sheet(self) -> dict[str, Any]:
        """Registers, gates, and the distance of the oldest ciphertext bit that matters."""
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
        """The position of the pipeline's delays, and the directions that the core has."""
        return (
            *super().options,
            Option(
                "layers",
                tuple(map(str, self.legal_layers(min(self.radices)))),
                "registers between the pipeline's stages, placed evenly; what is left of its "
                "delay is bits behind its last stage, where they are fewest",
                "Each layer costs registers as wide as the pipeline is there, and shortens its "
                "path. Choose 0 for area, and as many as the radix allows for speed.",
            ),
            DIRECTION,
        )

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse a longest IV that does not overwrite the whole memory, and more pipeline registers
        than the radix allows."""
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

    def check_functions(self) -> None:
        """Also refuses addresses of cells that leave one out or read a later cell, a pipeline that
        does not end in one bit, and radices that leave no delay behind the last stage."""
        super().check_functions()
        self._check_cells()
        self._check_stages()
        if max(self.radices) > len(self.stages):
            raise InputError(
                f"radices of {self.name} must be at most {len(self.stages)}, the number of its "
                f"stages, not {max(self.radices)}"
            )

    def _check_cells(self) -> None:
        known = {0}
        for cell in self.cells:
            for address in cell.reads:
                if address not in known:
                    raise InputError(
                        f"cell {cell.name} of {self.name} must read cells before it, "
                        f"not address {address}"
                    )
            if cell.key is not None and not 0 <= cell.key < self.key_bits:
                raise InputError(
                    f"key of cell {cell.name} of {self.name} must be a bit from 0 to "
                    f"{self.key_bits - 1}, not {cell.key}"
                )
            known.add(cell.address)
        if sorted(known) != list(range(len(self.cells) + 1)):
            raise InputError(
                f"cells of {self.name} must have the addresses 1 to {len(self.cells)}, once each"
            )

    def _check_stages(self) -> None:
        for stage, after in self._stages_made(GateCounter()):
            check_word(f"stage {stage.name} of {self.name}", after, stage.length)
        last = self.stages[-1].length
        if last != 1:
            raise InputError(f"last stage of {self.name} must have one bit, not {last}")

    def _stages_made(self, counter: GateCounter) -> list[tuple[Stage, SymbolicWord]]:
        """What each stage makes of the one before it, whose gates are counted."""
        lengths = [1 + len(self.cells), *(stage.length for stage in self.stages)]
        words = [SymbolicWord(tuple(counter.bit() for _ in range(length))) for length in lengths]
        return [
            (stage, stage.made(unnamed, word))
            for stage, word in zip(self.stages, words, strict=False)
        ]

    def legal_layers(self, radix: int) -> tuple[int, ...]:
        """Legal numbers of registers between the stages. Each delays by ``radix`` steps. At least
        ``radix`` bits of delay must remain after the last stage, so that no bit leaves in the cycle
        that makes it. The keyed register is ``radix - 1`` steps late."""
        delays = len(self.stages) + 1 - radix
        most = max(0, delays // radix - 1)
        return tuple(range(min(most + 1, len(self.stages))))

    def legal_radices(self) -> tuple[int, ...]:
        """The radices that the description lists."""
        return self.radices

    natural_radix = 1
    """One: a step reads the results of the step before."""

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:
        """The radix: a load word enters like a word of ciphertext."""
        return (radix,)

    def lead_in(self, iv: Sequence[int]) -> tuple[int, ...]:
        """The ciphertext of a setup: a zero, the IV, and zeros until the memory is overwritten."""
        bits = (0, *iv)
        return bits + (0,) * (self.memory[1] - len(bits))

    @cached_property
    def memory(self) -> tuple[int, int]:
        """Distances of the nearest and the farthest ciphertext bit in a keystream bit."""
        ages = {0: _Age(1, 1)}
        for cell in self.cells:
            ages[cell.address] = cell.following(ages.__getitem__, lambda _: _NO_AGE).later
        word = SymbolicWord(tuple(ages[address] for address in range(len(ages))))
        for stage in self.stages:
            after = stage.made(unnamed, word)
            word = SymbolicWord(tuple(bit.later for bit in after.bits))
        (last,) = word.bits
        return last.nearest, last.farthest

    @cached_property
    def gates(self) -> Counter[str]:
        """Two-input gates of one step, as the description writes it."""
        counter = GateCounter()
        for cell in self.cells:
            cell.following(lambda _: counter.bit(), lambda _: counter.bit())
        self._stages_made(counter)
        return counter.gates


def following_cells(
    cells: Sequence[Cell], read: Mapping[int, Bit], key: Callable[[int], Bit], wire: Wire
) -> dict[int, Bit]:
    """The next value of every cell, by address; ``read`` has the bits by address."""
    return {cell.address: wire(cell.following(read.__getitem__, key), cell.name) for cell in cells}


@dataclass(frozen=True)
class _Age:
    """The ages of the newest and of the oldest ciphertext bit that a bit depends on; none if the
    newest is above the oldest."""

    nearest: int
    farthest: int

    @property
    def later(self) -> _Age:
        """The ages one clock later."""
        return _Age(self.nearest + 1, self.farthest + 1)

    def __xor__(self, other: _Age) -> _Age:
        return _Age(min(self.nearest, other.nearest), max(self.farthest, other.farthest))

    __and__ = __xor__

    def __invert__(self) -> _Age:
        return self


_NO_AGE = _Age(1 << 30, -1)
