# SPDX-License-Identifier: Apache-2.0
"""Ciphers whose registers decide how they clock: a step moves whole registers.

A radix above one composes single steps, as nothing is gained by evaluating several at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from headwater.algebra.gates import GateCounter
from headwater.algebra.polynomial import Polynomial, as_polynomial
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.option import DATAPATH, Option
from headwater.cipher.register import Register
from headwater.cipher.results import (
    check_names,
    check_one_bit,
    check_word,
    check_words,
    output_and_registers,
    result_of,
)
from headwater.errors import InputError
from headwater.kinds.stepped.description import Injected, SteppedCipher
from headwater.kinds.stepped.sheet import Entries, not_moved_on, with_taps
from headwater.kinds.stepped.transformations.zeroing import ZEROING, Zeroing

Bit = Callable[[str, int], Any]
"""``bit(register, stage)`` is a bit of any reading."""


@dataclass(frozen=True)
class EarlyStep:
    """A step in parts, for cores that decide in one cycle what the registers do in the next."""

    names: tuple[str, ...]
    """What is decided: one bit each."""
    output: Callable[..., Any]
    """``output(wire, *words)``."""
    decide: Callable[..., Mapping[str, Any]]
    """``decide(wire, *words, entering=, **controls)`` gives the bits by name."""
    move: Callable[..., Mapping[str, Any]]
    """``move(wire, *words, **bits, **constants)`` gives the next content of each register."""


@dataclass(frozen=True, kw_only=True)
class ClockedCipher(SteppedCipher):
    """A cipher of registers that are read and written whole.

    ``step(wire, *words, entering=, **controls, **constants)`` is one clock: it returns the output
    bit and the next content of each register. Bit n of a word is the n-th stage from the entrance:
    with ``newest=0`` it is stage n, and ``concatenate(bit, r[:-1])`` shifts a bit in.
    `headwater.algebra.word` has the operations. ``wire(value)`` gives a value a name, ``wire(value,
    name)`` this name. ``entering`` is one bit of each lane, zero after the load; ``constants`` are
    words by name.
    """

    own_options: ClassVar[tuple[Option, ...]] = (DATAPATH,)
    divides: ClassVar[bool] = True

    load: Injected
    constants: Mapping[str, IntegerWord] = field(default_factory=dict, hash=False)
    """Words by name that the step receives: masks, tables (`table_word`)."""
    radices: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8)
    """Those that are offered. A radix repeats the step so often in a cycle."""
    early_step: EarlyStep | None = None
    """The parts of ``step``, if few bits decide what the registers do: output, decisions, move.
    Free-running cores then decide early."""

    @property
    def options(self) -> tuple[Option, ...]:
        """Where the length of a load is known, and it sets all registers, how these become zero
        before it."""
        lasts = any(register.setup_only for register in self.registers)
        zeroing = () if lasts or self.any_length or self.early_step else (ZEROING,)
        return (*super().options, *zeroing)

    @property
    def early(self) -> EarlyStep:
        """`early_step` of a cipher that has one."""
        assert self.early_step is not None
        return self.early_step

    def legal_radices(self) -> tuple[int, ...]:
        """The radices that the description lists."""
        return self.radices

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse to read the output more than one step ahead of the state: as registers move whole,
        this would cost the logic of as many further steps. Also refuse to shift zeros in where load
        bits are read too soon."""
        super().check_choices(radix, load_width, options)
        if options.get("zeroing") == "shift" and not Zeroing.of(self, load_width):
            raise InputError(
                f"zeroing of {self.name} at load width {load_width} must be reset, not 'shift': "
                "load bits are read before zeros are in"
            )
        load_steps, left = load_width // self.lane_count, self.blank_steps % radix
        slow = load_steps < radix and left % load_steps == 0
        if left > 1 and not slow:
            raise InputError(
                f"load width of {self.name} at radix {radix} must divide the {left} of its "
                f"{self.blank_steps} blank steps that are left over, not {load_steps!r}"
            )

    natural_radix = 1
    """One: every step reads the results of the step before."""

    @cached_property
    def equations(self) -> tuple[Polynomial, Mapping[str, Mapping[int, Polynomial]]]:
        """The running step as polynomials: the output, and the next value of each stage."""
        output, state = self._read(Polynomial.variable)
        return output.bits[0], {
            register.name: dict(
                zip(_stages(register), map(as_polynomial, state[register.name].bits), strict=True)
            )
            for register in self.registers
        }

    def register_entries(self) -> Entries:
        """Registers with their taps, which the running step reads for more than shifting."""
        output, becomes = self.equations
        functions = not_moved_on(self.registers, becomes)
        read = output.variables.union(*(function.variables for function in functions))
        return with_taps(self.registers, becomes, read)

    @cached_property
    def gates(self) -> Counter[str]:
        """Two-input gates of one step, as the description writes it and all controls zero."""
        counter = GateCounter()
        self._read(lambda _name, _stage: counter.bit())
        return counter.gates

    def _read(self, bit: Bit) -> tuple[SymbolicWord, Mapping[str, SymbolicWord]]:
        what, others = f"step of {self.name}", {**self._at_rest, **self.constant_bits}
        results = result_of(what, self.step, unnamed, *self._words(bit), **others)
        return output_and_registers(what, results)

    def _words(self, bit: Bit) -> list[SymbolicWord]:
        """The registers, of bits that ``bit`` gives by name and stage."""
        return [
            SymbolicWord(tuple(bit(register.name, stage) for stage in _stages(register)))
            for register in self.registers
        ]

    @property
    def _at_rest(self) -> dict[str, SymbolicWord]:
        """The operands of a step after the setup: nothing enters, and all controls are zero."""
        controls = {name: SymbolicWord((0,)) for name in self.controls}
        return {"entering": SymbolicWord((0,) * self.lane_count), **controls}

    @property
    def constant_bits(self) -> dict[str, SymbolicWord]:
        """The constants as words of bits, for readings of the step as polynomials or gates."""
        return {
            name: SymbolicWord(tuple(word.value >> place & 1 for place in range(word.width)))
            for name, word in self.constants.items()
        }

    def check_functions(self) -> None:
        """Also refuses a step that gives no output bit, or no word as long as each register."""
        super().check_functions()
        check_one_bit(self.name, self.word_bits)
        output, after = self._read(Polynomial.variable)
        check_word(f"output of step of {self.name}", output, 1)
        check_words(f"step of {self.name}", after, self.registers)
        if self.early_step:
            self._check_early()

    def _check_early(self) -> None:
        """Refuse an early step that does not decide the bits that it names, or does not move by
        them."""
        words, what = self._words(Polynomial.variable), f"early_step of {self.name}"
        check_word(f"output of {what}", self.early.output(unnamed, *words), 1)
        decided = self.early.decide(unnamed, *words, **self._at_rest)
        check_names(f"decide of {what}", decided, self.early.names)
        for name, bit in decided.items():
            check_word(f"{name} of decide of {what}", bit, 1)
        moved = self.early.move(unnamed, *words, **decided, **self.constant_bits)
        check_words(f"move of {what}", moved, self.registers)


def _stages(register: Register) -> range:
    """Stage numbers from the entrance on."""
    way = 1 if register.oldest >= register.newest else -1
    return range(register.newest, register.oldest + way, way)
