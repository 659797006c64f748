# SPDX-License-Identifier: Apache-2.0
"""A word of the message on its way into the state of a machine's core, with what pads it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.kinds.message.calling import moved, word_of
from headwater.kinds.message.offered import Offered
from headwater.kinds.message.operations import Part
from headwater.kinds.message.program import Section
from headwater.kinds.message.selecting import State, called, chosen_word, either, sized, staged

if TYPE_CHECKING:
    from headwater.kinds.message.core import MessageCore


class MessageWord:
    """The word that enters the state in this cycle: associated data, text, or padding.

    A block ends in the word in which not all bytes count, or in its last one. Where the bytes of a
    part end with a full word before that, a word without bytes enters behind it.
    """

    def __init__(self, m: Module, core: MessageCore) -> None:
        self._core, program = core, core.program
        self._data = data = Offered(m, core)
        sections, first = program.sections, core.apart(data.keep, 1)[0]
        ad = Const(0, 1) if program.associated is None else core.data_in.ad & first
        associated = named(m, "associated", ad)
        offered = data.valid & ~core.ended
        self.at_text = core.at((program.text.enter, program.text.choose))
        is_text = ~associated & first
        at_ad = Const(0, 1)
        if program.associated is not None:
            at_ad = core.at((program.associated.enter, program.associated.choose))
        self.own = named(m, "own", offered & ((at_ad & associated) | (self.at_text & is_text)))
        """There is a word of the part that is taken."""
        self.known = named(m, "known", core.ended | data.valid)
        entering = named(m, "at_words", core.at(section.enter for section in sections))
        streams = core.at(section.enter for section in sections if section.part.streams)
        choosing = core.at(section.choose for section in sections)
        waits = self.at_text & self.own & ~core.room
        goes_on = ~streams | self.own | (core.count != 0)
        self.enters = named(m, "enters", entering & self.known & goes_on & ~waits)
        """A word enters the state."""
        self.passes = streams & self.known & ~goes_on
        """A part that streams has no further word."""
        self._empty = choosing & offered & ~first & ~(core.count != 0)
        self.keep = named(m, "keep", data.keep & self.own.replicate(len(data.keep)))
        self.is_full = self.keep.all()
        places = [
            core.at([one.enter]) & (core.count == core.last_word_of(one.part)) for one in sections
        ]
        self.closes = named(m, "closes", ~self.is_full | Cat(*places).any())
        """The word that enters is the last of its block."""
        self.is_last = core.ended | (self.own & data.last)
        """No text follows."""
        m.d.comb += data.ready.eq(self._empty | (entering & self.own & (~self.at_text | core.room)))

    def count(self, m: Module) -> None:
        """What is known of the message behind this cycle."""
        core, data = self._core, self._data
        taken = data.valid & data.ready
        with m.If(taken & (data.last | self._empty)):
            m.d.sync += core.ended.eq(1)
        bytes_here = sum(self.keep)
        for name, register in core.lengths.items():
            program = core.program
            section = program.text if name == "text_bytes" else program.associated
            if section is not None:
                with m.If(taken & core.at([section.enter])):
                    m.d.sync += register.eq(register + bytes_here)

    # --- what enters

    def entered(self, m: Module) -> list[tuple[list[int], State]]:
        """The state behind the word, with the phases in which it enters."""
        core = self._core
        after: list[tuple[list[int], State]] = []
        sections = core.program.sections
        narrow = [one for one in sections if one.part.rate >= core.facts.width]
        text = core.program.text
        if text in narrow and text.part.keystream is not None:
            stream = word_of(
                text.part.keystream, self._core.wires("_stream"), {**core.words, **core.held}
            )
            words = core.apart(named(m, "keystream", stream), core.facts.width)
            stream = chosen_word(words, core.count)
            self._offer(m, stream)
        groups: dict[object, list[Section]] = {}
        for one in narrow:
            part = one.part
            groups.setdefault((part.rate, part.enter, part.close, part.pad), []).append(one)
        word = self._plain(m) if narrow else Const(0, 1)
        for group in groups.values():
            state = self._block(m, group, word)
            after.append(([one.enter for one in group], state))
        after += [([one.enter], self._blocks(m, one)) for one in sections if one not in narrow]
        return after

    def _offer(self, m: Module, stream: Value) -> None:
        """Offer the other text."""
        core, out, data = self._core, self._core.data_out, self._data
        shown = named(m, "shown", (data.payload ^ stream) & self._mask)
        m.d.comb += [
            out.valid.eq(self.own & core.at([core.program.text.enter])),
            out.payload.eq(Mux(out.valid, shown, 0)),
            out.keep.eq(self.keep & out.valid.replicate(len(self.keep))),
            out.last.eq(data.last),
        ]
        self._shown = shown

    @property
    def _mask(self) -> Value:
        """The bits that count."""
        return Cat(bit.replicate(self._core.cipher.text_unit) for bit in self.keep)

    def _plain(self, m: Module) -> Signal:
        """What counts, in plain."""
        core = self._core
        plain: Value = self._data.payload & self._mask
        if hasattr(self, "_shown") and core.architecture["direction"] != "encrypt":
            plain = Mux(core.decrypts & self.at_text, self._shown, plain)
        return named(m, "entering", plain)

    def _block(self, m: Module, group: list[Section], word: Value) -> State:
        """The state behind a word of a block of these parts."""
        core, part = self._core, group[0].part
        name = "both" if len(group) > 1 else "text" if part is core.cipher.text else "ad"
        width, words = core.facts.width, core.facts.words(part)
        padded = word | self._padding(part)
        here = [core.count == place if words > 1 else Const(1, 1) for place in range(words)]
        block = core.joined([Mux(one, padded, 0) if words > 1 else padded for one in here])
        if part.block_bits > part.rate:
            assert part.pad is not None
            block = Cat(block, _where(self.is_full & self.closes, part.pad.byte, 8))
        block = named(m, f"{name}_block", block)
        wire = self._core.wires(f"_{name}")
        state = moved(part.enter, wire, core.held, {**core.words, "block": block})
        if part.close is None:
            return state
        unit = core.cipher.text_unit
        bits, before = (part.rate // unit).bit_length(), core.count * (width // unit)
        count = named(m, f"{name}_count", sized(before + sum(self.keep), bits))
        told = {"count": count, "partial": ~self.is_full}
        wire = self._core.wires(f"_{name}_end")
        if words == 1:
            return moved(part.close, wire, state, {**core.words, **told})
        inside = {
            key: value if value is core.held[key] else staged(m, f"{key}_{name}", value)
            for key, value in state.items()
        }
        closed = moved(part.close, wire, inside, {**core.words, **told})
        return {
            key: either(self.closes, closed[key], value) if closed[key] is not value else value
            for key, value in inside.items()
        }

    def _padding(self, part: Part) -> Value:
        """The byte, or bit, behind the last one that counts, if this word has it."""
        if part.pad is None:
            return Const(0, len(self._data.payload))
        core, byte = self._core, part.pad.byte
        keep = core.apart(self.keep, 1)
        begins = (last & ~bit for last, bit in pairwise([Const(1, 1), *keep]))
        return core.joined([_where(one, byte, core.cipher.text_unit) for one in begins])

    def _blocks(self, m: Module, section: Section) -> State:
        """The state behind a word of several blocks, of which those enter that have bytes."""
        core, part = self._core, section.part
        name, size = "text" if section is core.program.text else "ad", part.rate
        state, shown, unit = core.held, [], core.cipher.text_unit
        masks = core.apart(self._mask, size)
        blocks = core.apart(self._data.payload & self._mask, size)
        for place, keep in enumerate(core.apart(self.keep, size // unit)):
            wire, holds = self._core.wires(f"_{name}_{place}"), core.apart(keep, 1)[0]
            block = blocks[place]
            if part.keystream is not None:
                stream = word_of(part.keystream, wire, {**core.words, **state})
                other = (block ^ stream) & masks[place]
                shown.append(named(m, f"shown_{place}", other))
                if core.architecture["direction"] != "encrypt":
                    block = Mux(core.decrypts, shown[-1], block)
            block = named(m, f"{name}_block_{place}", block)
            after = moved(part.enter, wire, state, {**core.words, "block": block})
            count = sized(sum(keep), (size // unit).bit_length())
            told = {"count": count, "partial": ~keep.all()}
            after = moved(part.close, wire, after, {**core.words, **told})
            state = {
                key: called(m, f"{key}_{name}_{place}", either(holds, after[key], value))
                if after[key] is not value
                else value
                for key, value in state.items()
            }
        if shown:
            self._offer_whole(m, core.joined(shown))
        return state

    def _offer_whole(self, m: Module, shown: Value) -> None:
        self._offer(m, shown ^ self._data.payload)


def _where(condition: Value, byte: int, bits: int) -> Value:
    """A byte, or a bit, where a condition holds, else zero."""
    return Const(byte, bits) & condition.replicate(bits)
