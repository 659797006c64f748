# SPDX-License-Identifier: Apache-2.0
"""What the tests of the generated Verilog ask of other tools."""

from __future__ import annotations

import re
from typing import Any

import pytest

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit import verilog
from headwater.emit.tidy import tidy
from headwater.emit.verilog import generate
from headwater.flow.process import private_folder, run_tool
from headwater.flow.yosys import run_yosys

_MANY = 6


def each_choice(cipher: Cipher) -> list[dict[str, str]]:
    """Every value of every option, each with the others at their default; of an option with many
    values (a length in bytes), the second and the last."""
    found = []
    for option in cipher.choices:
        values = option.values[1:]
        if len(values) > _MANY:
            values = (values[0], values[-1])
        found += [{option.name: value} for value in values]
    return found


def iverilog_warnings(text: str) -> str:
    """What iverilog says of a file read as Verilog-2001 with every warning on."""
    with private_folder() as folder:
        (folder / "core.v").write_text(text)
        command = ["iverilog", "-g2001", "-Wall", "-t", "null", "-o", "none", "core.v"]
        return run_tool(["sh", "-c", '"$@" 2>&1', "sh", *command], cwd=folder)


def raw_and_tidied(
    monkeypatch: pytest.MonkeyPatch, cipher: Cipher, architecture: Architecture
) -> tuple[str, str]:
    """What Yosys wrote of a core, and what was made of it."""
    written = []

    def spy(text: str, *arguments: Any) -> str:
        written.append(_with_values(text, arguments[3] if len(arguments) > 3 else {}))
        return tidy(text, *arguments)

    monkeypatch.setattr(verilog, "tidy", spy)
    made = generate.__wrapped__(cipher, architecture)
    return written[0], made.text


def _with_values(text: str, constants: dict[str, int]) -> str:
    """The module with its constants, which come in from outside, as wires."""
    for name, value in constants.items():
        pattern = rf"input (\[(\d+):0\]) {name};\n  wire \[\d+:0\] {name};"
        width = int(re.search(pattern, text).group(2)) + 1  # type: ignore[union-attr]
        text = re.sub(pattern, rf"wire \1 {name} = {width}'h{value:x};", text)
        text = re.sub(rf"(?m)^(module [^;]*?), {name}\b", r"\1", text)
    return text


def assert_equivalent(one: str, other: str) -> None:
    """By Yosys, register by register."""
    with private_folder() as folder:
        for name, text in (("one", one), ("other", other)):
            (folder / f"{name}.v").write_text(re.sub(r"(?m)^module \w+", f"module {name}", text))
        run_yosys(
            [
                "read_verilog one.v",
                "read_verilog other.v",
                "proc",
                "equiv_make one other both",
                "hierarchy -top both",
                "equiv_simple -undef",
                "equiv_status -assert",
            ],
            folder,
        )
