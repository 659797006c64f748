# SPDX-License-Identifier: Apache-2.0
"""The command line: what verbs print and write, help, and how a run ends."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    refused,
    succeed,
)

from headwater import __version__
from headwater.bench.parts import PARTS
from headwater.bench.point import DesignPoint, Figures, Frequency, Record
from headwater.bench.run import Outcome
from headwater.bench.target import TARGETS, found_here
from headwater.bench.workers import Workers
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.trivium import TRIVIUM
from headwater.cli import progress
from headwater.cli.examples import EXAMPLES
from headwater.cli.main import main
from headwater.cli.measuring import RESULT_ACTIONS
from headwater.cli.parser import VERBS, build_parser
from headwater.interface import INTERFACES

# list

UNBROKEN_FIRST = sorted(CATALOGUE, key=lambda name: CATALOGUE[name].broken)


@pytest.mark.parametrize(
    ("words", "column", "names"),
    [
        ((), "cipher", UNBROKEN_FIRST),
        (("ciphers",), "cipher", UNBROKEN_FIRST),
        (("targets",), "target", TARGETS),
        (("interfaces",), "interface", INTERFACES),
        (("options", "trivium"), "option", DEFAULTS),
    ],
)
def test_list(capsys: Capture, words: tuple[str, ...], column: str, names: Any) -> None:
    text = succeed(capsys, "list", *words, "--wide").split("\n\n")[0].splitlines()
    assert text[0].split()[0] == column
    assert [line.split()[0] for line in text[2:]] == list(names)
    for form in ("--json", "--format=json"):
        rows = json.loads(succeed(capsys, "list", *words, form))
        assert [row[column] for row in rows] == list(names)
    table = list(csv.DictReader(succeed(capsys, "list", *words, "--format", "csv").splitlines()))
    assert [row[column] for row in table] == list(names)
    narrow = succeed(capsys, "list", *words).splitlines()
    assert max(map(len, narrow)) <= 80
    assert f"| {column} |" in succeed(capsys, "list", *words, "--format", "md").splitlines()[0]


def test_list_has_one_line_for_each_cipher(capsys: Capture) -> None:
    table, _notes = succeed(capsys, "list").split("\n\n")
    assert [line.split()[0] for line in table.splitlines()[2:]] == UNBROKEN_FIRST
    for line in table.splitlines()[2:]:
        assert ("!" in line) == CATALOGUE[line.split()[0]].broken


def test_list_has_every_status_whole(capsys: Capture) -> None:
    table, _notes = succeed(capsys, "list").split("\n\n")
    assert "..." not in table


def test_list_has_the_columns_asked_for(capsys: Capture) -> None:
    heading = succeed(capsys, "list", "--columns", "state,cipher").splitlines()[0]
    assert heading.split() == ["state", "cipher"]
    refused(capsys, ("list", "--columns", "state", "--json"),
            "--columns must come with table, md or csv: JSON always has every member")  # fmt: skip
    assert main(["list", "--columns", "stat"]) == 2
    assert "not 'stat' (did you mean 'state'?)" in capsys.readouterr().err


def test_terminal_decides_the_width(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, succeed(capsys, "list", "interfaces").splitlines())) <= 40


def test_list_tells_kinds_and_ranges(capsys: Capture) -> None:
    rows = {row["cipher"]: row for row in json.loads(succeed(capsys, "list", "--json"))}
    assert (rows["trivium"]["kind"], rows["grain128aead"]["kind"]) == ("keystream", "aead")
    assert rows["mickey2"]["iv_bits"] == list(range(81))
    table = succeed(capsys, "list").splitlines()
    lines = {line.split()[0]: line.split() for line in table if line}
    assert lines["trivium"][1:5] == ["80", "32..80", "by", "16"]
    assert lines["mickey2"][1:3] == ["80", "0..80"]
    assert lines["grain128a-ae"][1:3] == ["128", "96"]


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
    assert sheet["further_radices"] == list(range(289, 1025))
    assert (sheet["bits_per_cycle"], sheet["setup_cycles"]) == (1, 160 + 4 * 288)


@pytest.mark.parametrize(
    ("words", "bits_per_cycle", "setup_cycles"),
    [
        (("--radix", "8"), 8, 20 + 144),
        (("--radix", "8", "--load-width", "160"), 8, 1 + 144),
        (("--radix", "7"), 7, 23 + 165),
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
def test_show_fits_80_columns(capsys: Capture, cipher: str, words: tuple[str, ...]) -> None:
    if words and "none" not in CATALOGUE[cipher].options[0].values:  # These always wait.
        words = ("--option", "clear=none")
    lines = succeed(capsys, "show", cipher, *words).splitlines()
    assert max(map(len, lines)) <= 80
    text = " ".join(" ".join(lines).split())
    assert f"cipher: {cipher}" in text
    assert f"security: {CATALOGUE[cipher].security}" in text


def test_show_says_what_is_not_offered(capsys: Capture) -> None:
    lines = succeed(capsys, "show", "trivium", "--option", "clear=none").splitlines()
    assert "clear cycles:     not offered" in lines
    assert "setup cycles:     1312" in lines
    assert "legal radices:    1 .. 288" in lines
    assert "further radices:  289 .. 1024" in lines


def test_show_has_a_line_for_each_port(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = succeed(capsys, "show", "grain128a-ae", "--radix", "16").splitlines()
    assert [line for line in lines if line.startswith(("streams:", "inputs:"))] == [
        "streams:          load: input, payload 32, valid 1, ready 1",
        "streams:          data_in: input, payload 8, keep 8, last 1, valid 1, ready 1",
        "streams:          data_out: output, payload 8, keep 8, last 1, valid 1, ready 1",
        "streams:          tag: output, payload 16, valid 1, ready 1",
        "inputs:           decrypt: whether data_in is ciphertext; constant through a message",
        "inputs:           clear: back to idle in the next cycle, whatever the core is doing",
    ]


def test_show_shortens_lists_of_numbers_equally_far_apart(capsys: Capture) -> None:
    lines = succeed(capsys, "show", "vest4").splitlines()
    assert "iv bits:          0, 8 .. 512" in lines
    lines = succeed(capsys, "show", "trivium").splitlines()
    assert "iv bits:          32, 48, 64, 80" in lines


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


# Help, and how a run ends


@pytest.mark.parametrize("words", [(), *((verb,) for verb in VERBS)])
def test_help(capsys: Capture, words: tuple[str, ...]) -> None:
    assert main([*words, "--help"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith(" ".join(("usage: headwater", *words)))
    assert printed.err == ""


def test_headwater_alone_shows_what_one_needs_first(capsys: Capture) -> None:
    printed = succeed(capsys)
    assert len(printed.splitlines()) < 15
    for line in printed.splitlines():
        if line.startswith("  headwater"):
            build_parser().parse(shlex.split(line)[1:])


HELP = [*VERBS, *(f"results {action}" for action in RESULT_ACTIONS)]


@pytest.mark.parametrize("verb", HELP)
def test_help_ends_with_an_example_that_is_legal(
    verb: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    program, *words = shlex.split(EXAMPLES[verb])
    given = build_parser().parse(words)
    assert (program, given.verb) == ("headwater", verb.split()[0])
    if getattr(given, "cipher", None):
        assert given.cipher in {*CATALOGUE, None}
    assert main([*verb.split(), "--help"]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    _, _, example = printed.partition("\n\nexample:\n")
    assert shlex.split(example.replace("\\\n", "")) == [program, *words]  # As a shell reads it.


def test_every_example_has_its_verb() -> None:
    assert sorted(EXAMPLES) == sorted(HELP)


# Keys that no list of processes shows


def test_key_and_iv_from_files_and_stdin(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "key").write_text(f" {KEY}\n")
    (tmp_path / "iv").write_text(IV)
    words = ("keystream", "trivium", "--bits", "64")
    files = ("--key-file", tmp_path / "key", "--iv-file", tmp_path / "iv")
    assert succeed(capsys, *words, *files) == FIRST_BYTES + "\n"
    for given in (("--key", "-", "--iv", "-"), ("--key-file", "-", "--nonce", "-")):
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{KEY}\n{IV}\n"))
        assert succeed(capsys, *words, *given) == FIRST_BYTES + "\n"


def test_key_file_that_is_none(capsys: Capture, tmp_path: Path) -> None:
    words = ("keystream", "trivium", "--bits", "8", "--iv", IV, "--key-file")
    missing = tmp_path / "none"
    reason = f"argument --key-file: {missing} cannot be read: No such file or directory"
    refused(capsys, (*words, missing), f"{reason}; see: headwater keystream --help")
    (tmp_path / "key").write_text("secret")
    refused(capsys, (*words, tmp_path / "key"), "key must be hexadecimal digits, two for each byte")


# Sweeps


def dry_run(capsys: Capture, *words: str) -> tuple[list[str], str]:
    assert main(["evaluate", *words, "--dry-run", "--wide"]) == 0
    printed = capsys.readouterr()
    return printed.out.splitlines(), printed.err


def test_all_ciphers_and_all_targets(capsys: Capture) -> None:
    points, _ = dry_run(capsys, "all")
    assert [point.split()[0] for point in points] == list(CATALOGUE)
    points, _ = dry_run(capsys, "trivium", "--target", "all")
    assert len(points) == len(found_here())
    assert len(found_here()) >= len(PARTS)


def test_points_are_named_in_lines_of_the_width_of_the_terminal(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["evaluate", "all", "--target", "ecp5-25k", "--dry-run"]
    for width in (80, 60):
        monkeypatch.setenv("COLUMNS", str(width))
        assert main(words) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= width
        assert [line.split()[0] for line in lines if line[0] != " "] == list(CATALOGUE)


def test_illegal_combination_is_skipped_and_told(capsys: Capture) -> None:
    points, told = dry_run(capsys, "trivium,zuc", "--radix", "8,32")
    assert [point.split()[0] for point in points] == ["trivium", "trivium", "zuc"]
    assert "headwater: skipped zuc at radix 8: " in told
    assert main(["evaluate", "zuc", "--radix", "8,16", "--dry-run"]) == 2
    assert "radix" in capsys.readouterr().err


def test_version(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"headwater {__version__}\n"


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
    lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert lines[0].split()[:3] == ["cipher", "target", "radix"]
    assert [line.split()[:3] for line in lines[2:]] == [["trivium", "ecp5-25k", "2"]]


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "trivium", "--radix", "8"),
        ("reproduce", "spartan"),
        ("study", "masking-randomness", "--target", "osu018"),
        ("optimize", "trivium"),
        ("choose", "--bits-per-cycle", "8", "--measure"),
    ],
    ids=lambda words: words[0],
)
def test_every_verb_that_measures_takes_a_time_limit(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = []

    def noted(*_given: object, time_limit_s: float, **_named: object) -> Iterator[Outcome]:
        limits.append(time_limit_s)
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(progress, "evaluate_all", noted)
    assert main([*words, "--time-limit", "5400"]) == 130
    assert limits == [5400]


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
        f"[1/3] {point.format(8)} (1 s): 5 slices, 100 MHz",
        f"[2/3] {point.format(4)} (2 s): FAILED",
        f"[3/3] {point.format(2)} (3 s): 5 slices, 100 MHz",
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
        [sys.executable, "-m", "headwater", *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")
