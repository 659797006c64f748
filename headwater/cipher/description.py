# SPDX-License-Identifier: Apache-2.0
"""What every cipher has, whatever it is made of: a name, keys, IVs and the order of its bits.

How it works inside is the matter of the subclasses: ciphers that go in steps are in
`headwater.kinds.stepped.description`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from headwater.algebra import bitstring
from headwater.algebra.bitstring import BitOrder
from headwater.cipher.option import CORE_OPTIONS, Option
from headwater.errors import InputError

Bits = Any
"""Whatever a description is being read with: integers, hardware values, symbols."""


@dataclass(frozen=True, kw_only=True)
class Cipher:
    """A stream cipher.

    Parameters
    ----------
    name, title
        Name on the command line; name in prose.
    source
        The document that the description was written from.
    security
        Known security status, one line; see `broken`.
    key_bits
        Length of the key; of the longest one, where the core takes several.
    shorter_keys
        Further legal lengths of the key.
    iv_bits
        Legal lengths of the IV, ascending; the core takes the last one if it cannot take all.
    bit_order, input_order, convention
        How bytes map to bit strings: the keystream's, those of key and IV where they differ, and
        the same in words.
    first_bit_on_top
        Whether the first bit of a word is its most significant one, as word ciphers of big-endian
        words have it; else it is bit 0.
    authenticated
        The same cipher in its mode with authentication, where it has both.
    base
        The cipher whose keystream this one uses, where it is a mode of another.
    takes_associated_data
        Whether messages may come with data that is authenticated and not encrypted.
    printed_flip_flops
        What has been printed of the number of its flip-flops, and by whom: a sentence each.
    """

    kind: ClassVar[str]
    """The folder of `headwater.kinds` that the description class belongs to."""

    name: str
    title: str
    source: str
    security: str
    key_bits: int
    shorter_keys: tuple[int, ...] = ()
    iv_bits: tuple[int, ...]
    bit_order: BitOrder
    input_order: BitOrder | None = None
    convention: str
    first_bit_on_top: bool = False
    authenticated: Cipher | None = None
    base: Cipher | None = None
    takes_associated_data: bool = False
    printed_flip_flops: tuple[str, ...] = ()

    @property
    def broken(self) -> bool:
        """Whether the security status is that it should protect nothing: its line begins so."""
        return self.security.startswith(("broken", "not for use"))

    @property
    def service(self) -> str:
        """ "keystream", "aead" where messages are encrypted and authenticated, or
        "self-synchronising" where the text feeds the cipher."""
        return "keystream"

    @property
    def tag_lengths(self) -> tuple[int, ...]:
        """Legal lengths of a message's tag in bits, ascending; none where there are no tags."""
        return ()

    @property
    def default_tag_bits(self) -> int:
        """The length of tag taken where none is asked for: the longest."""
        return self.tag_lengths[-1]

    @property
    def text_unit(self) -> int:
        """Bits that the length of a message's text is a multiple of."""
        return 1

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
        """The cipher whose parameters fit a key of this length, where they depend on it."""
        return self

    @property
    def options(self) -> tuple[Option, ...]:
        """Choices of architecture, those of every core first."""
        return CORE_OPTIONS

    @property
    def choices(self) -> tuple[Option, ...]:
        """All that can be chosen of a core: its options, then the cipher's parameters."""
        return (*self.options, *self.parameters)

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse choices that are legal one by one, but not together.

        Raises
        ------
        InputError
            In one sentence that names the legal ones.
        """

    @property
    def state_bits(self) -> int:
        """Flip-flops that the running cipher itself needs."""
        raise NotImplementedError

    @property
    def steps_per_bit(self) -> int:
        """Output bits of the step function for each bit of keystream."""
        return 1

    @property
    def seek_bits(self) -> int | None:
        """Length of the blocks that can be begun with; None if the keystream has one beginning."""
        return None

    def legal_radices(self) -> tuple[int, ...]:
        """Every radix that is offered."""
        raise NotImplementedError

    @property
    def default_radix(self) -> int:
        """The radix taken when none is given."""
        return self.legal_radices()[0]

    @property
    def natural_radix(self) -> int:
        """Widest radix at which no step reads a bit made in the same cycle."""
        return self.legal_radices()[-1]

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:
        """Key and IV bits that a core of a radix can take in a cycle."""
        raise NotImplementedError

    def default_load_width(self, radix: int) -> int:
        """The load width taken when none is given."""
        return self.legal_load_widths(radix)[0]

    def input_bits(
        self, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bits of key and IV, first bit first.

        Parameters
        ----------
        key, iv
            In the cipher's convention.
        iv_bits
            Length of the IV where it is not a whole number of bytes.

        Raises
        ------
        InputError
            If the key or the IV has no legal length. The message never holds their value.
        """
        length = self._check_lengths(key, iv, iv_bits)
        order = self.input_order or self.bit_order
        return (
            bitstring.split(bitstring.from_bytes(key, order), 8 * len(key)),
            bitstring.split(bitstring.from_bytes(iv, order), length),
        )

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
            given = iv_bits if -(-iv_bits // 8) == len(iv) else 8 * len(iv)
            raise InputError(
                f"IV of {self.name} must be {describe_lengths(self.iv_bits)}, not {given} bits"
            )
        unused = bitstring.from_bytes(iv, self.input_order or self.bit_order) >> iv_bits
        if unused:
            raise InputError(f"unused bits of the IV of {self.name} must be zero")
        return iv_bits

    @property
    def _described_in(self) -> str:
        """The file that the description is written in."""
        raise NotImplementedError

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file that the description is written in."""
        return hashlib.sha256(Path(self._described_in).read_bytes()).hexdigest()


def describe_lengths(legal: tuple[int, ...]) -> str:
    """Legal lengths in words."""
    first, last = legal[0], legal[-1]
    if len(legal) > 1 and legal == tuple(range(first, last + 1)):
        return f"{first} to {last} bits"
    if len(legal) > 2 and legal == tuple(range(first, last + 1, 8)):
        return f"{first} to {last} bits in whole bytes"
    return " or ".join(map(_length, legal))


def _length(bits: int) -> str:
    return f"{bits} bits ({-(-bits // 8) * 2} hex digits)"


def describe_numbers(numbers: Sequence[int]) -> str:
    """Legal numbers in words."""
    first, last = numbers[0], numbers[-1]
    if first == last:
        return str(first)
    if numbers == tuple(range(first, last + 1)):
        return f"between {first} and {last}"
    if len(numbers) > 2 and numbers == tuple(range(first, last + 1, first)):
        return f"a multiple of {first} between {first} and {last}"
    return "one of " + ", ".join(map(str, numbers))
