# SPDX-License-Identifier: Apache-2.0
"""What a netlist is simulated with for its power, and what it must give."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.cipher.sfinks import Sfinks
from headwater.core.architecture import Architecture
from headwater.errors import ToolError
from headwater.flow.gatesim import GateRun, simulate_gates
from headwater.flow.liberty import Library
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.bit_aead.message_words import Authenticating, data_width, tag_width
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import facts_of
from headwater.kinds.self_synchronising.description import SelfSynchronisingCipher
from headwater.kinds.telephony.description import WORD_BITS, TelephonyMode, message_words
from headwater.kinds.vest.description import VestAead
from headwater.kinds.word_aead.description import WordAead
from headwater.verify.bit_transfer import BitTransfer
from headwater.verify.byte_transfer import ByteTransfer
from headwater.verify.mobile_transfer import TelephonyTransfer
from headwater.verify.transfer import Transfer, transfer_of
from headwater.verify.word_transfer import WordTransfer

_ASSOCIATED_BYTES = 5


@dataclass(frozen=True)
class Stimulus:
    """The words that go into a core, and those that the model gives.

    Members
    -------
    load_words : list of int
    data_words : list of (payload, keep, ad)
        Of a message; none where the core gives keystream.
    words : tuple of int
        The keystream, or the tag; none where a message gets no tag.
    data : tuple of (payload, keep, last)
        The other text; none where a message is not encrypted.
    """

    load_words: list[int]
    data_words: list[tuple[int, int, int]]
    words: tuple[int, ...]
    data: tuple[tuple[int, int, int], ...] = ()

    def check(self, run: GateRun, what: str) -> None:
        """Refuse a netlist that gave anything else; ``what`` it is, for the message."""
        if run.data != self.data:
            raise ToolError(f"{what} gives another text than the model")
        if run.words != self.words:
            given = "tag" if self.data_words else "keystream"
            raise ToolError(f"{what} gives another {given} than the model")


def stimulus(cipher: Cipher, architecture: Architecture, words: int) -> Stimulus:
    """Key, IV and as many words of keystream, or of a message's text; the same each time."""
    key, iv, iv_bits = _key_and_iv(cipher, architecture)
    load_words = facts_of(cipher, architecture).load_words(key, iv, iv_bits)
    if isinstance(cipher, WordAead):
        return _in_words(
            cipher, architecture, load_words, _whole_words(architecture, key, iv, words)
        )
    if isinstance(cipher, VestAead):
        return _in_words(
            cipher, architecture, load_words, _bytes(cipher, architecture, key, iv, words)
        )
    if isinstance(cipher, Authenticating) and cipher.service == "aead":
        message = _message(cipher, architecture, key, iv, words)
        return _authenticated(cipher, architecture.radix, load_words, message)
    if isinstance(cipher, SelfSynchronisingCipher):
        return _synchronising(cipher, architecture, load_words, key, iv, words)
    if isinstance(cipher, TelephonyMode):
        return _telephony(cipher, load_words, key, iv, words)
    radix = architecture.radix
    data = Keystream(cipher, key=key, iv=iv, iv_bits=iv_bits).read(radix * words)
    string = bitstring.from_bytes(data, cipher.bit_order)
    payload = facts_of(cipher, architecture).payload
    return Stimulus(load_words, [], tuple(map(payload, _cut(string, radix, words))))


def simulate_as_model(
    cipher: Cipher,
    architecture: Architecture,
    netlist: str,
    library: Library,
    top: str,
    words: int,
    folder: Path,
    *,
    watch: bool,
) -> GateRun:
    """Simulate the gates of a core.

    Parameters
    ----------
    cipher, architecture
        The core.
    netlist, library, top, folder, watch
        See :func:`~headwater.flow.gatesim.simulate_gates`.
    words
        Words of keystream, or of a message's text.

    Raises
    ------
    ToolError
        If a tool is missing or fails, or the netlist gives anything else than the model.
    """
    given = stimulus(cipher, architecture, words)
    run = simulate_gates(
        netlist, library, top, load_words=given.load_words, words=len(given.words),
        folder=folder, data_words=given.data_words, watch=watch,
    )  # fmt: skip
    given.check(run, f"the {library.name} netlist of {top}")
    return run


def _key_and_iv(cipher: Cipher, architecture: Architecture) -> tuple[bytes, bytes, int]:
    """Any key will do for power, and the longest IV that can be loaded; both irregular."""
    facts = facts_of(cipher, architecture)
    fitting = (bits for bits in cipher.iv_bits if not facts.unfit(bits))
    iv_bits = max(bits for bits in fitting if bits <= facts.stated_iv_bits)
    order = cipher.input_order or cipher.bit_order
    iv = _irregular("iv", iv_bits)
    if isinstance(cipher, BitAead) and cipher.first_iv_bit is not None:
        iv = iv & ~1 | cipher.first_iv_bit
    key = bitstring.to_bytes(_irregular("key", cipher.key_bits), cipher.key_bits, order)
    return key, bitstring.to_bytes(iv, iv_bits, order), iv_bits


