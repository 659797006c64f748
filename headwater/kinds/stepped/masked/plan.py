# SPDX-License-Identifier: Apache-2.0
"""How a cipher's step is made of two shares: its sums, its products, and when they are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from headwater.algebra.polynomial import Monomial, Polynomial
from headwater.cipher.description import Cipher
from headwater.cipher.register import Register
from headwater.errors import InputError, describe_numbers
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.masked.products import Factor, Product, Tap, products_of, readings
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.word_cipher import WordCipher


@dataclass(frozen=True)
class Sum:
    """What enters a register, or the output: a sum of stages, products and a constant."""

    stages: tuple[Tap, ...]
    products: tuple[Product, ...]
    constant: bool

    @property
    def masks_itself(self) -> bool:
        """Whether its stages can be the mask of its product."""
        return len(self.products) == 1 and not self.products[0].keeps_inner and len(self.stages) > 1

    def beside(self, other: Sum) -> tuple[Tap, ...] | None:
        """The stages that this sum has more than another one; None if it is not that and stages."""
        if other.products != self.products or other.constant != self.constant:
            return None
        more = tuple(one for one in self.stages if one not in other.stages)
        return more if len(self.stages) == len(other.stages) + len(more) else None


@dataclass(frozen=True)
class Gated:
    """A sum, and others that are added while some controls of the setup are one."""

    always: Sum
    added: Mapping[frozenset[str], Sum]


@dataclass(frozen=True)
class Plan:
    """A masked step of a cipher: ``radix`` steps at once."""

    cipher: ShiftRegisterCipher
    radix: int

    @cached_property
    def registers(self) -> Mapping[str, Register]:
        """The registers by name."""
        return {register.name: register for register in self.cipher.registers}

    @cached_property
    def _feedback(self) -> tuple[Polynomial, Mapping[str, Polynomial]]:
        """The step without terms whose controls are never one together."""
        output, entering = self.cipher.feedback
        return output, {name: self._happening(value) for name, value in entering.items()}

    def _happening(self, total: Polynomial) -> Polynomial:
        phases = [set(phase.controls) for phase in self.cipher.phases]
        return Polynomial(
            frozenset(
                one
                for one in total.monomials
                if not (on := self._controls_in(one)) or any(on <= phase for phase in phases)
            )
        )

    def _controls_in(self, monomial: Monomial) -> frozenset[str]:
        return frozenset(name for name, _ in monomial) & frozenset(self.cipher.controls)

    @cached_property
    def _products(self) -> Mapping[Monomial, Product]:
        output, entering = self._feedback
        controls = frozenset((name, 0) for name in self.cipher.controls)
        monomials = {
            one - controls for each in (output, *entering.values()) for one in each.monomials
        }
        ordered = sorted(monomials, key=lambda one: (len(one), sorted(one)))
        return products_of(ordered, self.registers, self.radix)

    @cached_property
    def output(self) -> Sum:
        """The output."""
        return self._sum(self.cipher.feedback[0])

    @cached_property
    def entering(self) -> Mapping[str, Gated]:
        """What enters each register."""
        return {name: self._gated(entering) for name, entering in self._feedback[1].items()}

    def _gated(self, entering: Polynomial) -> Gated:
        sums: dict[frozenset[str], set[Monomial]] = {frozenset(): set()}
        for one in entering.monomials:
            on = self._controls_in(one)
            sums.setdefault(on, set()).add(one - {(name, 0) for name in on})
        always, *added = sorted(sums, key=sorted)
        of = {on: self._sum(Polynomial(frozenset(sums[on]))) for on in (always, *added)}
        return Gated(of[always], {on: of[on] for on in added})

    def _sum(self, total: Polynomial) -> Sum:
        ordered = sorted(total.monomials, key=sorted)
        return Sum(
            tuple(Tap(*variable) for one in ordered if len(one) == 1 for variable in one),
            tuple(self._products[one] for one in ordered if len(one) > 1),
            frozenset() in total.monomials,
        )

    @cached_property
    def products(self) -> tuple[Product, ...]:
        """All products that sums add."""
        return tuple(dict.fromkeys(self._products.values()))

    @cached_property
    def gadgets(self) -> tuple[tuple[Product, int], ...]:
        """The gadgets: each product with how many cycles before its use its value is there. Where
        steps wait for products, one value serves all uses, and the number is 0."""
        found: dict[tuple[Product, int], None] = {}

        def visit(factor: Factor, ahead: int) -> None:
            if isinstance(factor, Tap):
                return
            visit(factor.left, ahead + 1)
            visit(factor.right, ahead + 1 + factor.refreshed)
            found[factor, ahead if self.reads_ahead else 0] = None

        for one in self.products:
            visit(one, 0)
        return tuple(found)

    @cached_property
    def latency(self) -> int:
        """Cycles from the reading of a product's first stages to its value."""
        return max((one.latency for one in self.products), default=0)

    @cached_property
    def reads_ahead(self) -> bool:
        """Whether every stage of a product is in its register so many cycles before the step that
        products are made while the cipher goes on. If not, each step waits for them."""
        read = [(self._place(tap), ahead) for one in self.products for tap, ahead in readings(one)]
        if self._masks_itself:
            read += [
                (self._place(tap), 1)
                for each in self.entering.values()
                for tap in each.always.stages
            ]
        return all(left >= (ahead + 1) * self.radix for left, ahead in read)

    def _place(self, tap: Tap) -> int:
        """Places from the stage to where new bits enter, both counted."""
        register = self.registers[tap.register]
        return register.length - register.position(tap.stage)

    @property
    def waits(self) -> int:
        """Cycles that each step waits for its products."""
        return 0 if self.reads_ahead else self.latency

    @property
    def fresh_free(self) -> bool:
        """Whether each product is masked by the stages that it is added to, and needs no random
        bit. Where a step waits for its products, what masked them has left the state when the next
        ones are made, and is no mask of its own any more."""
        return self._masks_itself and self.reads_ahead

    @cached_property
    def _masks_itself(self) -> bool:
        """Whether each sum has one product at most, that of two stages, and others to mask it."""
        sums = [each.always for each in self.entering.values()]
        alone = not any(each.added for each in self.entering.values())
        return (
            alone
            and not self.output.products
            and all(one.masks_itself for one in sums if one.products)
        )

    @property
    def masks(self) -> Mapping[Product, Sum]:
        """By product, the sum whose stages mask it; none where random bits do."""
        if not self.fresh_free:
            return {}
        sums = (each.always for each in self.entering.values())
        return {one.products[0]: one for one in sums if one.products}


