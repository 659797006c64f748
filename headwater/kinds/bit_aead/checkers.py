# SPDX-License-Identifier: Apache-2.0
"""Checkers of an AEAD core that processes a message, bit by bit as the description says."""

from __future__ import annotations

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.kinds.bit_aead.core import BitAeadCore
from headwater.kinds.stepped.checkers.phases import phases
from headwater.kinds.stepped.checkers.plain import offered_word, output_word, steps_of_cycle
from headwater.kinds.stepped.checkers.reference import Schedule
from headwater.prove.checker import Proof, aborting, assert_always, becomes, earlier

WIDEST_WITHOUT_BOUND = 4
"""Bits of a data word up to which the solver compares all sums of what is accumulated at once.
Beyond, a core shares products between the bits of a word, and the solver compares what single ones
add; that their sums are right is shown of the sharing itself, by its polynomials, in the tests."""


def check_data(m: Module, core: BitAeadCore, proof: Proof) -> None:
    """A text bit leaves in its own place, encrypted by its even output bit. Other bits are zero."""
    word, known = _output(m, core, proof)
    assert_crosses(m, core, word[0::2], known)


def assert_crosses(m: Module, core: BitAeadCore, encrypting: Value, known: Value) -> None:
    """Assert that text leaves in its place under these bits, if they are known, and nothing else
    leaves."""
    data, out, is_text = core.data_in, core.data_out, text_bits(core)
    taking_part = core.running & ~core.sending & ~core.closing & ~core.padding & ~core.odd
    passes = out.ready | ~is_text.any() if core.facts.waits else Const(1, 1)
    offered = data.valid if core.facts.waits else Const(1, 1)
    m.d.comb += [
        Assume(phases(core)),
        Assert(data.ready == (taking_part & passes)),
        Assert(out.valid == (taking_part & offered & is_text.any())),
        Assert(~out.valid | (Cat(out.keep, out.last) == Cat(is_text, data.last))),
        Assert(~(out.valid & known) | (out.payload == is_text & (data.payload ^ encrypting))),
    ]


def check_plain(m: Module, core: BitAeadCore, proof: Proof) -> None:
    """The valid plain bits of a data word, and the final one after a message, are authenticated,
    and nothing else. The authenticator gets the odd output bits with them."""
    word, known = _output(m, core, proof)
    taken = taken_word(core)
    meant = Cat(
        *(bit & taken for bit in _authenticated_bits(m, core, word)),
        *(word[_odd(core, place)] for place in _places(core)),
        core.odd if core.architecture.radix == 1 else taken,
    )
    usable = core.running & ~core.sending & known
    given = Cat(_accumulated(core), core.entering, core.shifts)
    m.d.comb += [Assume(phases(core)), Assume(_follows_the_rule(core))]
    if core.isolated:
        usable = earlier(m, "usable", usable & ~aborting(core))
        meant = earlier(m, "meant", meant)
        later = earlier(m, "later", Const(1, 1))
        m.d.comb += Assert(~later | _comes_with_shift(core))
    else:
        m.d.comb += Assert(~usable | (core.data_fire == taken))
    m.d.comb += Assert(~usable | (given == meant))


