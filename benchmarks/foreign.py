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
from headwater.flow.process import run_tool, written_json
from headwater.flow.yosys import run_yosys

NAME = "public_core"
_OTHERWISE = re.compile(r"with \S+ select (\S+) <=\n(?:.*,\n)* *(.+) when others;")
_CHOICE = re.compile(r"case (\(\w+\)\n)((?: +\d+'b0*10*: \w+ <= .*;\n)+) *endcase")
_CLEANED = (
    # Constants of more than 64 bits are texts.
    (r'(?<=[ (,])"([01]+)"', lambda found: f"{len(found[1])}'b{found[1]}"),
    (r"\$fatal\(.*\);", ";"),
    # Names that are words of Verilog.
    (r"(?<=[\w=&|^?:,\]] )(output|initial)\b", r"\1_"),
)
"""What GHDL 2.0 writes as no Verilog reader understands it."""


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
        (folder / "translated.v").write_text(_from_vhdl(top, given, files, folder))
        yield "read_verilog translated.v"
    elif files[0].suffix == ".sv":
        names = " ".join(map(str, files))
        values = " ".join(f"-G {name}={value}" for name, value in given.items())
        yield f"read_slang --top {top} {values} -I {files[0].parent} {names}"
    else:
        yield from (f'read_verilog "{file}"' for file in files)
        yield from (f"chparam -set {name} {value} {top}" for name, value in given.items())


def _from_vhdl(top: str, generics: Mapping[str, Any], files: Sequence[Path], folder: Path) -> str:
    """What GHDL makes of VHDL. What a choice gives in all other cases is taken from its output in
    VHDL, as it leaves it out of that in Verilog."""

    def translated(language: str) -> str:
        values = [f"-g{name}={value}" for name, value in generics.items()]
        options = ["--std=08", "-fsynopsys", "--latches", f"--out={language}"]
        words = ["ghdl", "--synth", *options, *values, *files, "-e", top]
        return run_tool(words, cwd=folder, install="apt-get install ghdl")

    otherwise = iter(_OTHERWISE.findall(translated("raw-vhdl")))

    def whole(choice: re.Match[str]) -> str:
        """Each case is told by its one bit, as no two are true at once."""
        target, value = next(otherwise)
        if f": {target.lower()} <=" not in choice[2].lower():
            raise InputError(f"{files[-1]} must have the choice of {target} in both languages")
        cases = re.sub(r"(?<='b)0*10*(?=:)", lambda bits: bits[0].replace("0", "?"), choice[2])
        rest = f"      default: {target} <= {_in_verilog(value)};\n"
        return f"(* parallel_case *) casez {choice[1]}{cases}{rest}    endcase"

    text = _CHOICE.sub(whole, translated("verilog"))
    for pattern, plainer in _CLEANED:
        text = re.sub(pattern, plainer, text, flags=re.MULTILINE)
    return text


def _in_verilog(value: str) -> str:
    """A value of VHDL in Verilog; a name stays."""
    if found := re.fullmatch(r"""\((\d+) downto 0 => '(.)'\)""", value):
        value = found[2] * (int(found[1]) + 1)
    elif value[0] in "'\"":
        value = value.strip("'\"")
    else:
        return value
    return f"{len(value)}'b{value.lower()}"


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
