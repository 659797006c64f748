# SPDX-License-Identifier: Apache-2.0
"""Checkers of a core of a filtered LFSR that processes a message."""

from __future__ import annotations

from functools import reduce
from operator import add, or_

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.kinds.bit_aead.checkers import (
    WIDEST_WITHOUT_BOUND,
    assert_crosses,
    at_most_one,
    authenticated,
    taken_word,
    text_bits,
)
from headwater.kinds.filtered.message import FilteredAeadCore
from headwater.kinds.stepped.checkers.phases import phases
from headwater.prove.checker import Proof, aborting, becomes, earlier, first_cycle


def check_data(m: Module, core: FilteredAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """A text bit leaves encrypted by the keystream bit of its place. Other bits are zero."""
    assert_crosses(m, core, core.encrypting, Const(1, 1))


def check_absorb(m: Module, core: FilteredAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """For every plain bit that is one, the shift register is added to the accumulator; then the bit
    of the inverse enters the shift register. In the setup every step counts as a one."""
    data, register = core.data_in, core.state[core.cipher.authenticator]
    tag, always = core.cipher.tag_bits, Const(1, 1)
    through = text_bits(core) & core.decrypts.replicate(len(data.payload))
    bits = named(m, "any_plain", (data.payload & data.keep) ^ (core.encrypting & through))
    if len(bits) > WIDEST_WITHOUT_BOUND:
        m.d.comb += Assume(at_most_one(bits))
    of_message = authenticated(register, tag, bits, core.authenticating_bits, always)
    ones = Const((1 << core.facts.pace.rate) - 1, core.facts.pace.rate)
    of_setup = authenticated(register, tag, ones, core.absorbed, always)
    message = core.running & ~core.sending & taken_word(core)
    setup = ~core.loading & ~core.running
    waits = core.running & ~core.sending & ~taken_word(core)
    expected = Mux(setup, of_setup, Mux(message, of_message, register))
    m.d.comb += Assume(phases(core))
    becomes(m, (message | setup | waits) & ~aborting(core), register, expected)


def check_tag(m: Module, core: FilteredAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """After a message the accumulator leaves as the tag. Its first bit is encrypted with the
    keystream bit after the message's last one, and each further bit with the next."""
    radix, data = core.architecture.radix, core.data_in
    register = core.state[core.cipher.authenticator]
    kept = Signal(radix, name="spec_kept")
    used = Signal(range(radix + 1), init=radix, name="spec_used")
    sends, before = Signal(name="spec_sends"), first_cycle(m)
    passed = earlier(m, "accumulator", register[radix : 2 * radix])
    taken = core.tag.valid & (core.tag.ready if core.facts.waits else Const(1, 1))
    count = reduce(add, (data.keep[place] for place in range(radix)))
    nothing = ~data.keep.any()
    whole = Const(radix, len(used))
    # A waiting core keeps the keystream word for the tag if no bit of the last data word is valid.
    of_last = Mux(nothing, whole if core.facts.waits else 0, count)
    with m.If(taken_word(core) | taken):
        m.d.sync += kept.eq(core.encrypting)
    with m.If(taken_word(core) & data.last):
        m.d.sync += [sends.eq(1), used.eq(of_last)]
    with m.If(aborting(core)):
        m.d.sync += [sends.eq(0), used.eq(radix), kept.eq(0)]
    over = (Cat(kept, core.encrypting) >> used)[:radix]
    left = earlier(m, "left", taken & ~aborting(core))
    properties = [
        core.sending == sends,
        core.tag.valid == core.sending,
        ~core.sending | (core.tag.payload == (register[:radix] ^ over)),
        ~left | (register[:radix] == passed),
    ]
    m.d.comb += [
        Assume(_rule(core)),
        Assume(phases(core) | before),
        *(Assume(one | ~before) for one in properties[:1]),
        *(Assert(one | before) for one in properties),
    ]
    for flag, first in core.endings:
        m.d.comb += Assume(~before | (flag == (core.sending & (used == first))))
        m.d.comb += Assert(before | (flag == (core.sending & (used == first))))
    if core.kept is not None:
        m.d.comb += Assume(~before | (core.kept == kept))
        m.d.comb += Assume(~before | (used == radix) | core.sending)


def _rule(core: FilteredAeadCore) -> Value:
    """The assumption about input: whole bytes, and none missing except at the end."""
    keep, last = core.data_in.keep, core.data_in.last
    legal = [0, *range(8, len(keep), 8), len(keep)]
    is_legal = reduce(or_, (keep == (1 << bits) - 1 for bits in legal))
    return is_legal & (last | keep.all())
