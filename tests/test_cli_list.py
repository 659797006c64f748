# SPDX-License-Identifier: Apache-2.0
"""`headwater list` and `headwater show`."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest
from command_line import (
    DEFAULTS,
    OPTIONS,
    Capture,
    refused,
    succeed,
)

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.trivium import TRIVIUM
from headwater.cli.main import main
from headwater.interface import INTERFACES
from headwater.measure.target import TARGETS

# list

UNBROKEN_FIRST = sorted(CATALOGUE, key=lambda name: CATALOGUE[name].broken)


@pytest.mark.parametrize(
    ("words", "column", "names"),
    [
        ((), "cipher", UNBROKEN_FIRST),
        (("ciphers",), "cipher", UNBROKEN_FIRST),
        (("targets",), "target", TARGETS),
        (("interfaces",), "interface", INTERFACES),
        (("options", "trivium"), "option", OPTIONS),
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
    refused(
        capsys,
        ("list", "--columns", "state", "--json"),
        "--columns must come with table, md or csv: JSON always has every member",
    )
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
