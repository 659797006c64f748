# SPDX-License-Identifier: Apache-2.0
"""What `generate` writes, and what it does not replace; several designs in one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from headwater.cli.main import main
from headwater.flow.verilator import lint_files
from headwater.interface.registers import INSTRUCTIONS, REGISTERS

EIGHT = {
    "trivium": ("bus", "axi4lite", "custom", "fifo"),
    "grain128aead": ("wishbone",),
    "eia3": ("axi4lite",),
    "zuc": ("dma",),
    "mosquito": ("custom3",),
}


def generate(folder: Path, cipher: str, interface: str, *more: str) -> int:
    return main(["generate", cipher, "--interface", interface, "-o", str(folder), *more])


def test_eight_designs_are_parts_of_one(tmp_path: Path) -> None:
    """All in one folder; a core that several of them have is there once."""
    for cipher, interfaces in EIGHT.items():
        for interface in interfaces:
            assert generate(tmp_path, cipher, interface) == 0
    files = {path.name: path.read_text() for path in tmp_path.glob("*.v")}
    tops = [Path(name).stem for name in files if re.fullmatch(r"\w+_r\d+_[a-z0-9]+\.v", name)]
    assert len(tops) == 8
    inside = "\n".join(f"  {top} part_{top} ();" for top in tops)
    files["all.v"] = f"module all;\n{inside}\nendmodule\n"
    missing = [line for line in lint_files("all", files) if "PINMISSING" not in line]
    assert missing == []


@pytest.mark.parametrize(
    ("given", "top"),
    [
        (("trivium", "axi4lite", "--package", "--option", "clear=instant"), "mine_axi4lite"),
        (("trivium", "stream", "--testbench", "--fusesoc"), "mine"),
        (("trivium", "stream", "--c-model"), None),
        (
            (
                "trivium",
                "prng",
                "--random-bits",
                "8",
                "--properties",
                "--bus",
                "axi4lite",
                "--testbench",
                "--c-model",
                "--fusesoc",
            ),
            "mine_axi4lite",
        ),
    ],
)
def test_a_name_is_that_of_all(tmp_path: Path, given: tuple[str, ...], top: str | None) -> None:
    """Modules, files, macros and functions begin with it, and nothing has the usual name."""
    assert generate(tmp_path, *given, "--name", "mine") == 0
    files = {path.name: path.read_text() for path in tmp_path.iterdir() if path.suffix != ".json"}
    assert {name for name in files if not name.removeprefix("test_").startswith("mine")} <= {
        "README.md"
    }
    usual = re.compile(r"trivium_(r\d|prng)", re.IGNORECASE)
    assert [name for name, text in files.items() if usual.search(text)] == []
    rtl = {
        name: text
        for name, text in files.items()
        if name.endswith(".v") and not name.endswith("_tb.v")
    }
    assert (lint_files(top, rtl) if top else []) == []


@pytest.mark.parametrize("interface", ["stream", "prng"])
def test_a_name_must_be_free(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], interface: str
) -> None:
    bits = ("--random-bits", "8") if interface == "prng" else ()
    for name in ("1st", "module", "my-core", ""):
        assert generate(tmp_path, "trivium", interface, *bits, "--name", name) == 2
        expected = (
            f"must have a name of letters, digits and _ that Verilog leaves free, not '{name}'"
        )
        assert expected in capsys.readouterr().err
    assert generate(tmp_path, "trivium", interface, *bits, "--name", "stdint") == 2
    assert "must not have the name of a header of C, 'stdint'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("interface", "name"),
    [
        ("stream", "rst"),
        ("stream", "keystream_valid"),
        ("bus", "step"),
        ("prng", "en"),
        ("prng", "offered"),
    ],
)
def test_a_name_must_not_be_that_of_a_signal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], interface: str, name: str
) -> None:
    bits = ("--random-bits", "8") if interface == "prng" else ()
    assert generate(tmp_path, "trivium", interface, *bits, "--name", name) == 2
    what = "source" if interface == "prng" else "core"
    expected = f"{what} must have a name that none of its signals has, not '{name}'\n"
    assert capsys.readouterr().err.endswith(expected)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_another_core_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    core = tmp_path / "trivium_r8.v"
    assert generate(tmp_path, "trivium", "stream", "--radix", "8") == 0
    assert generate(tmp_path, "trivium", "stream", "--radix", "8") == 0
    before = core.read_text()
    other = ("--radix", "8", "--option", "clear=instant")
    assert generate(tmp_path, "trivium", "stream", *other) == 2
    assert f"{core} must be a file that was generated for the same core" in capsys.readouterr().err
    assert core.read_text() == before
    assert generate(tmp_path, "trivium", "stream", *other, "--force") == 0
    assert core.read_text() != before


def test_sessions_side_by_side_in_c(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generate", "aes_ofb", "-o", str(tmp_path), "--parallel"]
    assert main([*words, "16", "--c-model"]) == 0
    assert "_LANES 4\n" in (tmp_path / "aes_ofb_r32.c").read_text()
    assert main([*words, "16"]) == 2
    assert "--parallel must come with --c-model" in capsys.readouterr().err
    assert main([*words, "5", "--c-model", "--force"]) == 2
    assert "must be 4, 8, 16, 32 or 64 for aes_ofb" in capsys.readouterr().err


def test_a_driver_does_not_replace_the_model_in_c(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both are called after the core."""
    assert main(["generate", "trivium", "--radix", "8", "--c-model", "-o", str(tmp_path)]) == 0
    model = (tmp_path / "trivium_r8.h").read_text()
    assert generate(tmp_path, "trivium", "bus", "--radix", "8") == 0
    words = ("--radix", "8", "--name", "trivium_r8", "--package")
    assert generate(tmp_path, "trivium", "wishbone", *words) == 2
    assert "trivium_r8.h must be a file" in capsys.readouterr().err
    assert (tmp_path / "trivium_r8.h").read_text() == model


