# SPDX-License-Identifier: Apache-2.0
"""The property of a core of a sponge in shares: it is the plain core, of which all else is proven.

Beside it a plain core takes the sums of all words that it takes, and stands still in the cycles in
which products are made. From a reset on, the control registers of both are the same, and so are
the sums of the shares and the plain state, as far as they have been loaded; so both offer the same
at all times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from operator import xor

from amaranth.hdl import Cat, EnableInserter, Module, ResetInserter, Signal, Value

from headwater.cipher.option import MASKING
from headwater.kinds.sponge.core import SpongeCore
from headwater.kinds.sponge.facts import SpongeFacts
from headwater.kinds.sponge.masked.core import MaskedCore
from headwater.kinds.sponge.record import KIND
from headwater.prove.alike import always
from headwater.prove.checker import Proof, Property, assert_always
from headwater.prove.reading import other_gates


def check_shares(m: Module, core: MaskedCore, proof: Proof) -> None:
    """Each output is that of the plain core, whatever masks and random bits are."""
    plain = _plain(core)
    stands = core.multiplies
    # A reset leaves state and key alone; of a core that stands still an abort must do no more.
    m.submodules.plain = ResetInserter(stands & core.abort)(EnableInserter(~stands)(plain))
    alike: list[Value] = []
    for name, stream in core.facts.streams.items():
        for member in stream.members:
            own, other = (getattr(getattr(one, name), member) for one in (core, plain))
            if member == "payload":
                own = own[: len(other)] ^ own[len(other) :]
            if (stream.direction == "input") != (member == "ready"):
                m.d.comb += other.eq(own)
            else:
                alike.append(own == other)
    for name in core.facts.inputs:
        m.d.comb += getattr(plain, name).eq(getattr(core, name))
    controls = zip(_control(core), _control(plain), strict=True)
    alike += [*_same_state(core, plain), *_products(core)]
    invariants = [
        *(one == other for one, other in controls),
        ~core.multiplied | core.permuting,
        ~core.idle | core.loading,
        ~core.tagging | ~core.permuting,
        ~core.loading | ~(core.permuting | core.tagging | core.running),
    ]
    assert_always(m, proof, alike, invariants=invariants)


def _plain(core: MaskedCore) -> SpongeCore:
    """The core without shares."""
    architecture = core.architecture
    chosen = tuple(one for one in architecture.chosen if one[0] != MASKING.name)
    facts = SpongeFacts(core.cipher, replace(architecture, chosen=chosen))
    made: SpongeCore = KIND.core_class(facts)(facts)
    return made


def _control(core: SpongeCore) -> tuple[Signal, ...]:
    """The control registers that both cores have."""
    own = [one for one in core.control_registers if one.name != "multiplied"]
    return (*core.session.registers, *own)


def _same_state(core: MaskedCore, plain: SpongeCore) -> Iterator[Value]:
    """The sums of the shares are the plain state; while words of the load are missing, of what has
    been loaded. The state takes these words at its end, and so does the key."""
    first, second = core.copies
    words = core.facts.load_words_count
    yield (core.loading & (core.place == 0)) | (first.s[0] ^ second.s[0] == plain.s[0])
    chain = Cat(
        *(
            one ^ other ^ own
            for one, other, own in zip(first.s[1:], second.s[1:], plain.s[1:], strict=True)
        )
    )
    key = first.key ^ second.key ^ plain.key
    for string, count in ((chain, words), (key, words // 2)):
        for number in range(count):
            differs = string[number * core.width : (number + 1) * core.width].any()
            yield ~differs | (core.loading & (core.place < count - number))


def _products(core: MaskedCore) -> Iterator[Value]:
    """The terms of different shares that have been made are those of the state."""
    for (left, right), crosses in zip(core.factors, core.crosses, strict=True):
        terms = (left[0] & right[1]) ^ (left[1] & right[0])
        yield ~core.multiplied | (reduce(xor, crosses) == terms)


PROPERTIES = (
    Property(
        "shares",
        check_shares,
        other_gates("the plain core, which makes a round in every other cycle"),
        "the sums of the shares are what the plain core has and offers",
        by_induction=always,
        by_hand=(
            "that the sums of the shares are the plain state, and of the terms of products what "
            "they should be"
        ),
    ),
)
