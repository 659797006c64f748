# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher and an architecture before any circuit is built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.cipher.authenticated import AuthenticatedCipher
from headwater.cipher.description import Cipher
from headwater.cipher.shift_register import ShiftRegisterCipher
from headwater.cipher.stepped import Injected, SteppedCipher
from headwater.core.architecture import Architecture
from headwater.core.loading import Plan, cycles_to_zero, load_plan
from headwater.core.message_words import data_width
from headwater.core.timeline import Timeline
from headwater.errors import InputError


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

    @property
    def stream_orders(self) -> dict[str, str]:
        """What the words hold that go in after the load, and that come out, by stream."""
        return {"keystream": self.keystream_order}

    def payload(self, word: int) -> int:
        """A keystream word whose bit 0 is its first bit, as the core offers it; and back."""
        if not self.cipher.first_bit_on_top:
            return word
        return bitstring.reverse(word, self.architecture.radix)

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


@dataclass(frozen=True)
class CoreFacts(Facts):
    """Those of a cipher that goes in steps."""

    cipher: SteppedCipher

    def message_cycles(self, bits: int) -> int:
        """Cycles between the setup and the tag, or the end where there is none, of a message
        without associated data.

        Where the cipher authenticates there is the header that says so. The bit that follows the
        text is in its last word if that has room, or in a word of its own. At radix 1 each word
        takes two cycles; of the last one, the second belongs to the tag already.
        """
        cipher, radix = self.cipher, self.architecture.radix
        if not isinstance(cipher, AuthenticatedCipher):
            return super().message_cycles(bits)
        words = (8 * len(cipher.header(0)) + bits) // data_width(cipher, radix) + 1
        later = self.architecture["authenticator"] == "isolated"
        return (2 * words - 1 if radix == 1 else words) + later

    @property
    def timeline(self) -> Timeline:
        """The setup, cycle by cycle."""
        return Timeline(self.cipher, self.architecture)

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered, with the
        longest IV."""
        return self.timeline.load_cycles + self.timeline.blank_cycles

    @property
    def clear_cycles(self) -> int | None:
        """Cycles from ``clear`` until every bit of state is zero; None if it is not offered.

        The clear cycle itself is counted, and the register that holds a waiting keystream word
        follows the phase by one cycle.
        """
        match self.architecture.clear:
            case "shift":
                return 1 + self._cycles_to_zero
            case "instant":
                return 1
            case _:
                return None

    @property
    def _cycles_to_zero(self) -> int:
        if isinstance(self.cipher.load, Injected):
            return 1
        behind = self.timeline.latency + (self.architecture["authenticator"] == "isolated")
        return cycles_to_zero(self.load_plan) + behind

    @property
    def setup_formula(self) -> str:
        """How the setup's cycles follow from other entries of the data sheet."""
        cipher, timeline = self.cipher, self.timeline
        loaded = "(key_bits + iv_bits)" if cipher.lane_count == 1 else "lanes * load_steps"
        terms = [f"ceil({loaded} / load_width)", "floor(blank_steps / radix)"]
        if timeline.slow_steps:
            terms.append("(blank_steps mod radix) * lanes / load_width")
        if timeline.latency:
            terms.append(str(timeline.latency))
        shorter = "; with a shorter IV fewer load words" if cipher.any_length else ""
        return " + ".join(terms) + shorter

    @property
    def load_plan(self) -> Plan:
        """Where every state bit comes from in a load cycle, where key and IV are placed."""
        assert isinstance(self.cipher, ShiftRegisterCipher)
        return load_plan(self.cipher, self.architecture.load_width)

    @property
    def load_order(self) -> str:
        """What the load words hold, in words."""
        order = f"{self._load_content}, the first bit in payload bit 0{self._spare_bits}"
        if self.cipher.any_length:
            order += "; `last` marks the last word, the load must be whole words"
        if not self.waits:
            order += "; the words follow each other without a gap"
            if isinstance(self.cipher.load, Injected):
                order += ", and the payload is zero after the last one"
        return order

    @property
    def _load_content(self) -> str:
        cipher, timeline = self.cipher, self.timeline
        words = f"{timeline.load_cycles} word{'s' * (timeline.load_cycles > 1)}"
        if cipher.lane_count > 1:
            width = timeline.load_steps_per_cycle
            return f"{words} of {cipher.lane_count} lanes of {width} bits: {cipher.entering_lane_names}"
        return f"{words} of {self.architecture.load_width} bits: {cipher.entering_lane_names}"

    @property
    def _spare_bits(self) -> str:
        timeline = self.timeline
        spare = timeline.load_cycles * timeline.load_steps_per_cycle - self.cipher.load_steps
        if not spare or self.cipher.any_length:
            return ""
        fate = "must be zero" if isinstance(self.cipher.load, Injected) else "are ignored"
        each = " of each lane" if self.cipher.lane_count > 1 else ""
        return f"; the lowest {spare} bits{each} of the first word {fate}"

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load."""
        assert block == 0
        return self.words_of(self.cipher.load_lanes(key, iv, iv_bits))

    def words_of(self, lanes: Sequence[Sequence[int]]) -> list[int]:
        """The bits of each lane cut into the words that the core takes.

        Each lane is filled up before its first bit, with zeros.

        Raises
        ------
        InputError
            If the load must be whole words, and is not.
        """
        width, steps = self.timeline.load_steps_per_cycle, len(lanes[0])
        reason = self.unfit(steps - self.cipher.key_bits)
        if reason:
            raise InputError(f"{reason}: they have {steps} bits")
        count = -(-steps // width)
        words = [0] * count
        for lane, bits in enumerate(lanes):
            for step, bit in enumerate(bits, start=count * width - steps):
                words[step // width] |= bit << lane * width + step % width
        return words

    def unfit(self, iv_bits: int) -> str:
        """Why an IV of this length cannot be loaded; nothing if it can.

        A load that may have any length must be whole words.
        """
        width = self.architecture.load_width
        if not self.cipher.any_length or (self.cipher.key_bits + iv_bits) % width == 0:
            return ""
        return f"key and IV are no multiple of the load width {width}"
