# SPDX-License-Identifier: Apache-2.0
"""Ciphers of shift registers that all move one place per clock.

Their step function reads stages through windows, so that one evaluation can make many steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from headwater.algebra.gates import GateCounter
from headwater.algebra.polynomial import Polynomial
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import Wire, Word, concatenate, unnamed
from headwater.cipher.description import Bits
from headwater.cipher.option import DATAPATH, Option
from headwater.cipher.register import Register
from headwater.cipher.results import (
    check_names,
    check_one_bit,
    check_registers,
    check_sum,
    check_word,
    output_and_registers,
)
from headwater.errors import InputError, unknown
from headwater.kinds.stepped.description import Placed, SteppedCipher
from headwater.kinds.stepped.sheet import Entries, with_taps
from headwater.kinds.stepped.transformations.ahead import AHEAD, parts_ahead
from headwater.kinds.stepped.transformations.delays import (
    DELAY,
    RAM,
    delays_of,
    refuse_with_ram,
)
from headwater.kinds.stepped.transformations.retiming import retiming

FORM = Option(
    "form",
    ("fibonacci", "galois", "ahead"),
    "fibonacci: feedback enters at one end; galois: feedback enters in parts at several "
    "stages, for speed; ahead: what can be added of the feedback a cycle ahead is kept in "
    "registers",
    "galois costs gates and masks at more stages, and shortens the path of the feedback. ahead "
    "costs a register for each sum, and needs load words as wide as a step. Choose one of them "
    "where the clock is the limit; where no term can move, it is refused.",
)
OUTPUT = Option(
    "output",
    ("plain", "split"),
    "plain: the output is one sum; split: the output is fed back in parts, and comes out "
    "of a pipeline",
    "split costs registers and up to two more cycles of setup, and shortens the path of the "
    "output. Choose it with form=galois, where the output is then the slowest path.",
)

_GATES_OF_A_FLIP_FLOP = 2
"""Two-input gates that are as large as a flip-flop, roughly."""

WIDEST_RADIX = 1024
"""Bits per cycle of the widest core. Tools take minutes for a wider one."""

Rewrite = Callable[..., Mapping[str, Word]]
"""``rewrite(*words)`` gives what registers become, by name. The words are all registers; bit n of a
word is the n-th stage from the lowest stage number on."""

Window = Callable[[int], Bits]
"""A register as a step sees it: called with a stage number, it gives that stage's bits."""


