# SPDX-License-Identifier: Apache-2.0
"""SFINKS: an LFSR filtered by an inversion in GF(2^16), whose output comes six steps late.

A. Braeken, J. Lano, N. Mentens, B. Preneel and I. Verbauwhede, "SFINKS: A Synchronous Stream Cipher
for Restricted Hardware Environments", eSTREAM phase 1, 2005, and its reference code. During the
setup the inverses enter the LFSR, seven steps after they were taken. With authentication one more
bit of each inverse enters a shift register, which an accumulator adds for every message bit that is
one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import xor
from typing import Any, ClassVar

from headwater.algebra.field import Field
from headwater.algebra.gates import GateCounter
from headwater.algebra.large_tower import inversion_parts, read_parts
from headwater.algebra.word import SymbolicWord, Word, concatenate, unnamed
from headwater.cipher.option import DIRECTION, Option
from headwater.cipher.register import Register
from headwater.errors import InputError
from headwater.kinds.bit_aead.description import no_header
from headwater.kinds.stepped.description import Phase, Placed, SteppedCipher
from headwater.kinds.stepped.sheet import Entries, with_lengths

LENGTH = 256
"""Cells of the LFSR. It moves towards cell 0."""

FEEDBACK = (0, 14, 48, 52, 64, 66, 85, 107, 115, 125, 151, 163, 187, 192, 194, 212)
"""The cells whose sum enters the LFSR."""

FILTER = (1, 6, 9, 19, 21, 44, 58, 74, 98, 105, 134, 161, 193, 227, 244, 255)
"""The cells that are inverted, bit 0 first."""

INJECTED = (80, 17, 66, 179, 52, 213, 118, 247, 232, 41, 154, 11, 204, 173, 142, 111)
"""The cell that each bit of an inverse is added to during the setup."""

FIELD = Field(0x1002D)
"""GF(2^16) as the polynomials modulo x^16 + x^5 + x^3 + x^2 + 1."""

DELAY = 7
"""Steps from an inverse to the LFSR that it enters: words of the pipeline."""

WIDEST_SETUP = 8
"""Largest number of steps in a cycle at which no inverse depends on another inverse of the cycle: a
bit of an inverse enters the LFSR seven steps later, and is read one step after that at the
earliest."""

BITS = FIELD.degree
KEY_CELL, IV_CELL, MARK_CELL = 96, 176, 95
INITIALISATION = 128
TAG_BITS = 64


def feedback(s: Callable[[int], Any]) -> Any:
    """What enters the LFSR, where ``s(i)`` is cell i."""
    return reduce(xor, map(s, FEEDBACK))


def inverse(wire: Any, x: Sequence[Word], name: str = "inverse") -> list[Word]:
    """All bits of the inverse of an element, bit 0 first."""
    return read_parts(inversion_parts(tuple(range(BITS))), x, wire, name)


def step(
    wire: Any, s: Word, d: Word, m: Word, *others: Word, initialising: Word
) -> tuple[Word, Mapping[str, Word]]:
    """One clock: the LFSR, to which the oldest word of the pipeline is added during the setup, then
    the pipelines, word 0 lowest. With authentication there is one more register, which this
    function moves during the setup only."""
    after = {}
    if others:
        after["q"] = authenticated(others[0], d[1], initialising)
    moved = wire(concatenate(s[1:], feedback(lambda cell: s[cell])), "moved")
    enters = {cell: wire(d[bit] & initialising, f"enters_{bit}")
              for bit, cell in enumerate(INJECTED)}  # fmt: skip
    cells = (moved[cell] ^ enters[cell] if cell in enters else moved[cell]
             for cell in range(LENGTH))  # fmt: skip
    after["s"] = wire(concatenate(*cells), "injected")
    inverted = inverse(wire, [after["s"][cell] for cell in FILTER])
    after["d"] = wire(concatenate(d[BITS:], *inverted), "d_after")
    after["m"] = wire(concatenate(m[1:], after["s"][0]), "m_after")
    return after["d"][0] ^ after["m"][0], after


def authenticated(q: Word, enters: Word, bit: Word) -> Word:
    """A step of the accumulator and of the shift register above it, for one message bit; during the
    setup this bit is one. Bit 0 of each is the oldest."""
    accumulator, register = q[:TAG_BITS], q[TAG_BITS:]
    added = accumulator ^ (register & bit.replicate(TAG_BITS))
    return concatenate(added, register[1:], enters)


def content(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """The loaded LFSR: a one at `MARK_CELL`, above it the key, above the key the IV."""
    return {"s": [*[0] * MARK_CELL, 1, *key, *iv], "q": [0] * 2 * TAG_BITS}


@dataclass(frozen=True, kw_only=True)
class Sfinks(SteppedCipher):
    """The cipher, with or without its authentication.

    ``step(wire, *words, initialising=)`` is one clock, of registers whose bit 0 is stage 0.

    Parameters
    ----------
    authenticates
        Whether messages get a tag.
    """

    kind: ClassVar[str] = "filtered"

    load: Placed
    authenticates: bool = False
    header = staticmethod(no_header)
    tag_bits = TAG_BITS
    authenticator = "q"

    @property
    def service(self) -> str:
        """With authentication "aead", otherwise "keystream"."""
        return "aead" if self.authenticates else "keystream"

    @property
    def text_unit(self) -> int:
        """A message is whole bytes."""
        return 8 if self.authenticates else 1

    @property
    def tag_lengths(self) -> tuple[int, ...]:
        """One length with authentication, otherwise none."""
        return (TAG_BITS,) if self.authenticates else ()

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of every core, the steps of the setup per cycle, and the pipeline stages of
        the inversion."""
        direction = (DIRECTION,) if self.authenticates else ()
        return (*super().options, *direction, SETUP, STAGES)

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse a pipeline so long that an inverse comes too late for the LFSR."""
        super().check_choices(radix, load_width, options)
        rate, stages = setup_rate(radix, options["setup"]), int(options["stages"])
        most = 1 + DELAY // rate
        if stages > most:
            legal = "1" if most == 1 else f"between 1 and {most}"
            raise InputError(
                f"option stages of {self.name} with {rate} steps of the setup in a cycle must be "
                f"{legal}, not {stages}"
            )

    @property
    def state_bits(self) -> int:
        """Cells of the LFSR, and with authentication two registers of the tag's length. The
        pipeline of the output does not count: its delay only shifts the output in time."""
        return LENGTH + 2 * TAG_BITS * self.authenticates

    def register_entries(self) -> Entries:
        """The length of each register. Taps are left out: the inversion reads many stages at
        once."""
        return with_lengths(self.registers)

    def legal_radices(self) -> tuple[int, ...]:
        """Powers of two up to 16."""
        return (1, 2, 4, 8, 16)

    @property
    def natural_radix(self) -> int:
        """Widest radix at which no running step reads a bit made in the same cycle."""
        return LENGTH - max(FEEDBACK)

    @property
    def output_lookahead(self) -> int:
        """Zero steps: the filter reads the newest cell."""
        return 0

    @cached_property
    def gates(self) -> Counter[str]:
        """Two-input gates of a running step, with the circuit of one bit of the inverse (two with
        authentication); sums in the order of the description."""
        counter = GateCounter()
        feedback(lambda _cell: counter.bit())
        outputs = (0, 1) if self.authenticates else (0,)
        inputs = [SymbolicWord((counter.bit(),)) for _ in range(BITS)]
        found = read_parts(inversion_parts(outputs), inputs, unnamed, "y")
        found[0] ^= SymbolicWord((counter.bit(),))
        if self.authenticates:
            counter.gates["and"] += TAG_BITS
            counter.gates["xor"] += TAG_BITS
        return counter.gates

    def loaded_state(self, key: Sequence[Any], iv: Sequence[Any]) -> dict[str, list[Any]]:
        """The content after a load, oldest bit first, of the registers that a load fills."""
        placed = self.load.content(key, iv)
        return {register.name: list(placed[register.name])
                for register in self.registers if not register.setup_only}  # fmt: skip


SETUP = Option(
    "setup",
    ("small", "wide"),
    "steps of the setup in a cycle, each with an inverter of all bits; small: one, or two at radix "
    "2; wide: as many as the radix, but at most 8",
)


def setup_rate(radix: int, setup: str) -> int:
    """Steps in a cycle of the setup. If it differs from the radix, every cell of the LFSR has a
    multiplexer. From radix 4 on this is smaller than more inverters of all bits."""
    if setup == "wide":
        return min(radix, WIDEST_SETUP)
    return radix if radix <= 2 else 1


STAGES = Option(
    "stages",
    ("1", "2", "3", "4"),
    "cycles that an inversion takes; the cipher's delay has room for the registers between",
)

_REGISTERS = (
    Register("s", newest=LENGTH - 1, oldest=0),
    Register("d", newest=BITS * DELAY - 1, oldest=0, setup_only=True),
    Register("m", newest=DELAY - 1, oldest=0, setup_only=True),
)


_PRINTED = (
    (
        "ETH Zurich (2006) print 289 at radix 1 to 754 at radix 16 without authentication. Here a "
        "core has the 256 of the LFSR, 19 in which some bits of inverses wait to enter it during "
        "the setup, and its control, at any radix: other bits wait in the LFSR itself, and the "
        "delay of the output needs none but the few that bring words in line. Each stage of the "
        "inverter adds its own."
    ),
)


def _sfinks(name: str, title: str, convention: str, *, authenticates: bool) -> Sfinks:
    own = (Register("q", newest=2 * TAG_BITS - 1, oldest=0),)
    return Sfinks(
        name=name,
        title=title,
        source="A. Braeken, J. Lano, N. Mentens, B. Preneel, I. Verbauwhede, SFINKS: A Synchronous "
        "Stream Cipher for Restricted Hardware Environments, eSTREAM phase 1, 2005",
        security="broken by fast algebraic attacks (N. Courtois, Cryptanalysis of Sfinks, IACR "
        "ePrint 2005/243); for comparison only",
        key_bits=80,
        iv_bits=(80,),
        bit_order="msb_first",
        input_order="lsb_first",
        convention=convention,
        registers=_REGISTERS + (own if authenticates else ()),
        load=Placed(content),
        phases=(Phase("initialisation", INITIALISATION, ("initialising",)),),
        step=step,
        authenticates=authenticates,
        takes_associated_data=authenticates,
        printed_flip_flops=_PRINTED,
    )


_ORDER = (
    "Key bit i and IV bit i are bit i mod 8, least significant first, of byte i // 8; {} the first "
    "bit of each byte is its most significant one."
)

SFINKS = _sfinks("sfinks", "SFINKS", _ORDER.format("of the keystream"), authenticates=False)

SFINKS_AE = _sfinks(
    "sfinks-ae",
    "SFINKS with authentication",
    _ORDER.format("of associated data, text and tag")
    + " A message is whole bytes. Neither a length nor padding is authenticated.",
    authenticates=True,
)
