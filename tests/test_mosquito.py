# SPDX-License-Identifier: Apache-2.0
"""The descriptions of MOSQUITO and MOUSTIQUE, and their model."""

from __future__ import annotations

import random
from dataclasses import replace

from mosquitos import IV, KEY, each, message

from headwater.algebra import bitstring
from headwater.algebra.word import (
    IntegerWord,
    Wire,
    Word,
    add,
    choose,
    concatenate,
    lookup,
    table_word,
    unnamed,
)
from headwater.cipher.checks import check_description
from headwater.cipher.message import Message
from headwater.cipher.mosquito import MOSQUITO
from headwater.kinds.reading import process
from headwater.kinds.self_synchronising.description import (
    SelfSynchronisingCipher,
    following_cells,
)
from headwater.kinds.self_synchronising.model import SelfSynchronisingModel

# --- the description and the model


CHECKPOINTS = {
    "mosquito": (
        "7a5b209488bbb9f1230ef132298c0804",
        "00000000010111101010110101111110000100100000100001010",
        "110011011000100101101110011110011000100111101100",
        "100101110001",
        "100",
        "1",
        "ca7d1b35d1470fa18f910ada5044b266",
    ),
    "moustique": (
        "8e21b744a6891e081b1a81f9b9870f31",
        "11000101000110110000111001011101011111001110101110100",
        "001011100001111101110001100101011100111110100000",
        "011001001001",
        "110",
        "0",
        "3eea358db1681c4c0def0e3a6eb7e796",
    ),
}


def test_stages_may_use_every_operation() -> None:
    """The last one written with others gives the same."""
    *others, last = MOSQUITO.stages
    no_bits = table_word([0, 1], 1)

    def made(wire: Wire, word: Word) -> Word:
        bit = last.made(wire, word)
        both = add(bit << 1, concatenate(bit, bit ^ bit))
        return choose(bit | both[0], lookup(bit, no_bits), bit & both[-1]).replicate(1)

    other = replace(MOSQUITO, stages=(*others, replace(last, made=made)))
    check_description(other)
    assert process(other, message(1000)) == process(MOSQUITO, message(1000))


@each
def test_state_after_a_setup(cipher: SelfSynchronisingCipher) -> None:
    cells, *stages, ciphertext = CHECKPOINTS[cipher.name]
    model = SelfSynchronisingModel(cipher, key=KEY, iv=IV)
    assert model.content("c") == 0
    assert f"{model.content('q'):0128b}"[::-1] == f"{int(cells, 16):0128b}"
    for name, expected in zip(("p1", "p5", "p6", "p7", "p8"), stages, strict=True):
        assert f"{model.content(name):0{len(expected)}b}"[::-1] == expected
    sealed = process(cipher, Message(KEY, IV, b"", bytes(16), 128))
    assert sealed.text.hex() == ciphertext
    assert sealed.tag == b""


@each
def test_what_follows_from_the_description(cipher: SelfSynchronisingCipher) -> None:
    assert cipher.memory == (10, 105)
    assert [register.length for register in cipher.registers] == [
        1,
        128,
        53,
        53,
        53,
        53,
        48,
        12,
        3,
        1,
    ]
    assert cipher.state_bits == 405
    assert sorted(cell.address for cell in cipher.cells) == list(range(1, 129))
    assert sum(cell.key is not None for cell in cipher.cells) == 113
    assert {cell.key for cell in cipher.cells} == {None, *range(96)}
    seen = {0}
    for cell in cipher.cells:
        assert set(cell.reads) <= seen
        seen.add(cell.address)


@each
def test_memory_in_the_model(cipher: SelfSynchronisingCipher) -> None:
    """One wrong bit of ciphertext disturbs its own place and some of those 10 to 105 on."""
    received = message(600, 1, decrypts=True)
    right = bitstring.from_bytes(process(cipher, received).text, "msb_first")
    disturbed = set()
    for place in range(100, 400, 7):
        text = bitstring.from_bytes(received.text, "msb_first") ^ 1 << place
        wrong = replace(received, text=bitstring.to_bytes(text, 600, "msb_first"))
        found = right ^ bitstring.from_bytes(process(cipher, wrong).text, "msb_first")
        disturbed |= {bit - place for bit in range(600) if found >> bit & 1}
    assert {0, 10, 105} <= disturbed
    assert disturbed <= {0, *range(10, 106)}


def decrypted(cipher: SelfSynchronisingCipher, ciphertext: int, bits: int) -> int:
    """The text of some ciphertext, by the description read step by step with integers."""
    key, iv = cipher.input_bits(KEY, IV)
    state = {register.name: IntegerWord(0, register.length) for register in cipher.registers}
    lead_in, text = cipher.lead_in(iv), 0
    received = [ciphertext >> place & 1 for place in range(bits)]
    for place, bit in enumerate((*lead_in, *received), start=-len(lead_in)):
        if place >= 0:
            text |= (state[cipher.stages[-1].name].value ^ bit) << place
        word = concatenate(state["c"], state["q"])
        cells = following_cells(
            cipher.cells,
            {address: word[address] for address in range(len(word))},
            lambda number: IntegerWord(key[number], 1),
            unnamed,
        )
        after = {"c": IntegerWord(bit, 1)}
        after["q"] = concatenate(*(cells[address] for address in range(1, len(word))))
        for stage in cipher.stages:
            after[stage.name], word = stage.made(unnamed, word), state[stage.name]
        state = after
    return text


@each
def test_model_is_the_description(cipher: SelfSynchronisingCipher) -> None:
    text = random.Random(8).getrandbits(150)
    model = [SelfSynchronisingModel(cipher, key=KEY, iv=IV) for _ in range(2)]
    ciphertext = model[0].encrypt(text, 150)
    assert decrypted(cipher, ciphertext, 150) == text == model[1].decrypt(ciphertext, 150)


@each
def test_model_goes_on_where_it_was(cipher: SelfSynchronisingCipher) -> None:
    whole = SelfSynchronisingModel(cipher, key=KEY, iv=IV)
    parts = SelfSynchronisingModel(cipher, key=KEY, iv=IV)
    text = random.Random(3).getrandbits(300)
    made = place = 0
    for count in (1, 7, 10, 33, 0, 100, 149):
        made |= parts.encrypt(text >> place, count) << place
        place += count
    assert made == whole.encrypt(text, 300)


def test_shorter_iv_is_filled_up_behind_it() -> None:
    sent = Message(KEY, IV[:4], b"", bytes(20), 160)
    filled = [replace(sent, nonce=iv) for iv in (IV[:4].ljust(13, b"\0"), IV[:4].rjust(13, b"\0"))]
    made, behind, before = (process(MOSQUITO, one) for one in (sent, *filled))
    assert made == behind
    assert made != before
