# SPDX-License-Identifier: Apache-2.0
"""The page that shows which tools take what is delivered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

from matrix_rows import covering
from matrix_tools import TOOLS, Cell

from headwater.report.formats import as_markdown
from headwater.report.table import Table

_INTRODUCTION = """# Tools that generated files are tried with

Made by `python tools/tools_matrix.py` from docs/tools.jsonl, which has every result with the
version of the tool and the hash of what it read. A cell counts what passed, and what was tried if
that is more; an empty cell was not tried. Tools are those of Debian 12 and of PyPI.

## Reading

Every kind of file of every cipher behind every interface, and of its source of random bits, is
read by a strict reader: slang as Verilog-2005 and, with the SystemVerilog beside
it, as SystemVerilog-2017; Verilator as the standard that the core file names, with every warning;
gcc with `-std=c99 -Wall -Wextra -Wpedantic -Werror`; lxml by the schema of IEEE 1685-2014; FuseSoC
sets up every target.
"""
_RUNNING = """
## Running

The members, a small core of each kind of cipher, behind every interface that they have. FuseSoC
runs the targets `lint`, `sim` and `sim_core`; Verilator also builds the testbenches of the last
two, as `verilator --binary` does, with every warning an error. `sim_core` is the testbench of the
core alone. Equal texts count once, as many packages have the same core.
"""
_MEMBERS = """
## Members

For each of them the tests run all tools behind one interface, also `synth`: with the Yosys of
Debian to a bitstream, by nextpnr-ecp5 of PyPI; with that of PyPI to a netlist.
"""
Results = Mapping[str, Mapping[str, Cell]]


def page(results: Results) -> str:
    """The text of the page."""
    parts = [
        _INTRODUCTION,
        as_markdown(_readers(results)),
        _RUNNING,
        as_markdown(_runs(results)),
        _MEMBERS,
        as_markdown(_members(results)),
        _failures(results),
    ]
    return "\n".join(parts)


def versions(results: Results) -> dict[str, str]:
    """The versions that results were made with, by tool."""
    return {
        _tool(column): cell.version for cells in results.values() for column, cell in cells.items()
    }


def _tool(column: str) -> str:
    return column.partition(": ")[2]


def _does(column: str) -> str:
    return column.partition(": ")[0]


def _readers(results: Results) -> Table:
    """A row for each kind of file."""
    found = defaultdict(list)
    for words, cells in results.items():
        for column, cell in cells.items():
            if column.startswith("read "):
                found[column].append((words, cell))
    shown = versions(results)
    made = []
    for column, some in found.items():
        files = sum(int(cell.said.split()[0]) for _, cell in some if cell.passed)
        ciphers = len({words.split()[0] for words, _ in some})
        made.append(
            (
                _does(column).removeprefix("read "),
                _named(_tool(column), shown),
                ciphers,
                files,
                _count([cell for _, cell in some]),
            )
        )
    return Table(("kind of file", "reader", "ciphers", "files", "deliveries"), made)


def _runs(results: Results) -> Table:
    """A row for each interface, a column for each tool and target."""
    found: dict[str, dict[str, dict[str, Cell]]] = defaultdict(lambda: defaultdict(dict))
    columns = {}
    for words, cells in results.items():
        for column, cell in cells.items():
            if not column.startswith("read "):
                columns[column] = None
                found[_way(words)][column][cell.sha256] = cell
    ordered = sorted(columns, key=lambda column: (list(TOOLS).index(_tool(column)), column))
    shown = versions(results)
    heads = [f"{_named(_tool(column), shown)} {_does(column)}" for column in ordered]
    made = [
        (way, *(_count(list(of[column].values())) for column in ordered))
        for way, of in found.items()
    ]
    return Table(("interface", *heads), sorted(made))


def _way(words: str) -> str:
    """The interface of a delivery, with how the key comes."""
    told = words.split()
    return " ".join(
        value
        for name, value in pairwise(told)
        if name in ("--interface", "--bus", "--key-by", "--packets")
    )


def _members(results: Results) -> Table:
    """A row for each member."""
    made = []
    for row in covering():
        cells = results.get(row.words, {})
        made.append((f"`{row.words.partition(' --package')[0]}`", _count(list(cells.values()))))
    return Table(("`headwater generate`", "results"), made)


def _count(cells: list[Cell]) -> str:
    """How many passed, of how many if not all did."""
    passed = sum(cell.passed for cell in cells)
    return "" if not cells else str(passed) if passed == len(cells) else f"{passed} of {len(cells)}"


def _named(tool: str, shown: Mapping[str, str]) -> str:
    name, _, source = tool.partition(" (")
    return f"{name} {shown[tool]} ({source or TOOLS[tool][0] + ')'}"


def _failures(results: Results) -> str:
    """What did not pass, if anything."""
    failed = [
        f"- `{words}`, {column}: {cell.said}"
        for words, cells in results.items()
        for column, cell in cells.items()
        if not cell.passed
    ]
    return "\n".join(["", "## Failures", "", *failed, ""]) if failed else ""
