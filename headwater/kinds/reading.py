# SPDX-License-Identifier: Apache-2.0
"""Keystream and messages from a description that is read with integers."""

from __future__ import annotations

from headwater.algebra import bitstring
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed, check_message
from headwater.cipher.whole_state import WholeState
from headwater.errors import InputError
from headwater.kinds.kind import KeystreamModel
from headwater.kinds.registry import kind_of


class Keystream:
    """The keystream of a cipher; of an AEAD cipher, the output bits that encrypt. Key and IV are
    byte strings in the cipher's convention. ``iv_bits`` is the length of an IV that is not whole
    bytes."""

    def __init__(
        self, cipher: Cipher, *, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> None:
        check_keystream(cipher)
        make = kind_of(cipher).keystream
        assert make is not None
        self._begin(cipher, make(cipher, key=key, iv=iv, iv_bits=iv_bits))

    @classmethod
    def from_state(cls, cipher: Cipher, state: bytes) -> Keystream:
        """The keystream from a whole state on (`headwater.cipher.whole_state`), without a setup."""
        state_of(cipher).check(state)
        make = kind_of(cipher).from_state
        assert make is not None
        begun = cls.__new__(cls)
        begun._begin(cipher, make(cipher, state))
        return begun

    def _begin(self, cipher: Cipher, model: KeystreamModel) -> None:
        self._cipher, self._model = cipher, model

    def skip(self, bits: int) -> None:
        """Pass over keystream bits."""
        self._model.skip(bits * self._cipher.steps_per_bit)

    def read(self, bits: int) -> bytes:
        """The next keystream bits, packed in the cipher's order, zeros to the byte."""
        if self._cipher.steps_per_bit == 1 or bits == 0:
            return self._model.read(bits)
        order = self._cipher.bit_order
        encrypting, _ = bitstring.every_other(self._model.read(2 * bits), bits, order)
        return bitstring.to_bytes(encrypting, bits, order)


def has_state(cipher: Cipher) -> bool:
    """Whether a keystream can begin with a whole state in place of key and IV."""
    return kind_of(cipher).whole_state(cipher) is not None


def state_of(cipher: Cipher) -> WholeState:
    """Which bit of a whole state is where. Refuses a cipher that cannot begin with one."""
    state = kind_of(cipher).whole_state(cipher)
    if state is None:
        legal = ", ".join(name for name, one in CATALOGUE.items() if has_state(one))
        raise InputError(f"state must be given for one of {legal}, not for {cipher.name}")
    return state


def check_keystream(cipher: Cipher) -> None:
    """Refuse a cipher that has no keystream independent of a text."""
    if cipher.no_keystream:
        raise InputError(f"{cipher.name} has no keystream {cipher.no_keystream}")


def process(cipher: Cipher, message: Message) -> Sealed:
    """Encrypt or decrypt a message, or make its tag. The caller compares the tag."""
    check_message(cipher, message)
    make = kind_of(cipher).process
    assert make is not None
    return make(cipher, message)
