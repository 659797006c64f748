# SPDX-License-Identifier: Apache-2.0
"""Projects for boards: the whole board simulated, before and after place and route, and bitstreams.

What a board sends is decoded by its testbench, which is a receiver in Verilog, and compared here
with the file of vectors itself.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pyosys
import pytest
from command_line import Capture, as_process, refused, succeed

from headwater.api.ciphers import cipher
from headwater.board.boards import BOARDS, board
from headwater.board.project import BoardProject
from headwater.errors import InputError
from headwater.flow.process import find_program, run_tool
from headwater.flow.testbench import compile_testbench, verdict

VECTORS = Path(__file__).parents[1] / "headwater" / "verify" / "vectors"
FIELDS = {"text": ("ciphertext", "output"), "tag": ("tag", "mac"), "keystream": ("keystream",)}
SHARE = Path(pyosys.__file__).parent / "share"
SMALLEST = "a51"
BITSTREAMS = {"ulx3s": "bit", "colorlight-i5": "bit", "icebreaker": "bin", "tangnano9k": "fs"}
KINDS = {
    "trivium": "icebreaker",
    "grain128aeadv2": "ulx3s",
    "moustique": "tangnano9k",
    "chacha20": "colorlight-i5",
    "aes_ofb": "icebreaker",
    "ascon_aead128": "tangnano9k",
    "eia3": "ulx3s",
}
"""Ciphers of different kinds, each on a board."""


def project(name: str, on: str, **options: str) -> BoardProject:
    return cipher(name).core(**options).on_board(on)


def verilog_of(made: BoardProject, **changed: str) -> dict[str, str]:
    """The sources of the whole board with its testbench, some of them in another text."""
    names = [name for name in made.files if name.endswith(".v") and name != "models.v"]
    return {name: changed.get(name, made.files[name]) for name in names}


def sent(made: BoardProject, folder: Path) -> list[str]:
    """The lines of the first test that a board sends, in simulation."""
    program = compile_testbench(f"{made.top}_tb", verilog_of(made), folder)
    said = run_tool([program], cwd=folder)
    assert f"PASS: {made.top}" in said
    lines = [line.removeprefix("| ").rstrip() for line in said.splitlines() if line[:2] == "| "]
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :], "two tests"
    return lines[: len(lines) // 2]


@pytest.mark.real
@pytest.mark.parametrize("name", KINDS)
def test_a_board_sends_the_vector_as_its_file_has_it(name: str, tmp_path: Path) -> None:
    made = project(name, KINDS[name])
    title, *values, verdict_line = sent(made, tmp_path)
    entries = json.loads((VECTORS / f"{name}.json").read_text())["vectors"]
    (entry,) = (entry for entry in entries if entry["id"] == made.vector.name)
    assert verdict_line == "PASS"
    assert title.endswith(f"published vector {entry['id']}")
    assert entry["origin"].startswith("published")
    for line in values:
        what, digits = line.split()
        expected = next(entry[field] for field in FIELDS[what] if field in entry)
        assert len(digits) >= 8
        assert expected.startswith(digits)
        assert digits == expected or what == "keystream"


@pytest.mark.real
def test_what_is_wrong_is_seen(tmp_path: Path) -> None:
    """A core with a wrong gate, and an expected byte that is another."""
    made = project(SMALLEST, "icebreaker")
    core, tested = f"{SMALLEST}_r1.v", f"{SMALLEST}_r1_selftest.v"
    gate = re.sub(r"(assign keystream_payload =) .*;", r"\1 1'b0;", made.files[core], count=1)
    byte = re.sub(r"(: expected = 8'h)(..?);", r"\g<1>00; //", made.files[tested], count=1)
    for number, changed in enumerate(({core: gate}, {tested: byte})):
        ((name, text),) = changed.items()
        assert text != made.files[name]
        folder = tmp_path / str(number)
        folder.mkdir()
        program = compile_testbench(f"{made.top}_tb", verilog_of(made, **changed), folder)
        said = verdict(program)
        assert re.match(r"FAIL: character \d+ is ", said)
    assert said.endswith("is 46, not 50"), "F in place of P, behind the right keystream"


def write(made: BoardProject, folder: Path) -> None:
    for name, text in made.files.items():
        (folder / name).write_text(text)


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the Makefile of a project with the tools beside this Python."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["make", *words, f"PYTHON={sys.executable}"],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
    )


@pytest.mark.real
@pytest.mark.parametrize("name", BOARDS)
def test_bitstream_and_the_netlist_after_place_and_route(name: str, tmp_path: Path) -> None:
    made = project(SMALLEST, name)
    write(made, tmp_path)
    built = make(tmp_path)
    assert built.returncode == 0, built.stdout + built.stderr
    assert (tmp_path / f"{made.top}.{BITSTREAMS[name]}").stat().st_size > 10_000
    report = json.loads((tmp_path / f"{made.top}_report.json").read_text())
    ((clock),) = report["fmax"].values()
    assert clock["constraint"] == pytest.approx(board(name).clocks[0].mhz, rel=1e-3)
    assert clock["achieved"] >= clock["constraint"]
    built = make(tmp_path, f"{made.top}_placed.v")
    assert built.returncode == 0, built.stdout + built.stderr
    family = board(name).family
    cells = (SHARE / family.models).read_text() if family.models else ""
    files = {
        f"{made.top}_tb.v": "`define PLACED\n" + made.files[f"{made.top}_tb.v"],
        f"{made.top}_placed.v": (tmp_path / f"{made.top}_placed.v").read_text(),
        "models.v": made.files["models.v"],
        **({"cells.v": cells} if cells else {}),
    }
    folder = tmp_path / "simulated"
    folder.mkdir()
    assert verdict(compile_testbench(f"{made.top}_tb", files, folder)).startswith("PASS")


STATED = {
    "lpf": r"^FREQUENCY PORT \"clk\" (\d+) MHZ;$",
    "pcf": r"^set_frequency clk (\d+)$",
    "sdc": r"^create_clock -name fast -period ([\d.]+) \[get_nets fast\]$",
}
"""How a clock is stated in a file of constraints: in MHz, but in SDC as a period in ns."""
CLOCKS = [(name, clock.mhz) for name in BOARDS for clock in board(name).clocks]


@pytest.mark.parametrize(("name", "mhz"), CLOCKS)
def test_constraints_have_the_clock(name: str, mhz: int) -> None:
    """In SDC that of the core, elsewhere that of the oscillator, which nextpnr takes through the
    PLL."""
    made = cipher("trivium").core().on_board(name, mhz)
    ending = board(name).family.timing or board(name).family.constraints
    text = made.files[f"{made.top}.{ending}"]
    (stated,) = re.findall(STATED[ending], text, re.MULTILINE)
    if ending == "sdc":
        assert mhz <= 1000 / float(stated) < mhz * 1.001
        assert f"{mhz} MHz" in text
        assert "PLL" in text if board(name).clock(mhz).pll else "buffer" in text
    else:
        assert int(stated) == board(name).clocks[0].mhz
    listed = re.findall(rf"`{made.top}\.(\w+)`", made.files["README.md"])
    assert ending in listed


FASTER = {
    "icebreaker": ("pcf", "set_frequency clk 12", "set_frequency clk 400"),
    "tangnano9k": ("sdc", "-period 37.037", "-period 2.5"),
}
"""The file with the clock, and how it becomes one of 400 MHz."""


@pytest.mark.real
@pytest.mark.parametrize("name", FASTER)
def test_a_clock_that_is_not_met_makes_no_bitstream(name: str, tmp_path: Path) -> None:
    ending, stated, faster = FASTER[name]
    made = project(SMALLEST, name)
    write(made, tmp_path)
    constraints = tmp_path / f"{made.top}.{ending}"
    text = constraints.read_text()
    assert stated in text
    constraints.write_text(text.replace(stated, faster))
    built = make(tmp_path)
    assert built.returncode != 0
    assert "FAIL at 400" in built.stdout + built.stderr
    assert not (tmp_path / f"{made.top}.{BITSTREAMS[name]}").exists()


@pytest.mark.real
def test_the_clock_of_a_pll_is_constrained(tmp_path: Path) -> None:
    """By the file of clocks, where nextpnr does not compute it from that of the oscillator."""
    clock = board("tangnano9k").clocks[1]
    made = cipher(SMALLEST).core().on_board("tangnano9k", clock.mhz)
    write(made, tmp_path)
    built = make(tmp_path)
    assert built.returncode == 0, built.stdout + built.stderr
    ((found),) = json.loads((tmp_path / f"{made.top}_report.json").read_text())["fmax"].values()
    assert found["constraint"] == pytest.approx(clock.mhz, rel=1e-3)


PLL_TOOLS = {
    "ulx3s": ("yowasp-ecppll", "-i", "25", "-o", "50", "-f", "pll.v"),
    "tangnano9k": ("gowin_pll", "-i", "27", "-o", "54", "-d", "GW1NR-9 C6/I5", "-f", "pll.v"),
}


@pytest.mark.real
@pytest.mark.parametrize("name", PLL_TOOLS)
def test_the_parameters_of_a_pll_are_those_of_the_tools(name: str, tmp_path: Path) -> None:
    """Each tool computes them from the two frequencies."""
    program, *arguments = PLL_TOOLS[name]
    run_tool([find_program(program, ""), *arguments], cwd=tmp_path)
    written = (tmp_path / "pll.v").read_text()
    (clock,) = board(name).clocks[1:]
    for parameter, value in clock.pll.items():
        assert re.search(rf"\.{parameter}\s*\(\s*{value}\s*\)", written), parameter
    with_pll = cipher("trivium").core().on_board(name, clock.mhz)
    assert "PLL" in with_pll.files[f"{with_pll.top}.v"]


@pytest.mark.real
@pytest.mark.parametrize("name", PLL_TOOLS)
def test_a_board_whose_clock_the_pll_makes(name: str, tmp_path: Path) -> None:
    """The stand-in follows the parameters: at another frequency no character would be right."""
    clock = board(name).clocks[1]
    made = cipher(SMALLEST).core().on_board(name, clock.mhz)
    files = verilog_of(made) | {"models.v": made.files["models.v"]}
    assert verdict(compile_testbench(f"{made.top}_tb", files, tmp_path)).startswith("PASS")


CELL_JUDGE = """\
`timescale 1ns / 1ps
module judge;
  reg [7:0] in = 8'd0;
  reg clk = 1'b0;
  integer wrong = 0, number;
  {instances}
  initial begin
    for (number = 0; number < 600; number = number + 1) begin
      in = $random;
      #1;
      if ({differ}) wrong = wrong + 1;
      clk = 1'b1;
      #1;
      if ({differ}) wrong = wrong + 1;
      clk = 1'b0;
      #1;
    end
    $display("wrong %0d of %0d", wrong, number);
  end
endmodule
"""
LOGIC_CELL = (
    "wire [2:0] {place};\n  {module} #(.LUT_INIT({init}), .CARRY_ENABLE(1), .DFF_ENABLE({ff}), "
    ".SET_NORESET({set}), .CIN_CONST({const}), .CIN_SET({set}), .ASYNC_SR({asynchronous})) "
    "c_{place} (.I0(in[0]), .I1(in[1]), .I2(in[2]), .I3(in[3]), .CIN(in[4]), .CEN(in[5]), "
    ".SR(in[6]), .CLK(clk), .LO({place}[0]), .O({place}[1]), .COUT({place}[2]));"
)


@pytest.mark.real
def test_the_logic_cell_of_ice40_is_that_of_yosys(tmp_path: Path) -> None:
    """Both models side by side, at random inputs, in another simulator."""
    ours = project(SMALLEST, "icebreaker").files["models.v"]
    ours = ours[ours.index("module ICESTORM_LC") :]
    ours = ours[: ours.index("endmodule") + 9].replace("ICESTORM_LC", "ours")
    instances, differ = [], []
    for number, (ff, asynchronous) in enumerate(((0, 0), (1, 0), (1, 1)) * 4):
        values = {
            "init": 0xB2D7 + 977 * number,
            "ff": ff,
            "set": number // 3 % 2,
            "const": number // 6,
            "asynchronous": asynchronous,
        }
        for module, place in (("ours", f"a{number}"), ("ICESTORM_LC", f"b{number}")):
            instances.append(LOGIC_CELL.format(module=module, place=place, **values))
        differ.append(f"a{number} !== b{number}")
    text = CELL_JUDGE.format(instances="\n  ".join(instances), differ=" || ".join(differ))
    (tmp_path / "judge.v").write_text(ours + "\n" + text)
    cells = SHARE / "ice40" / "cells_sim.v"
    assert simulated("judge", ["judge.v", cells], tmp_path) == "wrong 0 of 600"
    (tmp_path / "judge.v").write_text(ours.replace("I1 & I2", "I1 ^ I2") + "\n" + text)
    assert simulated("judge", ["judge.v", cells], tmp_path) != "wrong 0 of 600"


def simulated(top: str, files: list[str | Path], folder: Path) -> str:
    """The last line that Icarus prints."""
    flags = ["-g2012", "-DNO_ICE40_DEFAULT_ASSIGNMENTS", "-s", top]
    run_tool([find_program("iverilog", ""), *flags, "-o", "judge", *files], cwd=folder)
    return run_tool([find_program("vvp", ""), "-n", "judge"], cwd=folder).splitlines()[-1]


REFUSED = {
    ("--board", "ulx3"): "board must be one of colorlight-i5, icebreaker, tangnano9k, ulx3s, "
    "tinytapeout, not 'ulx3' (did you mean 'ulx3s'?)",
    ("--board", ""): "board must be one of colorlight-i5, icebreaker, tangnano9k, ulx3s, "
    "tinytapeout, not ''",
    ("--board", "ulx3s", "--clock", "49"): "clock of ulx3s must be 25 or 50 MHz, not 49",
    ("--board", "ulx3s", "--clock", "0"): "clock of ulx3s must be 25 or 50 MHz, not 0",
    ("--board", "icebreaker", "--clock", "24"): "clock of icebreaker must be 12 MHz, not 24",
    ("--clock", "25"): "--clock must come with --board",
    ("--board", "ulx3s", "--package"): "--package must come without --board, which makes a project "
    "of its own",
    ("--board", "ulx3s", "--c-model"): "--c-model must come without --board, which makes a project "
    "of its own",
    ("--board", "ulx3s", "--interface", "wishbone"): "interface of a core on a board must be "
    "stream, not wishbone",
    ("--board", "ulx3s", "--option", "stall=none"): "option stall of trivium on a board must be "
    "stream, as the core waits for the serial line, not none",
    ("--board", "ulx3s", "--random-bits", "8"): "--random-bits must come with --interface prng",
}


@pytest.mark.parametrize("words", REFUSED)
def test_refused(words: tuple[str, ...], capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "build"
    refused(capsys, ("generate", "trivium", *words, "-o", folder), REFUSED[words])
    assert not folder.exists()


def test_the_vector_is_of_the_variant_that_was_chosen() -> None:
    made = project("salsa20", "ulx3s", rounds="12", key_bits="128").vector
    entries = json.loads((VECTORS / "salsa20.json").read_text())["vectors"]
    (entry,) = (entry for entry in entries if entry["id"] == made.name)
    assert (entry["rounds"], entry["key_bits"]) == (12, 128)


def test_sessions_in_turn_are_refused() -> None:
    with pytest.raises(InputError, match="option streams of a core on a board must be 1, not 2"):
        project("zuc", "ulx3s", streams="2")


def test_a_cipher_without_a_vector_is_refused(tmp_path: Path) -> None:
    assert as_process("new-cipher", "fresh", "-o", tmp_path).returncode == 0
    (tmp_path / "vectors" / "fresh.json").unlink()
    done = as_process(
        "--cipher-file",
        tmp_path / "fresh.py",
        "generate",
        "fresh",
        "--board",
        "ulx3s",
        "-o",
        tmp_path / "build",
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(
        "headwater: a core on a board must have a vector of whole bytes, "
        "and fresh has none that this core takes\n"
    )
    assert not (tmp_path / "build").exists()


def test_boards_are_listed_and_written(capsys: Capture, tmp_path: Path) -> None:
    listed = json.loads(succeed(capsys, "list", "boards", "--json"))
    assert [one["board"] for one in listed] == [*BOARDS, "tinytapeout"]
    printed = json.loads(
        succeed(
            capsys,
            "generate",
            "zuc",
            "--board",
            "colorlight-i5",
            "--json",
            "--clock",
            "50",
            "-o",
            tmp_path,
        )
    )
    assert (printed["top"], printed["published"]) == ("zuc_r32_colorlight_i5", True)
    assert {Path(name).name for name in printed["files"]} >= {"Makefile", "README.md"}
    text = (tmp_path / "README.md").read_text()
    assert "runs on" not in text
    assert "which the PLL makes of 25 MHz" in text
