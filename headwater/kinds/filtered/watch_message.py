# SPDX-License-Identifier: Apache-2.0
"""What becomes of a message in a core of SFINKS, as circuits that watch it."""

from __future__ import annotations

from functools import reduce
from operator import add, or_

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from headwater.cipher.sfinks import authenticated
from headwater.core.naming import named
from headwater.kinds.filtered.message import FilteredAeadCore
from headwater.kinds.stepped.watch.phases import phases
from headwater.prove.watcher import Watcher, aborting

_WIDEST_WITHOUT_BOUND = 4
"""Bits of a data word up to which the solver compares all sums of what is authenticated at once:
beyond, a core shares products between the bits of a word. That their sums are right is shown of the
sharing itself, by its polynomials, in the tests."""


def _is_associated(core: FilteredAeadCore, place: int) -> Value:
    each = len(core.data_in.payload) // len(core.data_in.ad)
    return core.data_in.ad[place // each]


def _is_text(core: FilteredAeadCore) -> Value:
    keep = core.data_in.keep
    return Cat(*(keep[place] & ~_is_associated(core, place) for place in range(len(keep))))


def _taken(core: FilteredAeadCore) -> Value:
    offered = core.data_in.valid if core.facts.waits else Const(1, 1)
    return core.data_in.ready & offered


def watch_data(m: Module, core: FilteredAeadCore, watcher: Watcher) -> None:  # noqa: ARG001
    """A text bit comes out encrypted by the keystream bit of its place; in place of any other bit
    there is zero."""
    data, out, is_text = core.data_in, core.data_out, _is_text(core)
    taking_part = core.running & ~core.sending
    passes = out.ready | ~is_text.any() if core.facts.waits else Const(1, 1)
    offered = data.valid if core.facts.waits else Const(1, 1)
    expected = is_text & (data.payload ^ core.encrypting)
    m.d.comb += [
        Assume(phases(core)),
        Assert(data.ready == (taking_part & passes)),
        Assert(out.valid == (taking_part & offered & is_text.any())),
        Assert(~out.valid | (Cat(out.keep, out.last) == Cat(is_text, data.last))),
        Assert(~out.valid | (out.payload == expected)),
    ]


def watch_absorb(m: Module, core: FilteredAeadCore, watcher: Watcher) -> None:  # noqa: ARG001
    """For every plain bit of a message that is one the accumulator takes in the shift register,
    which then takes in the bit of the inverse that comes with it; in the setup for every step."""
    data, register = core.data_in, core.state[core.cipher.authenticator]
    direction = core.architecture["direction"]
    decrypts = core.decrypt if direction == "both" else Const(direction == "decrypt", 1)
    through = _is_text(core) & decrypts.replicate(len(data.payload))
    bits = named(m, "any_plain", (data.payload & data.keep) ^ (core.encrypting & through))
    if len(bits) > _WIDEST_WITHOUT_BOUND:
        m.d.comb += Assume((bits & (bits - 1)[: len(bits)]) == 0)
    of_message = _after(register, bits, core.authenticating_bits)
    ones = Const((1 << core.facts.pace.rate) - 1, core.facts.pace.rate)
    of_setup = _after(register, ones, core.absorbed)
    message = core.running & ~core.sending & _taken(core)
    setup = ~core.loading & ~core.running
    waits = core.running & ~core.sending & ~_taken(core)
    expected = Signal(len(register), name="spec_authenticator")
    known = Signal(name="spec_known")
    m.d.sync += [
        known.eq((message | setup | waits) & ~aborting(core)),
        expected.eq(Mux(setup, of_setup, Mux(message, of_message, register))),
    ]
    m.d.comb += [Assume(phases(core)), Assert(~known | (register == expected))]


def _after(register: Value, bits: Value, entering: Value) -> Value:
    """The authenticator after so many steps."""
    for place in range(len(bits)):
        register = authenticated(register, entering[place], bits[place])
    return register


def watch_tag(m: Module, core: FilteredAeadCore, watcher: Watcher) -> None:  # noqa: ARG001
    """Behind a message the accumulator leaves, each bit encrypted with the keystream bit that
    follows the message's last one, or the tag's bit before it."""
    radix, data, register = core.architecture.radix, core.data_in, core.state["q"]
    kept = Signal(radix, name="spec_kept")
    used = Signal(range(radix + 1), init=radix, name="spec_used")
    sends, before = Signal(name="spec_sends"), Signal(init=1, name="spec_first", reset_less=True)
    passed = Signal(radix, name="spec_accumulator")
    taken = core.tag.valid & (core.tag.ready if core.facts.waits else Const(1, 1))
    count = reduce(add, (data.keep[place] for place in range(radix)))
    nothing = ~data.keep.any()
    whole = Const(radix, len(used))
    # A core that waits leaves the keystream word for the tag where no bit of the last word counts.
    of_last = Mux(nothing, whole if core.facts.waits else 0, count)
    m.d.sync += [before.eq(0), passed.eq(register[radix : 2 * radix])]
    with m.If(_taken(core) | taken):
        m.d.sync += kept.eq(core.encrypting)
    with m.If(_taken(core) & data.last):
        m.d.sync += [sends.eq(1), used.eq(of_last)]
    with m.If(aborting(core)):
        m.d.sync += [sends.eq(0), used.eq(radix), kept.eq(0)]
    over = (Cat(kept, core.encrypting) >> used)[:radix]
    left = Signal(name="spec_left")
    m.d.sync += left.eq(taken & ~aborting(core))
    promises = [
        core.sending == sends,
        core.tag.valid == core.sending,
        ~core.sending | (core.tag.payload == (register[:radix] ^ over)),
        ~left | (register[:radix] == passed),
    ]
    m.d.comb += [
        Assume(_rule(core)),
        Assume(phases(core) | before),
        *(Assume(one | ~before) for one in promises[:1]),
        *(Assert(one | before) for one in promises),
    ]
    for flag, first in core.endings:
        m.d.comb += Assume(~before | (flag == (core.sending & (used == first))))
        m.d.comb += Assert(before | (flag == (core.sending & (used == first))))
    if core.kept is not None:
        m.d.comb += Assume(~before | (core.kept == kept))
        m.d.comb += Assume(~before | (used == radix) | core.sending)


def _rule(core: FilteredAeadCore) -> Value:
    """What the core may rely on: whole bytes, and none missing but at the end."""
    keep, last = core.data_in.keep, core.data_in.last
    legal = [0, *range(8, len(keep), 8), len(keep)]
    is_legal = reduce(or_, (keep == (1 << bits) - 1 for bits in legal))
    return is_legal & (last | keep.all())
