# SPDX-License-Identifier: Apache-2.0
"""AES in output feedback and counter mode, which give keystream, and in CMAC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from headwater.algebra.bitstring import BitOrder
from headwater.algebra.sbox import FORMS
from headwater.cipher.description import Cipher
from headwater.cipher.option import KEY_BITS_ADVICE, STREAMS, TABLE_ADVICE, WAITING, Option
from headwater.errors import InputError, describe_lengths, unknown

BLOCK_BITS = 128
KEYS = (128, 192, 256)
"""Lengths of the key."""
RADICES = (8, 32, 128)
"""Widths of the datapath: a byte, a column, a block."""

SBOX_FORM = Option(
    "sbox",
    tuple(sorted(FORMS)),
    "algebraic: inversion in a tower of fields; fast: the one of fewest levels, which has more "
    "gates; small: the one of fewest gates; table: left to synthesis",
    TABLE_ADVICE,
)

ALL_ROUNDS = Option(
    "rounds",
    ("1", "14"),
    "1: a round, which a block passes fourteen times; 14: all rounds in a row with a register "
    "behind each, at radix 128: a block in every cycle",
    "All rounds take fourteen times the S-boxes, and registers for all round keys, which are made "
    "behind the load. Choose them for a link of many Gbit/s.",
    unsaid=True,
)
"""The rounds of AES-256 that a core has."""

IN_A_ROW = Option(
    "rounds",
    ("1", "all", "halves"),
    "1: a round, which a block passes again and again; all: all rounds in a row with a register "
    "behind each, at radix 128: a block in every cycle; halves: the same, and a register within "
    "each round, behind its S-boxes",
    "All rounds take as many times the S-boxes, and registers for all round keys, which are made "
    "behind the load. Choose them for a link of many Gbit/s, and halves where the clock is the "
    "limit: they cost 128 further bits of state a round.",
    unsaid=True,
)
"""The rounds that a core of AES in counter mode has."""


@dataclass(frozen=True, kw_only=True)
class AesOfb(Cipher):
    """AES-128-OFB. A radix is a width of the datapath: a bit, a byte, a column, or a block."""

    kind: ClassVar[str] = "aes"
    own_fields: ClassVar[frozenset[str]] = frozenset({"first_bit_on_top"})
    own_options = (SBOX_FORM, STREAMS)
    state_bits = 2 * BLOCK_BITS
    """128 bits of feedback and 128 of round key."""

    default_radix = RADICES[0]

    def legal_radices(self) -> tuple[int, ...]:
        """1, 8, 32 or 128 bits: a bit, a byte, a column, a block."""
        return (1, *RADICES)

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:
        """The radix: key and IV each take as many load cycles as a round has."""
        return (radix,)


@dataclass(frozen=True, kw_only=True)
class AesOfAnyKey(Cipher):
    """AES with keys of 128, 192 or 256 bits. A radix is a width of the datapath: a byte, a column,
    or a whole block."""

    kind: ClassVar[str] = "aes"
    own_fields: ClassVar[frozenset[str]] = frozenset({"first_bit_on_top"})
    own_options = (SBOX_FORM,)

    bit_order: BitOrder = "msb_first"
    first_bit_on_top: bool = True
    legal_keys: tuple[int, ...]
    """Lengths of the key that are offered as the parameter ``key_bits``."""

    @property
    def parameters(self) -> tuple[Option, ...]:
        """Length of the key, where there are several; default: this cipher's."""
        if len(self.legal_keys) == 1:
            return ()
        key = Option(
            "key_bits",
            _values(self.key_bits, self.legal_keys),
            "length of the key; where a key is given, it is the key's",
            KEY_BITS_ADVICE + " Its rounds are 10, 12 or 14.",
        )
        return (key,)

    def with_parameters(self, values: Mapping[str, str]) -> Self:
        """The cipher with this length of key; other names are ignored."""
        for option in self.parameters:
            if (value := values.get(option.name, option.default)) not in option.values:
                raise unknown(f"option {option.name}", value, option.values)
        chosen = values if self.parameters else {}
        return replace(self, key_bits=int(chosen.get("key_bits", self.key_bits)))

    def for_key(self, bits: int) -> Self:
        """The cipher that takes keys of this length."""
        if bits not in self.legal_keys:
            legal = describe_lengths(self.legal_keys)
            raise InputError(f"key of {self.name} must be {legal}, not {bits} bits")
        return self if bits == self.key_bits else replace(self, key_bits=bits)

    def check_functions(self) -> None:
        """Refuse lengths of key that AES has not."""
        super().check_functions()
        for bits in (self.key_bits, *self.legal_keys):
            if bits not in KEYS:
                legal = describe_lengths(KEYS)
                raise InputError(f"keys of {self.name} must be {legal}, not {bits} bits")

    def sheet(self) -> dict[str, Any]:
        """Rounds of a block."""
        return {"rounds": self.key_bits // 32 + 6}

    def legal_radices(self) -> tuple[int, ...]:
        """8, 32 or 128 bits: a byte, a column, a block."""
        return RADICES

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:
        """The radix, or half a block where key or IV is no whole blocks: the same for all keys."""
        whole = not any(bits % BLOCK_BITS for bits in (*self.legal_keys, *self.iv_bits))
        return (radix if whole else min(radix, BLOCK_BITS // 2),)


@dataclass(frozen=True, kw_only=True)
class AesMode(AesOfAnyKey):
    """AES in counter mode where ``counted_bits`` is not zero, else in output feedback."""

    iv_bits: tuple[int, ...] = (BLOCK_BITS,)
    counted_bits: int = 0
    """How many of the last bits of a counter block count; zero in output feedback."""
    legal_counts: tuple[int, ...] = ()
    """All that are offered as the parameter ``counter_bits``."""

    def check_functions(self) -> None:
        """Refuse an IV that is no block, and a count that is none of its last bits."""
        super().check_functions()
        if self.iv_bits != (BLOCK_BITS,):
            raise InputError(f"iv_bits of {self.name} must be ({BLOCK_BITS},), not {self.iv_bits}")
        for bits in (self.counted_bits, *self.legal_counts):
            if not 0 <= bits <= BLOCK_BITS:
                raise InputError(
                    f"counted_bits of {self.name} must be 0 to {BLOCK_BITS}, not {bits}"
                )

    @property
    def counts(self) -> bool:
        """Whether the mode is counter mode."""
        return bool(self.counted_bits)

    @property
    def parameters(self) -> tuple[Option, ...]:
        """Length of the key, and of what counts in a counter block; default: this cipher's."""
        if len(self.legal_counts) < 2:
            return super().parameters
        count = Option(
            "counter_bits",
            _values(self.counted_bits, self.legal_counts),
            "how many of the last bits of a counter block count; the others stay",
            "The mode decides: 32 in RFC 3686 and GCM, 64 in mobile telephony, 128 in "
            "the examples of SP 800-38A and in OpenSSL.",
        )
        return (*super().parameters, count)

    def with_parameters(self, values: Mapping[str, str]) -> Self:
        """The cipher with these lengths of key and count; other names are ignored."""
        made = super().with_parameters(values)
        chosen = values if len(self.legal_counts) > 1 else {}
        return replace(made, counted_bits=int(chosen.get("counter_bits", self.counted_bits)))

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of every core, the form of the S-box, and in counter mode the rounds."""
        return (*super().options, *([IN_A_ROW] if self.counts else []))

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse rounds in a row on a datapath that is narrower than a block."""
        super().check_choices(radix, load_width, options)
        check_rounds(self.name, radix, options)

    def sheet(self) -> dict[str, Any]:
        """Rounds of a block, and what happens at the end of the counter."""
        if not self.counts:
            return super().sheet()
        bits = self.counted_bits
        return super().sheet() | {
            "counter_bits": bits,
            "counter_wrap": f"the last {bits} bits of the counter block count, and zero follows "
            f"2^{bits} - 1, while the other {BLOCK_BITS - bits} stay: after 2^{bits} blocks the "
            "keystream repeats",
        }

    @property
    def state_bits(self) -> int:
        """Flip-flops of the running cipher: a block, its counter block where it has one, and the
        words of the round key."""
        return (1 + self.counts) * BLOCK_BITS + self.key_bits


@dataclass(frozen=True, kw_only=True)
class AesMac(AesOfAnyKey):
    """AES in CMAC: a tag for a message of any length in bits. Its IV, if it has one, is what stands
    before the message."""

    iv_bits: tuple[int, ...] = (0,)
    tag_lengths: tuple[int, ...] = tuple(range(1, BLOCK_BITS + 1))
    """Legal lengths of the tag in bits, ascending."""

    def check_functions(self) -> None:
        """Refuse what stands before a message and is neither nothing nor half a block."""
        super().check_functions()
        if self.iv_bits not in ((0,), (BLOCK_BITS // 2,)):
            raise InputError(f"iv_bits of {self.name} must be (0,) or (64,), not {self.iv_bits}")

    service = "mac"
    no_keystream = "apart from its messages: it makes tags"

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of every core, which always waits, and the form of the S-box."""
        return (WAITING, *super().options[1:])

    @property
    def state_bits(self) -> int:
        """Flip-flops of the running cipher: a block in the rounds, one of the message, a subkey,
        and the words of the round key."""
        return 3 * BLOCK_BITS + self.key_bits


def check_rounds(name: str, radix: int, options: Mapping[str, str]) -> None:
    """Refuse rounds in a row on a datapath that is narrower than a block."""
    if radix < BLOCK_BITS and (rounds := options.get("rounds", "1")) != "1":
        raise InputError(f"option rounds of {name} at radix {radix} must be 1, not {rounds!r}")


def _values(default: int, legal: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(str, dict.fromkeys((default, *legal))))
