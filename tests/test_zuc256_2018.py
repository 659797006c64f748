# SPDX-License-Identifier: Apache-2.0
"""ZUC-256 of 2018: the load that its draft lists, both ways to write its IV, and IVs refused."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command_line import Capture, refused, succeed

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.zuc256_2018 import CONSTANTS, ZUC_256_2018, ZUC_256_2018_MAC
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.reading import Keystream
from headwater.verify import vector_files
from headwater.verify.c_engine import CEngine
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.vector_files import read_file

MAC = (
    "mac",
    "zuc256_mac_iv25",
    "--text",
    "",
    "--key",
    "1d68fb06a2b64e5abc8d970fb307422d936bca74daafa70539fbc678dd19d23c",
    "--iv",
    "e22ff3140f0cb907da1a48a67d644a69c2130b031f22021f1e",
)
"""Of the vector mac32-0bits."""

LENGTHS = "32 bits (8 hex digits) or 64 bits (16 hex digits) or 128 bits (32 hex digits)"

CELLS = """
K0 K21 K16, K1 K22 K17, K2 K23 K18, K3 K24 K19, K4 K25 K20, V0+V17 K5 K26, V1+V18 K6 K27,
V10+V19 K7 V2, K8+V20 V3 V11, K9+V21 V12 V4, V5+V22 K10 K28, K11+V23 V6 V13, K12+V24 V7 V14,
K13 V15 V8, K14+K31/ V16 V9, K15+K31% K30 K29
"""
"""The bytes of each cell: the uppermost, what is added to the constant, and the two lowest. A key
byte's upper half is ``/``, its lower one ``%``."""


def value(name: str, key: bytes, iv: bytes) -> int:
    where, place, half = re.fullmatch(r"([KV])(\d+)([/%]?)", name).groups()  # type: ignore[union-attr]
    byte = (key if where == "K" else iv)[int(place)]
    return {"": byte, "/": byte >> 4, "%": byte & 15}[half]


def test_every_cell_is_loaded_as_listed() -> None:
    source = Random(1)
    key = source.randbytes(32)
    iv = source.randbytes(17) + bytes(source.getrandbits(6) for _ in range(8))
    state = {
        register.name: IntegerWord(source.getrandbits(register.length), register.length)
        for register in ZUC_256_2018.registers
    }
    lanes = ZUC_256_2018.load_lanes(key, iv)
    for step, bits in enumerate(zip(*lanes, strict=True), start=-16):
        entering = IntegerWord(sum(bit << lane for lane, bit in enumerate(bits)), len(bits))
        controls = {
            name: IntegerWord(ZUC_256_2018.control_at(name, step), 1)
            for name in ZUC_256_2018.controls
        }
        state = ZUC_256_2018.load.enter(unnamed, *state.values(), entering=entering, **controls)
    for place, cell in enumerate(CELLS.replace("\n", " ").split(",")):
        top, *low = cell.split()
        a, *added = (value(name, key, iv) for name in top.split("+"))
        b, c = (value(name, key, iv) for name in low)
        middle = CONSTANTS[place] | sum(added)
        assert state[f"s{place}"].value == a << 23 | middle << 16 | b << 8 | c, place


FILE = json.loads((Path(vector_files.__file__).parent / "vectors" / "zuc256_iv25.json").read_text())


def packed(iv: str) -> str:
    """The IV in 23 bytes: the last eight fields have six bits each."""
    data = bytes.fromhex(iv)
    fields = "".join(f"{byte:06b}" for byte in data[17:])
    return (data[:17] + int(fields, 2).to_bytes(6, "big")).hex()


def test_an_iv_of_23_bytes_is_the_same(tmp_path: Path) -> None:
    entries = [entry | {"iv": packed(entry["iv"])} for entry in FILE["vectors"]]
    path = tmp_path / "packed.json"
    path.write_text(json.dumps(FILE | {"vectors": entries}))
    assert {len(entry["iv"]) for entry in entries} == {46}
    file = read_file(path, ZUC_256_2018)
    report = check_vectors(file, ModelEngine(ZUC_256_2018))
    assert (report.passed, report.skipped, report.failures) == (len(entries), 0, ())


@pytest.mark.parametrize("byte", [17, 24])
@pytest.mark.parametrize("bit", [6, 7])
def test_a_field_of_more_than_six_bits_is_refused(byte: int, bit: int) -> None:
    iv = bytearray(25)
    iv[byte] = 1 << bit
    message = "^bits 136, 137, 144, .* and 193 of the IV of zuc256_iv25 must be zero, its first "
    with pytest.raises(InputError, match=message):
        ZUC_256_2018.input_bits(bytes(32), bytes(iv))


