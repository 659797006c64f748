# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher and an architecture for a core that makes random bits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from headwater.core.streams import Stream
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.loading import Word
from headwater.kinds.stepped.prng.lockup import WATCHED_BITS, BitCipher, locking_registers

_STATE_INPUTS = {
    "state_write": "word `state_word` of state and output register becomes `state_in`",
    "resume": "bits are offered from the next cycle on, from the state as it is",
}
_STATE_PORTS = {
    "state_word": "the number of a word of the state, the lowest bits of the first register in "
    "word 0; the output register comes last",
    "state_in": "what is written",
    "state_out": "that word; zero where there is none",
}


@dataclass(frozen=True)
class PrngFacts(SteppedFacts):
    """Timing, words and ports of one instance."""

    cipher: BitCipher
    number_bits: int = 0
    """Bits of the number that tells instances apart; 0 where there is one only."""
    reset: str = "sync"
    """``sync``, at a clock edge, or ``async``, at once."""
    watched: bool = True
    """Whether it looks for registers that are stuck at zero."""
    state_width: int = 0
    """Bits of a word in which the state can be read and written; 0 if it cannot."""
    index_bits: int = 0
    """Bits of the number of such a word."""
    by_words: bool = False
    """Whether it looks for them by the words that they make."""

    @property
    def setup_ends(self) -> str:
        """The event that `setup_cycles` are counted to."""
        return "the cycle that makes the first bits, which are offered in the next one"

    @property
    def keystream_order(self) -> str:
        """What the output words hold."""
        return (
            "random bits from a register, the oldest in payload bit 0; `ready` asks for new ones; "
            "without meaning while valid is low"
        )

    @property
    def whole_sums(self) -> tuple[str, ...]:
        """None: the bits that seed words are added to need the inputs of the sums."""
        return ()

    def _fate_of_spare_bits(self, count: int) -> str:
        if self.enters_steps:
            return "enter the steps as well" if count > 1 else "enters the steps as well"
        return super()._fate_of_spare_bits(count)

    @property
    def seed_order(self) -> str:
        """What load words hold before the first use."""
        return super().load_order

    @property
    def load_order(self) -> str:
        """What load words hold."""
        added = "enters the steps of a cycle"
        if not self.enters_steps:
            added = "is added to the bits where it enters"
        return (
            f"{self.seed_order}; {self.before_seed}; once the cipher runs, a word {added}, and "
            "nothing stops"
        )

    @property
    def enters_steps(self) -> bool:
        """Whether words enter the steps of the cipher, in the load and later."""
        return bool(self.cipher.load_phases)

    @property
    def before_seed(self) -> str:
        """What the state is before a seed."""
        if self.enters_steps:
            return "a reset and a restart make the state zero, and a whole seed goes into that"
        return (
            "the state after power-up is whatever the flip-flops hold, and a whole seed replaces "
            "all of it"
        )

    @property
    def numbered_word(self) -> int:
        """The load word to whose highest bits, which are of the IV, the number is added: the last
        one, or the first where the IV enters the steps before the key."""
        first, *_ = self.cipher.entering_lanes(
            [False] * self.cipher.key_bits, [True] * self.cipher.iv_bits[-1]
        )[-1]
        return 0 if self.enters_steps and first else self.timeline.load_cycles - 1

    @property
    def inputs(self) -> Mapping[str, str]:
        """One-bit inputs beside the streams."""
        restart = {"restart": "wait for a whole new seed; nothing is offered until then"}
        if not self.state_width:
            return restart
        resume = _STATE_INPUTS["resume"] + "; bit 1 of `state_in` is the error" * self.watched
        return restart | _STATE_INPUTS | {"resume": resume}

    @property
    def outputs(self) -> Mapping[str, str]:
        """One-bit outputs beside the streams."""
        ends = {"ends_load": "the next load word is the last of the seed"}
        if not self.watched:
            return ends
        locking = " or ".join(" and ".join(names) for names in self.locking)
        seen = f"registers {locking} were zero while the cipher ran"
        if self.by_words:
            seen = f"two words in a row had {WATCHED_BITS} zeros, as registers {locking} are zero"
        told = f"{seen}; a one was put in, and a new seed is needed; stays until restart"
        return ends | {"error": told}

    @property
    def port_meanings(self) -> dict[str, str]:
        """The meaning of every stream and of every other port, by name."""
        told = {"number": "added to bits of the IV"} if self.number_bits else {}
        if self.reset == "async":
            told |= {"rst": "acts at once; the module on top lets it end after a clock edge"}
        told |= _STATE_PORTS if self.state_width else {}
        return super().port_meanings | told | dict(self.outputs)

    @property
    def state_words(self) -> int:
        """Words that the state and the output register fill; 0 if they cannot be read."""
        lengths = (register.length for register in self.cipher.registers)
        bits = sum(lengths) + self.architecture.radix
        return -(-bits // self.state_width) if self.state_width else 0

    @cached_property
    def locking(self) -> tuple[tuple[str, ...], ...]:
        """Sets of registers that stay zero once all of a set are zero, as far as they are watched
        for this."""
        return locking_registers(self.cipher) if self.watched else ()

    @cached_property
    def mixed(self) -> Mapping[str, Mapping[int, int]]:
        """By register and place, the bit of a load word that is added there after the steps of a
        cycle. Nothing is where words enter the steps."""
        if self.enters_steps:
            return {register.name: {} for register in self.cipher.registers}
        return {
            name: {
                place: source.bit
                for place, source in enumerate(sources)
                if isinstance(source, Word)
            }
            for name, sources in self.load_plan.items()
        }

    def _streams_beside(self) -> tuple[Stream, ...]:
        (keystream,) = super()._streams_beside()
        return (replace(keystream, waits=True),)


@dataclass(frozen=True)
class WholeFacts(PrngFacts):
    """The same of all instances side by side."""

    random_bits: int = 1

    @property
    def bits_per_cycle(self) -> float:
        """Random bits in each cycle."""
        return self.random_bits

    def keystream_cycles(self, bits: int) -> int:
        """Cycles that make so many bits."""
        return -(-bits // self.random_bits)
