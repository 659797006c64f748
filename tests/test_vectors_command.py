# SPDX-License-Identifier: Apache-2.0
"""The verb `vectors`: what a file holds, files of the model's vectors, and conversion."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
from command_line import Capture, succeed

import headwater as hw
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.main import main
from headwater.errors import InputError
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine
from headwater.verify.published.writing import WRITERS
from headwater.verify.vector_files import own_files, read_files

FOLDER = Path(__file__).with_name("public_vectors")


def row(capsys: Capture, *names: str) -> list[dict[str, object]]:
    found = json.loads(
        succeed(capsys, "vectors", *(FOLDER / name for name in names), "--format", "json")
    )
    return [{name: value for name, value in one.items() if value} for one in found]


def test_what_a_file_holds(capsys: Capture) -> None:
    assert row(capsys, "ascon_wycheproof.json") == [
        {
            "format": "wycheproof",
            "algorithm": "ASCON-AEAD128",
            "ciphers": ["ascon_aead128"],
            "count": 6,
            "valid": 1,
            "invalid": 4,
            "acceptable": 1,
            "key_bits": [128],
            "iv_bits": [96, 128],
        }
    ]
    named, other = row(capsys, "chacha20_named.txt")
    assert (named["ciphers"], named["count"]) == (["chacha20"], 2)
    assert other == {
        "format": "named",
        "algorithm": "aes-256-gcm",
        "count": 1,
        "valid": 1,
        "key_bits": [256],
        "iv_bits": [96],
    }
    (pair,) = row(capsys, "aes_ofb_expected.json", "aes_ofb_prompt.json")
    assert (pair["format"], pair["count"]) == ("acvp", 4)


def test_the_cipher_of_a_file_without_a_name(capsys: Capture) -> None:
    """It is the one whose model makes the first vector, of all that have such keys and nonces."""
    (found,) = row(capsys, "ascon_kat.txt")
    assert found["ciphers"] == ["ascon_aead128"]


def test_what_an_own_file_holds(capsys: Capture) -> None:
    path = own_files(CATALOGUE["trivium"])[0]
    (found,) = json.loads(succeed(capsys, "vectors", path, "--json"))
    count = len(json.loads(path.read_text())["vectors"])
    assert (found["format"], found["ciphers"]) == ("headwater", ["trivium"])
    assert found["count"] == found["valid"] == count


def test_columns(capsys: Capture) -> None:
    path = FOLDER / "grain_v1_estream.txt"
    out = succeed(capsys, "vectors", path, "--columns", "ciphers,key_bits")
    assert out.split() == ["ciphers", "key_bits", out.splitlines()[1], "grain_v1", "80"]


# --- files of the model's vectors


def test_kat_is_the_published_file(capsys: Capture) -> None:
    """The whole file of Grain-128AEADv2's submission, LWC_AEAD_KAT_128_96.txt, byte by byte."""
    out = succeed(capsys, "vectors", "grain128aeadv2", "--as", "kat", "--count", "1089")
    assert hashlib.sha256(out.encode()).hexdigest() == (
        "3c0cac7bfc74093b0c484f0ad7e13c9805729a83eaab95d73cdf0348f7af3a36"
    )


def test_estream_is_as_published(capsys: Capture) -> None:
    """Vectors of the file of Grain v1 as eSTREAM has them, line by line."""
    published = (FOLDER / "grain_v1_estream.txt").read_text()
    out = succeed(capsys, "vectors", "grain_v1", "--as", "estream", "--count", "2")
    blocks = [re.findall(r"(?ms)^Set .*?\n\n", text) for text in (out, published)]
    assert len(blocks[0]) == 2
    assert blocks[0] == blocks[1]


@pytest.mark.parametrize("name", CATALOGUE)
def test_vectors_of_every_cipher_are_read_again(tmp_path: Path, name: str) -> None:
    """In each format that the cipher has; json every one has."""
    cipher, path, shapes = CATALOGUE[name], tmp_path / "file", []
    for shape in WRITERS:
        try:
            path.write_text(hw.vectors(name, shape, count=2))
        except InputError as error:
            refusal = rf"vectors of {re.escape(name)} cannot be of the format {shape}: .*"
            assert re.fullmatch(refusal, str(error))  # noqa: PT017
            continue
        shapes.append(shape)
        (parts,) = read_files([path], cipher, {})
        records = [check_vectors(part, ModelEngine(part.cipher)) for part in parts]
        assert sum(record.passed for record in records) >= 2
        assert not any(record.failed or record.skipped for record in records)
    assert shapes[0] == "json"


