# SPDX-License-Identifier: Apache-2.0
"""What follows from a filtered LFSR and an architecture before any circuit is built."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.core.streams import Stream
from headwater.kinds.bit_aead.message_words import message_streams
from headwater.kinds.filtered.description import FilteredLfsr
from headwater.kinds.filtered.pace import FilteredTimeline, Pace
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.loading import cycles_to_zero


@dataclass(frozen=True)
class FilteredFacts(SteppedFacts):
    """Timing and word order of the core of a filtered LFSR."""

    cipher: FilteredLfsr

    @property
    def pace(self) -> Pace:
        """Steps and cycles."""
        return Pace.of(self.cipher, self.architecture)

    @property
    def timeline(self) -> FilteredTimeline:
        """The setup, cycle by cycle."""
        return FilteredTimeline(self.cipher, self.architecture)

    def message_cycles(self, bits: int) -> int:
        """Cycles from the first word of a text to the tag. An empty text takes one word."""
        words = self.keystream_cycles(bits)
        return max(1, words) if self.cipher.authenticates else words

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The keystream, or the streams of a message and of its tag."""
        if not self.cipher.authenticates:
            return super()._streams_beside()
        return message_streams(self, self.cipher)

    @property
    def _cycles_to_zero(self) -> int:
        pace = self.pace
        lag = max(pace.lag, pace.lag_in_setup) if self.cipher.authenticates else pace.lag
        return cycles_to_zero(self.load_plan) + pace.cuts + -(-lag // pace.rate)

    @property
    def setup_formula(self) -> str:
        """How the setup's cycles follow from other entries of the data sheet."""
        pace = self.pace
        load = "ceil((key_bits + iv_bits) / load_width)"
        return f"{load} + {pace.first_step} / {pace.rate}" + f" + {pace.cuts}" * bool(pace.cuts)
