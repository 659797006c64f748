# SPDX-License-Identifier: Apache-2.0
"""What the command line refuses, and how."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from command_line import (
    IV,
    OPTIONS,
    Capture,
    as_process,
    refused,
    vector,
    write_vectors,
)

from headwater.cipher.catalogue import CATALOGUE
from headwater.cli import progress
from headwater.cli.main import main
from headwater.cli.parser import VERBS
from headwater.interface import INTERFACES
from headwater.measure.parts import PARTS
from headwater.measure.target import TARGETS


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
KNOWN = ", ".join(CATALOGUE)
LEGAL_VERBS = ", ".join(VERBS)
LEGAL = ", ".join(OPTIONS)
CELLS = ", ".join(name for name, one in TARGETS.items() if one.kind == "standard cells")
PLACED = ", ".join(one.name for one in PARTS if one.is_placed)


A51_FRAME = ("keystream", "a51", "--key", "00" * 8, "--bits", "8", "--frame")
A51_TDMA = (*A51_FRAME[:-1], "--tdma-frame")


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
        (
            ("keystream", "trivium", "--bits", "8"),
            (
                "one of the arguments --key --key-file --state --state-file is required; "
                "see: headwater keystream --help"
            ),
        ),
        (
            keystream(IV, IV, "8", "--cipher-file", "mine.py"),
            "--cipher-file must come before the verb, not behind it",
        ),
        (
            ("show", "trivium", "--option", "stall=none", "--option", "stall=stream"),
            "option stall must be given once, not as none and stream",
        ),
        (keystream(bits="0"), "bits must be at least 1, not 0"),
        (
            keystream(IV, "00" * 4, "8", "--iv-bits", "80"),
            "iv-bits must be those of an IV of 4 bytes, 25 to 32, not 80",
        ),
        (keystream(IV, IV, "8", "--iv-bits", "79"), f"IV of trivium {IV_LENGTHS}, not 79 bits"),
        (keystream(IV, "", "8", "--iv-bits", "-1"), "iv-bits must be at least 0, not -1"),
        (
            keystream(IV, IV, "8", "--nonce", IV),
            ("argument --nonce: not allowed with argument --iv; see: headwater keystream --help"),
        ),
        (
            keystream(IV, IV, "8", "--frame", "1"),
            ("argument --frame: not allowed with argument --iv; see: headwater keystream --help"),
        ),
        (
            ("keystream", "trivium", "--key", IV, "--frame", "1", "--bits", "8"),
            "--frame must be given for a51 or a53 only, not for trivium",
        ),
        ((*A51_FRAME, "4194304"), "frame must be between 0 and 4194303, not 4194304"),
        ((*A51_TDMA, "2715648"), "tdma-frame must be between 0 and 2715647, not 2715648"),
        ((*A51_TDMA, "-1"), "tdma-frame must be between 0 and 2715647, not -1"),
        (
            (*A51_TDMA, "1", "--iv-bits", "22"),
            "--iv-bits must be given with an IV only, not with --tdma-frame",
        ),
        (
            (*A51_TDMA, "1", "--frame", "1"),
            ("--tdma-frame takes the place of --iv and --frame, so it must stand alone"),
        ),
        (
            ("keystream", "a51", "--key", "00" * 7, "--bits", "8", "--tdma-frame", "1"),
            (
                "key of a51 must be 64 bits (16 hex digits), not 56 bits; Kc is given with its "
                "last byte first"
            ),
        ),
        (
            ("keystream", "trivium", "--key", IV, "--tdma-frame", "1", "--bits", "8"),
            "--tdma-frame must be given for a51 or a53 only, not for trivium",
        ),
        ((*A51_FRAME, "-1"), "frame must be between 0 and 4194303, not -1"),
        (
            (*A51_FRAME, "1", "--iv-bits", "22"),
            "--iv-bits must be given with an IV only, not with --frame",
        ),
        (
            keystream(IV, IV, "8", "--key-length", "5"),
            "--key-length must be given for e0 only, not for trivium",
        ),
        (
            (
                "keystream",
                "e0",
                "--key",
                "00" * 16,
                "--iv",
                IV,
                "--bits",
                "8",
                "--key-length",
                "17",
            ),
            "effective key length of e0 must be 1 to 16 bytes, not 17",
        ),
        (
            ("keystream", "grain128a-ae", "--key", "00" * 16, "--iv", "00" * 12, "--bits", "8"),
            "bit 0 of the IV of grain128a-ae must be 1, not 0",
        ),
        (
            (
                "keystream",
                "grain128aead",
                "--key",
                "00" * 16,
                "--iv",
                "00" * 12,
                "--bits",
                "8",
                "--radix",
                "3",
            ),
            "radix of grain128aead must be one of 1, 2, 4, 8, 16, 32, 64, not 3",
        ),
        (keystream(bits="-8"), "bits must be at least 1, not -8"),
        (keystream(IV, IV, "8", "--offset", "-1"), "offset must be at least 0, not -1"),
        (
            keystream(bits="many"),
            (
                "argument --bits: must be a whole number, not 'many'; "
                "see: headwater keystream --help"
            ),
        ),
        (
            keystream(bits="1e3"),
            ("argument --bits: must be a whole number, not '1e3'; see: headwater keystream --help"),
        ),
        (
            keystream(IV, IV, "8", "--engine", "rtk"),
            "engine must be one of fast, model, rtl, c, not 'rtk' (did you mean 'rtl'?)",
        ),
        (
            keystream(IV, IV, "8", "--radix", "1025"),
            "radix of trivium must be between 1 and 1024, not 1025",
        ),
        (
            ("shwo", "trivium"),
            (f"verb must be one of {LEGAL_VERBS}, not 'shwo' (did you mean 'show'?)"),
        ),
        (
            ("show", "trivium", "--radx", "8"),
            "show has no option --radx (did you mean '--radix'?); see: headwater show --help",
        ),
        (
            ("results", "list", "--ciper=trivium"),
            (
                "results list has no option --ciper "
                "(did you mean '--cipher'?); see: headwater results list --help"
            ),
        ),
        (
            ("results", "lst"),
            (
                "action must be one of list, show, export, diff, replicate, "
                "check, repair, merge, not 'lst' (did you mean 'list'?)"
            ),
        ),
        (
            ("reproduce", "all", "--subset", "quik"),
            "subset must be one of quick, all, not 'quik' (did you mean 'quick'?)",
        ),
        (
            ("show", "triviun"),
            (f"cipher must be one of {KNOWN}, not 'triviun' (did you mean 'trivium'?)"),
        ),
        (("show", "xyz"), f"cipher must be one of {KNOWN}, not 'xyz'"),
        (("show", "trivium", "--radix", "0"), "radix of trivium must be between 1 and 1024, not 0"),
        (
            ("show", "trivium", "--load-width", "161"),
            "load width of trivium must be between 1 and 160, not 161",
        ),
        (
            ("show", "trivium", "--option", "stal=none"),
            f"option of trivium must be one of {LEGAL}, not 'stal' (did you mean 'stall'?)",
        ),
        (
            ("show", "trivium", "--option", "stall=streem"),
            "option stall must be one of stream, none, not 'streem' (did you mean 'stream'?)",
        ),
        (
            ("show", "trivium", "--option", "stall"),
            "option must be of the form NAME=VALUE, not 'stall'",
        ),
        (
            ("list", "cipher"),
            (
                "list must be one of ciphers, services, targets, interfaces, boards, "
                "options, sboxes, not 'cipher' (did you mean 'ciphers'?)"
            ),
        ),
        (
            ("list", "options"),
            "list options must be followed by a cipher: headwater list options CIPHER",
        ),
        (("list", "targets", "trivium"), "list targets takes no cipher, not 'trivium'"),
        (
            ("generate", "trivium"),
            "the following arguments are required: -o/--output; see: headwater generate --help",
        ),
        (
            ("generate", "trivium", "-o", "out", "--interface", "steam"),
            (
                f"interface must be one of {', '.join(INTERFACES)}, not 'steam' "
                "(did you mean 'stream'?)"
            ),
        ),
        (
            ("generate", "trivium", "-o", "out", "--radix", "1300"),
            "radix of trivium must be between 1 and 1024, not 1300",
        ),
        (("generate", "trivium", "-o", "file"), "output must be a folder, not the file file"),
        (
            ("verify", "trivium", "--radix", "8;16"),
            "radix must be whole numbers with commas between, or all, not '8;16'",
        ),
        (
            ("verify", "trivium", "--vectors", "missing.json"),
            "vector file missing.json cannot be read: No such file or directory",
        ),
        (("verify", "trivium", "--vectors", "."), "vector file . cannot be read: Is a directory"),
        (
            ("evaluate", "trivium", "--target", "ecp5-25"),
            f"target must be one of {', '.join(TARGETS)}, not 'ecp5-25' (did you mean 'ecp5-25k'?)",
        ),
        (
            ("evaluate", "trivium,triviom"),
            (f"cipher must be one of {KNOWN}, not 'triviom' (did you mean 'trivium'?)"),
        ),
        (
            ("evaluate", "trivium", "--radix", "8,,16"),
            "radix must be whole numbers with commas between, or all, not '8,,16'",
        ),
        (
            ("evaluate", "trivium", "--radix", "1400,1500"),
            "radix of trivium must be between 1 and 1024, not 1400",
        ),
        (("evaluate", "trivium", "--seeds", "0"), "seeds must be between 1 and 1000, not 0"),
        (
            ("evaluate", "trivium", "--target", "xc7,osu018", "--seeds", "5"),
            (
                f"seeds must come with a target that is placed and routed (one of {PLACED}), "
                "not with xc7, osu018"
            ),
        ),
        (
            ("evaluate", "trivium", "--recipe", "yosys"),
            f"recipe must come with a target of standard cells (one of {CELLS}), not with ecp5-25k",
        ),
        (
            ("optimize", "trivium", "--clock-mhz", "100"),
            (
                f"clock MHz must come with a target of standard cells (one of {CELLS}), "
                "not with ecp5-25k"
            ),
        ),
        (("evaluate", "trivium", "--jobs", "0"), "jobs must be at least 1, not 0"),
        (
            ("reproduce", "eth", "--layout", "--time-limit", "0"),
            "time limit must be a positive number of seconds, at most 1e+07, not 0",
        ),
        (
            ("choose", "--measure", "--time-limit", "inf"),
            "time limit must be a positive number of seconds, at most 1e+07, not inf",
        ),
        (
            ("evaluate", "trivium", "--scheduler="),
            "scheduler must be the address of a running Dask scheduler, not ''",
        ),
        (
            ("reproduce", "all", "--scheduler="),
            "scheduler must be the address of a running Dask scheduler, not ''",
        ),
        (
            ("evaluate", "trivium", "--liberty", "missing.lib"),
            "library must be a readable liberty file, not missing.lib: No such file or directory",
        ),
        (("doctor", "now"), "doctor has fewer words; see: headwater doctor --help"),
    ],
)
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


@pytest.mark.parametrize(
    ("words", "column"),
    [
        (("--target", "ecp5-25k"), "GE"),
        (("--target", "osu018"), "LUT"),
        (("--target", "osu018,ecp5-25k"), "die um2"),
        (("--target", "spartan3"), "no other beats it"),
    ],
)
def test_refused_columns_that_targets_do_not_have(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], column: str
) -> None:
    monkeypatch.delattr(progress, "evaluate_all")
    assert main(["evaluate", "trivium", *words, "--columns", f"cipher,{column}"]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("headwater: column must be one of cipher, target, radix, ")
    assert f", not {column!r}" in printed.err
    assert printed.out == ""


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
    refused(capsys, words, f"{folder / 'rtl'} cannot be written: Permission denied")


def test_refused_where_the_file_is_a_folder(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "trivium_r1.v"
    folder.mkdir()
    words = ("generate", "trivium", "-o", tmp_path)
    refused(capsys, words, f"output must be a file, not {folder}")
    assert contents(tmp_path) == {folder: None}


def test_refused_as_a_process(tmp_path: Path) -> None:
    done = as_process(*keystream(key="5ec7e7"))
    message = f"headwater: key of trivium {LENGTH}, not 24 bits\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
    done = as_process("generate", "triviom", "-o", tmp_path / "out")
    message = f"cipher must be one of {KNOWN}, not 'triviom'"
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
