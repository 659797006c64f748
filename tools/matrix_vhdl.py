# SPDX-License-Identifier: Apache-2.0
"""The VHDL example of a package in place of the module that it has inside. GHDL makes Verilog of
it, and Icarus simulates this under the testbench of the package."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from matrix_tools import Job, program, told, verdict

from headwater.errors import ToolError

STANDARD = "--std=93"
_COMPONENT, _EXAMPLE = "_component.vhd", "_example.vhd"


def examples(files: Mapping[str, str], top: str, sources: Sequence[str]) -> Iterator[Job]:
    """The job of the example of a module, if there is one; ``sources`` are the module's and, last,
    its testbench."""
    names = [f"{top}{ending}" for ending in (_COMPONENT, _EXAMPLE)]
    if set(names) <= files.keys():
        read = {name: files[name] for name in (*names, *sources)}
        yield Job("sim of VHDL example", "GHDL", read, partial(_simulated, top, names, sources))


def _simulated(top: str, names: Sequence[str], sources: Sequence[str], folder: Path) -> str:
    ghdl, (*modules, bench) = program("ghdl"), sources
    told([ghdl, "-a", STANDARD, *names], folder)
    entity = _only(r"^entity (\S+) is$", (folder / names[1]).read_text(encoding="utf-8"))
    # The component comes first, as a module without content.
    made = told([ghdl, "--synth", STANDARD, "--out=verilog", entity], folder)
    _, _, example = made.partition("endmodule\n")
    (folder / "example.v").write_text(example)
    module = _only(r"^module (\S+)", example)
    text = (folder / bench).read_text(encoding="utf-8")
    text, count = re.subn(rf"^  {top} (\w+) \($", rf"  {module} \1 (", text, flags=re.MULTILINE)
    if count != 1:
        raise ToolError(f"error: {bench} has {count} instances of {top}")
    (folder / bench).write_text(text)
    told([program("iverilog"), "-g2012", "-o", "bench.vvp", bench, "example.v", *modules], folder)
    return verdict(told([program("vvp"), "-n", "bench.vvp"], folder))


def _only(pattern: str, text: str) -> str:
    """The one place where a pattern fits."""
    found = re.findall(pattern, text, re.MULTILINE)
    if len(found) != 1:
        raise ToolError(f"error: {pattern} fits {len(found)} times")
    return str(found[0])