def test_a_file_that_was_changed_is_not_replaced(tmp_path: Path) -> None:
    core = tmp_path / "trivium_r8.v"
    core.write_text("module mine; endmodule\n")
    assert generate(tmp_path, "trivium", "bus", "--radix", "8") == 2
    assert [path.name for path in tmp_path.iterdir()] == [core.name]
    assert generate(tmp_path, "trivium", "bus", "--radix", "8", "--force") == 0
    core.write_text(core.read_text() + "// a remark\n")
    assert generate(tmp_path, "trivium", "bus", "--radix", "8") == 2


@pytest.mark.parametrize(("name", "said"), [("", "an empty name"), ("-", "'-'")])
def test_output_has_a_name(name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "trivium", "-o", name]) == 2
    assert f"argument -o/--output: must be a folder, not {said}" in capsys.readouterr().err
    assert main(["show", "trivium", "--picture", name]) == 2
    assert f"argument --picture: must be a file, not {said}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("cipher", "interface"),
    [
        ("trivium", "axi4lite"),
        ("phelix", "fifo"),
        ("ascon_aead128", "wishbone"),
        ("zuc", "dma"),
        ("trivium", "custom3"),
        ("grain128aead", "axi4stream"),
    ],
)
def test_all_names_begin_with_that_of_the_top(tmp_path: Path, cipher: str, interface: str) -> None:
    """Of modules and files, also those of parts inside of parts. No word of the name follows
    itself."""
    assert generate(tmp_path, cipher, interface) == 0
    files = {path.stem: path.read_text() for path in tmp_path.glob("*.v")}
    core = min(files, key=len)
    top = f"{core}_{interface}"
    for name, text in files.items():
        assert re.findall(r"^module (\w+)", text, re.MULTILINE) == [name]
        assert name == core or name.startswith(top)
        assert not re.search(r"_(\w+)_\1(_|$)", name), name
    used = re.findall(r"^  (\w+) (?:#\($|\w+ \($)", "\n".join(files.values()), re.MULTILINE)
    assert {name for name in used if name != "module"} == set(files) - {top}


def test_the_page_has_the_register_map() -> None:
    page = Path(__file__).parents[1].joinpath("docs", "interfaces.md").read_text()
    for one in REGISTERS:
        assert f"| 0x{one.address:02x} | {one.name} | {one.access} | | {one.meaning} |\n" in page
        for field in one.fields:
            high, low = field.low + field.width - 1, field.low
            bits = f"{low}" if high == low else f"{high}:{low}"
            assert f"| | {field.name} | | {bits} | {field.meaning} |\n" in page
    for entry in INSTRUCTIONS:
        assert f"| {entry.value} | {entry.name} | {entry.meaning} |\n" in page
