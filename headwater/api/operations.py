# SPDX-License-Identifier: Apache-2.0
"""What a cipher does with keys and texts: keystream, encryption, decryption, tags."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import BinaryIO

from headwater.algebra import bitstring
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import HASHES, MACS
from headwater.cipher.description import Cipher as Description
from headwater.cipher.message import Message, Sealed, check_tag_bits
from headwater.errors import InputError, TagError, at_least, describe_lengths
from headwater.kinds.reading import check_keystream, state_of
from headwater.verify.engine import Engine
from headwater.verify.segments import Segment

__all__ = ["Operations", "Sealed"]

_MESSAGES = ("aead", "3gpp-cipher", "self-synchronising")
"""Services whose texts go through the cipher; the others add their keystream to a text."""


class Operations:
    """What a cipher does with keys and texts, done by one engine.

    Keys, IVs and texts are bytes in the cipher's convention (see its facts). Lengths and offsets
    are in bits; a text or an IV that is not whole bytes comes with its length.

    Parameters
    ----------
    description
        The cipher.
    engine_of
        Makes the engine of a description: of this cipher, or of its mode with authentication.
    """

    def __init__(
        self, description: Description, engine_of: Callable[[Description], Engine]
    ) -> None:
        self.description = description
        self._engine_of = engine_of

    def keystream(
        self,
        key: bytes | None = None,
        iv: bytes | None = None,
        *,
        bits: int | None = None,
        bytes: int | None = None,  # noqa: A002
        offset: int = 0,
        iv_bits: int | None = None,
        state: bytes | None = None,
    ) -> bytes:
        """Keystream from bit ``offset``, as many ``bits`` or ``bytes`` as are asked for, under key
        and IV; or from a whole ``state`` on, without a setup.

        A state has the registers in the order of the description, of each its stages in ascending
        number, no padding between them, packed into bytes by the cipher's bit order; the entry
        ``state`` of the facts says so of a cipher that can begin with one.
        """
        if (bits is None) == (bytes is None):
            raise InputError("keystream must be given either bits or bytes")
        length = 8 * (bytes or 0) if bits is None else bits
        pieces = self.keystream_pieces(key, iv, length, offset=offset, iv_bits=iv_bits, state=state)
        return b"".join(pieces)

    def keystream_pieces(
        self,
        key: bytes | None,
        iv: bytes | None,
        bits: int,
        *,
        offset: int = 0,
        iv_bits: int | None = None,
        state: bytes | None = None,
    ) -> Iterator[bytes]:
        """The same in pieces of whole bytes, so that a long keystream need not be in memory."""
        check_keystream(self.description)
        at_least(1, "bits", bits)
        at_least(0, "offset", offset)
        segment = self._segment(key, iv, iv_bits, state, offset, bits)
        return self._engine_of(self.description).pieces(segment)

    def _segment(
        self,
        key: bytes | None,
        iv: bytes | None,
        iv_bits: int | None,
        state: bytes | None,
        offset: int,
        bits: int,
    ) -> Segment:
        """A segment of keystream, under key and IV or from a state."""
        if state is None:
            if key is None or iv is None:
                raise InputError("keystream must be given key and IV, or a state")
            self._check_inputs(key, iv, iv_bits)
            return Segment(key, iv, offset, bits, iv_bits)
        if not (key is None and iv is None and iv_bits is None):
            raise InputError("state must be given in place of key and IV, not with them")
        places = state_of(self.description)
        _check_bytes("state", state)
        places.check(state)
        return Segment.from_state(state, offset, bits)

    def encrypt(
        self,
        key: bytes,
        nonce: bytes,
        text: bytes,
        *,
        ad: bytes | None = None,
        bits: int | None = None,
        ad_bits: int | None = None,
        tag_bits: int | None = None,
        iv_bits: int | None = None,
        offset: int = 0,
    ) -> Sealed:
        """The ciphertext, and the tag where the cipher authenticates.

        ``nonce`` is the IV. ``ad`` is associated data: authenticated, not encrypted; ``ad_bits`` is
        its length where it is not whole bytes. ``offset`` is where in the keystream the text
        begins; 0 where texts are whole messages.
        """
        cipher = self._encrypting(key, nonce, iv_bits, ad)
        if tag_bits is not None:
            _check_tag(cipher, "a length of tag", tag_bits)
        _check_data_bits(ad, ad_bits)
        length = bits_of(cipher, text, bits)
        message = Message(key, nonce, ad or b"", text, length, tag_bits=tag_bits, data_bits=ad_bits)
        return self._processed(cipher, message, iv_bits, offset)

    def decrypt(
        self,
        key: bytes,
        nonce: bytes,
        text: bytes,
        *,
        ad: bytes | None = None,
        tag: bytes | None = None,
        bits: int | None = None,
        ad_bits: int | None = None,
        tag_bits: int | None = None,
        iv_bits: int | None = None,
        offset: int = 0,
    ) -> bytes:
        """The plaintext. A cipher that authenticates must be given the tag, with its length where
        that is not whole bytes.

        Raises
        ------
        TagError
            If the tag does not match.
        """
        cipher = self._encrypting(key, nonce, iv_bits, ad)
        if tag is not None:
            tag_bits = _tag_length(tag, tag_bits)
            _check_tag(cipher, "a tag", tag_bits)
            _check_named(cipher, nonce, tag_bits)
        elif cipher.service == "aead":
            raise InputError(f"tag of {cipher.name} must be given")
        _check_data_bits(ad, ad_bits)
        length = bits_of(cipher, text, bits)
        message = Message(
            key, nonce, ad or b"", text, length, True, tag_bits if tag else None, ad_bits
        )
        opened = self._processed(cipher, message, iv_bits, offset)
        if not hmac.compare_digest(tag or b"", opened.tag):
            raise TagError(
                "tag does not match: key, nonce, associated data, ciphertext or tag is not "
                "what it was when the message was encrypted"
            )
        return opened.text

    def mac(
        self,
        key: bytes,
        iv: bytes,
        text: bytes,
        *,
        bits: int | None = None,
        tag_bits: int | None = None,
    ) -> bytes:
        """The tag of a message, in a mode that only authenticates."""
        cipher = self.description
        check_authenticates(cipher)
        message = Message(key, iv, b"", text, bits_of(cipher, text, bits), tag_bits=tag_bits)
        (sealed,) = self._engine_of(self.description).process([message])
        return sealed.tag

    def hash(
        self,
        text: bytes,
        *,
        customization: bytes = b"",
        bits: int | None = None,
        customization_bits: int | None = None,
        digest_bits: int | None = None,
    ) -> bytes:
        """The digest of a message, of a function without a key; of as many bits as are asked for,
        if its length is not fixed, and with a customization string, if there is one. ``bits`` and
        ``customization_bits`` are the lengths of strings that are not whole bytes."""
        cipher = self.description
        check_hashes(cipher)
        length = bits_of(cipher, text, bits)
        custom_bits = bits_of(cipher, customization, customization_bits, "customization")
        _check_digest(cipher.for_lengths(1), customization, digest_bits)
        cipher = cipher.for_lengths(length, custom_bits, digest_bits or 0)
        message = Message(
            b"", b"", customization, text, length, False, digest_bits, customization_bits
        )
        (sealed,) = self._engine_of(cipher).process([message])
        return sealed.tag

    def _encrypting(
        self, key: bytes, iv: bytes, iv_bits: int | None, ad: bytes | None
    ) -> Description:
        """The cipher that encrypts: in the mode that the first bit of the IV selects, where it
        does."""
        check_encrypts(self.description)
        self._check_inputs(key, iv, iv_bits)
        cipher, other = self.description, self.description.authenticated
        if other is not None and other.first_iv_bit is not None:
            _, bits = cipher.input_bits(key, iv, iv_bits)
            cipher = other if bits[0] == other.first_iv_bit else cipher
        if ad is not None and cipher.service != "aead":
            raise InputError(_without_tag("associated data", cipher))
        return cipher

    def _processed(
        self, cipher: Description, message: Message, iv_bits: int | None, offset: int
    ) -> Sealed:
        engine = self._engine_of(cipher)
        at_least(0, "offset", offset)
        if cipher.service in _MESSAGES:
            if offset:
                raise InputError(
                    f"offset of {cipher.name}, whose texts are whole messages, must be 0, "
                    f"not {offset}"
                )
            (sealed,) = engine.process([message])
            return sealed
        segment = Segment(message.key, message.nonce, offset, message.bits, iv_bits)
        return Sealed(b"".join(_added(engine, segment, BytesIO(message.text))), b"")

    def adds_keystream(self, key: bytes, nonce: bytes, iv_bits: int | None = None) -> bool:
        """Whether a text is encrypted, and decrypted, by adding keystream to it alone."""
        cipher = self._encrypting(key, nonce, iv_bits, None)
        return cipher.service not in _MESSAGES

    def with_keystream(
        self,
        key: bytes,
        nonce: bytes,
        text: BinaryIO,
        count: int,
        *,
        offset: int = 0,
        iv_bits: int | None = None,
    ) -> Iterator[bytes]:
        """The other text of the next ``count`` bytes of a file, piece by piece, so that a long one
        need not be in memory; for a cipher that `adds_keystream`.

        Raises
        ------
        InputError
            If there are not so many.
        """
        cipher = self._encrypting(key, nonce, iv_bits, None)
        at_least(0, "offset", offset)
        segment = Segment(key, nonce, offset, 8 * count, iv_bits)
        return _added(self._engine_of(cipher), segment, text)

    def _check_inputs(self, key: bytes, iv: bytes, iv_bits: int | None) -> None:
        for what, value in (("key", key), ("IV", iv)):
            _check_bytes(what, value)
        self.description.input_bits(key, iv, iv_bits)


def _added(engine: Engine, segment: Segment, text: BinaryIO) -> Iterator[bytes]:
    """The pieces of a text, each with the keystream added."""
    for keystream in engine.pieces(segment) if segment.bits else ():
        piece = text.read(len(keystream))
        if len(piece) != len(keystream):
            raise InputError("the text must not become shorter while it is read")
        added = int.from_bytes(piece, "little") ^ int.from_bytes(keystream, "little")
        yield added.to_bytes(len(piece), "little")


def bits_of(cipher: Description, string: bytes, bits: int | None, what: str = "text") -> int:
    """The length of a string in bits: that of all its bytes if no other is given."""
    _check_bytes(what, string)
    if bits is None:
        return 8 * len(string)
    name = "bits" if what == "text" else f"{what}_bits"
    at_least(0, name, bits)
    if len(string) != -(-bits // 8):
        raise InputError(f"{name} must be those of a {what} of {len(string)} bytes, not {bits}")
    if bitstring.from_bytes(string, cipher.bit_order) >> bits:
        raise InputError(f"unused bits of a {what} of {bits} bits must be zero")
    return bits


def _check_bytes(what: str, value: object) -> None:
    if not isinstance(value, bytes):
        raise InputError(f"{what} must be bytes, not of type {type(value).__name__}")


def check_encrypts(cipher: Description) -> None:
    """Refuse to encrypt with a mode that only authenticates."""
    if cipher.service in MACS:
        verb = "hash" if cipher.service in HASHES else "mac"
        raise InputError(f"{cipher.name} does not encrypt: use {verb}")


def check_authenticates(cipher: Description) -> None:
    """Refuse to make the tag of a message with a cipher that does not authenticate alone."""
    services = set(MACS) - set(HASHES)
    if cipher.service not in services:
        legal = [name for name, one in CATALOGUE.items() if one.service in services]
        raise InputError(f"cipher of mac must be one of {', '.join(legal)}, not {cipher.name!r}")


def check_hashes(cipher: Description) -> None:
    """Refuse to make the digest of a message with a cipher that has a key."""
    if cipher.service not in HASHES:
        legal = [name for name, one in CATALOGUE.items() if one.service in HASHES]
        raise InputError(f"cipher of hash must be one of {', '.join(legal)}, not {cipher.name!r}")


def _check_digest(cipher: Description, customization: bytes, bits: int | None) -> None:
    """Refuse a customization string where there is none, or one that is too long; and a length of
    digest that the function has not."""
    most = (cipher.longest_data or 0) if cipher.takes_associated_data else 0
    if len(customization) > most:
        raise InputError(
            f"customization of {cipher.name} must be "
            f"{f'at most {most} bytes' if most else 'empty'}, "
            f"not {len(customization)}"
        )
    if bits is not None and bits not in cipher.tag_lengths:
        raise InputError(
            f"digest of {cipher.name} must be {describe_lengths(cipher.tag_lengths)}, "
            f"not {bits} bits"
        )


def _check_data_bits(ad: bytes | None, bits: int | None) -> None:
    """Refuse a length of associated data that is not there."""
    if bits is not None:
        at_least(0, "ad_bits", bits)
        if ad is None:
            raise InputError("ad_bits must be given with associated data")


def _tag_length(tag: bytes, bits: int | None) -> int:
    """The length of a tag: that of all its bytes if no other is given."""
    if bits is None:
        return 8 * len(tag)
    at_least(1, "tag_bits", bits)
    if len(tag) != -(-bits // 8):
        raise InputError(f"tag_bits must be those of a tag of {len(tag)} bytes, not {bits}")
    return bits


def _check_tag(cipher: Description, what: str, bits: int) -> None:
    """Refuse a tag of this length, or any where the cipher makes none."""
    if cipher.service != "aead":
        raise InputError(_without_tag(what, cipher))
    check_tag_bits(cipher, bits)


def _check_named(cipher: Description, iv: bytes, bits: int) -> None:
    """Refuse a tag that is shorter than the IV says: whoever sends it must not choose how much of
    it is compared."""
    named = cipher.named_tag_bits(iv)
    if named is not None and bits < named:
        raise InputError(
            f"tag of {cipher.name} must be the {named} bits that byte 0 of the IV names, not {bits}"
        )


def _without_tag(what: str, cipher: Description) -> str:
    where = " where IV bit 0 is zero" if cipher.authenticated else ""
    return f"{what} must not be given for {cipher.name}, which does not authenticate{where}"
