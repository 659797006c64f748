# SPDX-License-Identifier: Apache-2.0
"""The contract of every cipher: what its model makes of messages, and which inputs are refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from contract import CIPHERS, EVERY_CIPHER, chosen, key_and_iv, message

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import MACS, Cipher
from headwater.cipher.message import Message
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.reading import Keystream, process

WITH_TAG = [cipher for cipher in CIPHERS if cipher.tag_lengths]
ADDED = {"sfinks-ae", "vest4-ae", "vest16-ae", "vest32-ae"}
"""In these nothing separates associated data and text."""

CLEARED = {("poly1305", "key"): 22}
"""Bits of a field that the cipher clears (RFC 8439, section 2.5: ``clamp``)."""


def some_message(cipher: Cipher, data: int = 5, bits: int = 56) -> Message:
    return replace(message(chosen(cipher, {}), 1, data, bits), tag_bits=None)


def of_ciphers(ciphers: list[Cipher]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("cipher", ciphers, ids=lambda cipher: cipher.name)


@of_ciphers(WITH_TAG)
@pytest.mark.parametrize("field", ["key", "nonce", "associated_data", "text"])
def test_any_change_gives_another_tag(cipher: Cipher, field: str) -> None:
    sent = some_message(cipher)
    tags, changes, value = {process(cipher, sent).tag}, 1, getattr(sent, field)
    for bit in range(8 * len(value)):
        changed = (int.from_bytes(value, "little") ^ 1 << bit).to_bytes(len(value), "little")
        try:
            tags.add(process(cipher, replace(sent, **{field: changed})).tag)
        except InputError:
            continue  # Bits of the IV that have one legal value.
        changes += 1
    assert len(tags) == changes - CLEARED.get((cipher.name, field), 0)
    assert changes > 4 * len(value)


@of_ciphers([cipher for cipher in WITH_TAG if cipher.takes_associated_data])
def test_data_and_text_do_not_run_into_each_other(cipher: Cipher) -> None:
    sent, tags = some_message(cipher, 8, 64), set()
    joined = sent.associated_data + sent.text
    for size in range(9):
        moved = replace(
            sent, associated_data=joined[:size], text=joined[size:], bits=8 * (16 - size)
        )
        tags.add(process(cipher, moved).tag)
    assert len(tags) == (1 if cipher.name in ADDED else 9)


@of_ciphers([cipher for cipher in WITH_TAG if cipher.name in CATALOGUE])
def test_a_wrong_tag_is_found_on_the_command_line(
    cipher: Cipher, capsys: pytest.CaptureFixture[str]
) -> None:
    if cipher.service in MACS:
        return
    sent = some_message(cipher)
    sealed = process(cipher, sent)
    words = ["decrypt", cipher.name, "--key", sent.key.hex(), "--nonce", sent.nonce.hex()]
    words += ["--text", sealed.text.hex(), "--tag"]
    words[6:6] = ["--ad", sent.associated_data.hex()] if sent.associated_data else []
    assert main([*words, sealed.tag.hex()]) == 0
    assert capsys.readouterr().out == f"plaintext {sent.text.hex()}\n"
    assert main([*words, bytes([sealed.tag[0] ^ 1, *sealed.tag[1:]]).hex()]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "tag does not match" in printed.err


# --- what is refused


def make(cipher: Cipher, given: Message) -> object:
    """Keystream, or what becomes of a message."""
    if cipher.service == "keystream":
        return Keystream(cipher, key=given.key, iv=given.nonce)
    return process(cipher, given)


def refused(cipher: Cipher, begin: str, given: Message) -> None:
    with pytest.raises(InputError, match=f"^{begin} of {cipher.name} must be ") as caught:
        make(cipher, given)
    # A word of a sentence may be a byte in hexadecimal.
    secrets = {value.hex() for value in (given.key, given.nonce) if len(value) > 2}
    assert not secrets & set(str(caught.value).split())


@EVERY_CIPHER
def test_lengths_of_key_and_iv(cipher: Cipher) -> None:
    key, iv = key_and_iv(cipher, 1, cipher.iv_bits[-1], cipher.key_bits)
    given = Message(key, iv, b"", b"", 0)
    for wrong in (key[:-1], key + b"\1", b""):
        if 8 * len(wrong) not in (*cipher.shorter_keys, cipher.key_bits):
            refused(cipher, "key", replace(given, key=wrong))
    for wrong in (iv + b"\1", iv[:-1], b""):
        if not any(-(-bits // 8) == len(wrong) for bits in cipher.iv_bits):
            refused(cipher, "IV", replace(given, nonce=wrong))


@of_ciphers([cipher for cipher in CIPHERS if cipher.service != "keystream"])
def test_lengths_of_messages_and_tags(cipher: Cipher) -> None:
    given = some_message(cipher)
    if cipher.text_unit > 1:
        refused(cipher, "text", replace(given, bits=given.bits - 1))
    if not cipher.takes_associated_data:
        refused(cipher, "associated data", replace(given, associated_data=b"\1"))
    for bits in {0, 9, 33, 1024} - set(cipher.tag_lengths):
        if cipher.tag_lengths:
            refused(cipher, "tag", replace(given, tag_bits=bits))
    for changes in ({"text": given.text + b"\0"}, {"text": given.text[:-1]}):
        with pytest.raises(InputError, match=r"^text of 56 bits must be "):
            process(cipher, replace(given, **changes))  # type: ignore[arg-type]


@EVERY_CIPHER
def test_illegal_choices(cipher: Cipher) -> None:
    def refused_choice(begin: str, **given: Any) -> None:
        with pytest.raises(InputError, match=f"^{begin} must be "):
            Architecture.choose(cipher, **given)

    refused_choice(f"radix of {cipher.name}", radix=0)
    refused_choice(f"radix of {cipher.name}", radix=1 << 20)
    refused_choice(f"load width of {cipher.name}", load_width=0)
    refused_choice(f"option of {cipher.name}", options={"none": "x"})
    for option in cipher.choices:
        refused_choice(f"option {option.name}", options={option.name: "none of these"})


@of_ciphers([cipher for cipher in CIPHERS if cipher.service != "keystream"])
def test_a_core_of_one_direction_refuses_the_other(cipher: Cipher) -> None:
    if "direction" not in cipher.defaults:
        return
    core = chosen(cipher, {"direction": "encrypt"})
    with pytest.raises(InputError, match=f"^option direction of {cipher.name} must be both or "):
        core.engine().process([replace(some_message(cipher), decrypts=True)])
