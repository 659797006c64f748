# SPDX-License-Identifier: Apache-2.0
"""The model of ciphers whose output bits encrypt and authenticate in turn."""

from __future__ import annotations

from headwater.algebra import bitstring
from headwater.cipher.message import Message, Sealed
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.stepped.model import Model


def process(cipher: BitAead, message: Message) -> Sealed:
    """Encrypt or decrypt with the even output bits, and authenticate with the odd ones."""
    model = Model(cipher, key=message.key, iv=message.nonce)
    content = model.content(cipher.authenticator)
    prefix = cipher.prefix(message.associated_data)
    skipped, bits = 8 * len(prefix), message.bits
    output = model.read(2 * (skipped + bits + 1))
    encrypting, authenticating = bitstring.every_other(output, skipped + bits + 1, cipher.bit_order)
    text = bitstring.from_bytes(message.text, cipher.bit_order)
    other = text ^ encrypting >> skipped & (1 << bits) - 1
    plain = other if message.decrypts else text
    string = bitstring.from_bytes(prefix, cipher.bit_order)
    string |= plain << skipped | 1 << skipped + bits
    tag = accumulate(cipher.tag_bits, content, string, authenticating, skipped + bits + 1)
    return Sealed(
        bitstring.to_bytes(other, bits, cipher.bit_order),
        bitstring.to_bytes(tag, cipher.tag_bits, cipher.bit_order),
    )


def accumulate(width: int, content: int, string: int, entering: int, bits: int) -> int:
    """The accumulator after ``bits`` authenticated bits. For each bit i of the string that is one,
    the shift register after i moves is added: bits i to i + width of its first content followed by
    what enters."""
    mask = (1 << width) - 1
    accumulator, line = content & mask, content >> width | entering << width
    piece_bits = 512
    for start in range(0, bits, piece_bits):
        piece = string >> start & (1 << piece_bits) - 1
        window = line >> start & (1 << piece_bits + width) - 1
        while piece:
            lowest = (piece & -piece).bit_length() - 1
            accumulator ^= window >> lowest & mask
            piece &= piece - 1
    return accumulator
