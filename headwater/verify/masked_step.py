# SPDX-License-Identifier: Apache-2.0
"""Whether a core in shares steps as its description: proven on its Verilog, by polynomials.

Of a netlist that Yosys has read, each bit is written as a polynomial of the bits that registers
hold. The hypothesis: the shares of each product that has been made add up to it. Then after any
cycle the sums of the shares are what the description's step makes of their sums, and the hypothesis
holds again. Which cycle it is, the control bits decide, whose values are gone through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import xor

from headwater.algebra.polynomial import Polynomial
from headwater.kinds.stepped.masked.facts import MaskedFacts
from headwater.kinds.stepped.masked.products import Factor, Product, Tap
from headwater.leakage.netlist import Bit, Netlist
from headwater.verify.netlist_polynomials import NONE, TRUE, Sum, Values, both


@dataclass(frozen=True)
class Cycle:
    """A kind of cycle: the values of the control bits, and what has been made before it."""

    name: str
    go: bool
    loading: bool
    running: bool
    waited: int = 0
    """Cycles since the state has moved, where steps wait for their products."""
    controls: frozenset[str] = frozenset()
    """The controls of the description that are one."""
    public: Mapping[str, bool] = field(default_factory=dict)
    """Other bits of the control, by name."""


class StepProof:
    """The proof of one kind of cycle: by polynomials of a netlist, which is the RTL of a core with
    the signals that drive its shares as inputs."""

    @staticmethod
    def modes(facts: MaskedFacts) -> Iterator[Cycle]:
        """What a core may be doing, each in a cycle in which its state moves; the load first."""
        controls = frozenset(facts.cipher.controls)
        yield Cycle("load", True, True, False, facts.plan.waits)
        yield Cycle("setup", True, False, False, facts.plan.waits, controls)
        yield Cycle("running", True, False, True, facts.plan.waits)

    @classmethod
    def cycles(cls, facts: MaskedFacts) -> Iterator[Cycle]:
        """Every kind of cycle."""
        waits = facts.plan.waits
        load, *modes = cls.modes(facts)
        yield load
        for mode in modes:
            name = f"of the {mode.name} cipher"
            yield replace(mode, name=f"step {name}")
            if facts.waits:
                yield replace(mode, name=f"stall {name}", go=False)
            for waited in range(waits):
                told = f"products {name}, {waited} cycles after a step"
                yield replace(mode, name=told, waited=waited)

    def __init__(self, facts: MaskedFacts, netlist: Netlist, cycle: Cycle) -> None:
        self._facts, self._plan, self._netlist, self._cycle = facts, facts.plan, netlist, cycle
        self._values = Values(netlist)
        self._state: dict[tuple[str, int], Sum] = {}
        """The sum of both shares of each bit."""
        self._share_registers()
        self._control()
        for number, (product, ahead) in enumerate(self._plan.gadgets):
            self._gadget_registers(number, product, ahead)
        self._values.solve()

    def _bits(self, name: str) -> Mapping[int, Bit]:
        return self._netlist.wires[name]

    def _put(self, name: str, at: int, value: Sum) -> None:
        self._values.known[self._bits(name)[at]] = value

    def _share_registers(self) -> None:
        for name, register in self._plan.registers.items():
            for at in range(register.length):
                total, mask = self._values.new(), self._values.new()
                self._state[name, at] = total
                self._put(f"{name}_share0", at, total ^ mask)
                self._put(f"{name}_share1", at, mask)

    def _control(self) -> None:
        cycle = self._cycle
        values = {"loading": cycle.loading, "running": cycle.running}
        if self._facts.waits:
            values |= {"go": cycle.go}
        if self._facts.word_counts:
            values |= {self._facts.word_counts: True}
        values |= cycle.public
        for name, value in values.items():
            self._put(name, 0, TRUE if value else NONE)
        for at in range(self._plan.waits):
            self._put("waited", at, TRUE if at < cycle.waited else NONE)

    def _gadget_registers(self, number: int, product: Product, ahead: int) -> None:
        """What the registers of a gadget hold by the hypothesis, if it is made."""
        for step in range(self._plan.radix):
            if product.refreshed:
                self._refreshed(number, product, ahead, step)
            if product.keeps_inner:
                inner = [self._values.new(), self._values.new()]
                for share in (0, 1):
                    self._put(f"inner{number}_share{share}", step, inner[share])
            else:
                inner = [self._own_terms(product, ahead, step, share) for share in (0, 1)]
            cross = self._values.new()
            self._put(f"cross{number}_share0", step, cross)
            other = cross ^ inner[0] ^ inner[1] ^ self._product_value(product, ahead, step)
            registered = product.latency <= self._made_latency
            self._put(f"cross{number}_share1", step, other if registered else self._values.new())

    def _refreshed(self, number: int, product: Product, ahead: int, step: int) -> None:
        mask = self._values.new()
        self._put(f"masked{number}_share0", step, mask)
        registered = product.right.latency + 1 <= self._made_latency
        value = self._value(product.right, ahead + 1, step, self._state)
        self._put(
            f"masked{number}_share1", step, mask ^ value if registered else self._values.new()
        )

    @property
    def _made_latency(self) -> int:
        """The latency of the products that are made."""
        return self._cycle.waited if self._plan.waits else self._plan.latency

    def _own_terms(self, product: Product, ahead: int, step: int, share: int) -> Sum:
        """The term of one share of a product of two stages."""
        terms = [
            self._values.known[self._bits(f"{tap.register}_share{share}")[at]]
            for tap in product.taps
            for at in (self._place(tap, ahead, step),)
        ]
        return reduce(both, terms)

    def _place(self, tap: Tap, ahead: int, step: int) -> int:
        moves = ahead if self._plan.reads_ahead else 0
        return (
            self._plan.registers[tap.register].position(tap.stage)
            + step
            + (moves * self._plan.radix)
        )

    def _value(
        self, factor: Factor, ahead: int, step: int, state: Mapping[tuple[str, int], Sum]
    ) -> Sum:
        """A factor of the sums of shares."""
        return reduce(
            both, (state[tap.register, self._place(tap, ahead, step)] for tap in factor.taps)
        )

    def _product_value(
        self,
        product: Product,
        ahead: int,
        step: int,
        state: Mapping[tuple[str, int], Sum] | None = None,
    ) -> Sum:
        """What the shares of a gadget add up to: the product, and the stages that mask it."""
        at = self._state if state is None else state
        total = self._value(product, ahead, step, at)
        mask = self._plan.masks.get(product)
        for tap in mask.stages if mask else ():
            total ^= self._value(tap, ahead, step, at)
        return total

    def faults(self) -> Iterator[str]:
        """What differs in this kind of cycle."""
        state = {
            (name, at): self._after(f"{name}_share0", at) ^ self._after(f"{name}_share1", at)
            for name, register in self._plan.registers.items()
            for at in range(register.length)
        }
        wanted = self._wanted()
        for name in self._plan.registers:
            if any(state[key] != value for key, value in wanted.items() if key[0] == name):
                yield f"register {name} takes other bits than the description's"
        for number, (product, ahead) in enumerate(self._plan.gadgets):
            if not self._is_kept(number, product, ahead, state):
                yield f"the shares of {product} do not add up to it"
        yield from self._output_faults()
        yield from self._waiting_faults()

    def _after(self, name: str, at: int) -> Sum:
        return self._values.after(self._bits(name)[at])

    @property
    def _moves(self) -> bool:
        cycle = self._cycle
        return cycle.go and (cycle.loading or cycle.waited == self._plan.waits)

    def _wanted(self) -> dict[tuple[str, int], Sum]:
        """What the registers hold in the next cycle."""
        if not self._moves:
            return dict(self._state)
        radix, sums = self._plan.radix, dict[tuple[str, int], Sum]()
        before = [
            self._values.known[bit] ^ self._values.known[other] for bit, other in self._load_bits()
        ]
        for name, register in self._plan.registers.items():
            for at in range(register.length - radix):
                sums[name, at] = self._state[name, at + radix]
            for step in range(radix):
                entering = before[step] if self._cycle.loading else self._stepped(name, step)
                sums[name, register.length - radix + step] = entering
            before = [self._state[name, step] for step in range(radix)]
        return sums

    def _load_bits(self) -> Iterator[tuple[Bit, Bit]]:
        word, radix = self._bits("load_payload"), self._plan.radix
        yield from ((word[at], word[at + radix]) for at in range(radix))

    def _stepped(self, name: str, step: int) -> Sum:
        """What enters a register in a step of the description."""
        return self._of_description(self._plan.cipher.feedback[1][name], step)

    def _of_description(self, function: Polynomial, step: int) -> Sum:
        total = NONE
        for monomial in function.monomials:
            product = TRUE
            for name, stage in monomial:
                if name in self._plan.registers:
                    place = self._plan.registers[name].position(stage) + step
                    product = both(product, self._state[name, place])
                elif name not in self._cycle.controls:
                    product = NONE
            total ^= product
        return total

    def _is_kept(
        self, number: int, product: Product, ahead: int, state: Mapping[tuple[str, int], Sum]
    ) -> bool:
        """Whether the shares of a gadget add up to its product in the next cycle, as far as it is
        made then."""
        later = self._plan.latency
        if self._plan.waits:
            later = 0 if self._moves else min(self._cycle.waited + 1, self._plan.waits)
        for step in range(self._plan.radix):
            if product.refreshed and product.right.latency + 1 <= later:
                masked = [self._after(f"masked{number}_share{share}", step) for share in (0, 1)]
                if reduce(xor, masked) != self._value(product.right, ahead + 1, step, state):
                    return False
            if product.latency <= later:
                total = reduce(xor, self._parts(number, product, ahead, step))
                if total != self._product_value(product, ahead, step, state):
                    return False
        return True

    def _parts(self, number: int, product: Product, ahead: int, step: int) -> Iterator[Sum]:
        """What adds up to a product in the next cycle."""
        for share in (0, 1):
            yield self._after(f"cross{number}_share{share}", step)
            if product.keeps_inner:
                yield self._after(f"inner{number}_share{share}", step)
            else:
                yield reduce(
                    both,
                    (
                        self._after(f"{tap.register}_share{share}", self._place(tap, ahead, step))
                        for tap in product.taps
                    ),
                )

    def _output_faults(self) -> Iterator[str]:
        """What differs in the output."""
        radix, word = self._plan.radix, self._netlist.outputs["keystream_payload"]
        if self._cycle.running and self._cycle.waited == self._plan.waits:
            for step in range(radix):
                total = self._values.known[word[step]] ^ self._values.known[word[radix + step]]
                if total != self._of_description(self._plan.cipher.feedback[0], step):
                    yield "the shares of the output do not add up to it"
                    break

    def _waiting_faults(self) -> Iterator[str]:
        """What differs in the count of cycles that a step waits."""
        waited = 0 if self._moves else min(self._cycle.waited + 1, self._plan.waits)
        for at in range(self._plan.waits):
            if both(self._after("waited", at), self._no_reset) != (
                self._no_reset if at < waited else NONE
            ):
                yield "cycles of waiting are counted wrong"
                break

    @property
    def _no_reset(self) -> Sum:
        (reset,) = self._netlist.inputs["rst"]
        return self._values.known[reset] ^ TRUE
