# SPDX-License-Identifier: Apache-2.0
"""The verb `show`: the data sheet of a cipher."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Iterator
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from headwater.cipher.description import Cipher
from headwater.cli.arguments import architecture, cipher_of, refuse_others
from headwater.cli.output import print_files, print_json
from headwater.cli.rows import terminal_width
from headwater.emit.datasheet import datasheet
from headwater.errors import InputError
from headwater.files import write_whole
from headwater.report.picture import picture


def run_show(args: argparse.Namespace) -> int:
    """`headwater show`"""
    cipher = cipher_of(args.cipher, args)
    if args.picture:
        refuse_others(args, "picture", ("radix", "load_width", "option"))
        return _draw(cipher, args.picture, as_json=args.json)
    sheet = datasheet(cipher, architecture(cipher, args))
    if args.json:
        print_json(sheet)
        return 0
    for name, line in entries(sheet):
        print(_entry(name, line))
    return 0


def entries(sheet: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The entries of a data sheet in words, a name and a line; the name again for each of several
    lines."""
    for name, value in sheet.items():
        for line in _LINES[name](value) if name in _LINES else [value]:
            yield name.replace("_", " "), str(_plain(line))


def _draw(cipher: Cipher, path: Path, *, as_json: bool) -> int:
    drawn = picture(cipher)
    if not drawn:
        raise InputError(f"picture must be of a cipher with registers, and {cipher.name} has none")
    write_whole(path, drawn.encode())
    print_files([path], as_json=as_json)
    return 0


def _registers(sheet: dict[str, dict[str, Any]]) -> Iterator[str]:
    """A line for each register, or for several adjacent equal ones."""
    for _, alike in groupby(sheet.items(), lambda item: (item[0].rstrip("0123456789"), item[1])):
        names, facts = zip(*alike, strict=True)
        name = names[0] if len(names) == 1 else f"{names[0]} .. {names[-1]}, each"
        yield _register(name, facts[0])


def _register(name: str, facts: dict[str, Any]) -> str:
    line = f"{name}: {facts['length']} bit{'s' * (facts['length'] > 1)}"
    if "taps" in facts:
        taps = _list(facts["taps"]) or "none"
        line += f", taps {taps}, feedback of degree {facts['feedback_degree']}"
    return line


def _memories(sheet: dict[str, dict[str, int]]) -> Iterator[str]:
    """A line for each memory."""
    for name, facts in sheet.items():
        yield f"{name}: {facts['words']} words of {facts['bits']} bit{'s' * (facts['bits'] > 1)}"


def _choices(sheet: dict[str, dict[str, Any]]) -> Iterator[str]:
    """A line for each option: its values, what they cost and when to choose which."""
    for name, facts in sheet.items():
        values = facts["values"]
        numbers = all(value.isdigit() for value in values)
        listed = _list(sorted(map(int, values))) if numbers else " | ".join(values)
        on_fpga = (
            f" Default on FPGAs where it is legal: {facts['on_fpga']}."
            if "on_fpga" in facts
            else ""
        )
        yield f"{name}={listed}. {facts['advice']}{on_fpga}"


def _streams(sheet: dict[str, dict[str, Any]]) -> Iterator[str]:
    """A line for each stream: its direction, and the widths of its ports."""
    for name, facts in sheet.items():
        ports = ", ".join(f"{port} {width}" for port, width in facts.items() if port != "direction")
        yield f"{name}: {facts['direction']}, {ports}"


def _inputs(sheet: dict[str, str]) -> Iterator[str]:
    """A line for each further input."""
    return (f"{name}: {meaning}" for name, meaning in sheet.items())


_LINES: dict[str, Callable[[Any], Iterator[str]]] = {
    "memories": _memories,
    "registers": _registers,
    "choices": _choices,
    "streams": _streams,
    "inputs": _inputs,
}
"""Entries of a data sheet that have several lines."""


def _entry(name: str, text: str) -> str:
    label = f"{name + ':':17} "
    return textwrap.fill(
        f"{label}{text}",
        width=terminal_width(),
        subsequent_indent=" " * 18,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _list(values: list[Any]) -> str:
    """The values of a list; only the ends of a long arithmetic sequence."""
    numbers = values if all(isinstance(value, int) for value in values) else []
    steps = {after - before for before, after in pairwise(numbers)}
    if steps == {1} and len(values) > 2:
        return f"{values[0]} .. {values[-1]}"
    if len(steps) == 1 and len(values) > 5:
        return f"{values[0]}, {values[1]} .. {values[-1]}"
    return ", ".join(map(str, values))


def _plain(value: object) -> object:
    """A value as prose."""
    if isinstance(value, list):
        return _list(value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {item}" for name, item in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "not offered" if value is None else value if isinstance(value, int) else str(value)
