# SPDX-License-Identifier: Apache-2.0
"""Published vectors as strings of bits that enter a core and that it must give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headwater.cipher.cases import KeystreamVector, MessageVector
from headwater.cipher.description import Cipher
from headwater.foreign.settings import PACKETS
from headwater.verify.vector_files import own_files, read_file

STRINGS = ("key", "iv", "ad", "text", *PACKETS)
"""What may enter: the key, the IV or nonce, associated data, the plaintext; or all of these in the
words of the LWC hardware API."""
_LONGEST = 512
"""Bits of a keystream that are looked at: the rest of a long one is made by the same cycles."""


@dataclass(frozen=True)
class Sample:
    """A published vector."""

    name: str
    strings: Mapping[str, bytes]
    """What enters, by `STRINGS`."""
    expected: Mapping[str, bytes]
    """What comes out, in this order: "keystream", or "ciphertext" and "tag"."""
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
    streams = [one for one in vectors if isinstance(one, KeystreamVector)]
    messages = [] if streams else [one for one in vectors if isinstance(one, MessageVector)]
    drawn = [
        _of_keystream(one, first or _LONGEST)
        for one in streams
        if not one.offset and not one.bits % 8 and not one.iv_bits % 8
    ]
    drawn += [_of_message(one) for one in messages if not one.encrypting.bits % 8]
    return drawn, len(streams) + len(messages) - len(drawn)


def _of_keystream(one: KeystreamVector, most: int) -> Sample:
    keystream = one.keystream[: min(one.bits, most) // 8]
    return Sample(
        one.name, {"key": one.key, "iv": one.iv, "ad": b"", "text": b""}, {"keystream": keystream}
    )


def _of_message(one: MessageVector) -> Sample:
    message = one.encrypting
    strings = {
        "key": message.key,
        "iv": message.nonce,
        "ad": message.associated_data,
        "text": message.text,
    }
    return Sample(one.name, strings, {"ciphertext": one.decrypting.text, "tag": one.tag})


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
