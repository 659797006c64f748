# SPDX-License-Identifier: Apache-2.0
"""The verbs that work on messages: encrypt, decrypt."""

from __future__ import annotations

import argparse
import hmac
from dataclasses import dataclass, replace
from pathlib import Path

from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed, check_tag_bits
from headwater.cli.arguments import secret_bytes
from headwater.cli.inputs import (
    Secret,
    check_engine,
    cipher_for_key,
    first_bit,
    key_and_iv,
    make_engine,
    read_text,
)
from headwater.cli.output import print_json, say, write_whole
from headwater.cli.telephony import check_encrypts, key_and_call, refuse_call
from headwater.errors import InputError
from headwater.verify.engine import Engine, Segment


@dataclass(frozen=True)
class _Task:
    """The arguments of a command line, checked."""

    cipher: Cipher
    engine: Engine
    secret: Secret
    associated_data: bytes
    text: bytes
    bits: int
    first_bit: int
    """Where in the keystream it begins."""
    tag_bits: int | None

    def process(self, decrypts: bool) -> Sealed:
        """The output text and its tag, which is empty where the cipher makes none."""
        if self.cipher.service in ("aead", "3gpp-cipher", "self-synchronising"):
            message = Message(self.secret.key, self.secret.iv, self.associated_data, self.text,
                              self.bits, decrypts, self.tag_bits)  # fmt: skip
            (sealed,) = self.engine.process([message])
            return sealed
        return Sealed(self._under_keystream(), b"")

    def _under_keystream(self) -> bytes:
        if not self.bits:
            return b""
        segment = Segment(
            self.secret.key, self.secret.iv, self.first_bit, self.bits, self.secret.iv_bits
        )
        (keystream,) = self.engine.run([segment])
        combined = int.from_bytes(self.text, "big") ^ int.from_bytes(keystream, "big")
        return combined.to_bytes(len(self.text), "big")


def run_encrypt(given: argparse.Namespace) -> int:
    """`headwater encrypt`"""
    task = _task(given)
    sealed = task.process(decrypts=False)
    _give(given, task, "ciphertext", sealed.text, sealed.tag)
    return 0


def run_decrypt(given: argparse.Namespace) -> int:
    """`headwater decrypt`: prints nothing unless the tag, if there is one, matches."""
    task = _task(given)
    expected = _tag(task.cipher, given)
    task = replace(task, tag_bits=8 * len(expected) or None)
    opened = task.process(decrypts=True)
    if not hmac.compare_digest(expected, opened.tag):
        say(
            "headwater: tag does not match: key, nonce, associated data, ciphertext or tag is not "
            "what it was when the message was encrypted"
        )
        return 1
    _give(given, task, "plaintext", opened.text, b"")
    return 0


def _task(given: argparse.Namespace) -> _Task:
    asked_for = cipher_for_key(given)
    check_engine(given)
    _check_output(given)
    secret = _secret(asked_for, given)
    cipher = _in_mode(asked_for, secret)
    if given.ad is not None and cipher.service != "aead":
        raise InputError(_without_tag("--ad", cipher))
    tag_bits = _tag_bits(cipher, given)
    associated_data = secret_bytes("associated data", given.ad or "")
    text, bits = read_text(cipher, given)
    engine, first = make_engine(cipher, given), first_bit(cipher, given)
    return _Task(cipher, engine, secret, associated_data, text, bits, first, tag_bits)


def _tag_bits(cipher: Cipher, given: argparse.Namespace) -> int | None:
    """The requested tag length; None for the longest."""
    bits: int | None = getattr(given, "tag_bits", None)
    if bits is not None:
        if cipher.service != "aead":
            raise InputError(_without_tag("--tag-bits", cipher))
        check_tag_bits(cipher, bits)
    return bits


def _secret(cipher: Cipher, given: argparse.Namespace) -> Secret:
    """Key and IV; a telephony mode forms the IV from its message fields."""
    if cipher.call_fields:
        check_encrypts(cipher)
        return key_and_call(cipher, given)
    refuse_call(cipher, given)
    return key_and_iv(cipher, given)


def _in_mode(cipher: Cipher, secret: Secret) -> Cipher:
    """The cipher in the mode that the first bit of the IV selects, where it does."""
    other = cipher.authenticated
    if other is not None and other.first_iv_bit is not None:
        _, iv = cipher.input_bits(secret.key, secret.iv, secret.iv_bits)
        if iv[0] == other.first_iv_bit:
            return other
    return cipher


def _without_tag(option: str, cipher: Cipher) -> str:
    where = " where IV bit 0 is zero" if cipher.authenticated else ""
    return f"{option} must not be given for {cipher.name}, which does not authenticate{where}"


def _tag(cipher: Cipher, given: argparse.Namespace) -> bytes:
    """The expected tag; empty where the cipher makes none."""
    if cipher.service != "aead":
        if given.tag is not None:
            raise InputError(_without_tag("--tag", cipher))
        return b""
    tag = secret_bytes("tag", given.tag)
    check_tag_bits(cipher, 8 * len(tag))
    return tag


def _check_output(given: argparse.Namespace) -> None:
    """Refuse an output path that is no regular file, such as a device: it would be replaced."""
    path = Path(given.output) if given.output is not None else None
    try:
        replaces_no_file = path is not None and path.exists() and not path.is_file()
    except OSError as error:
        raise InputError(f"output file cannot be used: {error.strerror}") from error
    if replaces_no_file:
        raise InputError(f"output must be a file, not {path}")


def _give(given: argparse.Namespace, task: _Task, name: str, text: bytes, tag: bytes) -> None:
    """Write or print a text; print its tag, if there is one."""
    facts = {"tag": tag.hex()} if tag else {}
    if given.output is None:
        facts = {name: text.hex(), **facts}
    else:
        write_whole(Path(given.output), text)
    if given.json:
        print_json({"cipher": given.cipher, "engine": given.engine, "bits": task.bits, **facts})
        return
    for what, value in facts.items():
        print(f"{what} {value}".rstrip())
