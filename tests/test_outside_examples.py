# SPDX-License-Identifier: Apache-2.0
"""Examples from outside: a sponge with additions, a family of sponges, one of rounds of AES, a
large memory.

`tests/test_message_machine.py` has the vectors of message machines in the model.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import as_process

EXAMPLES = Path(__file__).parents[1] / "examples"
FILES = {
    "schwaemm256128": (EXAMPLES / "schwaemm" / "schwaemm.py", "1", 156),
    "rocca": (EXAMPLES / "rocca" / "rocca.py", "2", 24),
    "romulusn": (EXAMPLES / "romulus" / "romulus.py", "4", 156),
    "rabbit": (EXAMPLES / "rabbit" / "rabbit.py", "128", 5),
    "rabbit_without_iv": (EXAMPLES / "rabbit" / "rabbit.py", "128", 5),
    "hc128": (EXAMPLES / "hc128" / "hc128.py", "32", 21),
    "ascon128": (EXAMPLES / "ascon128" / "ascon128.py", "2", 156),
    "ascon128a": (EXAMPLES / "ascon128" / "ascon128.py", "4", 156),
    "ascon80pq": (EXAMPLES / "ascon128" / "ascon128.py", "3", 156),
}


def printed(name: str, *words: str | Path) -> str:
    """What a command about an example prints that must succeed."""
    done = as_process("--cipher-file", FILES[name][0], *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", FILES)
def test_vectors_in_model_verilog_and_c(name: str) -> None:
    path, radix, count = FILES[name]
    assert len(path.read_text().splitlines()) <= 120
    records = json.loads(printed(name, "verify", name, "--radix", radix, "--json"))
    vectors = [record for record in records if record["check"] == "vectors"]
    assert [record["engine"] for record in vectors] == ["model", "rtl", "c"]
    assert {(one["passed"], one["failed"], one["skipped"]) for one in vectors} == {(count, 0, 0)}


@pytest.mark.parametrize("name", ["schwaemm256128", "rocca", "romulusn", "ascon80pq"])
def test_a_message_there_and_back(name: str) -> None:
    file = FILES[name][0].parent / "vectors" / f"{name}.json"
    vectors = json.loads(file.read_text())["vectors"]
    longest = max(vectors, key=lambda one: len(one["ad"]) * len(one["plaintext"]))
    ciphertext, tag = longest["ciphertext"], longest["tag"]
    inputs = ("--key", longest["key"], "--nonce", longest["nonce"], "--ad", longest["ad"])
    sealed = printed(name, "encrypt", name, *inputs, "--text", longest["plaintext"])
    assert sealed.split() == ["ciphertext", ciphertext, "tag", tag]
    opened = printed(name, "decrypt", name, *inputs, "--text", ciphertext, "--tag", tag)
    assert opened.split()[-1] == longest["plaintext"]


def refusal(file: Path, name: str, folder: Path, *words: str) -> str:
    """What a bus around a cipher is refused with."""
    command: tuple[str | Path, ...] = ("generate", name, "--interface", "bus", *words)
    done = as_process("--cipher-file", file, *command, "-o", folder)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr.removeprefix("headwater: ")


def test_wide_words_of_text_behind_a_processor(tmp_path: Path) -> None:
    """The radix of a message machine has no influence on how text enters."""
    refused = refusal(FILES["rocca"][0], "rocca", tmp_path / "build")
    assert refused.startswith("rocca must have interface stream or axi4stream, not a processor's: ")
    assert as_process("new-cipher", "mine", "--kind", "message", "-o", tmp_path).returncode == 0
    refused = refusal(tmp_path / "mine.py", "mine", tmp_path / "build", "--option", "width=64")
    must = "option width of mine behind a processor must be 8 or 16 or 32, not 64: words of "
    assert refused.startswith(must)


LAST_OF_1500_WORDS = "e68baaa51d0163d7a0e925bf000168d9c7a49fd873bc625c14b382d26780d223"
"""Of a program that has the two tables of the paper as lists."""


def test_a_long_keystream_changes_both_tables() -> None:
    key, iv = bytes(range(16)).hex(), bytes(range(16, 32)).hex()
    keystream = printed("hc128", "keystream", "hc128", "--key", key, "--iv", iv, "--bits", "48000")
    assert keystream.strip().endswith(LAST_OF_1500_WORDS)


def test_a_cipher_without_iv_needs_none() -> None:
    keystream = printed(
        *("rabbit_without_iv", "keystream", "rabbit_without_iv", "--bits", "128"),
        *("--key", bytes(16).hex()),
    )
    assert keystream.strip() == "02f74a1c26456bf5ecd6a536f05457b1"
    done = as_process(
        *("--cipher-file", FILES["rabbit"][0], "keystream", "rabbit", "--bits", "128"),
        *("--key", bytes(16).hex()),
    )
    assert (done.returncode, done.stderr) == (
        2,
        "headwater: IV must be given as hexadecimal digits\n",
    )
