# SPDX-License-Identifier: Apache-2.0
"""Timing and streams of the core of a message machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import gcd
from typing import Any

from headwater.algebra import bitstring
from headwater.core.facts import Facts, counted
from headwater.core.streams import Stream
from headwater.kinds.message.description import MessageCipher
from headwater.kinds.message.operations import Do, Operation, Part, Repeat, Squeeze, Take
from headwater.kinds.message.program import Program, cycles_of, first_squeeze, program_of


@dataclass(frozen=True)
class MessageFacts(Facts):
    """Timing and streams, which follow from the operations, the radix and the width of words."""

    cipher: MessageCipher

    @cached_property
    def program(self) -> Program:
        """The phases of the core."""
        return program_of(self.cipher)

    @property
    def width(self) -> int:
        """Bits of a word of the message."""
        return int(self.architecture["width"])

    @property
    def tag_width(self) -> int:
        """Bits of a word of the tag: those of the message, or the most that divide what is
        squeezed at once."""
        squeezed = (one.bits for one in self.cipher.finish if isinstance(one, Squeeze))
        return reduce(gcd, squeezed, self.width)

    def cycles(self, operations: Sequence[Operation]) -> int:
        """Cycles of operations, if every word is there and taken at once."""
        at = self.architecture
        return sum(cycles_of(one, at.radix, at.load_width, self.tag_width) for one in operations)

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first in which a message can begin."""
        return self.cycles(self.cipher.start)

    @property
    def setup_ends(self) -> str:
        """The event that `setup_cycles` are counted to."""
        return "the first cycle in which an empty message can be taken"

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        start = self.cipher.start
        bits = sum(one.bits for one in start if isinstance(one, Take))
        steps = sum(one.count for one in start if isinstance(one, Repeat))
        once = sum(isinstance(one, Do) for one in start)
        parts = [f"{bits} / load_width"]
        parts += [f"{steps} / radix"] * bool(steps) + [str(once)] * bool(once)
        return " + ".join(parts)

    def words(self, part: Part) -> int:
        """Cycles in which a whole block enters."""
        return max(1, part.rate // self.width)

    @property
    def bits_per_cycle(self) -> float:
        """Message bits per clock cycle of a long text."""
        text = self.cipher.text
        block = max(text.rate, self.width)
        return block / (self.words(text) + self.cycles(text.between))

    @property
    def _cycles_to_zero(self) -> int:
        """A core that waits for a load zeroes the state, and a word of each memory in a cycle."""
        return max(1, *(one.words for one in self.cipher.memories), 1)

    @property
    def clear_effect(self) -> str:
        """What holds once the clear cycles are over."""
        return "state and memories are zero" if self.cipher.memories else super().clear_effect

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        width = self.architecture.load_width
        takes = [one for one in self.cipher.start if isinstance(one, Take)]
        order = ", then ".join(f"{one.bits} bits of {self._named(one)}" for one in takes)
        words = (
            f"{sum(one.bits for one in takes) // width} words of {width} bits: {order}, "
            f"{self._first('byte')}; the core may make steps between two of them"
        )
        return ". ".join(filter(None, (words, self.cipher.load_rule)))

    def _first(self, of: str) -> str:
        """Where the first bit, or byte, of a word is."""
        if self.cipher.first_bit_on_top:
            return "the first bit is the most significant"
        return f"the first {of} in the lowest bits"

    def _named(self, take: Take) -> str:
        """What a part of the load is."""
        if take.source != "initial":
            return f"the {take.source}"
        return f"the initial value, the bytes {self.cipher.initial.hex()}"

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load, in the order in which the machine takes them."""
        assert block == 0
        self.cipher.input_bits(key, iv, iv_bits)
        loaded = dict(zip(("key", "nonce"), self.cipher.loaded(key, iv), strict=True))
        bits = {
            name: bitstring.split(bitstring.from_bytes(data, self.cipher.bit_order), 8 * len(data))
            for name, data in (loaded | {"initial": self.cipher.initial}).items()
        }
        string: list[int] = []
        for one in self.cipher.start:
            if isinstance(one, Take):
                string += bits[one.source][: one.bits]
                bits[one.source] = bits[one.source][one.bits :]
        return self.cut(string)

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The message, the output text, if there is any, and the tag."""
        width, takes = self.width, self.cipher.associated is not None
        before = "the associated data, marked by `ad`, then the text" if takes else "the text"
        unit = self.cipher.unit
        message = (
            f"words of {width} bits, {self._first('byte')}: {before}; each begins "
            f"with a word of its own, and `keep` has a one for each {unit} that counts; no word is "
            f"left out but behind the last one of the message, marked by `last`, which holds "
            f"{unit}s unless the message is empty"
        )
        text = (
            f"words of {width} bits: the other text in the places where it was in data_in, marked "
            "by `keep`; words without any are left out; `last` marks the last of data_in"
        )
        data, other = self.text_streams(
            width,
            message,
            text,
            top_first=self.cipher.first_bit_on_top,
            keep_bits=self.cipher.text_unit,
            ad_bits=width if takes else 0,
            part_bits=width,
        )
        endless = bool(self.cipher.output_bits)
        bits = None if endless else self.cipher.tag_lengths[0]
        words = "words" if bits is None else counted(bits // self.tag_width, "word")
        tag = Stream(
            name="tag",
            direction="output",
            width=self.tag_width,
            order=f"{words} of {self.tag_width} bits, {self._first('byte of the tag')}"
            f"{', until a new load or `clear` ends the session' * endless}",
            top_first=self.cipher.first_bit_on_top,
            waits=self.waits,
            bits=bits,
        )
        return (data, other, tag) if self.cipher.encrypts else (data, tag)

    def message_cycles(self, bits: int) -> int:
        """Cycles from the first word of a text of ``bits`` bits, or of the header before it, to the
        tag."""
        text = self._part_cycles(self.cipher.text, bits + bool(self.cipher.text.trailer))
        return self._header_cycles + text + self.cycles(self._before_tag)

    @property
    def _header_cycles(self) -> int:
        """Cycles of what precedes associated data. A cycle chooses what comes before each further
        block, and before the text."""
        part, bits = self.cipher.associated, 8 * len(self.cipher.prefix(b""))
        if part is None or not bits:
            return 0
        _, blocks = self._entering(part, bits)
        return self._part_cycles(part, bits) + blocks + self.cycles(self.cipher.middle)

    def _part_cycles(self, part: Part, bits: int) -> int:
        """Cycles of so many bits of a part, from the first word on."""
        entering, blocks = self._entering(part, bits)
        inside = max(blocks - 1, 0) * self.cycles(part.between) if blocks else 0
        behind = self.cycles(part.end) if blocks else 0
        return entering + inside + behind

    def _entering(self, part: Part, bits: int) -> tuple[int, int]:
        """Cycles in which words of a part enter, and its blocks."""
        full, rest = divmod(bits, part.rate)
        if part.streams and part.rate <= self.width:
            return -(-bits // self.width), -(-bits // part.rate)
        always = part.pad is not None and part.pad.when == "always"
        more = bool(rest) or (always and full > 0) or not (bits or not part.at_least_one)
        last = rest // self.width + 1 if more else 0
        return full * self.words(part) + last, full + more

    @property
    def _before_tag(self) -> Sequence[Operation]:
        finish = self.cipher.finish
        return finish[: first_squeeze(finish)]

    def sheet(self) -> dict[str, Any]:
        """The width of words, which is not the radix: that is of steps."""
        return {"radix_counts": "steps", "message_width": self.width, "tag_width": self.tag_width}
