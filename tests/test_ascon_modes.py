# SPDX-License-Identifier: Apache-2.0
"""Ascon-AEAD128 of bit strings, with short tags and masked nonces: each option by itself."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

import headwater as hw
from headwater.algebra import bitstring
from headwater.cipher.ascon import ASCON_AEAD128, ASCON_AEAD128_MODES
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.errors import InputError, TagError
from headwater.kinds.reading import process
from headwater.verify.c_engine import CEngine
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import prove

KEY, SECOND, NONCE = (random.Random(f"ascon {name}").randbytes(16) for name in range(3))
MASKED = bytes(ours ^ other for ours, other in zip(NONCE, SECOND, strict=True))


def architecture(radix: int, **options: str) -> Architecture:
    return Architecture.choose(ASCON_AEAD128_MODES, radix=radix, options=options)


def message(seed: object, ad: int, text: int, **more: Any) -> Message:
    """A message of random bits, so many of associated data and text."""
    source = random.Random(f"ascon bits {seed}")
    data, plain = (
        bitstring.to_bytes(source.getrandbits(bits + 1), bits, "lsb_first") for bits in (ad, text)
    )
    return Message(KEY, NONCE, data, plain, text, data_bits=ad, **more)


def test_a_second_key_masks_the_nonce_and_nothing_else() -> None:
    plain = message("mask", 40, 200)
    masked = process(ASCON_AEAD128_MODES, replace(plain, key=KEY + SECOND))
    by_hand = replace(plain, nonce=MASKED, data_bits=None)
    assert masked == process(ASCON_AEAD128, by_hand)
    unmasked = process(ASCON_AEAD128_MODES, plain)
    assert unmasked == process(ASCON_AEAD128_MODES, replace(plain, key=KEY + bytes(16)))
    assert masked != unmasked


@pytest.mark.parametrize("bits", [32, 33, 83, 127])
def test_a_short_tag_is_the_first_bits_of_the_long_one(bits: int) -> None:
    whole = process(ASCON_AEAD128_MODES, message("tag", 3, 5)).tag
    short = process(ASCON_AEAD128_MODES, message("tag", 3, 5, tag_bits=bits)).tag
    assert short == bitstring.to_bytes(int.from_bytes(whole, "little"), bits, "lsb_first")


LENGTHS = (0, 1, 7, 31, 32, 33, 63, 127, 128, 129, 255, 256, 300)


@pytest.mark.parametrize(
    ("radix", "options"),
    [(32, {}), (64, {"unroll": "3"}), (128, {}), (128, {"clear": "instant", "unroll": "4"})],
)
def test_strings_of_every_length_in_verilog(radix: int, options: dict[str, str]) -> None:
    given = [
        message((ad, text), ad, text, decrypts=bool(text % 2))
        for ad in LENGTHS
        for text in LENGTHS[:: 1 + ad % 3]
    ]
    engine = RtlEngine(ASCON_AEAD128_MODES, architecture(radix, **options), gaps_permille=200)
    assert engine.process(given) == [process(ASCON_AEAD128_MODES, one) for one in given]


def test_proofs_hold() -> None:
    for record in prove(ASCON_AEAD128_MODES, architecture(64, unroll="2")):
        assert record.failures == (), record.check


def test_c_compares_the_last_bits_of_a_tag_that_is_no_whole_bytes() -> None:
    engine = CEngine(ASCON_AEAD128_MODES, architecture(32))
    given = message("c", 11, 21, tag_bits=35)
    sealed = process(ASCON_AEAD128_MODES, given)
    opened = replace(given, text=sealed.text, decrypts=True)
    other = (*sealed.tag[:-1], sealed.tag[-1] ^ 4)
    assert engine.accepts([opened, opened], [sealed.tag, bytes(other)]) == [True, False]


def test_lengths_of_a_user() -> None:
    cipher = hw.cipher("ascon_aead128_modes")
    secret = {"key": KEY + SECOND, "nonce": NONCE, "ad": b"\5", "ad_bits": 3, "bits": 9}
    sealed = cipher.encrypt(text=b"\xff\1", tag_bits=45, **secret)
    assert cipher.decrypt(text=sealed.text, tag=sealed.tag, tag_bits=45, **secret) == b"\xff\1"
    with pytest.raises(TagError):
        cipher.decrypt(text=sealed.text, tag=sealed.tag, tag_bits=45, **{**secret, "ad_bits": 4})
    for changed, said in (
        ({"tag_bits": 31}, "tag_bits must be those of a tag of 6 bytes, not 31"),
        (
            {"tag": bytes(3)},
            "tag of ascon_aead128_modes must be 32 to 128 bits, not 24 bits",
        ),
        ({"ad": None}, "ad_bits must be given with associated data"),
        ({"ad_bits": 9}, "associated data of 9 bits must be 2 bytes with unused bits zero"),
        ({"ad_bits": 2}, "associated data of 2 bits must be 1 bytes with unused bits zero"),
        ({"key": bytes(24)}, "key of ascon_aead128_modes must be "),
    ):
        given = {"text": sealed.text, "tag": sealed.tag, "tag_bits": 45, **secret, **changed}
        if "tag" in changed:
            given["tag_bits"] = None
        with pytest.raises(InputError, match=f"^{re.escape(said)}"):
            cipher.decrypt(**given)


def test_a_relative_that_no_core_can_be() -> None:
    with pytest.raises(
        InputError, match=r"^shorter_keys, key_bits and iv_bits of .* must be \(128"
    ):
        replace(ASCON_AEAD128_MODES, shorter_keys=(64,)).check_functions()
