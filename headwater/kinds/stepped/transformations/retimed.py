# SPDX-License-Identifier: Apache-2.0
"""Retimed feedback: terms are added where their bits have moved down, some cycles later.

The circuit has delayed flags, partial sums, and the registers after a cycle. A bit that was made
some cycles ago still lacks the terms that enter later; `Retimed.undo` adds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import and_, xor
from typing import TYPE_CHECKING

from amaranth.hdl import Cat, Const, Module, Signal, Value

from headwater.algebra.polynomial import Monomial, Polynomial
from headwater.core.naming import named
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.sums import sum_of
from headwater.kinds.stepped.transformations.retiming import Retiming, inputs_of
from headwater.kinds.stepped.transformations.transformation import State, Transformation
from headwater.kinds.stepped.unrolled import Unrolled

if TYPE_CHECKING:
    from headwater.kinds.stepped.core import SteppedCore


class Retimed(Transformation):
    """The circuit of a retiming. With ``kept`` a reset leaves output that waits as it is."""

    def __init__(self, cipher: ShiftRegisterCipher, retiming: Retiming, *, kept: bool) -> None:
        self._cipher = cipher
        self._made = retiming
        self._radix = retiming.form.radix
        self._sums: dict[Polynomial, Signal] = {}
        cycles = range(1, retiming.delays + 1)
        self.fresh = {cycle: Signal(name=f"fresh_{cycle}", init=1) for cycle in cycles}
        """By number of cycles: whether fewer have passed since the load."""
        self.late = {
            (control, cycle): Signal(name=f"{control}_late_{cycle}")
            for control in cipher.controls
            for cycle in range(1, self._latest(control) + 1)
        }
        """By control and number of cycles: the control delayed so long, zero before the load's
        end."""
        self.pipeline = {
            cycle: Signal(self._radix, name=f"output_after_{cycle}", reset_less=kept)
            for cycle in range(min(retiming.output) // self._radix + 1, retiming.latency + 1)
        }
        """By number of cycles: the sum of the output's parts that came in earlier cycles."""
        self.secrets = tuple(self.pipeline.values())
        self.flags = (*self.fresh.values(), *self.late.values())

    def _latest(self, control: str) -> int:
        """The longest delay of a control in cycles."""
        return max(
            depth // self._radix
            for parts in self._made.form.terms.values()
            for depth, terms in parts.items()
            if depth == 0 or control in {name for name, _ in terms.variables}
        )

    def move(self, m: Module, core: SteppedCore) -> None:
        """Shift flags and pipeline."""
        with m.If(core.enable):
            for cycle, flag in self.fresh.items():
                m.d.sync += flag.eq(self.fresh.get(cycle - 1, core.loading))
            for (control, cycle), flag in self.late.items():
                now = core.controls(control, 0) & ~core.loading
                m.d.sync += flag.eq(self.late.get((control, cycle - 1), now))
            for cycle, following in self._following.items():
                m.d.sync += self.pipeline[cycle].eq(following)
        core.session.clear_at_once(m, self.pipeline.values())

    def steps(self, m: Module, core: SteppedCore) -> Unrolled:
        """The output word and the registers after a cycle, in the retimed form."""
        self._m, self._state, self._controls = m, core.state, core.controls
        output = self._output()
        after = {name: self._moved(name, parts) for name, parts in self._made.form.terms.items()}
        for name in self._cipher.beside:
            after[name] = Cat(core.state[name][self._radix :], self._refilled(name, output))
        return Unrolled((output,), lambda _steps: after)

    def _output(self) -> Value:
        """The output word: the sum of parts of this cycle and of earlier ones."""
        parts = {depth // self._radix: part for depth, part in self._made.output.items()}
        first = min(parts)
        self._following: dict[int, Value] = {}
        so_far: Value = self._sum(f"output_part_{first}", parts[first])
        for cycle in self.pipeline:
            self._following[cycle] = so_far
            so_far = self.pipeline[cycle]
            if cycle in parts:
                so_far = so_far ^ self._sum(f"output_part_{cycle}", parts[cycle])
        return named(self._m, "output_word", so_far)

    def _refilled(self, name: str, output: Value) -> Value:
        """The input of a register in `SteppedCipher.beside` during the setup."""
        controls = {
            control: self._controls(control, 0).replicate(self._radix)
            for control in self._cipher.controls
        }
        content, radix = self._state[name], self._radix
        (register,) = (one for one in self._cipher.registers if one.name == name)

        def window(stage: int) -> Value:
            return content[register.position(stage) :][:radix]

        entering = self._cipher.beside[name](output, window, **controls)
        return named(self._m, f"{name}_in", entering)

    def _moved(self, name: str, parts: Mapping[int, Polynomial]) -> Value:
        """A register after a cycle: shifted, with each part added at its depth."""
        register, radix = self._state[name], self._radix
        top = len(register)
        pieces, below = [], radix
        for depth in sorted(parts, reverse=True):
            added = self._part(name, depth, parts[depth])
            place = top - depth
            pieces.append(register[below:place])
            pieces.append(register[place : place + radix] ^ added if depth else added)
            below = place + radix
        return Cat(*pieces)

    def _part(self, name: str, depth: int, terms: Polynomial) -> Value:
        """What a register adds at a depth: the sums of terms with and without controls."""
        cycle = depth // self._radix
        groups: dict[tuple[str, ...], set[Monomial]] = {}
        for term in terms.monomials:
            inputs = inputs_of(self._cipher, term)
            groups.setdefault(tuple(sorted(control for control, _ in inputs)), set()).add(
                term - inputs
            )
        added = []
        for used, monomials in sorted(groups.items()):
            label = "_".join((name, *used, "part", str(cycle)))
            value: Value = self._sum(label, Polynomial(frozenset(monomials)))
            gates = [self._control(control, cycle) for control in used]
            if not used and cycle:
                gates = [~self.fresh[cycle]]
            added.append(reduce(and_, (gate.replicate(self._radix) for gate in gates), value))
        return named(self._m, f"{name}_in_{cycle}", reduce(xor, added))

    def _control(self, control: str, cycle: int) -> Value:
        return self.late[control, cycle] if cycle else self._controls(control, 0)

    def _sum(self, name: str, terms: Polynomial) -> Signal:
        """The sum of some products of windows, shared between its uses."""
        if terms not in self._sums:
            self._sums[terms] = named(self._m, name, sum_of(terms, self._window, self._radix))
        return self._sums[terms]

    def _window(self, register: str, place: int) -> Value:
        return self._state[register][place : place + self._radix]

    def undo(self, m: Module, core: SteppedCore, state: State) -> State:  # noqa: ARG002
        """The registers with all terms that still have to enter."""
        plain: dict[str, Signal] = {
            name: Signal(len(register), name=f"plain_{name}") for name, register in state.items()
        }
        for name, register in state.items():
            m.d.comb += plain[name].eq(self._completed(name, register, plain))
        return plain

    def _completed(self, name: str, register: Value, plain: State) -> Value:
        parts, radix = self._made.form.terms.get(name, {}), self._radix
        blocks: list[Value] = []
        deepest = max(parts, default=0) // radix
        for cycles in range(1, deepest + 1):
            first = len(register) - cycles * radix
            value: Value = register[first : first + radix]
            for depth, terms in parts.items():
                if depth >= cycles * radix:
                    value = value ^ self._lacking(terms, depth - cycles * radix, cycles, plain)
            blocks.insert(0, value)
        return Cat(register[: len(register) - deepest * radix], *blocks)

    def _lacking(self, terms: Polynomial, higher: int, cycles: int, plain: State) -> Value:
        """A part that bits made some cycles ago still lack. Its terms are those of the state in
        which they were made, whose bits are so many radices lower now; it is added once they have
        moved ``higher`` places down."""
        products = [self._product(term, higher, cycles, plain) for term in terms.monomials]
        return reduce(xor, products, Const(0, self._radix))

    def _product(self, term: Monomial, higher: int, cycles: int, plain: State) -> Value:
        factors: list[Value] = []
        controlled = False
        for name, place in sorted(term):
            if name in plain:
                factors.append(plain[name][place + higher : place + higher + self._radix])
            else:
                controlled = True
                factors.append(self.late[name, cycles].replicate(self._radix))
        if not controlled:
            factors.append((~self.fresh[cycles]).replicate(self._radix))
        return reduce(and_, factors)

    def invariant(self, core: SteppedCore) -> Value:
        """Delayed controls are no more together than the controls themselves."""
        true: Value = Const(1, 1)
        for first, second in core.cipher.never_together:
            for control, cycle in self.late:
                if control == first and (second, cycle) in self.late:
                    true &= ~(self.late[first, cycle] & self.late[second, cycle])
        return true
