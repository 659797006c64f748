# SPDX-License-Identifier: Apache-2.0
"""The verb `verify`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import (
    FIRST_BYTES,
    Capture,
    refused,
    vector,
    write_vectors,
)

from headwater.api import verification
from headwater.api.verification import usual_radices
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.arguments import radices
from headwater.cli.main import main
from headwater.errors import ToolError


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
    assert list(by_check) == [
        ("vectors", "model"),
        ("lint", "verilator"),
        ("vectors", "rtl"),
        ("vectors", "c"),
    ]
    for engine, radix in (("model", None), ("rtl", 8), ("c", 8)):
        record = by_check["vectors", engine]
        assert (record["cipher"], record["file"]) == ("trivium", "some.json")
        assert (record["radix"], record["load_width"]) == (radix, radix)
        assert (record["passed"], record["failed"], record["skipped"]) == (2, 0, 1)
        assert record["skip_reasons"] == {"128-bit key": 1}
    lint = by_check["lint", "verilator"]
    assert json.dumps([lint["passed"], lint["failed"], lint["skipped"]]) == "[1, 0, 0]"
    assert err.splitlines()[0] == "vectors (model): 2 passed, 1 skipped (128-bit key)"


def test_the_model_has_no_radix(capsys: Capture, tmp_path: Path) -> None:
    path = write_vectors(tmp_path / "some.json", vector())
    words = ["verify", "trivium", "--engine", "model", "--vectors", str(path)]
    assert main([*words, "--radix", "3"]) == 0
    assert "vectors (model): 1 passed" in capsys.readouterr().err
    assert main([*words, "--option", "form=no"]) == 2
    assert "option form must be one of" in capsys.readouterr().err


def test_verify_as_text(capsys: Capture, tmp_path: Path) -> None:
    path = write_vectors(tmp_path / "some.json", vector())
    assert main(["verify", "trivium", "--radix", "8", "--vectors", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        "check",
        "engine",
        "file",
        "radix",
        "load",
        "passed",
        "failed",
        "skipped",
    ]
    assert lines[2].split() == ["vectors", "model", "some.json", "-", "-", "1", "0", "0"]
    assert lines[-2].split() == ["vectors", "rtl", "some.json", "8", "8", "1", "0", "0"]
    assert lines[-1].split() == ["vectors", "c", "some.json", "8", "8", "1", "0", "0"]


def test_verify_finds_a_corrupted_vector(capsys: Capture, tmp_path: Path) -> None:
    wrong = vector(id="wrong", keystream=FIRST_BYTES[:-2] + "9d")
    path = write_vectors(tmp_path / "wrong.json", vector(), wrong)
    status, records, err = verify(capsys, "--vectors", path)
    failure = "wrong: byte 7 of the keystream must be 9d, not 9c"
    assert status == 1
    for record in (records[0], *records[-2:]):
        assert (record["passed"], record["failed"], record["failures"]) == (1, 1, [failure])
    assert f"vectors (model): 1 passed, 1 FAILED: {failure}" in err.splitlines()


def test_verify_reads_several_files(capsys: Capture, tmp_path: Path) -> None:
    paths = [write_vectors(tmp_path / name, vector()) for name in ("one.json", "two.json")]
    status, records, _ = verify(capsys, "--vectors", *paths)
    assert status == 0
    checked = [(record["engine"], record["file"]) for record in records if record["file"]]
    assert checked == [(e, f) for e in ("model", "rtl", "c") for f in ("one.json", "two.json")]


def verified(capsys: Capture, *words: str) -> tuple[int, list[tuple[Any, ...]], str]:
    """Status, the records of vectors in short, and the last line on stderr."""
    status = main(["verify", *words, "--json"])
    printed = capsys.readouterr()
    fields = ("cipher", "engine", "file", "radix", "passed", "failed", "skipped")
    records = [
        tuple(record[field] for field in fields)
        for record in json.loads(printed.out)
        if record["check"] == "vectors"
    ]
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
        ("grain128a", "c", "grain128a.json", 4, 20, 0, 0),
        ("grain128a-ae", "c", "grain128a-ae.json", 4, 25, 0, 0),
        ("grain128a", "c", "grain128a.json", 3, 20, 0, 0),
        ("grain128a-ae", "c", "grain128a-ae.json", 3, 0, 0, 25),
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
        ("e0", "c", "e0.json", 2, 36, 0, 0),
        ("e0", "c", "e0_constrain.json", 2, 0, 0, 40),
    ]
    assert err.endswith("0 passed, 40 skipped (the key is made before the load)")


def test_verify_skips_loads_that_are_no_whole_words(capsys: Capture) -> None:
    status, records, err = verified(capsys, "mickey2", "--radix", "1", "--load-width", "7")
    assert status == 0
    assert records[-2:] == [
        ("mickey2", engine, "mickey2.json", 1, 4, 0, 51) for engine in ("rtl", "c")
    ]
    assert "51 skipped (" in err


def test_verify_fails_if_one_engine_checked_nothing(capsys: Capture) -> None:
    status, records, err = verified(capsys, "mickey2", "--radix", "1", "--load-width", "13")
    assert status == 1
    assert records == [
        ("mickey2", "model", "mickey2.json", None, 55, 0, 0),
        ("mickey2", "rtl", "mickey2.json", 1, 0, 0, 55),
        ("mickey2", "c", "mickey2.json", 1, 0, 0, 55),
    ]
    assert err == "no vector was checked by the c at radix 1: every one was skipped or failed"


def test_verify_without_a_compiler_says_that_the_c_is_not_run(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> list[str]:
        raise ToolError("gcc is not installed; install it with: apt-get install gcc")

    monkeypatch.setattr(verification, "c_compiler", missing)
    path = write_vectors(tmp_path / "some.json", vector())
    status, records, err = verify(capsys, "--vectors", path)
    assert status == 0
    assert "c" not in {record["engine"] for record in records}
    assert err.splitlines()[0] == (
        "vectors (c): not run, as gcc is not installed; install it with: apt-get install gcc"
    )


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
    assert usual_radices(CATALOGUE[cipher]) == expected


@pytest.mark.parametrize("cipher", ["mickey2", "mickey128", "a51", "e0"])
def test_radices_of_a_cipher_without_a_natural_one(cipher: str) -> None:
    legal = CATALOGUE[cipher].legal_radices()
    assert usual_radices(CATALOGUE[cipher]) == [radix for radix in (1, 2, 4, 8) if radix in legal]


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
        (
            "{",
            (
                "vector file FILE must be JSON: Expecting property name enclosed in double quotes: "
                "line 1 column 2 (char 1)"
            ),
        ),
        ("{}", "vector file FILE must have 'cipher', but has none"),
        ('{"cipher": "grain_v1"}', "vector file FILE must be of cipher trivium, not 'grain_v1'"),
        (
            '{"cipher": "trivium", "kind": "keystreams"}',
            (
                "kind of vectors for trivium must be one of keystream, seeded-keystream, not "
                "'keystreams' (did you mean 'keystream'?)"
            ),
        ),
        (
            json.dumps({"cipher": "trivium", "kind": "keystream", "bit_order": "msb_first"}),
            "bit order of vector file FILE must be lsb_first, not 'msb_first'",
        ),
    ],
)
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
