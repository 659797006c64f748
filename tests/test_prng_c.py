# SPDX-License-Identifier: Apache-2.0
"""The C of a source of random bits makes the cycles of its Verilog and of its model."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from command_line import Capture, succeed
from verilated import UNOPTIMISED

from headwater.api.ciphers import cipher
from headwater.api.random_bits import RandomBits
from headwater.flow import verilator
from headwater.flow.process import run_tool
from headwater.verify.prng_c import c_faults

BENCH = Path(__file__).with_name("prng_bench.cpp")
CYCLES = 4000


@pytest.mark.parametrize(
    ("name", "bits", "instances"),
    [("bivium", 64, 2), ("grain_v1", 8, 1)],
)
def test_verilog_and_c_make_the_same_cycles(
    tmp_path: Path, name: str, bits: int, instances: int
) -> None:
    """Under Verilator; and a C with an inverted bit does not."""
    made = cipher(name).random_bits(bits, instances=instances)
    files = made.files(c_model=True)
    differences, cycles, offered, failed = side_by_side(tmp_path, made, files)
    assert (differences, cycles) == (0, CYCLES)
    assert offered > CYCLES / 4
    assert 0 < failed < offered
    files[f"{made.name}.c"] = files[f"{made.name}.c"].replace(" ^ ", " ^ 1 ^ ", 1)
    differences, *_ = side_by_side(tmp_path, made, files)
    assert differences


def side_by_side(folder: Path, made: RandomBits, files: dict[str, str]) -> list[int]:
    """The numbers that the bench prints: differences, cycles, bits offered, errors told."""
    for file, text in files.items():
        (folder / file).write_text(text)
    (folder / "names.h").write_text(names(made))
    shutil.copy(BENCH, folder)
    run_tool(
        ["gcc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-c", f"{made.name}.c"],
        cwd=folder,
    )
    program = folder / "made" / "Vdut"
    if program.exists():
        program.unlink()
        run_tool(["make", "-C", "made", "-f", "Vdut.mk", "Vdut"], cwd=folder)
    else:
        verilog = [name for name in files if name.endswith(".v")]
        run_tool(
            [
                *verilator.verilator(),
                "--cc",
                "--exe",
                "--build",
                "-j",
                "1",
                "--Mdir",
                "made",
                "--prefix",
                "Vdut",
                "--top-module",
                made.name,
                "--public-flat-rw",
                "-CFLAGS",
                f"-O0 -I{folder}",
                "-MAKEFLAGS",
                UNOPTIMISED,
                *verilog,
                BENCH.name,
                f"../{made.name}.o",
            ],
            cwd=folder,
        )
    return [int(number) for number in re.findall(r"\d+", run_tool([program], cwd=folder))]


def names(made: RandomBits) -> str:
    """What the bench is compiled with."""
    shape, top = made.shape, made.name
    state = [
        (number, register.name)
        for number in range(shape.instances)
        for register in shape.cipher.registers
    ]
    places = [
        place
        for number, name in state
        for place in (
            f"dut.rootp->{top}__DOT__core_{number}__DOT__{name}",
            f"state.core[{number}].{name}",
        )
    ]
    zeros = " ".join(f"std::memset(&{place}, 0, sizeof {place});" for place in places)
    kinds = {"STATE": "state", "INPUTS": "inputs", "OUTPUTS": "outputs", "STEP": "step"}
    defined = {
        "CYCLES": CYCLES,
        "SEED_WIDTH": shape.seed_width,
        "ZERO": zeros,
        **{name: f"{top}_{kind}" for name, kind in kinds.items()},
    }
    return "".join(
        (
            '#include "Vdut.h"\n#include "Vdut___024root.h"\n',
            f'#include "{top}.h"\n',
            *(f"#define {name} {value}\n" for name, value in defined.items()),
        )
    )


@pytest.mark.parametrize(
    ("name", "bits", "instances"),
    [
        ("trivium", 1, 1),
        ("trivium", 31, 1),
        ("trivium", 100, 2),
        ("trivium", 288, 1),
        ("trivium", 800, 13),
        ("bivium", 66, 3),
        ("grain_v1", 31, 2),
        ("grain128a", 32, 1),
        ("mickey2", 3, 1),
        ("a51", 4, 2),
    ],
)
def test_the_c_is_the_model(name: str, bits: int, instances: int) -> None:
    assert not list(c_faults(cipher(name).random_bits(bits, instances=instances).shape))


@pytest.mark.parametrize("instances", [1, 4])
def test_a_reset_that_acts_at_once(instances: int) -> None:
    """Also where seed words have parts; and a C that ignores it is seen."""
    made = cipher("trivium").random_bits(40, instances=instances, reset="async")
    assert not list(c_faults(made.shape))
    files, source = made.files(c_model=True), f"{made.name}.c"
    text = {name: files[name] for name in (f"{made.name}.h", source)}
    masked = {" && !in.rst": ""} if instances == 1 else {}
    faults = {"state->offered = 0x0ULL": "", "state->held = 3": "state->held = 0", **masked}
    for right, wrong in faults.items():
        assert right in text[source]
        changed = text | {source: text[source].replace(right, wrong)}
        assert next(c_faults(made.shape, changed), None) is not None


@pytest.mark.parametrize("state_port", [False, True])
def test_a_source_that_nothing_watches(state_port: bool) -> None:
    made = cipher("trivium").random_bits(40, instances=4, state_port=state_port, lockup="none")
    assert "error" not in "".join(made.files(c_model=True).values())
    assert not list(c_faults(made.shape))


@pytest.mark.parametrize(("name", "instances"), [("trivium", 1), ("trivium", 4), ("grain_v1", 2)])
def test_a_state_is_saved_and_written_back(name: str, instances: int) -> None:
    """As the model does it; and a C with a fault is seen."""
    made = cipher(name).random_bits(40, instances=instances, state_port=True)
    assert not list(c_faults(made.shape))
    files, source = made.files(c_model=True), f"{made.name}.c"
    text = {name: files[name] for name in (f"{made.name}.h", source)}
    for right in ("out->state_out |= made.state_out", "in.state_write = ", "out->error << 1 | "):
        assert right in text[source]
        wrong = text | {
            source: text[source].replace(right, right.replace("=", "= 0 &") if "=" in right else "")
        }
        assert next(c_faults(made.shape, wrong), None) is not None


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("next.locked_a_b_c = state", "next.locked_a_b_c = 0 & state"),
        ("number * 20", "number * 19"),
        ("in.number = number", "in.number = 0"),
        ("& 0xffffffffffULL", "& 0x7fffffffffULL"),
        ("out->error |=", "out->error ="),
        ("given->restart & 1", "0"),
        ("given->rst & 1", "0"),
        ("state->part == 2", "state->part == 1"),
    ],
)
def test_a_wrong_c_is_seen(right: str, wrong: str) -> None:
    """Words of a seed have three parts in the last case."""
    instances = 2 if "part" not in right else 4
    made = cipher("trivium").random_bits(40, instances=instances)
    files = made.files(c_model=True)
    source = f"{made.name}.c"
    text = {name: files[name] for name in (f"{made.name}.h", source)}
    assert right in text[source]
    text[source] = text[source].replace(right, wrong, 1)
    assert next(c_faults(made.shape, text), None) is not None


def test_generate_writes_c_beside_verilog(capsys: Capture, tmp_path: Path) -> None:
    words = ("trivium", "--random-bits", "4", "--interface", "prng", "--c-model")
    printed = succeed(capsys, "generate", *words, "-o", tmp_path)
    written = [Path(line).name for line in printed.splitlines()]
    assert "trivium_prng4.v" in written
    assert written[-2:] == ["trivium_prng4.h", "trivium_prng4.c"]


def test_the_program_of_the_document(tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "docs" / "random-bits.md").read_text()
    (block,) = re.findall(r"^```c\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    program = f'#include "trivium_prng64.h"\nint main(void) {{{block}return (int)outputs.error;}}\n'
    for file, made in cipher("trivium").random_bits(64).files(c_model=True).items():
        (tmp_path / file).write_text(made)
    (tmp_path / "main.c").write_text(program)
    run_tool(
        [
            "gcc",
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-o",
            "main",
            "main.c",
            "trivium_prng64.c",
        ],
        cwd=tmp_path,
    )
    run_tool([tmp_path / "main"], cwd=tmp_path)
