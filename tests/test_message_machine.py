# SPDX-License-Identifier: Apache-2.0
"""Ciphers that are described as a message machine: examples, page, and wrong descriptions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import as_process

from headwater.algebra.aes import aes_round
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import (
    IntegerWord,
    add,
    all_ones,
    choose,
    concatenate,
    lookup,
    rotate_left,
    table_word,
    through,
    times_x,
    unnamed,
)
from headwater.algebra.written import written
from headwater.cipher.cases import MessageVector
from headwater.cipher.checks import check_description
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.message.description import (
    Do,
    MessageCipher,
    Pad,
    Part,
    Register,
    Repeat,
    Squeeze,
    Take,
)
from headwater.kinds.reading import process
from headwater.kinds.registry import facts_of
from headwater.verify.c_engine import CEngine
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import prove_one
from headwater.verify.vector_files import read_file

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
PAGE = (ROOT / "docs" / "message-machine.md").read_text()
MACHINES = {
    "tinyjambu128": (EXAMPLES / "tinyjambu" / "tinyjambu.py", 32),
    "xoodyak": (EXAMPLES / "xoodyak" / "xoodyak.py", 1),
    "acorn128": (EXAMPLES / "acorn" / "acorn.py", 32),
    "aegis128l": (EXAMPLES / "aegis128l" / "aegis128l.py", 1),
    "aegis256": (EXAMPLES / "aegis256" / "aegis256.py", 1),
    "schwaemm256128": (EXAMPLES / "schwaemm" / "schwaemm.py", 1),
    "rocca": (EXAMPLES / "rocca" / "rocca.py", 1),
    "romulusn": (EXAMPLES / "romulus" / "romulus.py", 1),
}


def described(name: str) -> MessageCipher:
    """A cipher of the examples, without adding it to the catalogue."""
    space: dict[str, Any] = {"__name__": f"example_{name}"}
    path = MACHINES[name][0]
    exec(compile(path.read_text(), str(path), "exec"), space)
    (cipher,) = space["CIPHERS"]
    assert isinstance(cipher, MessageCipher)
    return cipher


@pytest.mark.parametrize("name", MACHINES)
def test_an_example_is_short_and_gives_all_its_vectors(name: str) -> None:
    path, _ = MACHINES[name]
    assert len(path.read_text().splitlines()) <= 120
    cipher = described(name)
    file = read_file(path.parent / "vectors" / f"{name}.json", cipher)
    assert len(file.vectors) > 20
    assert not file.skipped
    for vector in file.vectors[:: 1 if name != "acorn128" else 4]:
        assert isinstance(vector, MessageVector)
        sealed = process(cipher, vector.encrypting)
        assert (sealed.text, sealed.tag) == (vector.decrypting.text, vector.tag), vector.name
        assert process(cipher, vector.decrypting).text == vector.encrypting.text, vector.name


# --- wrong descriptions


def step(wire, s, k):
    return {
        "s": concatenate(s[1:], wire(s[0] ^ s[5] ^ (s[3] & k[0]), "f")),
        "k": concatenate(k[1:], k[0]),
    }


def enter(s, block):
    return {"s": concatenate(s[:8], s[8:] ^ block)}


def stream(s):
    return s[:8]


def wide_stream(s):
    return s[:9]


def long_state(s):
    return {"s": concatenate(s, s[0])}


def other_register(s):
    return {"t": s}


def no_mapping(s):
    return s


def asks_for_more(s, message):
    return {"s": s ^ message}


def lengths_too_early(s, ad_bytes):
    return {"s": s ^ ad_bytes[:16]}


def adds_unequal(s):
    return {"s": s ^ s[:3]}


def compares(s):
    return {"s": s if s[0] else ~s}


def not_additive(s, block):
    return {"s": concatenate(s[:16] & block, s[16:])}


def whole_stream(s):
    return s


def enter_three(s, block):
    return {"s": s ^ block[:16]}


def stream_of_three(s):
    return concatenate(s, s[:8])


def number():
    return {"s": 5}


SMALL = MessageCipher(
    name="small",
    title="Small",
    source="this test",
    security="not for use: an example",
    key_bits=16,
    iv_bits=(8,),
    bit_order="lsb_first",
    convention="Least significant bit first.",
    registers=(Register("s", 16), Register("k", 16)),
    start=(Take("key", 16, into="k"), Repeat(16, step), Take("nonce", 8, enter=enter)),
    associated=Part(rate=8, first=(Repeat(8, step),), between=(Repeat(8, step),), enter=enter),
    text=Part(
        rate=8, first=(Repeat(8, step),), between=(Repeat(8, step),), enter=enter, keystream=stream
    ),
    finish=(Repeat(16, step), Squeeze(8, stream)),
)
TEXT, START = SMALL.text, SMALL.start


def with_text(**changed: Any) -> dict[str, Any]:
    return {"text": replace(TEXT, **changed)}


def with_do(function: Callable[..., Any]) -> dict[str, Any]:
    return {"middle": (Do(function),)}


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no register": ({"registers": ()}, "registers of small must be one at least, not none"),
    "empty register": (
        {"registers": (Register("s", 0), Register("k", 16))},
        "bits of register s of small must be at least 1, not 0",
    ),
    "signal of a core": (
        {"registers": (Register("count", 16), Register("k", 16))},
        "must have a name that no signal of a core has, not 'count'",
    ),
    "keyword": (
        {"registers": (Register("wire", 16), Register("k", 16))},
        "that Verilog leaves free, not 'wire'",
    ),
    "two nonces": ({"iv_bits": (8, 16)}, "iv_bits of small must be one length"),
    "order of bits": ({"bit_order": "msb_first"}, "bit_order of small must be lsb_first"),
    "lengths": ({"length_bits": 65}, "length_bits of small must be between 8 and 64, not 65"),
    "no take": ({"start": START[1:]}, "start of small must begin with a Take, not Repeat"),
    "part of the key": (
        {"start": (Take("key", 8, into="k"), *START[1:])},
        "start of small must take all 16 bits of the key once, not 8",
    ),
    "no bits": (
        {"start": (Take("key", 4, into="k"), *START[1:])},
        "bits of start[0] of small must be a multiple of 8, not 4",
    ),
    "into and enter": (
        {"start": (Take("key", 16, into="k", enter=enter), *START[1:])},
        "start[0] of small must have either into or enter, not both",
    ),
    "neither": (
        {"start": (Take("key", 16), *START[1:])},
        "start[0] of small must have either into or enter, not none",
    ),
    "unknown register": (
        {"start": (Take("key", 16, into="q"), *START[1:])},
        "into of start[0] of small must be one of s, k, not 'q'",
    ),
    "block_bits": (
        {"start": (Take("key", 16, enter=enter, block_bits=12), *START[1:])},
        "block_bits of start[0] of small must be whole bytes and divide 16, not 12",
    ),
    "take elsewhere": (
        {"middle": (Take("key", 16, into="k"),)},
        "middle[0] of small must not be a Take",
    ),
    "squeeze elsewhere": (
        {"middle": (Squeeze(8, stream),)},
        "middle[0] of small must not be a Squeeze",
    ),
    "no step": ({"middle": (Repeat(0, step),)}, "count of middle[0] of small must be at least 1"),
    "radix": (
        {"offered_radices": (3,)},
        "must divide the count of each Repeat, 16 among them, not 3",
    ),
    "no tag": ({"finish": (Repeat(16, step),)}, "finish of small must end with a Squeeze"),
    "bits of the tag": (
        {"finish": (Squeeze(12, stream),)},
        "bits of finish[0] of small must be a multiple of 8, not 12",
    ),
    "rate": (with_text(rate=12), "rate of text of small must be a multiple of 8, not 12"),
    "no keystream": (
        with_text(keystream=None),
        "associated of small must be left out, as its text has no keystream",
    ),
    "keystream of data": (
        {"associated": replace(TEXT, keystream=stream)},
        "keystream of associated of small must be left out",
    ),
    "wide keystream": (
        with_text(keystream=wide_stream),
        "word that keystream of text of small gives must have 8 bits, not 9",
    ),
    "padding": (
        with_text(pad=Pad("always", 0)),
        "byte of pad of text of small must be between 1 and 255, not 0",
    ),
    "kind of padding": (
        with_text(pad=Pad("never")),  # type: ignore[arg-type]
        "when of pad of text of small must be one of partial, always, each",
    ),
    "no function": (with_text(enter=5), "enter of text of small must be Function, not 5"),
    "words added": (
        with_text(rate=16, enter=not_additive, keystream=whole_stream, added=True),
        "enter of text of small must give the same if the words of a block enter one",
    ),
    "long state": (
        with_do(long_state),
        "s that function of middle[0] of small gives must have 16 bits, not 17",
    ),
    "other register": (
        with_do(other_register),
        "register that function of middle[0] of small gives must be one of s, k",
    ),
    "no mapping": (
        with_do(no_mapping),
        "function of middle[0] of small must give a mapping of registers to words",
    ),
    "parameter": (
        with_do(asks_for_more),
        "must be one of wire, s, k, ad_bytes, text_bytes, not 'message'",
    ),
    "lengths in a part": (
        with_text(first=(Do(lengths_too_early),)),
        "parameter of function of text.first[0] of small must be one of",
    ),
    "unequal words": (with_do(adds_unequal), "words must have equal lengths, not 16 and 3"),
    "if": (with_do(compares), "a word of a description has no value"),
    "number": (with_do(number), "must be a word, not int"),
    "constant": (
        {"constants": {"s": IntegerWord(1, 1)}},
        "constant of small must have a name that nothing else has, not 's'",
    ),
    "control": (
        {"middle": (Repeat(8, step, controls=("count",)),)},
        "of middle[0] of small must have a name that nothing else has, not 'count'",
    ),
    "width": (
        with_text(rate=24, enter=enter_three, keystream=stream_of_three),
        "rate of the parts of small must allow words of 8 to 256 bits",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_description_is_refused_in_a_sentence(name: str) -> None:
    changed, said = WRONG[name]
    with pytest.raises(InputError) as refused:
        check_description(replace(SMALL, **changed))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_small_machine_is_right() -> None:
    check_description(SMALL)
    assert SMALL.natural_radix == 8, "the stages from 5 to 15 are ten steps, of which 8 divide all"


# --- worked by hand, and against other text


def test_a_message_of_the_small_machine_by_hand() -> None:
    """The state after each operation, with lists of bits and nothing of the package."""
    key, nonce, ad, text = b"\xc5\x3a", b"\x91", b"\x0f\xf0", b"\x5a"
    bits = [key[place // 8] >> place % 8 & 1 for place in range(16)]
    s, turned = [0] * 16, 0

    def steps(count: int) -> None:
        nonlocal turned
        for _ in range(count):
            s.append(s[0] ^ s[5] ^ (s[3] & bits[turned % 16]))
            del s[0]
            turned += 1

    def added(byte: int) -> None:
        s[8:] = [bit ^ (byte >> place & 1) for place, bit in enumerate(s[8:])]

    def low() -> int:
        return sum(bit << place for place, bit in enumerate(s[:8]))

    steps(16)
    added(nonce[0])
    for byte in ad:
        steps(8)
        added(byte)
    steps(8)
    other = low() ^ text[0]
    added(text[0])
    steps(16)
    sealed = process(SMALL, Message(key, nonce, ad, text, 8))
    assert (sealed.text, sealed.tag) == (bytes([other]), bytes([low()]))
    opened = process(SMALL, Message(key, nonce, ad, sealed.text, 8, decrypts=True))
    assert (opened.text, opened.tag) == (text, sealed.tag)


def test_cycles_of_the_small_machine_by_hand() -> None:
    facts = facts_of(SMALL, Architecture.choose(SMALL, radix=4))
    assert facts.setup_cycles == 16 // 8 + 16 // 4 + 8 // 8
    assert facts.message_cycles(24) == 3 + 2 * 2 + 4, (
        "three words, twice two cycles, four to the tag"
    )


@pytest.mark.parametrize(
    "name",
    ["setup", "load", "step", "words", "message", "tag", "session", "hold", "silence", "clear"],
)
def test_the_small_machine_is_proven(name: str) -> None:
    record = prove_one(SMALL, Architecture.choose(SMALL, radix=4), name)
    assert record.failures == ()


def test_a_round_of_aes_as_the_draft_of_aegis_prints_it() -> None:
    given = "000102030405060708090a0b0c0d0e0f", "101112131415161718191a1b1c1d1e1f"
    words = [IntegerWord(int.from_bytes(bytes.fromhex(one), "little"), 128) for one in given]
    made = aes_round(unnamed, *words)
    assert made.value.to_bytes(16, "little").hex() == "7a7b4e5638782546a8c0477a3b813f43"
    compiled = written(lambda a, b: [aes_round(unnamed, a, b)], {"a": 128, "b": 128}, {}, {})
    assert compiled(*(word.value for word in words)) == (made.value,)
    bits = [SymbolicWord(tuple(word.value >> place & 1 for place in range(128))) for word in words]
    symbols = aes_round(unnamed, *bits).bits
    assert sum(bit << place for place, bit in enumerate(symbols)) == made.value


# --- the page


def test_the_example_of_the_page_is_a_cipher(tmp_path: Path) -> None:
    (text,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (name,) = re.findall(r'    name="(.*?)"', text)
    file = tmp_path / "example.py"
    file.write_text(text)
    given = ("--key", "00112233445566778899aabbccddeeff", "--nonce", "000102030405060708090a0b")
    made = []
    for engine in (("model",), ("rtl",), ("rtl", "--radix", "2", "--option", "width=8")):
        for data in (("--text", "c0ffee"), ("--text", "c0ffee" * 9, "--ad", "01" * 7)):
            done = as_process(
                "--cipher-file", file, "encrypt", name, *given, *data, "--engine", *engine
            )
            assert done.returncode == 0, done.stderr
            made.append(done.stdout)
    assert made[:2] == made[2:4] == made[4:]


def test_the_page_names_every_field_of_the_language() -> None:
    prose = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
    quoted = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", prose))))
    own = set(MessageCipher.__dataclass_fields__) - set(
        MessageCipher.__mro__[1].__dataclass_fields__
    )
    for kind in (Register, Take, Do, Repeat, Squeeze, Pad, Part):
        own |= set(kind.__dataclass_fields__)
    assert own <= quoted, own - quoted


# --- operations in every reading


def every_operation(a, b, table, fixed):
    """Each operation that the page names, on words of eight bits, one result behind the other."""
    return {
        "r": concatenate(
            a ^ b,
            a & b,
            a | b,
            ~a,
            a ^ 0x5A,
            a & 0x3C,
            a | 0x81,
            a << 3,
            a[2:7],
            a[-1],
            a[0],
            a[5].replicate(13),
            concatenate(b, a),
            choose(a[1], a, b),
            add(a, b),
            rotate_left(a, 3),
            times_x(b, 0x1B),
            all_ones(a | b),
            lookup(a[:4], table),
            fixed ^ b,
            through(unnamed, "sum_of", 8, through_sum, a, b),
        )
    }


def through_sum(wire, a, b):
    return wire(add(a, b))


def by_hand(a: int, b: int, table: tuple[int, ...], fixed: int) -> list[tuple[int, int]]:
    """Value and width of each result, in Python's own integers."""
    pick = a if a >> 1 & 1 else b
    turned = (a << 3 | a >> 5) & 0xFF
    doubled = (b << 1 ^ (0x11B if b >> 7 else 0)) & 0xFF
    total = (a + b) & 0xFF
    return [
        (a ^ b, 8),
        (a & b, 8),
        (a | b, 8),
        (a ^ 0xFF, 8),
        (a ^ 0x5A, 8),
        (a & 0x3C, 8),
        (a | 0x81, 8),
        (a << 3, 11),
        (a >> 2 & 31, 5),
        (a >> 7, 1),
        (a & 1, 1),
        (8191 * (a >> 5 & 1), 13),
        (a << 8 | b, 16),
        (pick, 8),
        (total, 8),
        (turned, 8),
        (doubled, 8),
        (int((a | b) == 0xFF), 1),
        (table[a & 15], 8),
        (fixed ^ b, 8),
        (total, 8),
    ]


