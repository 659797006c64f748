# SPDX-License-Identifier: Apache-2.0
"""The verbs encrypt and decrypt: what they print and write, and that a wrong tag gives nothing."""

from __future__ import annotations

import hmac
import io
import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from headwater import verify
from headwater.api import operations
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli import waiting
from headwater.cli.main import main
from headwater.kinds.reading import Keystream
from headwater.verify import c_engine, engine

FOLDER = Path(verify.__file__).with_name("vectors")
VECTORS = {path.stem: json.loads(path.read_text())["vectors"] for path in FOLDER.glob("*.json")}
NO_TAG = [name for name, cipher in CATALOGUE.items() if cipher.service == "keystream"]

Capture = pytest.CaptureFixture[str]
Binary = pytest.CaptureFixture[bytes]
Words = tuple[str | Path, ...]

WRONG_TAG = (
    "headwater: tag does not match: key, nonce, associated data, ciphertext or tag is not what it "
    "was when the message was encrypted\n"
)


def run(capsys: Capture, *words: str | Path) -> tuple[int, str, str]:
    status = main([str(word) for word in words])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def succeed(capsys: Capture, *words: str | Path) -> str:
    status, out, err = run(capsys, *words)
    assert (status, err) == (0, "")
    return out


def some(name: str) -> list[dict[str, Any]]:
    """Vectors with and without text and data."""
    source = random.Random(name)
    return [*VECTORS[name][:3], *source.sample(VECTORS[name][3:], 12)]


def load(given: dict[str, Any], name: str) -> Words:
    """Cipher, key, nonce and, where there is any, associated data of a message vector."""
    words: Words = (name, "--key", given["key"], "--nonce", given.get("nonce", given.get("iv")))
    return (*words, "--ad", given["ad"]) if given.get("ad") else words


AEAD = ["grain128aead", "grain128aeadv2"]
MESSAGE = next(given for given in VECTORS["grain128aeadv2"] if len(given["plaintext"]) >= 16)
LOAD = load(MESSAGE, "grain128aeadv2")
DECRYPT: Words = ("decrypt", *LOAD, "--text", MESSAGE["ciphertext"], "--tag", MESSAGE["tag"])


# --- what is printed


@pytest.mark.parametrize("name", AEAD)
def test_published_messages(capsys: Capture, name: str) -> None:
    for given in some(name):
        out = succeed(capsys, "encrypt", *load(given, name), "--text", given["plaintext"])
        assert out == f"ciphertext {given['ciphertext']}".rstrip() + f"\ntag {given['tag']}\n"
        words = ("--text", given["ciphertext"], "--tag", given["tag"])
        out = succeed(capsys, "decrypt", *load(given, name), *words)
        assert out == f"plaintext {given['plaintext']}".rstrip() + "\n"


@pytest.mark.parametrize("name", ["grain128a", "grain128a-ae"])
def test_published_messages_that_are_not_whole_bytes(capsys: Capture, name: str) -> None:
    """IV bit 0 is one in all of them: with that, Grain-128a authenticates."""
    for given in VECTORS["grain128a-ae"]:
        bits = ("--bits", str(given["msg_bits"]))
        out = succeed(capsys, "encrypt", *load(given, name), "--text", given["message"], *bits)
        assert out == f"ciphertext {given['ciphertext']}".rstrip() + f"\ntag {given['tag']}\n"
        words = ("--text", given["ciphertext"], "--tag", given["tag"], *bits)
        out = succeed(capsys, "decrypt", *load(given, name), *words)
        assert out == f"plaintext {given['message']}".rstrip() + "\n"


