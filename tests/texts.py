# SPDX-License-Identifier: Apache-2.0
"""Messages as the words of 32 bits that software puts into a coprocessor, and what it gets."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.codesign.job import memory_words
from headwater.interface.public_secret import public_secret
from headwater.interface.registers import TEXT_MARKS
from headwater.kinds.reading import process

LAST, DATA, _ = (entry.value for entry in TEXT_MARKS)


@dataclass(frozen=True)
class Text:
    """A message as software handles it.

    Members
    -------
    puts : list of (int, int)
        Marks and value of each word that goes in.
    spare : int
        Bits of the last byte that do not count.
    decrypts : bool
    out, tag : list of int
        The words that come out: of the other text, then of the tag.
    """

    puts: list[tuple[int, int]]
    spare: int
    decrypts: bool
    out: list[int]
    tag: list[int]

    @property
    def first_text_word(self) -> int:
        """The number of words before the text."""
        return sum(bool(marks & DATA) for marks, _ in self.puts)


def bytes_for(purpose: str, count: int) -> bytes:
    """Bytes that look random, the same for each purpose."""
    return hashlib.shake_256(purpose.encode()).digest(count)


def message_of(cipher: Cipher, data_bytes: int, text_bits: int, *, decrypts: bool) -> Message:
    """A message under the key and IV of every measurement. What is decrypted is a ciphertext."""
    length = -(-text_bits // 8)
    text = bytearray(bytes_for("text", length))
    if text_bits % 8:
        msb_first = cipher.bit_order == "msb_first"
        text[-1] &= 0xFF << -text_bits % 8 & 0xFF if msb_first else (1 << text_bits % 8) - 1
    data = bytes_for("data", data_bytes) if cipher.takes_associated_data else b""
    message = Message(*public_secret(cipher), data, bytes(text), text_bits)
    return (
        replace(message, text=process(cipher, message).text, decrypts=True) if decrypts else message
    )


def text_of(cipher: Cipher, message: Message) -> Text:
    """The words of a message and of what it becomes. Bytes that do not count are not zero."""
    puts = [
        *_marked(cipher, cipher.prefix(message.associated_data), DATA),
        *_marked(cipher, message.text, 0),
    ] or [(0, 0xDEADBEEF)]
    puts[-1] = (puts[-1][0] | LAST, puts[-1][1])
    made = process(cipher, message)
    return Text(
        puts,
        -message.bits % 8,
        message.decrypts,
        memory_words(cipher, made.text),
        memory_words(cipher, made.tag),
    )


def _marked(cipher: Cipher, data: bytes, mark: int) -> list[tuple[int, int]]:
    counts = [min(4, len(data) - place) for place in range(0, len(data), 4)]
    words = memory_words(cipher, data + bytes_for("rest", -len(data) % 4))
    return [(mark | count, word) for count, word in zip(counts, words, strict=True)]
