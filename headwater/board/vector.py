# SPDX-License-Identifier: Apache-2.0
"""The vector that a board checks: the words that go into a core, and those that must come out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.cipher.cases import KeystreamVector, MessageVector, TagVector
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, tag_bits_of
from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.errors import InputError
from headwater.verify.transfer import transfer_of
from headwater.verify.vector_files import own_files, read_file

_SHOWN_BITS = 256
"""Bits of keystream that are compared and shown, at most."""
_SHORTEST_BITS = 64
"""A text that is shorter says little."""
_SEVERAL = 1 << 13
"""A text that is longer fills a board."""


@dataclass(frozen=True)
class InputWords:
    """The words of a stream into the core: the members of each, by name."""

    stream: Stream
    words: Sequence[Mapping[str, int]]


@dataclass(frozen=True)
class OutputWords:
    """The words of a stream out of the core."""

    stream: Stream
    counts: Sequence[int]
    """Of each word the bits that count, its first bit as bit 0."""
    marks: Sequence[Mapping[str, int]]
    """Of each word its members beside the payload."""
    data: bytes
    """What these bits are together, in the cipher's order of bits."""

    @property
    def title(self) -> str:
        """What the words are called on the serial line."""
        return {"data_out": "text"}.get(self.stream.name, self.stream.name)


@dataclass(frozen=True)
class BoardVector:
    """A vector as words of a core's streams."""

    name: str
    origin: str
    """Who published it, or what generated it, as its file has it."""
    inputs: tuple[InputWords, ...]
    outputs: tuple[OutputWords, ...]

    @property
    def published(self) -> bool:
        """Whether somebody published it."""
        return self.origin.startswith("published")


_Candidate = KeystreamVector | MessageVector | TagVector


def board_vector(cipher: Cipher, facts: Facts) -> BoardVector:
    """The vector that suits a board best: published, with a text that is long enough and no longer,
    with associated data where the cipher takes some, and not all zeros.

    Raises
    ------
    InputError
        If no vector of the cipher can be used.
    """
    candidates = [
        (vector, origin) for vector, origin in _vectors(cipher) if _fits(cipher, facts, vector)
    ]
    if not candidates:
        raise InputError(
            f"a core on a board must have a vector of whole bytes, and {cipher.name} "
            "has none that this core takes"
        )
    vector, origin = min(candidates, key=lambda one: _rank(cipher, *one))
    return _as_words(cipher, facts, vector, origin)


def _vectors(cipher: Cipher) -> Iterator[tuple[_Candidate, str]]:
    """The vectors of the cipher itself, each with its origin."""
    for path in own_files(cipher):
        file = read_file(path, cipher)
        if file.cipher.name != cipher.name:
            continue
        entries = json.loads(path.read_text())["vectors"]
        origins = {entry["id"]: str(entry.get("origin", "")) for entry in entries}
        for vector in file.vectors:
            if isinstance(vector, KeystreamVector | MessageVector | TagVector):
                yield vector, origins[_entry_of(vector.name, origins)]


def _entry_of(name: str, entries: Iterable[str]) -> str:
    """The entry that a vector is of: some have two, whose names say more than the entry's."""
    return next(entry for entry in entries if entry == name or name.startswith(f"{entry} "))


def _fits(cipher: Cipher, facts: Facts, vector: _Candidate) -> bool:
    """Whether a core takes a vector, and gives whole bytes of it."""
    if facts.unfit(vector.iv_bits):
        return False
    if isinstance(vector, KeystreamVector):
        return "keystream" in facts.streams and vector.offset == 0 and vector.bits >= 8
    text, tag = "data_out" in facts.streams, "tag" in facts.streams
    message = _message(facts, vector)
    of_core = facts.streams["tag"].bits if tag else None
    whole = not (text and message.bits % 8) and not (tag and tag_bits_of(cipher, message) % 8)
    right = of_core is None or of_core == tag_bits_of(cipher, message)
    return whole and right and text == isinstance(vector, MessageVector)


