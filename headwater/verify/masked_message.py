# SPDX-License-Identifier: Apache-2.0
"""Whether a core in shares that authenticates steps as its description, a message included.

Where the message is in shares inside, the hypothesis also has: if a word enters the accumulator,
the registers of its products add up to the terms of different shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from operator import xor
from typing import Any

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.kinds.bit_aead.masked.facts import MaskedAeadFacts
from headwater.kinds.registry import masked_part
from headwater.kinds.stepped.masked.facts import MaskedFacts
from headwater.leakage.netlist import Netlist
from headwater.verify.masked_step import Cycle, StepProof
from headwater.verify.netlist_polynomials import NONE, Sum, both

Value = Callable[[str, int], Sum]
"""A bit of a signal, by its name and place."""


class MessageProof(StepProof):
    """The proof of one kind of cycle."""

    @staticmethod
    def modes(facts: MaskedFacts) -> Iterator[Cycle]:
        """The load, the phases of the setup, the steps of a message, and those that send a tag."""
        waits = facts.plan.waits
        alternates = {"odd": False} if facts.architecture.radix == 1 else {}
        still = {"authenticating": False, "sending": False, **alternates}
        yield Cycle("load", True, True, False, waits, public=still)
        for phase in facts.cipher.phases:
            on = frozenset(phase.controls)
            flags = {f"phase_{name}": name in on for name in facts.cipher.controls}
            yield Cycle(f"setup's {phase.name}", True, False, False, waits, on, flags | still)
        over = {f"phase_{name}": False for name in facts.cipher.controls}
        for odd in (False, True) if alternates else (False,):
            message = {"authenticating": True, "sending": False, **dict.fromkeys(alternates, odd)}
            name = "authenticating" if odd else "encrypting"
            yield Cycle(name, True, False, True, waits, public=over | message)
        yield Cycle("sending", True, False, True, waits, public=over | still | {"sending": True})

    def __init__(self, facts: MaskedAeadFacts, netlist: Netlist, cycle: Cycle) -> None:
        self._message = facts
        self._tag, self._width = facts.cipher.tag_bits, facts.data_bits
        self._name = facts.cipher.authenticator
        super().__init__(facts, netlist, cycle)

    def _control(self) -> None:
        super()._control()
        if self._message.decrypts:
            self._product_registers()

    def _product_registers(self) -> None:
        """The registers of the products of a message, by the hypothesis."""
        for name, bits in (("before", self._width), ("past", self._message.past_bits)):
            for at in range(bits):
                for share in (0, 1):
                    self._put(f"{name}_share{share}", at, self._values.new())
        for at in range(self._tag):
            register = self._values.new()
            self._put("added_share0", at, register)
            self._put("added_share1", at, register ^ self._terms(self._now, at))

    def _now(self, name: str, at: int) -> Sum:
        return self._values.known[self._bits(name)[at]]

    def _terms(self, value: Value, row: int) -> Sum:
        """The terms of different shares of what enters a stage of the accumulator."""
        pairs = [(place, share) for place in range(self._width) for share in (0, 1)]
        terms = (
            both(value(f"before_share{share}", place), self._line(value, 1 - share, row + place))
            for place, share in pairs
        )
        return reduce(xor, terms)

    def _line(self, value: Value, share: int, at: int) -> Sum:
        """A bit of one share of the line that enters the accumulator."""
        kept = self._message.past_bits
        if at < kept:
            return value(f"past_share{share}", at)
        return value(f"{self._name}_share{share}", self._tag + at - kept)

    @property
    def _authenticates(self) -> bool:
        return bool(self._cycle.public.get("authenticating"))

    @property
    def _shifts(self) -> bool:
        """Whether the shift register moves for a message."""
        return self._authenticates and self._moves and bool(self._cycle.public.get("odd", True))

    def _wanted(self) -> dict[tuple[str, int], Sum]:
        sums = super()._wanted()
        if not (self._authenticates and self._moves):
            return sums
        output, name, tag = self._plan.cipher.feedback[0], self._name, self._tag
        for at in range(tag):
            sums[name, at] = self._state[name, at] ^ self._taken_in(at)
            moved = at + self._width * self._shifts
            odd = 2 * (moved - tag) + (self._plan.radix > 1)
            sums[name, tag + at] = (
                self._state[name, tag + moved] if moved < tag else self._of_description(output, odd)
            )
        return sums

    def _taken_in(self, row: int) -> Sum:
        """What enters a stage of the accumulator."""
        total = NONE
        for place in range(self._width):
            line = self._line(self._now, 0, row + place) ^ self._line(self._now, 1, row + place)
            total ^= both(
                self._word("before" if self._message.decrypts else "message", place), line
            )
        return both(self._now("enters", 0), total) if self._message.decrypts else total

    def _word(self, name: str, at: int) -> Sum:
        """A bit of a word of the message."""
        if not self._message.decrypts:
            return self._now(name, at)
        return self._sum(name, at)

    def _output_faults(self) -> Iterator[str]:
        made = self._cycle.waited == self._plan.waits
        if self._authenticates and made:
            yield from self._text_faults()
        yield from self._tag_faults()
        yield from self._message_faults()

    def _text_faults(self) -> Iterator[str]:
        word, output = self._netlist.outputs["data_out_payload"], self._plan.cipher.feedback[0]
        for at in range(self._width):
            text = self._now("data_in_payload", at) ^ self._of_description(output, 2 * at)
            total = self._values.known[word[at]] ^ self._values.known[word[at + self._width]]
            if total != both(text, self._now("shown", at)):
                yield "the shares of the other text do not add up to it"
                break

    def _tag_faults(self) -> Iterator[str]:
        word = self._netlist.outputs["tag_payload"]
        width = len(word) // 2
        for at in range(width):
            total = self._values.known[word[at]] ^ self._values.known[word[at + width]]
            if total != both(self._state[self._name, at], self._now("sending", 0)):
                yield "the shares of the tag do not add up to it"
                break

    def _message_faults(self) -> Iterator[str]:
        """What differs in the registers that follow a message."""
        if self._moves and self._cycle.waited == self._plan.waits:
            yield from self._word_faults()
            yield from self._past_faults()
        if not self._message.decrypts:
            return
        entering = self._after("enters", 0)
        if not self._shifts and self._moves and entering != NONE:
            yield "a word enters the accumulator without its products"
        for at in range(self._tag):
            total = self._after("added_share0", at) ^ self._after("added_share1", at)
            if both(entering, total ^ self._terms(self._after, at)) != NONE:
                yield "the shares of the products of a message do not add up to them"
                break

    def _past_faults(self) -> Iterator[str]:
        """Whether what has left the shift register is kept in a message, and else is zeros."""
        bits = self._message.past_bits
        for at in range(bits):
            wanted = self._sum("past", at) if self._authenticates else NONE
            if self._shifts:
                now = [self._line(self._now, share, at + self._width) for share in (0, 1)]
                wanted = now[0] ^ now[1]
            if self._after("past_share0", at) ^ self._after("past_share1", at) != wanted:
                yield "the bits that have left the shift register are others"
                break

    def _sum(self, name: str, at: int) -> Sum:
        return self._now(f"{name}_share0", at) ^ self._now(f"{name}_share1", at)

    def _word_faults(self) -> Iterator[str]:
        """Whether the next word is what the control gives, decrypted where it says so."""
        output = self._plan.cipher.feedback[0]
        for at in range(self._width):
            wanted = self._now("given", at)
            if self._message.decrypts:
                text = self._of_description(output, 2 * at)
                wanted ^= both(self._now("through", at), text)
                total = self._after("message_share0", at) ^ self._after("message_share1", at)
            else:
                total, wanted = (
                    both(one, self._kept) for one in (self._after("message", at), wanted)
                )
            if total != wanted:
                yield "the word of a message is another one"
                break

    @property
    def _kept(self) -> Sum:
        """Whether neither a reset nor the end of the session empties the registers."""
        (abort,) = self._bits("abort").values()
        return both(self._no_reset, self._values.known[abort] ^ frozenset({0}))


PROOFS: Mapping[str, Any] = {"stepped": StepProof, "bit_aead": MessageProof}
"""The proofs of cores whose shares step, by the kind of cipher."""


def proof_of(facts: MaskedFacts) -> type[StepProof]:
    """The proof of a core's cycles."""
    proof: type[StepProof] = PROOFS[facts.cipher.kind]
    return proof


def facts_of_shares(cipher: Cipher, architecture: Architecture) -> MaskedFacts:
    """The facts of a core of one of these kinds."""
    facts: MaskedFacts = masked_part(cipher, "facts").facts_of_shares(cipher, architecture)
    return facts


def cycles(facts: MaskedFacts) -> Sequence[Cycle]:
    """Every kind of cycle of a core."""
    return list(proof_of(facts).cycles(facts))


def step_faults(facts: MaskedFacts, netlist: Netlist) -> Iterator[str]:
    """What differs from the description, one line for each kind of cycle and signal; nothing if the
    core is proven. ``netlist`` is its RTL, with the signals that drive its shares as inputs."""
    proof = proof_of(facts)
    for cycle in cycles(facts):
        yield from (f"{cycle.name}: {what}" for what in proof(facts, netlist, cycle).faults())
