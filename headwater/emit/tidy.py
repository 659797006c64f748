# SPDX-License-Identifier: Apache-2.0
"""Makes the Verilog that Yosys writes pleasant to read without changing what it means.

Yosys writes one operator per anonymous wire (``_012_``) and old-style port declarations. Here
every anonymous wire that is read once goes back into the expression that reads it, ports move
into the module's header in a given order, and the statements are put in reading order: wires,
each after those it is made of, then one clocked block for all registers.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from headwater.emit.narrowing import narrow_shifted, rename_narrowed
from headwater.emit.written import WrittenModule, parse

_ANONYMOUS = re.compile(r"\b_\d+_(?!\w)")
_ANONYMOUS_PART = re.compile(r"(_\d+_)\[[^]]*\]")
_COMPARISON = re.compile(r"(\w+) == \d+'h([0-9a-f]+)")
_LOGICAL_NOT = re.compile(r"!(\w+)")
_REPEATED = re.compile(r"(?<=[{,] )(\w+(?:\[\d+\])?)(?:, \1(?=[, ]))+")
_SAME_TWICE = re.compile(r"(\w+) \? (\S+) : (\w+) \? \2 : ")
_ASSOCIATIVE = ("^", "&", "|")
_UNARY = ("~", "^", "&", "|", "!")
_SHIFTED = re.compile(r"(\w+) >> (.*)")
_PART = re.compile(r"\[([^]]*)\]$")
_LINE_LENGTH = 100
_LINE_BITS = 256
"""The widest constant that is written in one line."""
_ROW_BITS = 128


def tidy(
    text: str,
    name: str,
    ports: Sequence[str],
    notes: Mapping[str, str],
    constants: Mapping[str, int] | None = None,
) -> str:
    """One module, rewritten.

    Parameters
    ----------
    text
        What ``write_verilog -noattr -simple-lhs`` wrote for one flat module.
    name
        The module's name.
    ports
        All ports in the order of the header.
    notes
        Comments for declarations, by signal name.
    constants
        Values of inputs that are to be parameters of the module instead, by name; one that nothing
        reads is left out.
    """
    module = parse(_REPEATED.sub(_as_replication, text))
    rename_narrowed(module)
    narrow_shifted(module)
    _select_from(module, constants or {})
    # Of the statements as Yosys writes them, one operator each; expressions grow from here on.
    operators = {target: _operator(value) for target, value in module.assignments.items()}
    _inline_parts(module, operators)
    _inline(module, operators)
    module.assignments = _defined_first(module.assignments)
    module.updates = [_SAME_TWICE.sub(r"(\1 | \3) ? \2 : ", update) for update in module.updates]
    lines = [f"module {name} ("]
    for port in ports:
        kind = "reg" if module.kinds[port] == "reg" else "wire"
        comma = "" if port == ports[-1] else ","
        declared = f"{module.directions[port]:6} {kind:4} {module.widths[port]:>8} {port}{comma}"
        lines.append(_noted(f"  {declared}", notes.get(port)))
    lines.append(");")
    for constant, value in (constants or {}).items():
        width = module.widths.pop(constant)
        del module.kinds[constant]
        if _is_read(module, constant):
            lines += _parameter(constant, width, value, notes.get(constant))
    for signal, kind in sorted(module.kinds.items(), key=lambda item: item[1] == "wire"):
        if signal not in ports:
            width = f"{module.widths[signal]} " if module.widths[signal] else ""
            lines.append(_noted(f"  {kind} {width}{signal};", notes.get(signal)))
    lines.append("")
    statements = [f"assign {target} = {value};" for target, value in module.assignments.items()]
    clocked = ["always @(posedge clk) begin", *module.updates, "end"]
    for statement in [*statements, "", *clocked]:
        lines += _laid_out(statement, module.widths)
    return "\n".join([*lines, "endmodule", ""])


def _select_from(module: WrittenModule, constants: Mapping[str, int]) -> None:
    """Shifted constants, of which the lowest bits are read, as parts of them: tables."""
    for target, value in module.assignments.items():
        found = _SHIFTED.fullmatch(value)
        if found and found[1] in constants:
            bits = _width(_PART.search(target), module.widths.get(target, ""))
            module.assignments[target] = f"{found[1]}[{found[2]} +: {bits}]"


def _width(part: re.Match[str] | None, declared: str) -> int:
    """Bits of a signal, or of the part of it that is meant."""
    high, _, low = (part[1] if part else declared.strip("[]")).partition(":")
    return int(high or 0) - int(low or high or 0) + 1


def _is_read(module: WrittenModule, signal: str) -> bool:
    name = re.compile(rf"\b{signal}\b")
    return any(name.search(value) for value in [*module.assignments.values(), *module.updates])


def _parameter(name: str, width: str, value: int, note: str | None) -> list[str]:
    """The declaration of a constant; of a table, in rows, the highest bits first."""
    bits = _width(None, width)
    if bits <= _LINE_BITS:
        return [_noted(f"  localparam {width} {name} = {bits}'h{value:0{-(-bits // 4)}x};", note)]
    lines = [_noted(f"  localparam {width} {name} = {{", note)]
    for low in reversed(range(0, bits, _ROW_BITS)):
        wide = min(_ROW_BITS, bits - low)
        row = value >> low & ((1 << wide) - 1)
        lines.append(f"    {wide}'h{row:0{-(-wide // 4)}x}{',' if low else ''}")
    return [*lines, "  };"]


def _as_replication(found: re.Match[str]) -> str:
    whole = found.string[found.start() - 2 : found.start()] == "{ " and (
        found.string[found.end() : found.end() + 2] == " }"
    )
    many = f"{found[0].count(',') + 1}{{{found[1]}}}"
    return many if whole else f"{{{many}}}"


def _noted(code: str, note: str | None) -> str:
    return f"{code:44}  // {note}" if note else code


def _inline(module: WrittenModule, operators: Mapping[str, str]) -> None:
    """Put every anonymous wire that is read once, and whole, into its reader; plain inversions
    into all of theirs."""
    for wire in [target for target in module.assignments if _ANONYMOUS.fullmatch(target)]:
        whole = re.compile(rf"{wire}(?![\w\[])")
        part = re.compile(rf"{wire}\[")
        texts = (*module.assignments.values(), *module.updates)
        values = [text for text in texts if wire in text]  # Much faster than a pattern in each.
        if any(part.search(value) for value in values):
            continue
        inversion = re.fullmatch(r"~\w+(\[\d+\])?", module.assignments[wire])
        if not inversion and sum(len(whole.findall(value)) for value in values) != 1:
            continue
        _substitute(module, operators, wire, whole, module.assignments.pop(wire))
        del module.kinds[wire], module.widths[wire]


def _inline_parts(module: WrittenModule, operators: Mapping[str, str]) -> None:
    """Put the parts of anonymous wires that are driven piece by piece into their readers, where
    each piece is read as it is driven; pieces that nothing reads are left out."""
    pieces: dict[str, list[str]] = {}
    for target in module.assignments:
        if found := _ANONYMOUS_PART.fullmatch(target):
            pieces.setdefault(found[1], []).append(target)
    for wire, parts in pieces.items():
        values = [*module.assignments.values(), *module.updates]
        reads = [read for value in values for read in re.findall(rf"{wire}(?:\[[^]]*\])?", value)]
        if not set(reads) <= set(parts) or len(reads) != len(set(reads)):
            continue
        for part in parts:
            inner = module.assignments.pop(part)
            _substitute(module, operators, part, re.compile(re.escape(part)), inner)
        del module.kinds[wire], module.widths[wire]


def _substitute(
    module: WrittenModule,
    operators: Mapping[str, str],
    wire: str,
    place: re.Pattern[str],
    inner: str,
) -> None:
    """``inner``, which drives a wire, wherever that is read."""
    for target, value in module.assignments.items():
        if wire in value and place.search(value):
            module.assignments[target] = _insert(
                value, operators[target], place, inner, operators[wire]
            )
    module.updates = [
        _insert(update, "", place, inner, operators[wire]) if wire in update else update
        for update in module.updates
    ]


def _defined_first(assignments: Mapping[str, str]) -> dict[str, str]:
    """The same assignments, each after those of the wires it reads."""
    ordered: dict[str, str] = {}

    def define(target: str) -> None:
        if target in assignments and target not in ordered:
            for name in re.findall(r"[A-Za-z_]\w*", assignments[target]):
                define(name)
            ordered[target] = assignments[target]

    for target in sorted(assignments, key=lambda name: name.endswith(("payload", "valid"))):
        define(target)
    return ordered


def _laid_out(statement: str, widths: Mapping[str, str]) -> list[str]:
    """One statement in lines of readable length."""
    statement = _LOGICAL_NOT.sub(r"\1 == 1'h0", statement)
    statement = _COMPARISON.sub(lambda found: _as_wide(found, widths), statement)
    lines = []
    for line in statement.splitlines() or [""]:
        indent = "  " + " " * (len(line) - len(line.lstrip()))
        lines += textwrap.wrap(
            line.strip(),
            width=_LINE_LENGTH,
            initial_indent=indent,
            subsequent_indent=indent + "    ",
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return lines


def _as_wide(found: re.Match[str], widths: Mapping[str, str]) -> str:
    """A comparison whose constant is written as wide as the signal: Yosys drops leading zeros."""
    signal, value = found[1], int(found[2], 16)
    bits = int(widths[signal].strip("[]").split(":")[0]) + 1 if widths[signal] else 1
    return f"{signal} == {bits}'h{value:x}"


def _operator(value: str) -> str:
    """The one operator of an expression as Yosys writes it; empty for an operand alone."""
    outside, count = value, 1
    while count:
        outside, count = re.subn(r"\{[^{}]*\}|\[[^][]*\]", "x", outside)
    if "?" in outside:
        return "?"
    if outside.startswith(_UNARY):
        return "unary"
    words = outside.split()
    return words[1] if len(words) == 3 else ""


def _insert(value: str, outer: str, place: re.Pattern[str], inner: str, operator: str) -> str:
    """``inner`` in every such place of ``value``, in parentheses where they are needed."""

    def replaced(found: re.Match[str]) -> str:
        before, after = value[: found.start()].rstrip(), value[found.end() :].lstrip()
        in_list = before.endswith(("{", ",")) and after.startswith(("}", ","))
        last_branch = operator == "?" and before.endswith(":")
        # The expression around may have grown: what counts is the operator on either side.
        left_same = value[: found.start()].endswith((f" {operator} ", "(", "{ ", ", "))
        right_same = not after or after.startswith((operator, ")", "}", ",", ";"))
        same = operator in _ASSOCIATIVE and (left_same or not before) and right_same
        inversion = operator == "unary" and inner.startswith("~") and not before.endswith("~")
        whole = before.endswith("<=") or not before
        whole = outer == "" and whole and (after.startswith(";") or not after)
        bare = operator == "" or in_list or last_branch or same or inversion or whole
        return inner if bare else f"({inner})"

    return place.sub(replaced, value)
