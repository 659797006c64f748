# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher and an architecture before any circuit is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.streams import Stream


@dataclass(frozen=True)
class Facts:
    """Timing and word order of one cipher's core at one architecture."""

    cipher: Cipher
    architecture: Architecture

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered, with the
        longest IV."""
        raise NotImplementedError

    @property
    def stated_iv_bits(self) -> int:
        """Length of the IV that setup cycles are given for: the longest, if not told otherwise."""
        return self.cipher.iv_bits[-1]

    @property
    def setup_formula(self) -> str:
        """How they follow from other entries of the data sheet."""
        raise NotImplementedError

    @property
    def bits_per_cycle(self) -> float:
        """Keystream or message bits per clock cycle, in steady state."""
        return self.architecture.radix / self.cipher.steps_per_bit

    def keystream_cycles(self, bits: int) -> int:
        """Cycles from the first keystream word to the one that ends so many bits, both counted."""
        return -(-bits // self.architecture.radix)

    def message_cycles(self, bits: int) -> int:
        """Cycles between the setup and the tag, or the end where there is none, of a message
        without associated data."""
        return self.keystream_cycles(bits)

    def words_in(self, cycles: int) -> int:
        """Keystream words to take so that power is measured over that many cycles, or a few
        more."""
        return cycles

    @property
    def waits(self) -> bool:
        """Whether the keystream waits for its reader, and the load for gaps between its words."""
        return self.architecture.stall == "stream"

    @property
    def clear_cycles(self) -> int | None:
        """Cycles from ``clear`` until every bit of state is zero; None if it is not offered."""
        raise NotImplementedError

    @property
    def clear_effect(self) -> str:
        """What is so after those cycles."""
        return "every bit of state is zero"

    @property
    def load_order(self) -> str:
        """What the load words hold, in words."""
        raise NotImplementedError

    @property
    def keystream_order(self) -> str:
        """What the keystream words hold, in words."""
        first = (
            "the first bit is the most significant"
            if self.cipher.first_bit_on_top
            else ("the oldest bit in payload bit 0")
        )
        order = f"words of {self.architecture.radix} bits, {first}"
        return order if self.waits else f"{order}; not masked while valid is low"

    @property
    def setup_ends(self) -> str:
        """What the setup cycles are counted to."""
        return "the first keystream word offered"

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
        """Marks of one bit that a load word has."""
        return ()

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The streams beside the load."""
        keystream = Stream(
            name="keystream",
            direction="output",
            width=self.architecture.radix,
            order=self.keystream_order,
            top_first=self.cipher.first_bit_on_top,
            waits=self.waits,
        )
        return (keystream,)

    def _always(self, order: str, hurry: str) -> str:
        """What a stream holds, and behind it what there is to be said if nothing waits."""
        return order if self.waits else f"{order}; {hurry}"

    @property
    def inputs(self) -> Mapping[str, str]:
        """Inputs of one bit that belong to no stream, and what they mean."""
        inputs = {}
        if self.architecture["direction"] == "both":
            constant = "; constant through a message" * ("tag" in self.streams)
            inputs["decrypt"] = f"whether data_in is ciphertext{constant}"
        if self.architecture.clear != "none":
            inputs["clear"] = "back to idle in the next cycle, whatever the core is doing"
        return inputs

    @property
    def port_meanings(self) -> dict[str, str]:
        """What every stream holds, and what every other input means, by name."""
        return {name: stream.order for name, stream in self.streams.items()} | dict(self.inputs)

    def sheet(self) -> dict[str, Any]:
        """What the data sheet says of the core beside what it says of every core."""
        return {}

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load.

        Parameters
        ----------
        key, iv, iv_bits
            See `Cipher.input_bits`.
        block
            Number of the block that the keystream begins with, where the cipher has
            ``seek_bits``.
        """
        raise NotImplementedError

    def new_iv_words(self, iv: bytes) -> list[int] | None:  # noqa: ARG002
        """The words of a load of an IV alone, for the key of the load before; None if the core
        takes none."""
        return None

    def message_load(self, key: bytes, nonce: bytes, tag_bits: int) -> list[int]:  # noqa: ARG002
        """The words of a load before a message whose tag has so many bits."""
        return self.load_words(key, nonce)

    def unfit(self, iv_bits: int) -> str:  # noqa: ARG002
        """Why an IV of this length cannot be loaded; nothing if it can."""
        return ""
