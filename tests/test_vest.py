# SPDX-License-Identifier: Apache-2.0
"""VEST: every vector in the model, the description against it, vectors in hardware, a new IV
without the key, messages, restart, clear, reset, proofs with broken cores, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import reduce
from operator import xor
from pathlib import Path
from random import Random

import pytest

from headwater.algebra.truth_table import apply_table
from headwater.algebra.word import IntegerWord, unnamed
from headwater.bench.stimulus import stimulus
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.message import Message
from headwater.cipher.vest import (
    SEAL_KEY,
    VEST_4,
    VEST_4_AE,
    VEST_16,
    VEST_32,
    VESTS,
    State,
    after_round,
    output,
)
from headwater.cipher.vest_tables import tables
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.errors import InputError, ToolError
from headwater.flow.verilator import simulate
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import facts_of
from headwater.kinds.vest.description import VestAead, VestCipher
from headwater.kinds.vest.model import VestState
from headwater.verify.check import check_lint, check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.proof import prove
from headwater.verify.segments import Segment
from headwater.verify.transfer import transfer_of
from headwater.verify.vector_files import VectorFile, own_files, read_variants

SIZES = (4, 8, 16, 32)
EVERY = pytest.mark.parametrize("cipher", VESTS, ids=lambda cipher: cipher.name)
COUNTS = {"vest4": 55, "vest16": 55, "vest32": 62}
STATES = json.loads((Path(__file__).parent / "vest8_state.json").read_text())["vectors"]


def parts(cipher: VestCipher, **chosen: str) -> list[VectorFile]:
    """Its vectors, by length of key."""
    (path,) = own_files(cipher)
    return read_variants(path, cipher, chosen)


def architecture(cipher: VestCipher, **options: str) -> Architecture:
    return Architecture.choose(cipher, options=options)


def engine(cipher: VestCipher, gaps: int = 0, **options: str) -> RtlEngine:
    return RtlEngine(cipher, architecture(cipher, **options), gaps_permille=gaps)


def keystream(cipher: VestCipher, key: bytes, iv: bytes, bits: int = 512) -> bytes:
    return Keystream(cipher.for_key(8 * len(key)), key=key, iv=iv).read(bits)


def message(seed: object, ad: int, text: int, iv: int = 8, **changes: object) -> Message:
    source = Random(f"vest {seed}")
    made = Message(source.randbytes(16), source.randbytes(iv), source.randbytes(ad),
                   source.randbytes(text), 8 * text, tag_bits=64)  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


# --- the description and the model


@EVERY
def test_every_vector_in_the_model(cipher: VestCipher) -> None:
    records = [check_vectors(part, ModelEngine(part.cipher)) for part in parts(cipher)]
    assert [record.failures for record in records] == [()] * len(records)
    assert sum(record.passed for record in records) == COUNTS.get(cipher.name, 12)
    assert all(record.skipped == 0 for record in records)


@pytest.mark.parametrize("vector", STATES, ids=lambda vector: vector["id"])
def test_states_of_vest_8(vector: dict[str, object]) -> None:
    """Its output is not known, so that it is not in the catalogue; its rounds are."""
    state = VestState(8)
    state.take_key(bytes.fromhex(str(vector["key"])), SEAL_KEY)
    state.take_iv(bytes.fromhex(str(vector["iv"])))
    for _ in range(int(str(vector["rounds_after_setup"]))):
        state.round()
    assert state.counters == [int(text, 16) for text in vector["counters"]]  # type: ignore[attr-defined]
    assert state.diffuser == int(str(vector["diffuser"]), 16)
    assert state.core == int.from_bytes(bytes.fromhex(str(vector["core"])), "little")
    assert "vest8" not in CATALOGUE


@pytest.mark.parametrize("size", SIZES)
def test_model_makes_the_rounds_of_the_description(size: int) -> None:
    table, fast, source = tables(size), VestState(size), Random(size)
    fast.counters = [source.getrandbits(kind.width) for kind in table.counters]
    fast.diffuser, fast.core = source.getrandbits(10), source.getrandbits(table.core_bits)
    state = State(
        tuple(IntegerWord(value, kind.width)
              for value, kind in zip(fast.counters, table.counters, strict=True)),
        IntegerWord(fast.diffuser, 10),
        IntegerWord(fast.core, table.core_bits),
    )  # fmt: skip
    for _ in range(4):
        entering, seal = source.getrandbits(16), source.getrandbits(8)
        word = output(table, state.core).value if table.taps else 0
        state = after_round(unnamed, table, state, IntegerWord(entering, 16), IntegerWord(seal, 8))
        assert fast.round(entering, seal) == word
        assert [counter.value for counter in state.counters] == fast.counters
        assert (state.diffuser.value, state.core.value) == (fast.diffuser, fast.core)


@pytest.mark.parametrize("size", SIZES)
def test_tables(size: int) -> None:
    table = tables(size)
    assert sorted(row.destination for row in table.rows) == list(range(table.core_bits))
    assert all(row.function.bit_count() == 16 for row in table.rows)
    for number, row in enumerate(table.rows[5:], start=5):
        assert max(row.sources) < number
    taps = [tap for word in table.taps for tap in word]
    assert len(taps) == len(set(taps)) == (0 if size == 8 else 6 * size)
    total = sum(kind.width for kind in table.counters) + 10 + table.core_bits
    assert total == {4: 256, 8: 384, 16: 512, 32: 768}[size]


def test_expressions_of_tables() -> None:
    source = Random(1)
    functions = [source.randrange(1, 2**32 - 1) for _ in range(30)]
    functions += [0xAAAAAAAA, 0x55555555, 0x80000000, 0xFFFFFFFE, 0x69969669, 0xCACACACA]
    for function in functions:
        for index in range(32):
            inputs = [IntegerWord(index >> place & 1, 1) for place in range(5)]
            assert apply_table(function, inputs).value == function >> index & 1


@pytest.mark.parametrize("cut", [(1, 31, 32, 33, 64), (5, 100, 3), (0, 7, 0, 250)])
@pytest.mark.parametrize("cipher", [VEST_4, VEST_16, VEST_32], ids=lambda cipher: cipher.name)
def test_keystream_in_pieces(cipher: VestCipher, cut: tuple[int, ...]) -> None:
    key, iv = bytes(range(16)), b"\1\2\3"
    whole = int.from_bytes(keystream(cipher, key, iv), "little")
    stream, position = Keystream(cipher, key=key, iv=iv), 0
    for number, bits in enumerate(cut):
        if number % 2:
            stream.skip(bits)
        else:
            piece = int.from_bytes(stream.read(bits), "little")
            assert piece == whole >> position & (1 << bits) - 1
        position += bits


def test_without_an_iv_there_is_no_setup_with_one() -> None:
    state = VestState(4)
    state.take_key(bytes(16), SEAL_KEY)
    word = reduce(xor, (state.round() << 4 * number for number in range(16)))
    assert keystream(VEST_4, bytes(16), b"", 64) == word.to_bytes(8, "little")
    assert keystream(VEST_4, bytes(16), b"\0", 64) != word.to_bytes(8, "little")


# --- hardware


def short(file: VectorFile, most: int = 12) -> VectorFile:
    near = [vector for vector in file.vectors if getattr(vector, "offset", 0) < 4096]
    return replace(file, vectors=tuple(near[:: -(-len(near) // most)]))


@pytest.mark.parametrize(
    ("options", "gaps"),
    [
        ({}, 300),
        ({"stall": "none", "clear": "none"}, 0),
        ({"keyed_state": "kept", "clear": "instant"}, 300),
        ({"keyed_state": "kept", "stall": "none"}, 0),
    ],
    ids=str,
)
def test_vectors_in_hardware(options: dict[str, str], gaps: int) -> None:
    (file,) = parts(VEST_4, key_bits="128")
    record = check_vectors(file, engine(VEST_4, gaps, **options), architecture(VEST_4, **options))
    assert (record.passed, record.failures) == (34, ())


@pytest.mark.parametrize("key_bits", [8, 16, 80, 512])
def test_lengths_of_the_key_in_hardware(key_bits: int) -> None:
    (file,) = parts(VEST_4, key_bits=str(key_bits))
    record = check_vectors(file, engine(file.cipher, key_bits=str(key_bits)))  # type: ignore[arg-type]
    assert record.failures == ()
    assert record.passed >= 2


@pytest.mark.parametrize("cipher", [VEST_16, VEST_32], ids=lambda cipher: cipher.name)
def test_wider_sizes_in_hardware(cipher: VestCipher) -> None:
    file = short(parts(cipher, key_bits="128")[0])
    record = check_vectors(file, engine(cipher, stall="none", clear="none"))
    assert record.failures == ()
    assert record.passed >= 9


@pytest.mark.parametrize("key_bits", ["128", "256"])
def test_messages_in_hardware(key_bits: str) -> None:
    (file,) = parts(VEST_4_AE, key_bits=key_bits)
    gaps = 300 if key_bits == "128" else 0
    options = {"keyed_state": "kept"} if gaps else {"stall": "none", "clear": "none"}
    record = check_vectors(file, engine(file.cipher, gaps, key_bits=key_bits, **options))  # type: ignore[arg-type]
    assert record.failures == ()
    assert record.passed >= 5


def test_messages_in_hardware_of_a_wider_size() -> None:
    cipher = CATALOGUE["vest16-ae"]
    assert isinstance(cipher, VestAead)
    file = parts(cipher, key_bits="128")[0]
    record = check_vectors(file, engine(cipher, 200))
    assert (record.passed, record.failures) == (6, ())


MESSAGES = [message((ad, text), ad, text) for ad in (0, 1, 4) for text in (0, 1, 2, 3, 9)]


@pytest.mark.parametrize("options", [{}, {"stall": "none", "direction": "both"}], ids=str)
def test_any_message_in_hardware(options: dict[str, str]) -> None:
    """Of any length, each under a key of its own, without an IV now and then."""
    messages = [*MESSAGES, message("none", 2, 3, iv=0), message("long", 0, 5, iv=33)]
    expected = [process(VEST_4_AE, one) for one in messages]
    core = engine(VEST_4_AE, 0 if options else 400, **options)
    assert core.process(messages) == expected
    opening = [replace(one, text=made.text, decrypts=True)
               for one, made in zip(messages, expected, strict=True)]  # fmt: skip
    assert [made.text for made in core.process(opening)] == [one.text for one in messages]
    assert [made.tag for made in core.process(opening)] == [made.tag for made in expected]


def test_new_iv_takes_fewer_cycles() -> None:
    core = engine(VEST_4, keyed_state="kept")
    facts = facts_of(VEST_4, architecture(VEST_4, keyed_state="kept"))
    key, ivs = bytes(range(16)), [bytes([number]) * 8 for number in range(3)]
    words = " ".join(f"{byte:x}" for byte in [*key, *ivs[0]])
    commands = ["reset 2", f"load {words}", "take 8", "setup"]
    for iv in ivs[1:]:
        commands += [f"new_iv {' '.join(f'{byte:x}' for byte in iv)}", "take 8", "setup"]
    printed = simulate(core.verilog, commands)
    made = [reduce(lambda word, part: word << 4 | int(part, 16), reversed(printed[at : at + 8]), 0)
            for at in (0, 9, 18)]  # fmt: skip
    assert made == [int.from_bytes(keystream(VEST_4, key, iv, 32), "little") for iv in ivs]
    assert [int(printed[at]) for at in (8, 17, 26)] == [232, 40, 40]
    assert (facts.setup_cycles, datasheet(VEST_4, core._architecture)["new_iv_cycles"]) == (232, 40)


@pytest.mark.parametrize("before", ["reset 2", "clear"])
def test_no_iv_is_taken_without_a_key(before: str) -> None:
    core = engine(VEST_4, keyed_state="kept")
    load = "load " + " ".join(["5"] * 17)
    with pytest.raises(ToolError, match="the load word was never taken"):
        simulate(core.verilog, ["reset 2", load, "take 1", before, "new_iv 1 2 3"])


@pytest.mark.parametrize("cipher", [VEST_4], ids=lambda cipher: cipher.name)
@pytest.mark.parametrize("after", [0, 3, 40, 150, 200, 231, 240])
def test_restart_clear_and_reset_in_any_part(cipher: VestCipher, after: int) -> None:
    """A core that was stopped anywhere makes the keystream of the next load."""
    key, iv = bytes(range(16)), b"12345678"
    load = "load " + " ".join(f"{byte:x}" for byte in [*key, *iv])
    word = int.from_bytes(keystream(cipher, key, iv, 32), "little")
    for interruption in ("clear", "reset 1"):
        commands = ["reset 2", load.rpartition(" ")[0], f"idle {after}", interruption, load]
        printed = simulate(engine(cipher).verilog, [*commands, "take 8"])
        assert [int(part, 16) for part in printed] == [word >> 4 * at & 15 for at in range(8)]
    printed = simulate(engine(cipher).verilog, ["reset 2", load, f"skip {after}", load,
                                                     "take 8", "setup"])  # fmt: skip
    assert [int(part, 16) for part in printed[:8]] == [word >> 4 * at & 15 for at in range(8)]
    assert int(printed[8]) == 232


@pytest.mark.parametrize("iv_bytes", [0, 1, 8, 64])
def test_setup_cycles(iv_bytes: int) -> None:
    options = {"iv_bits": str(8 * iv_bytes)}
    facts = facts_of(VEST_4, architecture(VEST_4, **options))
    assert engine(VEST_4).setup_cycles(bytes(16), bytes(iv_bytes)) == facts.setup_cycles
    assert facts.setup_cycles == 16 + 128 + 16 + 32 + (iv_bytes + 32 if iv_bytes else 0)


@pytest.mark.parametrize("cipher", [VEST_4, VEST_4_AE], ids=lambda cipher: cipher.name)
def test_lint(cipher: VestCipher) -> None:
    """Every size passes with the default options, as every cipher does, elsewhere."""
    for options in ({"stall": "none", "clear": "none"}, {"keyed_state": "kept"}):
        assert check_lint(cipher, architecture(cipher, **options)).failures == ()


def test_flip_flops_are_state_key_and_control() -> None:
    text = generate(VEST_4, architecture(VEST_4, stall="none", clear="none")).text
    (line,) = (line for line in text.splitlines() if line.startswith("  reg [127:0]"))
    assert " key;" in line
    assert "_keyed" not in text


@pytest.mark.parametrize("seed", range(2))
def test_some_segments_in_hardware(seed: int) -> None:
    """Odd offsets and lengths, several under one key."""
    source = Random(seed)
    keys = [source.randbytes(16) for _ in range(3)]
    segments = [
        Segment(source.choice(keys), source.randbytes(source.choice((0, 1, 8, 13))),
                source.randrange(300), source.randrange(1, 90))
        for _ in range(12)
    ]  # fmt: skip
    core = engine(VEST_4, 300, keyed_state="kept")
    assert core.run(segments) == ModelEngine(VEST_4).run(segments)


# --- proofs


@pytest.mark.parametrize(
    ("cipher", "options"),
    [
        (VEST_4, {"keyed_state": "kept", "key_bits": "8"}),
        (VEST_4_AE, {"stall": "none", "clear": "instant"}),
    ],
    ids=["vest4", "vest4-ae"],
)
def test_proofs(cipher: VestCipher, options: dict[str, str]) -> None:
    records = prove(cipher, architecture(cipher, **options))
    assert [record.check for record in records if record.failures] == []
    assert len(records) >= 3


# --- what is said, and what is refused


@EVERY
def test_data_sheet(cipher: VestCipher) -> None:
    sheet = datasheet(cipher, architecture(cipher))
    assert sheet["security"].startswith("broken")
    assert "EP 1820295" in sheet["patents"]
    assert sheet["setup_cycles"] == 232 + (cipher.name == "vest4-ae")
    assert ("printed_flip_flops" in sheet) == (not isinstance(cipher, VestAead))
    assert sheet["state_bits"] == {4: 256, 16: 512, 32: 768}[cipher.size] * (
        1 + (cipher.service == "aead")
    )


@EVERY
def test_stimulus(cipher: VestCipher) -> None:
    made = stimulus(cipher, architecture(cipher, stall="none"), 16)
    assert len(made.load_words) == 16 + 8
    assert bool(made.data_words) == (cipher.service == "aead")


def test_refusals() -> None:
    with pytest.raises(
        InputError, match=r"^key of vest4 must be 8 to 512 bits in whole bytes, not 0"
    ):
        VEST_4.for_key(0)
    with pytest.raises(
        InputError, match="IV of vest4 must be 0 to 512 bits in whole bytes, not 520"
    ):
        Keystream(VEST_4, key=bytes(16), iv=bytes(65))
    with pytest.raises(InputError, match="text of vest4-ae must be whole bytes, not 7 bits"):
        process(VEST_4_AE, replace(message(1, 0, 1), bits=7))
    with pytest.raises(
        InputError, match="tag of vest4-ae must be 8 to 512 bits in whole bytes, not 9"
    ):
        process(VEST_4_AE, replace(message(1, 0, 1), tag_bits=9))
    with pytest.raises(InputError, match="option direction of vest4-ae must be both or decrypt"):
        engine(VEST_4_AE, direction="encrypt").process([message(1, 0, 1, decrypts=True)])


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    secret = ["--key", "00" * 10, "--iv", "0102"]
    assert main(["keystream", "vest16", *secret, "--bits", "64"]) == 0
    assert (
        capsys.readouterr().out.strip().endswith(keystream(VEST_16, bytes(10), b"\1\2", 64).hex())
    )
    given = [*secret, "--ad", "aa", "--tag-bits", "80"]
    assert main(["encrypt", "vest4-ae", *given, "--text", "00112233"]) == 0
    words = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert len(words["tag"]) == 20
    back = ["decrypt", "vest4-ae", *secret, "--ad", "aa", "--text", words["ciphertext"], "--tag"]
    assert main([*back, words["tag"]]) == 0
    assert "00112233" in capsys.readouterr().out
    assert main([*back, "00" * 10]) == 1


def test_transfer_of_an_empty_message() -> None:
    transfer = transfer_of(VEST_4_AE, architecture(VEST_4_AE), message(1, 0, 0))
    assert transfer.words == [(0, 0, 0)]