TAGS = json.loads(
    (Path(vector_files.__file__).parent / "vectors" / "zuc256_mac_iv25.json").read_text()
)


@pytest.mark.parametrize("bits", [32, 64, 128])
def test_tags_are_sums_of_windows(bits: int) -> None:
    """Against the rule bit by bit, of the cipher's keystream."""
    mode = ZUC_256_2018_MAC.with_parameters({"mac_bits": str(bits)})
    entries = [entry for entry in TAGS["vectors"] if entry["mac_bits"] == bits]
    assert {0, 1, 31, 32, 33, 129} <= {entry["length"] for entry in entries}
    for entry in entries:
        key, iv, length = bytes.fromhex(entry["key"]), bytes.fromhex(entry["iv"]), entry["length"]
        z = Keystream(mode.base, key=key, iv=iv).read(2 * bits + length)
        stream = "".join(f"{byte:08b}" for byte in z)
        message = "".join(f"{byte:08b}" for byte in bytes.fromhex(entry["message"]))[:length]
        tag = int(stream[:bits], 2)
        for place, bit in enumerate(f"{message}1"):
            tag ^= int(bit) * int(stream[bits + place : 2 * bits + place], 2)
        assert tag.to_bytes(bits // 8, "big").hex() == entry["mac"]


def changed(entry: Any, path: Path) -> Path:
    path.write_text(json.dumps(TAGS | {"vectors": [entry]}))
    return path


@pytest.mark.parametrize("bits", [32, 64, 128])
def test_a_wrong_tag_is_rejected_by_every_engine(tmp_path: Path, bits: int) -> None:
    mode = ZUC_256_2018_MAC.with_parameters({"mac_bits": str(bits)})
    at = Architecture.choose(mode, options={"mac_bits": str(bits)})
    entry = next(entry for entry in TAGS["vectors"] if entry["mac_bits"] == bits)
    wrong = f"{int(entry['mac'], 16) ^ 1:0{bits // 4}x}"
    engines = (ModelEngine(mode), RtlEngine(mode, at), CEngine(mode, at))
    for mac, result, passed in ((wrong, "invalid", 1), (entry["mac"], "invalid", 0)):
        path = changed(entry | {"mac": mac, "result": result}, tmp_path / "file.json")
        for engine in engines:
            report = check_vectors(read_file(path, mode), engine, at)
            assert report.passed == passed
            assert bool(report.failures) is not bool(passed)


def test_tags_of_another_length_are_skipped() -> None:
    path = Path(vector_files.__file__).parent / "vectors" / "zuc256_mac_iv25.json"
    file = read_file(path, ZUC_256_2018_MAC)
    assert len(file.vectors) == 15
    assert set(file.skipped.values()) == {"64 mac_bits", "128 mac_bits"}


def test_length_of_a_tag_that_there_is_not() -> None:
    message = "^option mac_bits must be one of 32, 64, 128, not '96'"
    with pytest.raises(InputError, match=message):
        ZUC_256_2018_MAC.with_parameters({"mac_bits": "96"})


def test_an_illegal_iv_of_the_mac_names_it() -> None:
    with pytest.raises(InputError, match="193 of the IV of zuc256_mac_iv25 must be zero"):
        ZUC_256_2018_MAC.input_bits(bytes(32), bytes(24) + b"\x40")


def test_packed_bytes_are_no_iv_of_the_cipher() -> None:
    message = r"^IV of zuc256_iv25 must be 200 bits \(50 hex digits\), not 184 bits$"
    with pytest.raises(InputError, match=message):
        ZUC_256_2018.input_bits(bytes(32), bytes(23))


@pytest.mark.parametrize(
    ("words", "tag"),
    [
        ((), "b4d64301"),
        (("--tag-bits", "64"), "0c8ac45a3aa79859"),
        (("--option", "mac_bits=128"), "785d32a2782a730dd5979687a81f8007"),
    ],
)
def test_the_length_that_is_asked_for(capsys: Capture, words: Sequence[str], tag: str) -> None:
    """The first is a vector; none of the others begins with it."""
    assert succeed(capsys, *MAC, *words) == f"tag {tag}\n"
    assert succeed(capsys, *MAC, *words, "--engine", "c") == f"tag {tag}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--tag-bits", "96"), f"tag of zuc256_mac_iv25 must be {LENGTHS}, not 96 bits"),
        (
            ("--tag-bits", "64", "--option", "mac_bits=128"),
            "tag of zuc256_mac_iv25 must be 128 bits (32 hex digits), not 64 bits",
        ),
    ],
)
def test_length_that_is_refused(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    refused(capsys, (*MAC, *words), message)
