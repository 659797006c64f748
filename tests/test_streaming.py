# SPDX-License-Identifier: Apache-2.0
"""Long keystream and long texts are made piece by piece, in memory that does not grow."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from stored import Capture, result

from headwater.algebra import bitstring
from headwater.api.operations import Operations
from headwater.cipher.catalogue import find
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog
from headwater.errors import InputError
from headwater.measure.store import open_store
from headwater.verify import engine
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.segments import Segment

KEY, IV = "00112233445566778899", "0123456789abcdef0123"
SECRET = ("trivium", "--key", KEY, "--iv", IV)
MOST_MB = 100.0


@pytest.mark.parametrize(
    ("name", "radix"), [("trivium", 1), ("trivium", 7), ("a51", 3), ("chacha20", 32)]
)
def test_pieces_of_simulated_words_are_the_keystream(
    monkeypatch: pytest.MonkeyPatch, name: str, radix: int
) -> None:
    """Against the model: pieces of 24 bits, at places and of lengths that are no whole words."""
    monkeypatch.setattr(engine, "PIECE_BITS", 24)
    cipher = find(name)
    simulated = RtlEngine(cipher, Architecture.choose(cipher, radix=radix))
    choice = random.Random(radix)
    (*_, iv_bits), order = cipher.iv_bits, cipher.input_order or cipher.bit_order
    for offset, bits in ((0, 1), (0, 24), (5, 100), (513, 77), (radix, 24 * radix), (1023, 1)):
        iv = bitstring.to_bytes(choice.getrandbits(iv_bits), iv_bits, order)
        segment = Segment(choice.randbytes(cipher.key_bits // 8), iv, offset, bits, iv_bits)
        pieces = list(simulated.pieces(segment))
        assert [len(piece) for piece in pieces[:-1]] == [3] * (-(-bits // 24) - 1)
        assert b"".join(pieces) == ModelEngine(cipher).run([segment])[0]


MEASURE = """
import os, subprocess, sys
with open(sys.argv[1], "wb") as printed:
    process = subprocess.Popen([sys.executable, "-m", "headwater", *sys.argv[2:]], stdout=printed)
_, status, usage = os.wait4(process.pid, 0)
print(status, usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10))
"""
"""A small process that starts the command: Linux counts the memory of who starts one as its own."""


def peak_mb(*words: str, folder: Path) -> float:
    """The most memory that a command had."""
    printed = subprocess.run(
        [sys.executable, "-c", MEASURE, str(folder / "printed"), *words],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    status, peak = printed.stdout.split()
    assert status == "0"
    return float(peak)


def test_memory_of_a_long_simulation_at_radix_1(tmp_path: Path) -> None:
    words = ("keystream", *SECRET, "--engine", "rtl", "--radix", "1", "--bits", "2000000")
    assert peak_mb(*words, folder=tmp_path) < MOST_MB
    assert (tmp_path / "printed").stat().st_size == 500_001


def test_memory_of_a_verb_that_reads_a_large_store(tmp_path: Path) -> None:
    """Only what is asked for leaves the file."""
    path = tmp_path / "store"
    with open_store(path) as store:
        store.keep(result("1"))
        for number in range(8):
            store.keep_rtl(f"{number}", Verilog("core", 10_000_000 * "x", ()))
    assert path.stat().st_size > 80_000_000
    assert peak_mb("results", "list", "--store", str(path), folder=tmp_path) < MOST_MB
    assert "trivium" in (tmp_path / "printed").read_text()


def test_memory_of_a_long_text(tmp_path: Path) -> None:
    text, other, again = (tmp_path / name for name in ("text", "other", "again"))
    data = random.Random(1).randbytes(32_000_000)
    text.write_bytes(data)
    one = ("encrypt", *SECRET, "--in", str(text), "--out", str(other))
    assert peak_mb(*one, folder=tmp_path) < MOST_MB
    two = ("decrypt", *SECRET, "--in", str(other), "--out", str(again))
    assert peak_mb(*two, folder=tmp_path) < MOST_MB
    assert again.read_bytes() == data
    assert other.read_bytes() != data


@pytest.mark.parametrize("length", [0, 1, 511, 512, 513, 5000])
def test_text_of_a_file_is_encrypted_as_one_in_memory(
    tmp_path: Path, capsys: Capture, length: int
) -> None:
    text, other = tmp_path / "text", tmp_path / "other"
    text.write_bytes(random.Random(length).randbytes(length))
    assert main(["encrypt", *SECRET, "--in", str(text), "--out", str(other), "--json"]) == 0
    assert f'"bits": {8 * length}' in capsys.readouterr().out
    assert main(["encrypt", *SECRET, "--text", text.read_bytes().hex()]) == 0
    assert capsys.readouterr().out == f"ciphertext {other.read_bytes().hex()}".rstrip() + "\n"


def test_text_may_be_replaced_by_the_other(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_bytes(bytes(10_000))
    words = (*SECRET, "--in", str(text), "--out", str(text))
    assert main(["encrypt", *words]) == 0
    assert text.read_bytes() != bytes(10_000)
    assert main(["decrypt", *words]) == 0
    assert text.read_bytes() == bytes(10_000)


def test_text_that_becomes_shorter_is_a_sentence() -> None:
    cipher = find("trivium")
    operations = Operations(cipher, ModelEngine)
    pieces = operations.with_keystream(
        bytes.fromhex(KEY), bytes.fromhex(IV), io.BytesIO(bytes(99)), 100
    )
    with pytest.raises(InputError, match=r"^the text must not become shorter while it is read$"):
        list(pieces)


def test_failure_in_the_middle_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    text, other = tmp_path / "text", tmp_path / "other"
    text.write_bytes(bytes(1000))
    other.write_bytes(b"before")
    monkeypatch.setattr(os, "fstat", lambda _: os.stat_result((0o100600, *[0] * 5, 2000, 0, 0, 0)))
    assert main(["encrypt", *SECRET, "--in", str(text), "--out", str(other)]) == 2
    assert "must not become shorter" in capsys.readouterr().err
    assert other.read_bytes() == b"before"
    assert len(list(tmp_path.iterdir())) == 2
