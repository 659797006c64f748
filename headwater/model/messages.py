# SPDX-License-Identifier: Apache-2.0
"""The model's output put to use: keystream, and authenticated encryption of messages."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.cipher.aes_ofb import AesOfb
from headwater.cipher.authenticated import AuthenticatedCipher
from headwater.cipher.block_stream import BlockStreamCipher
from headwater.cipher.description import Cipher, describe_lengths
from headwater.cipher.mobile import MobileMode
from headwater.cipher.phelix import WordAuthenticatedCipher, process_words
from headwater.cipher.self_synchronising import SelfSynchronisingCipher
from headwater.cipher.sfinks import TAG_BITS, Sfinks
from headwater.cipher.stepped import SteppedCipher
from headwater.cipher.vest import VestAuthenticated, VestCipher
from headwater.cipher.word_cipher import WordCipher
from headwater.errors import InputError
from headwater.model.bits import Model
from headwater.model.blocks import BlockStreamModel
from headwater.model.feedback import FeedbackModel
from headwater.model.sfinks import SfinksModel
from headwater.model.synchronising import process_bits
from headwater.model.vest import VestModel, process_vest
from headwater.model.words import WordModel


@dataclass(frozen=True)
class Message:
    """What is encrypted or decrypted under one key and nonce.

    Members
    -------
    key, nonce : bytes
        In the cipher's convention.
    associated_data : bytes
        Authenticated, not encrypted.
    text : bytes
        Plaintext to encrypt or ciphertext to decrypt.
    bits : int
        Length of the text, which need not be whole bytes; its unused bits are zero.
    decrypts : bool
    tag_bits : int or None
        Length of the tag, where the cipher has several; None for the longest.
    """

    key: bytes
    nonce: bytes
    associated_data: bytes
    text: bytes
    bits: int
    decrypts: bool = False
    tag_bits: int | None = None


@dataclass(frozen=True)
class Sealed:
    """The other text of a message, and its tag."""

    text: bytes
    tag: bytes


class Keystream:
    """The keystream of a cipher: of an authenticated one, the output bits that encrypt.

    Parameters are those of `Model`.

    Raises
    ------
    InputError
        If the cipher has no keystream apart from a text, or key or IV have no legal length.
    """

    def __init__(
        self, cipher: Cipher, *, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> None:
        check_keystream(cipher)
        self._cipher = cipher
        self._model = _model_of(cipher, key, iv, iv_bits)

    def skip(self, bits: int) -> None:
        """Pass over keystream bits."""
        self._model.skip(bits * self._cipher.steps_per_bit)

    def read(self, bits: int) -> bytes:
        """The next keystream bits, packed in the cipher's order, zeros to the byte."""
        if self._cipher.steps_per_bit == 1:
            return self._model.read(bits)
        encrypting, _ = _every_other(self._model.read(2 * bits), bits, self._cipher)
        return bitstring.to_bytes(encrypting, bits, self._cipher.bit_order)


def _model_of(
    cipher: Cipher, key: bytes, iv: bytes, iv_bits: int | None
) -> Model | WordModel | BlockStreamModel | FeedbackModel | SfinksModel | VestModel:
    match cipher:
        case BlockStreamCipher():
            return BlockStreamModel(cipher, key=key, iv=iv, iv_bits=iv_bits)
        case AesOfb():
            return FeedbackModel(cipher, key=key, iv=iv, iv_bits=iv_bits)
        case WordCipher():
            return WordModel(cipher, key=key, iv=iv, iv_bits=iv_bits)
        case Sfinks():
            return SfinksModel(cipher, key=key, iv=iv, iv_bits=iv_bits)
        case SteppedCipher():
            return Model(cipher, key=key, iv=iv, iv_bits=iv_bits)
        case VestCipher():
            return VestModel(cipher, key=key, iv=iv, iv_bits=iv_bits)
    raise TypeError(f"{type(cipher).__name__} has no reading with integers")


def check_keystream(cipher: Cipher) -> None:
    """Refuse a cipher that has no keystream apart from a text."""
    if isinstance(cipher, MobileMode):
        raise InputError(
            f"{cipher.name} has no keystream apart from its messages: use that of "
            f"{cipher.base.name}"
        )
    if isinstance(cipher, SelfSynchronisingCipher):
        raise InputError(
            f"{cipher.name} has no keystream of its own, as its ciphertext feeds it: use headwater "
            f"encrypt {cipher.name}"
        )
    if not cipher.has_keystream:
        raise InputError(
            f"{cipher.name} has no keystream apart from its text, which it takes in: encrypt "
            "zeros to see one"
        )


def tag_bits_of(cipher: Cipher, message: Message) -> int:
    """Length of the tag of a message; zero where there are no tags."""
    if not cipher.tag_lengths:
        return 0
    return cipher.default_tag_bits if message.tag_bits is None else message.tag_bits


def check_tag_bits(cipher: Cipher, bits: int) -> None:
    """Refuse a length of tag that the cipher has not."""
    if bits not in cipher.tag_lengths:
        legal = describe_lengths(cipher.tag_lengths)
        raise InputError(f"tag of {cipher.name} must be {legal}, not {bits} bits")