def _message(
    cipher: Authenticating, architecture: Architecture, key: bytes, nonce: bytes, words: int
) -> Message:
    """A message whose last word is not full, where a word has more than one bit, or byte."""
    order = cipher.bit_order
    bits = max(1, data_width(cipher, architecture.radix) * words - 1)
    if isinstance(cipher, Sfinks):
        bits = max(8, bits - bits % 8)
    associated = 8 * cipher.takes_associated_data * _ASSOCIATED_BYTES
    return Message(
        key=key,
        nonce=nonce,
        associated_data=bitstring.to_bytes(_irregular("ad", associated), associated, order),
        text=bitstring.to_bytes(_irregular("text", bits), bits, order),
        bits=bits,
        decrypts=architecture["direction"] == "decrypt",
    )


def _authenticated(
    cipher: Authenticating, radix: int, load_words: list[int], message: Message
) -> Stimulus:
    """The words of a message, and what the model makes of it."""
    order, width = cipher.bit_order, tag_width(cipher, radix)
    prefix = cipher.prefix(message.associated_data)
    entering = Transfer(cipher, radix, prefix, message).words
    sealed = process(cipher, message)
    text = bitstring.from_bytes(sealed.text, order) << 8 * len(prefix)
    tag = bitstring.from_bytes(sealed.tag, order)
    return Stimulus(
        load_words,
        entering,
        _cut(tag, width, cipher.tag_bits // width),
        _leaving(text, 8 * len(prefix), entering, data_width(cipher, radix)),
    )


def _whole_words(architecture: Architecture, key: bytes, nonce: bytes, transfers: int) -> Message:
    """A message that fills so many transfers, but for two bytes."""
    text = _irregular("text", max(32, architecture.radix) * transfers)
    data = text.to_bytes(max(32, architecture.radix) // 8 * transfers, "little")[:-2]
    associated = _irregular("ad", 8 * _ASSOCIATED_BYTES).to_bytes(_ASSOCIATED_BYTES, "little")
    return Message(key, nonce, associated, data, 8 * len(data),
                   decrypts=architecture["direction"] == "decrypt")  # fmt: skip


def _bytes(
    cipher: Cipher, architecture: Architecture, key: bytes, nonce: bytes, count: int
) -> Message:
    """A message of so many bytes."""
    text, data = (
        _irregular(what, 8 * length).to_bytes(length, "little")
        for what, length in (("text", count), ("ad", _ASSOCIATED_BYTES))
    )
    return Message(key, nonce, data, text, 8 * len(text),
                   decrypts=architecture["direction"] == "decrypt",
                   tag_bits=cipher.default_tag_bits)  # fmt: skip


def _in_words(
    cipher: Cipher, architecture: Architecture, load_words: list[int], message: Message
) -> Stimulus:
    """The transfers of a message of whole words or bytes, and what the model makes of it."""
    transfer = transfer_of(cipher, architecture, message)
    assert isinstance(transfer, WordTransfer | ByteTransfer)
    sealed = process(cipher, message)
    return Stimulus(
        load_words,
        transfer.words,
        transfer.tag_payloads(sealed.tag),
        transfer.leaving(sealed.text),
    )


def _telephony(
    mode: TelephonyMode, load_words: list[int], key: bytes, iv: bytes, words: int
) -> Stimulus:
    """A message whose last word is not full, and its other text or its tag."""
    bits = WORD_BITS * words - 5
    text = bitstring.to_bytes(_irregular("text", bits), bits, mode.bit_order)
    message = Message(key, iv, b"", text, bits)
    made = process(mode, message)
    entering = TelephonyTransfer(mode, message).words
    last = len(entering) - 1
    leaving = tuple(
        (word, keep, int(number == last))
        for number, (word, (_, keep, _)) in enumerate(
            zip(message_words(made.text), entering, strict=False)
        )
    )
    return Stimulus(load_words, entering, tuple(message_words(made.tag)), leaving)


def _synchronising(
    cipher: SelfSynchronisingCipher, architecture: Architecture, load_words: list[int],
    key: bytes, iv: bytes, words: int,
) -> Stimulus:  # fmt: skip
    """A text whose last word is not full, where a word has more than one bit."""
    bits = max(1, architecture.radix * words - 1)
    text = bitstring.to_bytes(_irregular("text", bits), bits, cipher.bit_order)
    message = Message(key, iv, b"", text, bits, architecture["direction"] == "decrypt")
    transfer = BitTransfer(cipher, architecture.radix, message)
    other = process(cipher, message).text
    return Stimulus(load_words, transfer.words, (), transfer.leaving(other))


def _leaving(
    string: int, before: int, entering: list[tuple[int, int, int]], width: int
) -> tuple[tuple[int, int, int], ...]:
    """The words with the other text, which begins after so many bits of the string."""
    leaving = []
    for number, (_, keep, _) in enumerate(entering):
        first = number * width
        kept = keep & -1 << max(0, before - first)
        leaving.append((string >> first & kept, kept, int(number == len(entering) - 1)))
    return tuple(word for word in leaving if word[1])


def _cut(string: int, width: int, words: int) -> tuple[int, ...]:
    return tuple(string >> width * number & (1 << width) - 1 for number in range(words))


def _irregular(purpose: str, bits: int) -> int:
    """Bits that look random, the same for each purpose."""
    data = hashlib.shake_256(purpose.encode()).digest(-(-bits // 8))
    return int.from_bytes(data, "little") & (1 << bits) - 1