TABLE = tuple((73 * place + 41) % 256 for place in range(16))
RESULT_BITS = sum(width for _, width in by_hand(0, 0, TABLE, 0))


def result(r):
    return concatenate(r, r[:1])[: len(r)]


def into_b(b, block):
    return {"b": b ^ block}


def byte_of(a):
    return a


OPERATIONS = MessageCipher(
    name="operations",
    title="Every operation",
    source="this test",
    security="not for use: an example",
    key_bits=8,
    iv_bits=(8,),
    bit_order="lsb_first",
    convention="Least significant bit first.",
    registers=(Register("a", 8), Register("b", 8), Register("r", RESULT_BITS)),
    constants={"table": table_word(TABLE, 8), "fixed": IntegerWord(0xC3, 8)},
    start=(Take("key", 8, into="a"), Take("nonce", 8, into="b"), Do(every_operation)),
    text=Part(rate=8, enter=into_b, keystream=byte_of),
    finish=(Squeeze(RESULT_BITS, result),),
)


@pytest.mark.parametrize("engine", ["integers", "symbols", "model", "hardware", "c"])
def test_every_operation_has_the_same_meaning_in_every_reading(engine: str) -> None:
    assert RESULT_BITS % 8 == 0, "the tag is whole bytes"
    values = [(0, 0), (255, 255), (0x96, 0x3B), (0x0F, 0xF1), (0x80, 0x7F)]
    at = Architecture.choose(OPERATIONS)
    for a, b in values:
        wanted, place = 0, 0
        for value, width in by_hand(a, b, TABLE, 0xC3):
            wanted, place = wanted | value << place, place + width
        message = Message(bytes([a]), bytes([b]), b"", b"", 0)
        if engine == "integers":
            words = (IntegerWord(a, 8), IntegerWord(b, 8), *OPERATIONS.constants.values())
            made = every_operation(*words)["r"].value
        elif engine == "symbols":
            words = tuple(
                SymbolicWord(tuple(word.value >> bit & 1 for bit in range(word.width)))
                for word in (IntegerWord(a, 8), IntegerWord(b, 8), *OPERATIONS.constants.values())
            )
            bits = every_operation(*words)["r"].bits
            made = sum(bit << number for number, bit in enumerate(bits))
        elif engine == "model":
            made = int.from_bytes(process(OPERATIONS, message).tag, "little")
        else:
            kind = RtlEngine if engine == "hardware" else CEngine
            (sealed,) = kind(OPERATIONS, at).process([message])
            made = int.from_bytes(sealed.tag, "little")
        assert made == wanted, (a, b)
