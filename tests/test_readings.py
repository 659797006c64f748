# SPDX-License-Identifier: Apache-2.0
"""What properties compare a core with, and cores against ciphers that are written from their papers
once more: these share no code with descriptions."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable

import pytest

from headwater.algebra import bitstring
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.message import Message
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_radix
from headwater.kinds.registry import KINDS, build, kind_of, properties, properties_of
from headwater.kinds.stepped.prng.properties import properties as of_source
from headwater.prove.checker import Proof
from headwater.verify.c_engine import CEngine
from headwater.verify.proof import with_checkers
from headwater.verify.readings import evidence
from headwater.verify.segments import Segment

Capture = pytest.CaptureFixture[str]

COMMON = {"session", "hold", "silence", "clear", "setup"}
"""Properties of streams and control, which all kinds make."""


# Ciphers by their papers


def trivium(key: list[int], iv: list[int], count: int) -> list[int]:
    """Section 2 of the paper: keystream bits; s[0] is s1."""
    s, made = [*key, *13 * [0], *iv, *112 * [0], 1, 1, 1], []
    for _ in range(4 * 288 + count):
        t1, t2, t3 = s[65] ^ s[92], s[161] ^ s[176], s[242] ^ s[287]
        made.append(t1 ^ t2 ^ t3)
        t1 ^= s[90] & s[91] ^ s[170]
        t2 ^= s[174] & s[175] ^ s[263]
        t3 ^= s[285] & s[286] ^ s[68]
        s = [t3, *s[:92], t1, *s[93:176], t2, *s[177:287]]
    return made[4 * 288 :]


def chacha20(key: bytes, nonce: bytes, count: int) -> bytes:
    """RFC 8439, section 2.3: keystream bytes from block 0 on."""

    def quarter(x: list[int], a: int, b: int, c: int, d: int) -> None:
        for one, other, third, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[one] = (x[one] + x[other]) % 2**32
            mixed = x[third] ^ x[one]
            x[third] = (mixed << turn | mixed >> (32 - turn)) % 2**32

    def words(data: bytes) -> list[int]:
        return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]

    made = b""
    while len(made) < count:
        begin = [*words(b"expand 32-byte k"), *words(key), len(made) // 64, *words(nonce)]
        x = list(begin)
        for _ in range(10):
            for at in range(4):
                quarter(x, at, at + 4, at + 8, at + 12)
            for at in range(4):
                quarter(x, at, (at + 1) % 4 + 4, (at + 2) % 4 + 8, (at + 3) % 4 + 12)
        added = [(one + other) % 2**32 for one, other in zip(x, begin, strict=True)]
        made += b"".join(word.to_bytes(4, "little") for word in added)
    return made[:count]


def times(a: int, b: int) -> int:
    """The product of two bytes, FIPS 197, section 4.2."""
    product = 0
    for place in range(8):
        product ^= (a << place) * (b >> place & 1)
    for place in reversed(range(8, 15)):
        product ^= (0x11B << (place - 8)) * (product >> place & 1)
    return product


def sbox(byte: int) -> int:
    """FIPS 197, section 5.1.1."""
    inverse = next((one for one in range(256) if times(one, byte) == 1), 0)
    turned = inverse * 0b100000001
    return 0x63 ^ inverse ^ (turned >> 4 ^ turned >> 5 ^ turned >> 6 ^ turned >> 7) & 0xFF


def aes_ofb(key: bytes, iv: bytes, count: int) -> bytes:
    """FIPS 197, and NIST SP 800-38A, section 6.4: keystream bytes."""
    table, constant = [*map(sbox, range(256))], 1
    words = [list(key[at : at + 4]) for at in range(0, 16, 4)]
    for at in range(4, 44):
        word = words[-1]
        if at % 4 == 0:
            word = [table[byte] for byte in (*word[1:], word[0])]
            word[0] ^= constant
            constant = times(constant, 2)
        words.append([one ^ other for one, other in zip(word, words[at - 4], strict=True)])
    keys = [[byte for word in words[at : at + 4] for byte in word] for at in range(0, 44, 4)]
    made, block = b"", list(iv)
    while len(made) < count:
        block = [one ^ other for one, other in zip(block, keys[0], strict=True)]
        for number in range(1, 11):
            shifted = [table[block[5 * place % 16]] for place in range(16)]
            if number < 10:
                shifted = [
                    times(shifted[at], 2)
                    ^ times(shifted[at - at % 4 + (at + 1) % 4], 3)
                    ^ shifted[at - at % 4 + (at + 2) % 4]
                    ^ shifted[at - at % 4 + (at + 3) % 4]
                    for at in range(16)
                ]
            block = [one ^ other for one, other in zip(shifted, keys[number], strict=True)]
        made += bytes(block)
    return made[:count]


# Comparisons


COUNT = 300
SOURCE = random.Random(8439)


def engine_of(name: str) -> CEngine:
    """The C of a core, which is printed from the same circuit as its Verilog."""
    cipher = CATALOGUE[name]
    return CEngine(cipher, Architecture.choose(cipher, radix=c_radix(cipher)))


def keystream(name: str, key: bytes, iv: bytes) -> bytes:
    (made,) = engine_of(name).run([Segment(key, iv, 0, 8 * COUNT)])
    return made


def compare_trivium() -> None:
    """The vectors of eSTREAM have K80 in s1."""
    key, iv = SOURCE.randbytes(10), SOURCE.randbytes(10)
    cipher = CATALOGUE["trivium"]
    loaded = (list(reversed(bits)) for bits in cipher.input_bits(key, iv, None))
    bits = trivium(*loaded, 8 * COUNT)
    found = bitstring.from_bytes(keystream("trivium", key, iv), cipher.bit_order)
    assert [found >> place & 1 for place in range(8 * COUNT)] == bits


def compare_chacha20() -> None:
    key, nonce = SOURCE.randbytes(32), SOURCE.randbytes(12)
    assert keystream("chacha20", key, nonce) == chacha20(key, nonce, COUNT)


def compare_aes_ofb() -> None:
    key, iv = SOURCE.randbytes(16), SOURCE.randbytes(16)
    assert keystream("aes_ofb", key, iv) == aes_ofb(key, iv, COUNT)


def forgets() -> None:
    """A law of self-synchronising ciphers: what is decrypted depends on the last bits of the
    ciphertext alone, whatever came before them, and it depends on the first of these."""
    cipher, text = CATALOGUE["moustique"], SOURCE.randbytes(COUNT)
    engine, key = engine_of("moustique"), SOURCE.randbytes(12)
    ivs = [SOURCE.randbytes(cipher.iv_bits[-1] // 8) for _ in range(2)]
    one, other = (
        sealed.text
        for sealed in engine.process([Message(key, iv, b"", text, 8 * COUNT, True) for iv in ivs])
    )
    # The memory is a bit longer than the IV: its last bit has a part in the bit of text behind as
    # many as the IV has.
    after = cipher.iv_bits[-1] // 8 + 1
    assert one[after:] == other[after:]
    assert one[: after // 2] != other[: after // 2]


REFERENCES: dict[str, Callable[[], None]] = {
    "stepped": compare_trivium,
    "block_stream": compare_chacha20,
    "aes": compare_aes_ofb,
    "self_synchronising": forgets,
}


@pytest.mark.parametrize("kind", REFERENCES)
def test_a_core_is_the_cipher_of_the_paper(kind: str) -> None:
    REFERENCES[kind]()


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_reading_that_is_apart(kind: str) -> None:
    """Of what the cipher computes, not of streams and control alone."""
    own = [
        one.name
        for one in properties(kind)
        if one.reading.against == "independent" and one.name not in COMMON
    ]
    assert own or kind in REFERENCES


@pytest.mark.parametrize("name", CATALOGUE)
def test_each_property_says_what_it_compares_with(name: str) -> None:
    cipher = CATALOGUE[name]
    found = evidence(cipher, Architecture.choose(cipher))
    assert found[-1].property == "vectors"
    for one in found:
        assert one.against in ("description", "gates", "independent")
        assert one.what
        assert one.method


ONE_OF_EACH_CLASS = {type(cipher): name for name, cipher in reversed(CATALOGUE.items())}.values()
"""Properties are those of a class of descriptions."""


@pytest.mark.parametrize("name", ONE_OF_EACH_CLASS)
def test_what_is_written_by_hand_is_said(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A property says that its proof has invariants of its own if its checker has some."""
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher)
    formed, core = kind_of(cipher).formed(cipher, architecture), build(cipher, architecture)
    asked = properties_of(formed, architecture)
    # A module that is first imported from here on would keep what stands for the function.
    helped = set()
    for module in [module for key, module in sys.modules.items() if key.startswith("headwater")]:
        if hasattr(module, "assert_always"):
            monkeypatch.setattr(
                module,
                "assert_always",
                lambda *_, invariants=(), **__: helped.add(checked) if list(invariants) else None,
            )
    checked, by_hand = "", set()
    for one in asked:
        checked = one.name
        with_checkers(core, {one.name: (one.checker, Proof(formed, one.by_induction(core.facts)))})
        by_hand |= {one.name} if one.by_hand else set()
    assert helped == by_hand