def check_message(cipher: Cipher, message: Message) -> None:
    """Refuse what the cipher cannot take.

    Raises
    ------
    InputError
        If key or nonce have no legal length or value, or there is associated data where the
        cipher takes none, or the text is not ``bits`` bits in whole bytes, or the tag has no legal
        length.
    """
    cipher.input_bits(message.key, message.nonce)
    if cipher.tag_lengths:
        check_tag_bits(cipher, tag_bits_of(cipher, message))
    in_bytes = isinstance(cipher, WordAuthenticatedCipher | Sfinks | VestAuthenticated)
    if in_bytes and message.bits % 8:
        raise InputError(f"text of {cipher.name} must be whole bytes, not {message.bits} bits")
    if not _takes(cipher, message.associated_data):
        raise InputError(
            f"associated data of {cipher.name} must be empty, "
            f"not {len(message.associated_data)} bytes"
        )
    if len(message.text) != -(-message.bits // 8) or (
        bitstring.from_bytes(message.text, cipher.bit_order) >> message.bits
    ):
        raise InputError(
            f"text of {message.bits} bits must be {-(-message.bits // 8)} bytes with unused bits "
            f"zero, not {len(message.text)} bytes"
        )


def _takes(cipher: Cipher, data: bytes) -> bool:
    """Whether the cipher takes this associated data."""
    if isinstance(cipher, AuthenticatedCipher):
        return not data or cipher.takes_associated_data
    return not data or cipher.kind == "aead"


def authenticated_prefix(cipher: AuthenticatedCipher | Sfinks, message: Message) -> bytes:
    """What is authenticated before the text: the header, then the associated data."""
    data = message.associated_data
    return cipher.header(len(data)) + data


def process(cipher: Cipher, message: Message) -> Sealed:
    """Encrypt or decrypt; whether a tag is the expected one is the caller's to compare."""
    check_message(cipher, message)
    match cipher:
        case SelfSynchronisingCipher():
            secret = (message.key, message.nonce)
            text = process_bits(
                cipher, secret, message.text, message.bits, decrypts=message.decrypts
            )
            return Sealed(text, b"")
        case AuthenticatedCipher():
            return _process_bits(cipher, message)
        case Sfinks() if cipher.authenticates:
            return _process_sfinks(cipher, message)
        case WordAuthenticatedCipher():
            return Sealed(
                *process_words(
                    (message.key, message.nonce), message.associated_data, message.text,
                    tag_bits_of(cipher, message), decrypts=message.decrypts,
                )
            )  # fmt: skip
        case VestAuthenticated():
            return Sealed(
                *process_vest(
                    cipher, (message.key, message.nonce), message.associated_data, message.text,
                    tag_bits_of(cipher, message), decrypts=message.decrypts,
                )
            )  # fmt: skip
    raise TypeError(f"{type(cipher).__name__} processes no messages")


def _process_bits(cipher: AuthenticatedCipher, message: Message) -> Sealed:
    """Every other output bit encrypts, those between authenticate."""
    model = Model(cipher, key=message.key, iv=message.nonce)
    content = model.content(cipher.authenticator)
    prefix = authenticated_prefix(cipher, message)
    skipped, bits = 8 * len(prefix), message.bits
    output = model.read(2 * (skipped + bits + 1))
    encrypting, authenticating = _every_other(output, skipped + bits + 1, cipher)
    text = bitstring.from_bytes(message.text, cipher.bit_order)
    other = text ^ encrypting >> skipped & (1 << bits) - 1
    plain = other if message.decrypts else text
    string = bitstring.from_bytes(prefix, cipher.bit_order)
    string |= plain << skipped | 1 << skipped + bits
    tag = _accumulate(cipher.tag_bits, content, string, authenticating, skipped + bits + 1)
    return Sealed(
        bitstring.to_bytes(other, bits, cipher.bit_order),
        bitstring.to_bytes(tag, cipher.tag_bits, cipher.bit_order),
    )


def _process_sfinks(cipher: Sfinks, message: Message) -> Sealed:
    """One output bit of each step encrypts, another authenticates; 64 more encrypt the tag."""
    model = SfinksModel(cipher, key=message.key, iv=message.nonce)
    order, bits = cipher.bit_order, message.bits
    skipped = 8 * len(message.associated_data)
    total = skipped + bits
    encrypting, authenticating = model.outputs(total)
    text = bitstring.from_bytes(message.text, order)
    other = text ^ encrypting >> skipped
    string = bitstring.from_bytes(message.associated_data, order)
    string |= (other if message.decrypts else text) << skipped
    content = model.accumulator | model.register << TAG_BITS
    tag = _accumulate(TAG_BITS, content, string, authenticating, total)
    tag ^= model.outputs(TAG_BITS)[0]
    return Sealed(bitstring.to_bytes(other, bits, order), bitstring.to_bytes(tag, TAG_BITS, order))


def _every_other(output: bytes, pairs: int, cipher: Cipher) -> tuple[int, int]:
    """The even and the odd bits of an output string."""
    string = bitstring.from_bytes(output, cipher.bit_order)
    digits = f"{string:0{2 * pairs}b}"
    return int(digits[1::2], 2), int(digits[0::2], 2)


def _accumulate(width: int, content: int, string: int, entering: int, bits: int) -> int:
    """The accumulator after ``bits`` authenticated bits.

    Bit i of the string takes in the shift register after i moves: bits i to i + width of what it
    held at first, followed by what enters.
    """
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
