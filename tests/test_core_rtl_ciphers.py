# SPDX-License-Identifier: Apache-2.0
"""The generated Verilog of every catalogued cipher in simulation: vectors, gaps, interruptions; and
lint, since each core is there."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from simulated import CIPHERS, OPTION_CASES, RADIX_CASES, legal

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import ToolError
from headwater.flow.verilator import lint, simulate
from headwater.kinds.bit_aead.description import AuthenticatingCipher, BitAead
from headwater.kinds.bit_aead.message_words import data_width
from headwater.kinds.reading import process
from headwater.kinds.registry import facts_of
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.segments import Segment
from headwater.verify.transfer import text_transfer, transfer_of
from headwater.verify.vector_files import VectorFile, own_files, read_file

NEAR = 4096
"""Keystream bits within which the segments are that run at every radix."""

AUTHENTICATED = [cipher for cipher in CIPHERS if isinstance(cipher, BitAead)]
KEYSTREAM = [cipher for cipher in CIPHERS if not isinstance(cipher, BitAead)]
KEYSTREAM += [CATALOGUE["sfinks"]]


def own_vectors(cipher: Cipher, most: int) -> VectorFile:
    """Some of a cipher's vectors, spread over the file, all near the beginning."""
    path = own_files(cipher)[0]
    file = read_file(path, cipher)
    near = [vector for vector in file.vectors if getattr(vector, "offset", 0) < NEAR]
    return replace(file, vectors=tuple(near[:: max(1, len(near) // most)]))


def key_and_iv(cipher: Cipher, seed: int) -> tuple[bytes, bytes]:
    """Some key and IV of the longest legal length."""
    source = Random(f"{cipher.name} {seed}")
    bits = cipher.iv_bits[-1]
    iv = bytearray(source.randbytes(-(-bits // 8)))
    if bits % 8:
        iv[-1] &= (1 << bits % 8) - 1
    if getattr(cipher, "first_iv_bit", None) is not None:
        iv[0] |= 0x80
    return source.randbytes(cipher.key_bits // 8), bytes(iv)


def text(cipher: AuthenticatingCipher, seed: int, ad: int, bits: int) -> Message:
    """Some message of so many bytes of associated data and bits of text."""
    source = Random(f"{cipher.name} {seed}")
    plain = bytearray(source.randbytes(-(-bits // 8)))
    if bits % 8:
        mask = 0xFF << 8 - bits % 8 if cipher.bit_order == "msb_first" else (1 << bits % 8) - 1
        plain[-1] &= mask & 0xFF
    ad = ad if cipher.takes_associated_data else 0
    return Message(*key_and_iv(cipher, seed), source.randbytes(ad), bytes(plain), bits)


@pytest.mark.parametrize(("cipher", "radix"), RADIX_CASES)
def test_vectors_and_setup_at_every_radix(cipher: Cipher, radix: int) -> None:
    architecture = Architecture.choose(cipher, radix=radix)
    engine = RtlEngine(cipher, architecture)
    assert lint(engine.verilog.name, engine.verilog.text) == []
    record = check_vectors(own_vectors(cipher, 25), engine, architecture)
    assert record.failures == ()
    assert record.skipped == 0
    assert record.passed >= 20
    facts = facts_of(cipher, architecture)
    assert engine.setup_cycles(*key_and_iv(cipher, 1)) == facts.setup_cycles


@pytest.mark.parametrize(("cipher", "radix", "options"), OPTION_CASES)
def test_every_option_gives_the_same(cipher: Cipher, radix: int, options: dict[str, str]) -> None:
    architecture = Architecture.choose(cipher, radix=radix, options=options)
    gaps = 0 if architecture.stall == "none" else 300
    engine = RtlEngine(cipher, architecture, gaps_permille=gaps, seed=radix)
    assert lint(engine.verilog.name, engine.verilog.text) == []
    if isinstance(cipher, BitAead):
        directions = {"encrypt": [False], "decrypt": [True]}.get(
            architecture["direction"], [False, True]
        )
        messages = [
            replace(text(cipher, bits, ad, bits), decrypts=decrypts)
            for ad, bits in ((0, 0), (1, 0), (0, 8), (3, 64), (130, 256), (2, 128))
            for decrypts in directions
        ]
        assert engine.process(messages) == [process(cipher, message) for message in messages]
    else:
        segments = [Segment(*key_and_iv(cipher, seed), 7 * seed, 200) for seed in range(4)]
        assert engine.run(segments) == ModelEngine(cipher).run(segments)


@pytest.mark.parametrize("cipher", AUTHENTICATED, ids=lambda cipher: cipher.name)
@pytest.mark.parametrize("radix", [2, 32, 64])
def test_messages_that_end_anywhere_in_a_word(cipher: BitAead, radix: int) -> None:
    architecture = Architecture.choose(cipher, radix=radix)
    engine = RtlEngine(cipher, architecture, gaps_permille=200)
    messages = [
        text(cipher, bits, ad, bits)
        for bits in range(2 * data_width(cipher, radix) + 2)
        for ad in (0, 2)
    ]  # fmt: skip
    assert engine.process(messages) == [process(cipher, message) for message in messages]


@pytest.mark.parametrize("cipher", KEYSTREAM, ids=lambda cipher: cipher.name)
def test_words_in_any_state_of_the_reader(cipher: Cipher) -> None:
    for radix, permille in product((legal(cipher, 1), legal(cipher, 8)), (500, 900)):
        architecture = Architecture.choose(cipher, radix=radix)
        engine = RtlEngine(cipher, architecture, gaps_permille=permille, seed=permille)
        segments = [Segment(*key_and_iv(cipher, seed), 0, 150) for seed in range(3)]
        assert engine.run(segments) == ModelEngine(cipher).run(segments)


def load(cipher: Cipher, architecture: Architecture, seed: int) -> str:
    words = facts_of(cipher, architecture).load_words(*key_and_iv(cipher, seed))
    return "load " + " ".join(f"{word:x}" for word in words)


def moments(cipher: Cipher, architecture: Architecture) -> list[int]:
    """Cycles after the load: around start, middle and end of the setup, and later."""
    facts = facts_of(cipher, architecture)
    blank = facts.setup_cycles - len(facts.load_words(*key_and_iv(cipher, 1)))
    return [0, 1, blank // 2, max(0, blank - 1), blank, blank + 1, blank + 23]


@pytest.mark.parametrize("stall", ["stream", "none"])
@pytest.mark.parametrize("clear", ["shift", "instant", "none"])
@pytest.mark.parametrize("cipher", KEYSTREAM, ids=lambda cipher: cipher.name)
def test_interruptions_of_keystream(cipher: Cipher, clear: str, stall: str) -> None:
    radix = legal(cipher, 8)
    architecture = Architecture.choose(
        cipher, radix=radix, options={"clear": clear, "stall": stall}
    )
    ends = ["reset 1", "idle 0"] + ["clear"] * (clear != "none")
    commands, parts = ["reset 2"], 0
    segment = Segment(*key_and_iv(cipher, 2), 0, 3 * radix)
    for end, moment in product(ends, moments(cipher, architecture)):
        # `idle 0` ends nothing: there the new load does.
        commands += [load(cipher, architecture, 1), f"idle {moment}", end]
        commands += [load(cipher, architecture, 2), "take 3"]
        parts += 1
    printed = simulate(generate(cipher, architecture), commands)
    words = [int(word, 16) for word in printed]
    assert len(words) == 3 * parts
    assert all(words[at : at + 3] == words[:3] for at in range(0, len(words), 3))
    engine = RtlEngine(cipher, architecture)
    assert engine.run([segment]) == ModelEngine(cipher).run([segment])


@pytest.mark.parametrize("stall", ["stream", "none"])
@pytest.mark.parametrize("clear", ["shift", "instant"])
@pytest.mark.parametrize(
    ("name", "radix"),
    [("grain128aead", 1), ("grain128aead", 8), ("grain128aead", 64), ("sfinks-ae", 1),
     ("sfinks-ae", 4)],
)  # fmt: skip
def test_interruptions_of_messages(name: str, radix: int, clear: str, stall: str) -> None:
    cipher = CATALOGUE[name]
    assert isinstance(cipher, AuthenticatingCipher)
    architecture = Architecture.choose(
        cipher, radix=radix, options={"clear": clear, "stall": stall}
    )
    message = text(cipher, 2, 0, 72)
    whole = transfer_of(cipher, architecture, message)
    again = [load(cipher, architecture, 2), *whole.commands()]
    commands = ["reset 2"]
    parts = 0
    for end, moment in product(["reset 1", "clear", "idle 0"], moments(cipher, architecture)[:5]):
        commands += [load(cipher, architecture, 1), f"idle {moment}", end, *again]
        parts += 1
    printed = iter(simulate(generate(cipher, architecture), commands))
    assert [whole.result(printed) for _ in range(parts)] == [process(cipher, message)] * parts
    assert next(printed, None) is None


def test_nothing_but_idle_follows_a_tag() -> None:
    """The core takes the next load by itself, and no further tag word."""
    cipher = CATALOGUE["grain128aead"]
    assert isinstance(cipher, BitAead)
    architecture = Architecture.choose(cipher, radix=16)
    engine = RtlEngine(cipher, architecture, gaps_permille=400)
    messages = [text(cipher, seed, seed % 4, 8 * seed) for seed in range(12)]
    assert engine.process(messages) == [process(cipher, message) for message in messages]
    commands = ["reset 2", load(cipher, architecture, 1)]
    commands += text_transfer(cipher, architecture, text(cipher, 1, 0, 16)).commands()
    with pytest.raises(ToolError, match="the tag never came"):
        simulate(generate(cipher, architecture), [*commands, "tag 1"])