def test_the_method_is_that_of_the_core(capsys: Capture) -> None:
    """Where the output is late the property `next` of Trivium is no induction."""
    assert main(["verify", "trivium", "--properties", "--json"]) == 0
    plain = {one["property"]: one["method"] for one in json.loads(capsys.readouterr().out)}
    assert plain["next"] == plain["setup"] == "runs of any length from a reset"
    assert plain["silence"] == "any state, 1 cycle"
    assert main(["verify", "trivium", "--properties", "--option", "stall=none", "--json"]) == 0
    assert "next" not in {one["property"] for one in json.loads(capsys.readouterr().out)}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--prove"], "--properties must come without --prove"),
        (["--mutants", "2"], "--properties must come without --mutants"),
        (["--radix", "1,2"], "--properties must come with one radix, not 2"),
        (["--columns", "engine"], "column must be one of property, against, compared with"),
    ],
)
def test_refusals(words: list[str], said: str, capsys: Capture) -> None:
    assert main(["verify", "trivium", "--properties", *words]) == 2
    assert said in capsys.readouterr().err


def test_properties_of_a_source_of_random_bits_are_listed(capsys: Capture) -> None:
    words = ["verify", "trivium", "--random-bits", "9", "--properties"]
    assert main([*words, "--state-port", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    named = [one.name for one in of_source(3, state_port=True)]
    assert [row["property"] for row in rows] == [*named, "cycles"]
    assert {row["against"] for row in rows[:-1]} == {"independent"}
    assert rows[named.index("deaf")]["what"] == "!seed_ready, where closed"
    assert main([*words, "--prove"]) == 2
    assert "--properties must come without --prove" in capsys.readouterr().err
