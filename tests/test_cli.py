# SPDX-License-Identifier: Apache-2.0
"""The command line: what each verb prints, writes and refuses."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headwater import __version__
from headwater import verify as verify_package
from headwater.bench.point import DesignPoint, Figures, Frequency, Record
from headwater.bench.run import Outcome
from headwater.bench.target import TARGETS
from headwater.bench.workers import Workers
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.trivium import TRIVIUM
from headwater.cli import progress
from headwater.cli.arguments import radices
from headwater.cli.main import main
from headwater.cli.parser import VERBS
from headwater.core.options import options_of
from headwater.interface import INTERFACES

VECTORS = {
    path.stem: json.loads(path.read_text())["vectors"]
    for path in Path(verify_package.__file__).with_name("vectors").glob("*.json")
}

# Trivium, eSTREAM set 1, vector 0.
KEY = "80000000000000000000"
IV = "00000000000000000000"
FIRST_BYTES = "38eb86ff730d7a9c"
KEYSTREAM = ("keystream", "trivium", "--key", KEY, "--iv", IV)

DEFAULTS = {option.name: option.default for option in options_of(TRIVIUM)}

Capture = pytest.CaptureFixture[str]


def succeed(capsys: Capture, *words: str | Path) -> str:
    """Run a command line that must succeed without a word on stderr; gives stdout."""
    status = main([str(word) for word in words])
    printed = capsys.readouterr()
    assert (status, printed.err) == (0, "")
    return printed.out


def as_process(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "headwater.cli.main", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# list


@pytest.mark.parametrize(
    ("words", "column", "names"),
    [
        ((), "cipher", CATALOGUE),
        (("ciphers",), "cipher", CATALOGUE),
        (("targets",), "target", TARGETS),
        (("interfaces",), "interface", INTERFACES),
        (("options", "trivium"), "option", DEFAULTS),
    ],
)
def test_list(capsys: Capture, words: tuple[str, ...], column: str, names: Any) -> None:
    text = succeed(capsys, "list", *words).splitlines()
    assert text[0].split()[0] == column
    assert [line.split()[0] for line in text[2:]] == list(names)
    rows = json.loads(succeed(capsys, "list", *words, "--json"))
    assert [row[column] for row in rows] == list(names)
    assert text[0].split() == list(rows[0])


def test_list_tells_kinds_and_ranges(capsys: Capture) -> None:
    rows = {row["cipher"]: row for row in json.loads(succeed(capsys, "list", "--json"))}
    assert (rows["trivium"]["kind"], rows["grain128aead"]["kind"]) == ("keystream", "aead")
    assert rows["mickey2"]["iv_bits"] == list(range(81))
    lines = {line.split()[0]: line.split() for line in succeed(capsys, "list").splitlines()}
    assert lines["trivium"][1:7] == ["keystream", "80", "32,", "48,", "64,", "80"]
    assert lines["mickey2"][1:6] == ["keystream", "80", "0", "..", "80"]
    assert lines["grain128a-ae"][1:4] == ["aead", "128", "96"]


def test_list_tells_the_values_of_an_option(capsys: Capture) -> None:
    rows = json.loads(succeed(capsys, "list", "options", "trivium", "--json"))
    stall = next(row for row in rows if row["option"] == "stall")
    assert (stall["values"], stall["default"]) == (["stream", "none"], "stream")
    assert "stream, none" in succeed(capsys, "list", "options", "trivium")


# show


def show(capsys: Capture, *words: str) -> dict[str, Any]:
    sheet: dict[str, Any] = json.loads(succeed(capsys, "show", "trivium", *words, "--json"))
    return sheet


def test_show(capsys: Capture) -> None:
    sheet = show(capsys)
    assert (sheet["cipher"], sheet["source"]) == ("trivium", TRIVIUM.source)
    assert sheet["security"] == TRIVIUM.security
    assert (sheet["state_bits"], sheet["natural_radix"]) == (93 + 84 + 111, 66)
    assert sheet["legal_radices"] == list(range(1, 289))
    assert (sheet["bits_per_cycle"], sheet["setup_cycles"]) == (1, 160 + 4 * 288)


@pytest.mark.parametrize(
    ("words", "bits_per_cycle", "setup_cycles"),
    [
        (("--radix", "8"), 8, 20 + 144),
        (("--radix", "8", "--load-width", "160"), 8, 1 + 144),
        (("--radix", "7"), 7, 23 + 164),
        (("--radix", "288", "--load-width", "80"), 288, 2 + 4),
    ],
)
def test_show_at_an_architecture(
    capsys: Capture, words: tuple[str, ...], bits_per_cycle: int, setup_cycles: int
) -> None:
    sheet = show(capsys, *words)
    assert (sheet["bits_per_cycle"], sheet["setup_cycles"]) == (bits_per_cycle, setup_cycles)


def test_show_with_options(capsys: Capture) -> None:
    sheet = show(capsys, "--option", "stall=none", "--option", "clear=none")
    assert sheet["options"] == DEFAULTS | {"stall": "none", "clear": "none"}
    assert sheet["clear_cycles"] is None


@pytest.mark.parametrize("cipher", CATALOGUE)
@pytest.mark.parametrize("words", [(), ("--option", "stall=none")])
def test_show_fits_100_columns(capsys: Capture, cipher: str, words: tuple[str, ...]) -> None:
    if words and CATALOGUE[cipher].kind.startswith("3gpp"):  # These always wait.
        words = ("--option", "clear=none")
    lines = succeed(capsys, "show", cipher, *words).splitlines()
    assert max(map(len, lines)) <= 100
    text = " ".join(" ".join(lines).split())
    assert f"cipher: {cipher}" in text
    assert f"security: {CATALOGUE[cipher].security}" in text


def test_show_says_what_is_not_offered(capsys: Capture) -> None:
    lines = succeed(capsys, "show", "trivium", "--option", "clear=none").splitlines()
    assert "clear cycles:     not offered" in lines
    assert "setup cycles:     1312" in lines
    assert "legal radices:    1 .. 288" in lines


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


@pytest.mark.parametrize(
    "cipher", [name for name, cipher in CATALOGUE.items() if cipher.has_keystream]
)
def test_engines_agree_for_every_cipher(capsys: Capture, cipher: str) -> None:
    key, iv = (bytes([0x81, *[0x35] * (-(-bits // 8) - 2), 0]).hex()
               for bits in (CATALOGUE[cipher].key_bits, CATALOGUE[cipher].iv_bits[-1]))  # fmt: skip
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
            words = ("keystream", "mickey2", "--key", given["key"], "--iv", given["iv"],
                     "--iv-bits", str(given["iv_bits"]), "--bits", "64")  # fmt: skip
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
        "engine": "model",
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


def test_generate(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "rtl"
    words = ("generate", "trivium", "--radix", "8", "-o", folder)
    assert succeed(capsys, *words) == f"{folder}/trivium_r8.v\n"
    (path,) = folder.iterdir()
    first = path.read_bytes()
    assert re.findall(rb"^module (\w+)", first, re.MULTILINE) == [b"trivium_r8"]
    succeed(capsys, *words)
    assert [path] == list(folder.iterdir())
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
        "files": [str(tmp_path / "trivium_r8.v")],
    }
    text = (tmp_path / "trivium_r8.v").read_bytes()
    assert digest == hashlib.sha256(text).hexdigest()
    assert b"clear," not in text


# verify


def vector(**changes: Any) -> dict[str, Any]:
    return {
        "id": "first",
        "key": KEY,
        "iv": IV,
        "key_bits": 80,
        "iv_bits": 80,
        "offset_bits": 0,
        "keystream": FIRST_BYTES,
        "keystream_bits": 64,
        **changes,
    }


def write_vectors(path: Path, *vectors: dict[str, Any], **changes: Any) -> Path:
    content = {"cipher": "trivium", "kind": "keystream", "bit_order": "lsb_first"}
    path.write_text(json.dumps({**content, "vectors": vectors, **changes}))
    return path


def verify(capsys: Capture, *words: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    status = main(["verify", "trivium", "--radix", "8", "--json", *map(str, words)])
    printed = capsys.readouterr()
    return status, json.loads(printed.out), printed.err


def test_verify(capsys: Capture, tmp_path: Path) -> None:
    path = write_vectors(
        tmp_path / "some.json",
        vector(),
        vector(id="later", offset_bits=8, keystream="eb86", keystream_bits=16),
        vector(id="other", key_bits=128),
    )
    status, records, err = verify(capsys, "--vectors", path)
    assert status == 0
    by_check = {(record["check"], record["engine"]): record for record in records}
    assert list(by_check) == [("vectors", "model"), ("lint", "verilator"), ("vectors", "rtl")]
    for engine, radix in (("model", None), ("rtl", 8)):
        record = by_check["vectors", engine]
        assert (record["cipher"], record["file"]) == ("trivium", "some.json")
        assert (record["radix"], record["load_width"]) == (radix, radix)
        assert (record["passed"], record["failed"], record["skipped"]) == (2, 0, 1)
        assert record["skip_reasons"] == {"128-bit key": 1}
    lint = by_check["lint", "verilator"]
    assert json.dumps([lint["passed"], lint["failed"], lint["skipped"]]) == "[1, 0, 0]"
    assert err.splitlines()[0] == "vectors (model): 2 passed, 1 skipped (128-bit key)"


def test_verify_as_text(capsys: Capture, tmp_path: Path) -> None:
    path = write_vectors(tmp_path / "some.json", vector())
    assert main(["verify", "trivium", "--radix", "8", "--vectors", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        "check", "engine", "file", "radix", "load", "passed", "failed", "skipped",
    ]  # fmt: skip
    assert lines[2].split() == ["vectors", "model", "some.json", "-", "-", "1", "0", "0"]
    assert lines[-1].split() == ["vectors", "rtl", "some.json", "8", "8", "1", "0", "0"]


def test_verify_finds_a_corrupted_vector(capsys: Capture, tmp_path: Path) -> None:
    wrong = vector(id="wrong", keystream=FIRST_BYTES[:-2] + "9d")
    path = write_vectors(tmp_path / "wrong.json", vector(), wrong)
    status, records, err = verify(capsys, "--vectors", path)
    failure = "wrong: byte 7 of the segment must be 9d, not 9c"
    assert status == 1
    for record in (records[0], records[-1]):
        assert (record["passed"], record["failed"], record["failures"]) == (1, 1, [failure])
    assert f"vectors (model): 1 passed, 1 FAILED: {failure}" in err.splitlines()


def test_verify_reads_several_files(capsys: Capture, tmp_path: Path) -> None:
    paths = [write_vectors(tmp_path / name, vector()) for name in ("one.json", "two.json")]
    status, records, _ = verify(capsys, "--vectors", *paths)
    assert status == 0
    checked = [(record["engine"], record["file"]) for record in records if record["file"]]
    assert checked == [(e, f) for e in ("model", "rtl") for f in ("one.json", "two.json")]


def verified(capsys: Capture, *words: str) -> tuple[int, list[tuple[Any, ...]], str]:
    """Status, the records of vectors in short, and the last line on stderr."""
    status = main(["verify", *words, "--json"])
    printed = capsys.readouterr()
    fields = ("cipher", "engine", "file", "radix", "passed", "failed", "skipped")
    records = [tuple(record[field] for field in fields) for record in json.loads(printed.out)
               if record["check"] == "vectors"]  # fmt: skip
    return status, records, printed.err.splitlines()[-1]


def test_verify_runs_the_mode_with_authentication_too(capsys: Capture) -> None:
    """At the radices that it has; at others its vectors are skipped."""
    status, records, err = verified(capsys, "grain128a", "--radix", "4,3")
    assert status == 0
    assert records == [
        ("grain128a", "model", "grain128a.json", None, 20, 0, 0),
        ("grain128a-ae", "model", "grain128a-ae.json", None, 25, 0, 0),
        ("grain128a", "rtl", "grain128a.json", 4, 20, 0, 0),
        ("grain128a-ae", "rtl", "grain128a-ae.json", 4, 25, 0, 0),
        ("grain128a", "rtl", "grain128a.json", 3, 20, 0, 0),
        ("grain128a-ae", "rtl", "grain128a-ae.json", 3, 0, 0, 25),
    ]
    reason = "radix of grain128a-ae must be one of 1, 2, 4, 8, 16, 32, 64, not 3"
    assert err.endswith(f"0 passed, 25 skipped ({reason})")


def test_verify_checks_key_constraints_in_the_model(capsys: Capture) -> None:
    status, records, err = verified(capsys, "e0", "--radix", "2")
    assert status == 0
    assert records == [
        ("e0", "model", "e0.json", None, 36, 0, 0),
        ("e0", "model", "e0_constrain.json", None, 40, 0, 0),
        ("e0", "rtl", "e0.json", 2, 36, 0, 0),
        ("e0", "rtl", "e0_constrain.json", 2, 0, 0, 40),
    ]
    assert err.endswith("0 passed, 40 skipped (the key is constrained before the load)")


def test_verify_skips_loads_that_are_no_whole_words(capsys: Capture) -> None:
    status, records, err = verified(capsys, "mickey2", "--radix", "1", "--load-width", "7")
    assert status == 0
    assert records[-1] == ("mickey2", "rtl", "mickey2.json", 1, 4, 0, 51)
    assert "51 skipped (" in err


def test_verify_fails_if_one_engine_checked_nothing(capsys: Capture) -> None:
    status, records, err = verified(capsys, "mickey2", "--radix", "1", "--load-width", "13")
    assert status == 1
    assert records == [
        ("mickey2", "model", "mickey2.json", None, 55, 0, 0),
        ("mickey2", "rtl", "mickey2.json", 1, 0, 0, 55),
    ]
    assert err == "no vector was checked by the rtl at radix 1: every one was skipped or failed"


@pytest.mark.parametrize(
    ("cipher", "expected"),
    [
        ("trivium", [1, 2, 4, 8, 16, 32, 64]),
        ("grain_v1", [1, 2, 4, 8, 16]),
        ("grain128a", [1, 2, 4, 8, 16, 32]),
        ("grain128aead", [1, 2, 4, 8, 16, 32]),
    ],
)
def test_radices_when_none_is_given(cipher: str, expected: list[int]) -> None:
    assert radices(CATALOGUE[cipher], None) == expected


@pytest.mark.parametrize("cipher", ["mickey2", "mickey128", "a51", "e0"])
def test_radices_of_a_cipher_without_a_natural_one(cipher: str) -> None:
    legal = CATALOGUE[cipher].legal_radices()
    assert radices(CATALOGUE[cipher], None) == [radix for radix in (1, 2, 4, 8) if radix in legal]


@pytest.mark.parametrize("cipher", CATALOGUE)
def test_all_radices(cipher: str) -> None:
    assert radices(CATALOGUE[cipher], "all") == list(CATALOGUE[cipher].legal_radices())


def test_verify_fails_if_nothing_was_checked(capsys: Capture, tmp_path: Path) -> None:
    path = write_vectors(tmp_path / "other.json", vector(key_bits=128))
    status, records, err = verify(capsys, "--vectors", path)
    assert status == 1
    assert {record["passed"] for record in records if record["file"]} == {0}
    assert err.splitlines()[-1] == "no vector was checked: every one was skipped or failed"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", ("vector file FILE must be JSON: Expecting property name enclosed in double quotes: "
              "line 1 column 2 (char 1)")),
        ("{}", "vector file FILE is not of the vector format: KeyError('cipher')"),
        ('{"cipher": "grain_v1"}', "vector file FILE must be of cipher trivium, not 'grain_v1'"),
        ('{"cipher": "trivium", "kind": "keystreams"}',
         ("kind of vectors for trivium must be one of keystream, not 'keystreams' "
         "(did you mean 'keystream'?)")),
        (json.dumps({"cipher": "trivium", "kind": "keystream", "bit_order": "msb_first"}),
         "bit order of vector file FILE must be lsb_first, not 'msb_first'"),
    ],
)  # fmt: skip
def test_verify_refuses_a_file(capsys: Capture, tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "vectors.json"
    path.write_text(content)
    refused(capsys, ("verify", "trivium", "--vectors", path), message.replace("FILE", str(path)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"keystream": "zz"}, "vector 'first' of FILE must hold hexadecimal bytes"),
        ({"keystream_bits": 72}, "vector 'first' of FILE must have 72 keystream bits, not 8 bytes"),
    ],
)
def test_verify_refuses_a_vector(
    capsys: Capture, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = write_vectors(tmp_path / "vectors.json", vector(**changes))
    refused(capsys, ("verify", "trivium", "--vectors", path), message.replace("FILE", str(path)))


# What is refused


def refused(capsys: Capture, words: tuple[str | Path, ...], message: str) -> None:
    """One sentence on stderr, status 2, nothing on stdout."""
    status = main([str(word) for word in words])
    printed = capsys.readouterr()
    assert printed.err == f"headwater: {message}\n"
    assert (status, printed.out) == (2, "")


def contents(folder: Path) -> dict[Path, bytes | None]:
    return {
        path: path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))
    }


SECRET = "5ec7e75ec7e75ec7e75e"
LENGTH = "must be 80 bits (20 hex digits)"
IV_LENGTHS = (
    "must be 32 bits (8 hex digits) or 48 bits (12 hex digits) or 64 bits (16 hex digits) "
    "or 80 bits (20 hex digits)"
)
LEGAL_VERBS = ", ".join(VERBS)
OPTIONS = ", ".join(DEFAULTS)


A51_FRAME = ("keystream", "a51", "--key", "00" * 8, "--bits", "8", "--frame")


def keystream(key: str = SECRET, iv: str = IV, bits: str = "8", *more: str) -> tuple[str, ...]:
    return ("keystream", "trivium", "--key", key, "--iv", iv, "--bits", bits, *more)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (keystream(key=SECRET[2:]), f"key of trivium {LENGTH}, not 72 bits"),
        (keystream(key=SECRET + "00"), f"key of trivium {LENGTH}, not 88 bits"),
        (keystream(key=""), f"key of trivium {LENGTH}, not 0 bits"),
        (keystream(iv="00" * 5), f"IV of trivium {IV_LENGTHS}, not 40 bits"),
        (keystream(key=SECRET[1:]), "key must be hexadecimal digits, two for each byte"),
        (keystream(key="g" + SECRET[1:]), "key must be hexadecimal digits, two for each byte"),
        (keystream(key="0x" + SECRET), "key must be hexadecimal digits, two for each byte"),
        (keystream(key=SECRET + "\n"), "key must be hexadecimal digits, two for each byte"),
        (keystream(iv="0" * 19), "IV must be hexadecimal digits, two for each byte"),
        ((*keystream()[:4], "--bits", "8"), "IV must be given as hexadecimal digits"),
        (("keystream", "trivium", "--bits", "8"),
         "the following arguments are required: --key; see: headwater keystream --help"),
        (keystream(bits="0"), "bits must be at least 1, not 0"),
        (keystream(IV, "00" * 4, "8", "--iv-bits", "80"),
         "iv-bits must be those of an IV of 4 bytes, not 80"),
        (keystream(IV, IV, "8", "--iv-bits", "79"), f"IV of trivium {IV_LENGTHS}, not 79 bits"),
        (keystream(IV, "", "8", "--iv-bits", "-1"), "iv-bits must be at least 0, not -1"),
        (keystream(IV, IV, "8", "--nonce", IV), ("argument --nonce: not allowed with argument --iv;"
         " see: headwater keystream --help")),
        (keystream(IV, IV, "8", "--frame", "1"), ("argument --frame: not allowed with argument "
         "--iv; see: headwater keystream --help")),
        (("keystream", "trivium", "--key", IV, "--frame", "1", "--bits", "8"),
         "--frame must be given for a51 only, not for trivium"),
        ((*A51_FRAME, "4194304"), "frame must be between 0 and 4194303, not 4194304"),
        ((*A51_FRAME, "-1"), "frame must be between 0 and 4194303, not -1"),
        ((*A51_FRAME, "1", "--iv-bits", "22"),
         "--iv-bits must be given with an IV only, not with --frame"),
        (keystream(IV, IV, "8", "--key-length", "5"),
         "--key-length must be given for e0 only, not for trivium"),
        (("keystream", "e0", "--key", "00" * 16, "--iv", IV, "--bits", "8", "--key-length", "17"),
         "effective key length of e0 must be 1 to 16 bytes, not 17"),
        (("keystream", "grain128a-ae", "--key", "00" * 16, "--iv", "00" * 12, "--bits", "8"),
         "bit 0 of the IV of grain128a-ae must be 1, not 0"),
        (("keystream", "grain128aead", "--key", "00" * 16, "--iv", "00" * 12, "--bits", "8",
          "--radix", "3"),
         "radix of grain128aead must be one of 1, 2, 4, 8, 16, 32, 64, not 3"),
        (keystream(bits="-8"), "bits must be at least 1, not -8"),
        (keystream(IV, IV, "8", "--offset", "-1"), "offset must be at least 0, not -1"),
        (keystream(bits="many"), ("argument --bits: must be a whole number, not 'many'; "
         "see: headwater keystream --help")),
        (keystream(bits="1e3"), ("argument --bits: must be a whole number, not '1e3'; "
         "see: headwater keystream --help")),
        (keystream(IV, IV, "8", "--engine", "rtk"),
         "engine must be one of model, rtl, not 'rtk' (did you mean 'rtl'?)"),
        (keystream(IV, IV, "8", "--radix", "289"),
         "radix of trivium must be between 1 and 288, not 289"),
        ((), "the following arguments are required: VERB; see: headwater --help"),
        (("shwo", "trivium"), (f"verb must be one of {LEGAL_VERBS}, not 'shwo' "
         "(did you mean 'show'?)")),
        (("show", "triviun"), (f"cipher must be one of {', '.join(CATALOGUE)}, not 'triviun' "
         "(did you mean 'trivium'?)")),
        (("show", "xyz"), f"cipher must be one of {', '.join(CATALOGUE)}, not 'xyz'"),
        (("show", "trivium", "--radix", "0"),
         "radix of trivium must be between 1 and 288, not 0"),
        (("show", "trivium", "--load-width", "161"),
         "load width of trivium must be between 1 and 160, not 161"),
        (("show", "trivium", "--option", "stal=none"),
         f"option of trivium must be one of {OPTIONS}, not 'stal' (did you mean 'stall'?)"),
        (("show", "trivium", "--option", "stall=streem"),
         "option stall must be one of stream, none, not 'streem' (did you mean 'stream'?)"),
        (("show", "trivium", "--option", "stall"),
         "option must be of the form NAME=VALUE, not 'stall'"),
        (("list", "cipher"), ("list must be one of ciphers, targets, interfaces, options, "
         "not 'cipher' (did you mean 'ciphers'?)")),
        (("list", "options"),
         "list options must be followed by a cipher: headwater list options CIPHER"),
        (("list", "targets", "trivium"), "list targets takes no cipher, not 'trivium'"),
        (("generate", "trivium"),
         "the following arguments are required: -o/--output; see: headwater generate --help"),
        (("generate", "trivium", "-o", "out", "--interface", "steam"),
         ("interface must be one of stream, custom, custom3, fifo, bus, dma, not 'steam' "
          "(did you mean 'stream'?)")),
        (("generate", "trivium", "-o", "out", "--radix", "300"),
         "radix of trivium must be between 1 and 288, not 300"),
        (("generate", "trivium", "-o", "file"), "output must be a folder, not the file file"),
        (("verify", "trivium", "--radix", "8;16"),
         "radix must be whole numbers with commas between, or all, not '8;16'"),
        (("verify", "trivium", "--vectors", "missing.json"),
         "vector file missing.json cannot be read: No such file or directory"),
        (("verify", "trivium", "--vectors", "."),
         "vector file . cannot be read: Is a directory"),
        (("evaluate", "trivium", "--target", "ecp5-25"),
         f"target must be one of {', '.join(TARGETS)}, not 'ecp5-25' (did you mean 'ecp5-25k'?)"),
        (("evaluate", "trivium,triviom"), (f"cipher must be one of {', '.join(CATALOGUE)}, "
         "not 'triviom' (did you mean 'trivium'?)")),
        (("evaluate", "trivium", "--radix", "8,,16"),
         "radix must be whole numbers with commas between, or all, not '8,,16'"),
        (("evaluate", "trivium", "--radix", "8,400"),
         "radix of trivium must be between 1 and 288, not 400"),
        (("evaluate", "trivium", "--seeds", "0"), "seeds must be at least 1, not 0"),
        (("evaluate", "trivium", "--jobs", "0"), "jobs must be at least 1, not 0"),
        (("evaluate", "trivium", "--liberty", "missing.lib"),
         "library must be a readable liberty file, not missing.lib: No such file or directory"),
        (("doctor", "now"), "doctor has fewer words; see: headwater doctor --help"),
    ],
)  # fmt: skip
def test_refused(
    capsys: Capture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine\n")
    before = contents(tmp_path)
    refused(capsys, words, message)
    refused(capsys, (*words, "--json") if words and words[0] in VERBS else words, message)
    assert contents(tmp_path) == before
    assert SECRET not in message


def test_refused_liberty(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "text.lib"
    path.write_text("root:x:0:0\n")
    reason = "Yosys says 'No entries found in liberty file `library.lib'.'"
    message = f"library must be a liberty file, not {path}: {reason}"
    status = main(["evaluate", "trivium", "--liberty", str(path)])
    printed = capsys.readouterr()
    assert printed.err.replace('"', "'") == f"headwater: {message}\n"
    assert (status, printed.out) == (2, "")


def test_refused_below_a_file(capsys: Capture, tmp_path: Path) -> None:
    """What an unwritable folder is to others, a place below a file is to everybody."""
    file = tmp_path / "file"
    file.write_text("mine\n")
    words = ("generate", "trivium", "-o", file / "rtl")
    refused(capsys, words, f"output must be a folder, not the file {file}")
    assert contents(tmp_path) == {file: b"mine\n"}


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unwritable for root")
def test_refused_unwritable_folder(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    words = ("generate", "trivium", "-o", folder / "rtl")
    message = f"output folder {folder / 'rtl'} must be writable, but {folder} is not"
    refused(capsys, words, message)


def test_refused_unwritable_folder_by_access(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same for root, whom the system lets write anywhere."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    message = f"output folder {tmp_path} must be writable, but {tmp_path} is not"
    refused(capsys, ("generate", "trivium", "-o", tmp_path), message)
    assert contents(tmp_path) == {}


def test_refused_where_the_file_is_a_folder(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "trivium_r1.v"
    folder.mkdir()
    words = ("generate", "trivium", "-o", tmp_path)
    refused(capsys, words, f"{folder} cannot be written: Is a directory")
    assert contents(tmp_path) == {folder: None}


def test_refused_as_a_process(tmp_path: Path) -> None:
    done = as_process(*keystream(key="5ec7e7"))
    message = f"headwater: key of trivium {LENGTH}, not 24 bits\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
    done = as_process("generate", "triviom", "-o", tmp_path / "out")
    message = f"cipher must be one of {', '.join(CATALOGUE)}, not 'triviom'"
    assert done.stderr == f"headwater: {message} (did you mean 'trivium'?)\n"
    assert (done.returncode, done.stdout, contents(tmp_path)) == (2, "", {})


@pytest.mark.parametrize(
    "words",
    [
        ("keystream", "trivium", "--key", SECRET[:10], SECRET[10:], "--iv", IV, "--bits", "8"),
        ("keystream", "trivium", "--key", IV, "--keys", SECRET, "--iv", IV, "--bits", "8"),
        ("--key", SECRET, "keystream", "trivium", "--iv", IV, "--bits", "8"),
    ],
)
def test_misplaced_key_is_not_repeated(capsys: Capture, words: tuple[str, ...]) -> None:
    assert main(list(words)) == 2
    printed = capsys.readouterr()
    assert SECRET[10:] not in printed.err + printed.out


def test_refused_name_that_is_too_long(capsys: Capture, tmp_path: Path) -> None:
    assert main(["generate", "trivium", "-o", str(tmp_path / ("a" * 300))]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "changes",
    [{"offset_bits": "0"}, {"offset_bits": -8}, {"keystream_bits": 64.0}, {"keystream_bits": 0}],
)
def test_refused_vector_with_what_is_no_number(
    capsys: Capture, tmp_path: Path, changes: dict[str, Any]
) -> None:
    path = write_vectors(tmp_path / "vectors.json", vector(**changes))
    assert main(["verify", "trivium", "--radix", "8", "--vectors", str(path)]) == 2
    assert capsys.readouterr().out == ""


# Help, and how a run ends


@pytest.mark.parametrize("words", [(), *((verb,) for verb in VERBS)])
def test_help(capsys: Capture, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*words, "--help"])
    assert caught.value.code == 0
    printed = capsys.readouterr()
    assert printed.out.startswith(" ".join(("usage: headwater", *words)))
    assert printed.err == ""


def test_version(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert (caught.value.code, capsys.readouterr().out) == (0, f"headwater {__version__}\n")


def record(point: DesignPoint) -> Record:
    return Figures(point, "", {}, Frequency.over([100.0]), ("", ""), lut=10, ff=7).as_json()


def interrupted(points: list[DesignPoint], *_given: object, **_named: object) -> Iterator[Outcome]:
    yield Outcome(points[1], record(points[1]), seconds=1.0)
    raise KeyboardInterrupt


def test_interrupt_keeps_what_is_finished(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "evaluate_all", interrupted)
    status = main(["evaluate", "trivium", "--radix", "1,2,4", "--json"])
    printed = capsys.readouterr()
    assert status == 130
    assert [(record["radix"], record["lut"]) for record in json.loads(printed.out)] == [(2, 10)]
    assert printed.err.splitlines()[-1] == "headwater: interrupted"
    assert main(["evaluate", "trivium", "--radix", "1,2,4"]) == 130
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["cipher", "target", "radix"]
    assert [line.split()[:3] for line in lines[2:]] == [["trivium", "ecp5-25k", "2"]]


def test_failed_point_is_told_and_others_are_printed(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one_fails(
        points: list[DesignPoint], _store: object, workers: Workers, **_named: object
    ) -> Iterator[Outcome]:
        assert workers.width == 2
        yield Outcome(points[2], record(points[2]), seconds=1.0)
        yield Outcome(points[0], None, "tool failed", 2.0)
        yield Outcome(points[1], record(points[1]), seconds=3.0)

    monkeypatch.setattr(progress, "evaluate_all", one_fails)
    status = main(["evaluate", "trivium", "--radix", "4,2,8", "--json", "--jobs", "2"])
    printed = capsys.readouterr()
    assert status == 2
    # In the order asked for, not in the order of completion.
    assert [record["radix"] for record in json.loads(printed.out)] == [2, 8]
    options = " ".join(f"{name}={value}" for name, value in DEFAULTS.items())
    point = f"trivium radix {{0}}, load width {{0}}, {options} on ecp5-25k"
    assert printed.err.splitlines()[1:] == [
        f"[1/3] {point.format(8)} (1 s): 10 LUT, 100 MHz",
        f"[2/3] {point.format(4)} (2 s): FAILED",
        f"[3/3] {point.format(2)} (3 s): 10 LUT, 100 MHz",
        "headwater: tool failed",
    ]


@pytest.mark.parametrize(
    "words",
    [
        (*KEYSTREAM, "--bits", "4000000"),
        ("list",),
    ],
)
def test_reader_that_goes_away(words: tuple[str, ...]) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "headwater.cli.main", *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")
