# SPDX-License-Identifier: Apache-2.0
"""The registers of a design as each of its files tells them, read by tools of others where there
are such. All give the same shape, so that they can be compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import hjson
from peakrdl_ipxact import IPXACTImporter
from systemrdl import RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, RegNode


class Told(NamedTuple):
    """A field: its highest and lowest bit, "r", "w", "rw" or "1" (cleared by a one), and its value
    after reset, None where there is none."""

    high: int
    low: int
    access: str
    reset: int | None


Fields = dict[str, Told]
"""By name."""
Registers = dict[str, tuple[int, int, Fields]]
"""Address, number of words and fields, by name."""


def _of_tree(top: AddrmapNode) -> Registers:
    return {
        one.inst_name: (
            one.raw_address_offset,
            one.array_dimensions[0] if one.array_dimensions else 1,
            {field.inst_name: _of_field(field) for field in one.fields()},
        )
        for one in top.descendants(unroll=False)
        if isinstance(one, RegNode)
    }


def _of_field(field: FieldNode) -> Told:
    write = field.get_property("onwrite")
    access = "1" if write and write.name == "woclr" else field.get_property("sw").name
    return Told(field.high, field.low, access, field.get_property("reset"))


def of_rdl(path: Path) -> Registers:
    """SystemRDL, read by its compiler."""
    compiler = RDLCompiler()
    compiler.compile_file(str(path))
    return _of_tree(compiler.elaborate().top)


def of_ipxact(path: Path) -> Registers:
    """IP-XACT, read by PeakRDL."""
    compiler = RDLCompiler()
    IPXACTImporter(compiler).import_file(str(path))
    return _of_tree(compiler.elaborate().top)


def of_hjson(path: Path) -> Registers:
    """Hjson, whose addresses follow each other. Fields of windows are not told."""
    words = {"ro": "r", "wo": "w", "rw": "rw", "rw1c": "1"}
    address, found = 0, {}
    for one in hjson.loads(path.read_text())["registers"]:
        if "skipto" in one:
            address = int(one["skipto"], 16)
            continue
        window = one.get("window")
        count = int(window["items"]) if window else 1
        fields = (
            {"VALUE": Told(31, 0, words[window["swaccess"]], None)}
            if window
            else {
                field["name"]: Told(
                    *_bits(field["bits"]),
                    words[field["swaccess"]],
                    int(field["resval"], 16) if "resval" in field else None,
                )
                for field in one["fields"]
            }
        )
        found[(window or one)["name"]] = (address, count, fields)
        address += 4 * count
    return found


def _bits(text: str) -> tuple[int, int]:
    high, _, low = text.partition(":")
    return int(high), int(low or high)


_WORDS = {"w, any value": "w", "r, 1 clears": "1"}


def of_page(path: Path) -> Registers:
    """The page. A register of one value has no table, unless the value is known."""
    text = path.read_text()
    found: Registers = {}
    for first, last, name, access in re.findall(
        r"^\| 0x(\w+)(?: to 0x(\w+))? \| (\w+) \| (\w+) \|", text, re.MULTILINE
    ):
        address = int(first, 16)
        words = (int(last or first, 16) - address) // 4 + 1
        part = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        rows = re.findall(
            r"^\| ([\d:]+) \| (\w+) \| ([^|]+) \| (\w+) \|", part[1] if part else "", re.MULTILINE
        )
        fields = {
            field: Told(*_bits(bits), _WORDS.get(way, way), int(reset, 0))
            for bits, field, way, reset in rows
        }
        found[name] = (address, words, fields or {"VALUE": Told(31, 0, access, None)})
    return found


def of_header(path: Path) -> Registers:
    """The C header, which does not tell how many words a register has: that is taken as one."""
    found: Registers = {}
    numbers = re.findall(
        r"^#define \w+?_r\d+_(\w+) +0x(\w+)u  // ([^:]*?)(?:, (0x\w+))?: ",
        path.read_text(),
        re.MULTILINE | re.IGNORECASE,
    )
    for name, number, access, reset in numbers:
        value = int(reset, 16) if reset else None
        told, of = _WORDS.get(access, access), _begins(name, found)
        if of:
            mask = int(number, 16)
            high, low = mask.bit_length() - 1, (mask & -mask).bit_length() - 1
            assert mask == (2 << high) - (1 << low)
            found[of][2][name.removeprefix(f"{of}_")] = Told(high, low, told, value)
        else:
            found[name] = (int(number, 16), 1, {})
            if value is not None or access in ("r", "w"):
                found[name][2]["VALUE"] = Told(31, 0, told, value)
    return {
        name: (address, words, _only_fields(fields))
        for name, (address, words, fields) in found.items()
    }


def _begins(name: str, registers: Registers) -> str:
    """The register of which this is a field: the last one, if its name stands before."""
    last = next(reversed(registers), "")
    return last if last and name.startswith(f"{last}_") and name not in _NO_FIELD else ""


_NO_FIELD = {"TEXT_SPARE", "LOAD_FIRST", "LOAD_NEXT"}


def _only_fields(fields: Fields) -> Fields:
    return {name: one for name, one in fields.items() if name != "VALUE" or len(fields) == 1}


READERS: dict[str, Callable[[Path], Registers]] = {
    ".rdl": of_rdl,
    "_component.xml": of_ipxact,
    ".hjson": of_hjson,
    "_registers.md": of_page,
}
"""By the end of the name of their files."""