def test_file_is_written(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    assert main(["vectors", "trivium", "--count", "2", "-o", str(path)]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"{path} was written\n")
    assert len(json.loads(path.read_text())["vectors"]) == 2


# --- conversion


def test_conversion(capsys: Capture, tmp_path: Path) -> None:
    """What is converted passes as the public file does, with what must be rejected."""
    path = tmp_path / "own.json"
    source = FOLDER / "ascon_wycheproof.json"
    assert main(["vectors", str(source), "--as", "json", "-o", str(path)]) == 0
    capsys.readouterr()
    content = json.loads(path.read_text())
    assert content["vectors"][1]["origin"] == f"published: {source.name}, line 27"
    assert [one["result"] for one in content["vectors"] if "result" in one] == [
        *["invalid"] * 4,
        "acceptable",
    ]
    cipher = CATALOGUE["ascon_aead128"]
    both = [read_files([one], cipher, {})[0][0] for one in (source, path)]
    assert both[0].vectors == both[1].vectors
    assert both[0].skipped == both[1].skipped


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("trivum",),
            (
                r"there is no vector file trivum, and cipher must be one of .*"
                r"\(did you mean 'trivium'\?\)"
            ),
        ),
        (
            ("trivium", "--as", "kat"),
            (
                "vectors of trivium cannot be of the format kat: it is for ciphers that "
                "authenticate associated data"
            ),
        ),
        (("a51", "--as", "estream"), "vectors of a51 cannot be of the format estream: .*"),
        (
            ("trivium", "--as", "rsp"),
            "format must be one of json, kat, hash-kat, estream, not 'rsp'",
        ),
        (("trivium", "--count", "0"), "count must be at least 1, not 0"),
        (("trivium", "--cipher", "zuc"), "--cipher must come with a file, not with a cipher"),
        (
            ("trivium", "--as", "kat", "--json"),
            "--format must come with a file, to say what it holds, not with vectors as kat",
        ),
        (("FILE", "--count", "3"), "--count must come with a cipher, not with a file"),
        (("FILE", "--cipher", "zuc"), "--cipher and --output of a file must come with --as json"),
        (
            ("FILE", "--as", "kat"),
            "format of what is made of a file must be one of json, not 'kat'",
        ),
        (
            ("FILE", "--as", "json", "--cipher", "zuc"),
            "vector file .* must have vectors of zuc, not Grain-v1",
        ),
        (
            ("FILE", "FILE", "--as", "json"),
            "files that are converted must be one, or a prompt and its expected results, not 2",
        ),
        (
            ("OWN", "--as", "json"),
            "vector file .* must be a public one, as it is of the format headwater already",
        ),
    ],
)
def test_refusals(capsys: Capture, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    names = {"FILE": FOLDER / "grain_v1_estream.txt", "OWN": own_files(CATALOGUE["trivium"])[0]}
    path = tmp_path / "out"
    given = [str(names.get(word, word)) for word in words]
    assert main(["vectors", *given, *(["-o", str(path)] if "--as" in words else [])]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(f"headwater: {message}\n", printed.err)
    assert not path.exists()


# --- the page


PAGE = Path(__file__).parents[1] / "docs" / "vector-files.md"


def test_examples_of_the_page(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file of the page is written under its name, and each command prints what stands behind
    it."""
    page, commands = PAGE.read_text(), 0
    monkeypatch.chdir(tmp_path)
    for name, text in re.findall(r"`(\w+\.txt)`[^`]*?:\n\n```text\n(.*?)```", page, re.DOTALL):
        Path(name).write_text(text)
    for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL):
        for command, expected in re.findall(r"\$ headwater (.*)\n((?:(?!\$ ).*\n)*)", block):
            main(command.split())
            printed = capsys.readouterr()
            # On a terminal, lines of both streams stand in the order of time.
            lines = [*printed.err.splitlines(), *printed.out.splitlines()]
            # A line of four spaces continues the one before it.
            wanted = expected.replace("\n    ", " ").splitlines()
            assert sorted(lines) == sorted(wanted), command
            commands += 1
    assert commands == 7
