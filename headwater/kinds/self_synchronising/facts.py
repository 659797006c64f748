# SPDX-License-Identifier: Apache-2.0
"""What follows from a self-synchronising cipher and an architecture before any circuit is built."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from headwater.core.counter import counter_width
from headwater.core.facts import Facts, counted
from headwater.core.streams import Stream
from headwater.kinds.self_synchronising.description import SelfSynchronisingCipher, Stage


@dataclass(frozen=True)
class SelfSynchronisingFacts(Facts):
    """Timing and word order of the core, and the position of the pipeline's delays."""

    cipher: SelfSynchronisingCipher

    @property
    def key_words(self) -> int:
        """Load words of the key."""
        return -(-self.cipher.key_bits // self.architecture.radix)

    @property
    def iv_words(self) -> int:
        """Load words of the IV."""
        return -(-self.cipher.iv_bits[-1] // self.architecture.radix)

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first data word that can be taken. The IV's
        leading zero enters with the last word of the key."""
        return self.key_words + self.iv_words

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        return f"ceil(key_bits / radix) + ceil(({self.cipher.memory[1]} - 1) / radix)"

    @property
    def layers(self) -> int:
        """Registers between stages of the pipeline."""
        return int(self.architecture["layers"])

    @property
    def line_bits(self) -> int:
        """Delay after the last stage in bits; see `SelfSynchronisingCipher.legal_layers`."""
        radix = self.architecture.radix
        return len(self.cipher.stages) + 1 - radix - radix * self.layers

    @cached_property
    def sections(self) -> tuple[tuple[Stage, ...], ...]:
        """The stages between registers: of lengths as equal as possible, the longer ones first."""
        count, parts = len(self.cipher.stages), self.layers + 1
        ends = [-(-count * part // parts) for part in range(parts + 1)]
        return tuple(self.cipher.stages[first:last] for first, last in pairwise(ends))

    def numbered(self, name: str, place: int) -> str:
        """The name of the signal for ``name`` at one of the unrolled steps."""
        return f"{name}_{place}" if self.architecture.radix > 1 else name

    @property
    def flip_flops(self) -> dict[str, int]:
        """Flip-flops of the core, by purpose."""
        radix = self.architecture.radix
        between = sum(section[-1].length for section in self.sections[:-1])
        emptied = self.waits and self.architecture.clear == "shift"
        return {
            "ciphertext": radix,
            "keyed_register": len(self.cipher.cells),
            "pipeline": radix * between + self.line_bits,
            "key": self.cipher.key_bits,
            "waiting_word": radix * self.waits,
            "control": counter_width(self.setup_cycles) + 2 + self.waits + emptied,
        }

    def sheet(self) -> dict[str, Any]:
        """Flip-flops of the core, by purpose."""
        counted = {name: count for name, count in self.flip_flops.items() if count}
        return {"flip_flops": {"all": sum(counted.values()), **counted}}

    @property
    def _cycles_to_zero(self) -> int:
        """Zeros are shifted through the key, then through the cipher's memory. A waiting word
        follows one cycle later."""
        flushed = -(-self.cipher.memory[1] // self.architecture.radix)
        return self.key_words - 1 + flushed + self.waits

    @property
    def clear_effect(self) -> str:
        """What holds once the clear cycles are over."""
        if self.architecture.clear == "instant":
            return super().clear_effect
        return "the key is zero and every bit of state is the constant that zeros lead to"

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        radix, cipher = self.architecture.radix, self.cipher
        order = (
            f"{self.key_words + self.iv_words} words of {counted(radix, 'bit')}, the first "
            f"bit in payload bit 0: {self.key_words} of the key, {self.iv_words} of the IV, which "
            "zeros behind it fill up to the longest"
        )
        if spare := radix * self.iv_words - cipher.iv_bits[-1]:
            order += f"; the lowest {spare} of the first word of the IV must be zero"
        return order if self.waits else f"{order}; the words follow each other without a gap"

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The streams ``data_in`` and ``data_out``."""
        radix = self.architecture.radix
        words = f"words of {counted(radix, 'bit')}"
        data = (
            f"{words}, the first bit in payload bit 0; `keep` has a one for each bit that counts; "
            "bits that do not count enter as zeros of ciphertext; `last` is handed on and ends "
            "nothing"
        )
        text = (
            f"{words}, one for each of data_in, with its `keep` and `last`, in the same cycle; "
            "bits that do not count are zero"
        )
        entering, leaving = self.text_streams(
            radix,
            self._always(data, "once the setup is over a word is taken in every cycle"),
            self._always(text, "not masked while valid is low"),
            keep_bits=1,
            last_ends=False,
        )
        return entering, replace(leaving, gives_empty_words=True)

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load; key and IV are each padded with zeros before their first bit."""
        assert block == 0
        key_string, iv_string = self.cipher.input_bits(key, iv, iv_bits)
        filled = (*iv_string, *(0,) * (self.cipher.iv_bits[-1] - len(iv_string)))
        radix = self.architecture.radix
        aligned = ((0,) * (-len(bits) % radix) + bits for bits in (key_string, filled))
        return self.cut([bit for bits in aligned for bit in bits])
