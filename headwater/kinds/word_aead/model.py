# SPDX-License-Identifier: Apache-2.0
"""The model of Phelix: the description read with integers, word by word."""

from __future__ import annotations

from headwater.cipher.message import Message, Sealed, tag_bits_of
from headwater.cipher.phelix import Running
from headwater.kinds.word_aead.description import PhelixAead


def process(cipher: PhelixAead, message: Message) -> Sealed:
    """The output text of a message, and its tag."""
    bits = tag_bits_of(cipher, message)
    data, text = message.associated_data, message.text
    running = Running(message.key, message.nonce, bits)
    running.associated_data(data)
    other = running.text(text, decrypts=message.decrypts)
    return Sealed(other, running.mac(len(data), len(text))[: bits // 8])
