# SPDX-License-Identifier: Apache-2.0
"""Ciphers whose keystream is blocks: descriptions, model, cores in simulation, evidence."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from generated import afresh

from headwater import verify
from headwater.algebra.lanes import LaneWord
from headwater.algebra.word import IntegerWord, add, concatenate, rotate_left, unnamed
from headwater.bench.stimulus import stimulus
from headwater.cipher.chacha20 import CHACHA20
from headwater.cipher.chacha20 import quarter_round as chacha_quarter
from headwater.cipher.salsa20 import SALSA20
from headwater.cipher.salsa20 import quarter_round as salsa_quarter
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow import verilator
from headwater.kinds.block_stream.core import BlockStreamCore
from headwater.kinds.block_stream.description import BLOCK_BITS, BlockStreamCipher
from headwater.kinds.block_stream.facts import BlockStreamFacts
from headwater.kinds.block_stream.folding import quarters_of_second
from headwater.kinds.block_stream.mutants import MUTANTS
from headwater.kinds.block_stream.pipelining import additions_in_a_row, staged_round
from headwater.kinds.block_stream.promises import PROMISES as BLOCKS
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import build, facts_of, mutants_of
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine, Segment
from headwater.verify.proof import is_kept
from headwater.verify.vector_files import own_files, read_file, read_variants

CIPHERS = {"salsa20": SALSA20, "chacha20": CHACHA20}
FOLDS, BUFFERS, RADICES = ("double", "round", "quarter"), ("block", "none"), (32, 64, 512)
KEY = bytes(range(32))
NONCES = {"salsa20": bytes(range(8)), "chacha20": bytes(range(12))}


def number(value: int) -> IntegerWord:
    return IntegerWord(value, 32)


def values(words: Sequence[IntegerWord]) -> list[int]:
    return [word.value for word in words]


def core(
    cipher: BlockStreamCipher, radix: int = 32, load_width: int | None = None, **options: str
) -> Architecture:
    return Architecture.choose(cipher, radix=radix, load_width=load_width, options=options)


def keystream(cipher: BlockStreamCipher, offset: int, bits: int, key: bytes = KEY) -> bytes:
    stream = Keystream(cipher, key=key, iv=NONCES[cipher.name])
    stream.skip(offset)
    return stream.read(bits)


def segment(cipher: BlockStreamCipher, offset: int, bits: int, key: bytes = KEY) -> Segment:
    return Segment(key, NONCES[cipher.name], offset, bits)


# --- words and descriptions


def test_lanes_work_like_single_words() -> None:
    source = random.Random(1)
    left, right = ([source.getrandbits(32) for _ in range(9)] for _ in range(2))
    one, other = LaneWord.of(left, 32), LaneWord.of(right, 32)
    pairs = list(zip(map(number, left), map(number, right), strict=True))
    assert one.words() == left
    assert add(one, other).words() == values([add(a, b) for a, b in pairs])
    assert (one ^ other).words() == values([a ^ b for a, b in pairs])
    for places in (0, 1, 7, 31):
        assert rotate_left(one, places).words() == values(
            [rotate_left(a, places) for a, _ in pairs]
        )
    assert concatenate(one[:5], other[3:9]).words() == values(
        [concatenate(a[:5], b[3:9]) for a, b in pairs]
    )


def test_quarter_round_of_salsa20_as_in_its_specification() -> None:
    """Section 3, the last example."""
    words = map(number, (0xD3917C5B, 0x55F1C407, 0x52A58A7A, 0x8F887A3B))
    result = values(salsa_quarter(unnamed, *words))
    assert result == [0x3E2F308C, 0xD90A8F36, 0x6AB2A923, 0x2883524C]


def test_quarter_round_of_chacha_as_in_its_rfc() -> None:
    """Section 2.1.1."""
    words = map(number, (0x11111111, 0x01020304, 0x9B8D6F43, 0x01234567))
    result = values(chacha_quarter(unnamed, *words))
    assert result == [0xEA2A92F4, 0xCB1CF8CE, 0x4581472E, 0x5881C4BB]


def test_matrix_of_salsa20() -> None:
    matrix = SALSA20.begin([f"k{n}" for n in range(8)], ["n0", "n1"], ["b0", "b1"], hex)
    assert [matrix[place] for place in (0, 5, 10, 15)] == [
        "0x61707865", "0x3320646e", "0x79622d32", "0x6b206574"
    ]  # fmt: skip
    assert [*matrix[1:5], *matrix[11:15]] == [f"k{number}" for number in range(8)]
    assert matrix[6:10] == ["n0", "n1", "b0", "b1"]
    short = SALSA20.for_key(128).begin([f"k{n}" for n in range(4)], ["n", "n"], ["b", "b"], hex)
    assert short[1:5] == short[11:15] == ["k0", "k1", "k2", "k3"]
    assert [short[place] for place in (5, 10)] == ["0x3120646e", "0x79622d36"]


@pytest.mark.parametrize("cipher", CIPHERS.values(), ids=CIPHERS)
def test_both_kinds_of_round_use_the_same_wires(cipher: BlockStreamCipher) -> None:
    first, second = cipher.kinds_of_round
    assert first == cipher.first_round
    assert sorted(second) == sorted(cipher.second_round) == sorted(quarters_of_second(cipher))


def test_siblings() -> None:
    sibling = SALSA20.with_parameters({"rounds": "12", "key_bits": "128", "fold": "round"})
    assert (sibling.rounds, sibling.key_bits, sibling.name) == (12, 128, "salsa20")
    assert {option.name: option.default for option in sibling.parameters} == {
        "rounds": "12", "key_bits": "128"
    }  # fmt: skip
    assert sibling.with_parameters({}) == sibling != SALSA20
    assert CHACHA20.parameters == ()
    with pytest.raises(InputError, match=r"^option rounds must be one of 20, 12, 8, not '10'"):
        SALSA20.with_parameters({"rounds": "10"})


# --- vectors


@pytest.mark.parametrize(("name", "count"), [("salsa20", 141), ("chacha20", 50)])
def test_all_vectors_in_the_model(name: str, count: int) -> None:
    parts = read_variants(own_files(CIPHERS[name])[0], CIPHERS[name], {})
    records = [check_vectors(part, ModelEngine(part.cipher)) for part in parts]
    assert [record.failures for record in records] == [()] * len(parts)
    assert sum(record.passed for record in records) == count
    assert not any(record.skipped for record in records)


def test_variants_that_are_not_asked_for_are_skipped() -> None:
    (path,) = own_files(SALSA20)
    parts = read_variants(path, SALSA20.with_parameters({"rounds": "8"}), {"rounds": "8"})
    assert {(part.cipher.rounds, part.cipher.key_bits) for part in parts} == {(8, 256), (8, 128)}  # type: ignore[attr-defined]
    assert set(parts[0].skipped.values()) == {"20 rounds", "12 rounds"}
    assert sum(len(part.vectors) for part in parts) + len(parts[0].skipped) == 141


def test_file_of_one_cipher_skips_the_others() -> None:
    file = read_file(own_files(SALSA20)[0], SALSA20)
    assert len(file.vectors) == 51
    assert set(file.skipped.values()) == {"12 rounds", "8 rounds", "128-bit key"}


def test_counter_of_a_vector_moves_its_offset(tmp_path: Path) -> None:
    content = json.loads(own_files(CHACHA20)[0].read_text())
    entry = next(one for one in content["vectors"] if one["counter"] == 42)
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(content | {"vectors": [entry | {"counter": 41}]}))
    record = check_vectors(read_file(wrong, CHACHA20), ModelEngine(CHACHA20))
    assert record.failed == 1


POINTS = [
    ("chacha20", radix, fold, buffer, {})
    for radix, fold, buffer in product(RADICES, FOLDS, BUFFERS)
] + [
    ("salsa20", radix, fold, buffer, {})
    for radix, fold, buffer in [
        (32, "double", "block"), (32, "round", "none"), (32, "quarter", "none"),
        (64, "double", "none"), (64, "round", "block"), (64, "quarter", "block"),
        (512, "double", "none"), (512, "round", "none"), (512, "quarter", "block"),
    ]
] + [
    ("salsa20", 32, "double", "block", {"rounds": "8", "key_bits": "256"}),
    ("salsa20", 512, "round", "block", {"rounds": "8", "key_bits": "128"}),
    ("salsa20", 64, "quarter", "none", {"rounds": "12", "key_bits": "128"}),
    ("salsa20", 32, "round", "block", {"rounds": "12", "key_bits": "256"}),
    ("salsa20", 32, "round", "block", {"key_bits": "128"}),
    ("chacha20", 32, "stages4", "block", {}),
    ("chacha20", 64, "stages2", "block", {}),
    ("salsa20", 512, "stages4", "block", {}),
    ("salsa20", 32, "stages2", "block", {"rounds": "8", "key_bits": "128"}),
    ("salsa20", 64, "stages4", "block", {"rounds": "12", "key_bits": "256"}),
]  # fmt: skip
"""Every architecture of the one, each choice of the other with each other choice, each sibling."""


@pytest.mark.parametrize(("name", "radix", "fold", "buffer", "parameters"), POINTS)
def test_vectors_in_the_verilog(
    name: str, radix: int, fold: str, buffer: str, parameters: dict[str, str]
) -> None:
    cipher = CIPHERS[name].with_parameters(parameters)
    architecture = core(cipher, radix, fold=fold, buffer=buffer)
    engine = RtlEngine(cipher, architecture, gaps_permille=250, seed=radix)
    record = check_vectors(read_file(own_files(cipher)[0], cipher), engine, architecture)
    assert record.failures == ()
    assert record.passed >= 12
    assert verilator.lint(engine.verilog.name, engine.verilog.text) == []
    key = KEY[: cipher.key_bits // 8]
    assert engine.setup_cycles(key, NONCES[name]) == facts_of(cipher, architecture).setup_cycles


@pytest.mark.parametrize(
    ("name", "radix", "fold", "buffer", "clear"),
    [
        ("chacha20", 32, "quarter", "none", "none"), ("chacha20", 512, "round", "none", "shift"),
        ("chacha20", 32, "double", "block", "instant"), ("salsa20", 64, "double", "block", "shift"),
        ("salsa20", 512, "double", "block", "none"), ("salsa20", 32, "round", "none", "instant"),
        ("chacha20", 512, "stages4", "block", "none"), ("salsa20", 32, "stages2", "block", "shift"),
    ],
)  # fmt: skip
def test_free_running_cores(name: str, radix: int, fold: str, buffer: str, clear: str) -> None:
    cipher = CIPHERS[name]
    architecture = core(cipher, radix, fold=fold, buffer=buffer, clear=clear, stall="none")
    engine = RtlEngine(cipher, architecture)
    file = read_file(own_files(cipher)[0], cipher)
    assert check_vectors(file, engine, architecture).failures == ()
    assert verilator.lint(engine.verilog.name, engine.verilog.text) == []


@pytest.mark.parametrize(
    ("cipher", "widths"),
    [
        (CHACHA20, (32, 64, 96, 128, 192, 384)),
        (SALSA20, (32, 64, 96, 128, 192, 384)),
        (SALSA20.for_key(128), (32, 64, 128, 256)),
    ],
)
def test_load_widths(cipher: BlockStreamCipher, widths: tuple[int, ...]) -> None:
    assert cipher.legal_load_widths(32) == widths
    key = KEY[: cipher.key_bits // 8]
    for width in widths[1:]:
        engine = RtlEngine(cipher, core(cipher, 512, width, buffer="none"))
        expected = keystream(cipher, 700, 900, key)
        assert engine.run([segment(cipher, 700, 900, key)]) == [expected]
        cycles = cipher.load_bits // width + 1 + 20
        assert engine.setup_cycles(key, NONCES[cipher.name]) == cycles


# --- seeking and block numbers


def test_seeking_in_the_model_costs_nothing_and_is_right() -> None:
    whole = keystream(SALSA20, 0, 40 * BLOCK_BITS)
    for offset in (0, 511, 512, 513, 5000, 20000):
        bits = int.from_bytes(whole, "little") >> offset & (1 << 99) - 1
        assert keystream(SALSA20, offset, 99) == bits.to_bytes(13, "little")
    far = 1 << 60
    assert keystream(SALSA20, far, 600) == keystream(SALSA20, far + (1 << 73), 600)


def test_blocks_beyond_those_done_at_once() -> None:
    whole = keystream(CHACHA20, 0, 1100 * BLOCK_BITS)
    assert whole[700 * 64 : 701 * 64] == keystream(CHACHA20, 700 * BLOCK_BITS, BLOCK_BITS)


@pytest.mark.parametrize("name", CIPHERS)
def test_seeking_in_the_verilog(name: str) -> None:
    cipher = CIPHERS[name]
    engine = RtlEngine(cipher, core(cipher, 64, fold="double"), gaps_permille=100)
    last = (1 << cipher.counter_bits) * BLOCK_BITS
    places = [(1 << 60) + 77, 5, 600, 3000, 9_000_000, last - 300, last - 1, last + 3]
    given = [segment(cipher, offset, 1000) for offset in places]
    assert engine.run(given) == [keystream(cipher, offset, 1000) for offset in places]


@pytest.mark.parametrize("name", CIPHERS)
def test_number_of_the_block_goes_back_to_zero(name: str) -> None:
    cipher = CIPHERS[name]
    last = ((1 << cipher.counter_bits) - 1) * BLOCK_BITS
    stream = keystream(cipher, last, 3 * BLOCK_BITS)
    assert stream[64:] == keystream(cipher, 0, 2 * BLOCK_BITS)
    for fold, buffer in (("round", "block"), ("round", "none"), ("stages4", "block")):
        engine = RtlEngine(cipher, core(cipher, 512, fold=fold, buffer=buffer))
        assert engine.run([segment(cipher, last, 3 * BLOCK_BITS)]) == [stream]


# --- timing and control


def commands(cipher: BlockStreamCipher, architecture: Architecture, block: int = 0) -> str:
    words = facts_of(cipher, architecture).load_words(KEY, NONCES[cipher.name], block=block)
    return "load " + " ".join(f"{word:x}" for word in words)


def printed(cipher: BlockStreamCipher, architecture: Architecture, *given: str) -> list[int]:
    lines = verilator.simulate(generate(cipher, architecture), ["reset 2", *given])
    return [int(line, 16) for line in lines]


def meant(cipher: BlockStreamCipher, radix: int, words: int, first: int = 0) -> list[int]:
    string = int.from_bytes(keystream(cipher, 0, (first + words) * radix), "little")
    return [string >> radix * place & (1 << radix) - 1 for place in range(first, first + words)]


@pytest.mark.parametrize(("radix", "fold", "buffer"), [
    (32, "double", "block"), (64, "double", "block"), (32, "round", "block"),
    (512, "round", "none"), (32, "quarter", "none"), (512, "double", "block"),
])  # fmt: skip
def test_blocks_follow_each_other_in_as_many_cycles_as_are_told(
    radix: int, fold: str, buffer: str
) -> None:
    """A free-running core left alone for whole blocks offers what comes then."""
    architecture = core(CHACHA20, radix, fold=fold, buffer=buffer, stall="none")
    facts = facts_of(CHACHA20, architecture)
    assert isinstance(facts, BlockStreamFacts)
    blocks = 5
    passed = facts.setup_cycles - facts.load_cycles + blocks * facts.cycles_per_block
    # From here on the cycle after the load is cycle 0; a word of block 5 is offered at once.
    words = printed(
        CHACHA20, architecture, commands(CHACHA20, architecture), f"idle {passed}", "take 2"
    )
    assert words == meant(CHACHA20, radix, 2, blocks * facts.words_per_block)
    exact = {"double": 10, "round": 20, "quarter": 80}[fold]
    count = BLOCK_BITS // radix
    cycles = max(exact, count) if buffer == "block" else exact + count
    assert facts.cycles_per_block == cycles
    assert facts.bits_per_cycle == BLOCK_BITS / cycles


@pytest.mark.parametrize(("name", "radix", "fold", "buffer"), [
    ("chacha20", 32, "quarter", "none"), ("chacha20", 512, "round", "none"),
    ("salsa20", 32, "round", "block"), ("salsa20", 64, "double", "none"),
    ("chacha20", 64, "stages4", "block"),
])  # fmt: skip
@pytest.mark.parametrize("clear", ["shift", "instant"])
def test_restart_clear_and_reset_in_every_phase(
    name: str, radix: int, fold: str, buffer: str, clear: str
) -> None:
    cipher = CIPHERS[name]
    architecture = core(cipher, radix, fold=fold, buffer=buffer, clear=clear)
    load, cycles = commands(cipher, architecture), facts_of(cipher, architecture).setup_cycles
    other = commands(cipher, architecture, block=7)
    part = " ".join(other.split()[:4])
    given = ["gaps 5 200", part, "reset 1", load, "take 3", part, "clear", load, "take 3"]
    for stop in (0, 1, 2, cycles // 2, cycles - 1, cycles + 3):
        for end in ("reset 1", "clear", "idle 0"):
            given += [other, f"idle {stop}", end, load, "take 3"]
    words = printed(cipher, architecture, *given)
    assert words == meant(cipher, radix, 3) * 20


@pytest.mark.parametrize(("radix", "fold", "parameters", "passed"), [
    (512, "stages4", {}, [21, 21, 21, 17]), (32, "stages2", {}, [21, 19]),
    (32, "stages4", {"rounds": "12"}, [16, 16, 16, 16]),
])  # fmt: skip
def test_blocks_of_stages_follow_each_other(
    radix: int, fold: str, parameters: dict[str, str], passed: list[int]
) -> None:
    """Twice as many as are in flight, each offered in the cycle that the facts tell."""
    cipher = SALSA20.with_parameters(parameters)
    architecture = core(cipher, radix, fold=fold, stall="none")
    facts = facts_of(cipher, architecture)
    assert isinstance(facts, BlockStreamFacts)
    words = facts.words_per_block
    cycles = [facts.keystream_cycles(BLOCK_BITS * block + 1) for block in range(2 * facts.stages)]
    assert [later - one for one, later in pairwise(cycles)] == (2 * passed)[:-1]
    assert facts.bits_per_cycle == BLOCK_BITS * len(passed) / sum(passed)
    for block, cycle in enumerate(cycles):
        idle = facts.setup_cycles - facts.load_cycles + cycle - 1
        assert printed(
            cipher, architecture, commands(cipher, architecture), f"idle {idle}", "take 1"
        ) == meant(cipher, radix, 1, block * words)


def test_stages_are_refused_where_they_are_of_no_use() -> None:
    with pytest.raises(InputError, match=r"buffer of chacha20 with fold=stages2 must be 'block'"):
        core(CHACHA20, 512, fold="stages2", buffer="none")
    with pytest.raises(InputError, match=r"with 8 rounds at radix 64 must not be 'stages4'"):
        core(SALSA20.with_parameters({"rounds": "8"}), 64, fold="stages4")


@pytest.mark.parametrize("quarter", [chacha_quarter, salsa_quarter])
def test_stages_have_equally_many_additions(quarter: Any) -> None:
    """Each of four stages has one; a word that is read later is held once in each stage between."""
    held: list[str] = []

    def delay(name: str, word: IntegerWord) -> IntegerWord:
        held.append(name)
        return word

    source = random.Random(2)
    state = [number(source.getrandbits(32)) for _ in range(16)]
    cipher = replace(CHACHA20, quarter_round=quarter)
    assert additions_in_a_row(cipher) == 4
    made = staged_round(cipher, 4, state, lambda _: unnamed, delay)
    assert values(made) == values(cipher.run_round(lambda _: unnamed, state, 0))
    assert len(held) == len(set(held)) == 3 * 16


def test_load_begins_again_after_a_gap_in_a_core_that_cannot_wait() -> None:
    architecture = core(CHACHA20, 512, stall="none", buffer="none")
    load = commands(CHACHA20, architecture)
    part = " ".join(load.split()[:5])
    words = printed(CHACHA20, architecture, part, "idle 1", load, "take 2")
    assert words == meant(CHACHA20, 512, 2)


def test_partial_bytes_and_odd_lengths() -> None:
    engine = RtlEngine(SALSA20, core(SALSA20, 32, fold="double"))
    shapes = [(0, 1), (3, 7), (31, 33), (500, 13), (512, 1), (1023, 2), (64, 511)]
    given = [segment(SALSA20, offset, bits) for offset, bits in shapes]
    assert engine.run(given) == [keystream(SALSA20, *shape) for shape in shapes]


# --- evidence


@pytest.mark.parametrize("promise", [one for one in BLOCKS if one.name != "clear"],
                         ids=lambda promise: promise.name)  # fmt: skip
def test_promises_and_their_mutants(promise: Any) -> None:
    architecture = core(CHACHA20, 512, 384, buffer="none", fold="round")
    assert is_kept(promise, build(CHACHA20, architecture), CHACHA20)
    for mutant in mutants_of(promise.name, CHACHA20, architecture):
        assert not is_kept(promise, mutant, CHACHA20, followed=True)


@pytest.mark.parametrize("name", ["setup", "step", "renew", "words", "clear"])
def test_promises_of_stages_and_their_mutants(name: str) -> None:
    architecture = core(CHACHA20, 512, 384, fold="stages2")
    (promise,) = (one for one in BLOCKS if one.name == name)
    assert is_kept(promise, build(CHACHA20, architecture), CHACHA20)
    for mutant in mutants_of(name, CHACHA20, architecture):
        assert not is_kept(promise, mutant, CHACHA20, followed=True)


def test_words_and_their_mutant() -> None:
    architecture = core(SALSA20, 64, fold="quarter")
    (promise,) = (one for one in BLOCKS if one.name == "words")
    assert is_kept(promise, build(SALSA20, architecture), SALSA20)
    (mutant,) = mutants_of("words", SALSA20, architecture)
    assert not is_kept(promise, mutant, SALSA20, followed=True)


def test_every_promise_has_its_mutant() -> None:
    assert set(MUTANTS) == {promise.name for promise in BLOCKS}


def test_clear_and_its_mutant() -> None:
    architecture = core(CHACHA20, 512, 384, buffer="none", fold="quarter")
    (promise,) = (one for one in BLOCKS if one.name == "clear")
    assert is_kept(promise, build(CHACHA20, architecture), CHACHA20)
    (mutant,) = mutants_of("clear", CHACHA20, architecture)
    assert not is_kept(promise, mutant, CHACHA20, followed=True)


def stuck(cipher: BlockStreamCipher, architecture: Architecture) -> Any:
    """A core whose blocks all have the number of the first."""
    facts = BlockStreamFacts(cipher, architecture)
    (_, mutant) = MUTANTS["renew"]
    return mutant(BlockStreamCore, facts)


def test_broken_core_fails_its_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    architecture = core(CHACHA20, 512, buffer="none", load_width=192)
    monkeypatch.setattr("headwater.emit.verilog.build", stuck)
    with afresh():
        engine = RtlEngine(CHACHA20, architecture)
    file = read_file(own_files(CHACHA20)[0], CHACHA20)
    assert check_vectors(file, engine, architecture).failed > 10


# --- bench and data sheet


def test_words_for_power_are_whole_blocks() -> None:
    architecture = core(CHACHA20, 512, buffer="none", stall="none")
    facts = facts_of(CHACHA20, architecture)
    assert facts.words_in(300) == 16
    given = stimulus(CHACHA20, architecture, 3)
    assert list(given.words) == [
        int.from_bytes(keystream_of_stimulus(given, place), "little") for place in range(3)
    ]


def keystream_of_stimulus(given: Any, place: int) -> bytes:
    load = sum(word << 32 * number for number, word in enumerate(given.load_words))
    key, iv = (load & (1 << 256) - 1).to_bytes(32, "little"), (load >> 256).to_bytes(16, "little")
    stream = Keystream(CHACHA20, key=key, iv=iv[:12])
    stream.skip(512 * place)
    return stream.read(512)


def test_cycles_of_a_message() -> None:
    architecture = core(CHACHA20, 32, buffer="none", fold="quarter")
    assert facts_of(CHACHA20, architecture).message_cycles(512) == 16
    assert facts_of(CHACHA20, architecture).message_cycles(513) == 16 + 80 + 1
    assert facts_of(CHACHA20, architecture).message_cycles(64) == 2
    assert facts_of(CHACHA20, architecture).message_cycles(0) == 0


def test_data_sheet() -> None:
    sheet = datasheet(SALSA20.for_key(128), core(SALSA20.for_key(128), 64, fold="quarter"))
    expected = {"rounds": 20, "counter_bits": 64, "cycles_per_block": 80, "bits_per_cycle": 6.4,
                "setup_cycles": 8 + 1 + 80, "clear_cycles": 10, "key_bits": 128}  # fmt: skip
    assert {name: sheet[name] for name in expected} == expected
    assert "2^64" in sheet["counter_wrap"]
    assert "no bit of key" in sheet["clear_effect"]
    assert "clear_effect" not in datasheet(CHACHA20, core(CHACHA20, clear="none"))


# --- the command line

HEX = KEY.hex()


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize("engine", ["model", "rtl"])
def test_length_of_the_key_picks_the_sibling(
    capsys: pytest.CaptureFixture[str], engine: str
) -> None:
    for bits, rounds in ((128, 20), (256, 12)):
        key = KEY[: bits // 8]
        sibling = SALSA20.with_parameters({"rounds": str(rounds)}).for_key(bits)
        status, out, _ = run(
            capsys, "keystream", "salsa20", "--key", key.hex(), "--nonce", "0001020304050607",
            "--bits", "70", "--offset", str((1 << 60) + 3), "--option", f"rounds={rounds}",
            "--engine", engine,
        )  # fmt: skip
        assert (status, out.strip()) == (0, keystream(sibling, (1 << 60) + 3, 70, key).hex())


@pytest.mark.parametrize("engine", ["model", "rtl"])
def test_counter(capsys: pytest.CaptureFixture[str], engine: str) -> None:
    """RFC 8439, section 2.4.2 begins with block 1."""
    text = b"Ladies and Gentl"
    _, out, _ = run(
        capsys, "encrypt", "chacha20", "--key", HEX, "--nonce", "000000000000004a00000000",
        "--counter", "1", "--text", text.hex(), "--engine", engine,
    )  # fmt: skip
    assert out == "ciphertext 6e2e359a2568f98041ba0728dd0d6981\n"
    _, out, _ = run(
        capsys, "decrypt", "chacha20", "--key", HEX, "--nonce", "000000000000004a00000000",
        "--counter", "1", "--text", "6e2e359a2568f98041ba0728dd0d6981", "--engine", engine,
    )  # fmt: skip
    assert out == f"plaintext {text.hex()}\n"
    _, out, _ = run(
        capsys, "keystream", "chacha20", "--key", HEX, "--nonce", bytes(range(12)).hex(), "--json",
        "--counter", "4294967295", "--offset", "500", "--bits", "24", "--engine", engine,
    )  # fmt: skip
    answer = json.loads(out)
    assert answer["keystream"] == keystream(CHACHA20, ((1 << 32) - 1) * 512 + 500, 24).hex()
    assert (answer["counter"], answer["offset_bits"]) == (4294967295, 500)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("salsa20", "--key", "00" * 20, "--iv", "00" * 8), ("key of salsa20 must be 256 bits (64 "
         "hex digits) or 128 bits (32 hex digits), not 160 bits")),
        (("salsa20", "--key", "00" * 16, "--iv", "00" * 8, "--option", "key_bits=256"),
         "key of salsa20 must be 256 bits (64 hex digits), not 128 bits"),
        (("salsa20", "--key", "00" * 16, "--iv", "00" * 12),
         "IV of salsa20 must be 64 bits (16 hex digits), not 96 bits"),
        (("salsa20", "--key", "00" * 16, "--iv", "00" * 8, "--option", "rounds=9"),
         "option rounds must be one of 20, 12, 8, not '9'"),
        (("chacha20", "--key", "00" * 32, "--iv", "00" * 12, "--option", "rounds=8"),
         "option of chacha20 must be one of stall, clear, fold, buffer, not 'rounds'"),
        (("chacha20", "--key", "00" * 32, "--iv", "00" * 12, "--counter", "4294967296"),
         "counter must be between 0 and 4294967295, not 4294967296"),
        (("trivium", "--key", "00" * 10, "--iv", "00" * 10, "--counter", "1"),
         "--counter must be given for ciphers that number their blocks only, not for trivium"),
        (("chacha20", "--key", "00" * 32, "--iv", "00" * 12, "--radix", "16"),
         "radix of chacha20 must be one of 32, 64, 512, not 16"),
        (("chacha20", "--key", "00" * 32, "--iv", "00" * 12, "--load-width", "256"),
         "load width of chacha20 must be one of 32, 64, 96, 128, 192, 384, not 256"),
    ],
)  # fmt: skip
def test_what_is_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    status, out, err = run(capsys, "keystream", *words, "--bits", "8")
    assert (status, out) == (2, "")
    assert err.startswith(f"headwater: {message}")


def test_verify_runs_each_variant_in_a_core_of_its_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    content = json.loads((Path(verify.__file__).with_name("vectors") / "salsa20.json").read_text())
    kinds = {(one["rounds"], one["key_bits"]): one for one in content["vectors"]}
    path = tmp_path / "few.json"
    path.write_text(json.dumps(content | {"vectors": list(kinds.values())}))
    words = ("verify", "salsa20", "--radix", "512", "--option", "buffer=none", "--json",
             "--engine", "rtl", "--vectors", str(path))  # fmt: skip
    status, out, _ = run(capsys, *words)
    records = [one for one in json.loads(out) if one["check"] == "vectors"]
    assert status == 0
    assert [(one["engine"], one["passed"]) for one in records] == 6 * [("rtl", 1)]
    made = {(one["options"]["rounds"], one["options"]["key_bits"]) for one in records}
    assert made == {(str(rounds), str(bits)) for rounds, bits in kinds}
    status, out, _ = run(capsys, *words, "--option", "rounds=8", "--option", "key_bits=128")
    records = [one for one in json.loads(out) if one["check"] == "vectors"]
    assert (status, [one["passed"] for one in records]) == (0, [1])
    assert all(one["skipped"] == 5 for one in records)
