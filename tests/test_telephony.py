# SPDX-License-Identifier: Apache-2.0
"""The modes of ZUC and SNOW 3G in mobile telephony: tags, files, marks of words, commands."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from proven import assert_proven

from headwater import verify
from headwater.cipher.catalogue import CATALOGUE, modes_of
from headwater.cipher.message import Message
from headwater.cipher.telephony import eia3_tag, uia2_tag
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError, ToolError
from headwater.flow.asic import map_to_cells
from headwater.flow.gatesim import simulate_gates
from headwater.flow.verilator import simulate
from headwater.kinds.registry import facts_of
from headwater.kinds.telephony.description import (
    FIELD,
    Integrity,
    TelephonyMode,
    message_words,
)
from headwater.kinds.telephony.model import process
from headwater.measure.stimulus import stimulus
from headwater.measure.target import TARGETS, AsicTarget
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine
from headwater.verify.transfer import transfer_of
from headwater.verify.vector_files import own_files, read_file

FOLDER = Path(verify.__file__).with_name("vectors")


def message(mode: TelephonyMode, bits: int, seed: int = 0) -> Message:
    """Some message of so many bits."""
    source = Random(f"{mode.name} {bits} {seed}")
    iv = mode.pack_iv(source.getrandbits(32), source.getrandbits(mode.second_bits), seed % 2)
    string = source.getrandbits(bits) << -bits % 8 if bits else 0
    return Message(source.randbytes(16), iv, b"", string.to_bytes(-(-bits // 8), "big"), bits)


# --- the model


def test_a_cipher_runs_the_files_of_its_modes() -> None:
    assert [mode.name for mode in modes_of(CATALOGUE["zuc"])] == ["eea3", "eia3"]
    assert [mode.name for mode in modes_of(CATALOGUE["snow3g"])] == ["uea2", "uia2", "eia1"]
    assert [mode.name for mode in modes_of(CATALOGUE["grain128a"])] == ["grain128a-ae"]
    names = [path.name for path in own_files(CATALOGUE["zuc"])]
    assert names == ["zuc.json", "eea3.json", "eia3.json"]
    file = read_file(FOLDER / "uia2.json", CATALOGUE["snow3g"])
    assert file.cipher is CATALOGUE["uia2"]
    with pytest.raises(InputError, match="must be of cipher zuc or eea3 or eia3, not 'uia2'"):
        read_file(FOLDER / "uia2.json", CATALOGUE["zuc"])


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 64, 95, 100])
def test_sum_of_windows_bit_by_bit(length: int) -> None:
    """As document 1 writes it, with single bits."""
    source = Random(length)
    count = -(-length // 32) + 2
    words = [source.getrandbits(32) for _ in range(count)]
    k = "".join(f"{word:032b}" for word in words)
    m = "".join(str(source.getrandbits(1)) for _ in range(length))
    tag = 0
    for place, bit in enumerate(m):
        if bit == "1":
            tag ^= int(k[place : place + 32], 2)
    tag ^= int(k[length : length + 32], 2)
    tag ^= int(k[32 * (count - 1) :], 2)
    text = int(m.ljust(-(-length // 8) * 8, "0") or "0", 2).to_bytes(-(-length // 8), "big")
    assert eia3_tag(iter(words), message_words(text), length) == tag


def test_field_of_the_specification() -> None:
    """MUL64 of x^63 and x is the reduction constant."""
    assert FIELD.multiply(1 << 63, 2) == 0x1B
    z = [0x01234567, 0x89ABCDEF, 0, 1, 0xFFFFFFFF]
    # Q = 1: the tag is the upper half of (M * P + length), and the pad.
    expected = (FIELD.multiply(5 << 60, 0x0123456789ABCDEF) ^ 4) >> 32 ^ 0xFFFFFFFF
    assert uia2_tag(iter(z), iter([5 << 28]), 4) == expected


def test_bits_behind_a_message_mean_nothing(tmp_path: Path) -> None:
    content = json.loads((FOLDER / "eia3.json").read_text())
    fields = content["vectors"][0]
    assert (fields["length"], fields["message"]) == (1, "00000000")
    path = tmp_path / "file.json"
    path.write_text(json.dumps(content | {"vectors": [fields | {"message": "7fffffff12"}]}))
    mode = CATALOGUE["eia3"]
    assert check_vectors(read_file(path, mode), ModelEngine(mode)).passed == 1
    path.write_text(json.dumps(content | {"vectors": [fields | {"message": "80000000"}]}))
    (line,) = check_vectors(read_file(path, mode), ModelEngine(mode)).failures
    assert line.startswith("set1: byte 0 of the tag must be c8, not ")


@pytest.mark.parametrize(
    ("name", "changes", "error"),
    [
        ("eea3", {"bearer": 32}, "bearer of VECTOR must be a whole number from 0 to 31, not 32"),
        ("eea3", {"direction": 2}, "direction of VECTOR must be a whole number from 0 to 1, not 2"),
        ("eea3", {"count": "0000"}, "VECTOR must have 32 count bits, not 2 bytes"),
        ("eea3", {"output": "00"}, "VECTOR must have 193 output bits, not 1 bytes"),
        ("eea3", {"message": "00"}, "message of VECTOR must be of at least 193 bits, not 8"),
        ("eea3", {"key": "00"}, "VECTOR: key of eea3 must be 128 bits (32 hex digits), not 8 bits"),
        ("uia2", {"fresh": "00"}, "VECTOR must have 32 fresh bits, not 1 bytes"),
        ("uia2", {"mac": "00"}, "VECTOR must have 32 mac bits, not 1 bytes"),
    ],
)
def test_entries_that_are_refused(
    tmp_path: Path, name: str, changes: dict[str, object], error: str
) -> None:
    content = json.loads((FOLDER / f"{name}.json").read_text())
    path = tmp_path / "file.json"
    path.write_text(json.dumps(content | {"vectors": [content["vectors"][0] | changes]}))
    with pytest.raises(InputError) as caught:
        read_file(path, CATALOGUE[name])
    assert str(caught.value) == error.replace("VECTOR", f"vector 'set1' of {path}")


# --- the generated Verilog


@pytest.mark.parametrize("words", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("name", ["eia3", "uia2"])
def test_full_words_and_an_empty_last_one(name: str, words: int) -> None:
    """The end may be marked on a word of its own, in which nothing counts."""
    mode = CATALOGUE[name]
    assert isinstance(mode, Integrity)
    given = message(mode, 32 * words)
    architecture = Architecture.choose(mode)
    parts = " ".join(f"{word:x}:ffffffff:0" for word in message_words(given.text))
    load = load_command(mode, architecture, given)
    commands = ["reset 2", "gaps 1 300", load, f"message 0 {parts} deadbeef:0:0", "tag 1"]
    (tag,) = simulate(generate(mode, architecture), commands)
    assert int(tag, 16).to_bytes(4, "big") == process(mode, given).tag


def load_command(mode: TelephonyMode, architecture: Architecture, given: Message) -> str:
    words = facts_of(mode, architecture).load_words(given.key, given.nonce)
    return "load " + " ".join(f"{word:x}" for word in words)


@pytest.mark.parametrize(
    ("bits", "marks"),
    [
        (0, [0]),
        (1, [1 << 31]),
        (31, [0xFFFFFFFE]),
        (32, [0xFFFFFFFF]),
        (40, [0xFFFFFFFF, 0xFF000000]),
    ],
)
def test_marks_of_words(bits: int, marks: list[int]) -> None:
    mode = CATALOGUE["eea3"]
    assert isinstance(mode, TelephonyMode)
    words = transfer_of(mode, Architecture.choose(mode), message(mode, bits)).words
    assert [keep for _, keep, _ in words] == marks
    assert all(payload & ~keep == 0 for payload, keep, _ in words)


# --- evaluation, data sheet


@pytest.mark.parametrize("name", ["eea3", "eia1"])
def test_netlist_and_cycles_of_a_message(name: str, tmp_path: Path) -> None:
    """What energy counts is what a netlist of cells takes."""
    mode, target = CATALOGUE[name], TARGETS["osu018"]
    assert isinstance(target, AsicTarget)
    architecture = Architecture.choose(mode)
    verilog, library = generate(mode, architecture), target.library()
    netlist = map_to_cells(verilog.text, verilog.name, library, tmp_path, None).verilog
    given = stimulus(mode, architecture, 9)
    run = simulate_gates(
        netlist,
        library,
        verilog.name,
        load_words=given.load_words,
        words=len(given.words),
        folder=tmp_path,
        data_words=given.data_words,
        watch=True,
    )
    given.check(run, name)
    with pytest.raises(ToolError, match="another t"):
        replace(given, words=(0,), data=given.data[1:]).check(run, name)
    cycles = {phase: of.cycles for phase, of in run.phases.items()}
    assert cycles.pop("tag", None) == (1 if isinstance(mode, Integrity) else None)
    assert cycles == {
        "setup": facts_of(mode, architecture).setup_cycles,
        "running": facts_of(mode, architecture).message_cycles(9 * 32 - 5),
    }


# --- properties


@pytest.mark.parametrize(
    ("name", "asserted"),
    [
        ("eea3", {"text", "session", "setup", "next"}),
        ("eia3", {"words", "step", "order", "window"}),
        ("uia2", {"setup", "next", "session", "silence", "value", "hold", "clear"}),
    ],
)
def test_properties_are_kept(name: str, asserted: set[str]) -> None:
    assert_proven(CATALOGUE[name], Architecture.choose(CATALOGUE[name]), asserted)


# --- the command line

KEY = ("--key", "00" * 16)
CALL = ("--count", "66035492", "--bearer", "15", "--direction", "0")
EEA3 = ("eea3", "--key", "173d14ba5003731d7a60049470f00a29", *CALL)
PLAIN = "6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b200"
OTHER = "a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc800"
UIA2 = (
    "uia2",
    "--key",
    "2bd6459f82c5b300952c49104881ff48",
    "--count",
    "38a6f056",
    "--fresh",
    "05d2ec49",
    "--direction",
    "0",
)


@pytest.mark.parametrize("engine", ["model", "rtl"])
def test_encrypt_decrypt_and_mac(capsys: pytest.CaptureFixture[str], engine: str) -> None:
    ends = ("--bits", "193", "--engine", engine)
    assert main(["encrypt", *EEA3, "--text", PLAIN, *ends]) == 0
    assert capsys.readouterr().out == f"ciphertext {OTHER}\n"
    assert main(["decrypt", *EEA3, "--text", OTHER, *ends, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["plaintext"] == PLAIN
    text = "6b227737296f393c8079353edc87e2e805d2ec49a4f2d8e0"
    assert main(["mac", *UIA2, "--text", text, "--bits", "189", "--engine", engine]) == 0
    assert capsys.readouterr().out == "tag 2bce1820\n"
    assert main(["mac", *UIA2, "--text", text, "--bits", "189", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "cipher": "uia2",
        "engine": "fast",
        "bits": 189,
        "tag": "2bce1820",
    }


def test_message_in_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plain, other = tmp_path / "plain", tmp_path / "other"
    plain.write_bytes(bytes.fromhex(PLAIN))
    words = [*EEA3, "--in", str(plain), "--bits", "193", "--out", str(other)]
    assert main(["encrypt", *words]) == 0
    assert (capsys.readouterr().out, other.read_bytes().hex()) == ("", OTHER)


OF_TAGS = (
    "poly1305",
    "aes_cmac",
    "uia1",
    "eia3",
    "uia2",
    "eia1",
    "eia2",
    "zuc256_mac_iv25",
    "nia4",
    "nia5",
    "nia6",
)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            ("encrypt", "eea3", "--count", "00", "--bearer", "1", "--direction", "0"),
            "count must be 32 bits (8 hex digits), not 8 bits",
        ),
        (
            ("encrypt", "eea3", "--bearer", "1", "--direction", "0"),
            "count must be given as hexadecimal digits",
        ),
        (
            ("encrypt", "eea3", "--count", "00000000", "--direction", "0"),
            "bearer must be given as a number from 0 to 31",
        ),
        (
            ("mac", "eia3", "--count", "00000000", "--bearer", "32", "--direction", "0"),
            "bearer must be between 0 and 31, not 32",
        ),
        (
            ("mac", "eia1", "--count", "00000000", "--bearer", "3", "--direction", "2"),
            "direction must be between 0 and 1, not 2",
        ),
        (
            ("mac", "uia2", "--count", "00000000", "--bearer", "3", "--direction", "1"),
            "uia2 takes --count, --fresh, --direction, not --bearer",
        ),
        (("encrypt", "eea3", "--iv", "00"), "eea3 takes --count, --bearer, --direction, not an IV"),
        (("mac", "eea3", *CALL), f"cipher of mac must be one of {', '.join(OF_TAGS)}, not 'eea3'"),
        (("encrypt", "eia3", *CALL), "eia3 does not encrypt: use mac"),
        (
            ("encrypt", "zuc", "--iv", "00" * 16, "--bearer", "1"),
            (
                "--bearer must be given for one of uea1, eea3, eia3, uea2, eia1, eea2, eia2, nea4, "
                "nia4, nca4, nea5, nia5, nca5, nea6, nia6, nca6 only, not for zuc"
            ),
        ),
        (
            ("decrypt", *EEA3[:1], *CALL, "--tag", "00"),
            "a tag must not be given for eea3, which does not authenticate",
        ),
    ],
)
def test_command_lines_that_are_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], error: str
) -> None:
    assert main([*words, *KEY, "--text", "00"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"headwater: {error}\n")


def test_keystream_is_that_of_the_base(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keystream", "uea2", *KEY, "--bits", "8"]) == 2
    error = "headwater: uea2 has no keystream apart from its messages: use that of snow3g\n"
    assert capsys.readouterr().err == error


def test_verify_a_cipher_with_the_file_of_a_mode(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "zuc", "--vectors", str(FOLDER / "eea3.json"), "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    found = [(one["cipher"], one["check"], one["engine"], one["passed"]) for one in records]
    assert found == [
        ("eea3", "vectors", "model", 42),
        ("zuc", "lint", "verilator", 1),
        ("eea3", "vectors", "rtl", 42),
        ("eea3", "vectors", "c", 42),
    ]


def test_data_sheet_says_how_the_iv_is_formed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "uia2", "--json"]) == 0
    sheet = json.loads(capsys.readouterr().out)
    assert "IV1 is COUNT with DIRECTION added" in sheet["load_order"]
    assert (sheet["base"], sheet["tag_bits"], sheet["setup_cycles"]) == ("snow3g", 32, 43)
    assert (sheet["bits_per_cycle"], sheet["clear_cycles"]) == (8, 9)
    assert sheet["tag_order"].startswith("one word of 32 bits")
