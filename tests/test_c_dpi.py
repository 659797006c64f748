# SPDX-License-Identifier: Apache-2.0
"""The wrapper of a C model for SystemVerilog, and the command line of C models."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from command_line import FIRST_BYTES, KEYSTREAM, Capture, as_process, succeed
from verilated import UNOPTIMISED

from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.c_dpi import dpi_files
from headwater.emit.c_model import CModel, c_model
from headwater.emit.verilog import generate
from headwater.flow import verilator
from headwater.flow.process import run_tool

BENCH = Path(__file__).with_name("c_bench.sv")


def test_a_core_and_its_model_make_the_same_cycles(folder: Path) -> None:
    """And a model with a wrong operator does not."""
    cipher = CATALOGUE["trivium"]
    architecture = Architecture.choose(cipher, radix=64)
    model, verilog = c_model(cipher, architecture), generate(cipher, architecture)
    files = {"dut.v": verilog.text, f"{model.name}.h": model.header, **dpi_files(model)}
    for name, text in files.items():
        (folder / name).write_text(text)
    shutil.copy(BENCH, folder)
    cycles, keystream, *_ = simulated(folder, model, model.source)
    assert cycles.startswith("0 differences in cycles, ")
    assert cycles.endswith(" words offered, refused -1")
    assert " 0 words" not in cycles
    assert keystream.startswith(FIRST_BYTES)
    cycles, *_ = simulated(folder, model, model.source.replace(" ^ ", " | ", 1))
    assert not cycles.startswith("0 differences")


def simulated(folder: Path, model: CModel, source: str) -> list[str]:
    """What the bench prints with this text of the model."""
    (folder / f"{model.name}.c").write_text(source)
    program, parts = verilator.verilator(), (model.name, f"{model.name}_dpi")
    svdpi = Path(os.environ["VERILATOR_ROOT"], "include", "vltstd")
    run_tool(
        [
            "gcc",
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-I",
            svdpi,
            "-c",
            *(f"{part}.c" for part in parts),
        ],
        cwd=folder,
    )
    objects = [f"../{part}.o" for part in parts]
    if not (folder / "made").exists():
        run_tool(
            [
                *program,
                "--binary",
                "--timing",
                "-Wno-fatal",
                "--top-module",
                "bench",
                "-j",
                "1",
                "-CFLAGS",
                "-std=gnu++20 -fcoroutines",
                "-MAKEFLAGS",
                UNOPTIMISED,
                "--Mdir",
                "made",
                f"{model.name}_dpi.sv",
                "dut.v",
                BENCH.name,
                *objects,
            ],
            cwd=folder,
        )
    else:
        (folder / "made" / "Vbench").unlink()
        run_tool(["make", "-C", "made", "-f", "Vbench.mk", "Vbench"], cwd=folder)
    return run_tool([folder / "made" / "Vbench"], cwd=folder).splitlines()


def test_wide_words_are_cut() -> None:
    cipher = CATALOGUE["trivium"]
    files = dpi_files(c_model(cipher, Architecture.choose(cipher, radix=100)))
    assert "output longint unsigned keystream_payload_1," in files["trivium_r100_dpi.sv"]
    assert "*keystream_payload_1 = out.keystream_payload[1];" in files["trivium_r100_dpi.c"]


def test_generate(capsys: Capture, folder: Path) -> None:
    printed = succeed(capsys, "generate", "trivium", "--c-model", "-o", folder)
    names = ["trivium_r64.h", "trivium_r64.c", "trivium_r64_dpi.sv", "trivium_r64_dpi.c"]
    assert printed.splitlines() == [str(folder / name) for name in names]
    printed = succeed(
        capsys, "generate", "trivium", "--c-model", "--radix", "8", "-o", folder, "--json"
    )
    assert json.loads(printed)["module"] == "trivium_r8"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("generate", "trivium", "--c-model", "--testbench", "-o", "x"),
            "--testbench must come without --c-model",
        ),
        (
            ("generate", "trivium", "--c-model", "--interface", "bus", "-o", "x"),
            "--interface must come without --c-model",
        ),
        *(
            (
                ("generate", "trivium", "--c-model", *words, "-o", "x"),
                f"{words[0]} must come without --c-model, which writes no Verilog",
            )
            for words in (
                ("--package",),
                ("--area",),
                ("--data-width", "8"),
                ("--key-by", "axi4lite"),
            )
        ),
        (("verify", "trivium", "--engine", "b"), "engine must be one of model, rtl, c, not 'b'"),
        (
            ("verify", "trivium", "--engine", "c", "--prove"),
            "proofs must come with the engine rtl, not c",
        ),
    ],
)
def test_refusals(capsys: Capture, words: tuple[str, ...], said: str) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_verify_with_one_engine(capsys: Capture) -> None:
    assert main(["verify", "grain128a", "--engine", "c", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [(one["engine"], one["file"], one["radix"]) for one in records] == [
        ("c", "grain128a.json", 32),
        ("c", "grain128a-ae.json", 32),
    ]
    assert all(one["passed"] and not one["failed"] for one in records)


def test_keystream_from_c(capsys: Capture) -> None:
    assert succeed(capsys, *KEYSTREAM, "--bits", "64", "--engine", "c") == f"{FIRST_BYTES}\n"


def test_a_cipher_from_outside() -> None:
    example = Path(__file__).parents[1] / "examples/kreyvium/headwater_kreyvium/kreyvium.py"
    done = as_process("--cipher-file", example, "verify", "kreyvium", "--engine", "c")
    assert done.returncode == 0, done.stderr
    assert "kreyvium.json" in done.stdout
