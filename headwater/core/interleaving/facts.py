# SPDX-License-Identifier: Apache-2.0
"""What follows from the facts of a plain core for one with several sessions in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from headwater.core.facts import Facts
from headwater.core.streams import Stream


@dataclass(frozen=True)
class InterleavedFacts(Facts):
    """Facts of a core whose sessions take turns: one session's are the plain core's in turns, and
    each of them comes once in ``count`` cycles."""

    plain: Facts
    core_class: Callable[[Any], Any]
    """The class of the plain core, which is made of ``plain``."""

    @property
    def count(self) -> int:
        """Number of sessions."""
        return self.architecture.streams

    @property
    def setup_cycles(self) -> int:
        """Cycles of one session's setup; each session has one at the same time."""
        return self.count * self.plain.setup_cycles

    @property
    def stated_iv_bits(self) -> int:
        """Length of the IV that `setup_cycles` is given for."""
        return self.plain.stated_iv_bits

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        return f"streams * ({self.plain.setup_formula})"

    @property
    def bits_per_cycle(self) -> float:
        """Bits per clock cycle of all sessions together."""
        return self.plain.bits_per_cycle

    def keystream_cycles(self, bits: int) -> int:
        """Cycles from a session's first keystream word to the one that completes ``bits``."""
        return self._of_turns(self.plain.keystream_cycles(bits))

    def message_cycles(self, bits: int) -> int:
        """Cycles from the end of a session's setup to the end of its message."""
        return self._of_turns(self.plain.message_cycles(bits))

    def turns(self, bits: int) -> int:
        """Cycles of a message in which its session has its turn."""
        return self.plain.message_cycles(bits)

    def _of_turns(self, turns: int) -> int:
        """Cycles of so many turns of a session, the first and the last counted."""
        return self.count * (turns - 1) + 1 if turns else 0

    def words_in(self, cycles: int) -> int:
        """Keystream words of all sessions that keep a power measurement busy for these cycles."""
        return self.plain.words_in(cycles)

    @property
    def clear_cycles(self) -> int | None:
        """Cycles from ``clear`` until every bit of its session is zero."""
        turns = self.plain.clear_cycles
        return None if turns is None else self.count * turns

    @property
    def _cycles_to_zero(self) -> int:
        """Cycles after that of ``clear``."""
        return (self.clear_cycles or 1) - 1

    @property
    def clear_effect(self) -> str:
        """What holds once the clear cycles are over."""
        return f"of its session {self.plain.clear_effect}"

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        return self.plain.load_order

    @property
    def setup_ends(self) -> str:
        """The event that `setup_cycles` are counted to."""
        return f"{self.plain.setup_ends} to the same session"

    @cached_property
    def streams(self) -> Mapping[str, Stream]:
        """The streams of the session whose turn it is."""
        return self.plain.streams

    @property
    def inputs(self) -> Mapping[str, str]:
        """One-bit inputs that belong to no stream: name and meaning."""
        return self.plain.inputs

    @property
    def port_meanings(self) -> dict[str, str]:
        """The meaning of every stream and of every other port, by name."""
        turn = (
            f"the session whose turn it is, 0 to {self.count - 1}: all other ports are those of "
            "this session in this cycle"
        )
        reset = f"high for at least {self.count} cycles, one for each session"
        return {**self.plain.port_meanings, "turn": turn, "rst": reset}

    def sheet(self) -> dict[str, Any]:
        """Entries of the data sheet that only this core has."""
        return {
            **self.plain.sheet(),
            "turns": f"{self.count} sessions; each has every {self.count}th cycle, and its part of "
            "the bits per cycle",
        }

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a session's load."""
        return self.plain.load_words(key, iv, iv_bits, block=block)

    def new_iv_words(self, iv: bytes) -> list[int] | None:
        """The words of a load with a new IV and the key of the load before."""
        return self.plain.new_iv_words(iv)

    def message_load(self, key: bytes, nonce: bytes, tag_bits: int) -> list[int]:
        """The load words for a message."""
        return self.plain.message_load(key, nonce, tag_bits)

    def unfit(self, iv_bits: int) -> str:
        """Why an IV of this length cannot be loaded; empty if it can."""
        return self.plain.unfit(iv_bits)
