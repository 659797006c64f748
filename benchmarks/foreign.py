# SPDX-License-Identifier: Apache-2.0
"""Other people's VHDL, SystemVerilog and Verilog as one plain module, so that it can be mapped and
placed as ours is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from headwater.emit.verilog import Port, Verilog
from headwater.errors import InputError
from headwater.flow.folders import private_folder
from headwater.flow.ghdl import from_vhdl
from headwater.flow.process import written_json
from headwater.flow.yosys import run_yosys

NAME = "public_core"


def plain(source: Mapping[str, Any], tree: Path) -> Verilog:
    """The module of a public core, flat, its clock called ``clk``.

    ``source`` is a row of `peers`, ``tree`` the work tree of its repository. It is an error if the
    module has a latch, or a port of both directions.
    """
    place = tree / source.get("folder", "")
    files = [place / name for name in source["files"]]
    for file in files:
        if not file.is_file():
            raise InputError(f"{source['peer']} must have the file {file}")
    with private_folder() as folder:
        passes = [*_read(source, files, folder), *_flattened(source)]
        run_yosys(passes, folder)
        module = written_json(folder / "core.json")["modules"][NAME]
        text = (folder / "core.v").read_text()
    ports = tuple(Port(name, port["direction"], len(port["bits"]))
                  for name, port in module["ports"].items())  # fmt: skip
    if any(port.direction == "inout" for port in ports):
        raise InputError(f"{source['peer']} must have no port of both directions")
    return Verilog(NAME, text, ports)


def _read(source: Mapping[str, Any], files: Sequence[Path], folder: Path) -> Iterator[str]:
    """Passes that read the files, after what is translated is written to the folder."""
    models = source.get("models", "") + "".join(
        _rom(name, files[0].parent / file) for name, file in source.get("roms", {}).items()
    )
    (folder / "models.v").write_text(models)
    yield "read_verilog models.v"
    top, given = source["top"], source.get("parameters", {})
    if files[0].suffix in (".vhd", ".vhdl"):
        (folder / "translated.v").write_text(from_vhdl(top, given, files, folder))
        yield "read_verilog translated.v"
    elif files[0].suffix == ".sv":
        names = " ".join(map(str, files))
        values = " ".join(f"-G {name}={value}" for name, value in given.items())
        yield f"read_slang --top {top} {values} -I {files[0].parent} {names}"
    else:
        yield from (f'read_verilog "{file}"' for file in files)
        yield from (f"chparam -set {name} {value} {top}" for name, value in given.items())


def _rom(name: str, file: Path) -> str:
    """A table of bytes from a file of coefficients, as a module with an address `a` and what is
    there, `spo`."""
    values = file.read_text().partition("memory_initialization_vector")[2]
    cases = "".join(
        f"    {place}: spo = 8'h{value};\n"
        for place, value in enumerate(re.findall(r"\b[0-9A-Fa-f]{2}\b", values))
    )
    return (
        f"module {name} (input [7:0] a, output reg [7:0] spo);\n"
        f"  always @* case (a)\n{cases}  endcase\nendmodule\n"
    )


def _flattened(source: Mapping[str, Any]) -> list[str]:
    """Passes that make one plain module, and refuse latches."""
    top, clock = source["top"], source.get("clock", "clk")
    return [
        *(f"hierarchy -check -top {top}", "proc", "flatten", "tribuf -logic", "bwmuxmap"),
        *("opt_clean", f"rename -top {NAME}", f"cd {NAME}"),
        *([f"rename {clock} clk"] if clock != "clk" else []),
        *("cd ..", "select -assert-none t:$dlatch t:$adlatch t:$sr", "rename -hide c:*"),
        *("write_json core.json", "write_verilog -noattr core.v"),
    ]
