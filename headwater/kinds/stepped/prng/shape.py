# SPDX-License-Identifier: Apache-2.0
"""How many random bits are made: one core, or several narrower ones, and the words of a seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError, between, unknown
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Injected, Phase
from headwater.kinds.stepped.prng.facts import PrngFacts, WholeFacts
from headwater.kinds.stepped.prng.lockup import BitCipher, refuse_words
from headwater.kinds.stepped.prng.whole_seed import WholeSeeded, seeded_by_state

MOST_RANDOM_BITS = 1024
SEED_WIDTHS = (32, 64)
RESETS = ("sync", "async")
LOCKUPS = ("watch", "none", "words")
SEEDS = ("key", "state")
RANDOM_BITS = "random_bits"
"""The option that only a source has."""
_CHOICES = (RANDOM_BITS, "instances", "seed_width")
EXTRAS = ("reset", "state_port", "lockup", "seed_by")
"""The options of a source that is not the usual one."""


def usual_seed_width(radix: int) -> int:
    """Bits of a seed word of cores that make ``radix`` bits a cycle, where nobody chooses it."""
    return SEED_WIDTHS[radix > SEED_WIDTHS[0]]


@dataclass(frozen=True)
class PrngShape:
    """A source of random bits.

    Members
    -------
    cipher : ShiftRegisterCipher or ClockedCipher
        Its setup passes over as many more bits as make it whole cycles, and its load takes the
        longest IV.
    architecture : Architecture
        That of each instance.
    random_bits : int
        Bits in each cycle.
    instances : int
        Cores side by side. They take the same seed; the number of an instance is added to bits of
        its IV.
    seed_width : int
        Bits of a seed word.
    reset : str
        ``sync``: at a clock edge. ``async``: it begins at once, and ends at a clock edge.
    state_port : bool
        Whether the state can be read and written, in words of ``seed_width`` bits.
    lockup : str
        ``watch``: a state that is stuck at zero gets a one, and ``error`` tells of it. ``none``:
        nothing looks for it. ``words``: as ``watch``, when it has made two words of zeros.
    seed_by : str
        ``key``: a seed is key and IV, and the setup follows. ``state``: it is the whole state.
    name : str or None
        What its modules begin with, if it is not that of cipher and bits.
    """

    cipher: BitCipher
    architecture: Architecture
    random_bits: int
    instances: int
    seed_width: int
    reset: str = RESETS[0]
    state_port: bool = False
    lockup: str = LOCKUPS[0]
    seed_by: str = SEEDS[0]
    name: str | None = None

    @classmethod
    def choose(
        cls,
        cipher: Cipher,
        random_bits: int,
        *,
        instances: int | None = None,
        seed_width: int | None = None,
        reset: str = RESETS[0],
        state_port: bool = False,
        lockup: str = LOCKUPS[0],
        seed_by: str = SEEDS[0],
        name: str | None = None,
    ) -> PrngShape:
        """The source of that many bits.

        By default there is one core if its state has so many bits, else as few as need no wider
        radix; seed words have 64 bits where a core makes more than 32, else 32. There is one core
        if it is seeded by its state.
        """
        usable = _seeded_by(_usable(cipher), seed_by)
        between(1, MOST_RANDOM_BITS, "random bits", random_bits)
        usual, least = usable.legal_radices()[-1], _fewest(usable, random_bits)
        if isinstance(usable, WholeSeeded):
            instances = _one_instance(cipher, instances)
        instances = -(-random_bits // usual) if instances is None else instances
        between(least, random_bits, f"instances of {cipher.name} for {random_bits} bits", instances)
        radix = -(-random_bits // instances)
        seed_width = usual_seed_width(radix) if seed_width is None else seed_width
        _check_choice(usable, seed_width, reset, lockup, state_port=state_port)
        if lockup == "words":
            refuse_words(usable, radix, state_port=state_port)
        whole = _in_whole_cycles(usable, radix)
        most = min(whole.lane_count * radix, seed_width)
        width = max(one for one in _load_widths(whole, radix) if one <= most)
        chosen = Architecture.choose(
            whole, radix=radix, load_width=width, options={"clear": "none"}
        )
        shape = cls(
            whole,
            chosen,
            random_bits,
            instances,
            seed_width,
            reset,
            state_port,
            lockup,
            seed_by,
            name,
        )
        numbered = f"instances of {cipher.name}, numbered in the IV bits of a load word,"
        between(1, 1 << width // whole.lane_count, numbered, instances)
        return shape

    @property
    def amount(self) -> str:
        """The number of random bits, in words."""
        return f"{self.random_bits} random bit{'s' * (self.random_bits > 1)}"

    @property
    def watched(self) -> bool:
        """Whether it looks for a state that is stuck at zero."""
        return self.lockup != "none"

    @property
    def by_words(self) -> bool:
        """Whether it looks for it by the words that such a state makes."""
        return self.lockup == "words"

    @cached_property
    def facts(self) -> PrngFacts:
        """What follows for each instance."""
        facts = PrngFacts(
            self.cipher,
            self.architecture,
            (self.instances - 1).bit_length(),
            self.reset,
            self.watched,
            self.seed_width if self.state_port else 0,
            by_words=self.by_words,
        )
        last = self.instances * facts.state_words
        return replace(facts, index_bits=last.bit_length())

    @property
    def whole(self) -> WholeFacts:
        """What follows for all instances together."""
        facts = self.facts
        return WholeFacts(
            facts.cipher,
            facts.architecture,
            facts.number_bits,
            facts.reset,
            facts.watched,
            by_words=facts.by_words,
            random_bits=self.random_bits,
        )

    @property
    def choices(self) -> Architecture:
        """The architecture of each instance, with the choices of the source among its options:
        what `source_of` knows it by."""
        numbers = (self.random_bits, self.instances, self.seed_width)
        options = dict(zip(_CHOICES, map(str, numbers), strict=True))
        if self.reset != RESETS[0]:
            options["reset"] = self.reset
        if self.state_port:
            options["state_port"] = "yes"
        if self.lockup != LOCKUPS[0]:
            options["lockup"] = self.lockup
        if self.seed_by != SEEDS[0]:
            options["seed_by"] = self.seed_by
        return replace(self.architecture, chosen=(*self.architecture.chosen, *options.items()))

    @property
    def parts(self) -> int:
        """Load words that a seed word gives: as many whole ones as it holds, lowest bits first."""
        return self.seed_width // self.architecture.load_width

    @property
    def state_words(self) -> int:
        """Words in which the state can be read and written: those of each instance, and one that
        says whether bits are valid (bit 0), and of an error (bit 1). None without a state port."""
        return self.instances * self.facts.state_words + 1 if self.state_port else 0

    @property
    def seed_words(self) -> int:
        """Words of a whole seed: key and IV, or the whole state."""
        return -(-self.facts.timeline.load_cycles // self.parts)

    def seed(self, key: bytes, iv: bytes) -> list[int]:
        """The words of a seed of key and IV."""
        if isinstance(self.cipher, WholeSeeded):
            raise InputError(
                "seed of a source that is seeded by its state must be a state, not key and IV"
            )
        return self._packed(self.facts.load_words(key, iv))

    def seed_of_state(self, state: bytes) -> list[int]:
        """The words of a seed that is a whole state, in the order of
        `headwater.cipher.whole_state`."""
        if not isinstance(self.cipher, WholeSeeded):
            raise InputError(
                "seed of a source must be key and IV, not a state, if it is not seeded by its state"
            )
        return self._packed(self.facts.words_of([self.cipher.string_of(state)]))

    def _packed(self, loads: list[int]) -> list[int]:
        """Seed words that give these load words."""
        width = self.architecture.load_width
        return [
            sum(word << width * part for part, word in enumerate(loads[at : at + self.parts]))
            for at in range(0, len(loads), self.parts)
        ]


@lru_cache(maxsize=64)
def source_of(cipher: Cipher, architecture: Architecture) -> PrngShape | None:
    """The source that an architecture stands for; None if it is that of a core."""
    return source_with(cipher, architecture.options)


def source_with(cipher: Cipher, options: Mapping[str, str]) -> PrngShape | None:
    """The source that options stand for; None if they are those of a core."""
    if RANDOM_BITS not in options:
        return None
    bits, instances, seed_width = (int(options[name]) for name in _CHOICES)
    return PrngShape.choose(
        cipher,
        bits,
        instances=instances,
        seed_width=seed_width,
        reset=options.get("reset", RESETS[0]),
        state_port="state_port" in options,
        lockup=options.get("lockup", LOCKUPS[0]),
        seed_by=options.get("seed_by", SEEDS[0]),
    )


def splits(cipher: Cipher, random_bits: int) -> list[PrngShape]:
    """The sources to choose among: the fewest cores, then twice as many in each step, and at last
    as many as need the natural radix: narrower ones have no shorter paths."""
    usable = _usable(cipher)
    instances, most = _fewest(usable, random_bits), -(-random_bits // usable.natural_radix)
    shapes = [PrngShape.choose(cipher, random_bits, instances=instances)]
    with suppress(InputError):  # More cores than the IV bits of a load word can number.
        while instances < most:
            instances = min(2 * instances, most)
            shapes.append(PrngShape.choose(cipher, random_bits, instances=instances))
    return shapes


def pays_for_each_bit(cipher: Cipher) -> bool:
    """Whether a core of several bits is as many steps one behind the other, with the gates of as
    many cores: its registers move as a whole, and each step decides how the next one moves them."""
    return isinstance(cipher, ClockedCipher)


def _fewest(cipher: BitCipher, random_bits: int) -> int:
    """The fewest cores that can make so many bits."""
    return -(-random_bits // max(cipher.legal_radices()[-1], *cipher.further_radices, 1))


def _usable(cipher: Cipher) -> BitCipher:
    """The cipher, if it can be a source of random bits, with a load of known length; an error with
    the reason if not."""
    if not isinstance(cipher, BitCipher):
        raise InputError(
            f"cipher of interface prng must be one of registers that make a bit in each step; "
            f"{cipher.name} is not"
        )
    if cipher.steps_per_bit != 1:
        raise InputError(
            f"cipher of interface prng must be one whose every output bit is keystream; of "
            f"{cipher.name} others authenticate"
        )
    if cipher.rewriting_controls or any(register.setup_only for register in cipher.registers):
        raise InputError(
            f"cipher of interface prng must be one whose setup uses the registers of its state "
            f"alone and rewrites none; {cipher.name} is not"
        )
    return _with_known_load(cipher) if isinstance(cipher, ClockedCipher) else cipher


def _check_choice(
    cipher: BitCipher, seed_width: int, reset: str, lockup: str, *, state_port: bool
) -> None:
    """Refuse what no source has, and a state port where the seed would go into a written state."""
    if seed_width not in SEED_WIDTHS:
        raise InputError(f"seed width must be 32 or 64, not {seed_width!r}")
    if reset not in RESETS:
        raise unknown("reset", reset, RESETS)
    if lockup not in LOCKUPS:
        raise unknown("lockup", lockup, LOCKUPS)
    if state_port and cipher.load_phases:
        raise InputError(
            f"cipher of a state port must be one into which key and IV are placed, so that a "
            f"seed replaces a state that was written; those of {cipher.name} go through its "
            "steps"
        )


def _seeded_by(cipher: BitCipher, seed_by: str) -> BitCipher:
    """The cipher, whose key is its whole state if this is the seed."""
    if seed_by not in SEEDS:
        raise unknown("seed_by", seed_by, SEEDS)
    return seeded_by_state(cipher) if seed_by == "state" else cipher


def _one_instance(cipher: Cipher, instances: int | None) -> int:
    """One, unless more are asked for."""
    if instances not in (None, 1):
        raise InputError(
            f"instances of {cipher.name} that are seeded by their state must be 1, not "
            f"{instances!r}: cores of the same state would make the same bits"
        )
    return 1


def _with_known_load(cipher: ClockedCipher) -> ClockedCipher:
    """The cipher with loads of the longest IV alone. Its steps are not decided early: that takes
    registers beside the state, in each of many cores."""
    load = replace(cipher.load, any_length=False)
    return replace(cipher, load=load, iv_bits=cipher.iv_bits[-1:], early_step=None)


def _load_widths(cipher: BitCipher, radix: int) -> Iterator[int]:
    """The widths of load words. Where bits enter steps, and zeros before the first one would change
    what comes after them, a load is whole words."""
    whole = isinstance(cipher.load, Injected) and not cipher.load.zero_is_neutral
    for width in cipher.legal_load_widths(radix):
        if not whole or cipher.load_bits % width == 0:
            yield width


def _in_whole_cycles(cipher: BitCipher, radix: int) -> BitCipher:
    """The cipher with a setup of whole cycles: the first bits of keystream are passed over."""
    rest = -cipher.blank_steps % radix
    return replace(cipher, phases=(*cipher.phases, Phase("passed over", rest))) if rest else cipher
