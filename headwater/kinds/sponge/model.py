# SPDX-License-Identifier: Apache-2.0
"""The model of Ascon: the description read with integers, block by block."""

from __future__ import annotations

from headwater.cipher.ascon import Running
from headwater.cipher.message import Message, Sealed, tag_bits_of
from headwater.kinds.sponge.description import SpongeAead


def process(cipher: SpongeAead, message: Message) -> Sealed:
    """The output text of a message, and its tag."""
    bits = tag_bits_of(cipher, message)
    running = Running(message.key, message.nonce)
    running.associated_data(message.associated_data)
    other = running.text(message.text, decrypts=message.decrypts)
    return Sealed(other, running.tag()[: bits // 8])
