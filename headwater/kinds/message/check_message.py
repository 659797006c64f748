# SPDX-License-Identifier: Apache-2.0
"""How a machine's core takes a message: which words, what they do, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Value

from headwater.core.function import FunctionNaming
from headwater.core.naming import named
from headwater.kinds.message.calling import moved, word_of
from headwater.kinds.message.check_operations import held_by, state_becomes
from headwater.kinds.message.core import MessageCore
from headwater.kinds.message.operations import Part, Repeat, Squeeze, Take
from headwater.kinds.message.phases import phases
from headwater.kinds.message.program import Section
from headwater.kinds.message.selecting import State, called, either, sized
from headwater.prove.checker import Proof, aborting, becomes


def _in_order(core: MessageCore, word: Value, size: int) -> list[Value]:
    """The parts of a word, that of the first bit of the string first."""
    places = range(len(word) // size)
    if core.cipher.first_bit_on_top:
        return [word.word_select(places[-1] - place, size) for place in places]
    return [word.word_select(place, size) for place in places]


def _word(core: MessageCore, parts: Sequence[Value]) -> Value:
    """The word of these parts."""
    return Cat(*(parts[::-1] if core.cipher.first_bit_on_top else parts))


class _Offer:
    """The word at the input, as a section of the message sees it; where the message has a trailer,
    that is behind its last bit."""

    def __init__(self, core: MessageCore, section: Section) -> None:
        data, unit = core.data_in, core.cipher.text_unit
        is_text = section is core.program.text
        marked: Value = data.ad if core.program.associated is not None else Const(0, 1)
        own = _in_order(core, data.keep, 1)
        counts, self.units = own, _in_order(core, data.payload, unit)
        alone, self.last = Const(0, 1), data.last
        if name := core.cipher.text.trailer:
            alone, trailer = core.trailing, core.state[name]
            behind = [Const(1, 1), *own[:-1]]
            counts = [
                Mux(alone, place == 0, bit | (data.last & before))
                for place, (bit, before) in enumerate(zip(own, behind, strict=True))
            ]
            self.units = [
                Mux(alone | ~bit, trailer, part) for bit, part in zip(own, self.units, strict=True)
            ]
            self.last = Mux(alone, 1, data.last & ~own[-1])
        self.waits = ~alone & data.last & own[-1]
        """A trailer needs a word of its own behind this one."""
        self.valid = data.valid | alone
        self.holds = counts[0]
        """It has bytes, or bits."""
        self.there = core.ended | self.valid
        self.mine = ~core.ended & self.valid & self.holds & (~marked if is_text else marked)
        self.empty = ~core.ended & self.valid & ~self.holds
        self.counts = [bit & self.mine for bit in counts]
        self.keep = _word(core, self.counts)
        self.full = self.keep.all()
        self.free = ~self.mine | core.room if is_text else Const(1, 1)
        self.over = core.ended | (self.mine & self.last)
        goes_on = self.mine | (core.count != 0) if section.part.streams else Const(1, 1)
        self.enters = (core.phase == section.enter) & self.there & goes_on & self.free
        self.closes = ~self.full | (core.count == core.last_word_of(section.part))


def check_words(m: Module, core: MessageCore, proof: Proof) -> None:  # noqa: ARG001
    """Byte by byte, or bit by bit: what counts of the message, in plain, and the padding behind it
    are the block that enters; the other text leaves, with zeros elsewhere."""
    m.d.comb += Assume(phases(core))
    for section in core.program.sections:
        offer = _Offer(core, section)
        here = core.phase == section.enter
        wide = core.facts.width > section.part.rate
        state, shown = (_blocks if wide else _block)(m, core, section, offer)
        state_becomes(m, core, offer.enters, state)
        state_becomes(m, core, here & ~offer.enters, held_by(m, core))
        if section is core.program.text and core.cipher.encrypts:
            out = core.data_out
            valid = here & offer.mine
            leaves = Cat(out.payload, out.keep, out.last) == Cat(
                shown, offer.keep, core.data_in.last
            )
            m.d.comb += [Assert(out.valid == valid), Assert(~valid | leaves)]


def _block(m: Module, core: MessageCore, section: Section, offer: _Offer) -> tuple[State, Value]:
    """The state behind a word of a block, and the other text."""
    part, width, unit = section.part, core.facts.width, core.cipher.text_unit
    is_text = section is core.program.text
    name, words = ("spoken" if is_text else "attached"), max(1, part.rate // width)
    stream: Value = Const(0, width)
    if part.keystream is not None:
        whole = word_of(
            part.keystream, FunctionNaming(m, f"_{name}_stream"), {**core.words, **held_by(m, core)}
        )
        for place, own in enumerate(_in_order(core, whole, width)):
            stream = Mux(core.count == place, own, stream)
    shown, entering = [], []
    streamed = _in_order(core, stream, unit)
    for place, (before, counts) in enumerate(pairwise([Const(1, 1), *offer.counts])):
        byte, own = offer.units[place], streamed[place]
        shown.append(Mux(counts, byte ^ own, 0))
        plain = byte ^ Mux(core.decrypts, own, 0) if part.keystream is not None else byte
        pad = Mux(before & ~counts, part.pad.byte if part.pad else 0, 0)
        entering.append(sized(Mux(counts, plain, pad), unit))
    word, block = _word(core, entering), Const(0, part.block_bits)
    for place, number in enumerate(_in_order(core, Const(0, part.rate), width)):
        at = _word(core, [word if here == place else number for here in range(words)])
        block = Mux(core.count == place, sized(at, part.block_bits), block)
    if part.pad is not None and part.block_bits > part.rate:
        whole = offer.full & (core.count == words - 1)
        block |= Mux(whole, part.pad.byte << part.rate, 0)
    block = named(m, f"{name}_block", sized(block, part.block_bits))
    wire = FunctionNaming(m, f"_{name}")
    state = moved(part.enter, wire, held_by(m, core), {**core.words, "block": block})
    state = _named(m, f"{name}_in", state)
    total = core.count * (width // unit) + sum(offer.keep)
    closed = _closed(m, core, part, name, state, total, ~offer.full)
    after = {key: either(offer.closes, closed[key], word) for key, word in state.items()}
    return after, _word(core, shown)


def _closed(
    m: Module, core: MessageCore, part: Part, name: str, state: State, count: Value, partial: Value
) -> State:
    """The state behind what is done behind a block."""
    bits = (part.rate // core.cipher.text_unit).bit_length()
    count = named(m, f"{name}_bytes", sized(count, bits))
    told = {"count": count, "partial": partial}
    return moved(part.close, FunctionNaming(m, f"_{name}_close"), state, {**core.words, **told})


def _blocks(m: Module, core: MessageCore, section: Section, offer: _Offer) -> tuple[State, Value]:
    """The state behind a word of several blocks, and the other text."""
    part, unit = section.part, core.cipher.text_unit
    size = part.rate // unit
    is_text, state, shown = section is core.program.text, held_by(m, core), []
    for number in range(core.facts.width // part.rate):
        name = f"{'spoken' if is_text else 'attached'}_{number}"
        keep = Cat(*offer.counts[number * size :][:size])
        stream: Value = Const(0, part.rate)
        if part.keystream is not None:
            stream = word_of(
                part.keystream, FunctionNaming(m, f"_{name}_stream"), {**core.words, **state}
            )
        entering, streamed = [], _in_order(core, stream, unit)
        for place, counts in enumerate(keep):
            byte, own = offer.units[number * size + place], streamed[place]
            plain = byte ^ Mux(core.decrypts, own, 0) if part.keystream is not None else byte
            shown.append(Mux(counts, byte ^ own, 0))
            entering.append(Mux(counts, plain, 0))
        block = named(m, f"{name}_block", _word(core, entering))
        wire = FunctionNaming(m, f"_{name}")
        after = moved(part.enter, wire, state, {**core.words, "block": block})
        after = _named(m, f"{name}_in", after)
        after = _closed(m, core, part, name, after, sum(keep), ~keep.all())
        state = _named(
            m, name, {key: either(keep.any(), after[key], word) for key, word in state.items()}
        )
    return state, _word(core, shown)


def _named(m: Module, name: str, state: State) -> State:
    return {key: called(m, f"{key}_{name}", word) for key, word in state.items()}


def check_message(m: Module, core: MessageCore, proof: Proof) -> None:  # noqa: ARG001
    """Phases follow as the description says, each after as many cycles as it has. Words of the
    message are taken in the phases of their part, and a text only as fast as it leaves. While a
    part is chosen, the state stays."""
    m.d.comb += Assume(phases(core))
    program, goes = core.program, ~aborting(core)
    begins, several = goes & (core.phase == 0), core.last_of(1) > 0
    behind = Const(1 if several else program.following[1], len(core.phase))
    fires = core.load.valid & core.memories_empty
    becomes(m, begins & fires, core.phase, behind)
    becomes(m, begins & fires & Const(several, 1), core.count, Const(1, len(core.count)))
    _stays(m, core, begins & ~fires, 0)
    ready: Value = Const(0, 1)
    for phase, one in program.each():
        moves = {Take: core.load.valid, Squeeze: core.tag.ready}.get(type(one), Const(1, 1))
        step = core.architecture.radix if isinstance(one, Repeat) else 1
        here, over = goes & (core.phase == phase), core.count == core.last_of(phase)
        following = program.following[phase]
        if following < len(program.operations):
            _goes_to(m, core, here & moves & over, Const(following, len(core.phase)))
        _stays(m, core, here & moves & ~over, step)
        _stays(m, core, here & ~moves, 0)
    for section in program.sections:
        offer, here = _Offer(core, section), goes & (core.phase == section.enter)
        ready |= (core.phase == section.enter) & offer.mine & offer.free
        begins = section.choose if section.choose != section.enter else section.enter
        ready |= (core.phase == begins) & offer.empty & (core.count == 0)
        if section.choose != section.enter:
            _check_choice(m, core, section, offer)
        _check_end(m, core, section, offer, here)
    offer = _Offer(core, program.text)
    taken = offer.valid & ready
    if core.cipher.text.trailer:
        becomes(m, goes, core.trailing, Mux(taken, offer.waits, core.trailing))
        ready &= ~core.trailing
    m.d.comb += Assert(core.data_in.ready == ready)
    becomes(m, goes, core.ended, core.ended | (taken & (offer.last | ~offer.holds)))
    for name, register in core.lengths.items():
        sections = {"text_bytes": program.text, "ad_bytes": program.associated}
        if (own := sections[name]) is not None:
            counts = taken & (core.phase == own.enter)
            more = Mux(counts, sum(_Offer(core, own).keep), 0)
            becomes(m, goes & core.running, register, (register + more)[: len(register)])


def _goes_to(m: Module, core: MessageCore, when: Value, phase: Value) -> None:
    """The next phase begins, with its count."""
    becomes(m, when, core.phase, phase)
    first: Value = Const(0, len(core.count))
    for number in range(len(core.program.operations)):
        first = Mux(phase == number, core.first_of(number), first)
    becomes(m, when, core.count, first)


def _stays(m: Module, core: MessageCore, when: Value, step: int) -> None:
    """The phase goes on, and is counted."""
    becomes(m, when, core.phase, core.phase)
    becomes(m, when, core.count, (core.count + step)[: len(core.count)])


def _check_choice(m: Module, core: MessageCore, section: Section, offer: _Offer) -> None:
    """A block begins if there is a word of the part; a first one also where an empty part has one,
    and a further one where the padding needs it. Else the part is over."""
    part, here = section.part, ~aborting(core) & (core.phase == section.choose)
    always = part.pad is not None and part.pad.when == "always"
    again: Value = Const(0, 1)
    if section is core.program.associated:
        again = core.begun
    rules = [
        (~again & (offer.mine | Const(part.at_least_one, 1)), section.first),
        (~again & ~(offer.mine | Const(part.at_least_one, 1)), section.past),
        (again & (offer.mine | Const(always, 1)), section.between),
        (again & ~(offer.mine | Const(always, 1)), section.end),
    ]
    for rule, phase in rules:
        _goes_to(m, core, here & offer.there & rule, Const(phase, len(core.phase)))
    _stays(m, core, here & ~offer.there, 0)
    state_becomes(m, core, here, held_by(m, core))


def _check_end(m: Module, core: MessageCore, section: Section, offer: _Offer, here: Value) -> None:
    """What follows a word of a block, and a block."""
    part, is_text = section.part, section is core.program.text
    _stays(m, core, here & offer.enters & ~offer.closes, 1)
    block = here & offer.enters & offer.closes
    if part.streams:
        over = offer.over if is_text else Const(0, 1)
        none = here & offer.there & ~offer.mine & (core.count == 0)
        _goes_to(m, core, (block & over) | none, Const(section.past, len(core.phase)))
        becomes(m, block & ~over, core.phase, core.phase)
        becomes(m, block & ~over, core.count, Const(0, len(core.count)))
        _stays(m, core, here & ~offer.enters & ~none, 0)
        return
    always = Const(part.pad is not None and part.pad.when == "always", 1)
    further = offer.full & (~offer.over | always) if is_text else offer.full
    where = section.between if is_text else section.choose
    _goes_to(m, core, block & further, Const(where, len(core.phase)))
    _goes_to(m, core, block & ~further, Const(section.end, len(core.phase)))
    _stays(m, core, here & ~offer.enters, 0)
    if not is_text:
        begun = core.begun | (block & (core.phase == section.enter))
        becomes(m, ~aborting(core), core.begun, begun)
