# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher that goes in steps and an architecture before any circuit is built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from headwater.cipher.whole_state import WholeState
from headwater.core.facts import Facts, counted
from headwater.errors import InputError
from headwater.kinds.registry import kind_of
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Injected, SteppedCipher
from headwater.kinds.stepped.loading import Plan, cycles_to_zero, load_plan, moved
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.timeline import Timeline, retiming_of
from headwater.kinds.stepped.transformations.ahead import AHEAD
from headwater.kinds.stepped.transformations.delays import DELAY, RAM, Delays, delays_of
from headwater.kinds.stepped.transformations.zeroing import Zeroing

_SHORT_STEP = 8
"""State bits that the inputs of the registers read at most, in a step that is shorter than the way
from one register to `_MANY_MOVED` multiplexers (measured in osu018: Trivium and Bivium, but neither
Grain v1 nor Grain-128a, Lizard, Espresso)."""
_MANY_MOVED = 64


@dataclass(frozen=True)
class SteppedFacts(Facts):
    """Timing and word order of a cipher that goes in steps."""

    cipher: SteppedCipher

    @cached_property
    def timeline(self) -> Timeline:
        """The setup, cycle by cycle."""
        return Timeline(self.cipher, self.architecture)

    @property
    def stated_iv_bits(self) -> int:
        """Length of the IV that `setup_cycles` is given for: the longest that can be loaded."""
        return max(bits for bits in self.cipher.iv_bits if not self.unfit(bits))

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to ``setup_ends``."""
        words = self.timeline.load_cycles
        if self.cipher.any_length:
            words = (self.cipher.key_bits + self.stated_iv_bits) // self.architecture.load_width
        return words + self.timeline.blank_cycles

    @property
    def _cycles_to_zero(self) -> int:
        if isinstance(self.cipher.load, Injected):
            return (self.zeroing.cycles if self.zeroing else 1) + self.timeline.latency
        # The register of a waiting keystream word becomes zero one cycle after its phase.
        return cycles_to_zero(self.load_plan) + self.timeline.latency

    @property
    def zeroing(self) -> Zeroing | None:
        """What shifts zeros in with the first load words; None where a reset or no zeros come
        before them."""
        if not isinstance(self.cipher, ClockedCipher) or self.architecture["zeroing"] != "shift":
            return None
        return Zeroing.of(self.cipher, self.architecture.load_width)

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        cipher, timeline = self.cipher, self.timeline
        plain = cipher.load_steps == cipher.key_bits + cipher.iv_bits[-1]
        loaded = "(key_bits + iv_bits)" if plain else "lanes * load_steps"
        terms = [f"ceil({loaded} / load_width)", "floor(blank_steps / radix)"]
        if timeline.slow_steps:
            terms.append("(blank_steps mod radix) * lanes / load_width")
        if timeline.latency:
            terms.append(str(timeline.latency))
        shorter = "; with a shorter IV fewer load words" if cipher.any_length else ""
        return " + ".join(terms) + shorter

    @property
    def whole_state(self) -> WholeState | None:
        """That of the cipher, if no transformation makes the registers other ones, and the output
        is not read ahead of them."""
        timeline, ahead = self.timeline, self.architecture["form"] == AHEAD
        elsewhere = ahead or self.delays is not None
        moved = elsewhere or retiming_of(self.cipher, self.architecture) is not None
        if moved or timeline.latency or timeline.steps_ahead:
            return None
        return kind_of(self.cipher).whole_state(self.cipher)

    def sheet(self) -> dict[str, Any]:
        """The stages that are in a RAM, and the size of that."""
        if not (delays := self.delays):
            return super().sheet()
        stages = {one.name: delays.stages(one) for one in self.cipher.registers}
        return super().sheet() | {
            "ram_words": delays.words,
            "ram_word_bits": delays.bits,
            "ram_stages": {name: ends for name, ends in stages.items() if ends},
        }

    @cached_property
    def delays(self) -> Delays | None:
        """The runs of stages that are in a RAM; None if every stage is a flip-flop."""
        cipher, at = self.cipher, self.architecture
        if at[DELAY.name] != RAM or not isinstance(cipher, ShiftRegisterCipher):
            return None
        return delays_of(cipher, at.radix, at.load_width)

    @property
    def whole_sums(self) -> tuple[str, ...]:
        """The sums that mappers must not see through. At a radix far beyond the natural one, where
        many sums read others of the same cycle, they are smaller taken apart (measured: Trivium at
        67, 100, 256 steps a cycle)."""
        cipher = self.cipher
        narrow = 2 * self.timeline.steps_per_cycle <= 3 * cipher.natural_radix
        return cipher.lut_sums if narrow and isinstance(cipher, ShiftRegisterCipher) else ()

    @property
    def load_plan(self) -> Plan:
        """Where every state bit comes from in a load cycle, if key and IV are placed."""
        return load_plan(self.cipher, self.architecture.load_width)

    @property
    def far_loaded(self) -> str | None:
        """The register of whose bits most take other ones in the load than in a step, where these
        are so many that they would be the longest path of the core."""
        cipher, radix = self.cipher, self.architecture.radix
        if not isinstance(cipher, ShiftRegisterCipher) or cipher.most_read > _SHORT_STEP:
            return None
        multiplexers = moved(self.load_plan, radix)
        if sum(multiplexers.values()) < _MANY_MOVED:
            return None
        return max(multiplexers, key=multiplexers.__getitem__)

    @property
    def load_marks(self) -> tuple[str, ...]:
        """``last`` where a load may have any length."""
        return ("last",) if self.cipher.any_length else ()

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        order = f"{self._load_content}, the first bit in payload bit 0{self._spare_bits}"
        if self.cipher.any_length:
            order += "; `last` marks the last word, the load must be whole words"
        if not self.waits:
            order += "; the words follow each other without a gap"
        return order

    @property
    def _load_content(self) -> str:
        cipher, timeline = self.cipher, self.timeline
        words = counted(timeline.load_cycles, "word")
        lanes = f" of {cipher.lane_count} lanes" * (cipher.lane_count > 1)
        width = counted(timeline.load_steps_per_cycle, "bit")
        return f"{words}{lanes} of {width}: {cipher.entering_lane_names}"

    @property
    def _spare_bits(self) -> str:
        timeline, lengths = self.timeline, self.cipher.lane_lengths
        if self.cipher.any_length:
            return ""
        taken = timeline.load_cycles * timeline.load_steps_per_cycle
        if len(lengths) == 1 and taken > lengths[0]:
            count = taken - lengths[0]
            bits = counted(count, "bit")
            return f"; the first word begins with {bits} that {self._fate_of_spare_bits(count)}"
        before = ", zeros before it" if isinstance(self.cipher.load, Injected) else ""
        names = [f"lane {lane}" for lane in range(len(lengths))]
        places = dict(zip(names, lengths, strict=True))
        if len(set(lengths)) == 1:
            places = {"each lane": lengths[0]}
        return "".join(
            f"; {name} from bit {taken - length} on{before}"
            for name, length in places.items()
            if taken > length
        )

    def _fate_of_spare_bits(self, count: int) -> str:
        if isinstance(self.cipher.load, Injected):
            return "must be zero"
        return "are ignored" if count > 1 else "is ignored"

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load."""
        assert block == 0
        return self.words_of(self.cipher.load_lanes(key, iv, iv_bits))

    def words_of(self, lanes: Sequence[Sequence[int]]) -> list[int]:
        """The bits of each lane, padded with zeros before its first bit, cut into load words. An
        error if the load must be whole words, and is not."""
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
        """Why an IV of this length cannot be loaded; empty if it can. A load that may have any
        length must be whole words."""
        width = self.architecture.load_width
        if not self.cipher.any_length or (self.cipher.key_bits + iv_bits) % width == 0:
            return ""
        return f"key and IV are no multiple of the load width {width}"
