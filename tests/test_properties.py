# SPDX-License-Identifier: Apache-2.0
"""What holds for every input, tried with inputs that Hypothesis makes up.

The inputs are the same in every run. A failing one is made as small as it can be.
"""

from __future__ import annotations

import contextlib
import io

import pytest
from command_line import IV, KEY
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.algebra.bitstring import from_bytes, to_bytes
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.interface.public_secret import public_secret
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import facts_of

KEYSTREAM = [cipher for cipher in CATALOGUE.values() if cipher.has_keystream]
MESSAGE = [cipher for cipher in CATALOGUE.values() if cipher.tag_lengths or cipher.no_keystream]
LONGEST = 300
"""Bits of a keystream or of a text."""

settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.load_profile("same")
few = settings(max_examples=8)
each = pytest.mark.parametrize


def name(cipher: Cipher) -> str:
    return cipher.name


@st.composite
def secrets(draw: st.DrawFn, cipher: Cipher) -> tuple[bytes, bytes]:
    """Any key and IV; where a cipher refuses them, its public ones."""
    bits = cipher.iv_bits[-1]
    key = draw(st.binary(min_size=cipher.key_bits // 8, max_size=cipher.key_bits // 8))
    order = cipher.input_order or cipher.bit_order
    iv = to_bytes(draw(st.integers(0, (1 << bits) - 1)), bits, order)
    try:
        cipher.input_bits(key, iv, bits)
    except InputError:
        return public_secret(cipher)
    return key, iv


# --- the keystream in any pieces


@each("cipher", KEYSTREAM, ids=name)
@few
@given(st.data())
def test_a_slice_is_that_of_a_longer_run(cipher: Cipher, data: st.DataObject) -> None:
    key, iv = data.draw(secrets(cipher))
    pieces = data.draw(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), max_size=4))
    iv_bits = cipher.iv_bits[-1]
    whole = Keystream(cipher, key=key, iv=iv, iv_bits=iv_bits)
    string = from_bytes(whole.read(sum(map(sum, pieces))), cipher.bit_order)
    keystream, place = Keystream(cipher, key=key, iv=iv, iv_bits=iv_bits), 0
    for skipped, taken in pieces:
        keystream.skip(skipped)
        place += skipped
        expected = string >> place & (1 << taken) - 1
        assert from_bytes(keystream.read(taken), cipher.bit_order) == expected
        place += taken


# --- messages


@st.composite
def messages(draw: st.DrawFn, cipher: Cipher) -> Message:
    bits = draw(st.integers(0, LONGEST // cipher.text_unit)) * cipher.text_unit
    text = to_bytes(draw(st.integers(0, (1 << bits) - 1)), bits, cipher.bit_order)
    data = draw(st.binary(max_size=20)) if cipher.takes_associated_data else b""
    return Message(*draw(secrets(cipher)), data, text, bits)


@each("cipher", MESSAGE, ids=name)
@few
@given(st.data())
def test_decryption_gives_the_text_back(cipher: Cipher, data: st.DataObject) -> None:
    message = data.draw(messages(cipher))
    sealed = process(cipher, message)
    if sealed.text:
        backwards = (message.key, message.nonce, message.associated_data, sealed.text)
        opened = process(cipher, Message(*backwards, message.bits, decrypts=True))
        assert (opened.text, opened.tag) == (message.text, sealed.tag)


@each("cipher", MESSAGE, ids=name)
@few
@given(st.data())
def test_a_shorter_text_gives_the_beginning(cipher: Cipher, data: st.DataObject) -> None:
    message = data.draw(messages(cipher))
    bits = data.draw(st.integers(0, message.bits // cipher.text_unit)) * cipher.text_unit
    order = cipher.bit_order

    def beginning(text: bytes) -> bytes:
        return to_bytes(from_bytes(text, order) & (1 << bits) - 1, bits, order)

    public = (message.key, message.nonce, message.associated_data)
    shorter = process(cipher, Message(*public, beginning(message.text), bits))
    whole = process(cipher, message)
    assert shorter.text == (beginning(whole.text) if whole.text else b"")
    assert len(shorter.tag) == len(whole.tag)


# --- architectures


@each("cipher", CATALOGUE.values(), ids=name)
@few
@given(st.data())
def test_a_choice_is_taken_as_it_is_or_refused(cipher: Cipher, data: st.DataObject) -> None:
    radix = data.draw(st.sampled_from(cipher.legal_radices()) | st.integers(-2, 600))
    load_width = data.draw(st.none() | st.integers(-1, 300))
    options = {
        option.name: data.draw(st.sampled_from([*option.values, "", "other"]))
        for option in cipher.choices
        if data.draw(st.booleans())
    }
    legal = all(
        options.get(option.name, option.values[0]) in option.values for option in cipher.choices
    )
    try:
        chosen = Architecture.choose(cipher, radix=radix, load_width=load_width, options=options)
    except InputError:
        return  # There are more rules than those checked here, so that a refusal may be right.
    assert legal
    assert radix in {*cipher.legal_radices(), *cipher.further_radices}
    assert chosen.radix == radix
    assert load_width in (None, chosen.load_width)
    assert {name: chosen[name] for name in options} == options
    assert facts_of(cipher, chosen).setup_cycles > 0


# --- the command line

COMMANDS = (
    "list options trivium",
    "list targets --json",
    "show grain_v1 --radix 8 --load-width 4 --option stall=none",
    f"keystream trivium --key {KEY} --iv {IV} --bits 8 --offset 3 --radix 8",
    f"keystream a51 --key {KEY[:16]} --frame 5 --bits 8",
    f"keystream e0 --key {2 * KEY[:16]} --iv {IV} --bits 8 --key-length 5",
    f"encrypt grain128aead --key {2 * KEY[:16]} --nonce {KEY}0101 --ad 01 --text 02",
    f"decrypt grain128aead --key {2 * KEY[:16]} --nonce {KEY}0101 --tag 00 --text 02",
    f"mac eia3 --key {2 * KEY[:16]} --count 00000001 --bearer 3 --direction 1 --text 02 --bits 7",
)
"""Of the verbs that write no file and run no tool."""
WORDS = (
    "trivium",
    "options",
    "--json",
    "--ad",
    "--engine",
    "00",
    "",
    "8",
    "0",
    "-1",
    "stall=",
    "=",
)
WORD = (
    st.sampled_from(WORDS)
    | st.text(st.characters(exclude_characters="\0"), max_size=8)
    | st.just("\udcff")  # What Python makes of a byte that is no text.
)


@settings(max_examples=300)
@given(st.data())
def test_any_words_are_carried_out_or_refused_in_a_sentence(data: st.DataObject) -> None:
    """Up to three words of a command line are others."""
    words = data.draw(st.sampled_from(COMMANDS)).split()
    for place, word in data.draw(st.lists(st.tuples(st.integers(0, 20), WORD), max_size=3)):
        words[place % len(words)] = word
    printed, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        status = main(words)
    if status == 2:
        assert printed.getvalue() == ""
        assert errors.getvalue().startswith("headwater: ")
    else:
        assert status == 0 or (status, words[0]) == (1, "decrypt")