def check_accumulate(m: Module, core: BitAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """For every authenticated bit that is one, the shift register is added to the accumulator; then
    the output bit enters the shift register. Nothing else changes either."""
    bits, register = _accumulated(core), core.state[core.cipher.authenticator]
    m.d.comb += [Assume(phases(core)), Assume(_comes_with_shift(core))]
    m.d.comb += Assume(line_is_right(core))
    if len(bits) > WIDEST_WITHOUT_BOUND:
        m.d.comb += Assume(at_most_one(bits))
    following = authenticated(register, core.cipher.tag_bits, bits, core.entering, core.shifts)
    becomes(m, core.running & ~core.sending & ~aborting(core), register, following)


def check_line(m: Module, core: BitAeadCore, proof: Proof) -> None:
    """When a word enters the shift register, sums of its bits that were made before are right."""
    assert_always(m, proof, [line_is_right(core)], given=phases(core))


def line_is_right(core: BitAeadCore) -> Value:
    """An invariant of the sums that are made a cycle ahead, proven by ``line``."""
    ahead = core.line_ahead
    if ahead is None:
        return Const(1, 1)
    shift_register = core.state[core.cipher.authenticator][core.cipher.tag_bits :]
    return ~core.shifts | ~core.running | (ahead.register == ahead.meant(shift_register))


def check_tag(m: Module, core: BitAeadCore, proof: Proof) -> None:
    """After the data word with the final one, the accumulator leaves as the tag, from bit 0 on."""
    tag, width = core.cipher.tag_bits, len(core.tag.payload)
    message = _follow_message(m, core)
    register = core.state[core.cipher.authenticator][:tag]
    kept, started = Signal(tag, name="spec_tag"), Signal(name="spec_started")
    sent = Signal(range(tag // width + 1), name="spec_sent")
    present = Mux(started, kept, register)
    taken = core.tag.valid & (core.tag.ready if core.facts.waits else Const(1, 1))
    m.d.sync += [
        kept.eq(Mux(taken, present >> width, present)),
        started.eq(core.sending),
        sent.eq(sent + taken),
    ]
    with m.If(aborting(core)):
        m.d.sync += [started.eq(0), sent.eq(0)]
    # An invariant that `setup` proves.
    m.d.comb += Assume(~taken | (sent != tag // width - 1) | aborting(core))
    left = Const((1 << tag) - 1, tag) >> (sent * width)
    properties = [
        *message,
        core.tag.valid == core.sending,
        ~core.sending | (core.tag.payload == present[:width]),
        ~core.sending | (((register ^ present) & left) == 0),
        (sent == 0) | started,
        ~started | core.sending,
        sent < tag // width,
    ]
    assert_always(m, proof, properties, given=phases(core))


def _follow_message(m: Module, core: BitAeadCore) -> list[Value]:
    """Follow the message beside the core: the core's own flags must have these values."""
    padding, over, sending = (
        Signal(name=f"spec_{name}") for name in ("padding", "over", "sending")
    )
    odd = Signal(name="spec_odd")
    taken, last, whole = taken_word(core), core.data_in.last, core.data_in.keep.all()
    ends = taken & (padding | (last & ~whole))
    m.d.sync += [odd.eq(taken if core.architecture.radix == 1 else 0), over.eq(ends)]
    with m.If(taken):
        m.d.sync += padding.eq(last & whole & ~padding)
    with m.If(over if core.isolated else ends):
        m.d.sync += sending.eq(1)
    with m.If(aborting(core)):
        m.d.sync += [flag.eq(0) for flag in (padding, over, sending, odd)]
    m.d.comb += Assume(_follows_the_rule(core))
    return [
        core.padding == padding,
        core.sending == sending,
        core.odd == odd,
        core.closing == (over if core.isolated else 0),
    ]


def at_most_one(bits: Value) -> Value:
    """Whether at most one bit is one."""
    return (bits & (bits - 1)[: len(bits)]) == 0


def _output(m: Module, core: BitAeadCore, proof: Proof) -> tuple[Value, Value]:
    """The output word of this cycle, and whether its expected value is known."""
    ahead = Schedule.of(proof.cipher, core).ahead
    radix = core.architecture.radix
    steps = steps_of_cycle(m, core, proof.cipher, radix + ahead)
    word, known = output_word(m, core, steps, ahead)
    return offered_word(core, word), known & core.running


def _places(core: BitAeadCore) -> range:
    return range(len(core.data_in.payload))


def _odd(core: BitAeadCore, place: int) -> int:
    """The place of the output bit that authenticates; at radix 1 it has its own cycle."""
    return 2 * place + 1 if core.architecture.radix > 1 else 0


def is_associated(core: BitAeadCore, place: int) -> Value:
    """Whether the data bit at this place is marked as associated data."""
    if not core.cipher.takes_associated_data:
        return Const(0, 1)
    each = len(core.data_in.payload) // len(core.data_in.ad)
    return core.data_in.ad[place // each]


def text_bits(core: BitAeadCore) -> Value:
    """The bits of a data word that are text."""
    keep = core.data_in.keep
    return Cat(*(keep[place] & ~is_associated(core, place) for place in _places(core)))


def taken_word(core: BitAeadCore) -> Value:
    """Whether a data word is taken, or the extra word with the final one."""
    data = core.data_in
    offered = data.valid if core.facts.waits else Const(1, 1)
    return (data.ready & offered) | (core.running & core.padding & ~core.odd)


def _accumulated(core: BitAeadCore) -> Value:
    """The bits that the accumulator takes in during this cycle."""
    if core.isolated:
        return core.accumulated
    return core.accumulated & core.data_fire.replicate(len(core.accumulated))


def _comes_with_shift(core: BitAeadCore) -> Value:
    """Whether every accumulated bit comes with a move of the shift register, where both happen in
    the same cycle. ``plain`` proves it."""
    if core.architecture.radix == 1 or not core.isolated:
        return Const(1, 1)
    return core.shifts | (_accumulated(core) == 0)


def _follows_the_rule(core: BitAeadCore) -> Value:
    """The assumption about input: bits are missing only at the end of the last word."""
    keep = core.data_in.keep
    is_run = (keep & (keep + 1)[: len(keep)]) == 0
    return is_run & (core.data_in.last | keep.all())


def _authenticated_bits(m: Module, core: BitAeadCore, word: Value) -> list[Value]:
    """The authenticated bits of a word, with the final one after a message; all others are zero."""
    data, bits = core.data_in, []
    ended: Value = Const(0, 1)
    for place in _places(core):
        plain = data.payload[place] ^ (
            word[2 * place] & core.decrypts & ~is_associated(core, place)
        )
        of_word = Mux(data.keep[place], plain, ~ended)
        of_word = Mux(core.padding, int(place == 0), of_word)
        bits.append(named(m, f"authenticated_{place}", of_word))
        ended = named(m, f"ended_{place}", ended | ~data.keep[place])
    return bits


def authenticated(register: Value, tag: int, bits: Value, entering: Value, shifts: Value) -> Value:
    """Accumulator and shift register after the given bits, processed one at a time."""
    accumulator, line = register[:tag], Cat(register[tag:], entering)
    for place in range(len(bits)):
        accumulator = accumulator ^ (line[place : place + tag] & bits[place].replicate(tag))
    return Cat(accumulator, Mux(shifts, line[len(bits) :], register[tag:]))


def check_message_silence(m: Module, core: BitAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """A payload is zero while it is not offered. A core that cannot wait does not mask its output,
    but never shows its authenticator before the tag is offered."""
    m.d.comb += Assume(phases(core))
    m.d.comb += Assert(core.tag.valid | (core.tag.payload == 0))
    m.d.comb += Assert(~core.tag.valid | core.running)
    if core.facts.waits:
        m.d.comb += Assert(core.data_out.valid | (core.data_out.payload == 0))
