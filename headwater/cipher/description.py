# SPDX-License-Identifier: Apache-2.0
"""What every cipher has, whatever it is made of: a name, keys, IVs and the order of its bits.

Subclasses describe how a cipher works: see `description.py` of each kind in `headwater.kinds`.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from headwater.algebra import bitstring
from headwater.algebra.bitstring import BitOrder
from headwater.cipher.digest import description_digest
from headwater.cipher.law import Law
from headwater.cipher.option import CORE_OPTIONS, Option
from headwater.errors import InputError, describe_bits, describe_lengths

Bits = Any
"""A value of any reading of a description: integer, hardware value or symbol."""


HASHES = ("hash", "xof")
"""Services whose messages have a digest, without a key: of one length, or of any."""

MACS = ("3gpp-mac", "mac", *HASHES)
"""Services whose messages are not encrypted: a tag or a digest is all that leaves."""

SPECIAL_FIELDS = ("shorter_keys", "counter_bits", "first_bit_on_top")
"""Fields that the ciphers of some kinds use; the others must leave them out."""


@dataclass(frozen=True, kw_only=True)
class Cipher(ABC):
    """A stream cipher. An IV that is shorter than the longest stands at the end of its place,
    behind zeros."""

    kind: ClassVar[str]
    """The folder of `headwater.kinds` that the description class belongs to."""
    own_options: ClassVar[tuple[Option, ...]] = ()
    """Options of the kind, behind those that every core has."""
    divides: ClassVar[bool] = False
    """Whether controller and datapath of a core can be modules of their own."""
    own_fields: ClassVar[frozenset[str]] = frozenset()
    """Those of `SPECIAL_FIELDS` that the kind uses."""

    name: str
    """Its name on the command line: small letters, digits, ``-`` and ``_``."""
    title: str
    """Its name in prose."""
    source: str
    """The document that the description was written from."""
    security: str
    """Known security status, one line. It begins with "broken" or "not for use" if the cipher
    should protect nothing: then verbs say so."""
    key_bits: int
    """Length of the key, a multiple of 8; if there are several, the longest."""
    shorter_keys: tuple[int, ...] = ()
    """Further legal lengths of the key."""
    iv_bits: tuple[int, ...]
    """Legal lengths of the IV, ascending; the core takes the last one if it cannot take all."""
    bit_order: BitOrder
    """"lsb_first" or "msb_first": which bit of a byte is first, for keystream, text and tag."""
    input_order: BitOrder | None = None
    """The same of key and IV, if it differs."""
    convention: str
    """Both orders in words."""
    first_bit_on_top: bool = False
    """Whether the first bit of a word is its most significant bit, as in ciphers of big-endian
    words; otherwise it is bit 0."""
    patents: str = ""
    """What is publicly known to be claimed on a form that is offered, with the patents' numbers."""
    authenticated: Cipher | None = None
    """The cipher's mode with authentication, if the cipher has modes with and without."""
    base: Cipher | None = None
    """Of a mode: the cipher whose keystream it uses."""
    takes_associated_data: bool = False
    """Whether messages may come with data that is authenticated and not encrypted."""
    counter_bits: int = 0
    """Length of a block number, if the keystream can begin with any block."""
    first_iv_bit: int | None = None
    """Value that the first IV bit must have, if this bit selects the cipher's mode."""
    numbers_frames: bool = False
    """Whether the IV is the number of a frame, least significant byte first."""
    effective_key: Callable[[bytes, int], bytes] | None = field(default=None, compare=False)
    """``effective_key(key, length)`` is the key with ``length`` bytes of entropy, if the standard
    says how it is derived."""
    vector_names: tuple[str, ...] = ()
    """Further names that files of its vectors go by."""
    vector_readers: Mapping[str, Callable[[Any, Any], list[Any]]] = field(
        default_factory=dict, compare=False
    )
    """By kind of vector file the function that reads an entry, for kinds that only this cipher has:
    ``read(entry, cipher)`` gives vectors (`headwater.cipher.cases`)."""
    laws: tuple[Law, ...] = field(default=(), compare=False, repr=False)
    """Properties that the description states of itself; `verify --prove` proves them."""
    printed_flip_flops: tuple[str, ...] = ()
    """Published numbers of flip-flops, with their source: one sentence each."""
    described_in: str = field(default="", compare=False, repr=False)
    """The file with the cipher's functions, if the description does not hold the functions
    themselves."""
    offered_by: str = field(default="", compare=False, repr=False)
    """SHA-256 of the file that a cipher from outside was offered by; filled in when it is added."""

    @property
    def broken(self) -> bool:
        """Whether the cipher should protect nothing: its security line begins with "broken" or "not
        for use"."""
        return self.security.startswith(("broken", "not for use"))

    @property
    def known_patents(self) -> str:
        """What is known to be claimed on the cipher, or on the one whose keystream a mode uses."""
        known = self.patents or (self.base.patents if self.base else "")
        return known or "none known; no search was made"

    @property
    def service(self) -> str:
        """ "keystream"; "aead" where messages are encrypted and authenticated;
        "self-synchronising" where the text feeds the cipher; "3gpp-cipher" or "3gpp-mac" for the
        modes of mobile radio; "mac" where a message without an IV is authenticated;
        "hash" or "xof" where it has a digest of one length, or of any, without a key."""
        return "keystream"

    @property
    def tag_lengths(self) -> tuple[int, ...]:
        """Legal lengths of a message's tag in bits, ascending; none where there are no tags."""
        return ()

    @property
    def default_tag_bits(self) -> int:
        """The default length of a tag: the longest."""
        return self.tag_lengths[-1]

    @property
    def text_unit(self) -> int:
        """Bits that the length of a message's text is a multiple of."""
        return 1

    @property
    def data_unit(self) -> int:
        """Bits that the length of a message's associated data is a multiple of."""
        return 8

    @property
    def longest_data(self) -> int | None:
        """The most bytes of associated data; None where nothing limits them."""
        return None

    def prefix(self, associated_data: bytes, bits: int | None = None) -> bytes:  # noqa: ARG002
        """What is authenticated before the text of a message. ``bits`` is the length of associated
        data that are not whole bytes."""
        return associated_data

    @property
    def no_keystream(self) -> str:
        """Why there is no keystream apart from a text, and what to do; empty if there is one."""
        return ""

    @property
    def has_keystream(self) -> bool:
        """Whether there is a keystream apart from a text."""
        return not self.no_keystream

    @property
    def parameters(self) -> tuple[Option, ...]:
        """Choices that change the output: number of rounds, length of the key."""
        return ()

    def with_parameters(self, values: Mapping[str, str]) -> Cipher:  # noqa: ARG002
        """The cipher with these values of its parameters."""
        return self

    def for_key(self, bits: int) -> Cipher:  # noqa: ARG002
        """The cipher with parameters for a key of this length; the cipher itself if none depends on
        it."""
        return self

    def for_tag(self, bits: int) -> Cipher:  # noqa: ARG002
        """The cipher with parameters for a tag of this length; the cipher itself if none depends on
        it."""
        return self

    def for_lengths(self, *bits: int) -> Cipher:  # noqa: ARG002
        """The cipher with parameters for strings of these lengths in bits; the cipher itself if
        none depends on them."""
        return self

    @property
    def options(self) -> tuple[Option, ...]:
        """Choices of architecture, the options that every core has first."""
        return (*CORE_OPTIONS, *self.own_options)

    @property
    def choices(self) -> tuple[Option, ...]:
        """All that can be chosen of a core: its options, then the cipher's parameters."""
        return (*self.options, *self.parameters)

    @property
    def defaults(self) -> dict[str, str]:
        """The values of choices that nobody gave."""
        return {one.name: one.default for one in self.choices}

    @property
    def best_on_fpga(self) -> dict[str, str]:
        """The options that have another default where the target is an FPGA, with that."""
        return {one.name: one.best_on_fpga for one in self.options if one.best_on_fpga}

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:  # noqa: B027
        """Refuse choices that are legal one by one, but not together, with an error that names the
        legal choices."""

    def check_functions(self) -> None:  # noqa: B027
        """Refuse functions that give another thing than a core is made of. A description from
        outside is asked when it is added."""

    @property
    @abstractmethod
    def state_bits(self) -> int:
        """Flip-flops that the running cipher itself needs."""

    @property
    def steps_per_bit(self) -> int:
        """Output bits of the step function for each bit of keystream."""
        return 1

    @property
    def call_fields(self) -> tuple[tuple[str, int], ...]:
        """The fields that the IV is packed from: names and lengths in bits, most significant first.
        Empty if the IV is given as a whole."""
        return ()

    def pack_iv(self, *values: int) -> bytes:
        """The IV of the values of `call_fields`: most significant bit first, zeros to the byte."""
        string = 0
        for (_, bits), value in zip(self.call_fields, values, strict=True):
            string = string << bits | value
        length = sum(bits for _, bits in self.call_fields)
        return (string << -length % 8).to_bytes(-(-length // 8), "big")

    @property
    def formed_fields(self) -> tuple[tuple[str, int], ...]:
        """The fields that a whole IV can be formed of, though it is not certain how; as
        `call_fields`, or empty."""
        return ()

    def formed_iv(self, tag_bits: int, *values: int) -> bytes:  # noqa: ARG002
        """The IV formed of the values of `formed_fields` and the length of the tag."""
        return self.pack_iv(*values)

    def named_tag_bits(self, iv: bytes) -> int | None:  # noqa: ARG002
        """The length of the tag that an IV names, if IVs do so and it names a legal one."""
        return None

    @property
    def seek_bits(self) -> int | None:
        """Length in bits of a block, if the keystream can begin with any block; otherwise None."""
        return None

    @abstractmethod
    def legal_radices(self) -> tuple[int, ...]:
        """Every radix that is offered."""

    @property
    def further_radices(self) -> range:
        """Wider radices, which are legal too; sweeps over all radices leave them out."""
        return range(0)

    @property
    def default_radix(self) -> int:
        """The radix taken when none is given."""
        return self.legal_radices()[0]

    @property
    def natural_radix(self) -> int:
        """Widest radix at which no step reads a bit made in the same cycle."""
        return self.legal_radices()[-1]

    @abstractmethod
    def legal_load_widths(self, radix: int) -> tuple[int, ...]:
        """Key and IV bits that a core of a radix can take in a cycle."""

    def default_load_width(self, radix: int) -> int:
        """The load width taken when none is given."""
        return self.legal_load_widths(radix)[0]

    @property
    def zero_iv_bits(self) -> tuple[int, ...]:
        """Bits of the IV that must be zero, ascending, the first bit being bit 0."""
        return ()

    @property
    def free_iv_bits(self) -> int:
        """Bits of the longest IV that need not be zero."""
        return self.iv_bits[-1] - len(self.zero_iv_bits)

    def check_zero_bits(self, iv_string: Sequence[int]) -> None:
        """Refuse an IV with ones among its bits that must be zero, with an error that names
        them."""
        if any(iv_string[place] for place in self.zero_iv_bits):
            bits = describe_bits(self.zero_iv_bits)
            raise InputError(f"{bits} of the IV of {self.name} must be zero, its first one bit 0")

    def fitting_iv(self, string: int) -> int:
        """The bit string of an IV, its first bit in bit 0, with those bits set that have only one
        legal value."""
        for place in self.zero_iv_bits:
            string &= ~(1 << place)
        if self.first_iv_bit is not None:
            string = string & ~1 | self.first_iv_bit
        return string

    def input_bits(
        self, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bits of key and IV, first bit first; ``iv_bits`` is the length of the IV where it is
        not a whole number of bytes. An IV that selects another mode is refused. An error never
        holds their value, but for that bit."""
        length = self._check_lengths(key, iv, iv_bits)
        order = self.input_order or self.bit_order
        bits = bitstring.split(bitstring.from_bytes(iv, order), length)
        if bits and self.first_iv_bit not in (None, bits[0]):
            raise InputError(
                f"bit 0 of the IV of {self.name} must be {self.first_iv_bit}, not {bits[0]}"
            )
        return bitstring.split(bitstring.from_bytes(key, order), 8 * len(key)), bits

    def _check_lengths(self, key: bytes, iv: bytes, iv_bits: int | None) -> int:
        legal = (*self.shorter_keys, self.key_bits)
        if 8 * len(key) not in legal:
            raise InputError(
                f"key of {self.name} must be {describe_lengths(legal)}, not {8 * len(key)} bits"
            )
        if iv_bits is None:
            fitting = [bits for bits in self.iv_bits if -(-bits // 8) == len(iv)]
            iv_bits = fitting[-1] if fitting else 8 * len(iv)
        if iv_bits not in self.iv_bits or -(-iv_bits // 8) != len(iv):
            iv_length = iv_bits if -(-iv_bits // 8) == len(iv) else 8 * len(iv)
            raise InputError(
                f"IV of {self.name} must be {describe_lengths(self.iv_bits)}, not {iv_length} bits"
            )
        unused = bitstring.from_bytes(iv, self.input_order or self.bit_order) >> iv_bits
        if unused:
            raise InputError(f"unused bits of the IV of {self.name} must be zero")
        return iv_bits

    def sheet(self) -> dict[str, Any]:
        """Entries of the data sheet that only ciphers of this kind have."""
        return {}

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the code and tables of the description, without prose. For a cipher from
        outside the whole offering file counts as well, even if only another description in it has
        changed."""
        described = f"{description_digest(self)} {self.offered_by}"
        return hashlib.sha256(f"{self.name} {described}".encode()).hexdigest()