_CLOCKS_ITSELF = "its registers decide whether they move, which shares cannot without telling"
_ADDS = "it adds whole words, and no gadget for the carries of shares is here yet"


@lru_cache(maxsize=64)
def plan_of(cipher: ShiftRegisterCipher, radix: int) -> Plan:
    """The plan of a cipher at a radix, which must be legal."""
    return Plan(cipher, radix)


def check_radix(cipher: Cipher, radix: int, legal: Sequence[int]) -> None:
    """Refuse a radix that a masked core has not."""
    if radix not in legal:
        raise InputError(
            f"radix of a masked core of {cipher.name} must be "
            f"{describe_numbers(legal)}, not {radix!r}"
        )


def legal_radices(cipher: Cipher) -> list[int]:
    """The radices of masked cores: those at which no step reads a bit that is made in the same
    cycle, and the setup is whole cycles.

    Raises
    ------
    InputError
        If the cipher cannot be masked yet; with the reason.
    """
    if not isinstance(cipher, ShiftRegisterCipher):
        raise InputError(
            f"cipher of a masked core must be one of shift registers that always move, or a "
            f"sponge, not {cipher.name}: {_reason(cipher)}"
        )
    _check_setup(cipher)
    return [
        one
        for one in cipher.legal_radices()
        if one <= cipher.natural_radix and cipher.blank_steps % one == 0
    ]


def _reason(cipher: Cipher) -> str:
    if isinstance(cipher, ClockedCipher):
        return _CLOCKS_ITSELF
    if isinstance(cipher, WordCipher) or cipher.kind in ("block_stream", "word_aead"):
        return _ADDS
    return f"no masked core of the kind {cipher.kind} is here yet"


def _check_setup(cipher: ShiftRegisterCipher) -> None:
    """Refuse setups that do more than let the output, or another sum, enter in all blank steps."""
    always = all(set(phase.controls) == set(cipher.controls) for phase in cipher.phases)
    if cipher.rewrites or cipher.steps_per_bit != 1 or not always:
        raise InputError(
            f"cipher of a masked core must have a setup whose steps are all alike, "
            f"and {cipher.name} has another one"
        )
    if any(register.setup_only for register in cipher.registers):
        raise InputError(
            f"cipher of a masked core must have no register for its setup alone, and "
            f"{cipher.name} has one"
        )
