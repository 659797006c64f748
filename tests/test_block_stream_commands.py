# SPDX-License-Identifier: Apache-2.0
"""Figures, data sheet and command line of Salsa20 and ChaCha20."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from block_streams import KEY, core, keystream

from headwater import verify
from headwater.cipher.chacha20 import CHACHA20
from headwater.cipher.salsa20 import SALSA20
from headwater.cli.main import main
from headwater.emit.datasheet import datasheet
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import facts_of
from headwater.measure.stimulus import stimulus

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
    expected = {
        "rounds": 20,
        "counter_bits": 64,
        "cycles_per_block": 80,
        "bits_per_cycle": 6.4,
        "setup_cycles": 8 + 1 + 80,
        "clear_cycles": 10,
        "key_bits": 128,
    }
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
            capsys,
            "keystream",
            "salsa20",
            "--key",
            key.hex(),
            "--nonce",
            "0001020304050607",
            "--bits",
            "70",
            "--offset",
            str((1 << 60) + 3),
            "--option",
            f"rounds={rounds}",
            "--engine",
            engine,
        )
        assert (status, out.strip()) == (0, keystream(sibling, (1 << 60) + 3, 70, key).hex())


@pytest.mark.parametrize("engine", ["model", "rtl"])
def test_counter(capsys: pytest.CaptureFixture[str], engine: str) -> None:
    """RFC 8439, section 2.4.2 begins with block 1."""
    text = b"Ladies and Gentl"
    _, out, _ = run(
        capsys,
        "encrypt",
        "chacha20",
        "--key",
        HEX,
        "--nonce",
        "000000000000004a00000000",
        "--counter",
        "1",
        "--text",
        text.hex(),
        "--engine",
        engine,
    )
    assert out == "ciphertext 6e2e359a2568f98041ba0728dd0d6981\n"
    _, out, _ = run(
        capsys,
        "decrypt",
        "chacha20",
        "--key",
        HEX,
        "--nonce",
        "000000000000004a00000000",
        "--counter",
        "1",
        "--text",
        "6e2e359a2568f98041ba0728dd0d6981",
        "--engine",
        engine,
    )
    assert out == f"plaintext {text.hex()}\n"
    _, out, _ = run(
        capsys,
        "keystream",
        "chacha20",
        "--key",
        HEX,
        "--nonce",
        bytes(range(12)).hex(),
        "--json",
        "--counter",
        "4294967295",
        "--offset",
        "500",
        "--bits",
        "24",
        "--engine",
        engine,
    )
    answer = json.loads(out)
    assert answer["keystream"] == keystream(CHACHA20, ((1 << 32) - 1) * 512 + 500, 24).hex()
    assert (answer["counter"], answer["offset_bits"]) == (4294967295, 500)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("salsa20", "--key", "00" * 20, "--iv", "00" * 8),
            (
                "key of salsa20 must be 256 bits (64 "
                "hex digits) or 128 bits (32 hex digits), not 160 bits"
            ),
        ),
        (
            ("salsa20", "--key", "00" * 16, "--iv", "00" * 8, "--option", "key_bits=256"),
            "key of salsa20 must be 256 bits (64 hex digits), not 128 bits",
        ),
        (
            ("salsa20", "--key", "00" * 16, "--iv", "00" * 12),
            "IV of salsa20 must be 64 bits (16 hex digits), not 96 bits",
        ),
        (
            ("salsa20", "--key", "00" * 16, "--iv", "00" * 8, "--option", "rounds=9"),
            "option rounds must be one of 20, 12, 8, not '9'",
        ),
        (
            ("chacha20", "--key", "00" * 32, "--iv", "00" * 12, "--option", "rounds=8"),
            "option of chacha20 must be one of stall, clear, fold, buffer, addition, not 'rounds'",
        ),
        (
            ("chacha20", "--key", "00" * 32, "--iv", "00" * 12, "--counter", "4294967296"),
            "counter must be between 0 and 4294967295, not 4294967296",
        ),
        (
            ("trivium", "--key", "00" * 10, "--iv", "00" * 10, "--counter", "1"),
            "--counter must be given for ciphers that number their blocks only, not for trivium",
        ),
        (
            ("chacha20", "--key", "00" * 32, "--iv", "00" * 12, "--radix", "16"),
            "radix of chacha20 must be one of 32, 64, 512, not 16",
        ),
        (
            ("chacha20", "--key", "00" * 32, "--iv", "00" * 12, "--load-width", "256"),
            "load width of chacha20 must be one of 32, 64, 96, 128, 192, 384, not 256",
        ),
    ],
)
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
    words = (
        "verify",
        "salsa20",
        "--radix",
        "512",
        "--option",
        "buffer=none",
        "--json",
        "--engine",
        "rtl",
        "--vectors",
        str(path),
    )
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
