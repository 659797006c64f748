# SPDX-License-Identifier: Apache-2.0
"""Published vectors as strings of bits that enter a core and that it must give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headwater.cipher.cases import KeystreamVector, MessageVector, TagVector
from headwater.cipher.description import Cipher
from headwater.foreign.settings import PACKETS
from headwater.verify.vector_files import own_files, read_file

STRINGS = ("key", "iv", "base_key", "base_iv", "ad", "base_ad", "text", *PACKETS)
"""What may enter: the key, the IV or nonce; of a mode, those of its cipher; associated data, and
as they are authenticated, perhaps with their length; the plaintext; or all of these in the words of
the LWC hardware API."""
_LONGEST = 512
"""Bits of a keystream that are looked at: the rest of a long one is made by the same cycles."""


@dataclass(frozen=True)
class Sample:
    """A published vector."""

    name: str
    strings: Mapping[str, bytes]
    """What enters, by `STRINGS`."""
    expected: Mapping[str, bytes]
    """What comes out, in this order: "keystream", "ciphertext", "tag"."""
    told: tuple[int, ...] = ()
    """Lengths in bytes that what enters tells the core."""

    @property
    def expected_bits(self) -> int:
        """Bits that come out."""
        return 8 * sum(map(len, self.expected.values()))

    @property
    def lengths(self) -> tuple[int, ...]:
        """Bytes of all strings: vectors with the same go through a core side by side."""
        return (*map(len, (*self.strings.values(), *self.expected.values())), *self.told)


def samples(cipher: Cipher, first: int = 0) -> tuple[list[Sample], int]:
    """The published vectors of a cipher that are made of whole bytes, and how many others there
    are: segments from the beginning of a keystream or, of a cipher that has none, messages with
    their tags. Of a keystream only the ``first`` bits count, if they are not 0."""
    vectors = [one for path in own_files(cipher) for one in read_file(path, cipher).vectors]
    for sort in (KeystreamVector, MessageVector, TagVector):
        every = [one for one in vectors if isinstance(one, sort)]
        if every:
            break
    drawn = [_sample(one, cipher, first or _LONGEST) for one in every if _is_of_bytes(one, cipher)]
    drawn = [one for one in drawn if one.expected_bits]
    return drawn, len(every) - len(drawn)


def _is_of_bytes(one: KeystreamVector | MessageVector | TagVector, cipher: Cipher) -> bool:
    """Whether all strings of a vector are whole bytes, and a keystream begins with its first; of a
    message, whether it is one of this cipher."""
    if isinstance(one, KeystreamVector):
        return not (one.offset or one.bits % 8 or one.iv_bits % 8)
    message = one.message if isinstance(one, TagVector) else one.encrypting
    if len(message.nonce) not in {-(-bits // 8) for bits in cipher.iv_bits}:
        return False  # Of a mode of the cipher.
    return not (message.bits % 8 or message.associated_bits % 8 or (message.tag_bits or 0) % 8)


def _sample(one: KeystreamVector | MessageVector | TagVector, cipher: Cipher, most: int) -> Sample:
    if isinstance(one, KeystreamVector):
        key, iv, ad, text = one.key, one.iv, b"", b""
        expected = {"keystream": one.keystream[: min(one.bits, most) // 8]}
    else:
        message = one.message if isinstance(one, TagVector) else one.encrypting
        key, iv = message.key, message.nonce
        ad, text = message.associated_data, message.text
        expected = {} if isinstance(one, TagVector) else {"ciphertext": one.decrypting.text}
        if one.tag:
            expected["tag"] = one.tag
    strings = {"key": key, "iv": iv, "ad": ad, "base_ad": cipher.prefix(ad), "text": text}
    if hasattr(cipher, "base_inputs"):
        strings["base_key"], strings["base_iv"] = cipher.base_inputs(key, iv)
    return Sample(one.name, strings, expected)


def grouped(drawn: Sequence[Sample]) -> list[list[Sample]]:
    """The samples by their lengths, the largest group first."""
    groups: dict[tuple[int, ...], list[Sample]] = {}
    for one in drawn:
        groups.setdefault(one.lengths, []).append(one)
    return sorted(groups.values(), key=len, reverse=True)


def columns(strings: Sequence[bytes]) -> list[int]:
    """By place, an integer with that bit of each string, the lowest bit of a byte first."""
    return [
        sum((string[place // 8] >> place % 8 & 1) << run for run, string in enumerate(strings))
        for place in range(8 * len(strings[0]))
    ]
