# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher and an architecture before any circuit is built."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from headwater.cipher.description import Cipher
from headwater.cipher.whole_state import WholeState
from headwater.core.architecture import Architecture
from headwater.core.streams import Stream


def counted(count: int, noun: str) -> str:
    """A number of things in words: "1 bit", "8 bits"."""
    return f"{count} {noun}{'s' * (count != 1)}"


@dataclass(frozen=True)
class Facts(ABC):
    """Timing and word order of one cipher's core at one architecture."""

    cipher: Cipher
    architecture: Architecture

    @property
    @abstractmethod
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to ``setup_ends``, with the longest IV."""

    @property
    def stated_iv_bits(self) -> int:
        """Length of the IV that `setup_cycles` is given for: by default the longest."""
        return self.cipher.iv_bits[-1]

    @property
    @abstractmethod
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""

    @property
    def bits_per_cycle(self) -> float:
        """Keystream or message bits per clock cycle, in steady state."""
        return self.architecture.radix / self.cipher.steps_per_bit

    def keystream_cycles(self, bits: int) -> int:
        """Cycles from the first keystream word to the one that completes ``bits``, both counted."""
        return -(-bits // self.architecture.radix)

    def message_cycles(self, bits: int) -> int:
        """Cycles from the end of the setup to the tag of a message without associated data; to the
        end of the message where there is no tag."""
        return self.keystream_cycles(bits)

    def turns(self, bits: int) -> int:
        """Cycles of a message in which its session has its turn: all, if there is no other."""
        return self.message_cycles(bits)

    def words_in(self, cycles: int) -> int:
        """Keystream words that keep a power measurement busy for at least ``cycles`` cycles."""
        return cycles

    @property
    def waits(self) -> bool:
        """Whether the core waits for a reader that is not ready and for gaps between load words."""
        return self.architecture.stall == "stream"

    @property
    def clear_cycles(self) -> int | None:
        """Cycles from ``clear`` until every bit of state is zero, that of ``clear`` counted; None
        if it is not offered."""
        if self.architecture.clear == "none":
            return None
        return 1 + (self._cycles_to_zero if self.architecture.clear == "shift" else 0)

    @property
    @abstractmethod
    def _cycles_to_zero(self) -> int:
        """Cycles in which zeros are shifted in until every bit of state is zero."""

    @property
    def clear_effect(self) -> str:
        """What holds once the clear cycles are over."""
        return "every bit of state is zero"

    @property
    @abstractmethod
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""

    @property
    def keystream_order(self) -> str:
        """What the keystream words hold and in which order, as prose."""
        first = (
            "the first bit is the most significant"
            if self.cipher.first_bit_on_top
            else ("the oldest bit in payload bit 0")
        )
        order = f"words of {counted(self.architecture.radix, 'bit')}, {first}"
        return order if self.waits else f"{order}; not masked while valid is low"

    @property
    def setup_ends(self) -> str:
        """The event that `setup_cycles` are counted to."""
        if "keystream" in self.streams:
            return "the first keystream word offered"
        return "the first cycle in which data can be taken"

    @cached_property
    def streams(self) -> Mapping[str, Stream]:
        """The streams of the core by name, the load first."""
        load = Stream(
            name="load",
            direction="input",
            width=self.architecture.load_width,
            order=self.load_order,
            top_first=self.cipher.first_bit_on_top,
            marks=self.load_marks,
        )
        return {stream.name: stream for stream in (load, *self._streams_beside())}

    @property
    def load_marks(self) -> tuple[str, ...]:
        """One-bit marks of a load word, such as ``last``."""
        return ()

    def _streams_beside(self) -> tuple[Stream, ...]:
        """All streams other than the load."""
        keystream = Stream(
            name="keystream",
            direction="output",
            width=self.architecture.radix,
            order=self.keystream_order,
            top_first=self.cipher.first_bit_on_top,
            waits=self.waits,
        )
        return (keystream,)

    def text_streams(
        self, width: int, order: str, other: str, **more: Any
    ) -> tuple[Stream, Stream]:
        """``data_in``, with a mark at its last word, and ``data_out`` with the other text."""
        data = Stream(
            name="data_in",
            direction="input",
            width=width,
            order=order,
            marks=("last",),
            waits=self.waits,
            **more,
        )
        return data, replace(data, name="data_out", direction="output", order=other, ad_bits=0)

    def _always(self, order: str, hurry: str) -> str:
        """The order of a stream; where the core never waits, ``hurry`` is appended."""
        return order if self.waits else f"{order}; {hurry}"

    @property
    def whole_state(self) -> WholeState | None:
        """Which bit of a state is where, if a running core has the description's state in its
        registers, and the output is that of this state; else None."""
        return None

    @property
    def inputs(self) -> Mapping[str, str]:
        """One-bit inputs that belong to no stream: name and meaning."""
        inputs = {}
        if self.architecture["direction"] == "both":
            constant = "; constant through a message" * ("tag" in self.streams)
            inputs["decrypt"] = f"whether data_in is ciphertext{constant}"
        if self.architecture.clear != "none":
            inputs["clear"] = "back to idle in the next cycle, whatever the core is doing"
        return inputs

    @property
    def port_meanings(self) -> dict[str, str]:
        """The meaning of every stream and of every other input, by name."""
        return {name: stream.order for name, stream in self.streams.items()} | dict(self.inputs)

    def sheet(self) -> dict[str, Any]:
        """Entries of the data sheet that only this kind of core has."""
        return {}

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load: by default the key, then the IV (`Cipher.input_bits`). The keystream
        begins with block number ``block``, where the cipher has ``seek_bits``."""
        assert block == 0
        key_bits, all_iv_bits = self.cipher.input_bits(key, iv, iv_bits)
        return self.cut((*key_bits, *all_iv_bits))

    def cut(self, bits: Sequence[int]) -> list[int]:
        """Load words that hold the bits in their order."""
        load = self.streams["load"]
        string = sum(bit << place for place, bit in enumerate(bits))
        return [load.payload(string, number) for number in range(-(-len(bits) // load.width))]

    @property
    def streams_in_one(self) -> Mapping[str, Stream]:
        """The streams of a core without shares; of such a core, its own."""
        return self.streams

    def shared(
        self,
        words: Sequence[int],
        masks: Sequence[int] | None = None,  # noqa: ARG002
        *,
        stream: str = "load",  # noqa: ARG002
    ) -> list[int]:
        """Words of an input stream in two shares: each mask, as wide as its word, is share 1;
        without masks irregular ones are, for simulations. Where the stream is not in shares, the
        words themselves."""
        return list(words)

    def joined(self, payload: int, *, stream: str = "keystream") -> int:  # noqa: ARG002
        """The payload of a word of an output stream without shares: where it has none, the payload
        itself."""
        return payload

    def new_iv_words(self, iv: bytes) -> list[int] | None:  # noqa: ARG002
        """The words of a load with a new IV and the key of the load before; None if the core has no
        such load."""
        return None

    def message_load(self, key: bytes, nonce: bytes, tag_bits: int) -> list[int]:  # noqa: ARG002
        """The load words for a message whose tag has ``tag_bits`` bits."""
        return self.load_words(key, nonce)

    def unfit(self, iv_bits: int) -> str:  # noqa: ARG002
        """Why an IV of this length cannot be loaded; empty if it can."""
        return ""


@dataclass(frozen=True)
class BlockFacts(Facts):
    """Timing of a core whose keystream comes in blocks, the words of each in a row."""

    @property
    @abstractmethod
    def words_per_block(self) -> int:
        """Keystream words of a block."""

    @property
    @abstractmethod
    def cycles_per_block(self) -> int:
        """Cycles from block to block if every word is taken at once."""

    @property
    def bits_per_cycle(self) -> float:
        """Keystream bits per clock cycle, in steady state."""
        return self.words_per_block * self.architecture.radix / self.cycles_per_block

    def keystream_cycles(self, bits: int) -> int:
        """Cycles from the first keystream word to the one that completes ``bits``, both counted."""
        words = -(-bits // self.architecture.radix)
        blocks, rest = divmod(words - 1, self.words_per_block)
        return blocks * self.cycles_per_block + rest + 1 if words else 0

    def words_in(self, cycles: int) -> int:
        """Keystream words to take so that power is measured over about ``cycles`` cycles: whole
        blocks and one more word, so that all rounds have equal weight."""
        return -(-cycles // self.cycles_per_block) * self.words_per_block + 1
