# SPDX-License-Identifier: Apache-2.0
"""A module in the Verilog that Yosys writes, taken apart."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_DECLARATION = re.compile(r"(input|output|wire|reg) (\[\d+:\d+\] )?(\w+);")
_ASSIGNMENT = re.compile(r"assign (\S+) = (.*);")
_CLOCKED = "always @(posedge clk)\n"


@dataclass
class WrittenModule:
    """The parts of one module, as Yosys wrote them.

    Members
    -------
    directions, widths, kinds : dict of str to str
        Of each signal: "input" or "output" of a port; ``[high:low]`` or nothing; "wire" or "reg".
    assignments : dict of str to str
        What each wire, or part of one, is.
    updates : list of str
        The clocked statements.
    """

    directions: dict[str, str] = field(default_factory=dict)
    widths: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    assignments: dict[str, str] = field(default_factory=dict)
    updates: list[str] = field(default_factory=list)


def parse(text: str) -> WrittenModule:
    """Take apart what ``write_verilog -noattr -simple-lhs`` wrote for one flat module."""
    body = text[text.index(");") + 2 : text.rindex("endmodule")]
    module = WrittenModule()
    for statement in _statements(body):
        if found := _DECLARATION.fullmatch(statement):
            kind, width, signal = found.groups()
            if kind in ("input", "output"):
                module.directions[signal] = kind
            else:
                module.kinds[signal] = kind
                module.widths[signal] = (width or "").strip()
        elif found := _ASSIGNMENT.fullmatch(statement):
            module.assignments[found[1]] = re.sub(r"^([~^&|!]) ", r"\1", found[2])
        elif statement.startswith(_CLOCKED):
            module.updates.append(statement.removeprefix(_CLOCKED))
        else:
            raise AssertionError(f"Yosys wrote a statement that is not known here: {statement!r}")
    return module


def _statements(body: str) -> list[str]:
    """Lines, with those that belong to an ``always`` (indented deeper) kept with it."""
    statements: list[str] = []
    for line in body.splitlines():
        if line.startswith("    "):
            statements[-1] += "\n" + line[2:]
        elif line.strip():
            statements.append(line.strip())
    return statements