def _rank(cipher: Cipher, vector: _Candidate, origin: str) -> tuple[bool | int, ...]:
    """The least is the best."""
    derived = not origin.startswith("published")
    if isinstance(vector, KeystreamVector):
        short = vector.bits < _SHORTEST_BITS
        return derived, short, not any(vector.keystream), not any(vector.key)
    message = vector.message if isinstance(vector, TagVector) else vector.encrypting
    short = message.bits < _SHORTEST_BITS or message.bits > _SEVERAL
    bare = cipher.takes_associated_data and not message.associated_data
    size = message.bits + 8 * len(message.associated_data)
    return derived, short, bare, not any(message.key), size


def _message(facts: Facts, vector: MessageVector | TagVector) -> Message:
    """The message that the core takes: a ciphertext where it only decrypts."""
    if isinstance(vector, TagVector):
        return vector.message
    only_decrypts = facts.architecture["direction"] == "decrypt"
    return vector.decrypting if only_decrypts else vector.encrypting


def _as_words(cipher: Cipher, facts: Facts, vector: _Candidate, origin: str) -> BoardVector:
    if isinstance(vector, KeystreamVector):
        load = facts.load_words(vector.key, vector.iv, vector.iv_bits)
        outputs = (_keystream(cipher, facts.streams["keystream"], vector),)
        return BoardVector(vector.name, origin, (_load(facts, load),), outputs)
    message = _message(facts, vector)
    transfer = transfer_of(cipher, facts.architecture, message)
    load = facts.message_load(message.key, message.nonce, tag_bits_of(cipher, message))
    data = _data_in(facts.streams["data_in"], transfer.words)
    written: list[OutputWords] = []
    if isinstance(vector, MessageVector):
        other = vector.encrypting if message.decrypts else vector.decrypting
        stream = facts.streams["data_out"]
        written.append(_text(stream, transfer.leaving(other.text), other.text))
    if "tag" in facts.streams:
        ones = bitstring.to_bytes(
            (1 << 8 * len(vector.tag)) - 1, 8 * len(vector.tag), cipher.bit_order
        )
        stream = facts.streams["tag"]
        counts = [stream.turned(word) for word in transfer.tag_payloads(ones)]
        written.append(OutputWords(stream, counts, [{}] * len(counts), vector.tag))
    return BoardVector(vector.name, origin, (_load(facts, load), data), tuple(written))


def _load(facts: Facts, words: Sequence[int]) -> InputWords:
    stream, last = facts.streams["load"], len(words) - 1
    marks = [
        {mark: int(mark == "last" and place == last) for mark in stream.marks}
        for place in range(len(words))
    ]
    return InputWords(
        stream, [{"payload": word, **mark} for word, mark in zip(words, marks, strict=True)]
    )


def _data_in(stream: Stream, words: Sequence[tuple[int, int, int]]) -> InputWords:
    return InputWords(
        stream,
        [
            {"payload": payload, "keep": keep, "last": int(place == len(words) - 1), "ad": ad}
            for place, (payload, keep, ad) in enumerate(words)
        ],
    )


def _text(stream: Stream, words: Sequence[tuple[int, int, int]], data: bytes) -> OutputWords:
    keeps = [keep for _, keep, _ in words]
    counts = [_spread(stream, keep) for keep in keeps]
    marks = [{"keep": keep, "last": last} for _, keep, last in words]
    return OutputWords(stream, counts, marks, data)


def _spread(stream: Stream, keep: int) -> int:
    """The bits of a word that its ``keep`` stands for, the first one as bit 0."""
    unit = (1 << stream.keep_bits) - 1
    places = range(stream.width // stream.keep_bits)
    bits = sum(unit << place * stream.keep_bits for place in places if keep >> place & 1)
    return stream.turned(bits)


def _keystream(cipher: Cipher, stream: Stream, vector: KeystreamVector) -> OutputWords:
    bits = min(vector.bits, _SHOWN_BITS) // 8 * 8
    string = bitstring.from_bytes(vector.keystream, cipher.bit_order) & (1 << bits) - 1
    words = -(-bits // stream.width)
    counts = [stream.window((1 << bits) - 1, number) for number in range(words)]
    data = bitstring.to_bytes(string, bits, cipher.bit_order)
    return OutputWords(stream, counts, [{}] * words, data)