def keystream_words(name: str, seed: int = 1) -> tuple[Words, dict[str, bytes]]:
    """A random key and IV, IV bit 0 zero, and all others that must be."""
    cipher, source = CATALOGUE[name], random.Random(seed)
    iv = bytes([0x55, *source.randbytes(-(-cipher.iv_bits[-1] // 8) - 2), 0])
    for place in cipher.zero_iv_bits:
        assert cipher.bit_order == "msb_first"
        iv = (int.from_bytes(iv, "big") & ~(1 << 8 * len(iv) - 1 - place)).to_bytes(len(iv), "big")
    secret = {"key": source.randbytes(cipher.key_bits // 8), "iv": iv}
    return (name, "--key", secret["key"].hex(), "--iv", iv.hex()), secret


@pytest.mark.parametrize("name", NO_TAG)
def test_keystream_ciphers_add_their_keystream(capsys: Capture, name: str) -> None:
    words, secret = keystream_words(name)
    text = bytes(range(0x30, 0x49))
    stream = Keystream(CATALOGUE[name], **secret).read(8 * len(text))
    expected = bytes(a ^ b for a, b in zip(text, stream, strict=True)).hex()
    assert succeed(capsys, "encrypt", *words, "--text", text.hex()) == f"ciphertext {expected}\n"
    assert succeed(capsys, "decrypt", *words, "--text", expected) == f"plaintext {text.hex()}\n"


@pytest.mark.parametrize("name", NO_TAG)
def test_text_of_any_length(capsys: Capture, name: str) -> None:
    words, _ = keystream_words(name)
    whole = json.loads(succeed(capsys, "encrypt", *words, "--text", "0000", "--json"))["ciphertext"]
    lowest_first = CATALOGUE[name].bit_order == "lsb_first"
    for bits in (0, 1, 7, 9, 15, 16):
        size = -(-bits // 8)
        text = "00" * size
        out = json.loads(
            succeed(capsys, "encrypt", *words, "--text", text, "--bits", str(bits), "--json")
        )
        data = bytearray.fromhex(whole)[:size]
        if bits % 8:
            data[-1] &= (1 << bits % 8) - 1 if lowest_first else 0xFF00 >> bits % 8 & 0xFF
        assert out["ciphertext"] == data.hex()
        assert out["bits"] == bits


def test_json(capsys: Capture) -> None:
    out = succeed(capsys, "encrypt", *LOAD, "--text", MESSAGE["plaintext"], "--json")
    facts = {"cipher": "grain128aeadv2", "engine": "fast", "bits": 4 * len(MESSAGE["plaintext"])}
    assert json.loads(out) == facts | {"ciphertext": MESSAGE["ciphertext"], "tag": MESSAGE["tag"]}
    assert json.loads(succeed(capsys, *DECRYPT, "--json")) == facts | {
        "plaintext": MESSAGE["plaintext"]
    }


def test_other_ways_to_give_key_and_iv(capsys: Capture) -> None:
    given = VECTORS["a51"][0]
    words = ("a51", "--key", given["key"], "--frame", str(given["frame"]), "--text", "00" * 15)
    out = succeed(capsys, "encrypt", *words, "--bits", "114")
    assert out == f"ciphertext {given['downlink']}\n"
    given = next(
        one for one in VECTORS["e0"] if one["key_length_bytes"] < 16 < one["keystream_bits"] / 4
    )
    words = (
        "e0",
        "--key",
        given["kc"],
        "--key-length",
        str(given["key_length_bytes"]),
        "--iv",
        given["bd_addr"] + given["clock"],
    )
    out = succeed(capsys, "encrypt", *words, "--text", "00" * 8)
    assert out == f"ciphertext {given['keystream'][:16]}\n"
    given = next(one for one in VECTORS["mickey2"] if one["iv_bits"] == 3)
    words = ("mickey2", "--key", given["key"], "--iv", given["iv"], "--iv-bits", "3")
    out = succeed(capsys, "encrypt", *words, "--text", "00" * 8)
    assert out == f"ciphertext {given['keystream'][:16]}\n"


# --- files


def test_files(capsys: Capture, tmp_path: Path) -> None:
    plain, sealed, opened = (tmp_path / name for name in ("plain", "sealed", "opened"))
    plain.write_bytes(bytes(range(256)) * 40)
    out = succeed(capsys, "encrypt", *LOAD, "--in", plain, "--out", sealed)
    assert out.startswith("tag ")
    assert out.count("\n") == 1
    assert sealed.read_bytes() != plain.read_bytes()
    tag = out.split()[1]
    words = ("--in", sealed, "--out", opened, "--tag", tag)
    assert succeed(capsys, "decrypt", *LOAD, *words) == ""
    assert opened.read_bytes() == plain.read_bytes()
    assert set(tmp_path.iterdir()) == {plain, sealed, opened}


def test_streams(capsysbinary: Binary, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key, an IV and a text from one stdin; every byte, and lines that end in any way."""
    words, given = keystream_words("trivium")
    plain = bytes(range(256)) + b"\r\n\n"
    streams = ("--key", "-", "--iv", "-", "--in", "-", "--out", "-")

    def piped(verb: str, text: bytes) -> bytes:
        known = f"{given['key'].hex()}\n{given['iv'].hex()}\r\n".encode() + text
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(known)))
        assert main([verb, "trivium", *streams]) == 0
        printed = capsysbinary.readouterr()
        assert printed.err == b""
        return printed.out

    sealed = piped("encrypt", plain)
    assert main(["encrypt", *map(str, words), "--text", plain.hex()]) == 0
    assert capsysbinary.readouterr().out.decode() == f"ciphertext {sealed.hex()}\n"
    assert piped("decrypt", sealed) == plain
    assert piped("encrypt", b"") == b""


def test_a_checked_plaintext_goes_to_stdout(capsysbinary: Binary) -> None:
    assert main([*map(str, DECRYPT), "--out", "-"]) == 0
    assert capsysbinary.readouterr().out == bytes.fromhex(MESSAGE["plaintext"])
    assert main([*map(str, DECRYPT[:-1]), "00" * 8, "--out", "-"]) == 1
    assert capsysbinary.readouterr().out == b""


def test_file_in_place_of_itself(capsys: Capture, tmp_path: Path) -> None:
    words, _ = keystream_words("trivium")
    path = tmp_path / "text"
    path.write_bytes(b"secret")
    assert succeed(capsys, "encrypt", *words, "--in", path, "--out", path) == ""
    assert path.read_bytes() != b"secret"
    assert succeed(capsys, "decrypt", *words, "--in", path, "--out", path) == ""
    assert path.read_bytes() == b"secret"
    assert list(tmp_path.iterdir()) == [path]


def test_empty_file(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.write_bytes(b"")
    for name in ("trivium", "a51"):
        words, _ = keystream_words(name)
        assert succeed(capsys, "encrypt", *words, "--in", path) == "ciphertext\n"
    given = VECTORS["grain128aeadv2"][0]
    assert given["plaintext"] == given["ad"] == ""
    out = succeed(capsys, "encrypt", *load(given, "grain128aeadv2"), "--in", path, "--out", path)
    assert out == f"tag {given['tag']}\n"
    assert path.read_bytes() == b""


def test_interrupt_leaves_nothing(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_path: Path, _target: Path) -> None:
        assert len(list(tmp_path.iterdir())) == 2
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    path = tmp_path / "old"
    path.write_bytes(b"mine")
    status, out, _ = run(capsys, *DECRYPT, "--out", path)
    assert (status, out) == (130, "")
    assert {one: one.read_bytes() for one in tmp_path.iterdir()} == {path: b"mine"}


def test_json_with_a_file(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "out"
    words = ("--text", MESSAGE["plaintext"], "--out", path, "--json")
    record = json.loads(succeed(capsys, "encrypt", *LOAD, *words))
    assert record["tag"] == MESSAGE["tag"]
    assert "ciphertext" not in record
    assert path.read_bytes().hex() == MESSAGE["ciphertext"]


# --- a tag that does not match


def flip(data: str, bit: int) -> str:
    return f"{int(data, 16) ^ 1 << bit:0{len(data)}x}"


@pytest.mark.parametrize("json_too", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("option", ["--key", "--nonce", "--text", "--tag"])
@pytest.mark.parametrize("to_file", [False, True], ids=["stdout", "file"])
def test_wrong_tag(
    capsys: Capture, tmp_path: Path, option: str, to_file: bool, json_too: Words
) -> None:
    """Nothing of the plaintext is told, nothing is written, and the right tag is not given away."""
    (tmp_path / "old").write_bytes(b"mine")
    words = [*DECRYPT, *json_too]
    place = words.index(option) + 1
    for bit in (0, 5, 17, 63):
        changed = [
            *words[:place],
            flip(str(words[place]), bit % (4 * len(str(words[place])))),
            *words[place + 1 :],
        ]
        for name in ("old", "new") if to_file else ("",):
            where = ("--out", tmp_path / name) if name else ()
            assert run(capsys, *changed, *where) == (1, "", WRONG_TAG)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"old": b"mine"}


@pytest.mark.parametrize("data", ["00", "ff", None])
def test_wrong_associated_data(capsys: Capture, data: str | None) -> None:
    given = next(one for one in VECTORS["grain128aead"] if one["ad"] == "000102")
    words = load(given | {"ad": "000103"}, "grain128aead")
    message = ("--text", given["ciphertext"], "--tag", given["tag"])
    assert run(capsys, "decrypt", *words, *message) == (1, "", WRONG_TAG)
    words = load(given | {"ad": data}, "grain128aead")
    assert run(capsys, "decrypt", *words, *message) == (1, "", WRONG_TAG)


def test_wrong_tag_of_a_text_that_is_not_whole_bytes(capsys: Capture) -> None:
    """One bit more or less, a zero at that, is another message."""
    given = next(one for one in VECTORS["grain128a-ae"] if one["msg_bits"] == 9)
    words = ("decrypt", *load(given, "grain128a"), "--tag", given["tag"])
    for text, bits in ((given["ciphertext"], 10), (given["ciphertext"], 16)):
        assert run(capsys, *words, "--text", text, "--bits", str(bits)) == (1, "", WRONG_TAG)


def test_tags_are_compared_in_constant_time(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append({one.hex(), other.hex()})
        return False

    assert operations.hmac is hmac
    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert run(capsys, *DECRYPT) == (1, "", WRONG_TAG)
    assert compared == [{MESSAGE["tag"]}]


# --- what is refused

SECRET = "5ec7e75ec7e75ec7e75e"
TRIVIUM: Words = ("trivium", "--key", SECRET, "--iv", "00" * 10)
GRAIN: Words = ("--key", "5ec7" * 8, "--nonce", "00" * 12)
TAG_LENGTH = "tag of grain128aead must be 64 bits (16 hex digits), not"
NOT_HEX = "must be hexadecimal digits, two for each byte"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("encrypt", *TRIVIUM),
            "one of the arguments --in --text is required; see: headwater encrypt --help",
        ),
        (
            ("encrypt", *TRIVIUM, "--text", SECRET, "--in", "file"),
            "argument --in: not allowed with argument --text; see: headwater encrypt --help",
        ),
        (("encrypt", *TRIVIUM, "--text", "5ec"), f"text {NOT_HEX}"),
        (
            ("encrypt", *TRIVIUM, "--in", "missing"),
            "input file missing cannot be read: No such file or directory",
        ),
        (("encrypt", *TRIVIUM, "--in", "."), "input file . cannot be read: Is a directory"),
        (
            ("encrypt", *TRIVIUM, "--text", "00", "--bits", "9"),
            "bits must be those of a text of 1 bytes, not 9",
        ),
        (
            ("encrypt", *TRIVIUM, "--text", "00", "--bits", "0"),
            "bits must be those of a text of 1 bytes, not 0",
        ),
        (("encrypt", *TRIVIUM, "--text", "00", "--bits", "-1"), "bits must be at least 0, not -1"),
        (
            ("encrypt", *TRIVIUM, "--text", "20", "--bits", "5"),
            "unused bits of a text of 5 bits must be zero",
        ),
        (
            ("encrypt", "mickey2", "--key", SECRET, "--iv", "", "--text", "04", "--bits", "5"),
            "unused bits of a text of 5 bits must be zero",
        ),
        (
            ("encrypt", *TRIVIUM, "--text", "00", "--ad", SECRET),
            "associated data must not be given for trivium, which does not authenticate",
        ),
        (
            ("encrypt", *TRIVIUM, "--text", "00", "--ad", ""),
            "associated data must not be given for trivium, which does not authenticate",
        ),
        (
            ("decrypt", *TRIVIUM, "--text", "00", "--tag", "00" * 8),
            "a tag must not be given for trivium, which does not authenticate",
        ),
        (
            ("decrypt", "grain128a", *GRAIN, "--text", "00", "--tag", "00" * 4),
            (
                "a tag must not be given for grain128a, which does not authenticate where IV bit 0 "
                "is zero"
            ),
        ),
        (
            ("encrypt", "grain128a", *GRAIN, "--text", "00", "--ad", "00"),
            (
                "associated data must not be given for grain128a, which does not authenticate "
                "where IV bit 0 is zero"
            ),
        ),
        (
            (
                "encrypt",
                "grain128a",
                "--key",
                "00" * 16,
                "--iv",
                "80" + "00" * 11,
                "--text",
                "00",
                "--ad",
                "00",
            ),
            "associated data of grain128a-ae must be empty, not 1 bytes",
        ),
        (
            (
                "encrypt",
                "grain128a",
                "--key",
                "00" * 16,
                "--iv",
                "80" + "00" * 11,
                "--text",
                "00",
                "--out",
                "-",
            ),
            "--out must be a file where a tag is printed, not -",
        ),
        (
            (
                "encrypt",
                "nea5",
                "--key",
                "00" * 32,
                "--count",
                "00000001",
                "--bearer",
                "0",
                "--direction",
                "0",
                "--text",
                "00",
                "--fresh",
                "00000000",
            ),
            "nea5 takes --count, --bearer, --direction, --extra, not --fresh",
        ),
        (
            (
                "encrypt",
                "nea5",
                "--key",
                "00" * 32,
                "--count",
                "00000001",
                "--bearer",
                "0",
                "--direction",
                "0",
                "--text",
                "00",
                "--key-length",
                "9",
            ),
            "nea5 takes --count, --bearer, --direction, --extra, not --key-length",
        ),
        (
            ("encrypt", "grain128a-ae", *GRAIN, "--text", "00"),
            "bit 0 of the IV of grain128a-ae must be 1, not 0",
        ),
        (("decrypt", "grain128aead", *GRAIN, "--text", "00"), "tag of grain128aead must be given"),
        (("decrypt", "grain128aead", *GRAIN, "--text", "00", "--tag", "0"), f"tag {NOT_HEX}"),
        (("decrypt", "grain128aead", *GRAIN, "--text", "00", "--tag", ""), f"{TAG_LENGTH} 0 bits"),
        (
            ("decrypt", "grain128aead", *GRAIN, "--text", "00", "--tag", "00" * 7),
            f"{TAG_LENGTH} 56 bits",
        ),
        (
            ("decrypt", "grain128aead", *GRAIN, "--text", "00", "--tag", "00" * 9),
            f"{TAG_LENGTH} 72 bits",
        ),
        (
            ("encrypt", "grain128aead", *GRAIN, "--text", "00", "--tag", "00" * 8),
            (
                "encrypt has no option --tag (did you mean '--tag-bits'?); see: headwater "
                "encrypt --help"
            ),
        ),
        (
            ("encrypt", "grain128aead", *GRAIN, "--text", "00", "--ad", "5ec"),
            f"associated data {NOT_HEX}",
        ),
        (
            ("encrypt", "grain128aead", *GRAIN[:2], "--text", "00"),
            "IV must be given as hexadecimal digits",
        ),
        (
            ("encrypt", "grain128aead", "--key", SECRET, *GRAIN[2:], "--text", "00"),
            "key of grain128aead must be 128 bits (32 hex digits), not 80 bits",
        ),
        (
            ("encrypt", "grain128aead", *GRAIN, "--text", "00", "--radix", "3"),
            "radix of grain128aead must be one of 1, 2, 4, 8, 16, 32, 64, not 3",
        ),
        (
            (
                "encrypt",
                "grain128a",
                "--key",
                "00" * 16,
                "--iv",
                "80" + "00" * 11,
                "--text",
                "00",
                "--radix",
                "3",
            ),
            "radix of grain128a-ae must be one of 1, 2, 4, 8, 16, 32, 64, not 3",
        ),
        (
            ("encrypt", *TRIVIUM, "--text", "00", "--engine", "rtk"),
            "engine must be one of fast, model, rtl, c, not 'rtk' (did you mean 'rtl'?)",
        ),
        (("encrypt", *TRIVIUM, "--text", "00", "--out", "."), "output must be a file, not ."),
        (
            ("encrypt", *TRIVIUM, "--text", "00", "--out", os.devnull),
            f"output must be a file, not {os.devnull}",
        ),
        (
            ("encrypt", *TRIVIUM, "--text", "00", "--out", "-", "--json"),
            "--out must be a file where --json prints the rest, not -",
        ),
        (
            ("encrypt", "grain128aead", *GRAIN, "--text", "00", "--out", "-"),
            "--out must be a file where a tag is printed, not -",
        ),
        (
            ("encrypt", *TRIVIUM, "--text", "00", "--out", "file/text"),
            "file/text cannot be written: Not a directory",
        ),
        (("encrypt", *TRIVIUM, "--text", "00", "--out", "a" * 300), None),
        (
            ("encrypt", *TRIVIUM, SECRET, "--text", "00"),
            "encrypt has fewer words; see: headwater encrypt --help",
        ),
    ],
)
def test_refused(
    capsys: Capture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: Words,
    message: str | None,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine\n")
    status, out, err = run(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    if message is not None:
        assert err == f"headwater: {message}\n"
    assert SECRET not in err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "mine\n"


# --- in the generated Verilog


@pytest.mark.every_cipher
@pytest.mark.parametrize("radix", ["1", "32"])
@pytest.mark.parametrize("name", AEAD)
def test_messages_in_verilog(capsys: Capture, name: str, radix: str) -> None:
    rtl = ("--engine", "rtl", "--radix", radix)
    for given in some(name)[:6]:
        out = succeed(capsys, "encrypt", *load(given, name), "--text", given["plaintext"], *rtl)
        assert out == f"ciphertext {given['ciphertext']}".rstrip() + f"\ntag {given['tag']}\n"
        words = ("--text", given["ciphertext"], "--tag", given["tag"], *rtl)
        out = succeed(capsys, "decrypt", *load(given, name), *words)
        assert out == f"plaintext {given['plaintext']}".rstrip() + "\n"
        wrong = ("--text", given["ciphertext"], "--tag", flip(given["tag"], 3), *rtl)
        assert run(capsys, "decrypt", *load(given, name), *wrong) == (1, "", WRONG_TAG)


# Progress


LONG = {
    "trivium": ("--key", "00" * 10, "--iv", "00" * 10),
    "grain128aead": ("--key", "00" * 16, "--nonce", "00" * 12),
}
ENGINE = {"trivium": "model", "grain128aead": "c"}


@pytest.mark.parametrize("name", LONG)
def test_progress_of_a_long_text(
    name: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines on stderr that is no terminal, with how much is done; a text in parts is the same."""
    path, words = tmp_path / "text", (name, *LONG[name], "--engine", ENGINE[name])
    path.write_bytes(bytes(range(100)))
    whole = succeed(capsys, "encrypt", *words, "--in", path)
    for module in (engine, c_engine):
        monkeypatch.setattr(module, "PIECE_BITS", 200)
    assert succeed(capsys, "encrypt", *words, "--in", path) == whole
    monkeypatch.setattr(waiting, "_BETWEEN_LINES_S", -1.0)
    status, out, err = run(capsys, "encrypt", *words, "--in", path)
    assert (status, out) == (0, whole)
    assert [line.partition(" %, about ")[0] for line in err.splitlines()] == [
        f"encrypting 100 bytes: {share}" for share in (25, 50, 75, 100)
    ]


def test_progress_on_a_terminal(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "text").write_bytes(bytes(100))
    words = ("trivium", *LONG["trivium"], "--in", tmp_path / "text")
    status, out, err = run(capsys, "encrypt", *words)
    assert status == 0
    assert "encrypting" not in out
    assert "100 %, about 0 s left" in err