@dataclass(frozen=True, kw_only=True)
class ShiftRegisterCipher(SteppedCipher):
    """A cipher made of shift registers.

    ``step(wire, *windows, **controls)`` is one clock, or several at once where no window reaches a
    bit that they make. It returns the output and the input of each register. ``wire(value)`` names
    a value after the variable it is assigned to. Controls are given by name, as wide as the
    windows. Use ``^ & | ~`` alone. ``a(66)`` is what stage 66 of register ``a`` holds before the
    clock. One reading may be many clocks at once, so a window is a word of unknown width. All
    radices from 1 to the number of state bits are offered.

    Galois registers: what enters a stage in the middle of a register cuts the register there. Each
    part is a `Register` of its own, named by its highest stage, and what enters it is the stage
    above, plus the rest (``cipher/espresso.py``). Registers that turn round are registers that
    their own oldest stage enters (Kreyvium's key). A key that is read while the cipher runs is such
    a register, and its stages count as state.
    """

    own_options: ClassVar[tuple[Option, ...]] = (DATAPATH,)
    divides: ClassVar[bool] = True

    load: Placed
    rewrites: Mapping[str, Rewrite] = field(default_factory=dict, hash=False)
    """By control: the new content of registers at the beginning of each step in which it is one,
    before the step function reads them. For ciphers whose setup changes the whole state at once, as
    Lizard adds its key a second time. The function gets all registers as words, bit n the n-th
    stage from the lowest number on, and returns those that change. Give the control a phase of one
    step. A key that waits is in a register of its own, which is ``setup_only`` and moves like the
    others."""
    lut_sums: tuple[str, ...] = ()
    """Names of values of the step of at most four operands, which several sums share.
    A core keeps each whole, so that it takes one lookup table of an FPGA; a mapper that sees
    through them doubles their parts."""
    form_on_fpga: str = ""
    """The default of the option ``form`` on FPGAs, "ahead" or "galois", where it is legal; empty if
    it is no other one there. Give it where the form was measured to be faster there, and to have
    more throughput per area."""

    @property
    def rewriting_controls(self) -> tuple[str, ...]:
        """The controls that `rewrites` has."""
        return tuple(self.rewrites)

    def legal_radices(self) -> tuple[int, ...]:
        """Every radix up to the number of state bits at which the setup takes a cycle."""
        return tuple(
            radix
            for radix in range(1, self.state_bits + 1)
            if radix <= self.blank_steps or self.kept_bits(radix)
        )

    @property
    def further_radices(self) -> range:
        """Every radix up to `WIDEST_RADIX`, as long as the setup takes a cycle. Each step reads
        what the step before made."""
        return range(self.state_bits + 1, min(WIDEST_RADIX, self.blank_steps) + 1)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of every core, and the form of the feedback."""
        if self.rewrites:  # What has not been added yet would be rewritten too.
            return super().options
        output = (OUTPUT,) if self.feeds_output_back else ()
        form = replace(FORM, best_on_fpga=self.form_on_fpga)
        return (*super().options, form, *output, DELAY)

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse a form in which nothing moves at this radix, and a RAM that holds nothing or that
        does not fit the other choices."""
        super().check_choices(radix, load_width, options)
        form, output = options.get("form", ""), options.get("output", "")
        if form == AHEAD and output == "split":
            raise InputError("output must be plain with form=ahead, not 'split'")
        if form == AHEAD:
            parts_ahead(self, radix, load_width)
        retiming(self, radix, form, output)
        if options.get(DELAY.name) == RAM:
            refuse_with_ram(options)
            delays_of(self, radix, load_width)

    @cached_property
    def feedback(self) -> tuple[Polynomial, Mapping[str, Polynomial]]:
        """The step as polynomials: output, and input of each register, over variables (register,
        stage) and (control, 0)."""
        return self.read_step(unnamed)

    @cached_property
    def named_sums(self) -> tuple[Polynomial, ...]:
        """What the step names, in its order, over the same variables."""
        sums: list[Polynomial] = []

        def wire(value: Polynomial, name: str = "") -> Polynomial:  # noqa: ARG001
            sums.append(value)
            return value

        self.read_step(wire)
        return tuple(sums)

    def read_step(self, wire: Wire) -> tuple[Polynomial, Mapping[str, Polynomial]]:
        """The step read with polynomials: output, and input of each register."""

        def window(register: Register) -> Window:
            def stage_of(stage: int) -> Polynomial:
                register.position(stage)  # Refuses a stage that the register has not.
                return Polynomial.variable(register.name, stage)

            return stage_of

        controls = {name: Polynomial.variable(name, 0) for name in self.controls}
        results = self.step(wire, *map(window, self.registers), **controls)
        output, entering = output_and_registers(f"step of {self.name}", results)
        check_registers(f"step of {self.name}", entering, self.registers)
        for what, value in (("output", output), *entering.items()):
            check_sum(f"{what} of step of {self.name}", value)
        return output, entering

    def check_functions(self) -> None:
        """Also refuses a step that gives no sums, a constant output, and an unknown form."""
        super().check_functions()
        check_one_bit(self.name, self.word_bits)
        if not self.equations[0].variables:
            raise InputError(f"output of {self.name} must depend on a register, not be constant")
        if self.form_on_fpga and self.form_on_fpga not in FORM.values:
            raise unknown(f"form_on_fpga of {self.name}", self.form_on_fpga, FORM.values)
        for control in self.rewrites:
            self._check_rewrite(control)

    def _check_rewrite(self, control: str) -> None:
        """Refuse other registers than there are, and words of other lengths."""
        counter, what = GateCounter(), f"rewriting of {self.name} at {control}"
        words = [
            SymbolicWord(tuple(counter.bit() for _ in range(register.length)))
            for register in self.registers
        ]
        results = self.rewrites[control](*words)
        registers = {register.name: register for register in self.registers}
        names = set(results) if isinstance(results, Mapping) else ()
        check_names(what, results, [name for name in registers if name in names])
        for name, word in results.items():
            check_word(f"{name} of {what}", word, registers[name].length)

    @cached_property
    def most_read(self) -> int:
        """Number of variables that the widest input of a register reads."""
        return max(len(function.variables) for function in self.feedback[1].values())

    @cached_property
    def equations(self) -> tuple[Polynomial, Mapping[str, Mapping[int, Polynomial]]]:
        """The output, and the next value of the entrance of each register, once the cipher runs."""
        output, entering = self.feedback
        zero = frozenset((name, 0) for name in self.controls)
        newest = {register.name: register.newest for register in self.registers}
        return output.without(zero), {
            name: {newest[name]: function.without(zero)} for name, function in entering.items()
        }

    def register_entries(self) -> Entries:
        """Registers with their taps, which are read in the setup or after it."""
        output, entering = self.feedback
        read = output.variables.union(*(function.variables for function in entering.values()))
        return with_taps(self.registers, self.equations[1], read)

    @property
    def gives_ones(self) -> bool:
        """Whether the output of a state of zeros is one."""
        return frozenset() in self.equations[0].monomials

    @cached_property
    def gates(self) -> Counter[str]:
        """Two-input gates of one step as the description writes it."""
        counter = GateCounter()
        windows = [lambda _stage: counter.bit() for _ in self.registers]
        self.step(unnamed, *windows, **{name: counter.bit() for name in self.controls})
        return counter.gates

    @property
    def feeds_output_back(self) -> bool:
        """Whether a control lets the output into the feedback during the setup."""
        output, entering = self.feedback
        return any(
            term | {(control, 0)} in function.monomials
            for term in output.monomials
            for control in self.controls
            for function in entering.values()
        )

    @cached_property
    def natural_radix(self) -> int:
        """Widest radix at which no step reads a bit made in the same cycle. A stage that is the
        ``n``-th from the entrance still holds old bits for ``n`` steps."""
        output, entering = self.feedback
        return self._steps_before_new_bits(output, *entering.values())

    @cached_property
    def output_lookahead(self) -> int:
        """Steps that the output can be computed ahead from old bits alone."""
        return self._steps_before_new_bits(self.feedback[0])

    def kept_bits(self, radix: int) -> int:
        """Output bits of a cycle that are kept for the next one where the blank steps end within a
        cycle: those behind its first ones, if this costs fewer gates than to read the output ahead.
        """
        left = self.blank_steps % radix
        kept = radix - left
        if not left or self.beside or _GATES_OF_A_FLIP_FLOP * kept >= self.gates_ahead(left):
            return 0
        return kept

    def gates_ahead(self, steps: int) -> int:
        """Two-input gates that it takes to read the output some steps ahead: those of as many
        outputs, and of the steps that make new bits for them."""
        terms = self.feedback[0].monomials
        output = sum(max(1, len(term)) for term in terms) - 1
        return steps * output + max(0, steps - self.output_lookahead) * self.gates.total()

    def _steps_before_new_bits(self, *functions: Polynomial) -> int:
        entrance = {register.name: register.newest for register in self.registers}
        stages = [variable for function in functions for variable in function.variables]
        return min(abs(stage - entrance[name]) + 1 for name, stage in stages if name in entrance)

    def rewritten(self, control: str, words: Mapping[str, Word]) -> dict[str, Word]:
        """The new content of registers at the beginning of a step with this control; bit 0 of a
        word is the oldest stage."""
        turned = [_turned(register, words[register.name]) for register in self.registers]
        changed = self.rewrites[control](*turned)
        return {
            register.name: _turned(register, changed[register.name])
            for register in self.registers
            if register.name in changed
        }


def _turned(register: Register, word: Word) -> Word:
    """A word in ascending stage number with its oldest bit first, or the reverse."""
    if register.newest > register.oldest:
        return word
    return concatenate(*(word[bit] for bit in reversed(range(register.length))))
