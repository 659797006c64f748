# SPDX-License-Identifier: Apache-2.0
"""Sources of random bits: the Verilog is the model, the model is the cipher."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import Capture, refused, succeed
from needs import needs_iverilog

from headwater.algebra import bitstring
from headwater.api.ciphers import cipher
from headwater.api.random_bits import RandomBits
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.main import main
from headwater.emit.prng_testbench import prng_cycles
from headwater.errors import InputError
from headwater.kinds.reading import Keystream
from headwater.kinds.stepped.prng.lockup import BitCipher, locking_registers
from headwater.kinds.stepped.prng.model import PrngInputs
from headwater.kinds.stepped.prng.shape import PrngShape

KEY, IV = bytes(range(1, 11)), bytes(range(21, 31))


def simulated(folder: Path, files: dict[str, str]) -> str:
    """What the testbench prints, under Icarus."""
    for name, text in files.items():
        (folder / name).write_text(text)
    used = [name for name in files if not name.endswith("_wrapper.sv")]
    subprocess.run(["iverilog", "-g2012", "-o", "bench", *used], cwd=folder, check=True)
    done = subprocess.run(["vvp", "bench"], cwd=folder, capture_output=True, text=True, check=False)
    told = done.stdout.splitlines()[0]
    assert told.startswith("FAIL" if done.returncode else "PASS")
    return told


@needs_iverilog
@pytest.mark.parametrize(
    ("name", "bits", "instances"),
    [
        ("trivium", 1, 1),
        ("trivium", 3, 1),
        ("trivium", 8, 1),
        ("trivium", 31, 1),
        ("trivium", 64, 1),
        ("trivium", 100, 2),
        ("trivium", 288, 1),
        ("trivium", 800, 13),
        ("trivium", 1024, 1),
        ("bivium", 8, 1),
        ("bivium", 66, 3),
        ("grain_v1", 31, 2),
        ("grain128a", 32, 1),
        ("mickey2", 1, 1),
        ("mickey2", 3, 1),
        ("mickey1", 4, 2),
        ("mickey128", 2, 2),
        ("a51", 8, 2),
    ],
)
def test_the_verilog_is_the_model(tmp_path: Path, name: str, bits: int, instances: int) -> None:
    files = cipher(name).random_bits(bits, instances=instances).files(testbench=True)
    assert simulated(tmp_path, files).startswith("PASS")


@needs_iverilog
@pytest.mark.parametrize(
    ("name", "bits", "instances"),
    [("trivium", 64, 1), ("trivium", 40, 4), ("grain_v1", 8, 2), ("mickey2", 2, 1)],
)
def test_a_reset_acts_at_once(tmp_path: Path, name: str, bits: int, instances: int) -> None:
    """As the model says, and not if it waits for the clock, or words are taken meanwhile."""
    made = cipher(name).random_bits(bits, instances=instances, reset="async")
    files = made.files(testbench=True)
    assert simulated(tmp_path, files).startswith("PASS")
    for file in (f"{made.name}_core.v", f"{made.name}.v"):
        for wrong in (" or posedge rst", " & ~reset"):
            if wrong in files[file]:
                changed = files | {file: files[file].replace(wrong, "")}
                assert simulated(tmp_path, changed).startswith("FAIL")


SUSPENDED = [("trivium", 8, 1, "sync"), ("trivium", 40, 4, "async"), ("grain_v1", 31, 2, "sync")]


@needs_iverilog
@pytest.mark.parametrize(("name", "bits", "instances", "reset"), SUSPENDED)
def test_a_state_is_saved_and_written_back(
    tmp_path: Path, name: str, bits: int, instances: int, reset: str
) -> None:
    """In Verilog as in the model: what comes after the save comes again after the restore."""
    made = cipher(name).random_bits(bits, instances=instances, reset=reset, state_port=True)
    assert simulated(tmp_path, made.files(testbench=True)).startswith("PASS")
    cycles = list(prng_cycles(made.shape))
    last = made.shape.state_words - 1
    (written,) = [
        number
        for number, one in enumerate(cycles)
        if one.given.state_write and one.given.state_word == last and not one.made.valid
    ]
    saved = next(
        number for number, one in enumerate(cycles) if one.given == PrngInputs(state_word=last)
    )
    before, after = cycles[saved + 1 : saved + 41], cycles[written + 1 : written + 41]
    assert before == after
    assert all(one.made.valid for one in after)
    assert len({one.made.prng for one in after}) > 10


@needs_iverilog
@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("_core.v", "hold <= state_in", "hold <= ~state_in"),
        ("_core.v", "state_word == 5'h03) ? b", "state_word == 5'h03) ? ~b"),
        ("_core.v", "state_write && state_word == 5'h01", "state_write && state_word == 5'h0"),
        ("_core.v", "resume && !restart", "resume"),
        (".v", "state_word - 5'd10", "state_word - 5'd9"),
        (".v", "{30'd0, error, prng_valid}", "{30'd0, prng_valid, error}"),
        (".v", "state_write & last_state & state_in[0]", "state_write & last_state"),
    ],
)
def test_the_testbench_sees_faults_of_the_state_port(
    tmp_path: Path, file: str, right: str, wrong: str
) -> None:
    made = cipher("trivium").random_bits(16, instances=2, state_port=True)
    files = made.files(testbench=True)
    assert right in files[made.name + file]
    files[made.name + file] = files[made.name + file].replace(right, wrong)
    assert simulated(tmp_path, files).startswith("FAIL")


UNWATCHED = [
    ("trivium", 64, 1, {}),
    ("trivium", 40, 4, {"state_port": True, "reset": "async"}),
    ("bivium", 31, 1, {"state_port": True}),
    ("mickey2", 3, 2, {}),
]
"""Sources that nothing watches for a state of zeros."""


@needs_iverilog
@pytest.mark.parametrize(("name", "bits", "instances", "more"), UNWATCHED)
def test_a_source_that_nothing_watches(
    tmp_path: Path, name: str, bits: int, instances: int, more: dict[str, Any]
) -> None:
    """In Verilog as in the model, also from a state of zeros, and no port is there for an error."""
    made = cipher(name).random_bits(bits, instances=instances, lockup="none", **more)
    files = made.files(testbench=True)
    assert not [name for name, text in files.items() if re.search(r"\berr(or|_o)\b|lock_", text)]
    assert simulated(tmp_path, files).startswith("PASS")


@pytest.mark.parametrize(("lockup", "stays"), [("none", True), ("watch", False)])
def test_a_state_of_zeros_stays_if_nothing_watches_it(lockup: str, stays: bool) -> None:
    model = cipher("trivium").random_bits(64, lockup=lockup).model()
    while not model.clock(PrngInputs(seed_valid=True, seed=1)).valid:
        pass
    model.zero(1)
    out = [model.clock(PrngInputs(en=True)) for _ in range(20)][-1]
    assert (out.valid, out.prng == 0, out.error) == (True, stays, not stays)


@needs_iverilog
@pytest.mark.parametrize(
    "more",
    [{}, {"reset": "async"}, {"reset": "async", "state_port": True}, {"lockup": "none"}],
)
def test_icarus_has_no_warning(tmp_path: Path, more: dict[str, Any]) -> None:
    made = cipher("trivium").random_bits(40, instances=4, **more)
    for name, text in made.files().items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        ["iverilog", "-Wall", "-g2012", "-t", "null", *made.files()],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout + done.stderr == ""


@needs_iverilog
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("locked_a_b_c <= running & ", "locked_a_b_c <= 1'b0 & "),
        ("failed <= failed | locked_a_b_c", "failed <= locked_a_b_c"),
        ("offered <= running", "offered <= running | last_blank"),
        ("load_fire ? load_payload", "load_valid ? load_payload"),
        ("keystream_ready | ~offered", "keystream_ready"),
        ("z = t2 ^ t1 ^ t3", "z = t2 ^ t1"),
    ],
)
def test_the_testbench_sees_faults(tmp_path: Path, right: str, wrong: str) -> None:
    made = cipher("trivium").random_bits(31)
    files = made.files(testbench=True)
    core = f"{made.name}_core.v"
    assert right in files[core]
    files[core] = files[core].replace(right, wrong)
    assert simulated(tmp_path, files).startswith("FAIL")


CYCLES = 12


def words_made(made: RandomBits, seed: list[int]) -> list[int]:
    """The first words after a seed, of a source that is asked in each cycle."""
    model, waiting, found = made.model(), list(seed), list[int]()
    while len(found) < CYCLES:
        given = PrngInputs(en=True, seed_valid=bool(waiting), seed=waiting[0] if waiting else 0)
        out = model.clock(given)
        if waiting and out.seed_ready:
            waiting.pop(0)
        if out.valid:
            found.append(out.prng)
    return found


def keystream_of(name: str, key: bytes, iv: bytes, bits: int) -> int:
    """The bits of a core so many bits wide: the cipher's, but for those that fill the last cycle of
    the setup."""
    plain = CATALOGUE[name]
    assert isinstance(plain, BitCipher)
    keystream = Keystream(plain, key=key, iv=iv)
    keystream.skip(-plain.blank_steps % bits)
    return bitstring.from_bytes(keystream.read(bits * CYCLES), plain.bit_order)


@pytest.mark.parametrize(
    ("name", "bits", "iv_bytes"),
    [
        ("trivium", 5, 10),
        ("bivium", 59, 10),
        ("grain_v1", 31, 8),
        ("mickey2", 1, 10),
        ("mickey2", 7, 10),
        ("mickey1", 8, 10),
        ("a51", 3, 3),
    ],
)
def test_a_seed_is_key_and_iv(name: str, bits: int, iv_bytes: int) -> None:
    made = cipher(name).random_bits(bits)
    key, iv = KEY[: made.shape.cipher.key_bits // 8], IV[:iv_bytes]
    words = words_made(made, made.seed(key, iv))
    found = sum(word << bits * number for number, word in enumerate(words))
    assert found == keystream_of(name, key, iv, bits)


@pytest.mark.parametrize(
    ("name", "bits", "other"),
    [
        ("trivium", 20, bytes(9) + b"\x80"),
        ("grain_v1", 16, bytes(7) + b"\x80"),
        ("mickey2", 4, b"\x10" + bytes(9)),
        ("a51", 4, b"\0\0\x20"),
    ],
)
def test_the_number_of_an_instance_is_added_to_its_iv(name: str, bits: int, other: bytes) -> None:
    """That of the second of two, to the last bit of a load word: of the last word, or of the first
    one in MICKEY, whose IV enters first."""
    made = cipher(name).random_bits(2 * bits, instances=2)
    key, iv = KEY[: made.shape.cipher.key_bits // 8], bytes(len(other))
    words = words_made(made, made.seed(key, iv))
    for core, its_iv in enumerate((iv, other)):
        found = sum(
            (word >> bits * core & (1 << bits) - 1) << bits * number
            for number, word in enumerate(words)
        )
        assert found == keystream_of(name, key, its_iv, bits)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("trivium", (("a", "b", "c"),)),
        ("bivium", (("a", "b"),)),
        ("grain_v1", (("s",),)),
        ("mickey2", (("r",),)),
        ("a51", (("r1",), ("r2",), ("r3",))),
    ],
)
def test_registers_that_lock_up(name: str, found: tuple[tuple[str, ...], ...]) -> None:
    described = CATALOGUE[name]
    assert isinstance(described, BitCipher)
    assert locking_registers(described) == found


def test_instances_by_number_of_bits() -> None:
    for bits in (*range(1, 20), 33, 288, 289, 576, 577, 1023, 1024):
        shape = PrngShape.choose(CATALOGUE["trivium"], bits)
        made = shape.instances * shape.architecture.radix
        assert bits <= made < bits + shape.instances
        assert shape.instances == -(-bits // 288)


def test_generate(capsys: Capture, tmp_path: Path) -> None:
    words = ("trivium", "--random-bits", "4", "--interface", "prng")
    printed = succeed(capsys, "generate", *words, "-o", tmp_path)
    names = [Path(line).name for line in printed.splitlines()]
    assert names == ["trivium_prng4_core.v", "trivium_prng4.v", "trivium_prng4_wrapper.sv"]
    succeed(capsys, "generate", *words, "-o", tmp_path)
    before = {path: path.read_text() for path in tmp_path.iterdir()}
    for other in (["--lockup", "none"], ["--reset", "async"], ["--state-port"]):
        message = (
            f"{tmp_path}/trivium_prng4_core.v must be a file that was generated for the same core "
            "and not changed since, but is not; --force replaces it"
        )
        refused(capsys, ("generate", *words, *other, "-o", tmp_path), message)
    assert {path: path.read_text() for path in tmp_path.iterdir()} == before


def test_the_head_says_which_bits_are_the_seed() -> None:
    made = cipher("grain128a").random_bits(64)
    head = " ".join(made.files()["grain128a_prng64.v"].replace("//", " ").split())
    assert "lane 0 the key, lane 1 the IV" in head
    assert "lane 1 from bit 32 on" in head
    loads = made.seed(bytes(16), b"\xff" * 12)
    assert [word >> 32 for word in loads] == [0, *[0xFFFFFFFF] * 3]


@pytest.mark.parametrize("given", ["64", None, True, 8.0])
def test_numbers_of_the_library_are_whole(given: Any) -> None:
    with pytest.raises(InputError, match=r"^random bits must be between 1 and 1024, not "):
        cipher("trivium").random_bits(given)


@pytest.mark.parametrize(
    ("bits", "instances", "more"),
    [
        (31, 1, {}),
        (800, 13, {}),
        (40, 4, {"reset": "async", "state_port": True}),
        (40, 4, {"lockup": "none"}),
        (40, 4, {"lockup": "none", "state_port": True}),
    ],
)
def test_a_core_file_and_what_its_style_check_passes_over(
    tmp_path: Path, bits: int, instances: int, more: dict[str, Any]
) -> None:
    """Verible finds fault with constants of the core alone, and with the waivers not with them."""
    made = cipher("trivium").random_bits(bits, instances=instances, **more)
    rtl, files = list(made.files()), made.files(testbench=True, fusesoc=True)
    core_file = files[f"{made.name}.core"]
    assert all(f"- {name}\n" in core_file for name in files if not name.endswith(".core"))
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    def found(*more: str) -> list[str]:
        lint = [Path(sys.executable).with_name("verible-verilog-lint"), *more, *rtl]
        done = subprocess.run(
            lint,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.stdout.splitlines()

    assert found(f"--waiver_files={made.name}.vbl") == []
    faults = found()
    assert bool(faults) == ("localparam" in files[f"{made.name}_core.v"])
    assert all(line.startswith(f"{made.name}_core.v:") for line in faults)


@pytest.mark.parametrize(("told", "status"), [("PASS: 9 cycles", 0), ("FAIL: cycle 3", 1)])
def test_verify(monkeypatch: pytest.MonkeyPatch, capsys: Capture, told: str, status: int) -> None:
    """Lint is real here; a simulator of Verilator takes long to compile."""
    monkeypatch.setattr("headwater.verify.prng.simulated", lambda _top, _files: told)
    assert (
        main(["verify", "trivium", "--random-bits", "31", "--instances", "2", "--json"]) == status
    )
    lint, cycles, in_c = json.loads(capsys.readouterr().out)
    assert (lint["check"], lint["failures"]) == ("lint", [])
    assert cycles["failures"] == ([told] if status else [])
    assert (in_c["engine"], in_c["passed"], in_c["failed"], in_c["skipped"]) == ("c", 1, 0, 0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("generate", "trivium", "-o", "o", "--interface", "prng"),
            "--interface prng must come with --random-bits, its bits per cycle",
        ),
        (
            ("generate", "trivium", "-o", "o", "--random-bits", "8"),
            "--random-bits must come with --interface prng",
        ),
        (
            ("generate", "trivium", "-o", "o", "--random-bits", "0"),
            "--random-bits must come with --interface prng",
        ),
        (("verify", "trivium", "--instances", "8"), "--instances must come with --random-bits"),
        (
            ("verify", "trivium", "--random-bits", "1025"),
            "random bits must be between 1 and 1024, not 1025",
        ),
        (
            ("verify", "trivium", "--random-bits", "800", "--instances", "801"),
            "instances of trivium for 800 bits must be between 1 and 800, not 801",
        ),
        (
            ("verify", "trivium", "--random-bits", "8", "--instances", "8"),
            (
                "instances of trivium, numbered in the IV bits of a load word, must be between 1 "
                "and 2, not 8"
            ),
        ),
        (
            ("verify", "trivium", "--random-bits", "8", "--seed-width", "16"),
            "seed width must be 32 or 64, not 16",
        ),
        (
            ("verify", "trivium", "--random-bits", "8", "--reset", "asnyc"),
            "reset must be one of sync, async, not 'asnyc' (did you mean 'async'?)",
        ),
        (("verify", "trivium", "--reset", "async"), "--reset must come with --random-bits"),
        (
            ("verify", "trivium", "--random-bits", "8", "--lockup", "no"),
            "lockup must be one of watch, none, words, not 'no' (did you mean 'none'?)",
        ),
        (("evaluate", "trivium", "--lockup", "none"), "--lockup must come with --random-bits"),
        (
            ("generate", "trivium", "-o", "o", "--state-port"),
            "--state-port must come with --interface prng",
        ),
        (
            ("verify", "trivium", "--random-bits", "8", "--prove", "--jobs", "2"),
            "--jobs must come without --random-bits; its proofs are one after the other",
        ),
        (
            ("generate", "trivium", "-o", "o", "--properties"),
            "--properties must come with --interface prng",
        ),
        (
            ("verify", "trivium", "--random-bits", "8", "--radix", "8"),
            (
                "--radix must come without --random-bits; it follows from the number of bits and "
                "instances"
            ),
        ),
        (
            ("verify", "zuc", "--random-bits", "8"),
            (
                "cipher of interface prng must be one of registers that make a bit in each step; "
                "zuc is not"
            ),
        ),
        (
            (
                "generate",
                "mickey2",
                "-o",
                "o",
                "--interface",
                "prng",
                "--random-bits",
                "8",
                "--state-port",
            ),
            (
                "cipher of a state port must be one into which key and IV are placed, so that a "
                "seed replaces a state that was written; those of mickey2 go through its steps"
            ),
        ),
        (
            ("generate", "grain128aead", "-o", "o", "--interface", "prng", "--random-bits", "8"),
            (
                "cipher of interface prng must be one whose every output bit is keystream; of "
                "grain128aead others authenticate"
            ),
        ),
        (
            ("verify", "lizard", "--random-bits", "8"),
            (
                "cipher of interface prng must be one whose setup uses the registers of its state "
                "alone and rewrites none; lizard is not"
            ),
        ),
    ],
)
def test_refusals(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    refused(capsys, words, message)
