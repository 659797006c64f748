# SPDX-License-Identifier: Apache-2.0
"""The sessions that a core's own testbench runs: the words that go in, and those of the model."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.emit.testbench import BenchSession
from headwater.kinds.registry import facts_of
from headwater.measure.stimulus import longest_iv, stimulus, stimulus_of

_PARTS_BYTES = 32
"""Associated data that fills its blocks, and whole words of any core."""


def tested_sessions(
    cipher: Cipher, architecture: Architecture, words: int
) -> tuple[BenchSession, ...]:
    """Two sessions of ``words`` words, the second of which is decrypted if the core does both; of a
    core of messages also one whose text fills its words, without associated data, one with hardly
    any text, and one with none."""
    stimuli = [stimulus(cipher, architecture, words, another=another) for another in (False, True)]
    both = "decrypt" in facts_of(cipher, architecture).inputs
    sessions = [
        BenchSession(one.by_stream, both and place == 1) for place, one in enumerate(stimuli)
    ]
    if stimuli[0].data_words:
        sessions += [
            _of_message(cipher, architecture, message, both)
            for message in _messages(cipher, architecture, words)
        ]
    return tuple(sessions)


def _of_message(
    cipher: Cipher, architecture: Architecture, message: Message, both: bool
) -> BenchSession:
    words = stimulus_of(cipher, architecture, message, longest_iv(cipher, architecture))
    return BenchSession(words.by_stream, both and message.decrypts)


def _messages(cipher: Cipher, architecture: Architecture, words: int) -> Iterator[Message]:
    """Messages whose parts fill their words and blocks, or are hardly there."""
    width = facts_of(cipher, architecture).streams["data_in"].width
    shapes = [(0, width * words, False), (_PARTS_BYTES, cipher.text_unit, True)]
    if cipher.takes_associated_data:
        shapes.append((_PARTS_BYTES + 1, 0, False))
    direction = architecture["direction"]
    for number, (associated, bits, decrypts) in enumerate(shapes):
        source, order = Random(number), cipher.bit_order
        key, nonce = _key_and_nonce(cipher, architecture, source)
        yield Message(
            key=key,
            nonce=nonce,
            associated_data=source.randbytes(associated) if cipher.takes_associated_data else b"",
            text=bitstring.to_bytes(source.getrandbits(bits) if bits else 0, bits, order),
            bits=bits,
            decrypts=direction == "decrypt" or (decrypts and direction == "both"),
        )


def _key_and_nonce(
    cipher: Cipher, architecture: Architecture, source: Random
) -> tuple[bytes, bytes]:
    """A key, and a nonce of the greatest length that can be loaded."""
    bits, order = longest_iv(cipher, architecture), cipher.input_order or cipher.bit_order
    key = bitstring.to_bytes(source.getrandbits(cipher.key_bits), cipher.key_bits, order)
    return key, bitstring.to_bytes(cipher.fitting_iv(source.getrandbits(bits)), bits, order)
