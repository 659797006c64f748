# SPDX-License-Identifier: Apache-2.0
"""`headwater keystream` and `headwater generate`."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
from command_line import (
    DEFAULTS,
    FIRST_BYTES,
    IV,
    KEY,
    KEYSTREAM,
    VECTORS,
    Capture,
    as_process,
    succeed,
)

from headwater.cipher.catalogue import CATALOGUE

# keystream


@pytest.mark.parametrize("engine", ["model", "rtl"])
def test_keystream_of_the_published_vector(capsys: Capture, engine: str) -> None:
    printed = succeed(capsys, *KEYSTREAM, "--bits", "64", "--engine", engine, "--radix", "8")
    assert printed == FIRST_BYTES + "\n"


@pytest.mark.parametrize(
    ("radix", "offset", "bits"),
    [(1, 0, 1), (1, 13, 21), (7, 0, 64), (8, 3, 50), (8, 1536, 1), (67, 100, 333)],
)
def test_engines_agree(capsys: Capture, radix: int, offset: int, bits: int) -> None:
    words = (*KEYSTREAM, "--bits", bits, "--offset", offset, "--radix", radix, "--engine")
    by_model, by_rtl = (
        succeed(capsys, *map(str, words), engine).strip() for engine in ("model", "rtl")
    )
    assert by_rtl == by_model
    assert len(by_model) == 2 * -(-bits // 8)


@pytest.mark.every_cipher
@pytest.mark.parametrize(
    "cipher", [name for name, cipher in CATALOGUE.items() if cipher.has_keystream]
)
def test_engines_agree_for_every_cipher(capsys: Capture, cipher: str) -> None:
    key, iv = (
        bytes([0x81, *[0x35] * (-(-bits // 8) - 2), 0]).hex()
        for bits in (CATALOGUE[cipher].key_bits, CATALOGUE[cipher].iv_bits[-1])
    )
    words = ("keystream", cipher, "--key", key, "--iv", iv, "--bits", "99", "--offset", "37")
    by_model = succeed(capsys, *words)
    radix = ("--radix", "4") if 4 in CATALOGUE[cipher].legal_radices() else ()
    assert succeed(capsys, *words, "--engine", "rtl", *radix) == by_model
    assert len(set(by_model)) > 8


@pytest.mark.parametrize("option", ["stall=none", "clear=none", "clear=instant"])
def test_options_do_not_change_the_keystream(capsys: Capture, option: str) -> None:
    words = ("--bits", "64", "--engine", "rtl", "--radix", "8", "--option", option)
    assert succeed(capsys, *KEYSTREAM, *words) == FIRST_BYTES + "\n"


@pytest.mark.parametrize(("offset", "bits"), [(0, 1), (0, 12), (5, 3), (9, 40), (63, 1)])
def test_offset_and_partial_last_byte(capsys: Capture, offset: int, bits: int) -> None:
    """Bits are cut from the published bytes here; the last byte is filled up with zeros."""
    string = int.from_bytes(bytes.fromhex(FIRST_BYTES), "little") >> offset & (1 << bits) - 1
    expected = string.to_bytes(-(-bits // 8), "little").hex()
    printed = succeed(capsys, *KEYSTREAM, "--bits", str(bits), "--offset", str(offset))
    assert printed == expected + "\n"


def test_nonce_is_another_word_for_iv(capsys: Capture) -> None:
    words = ("keystream", "trivium", "--key", KEY, "--nonce", IV, "--bits", "64")
    assert succeed(capsys, *words) == FIRST_BYTES + "\n"


def test_iv_that_is_not_whole_bytes(capsys: Capture) -> None:
    """The published vectors of MICKEY with a 3-bit IV, and with none."""
    for given in VECTORS["mickey2"]:
        if given["iv_bits"] in (0, 3, 79):
            words = (
                "keystream",
                "mickey2",
                "--key",
                given["key"],
                "--iv",
                given["iv"],
                "--iv-bits",
                str(given["iv_bits"]),
                "--bits",
                "64",
            )
            assert succeed(capsys, *words) == given["keystream"][:16] + "\n"


def test_frame_of_a51(capsys: Capture) -> None:
    for given in VECTORS["a51"][:5]:
        words = ("keystream", "a51", "--key", given["key"], "--frame", str(given["frame"]))
        assert succeed(capsys, *words, "--bits", "114") == given["downlink"] + "\n"
        more = ("--bits", "114", "--offset", "114")
        assert succeed(capsys, *words, *more) == given["uplink"] + "\n"
        iv = given["frame"].to_bytes(3, "little").hex()
        words = ("keystream", "a51", "--key", given["key"], "--iv", iv, "--bits", "114")
        assert succeed(capsys, *words) == given["downlink"] + "\n"


def test_tdma_frame_of_a51(capsys: Capture) -> None:
    """COUNT is (FN div 1326) << 11 | (FN mod 51) << 5 | FN mod 26; Kc of a SIM card is
    0123456789abcdef. The bits of both bursts come from another implementation."""
    words = ("keystream", "a51", "--key", "efcdab8967452301", "--bits", "114")
    for number, frame in ((123456, 191624), (0, 0), (2715647, 4193881)):
        found = [
            succeed(capsys, *words, option, str(value), "--offset", offset)
            for option, value in (("--tdma-frame", number), ("--frame", frame))
            for offset in ("0", "114")
        ]
        assert found[:2] == found[2:]
        if number == 123456:
            assert found[:2] == [
                "cba25576175d3b1c7b2f29a8c1b600\n",
                "d9035e0f2aec139a05d4a87bb16480\n",
            ]


def test_key_length_of_e0(capsys: Capture) -> None:
    given = next(
        one for one in VECTORS["e0"] if one["key_length_bytes"] < 16 < one["keystream_bits"] / 4
    )
    iv = given["bd_addr"] + given["clock"]
    for words in (
        ("--key", given["kc"], "--key-length", str(given["key_length_bytes"])),
        ("--key", given["kc_prime"], "--key-length", "16"),
        ("--key", given["kc_prime"]),
    ):
        printed = succeed(capsys, "keystream", "e0", *words, "--iv", iv, "--bits", "64")
        assert printed == given["keystream"][:16] + "\n"


def test_keystream_of_an_authenticated_cipher_are_the_bits_that_encrypt(capsys: Capture) -> None:
    given = next(one for one in VECTORS["grain128a-ae"] if one["msg_bits"] >= 64)
    words = ("--key", given["key"], "--nonce", given["iv"], "--bits", "64")
    stream = bytes.fromhex(succeed(capsys, "keystream", "grain128a-ae", *words))
    message = bytes.fromhex(given["message"])[:8]
    encrypted = bytes(a ^ b for a, b in zip(stream, message, strict=True))
    assert encrypted.hex() == given["ciphertext"][:16]


def test_keystream_longer_than_a_piece(capsys: Capture) -> None:
    """A long keystream is made in pieces; where they meet nothing is lost."""
    long = succeed(capsys, *KEYSTREAM, "--bits", str((1 << 20) + 24)).strip()
    across = succeed(capsys, *KEYSTREAM, "--bits", "48", "--offset", str((1 << 20) - 24)).strip()
    assert long.startswith(FIRST_BYTES)
    assert long[-12:] == across
    assert len(long) == ((1 << 20) + 24) // 4


def test_keystream_as_json(capsys: Capture) -> None:
    words = (*KEYSTREAM, "--bits", "60", "--offset", "4", "--json")
    assert json.loads(succeed(capsys, *words)) == {
        "cipher": "trivium",
        "engine": "fast",
        "offset_bits": 4,
        "keystream_bits": 60,
        "bit_order": "lsb_first",
        "keystream": "b36ef83fd7a0c709",
    }


def test_hex_may_be_upper_case(capsys: Capture) -> None:
    low, high = (
        succeed(capsys, "keystream", "trivium", "--key", key, "--iv", IV, "--bits", "64")
        for key in ("abcdef00000000000000", "ABCDEF00000000000000")
    )
    assert low == high != FIRST_BYTES + "\n"


# generate


def visible(folder: Path) -> list[Path]:
    """The files of a folder, without the record of what was generated for which core."""
    return [path for path in folder.iterdir() if path.name != ".headwater.json"]


def test_generate(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "rtl"
    words = ("generate", "trivium", "--radix", "8", "-o", folder)
    assert succeed(capsys, *words) == f"{folder}/trivium_r8.v\n"
    (path,) = visible(folder)
    first = path.read_bytes()
    assert re.findall(rb"^module (\w+)", first, re.MULTILINE) == [b"trivium_r8"]
    succeed(capsys, *words)
    assert [path] == visible(folder)
    assert path.read_bytes() == first


def test_generate_gives_the_same_bytes_in_another_process(capsys: Capture, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    succeed(capsys, "generate", "trivium", "-o", here)
    done = as_process("generate", "trivium", "-o", there)
    assert (done.returncode, done.stdout) == (0, f"{there}/trivium_r1.v\n")
    assert done.stderr == ""
    assert (here / "trivium_r1.v").read_bytes() == (there / "trivium_r1.v").read_bytes()


def test_generate_as_json(capsys: Capture, tmp_path: Path) -> None:
    words = ("generate", "trivium", "--radix", "8", "--load-width", "16", "--option", "clear=none")
    record = json.loads(succeed(capsys, *words, "-o", tmp_path, "--json"))
    digest = record.pop("rtl_sha256")
    assert record == {
        "cipher": "trivium",
        "radix": 8,
        "load_width": 16,
        "options": DEFAULTS | {"clear": "none"},
        "interface": "stream",
        "module": "trivium_r8",
        "top": "trivium_r8",
        "files": [str(tmp_path / "trivium_r8.v")],
    }
    text = (tmp_path / "trivium_r8.v").read_bytes()
    assert digest == hashlib.sha256(text).hexdigest()
    assert b"clear," not in text
