# SPDX-License-Identifier: Apache-2.0
"""Files of Verilog, SystemVerilog or VHDL as one flat module, and as gates and flip-flops."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.emit.verilog import Port, Verilog
from headwater.errors import InputError, ToolError
from headwater.flow.folders import private_folder
from headwater.flow.ghdl import from_vhdl
from headwater.flow.process import MissingToolError, TookTooLongError, written_json
from headwater.flow.yosys import run_yosys
from headwater.foreign.netlist import Netlist
from headwater.foreign.settings import Settings

NAME = "public_core"
_VHDL = (".vhd", ".vhdl")
_VERILOG = (".v", ".sv")
_LARGEST = 4_000_000
_LIMIT_S = 300.0
_WRITTEN = 4096
"""Bits of a memory that is made of flip-flops; of a larger one a maker of chips has a macro."""
_LATCHES = ("$dlatch", "$adlatch", "$dlatchsr", "$sr")
_GATES = (
    *("memory_map", "async2sync", "opt_clean", "techmap", "opt_expr", "dffunmap", "simplemap"),
    *("opt_expr", "opt_merge", "opt_clean", "write_json gates.json"),
)
_COMPLAINT = re.compile(r"^.*?(\S+?:\d+)(?::\d+)?: (?:ERROR|error): (.*)$", re.MULTILINE)
_BARE = re.compile(r"^(?:ERROR|error): (.*)$", re.MULTILINE)
_ABSENT = re.compile(r"Module `\\?(\S+)' referenced in module `\\?(\S+)' in cell")


@dataclass(frozen=True)
class ForeignCore:
    """A core that somebody wrote."""

    verilog: Verilog
    """One flat module, whose clock is called ``clk``."""
    netlist: Netlist


def read_core(files: Sequence[Path], settings: Settings) -> ForeignCore:
    """Read the files, in their order.

    Raises
    ------
    InputError
        If a file cannot be read, or if the module has not one clock, or has latches, writable
        memories, missing modules or ports of both directions.
    """
    paths = [_checked(path) for path in files]
    with private_folder() as folder:
        flat = [
            "proc",
            "flatten",
            "tribuf -logic",
            "bwmuxmap",
            "opt_clean",
            "memory -nomap",
            f"rename -top {NAME}",
            "write_json flat.json",
            "write_rtlil flat.il",
        ]
        _run([*_reading(paths, settings, folder), *flat], paths, folder)
        _refuse(written_json(folder / "flat.json")["modules"].get(NAME), paths)
        _run(["read_rtlil flat.il", *_GATES], paths, folder)
        netlist = Netlist(written_json(folder / "gates.json")["modules"][NAME])
        renamed = (
            [] if netlist.clock == "clk" else [f"cd {NAME}", f"rename {netlist.clock} clk", "cd .."]
        )
        _run(
            [
                "read_rtlil flat.il",
                *renamed,
                "memory_map",
                "rename -hide c:*",
                "write_verilog -noattr core.v",
            ],
            paths,
            folder,
        )
        text = (folder / "core.v").read_text()
    ports = tuple(
        Port("clk" if name == netlist.clock else name, direction, width)
        for name, (direction, width) in netlist.ports.items()
    )
    return ForeignCore(Verilog(NAME, text, ports), netlist)


def _checked(path: Path) -> Path:
    if path.suffix not in (*_VHDL, *_VERILOG):
        raise InputError(f"source must be a file {', '.join((*_VERILOG, *_VHDL))}, not {path}")
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    if len(text) > _LARGEST:
        raise InputError(f"source must have at most {_LARGEST} characters, not {len(text)}: {path}")
    if not re.search(r"\b(module|entity|package)\b", text, re.IGNORECASE):
        raise InputError(f"{path} must have a module, an entity or a package, but has none")
    if any(sign in str(path.absolute()) for sign in '"\n;#'):
        raise InputError(f"name of a source must have no quote, ; or #, not {str(path)!r}")
    return path.absolute()


def _reading(paths: Sequence[Path], settings: Settings, folder: Path) -> Iterator[str]:
    """Passes that read the files."""
    language = {path.suffix in _VHDL for path in paths}
    if len(language) > 1:
        raise InputError("sources must all be Verilog or all be VHDL, not both")
    top, parameters = settings.top, settings.parameters
    if language == {True}:
        top = top or _last_entity(paths)
        yield f"read_verilog {_translated(top, settings, paths, folder)}"
    elif _own_reader_fails(paths, settings, folder):
        names = " ".join(_linked(path, folder) for path in paths)
        values = " ".join(f"-G {name}={value}" for name, value in parameters.items())
        folders = " ".join(f"-I {one}" for one in _included(paths, settings))
        yield f"read_slang {f'--top {top}' if top else ''} {values} {folders} {names}"
    else:
        yield from _plain_reading(paths, settings)
    yield f"hierarchy -check {f'-top {top}' if top else '-auto-top'}"


def _included(paths: Sequence[Path], settings: Settings) -> list[Path]:
    """Folders of included files: none with a sign that means something else to the readers."""
    folders = [paths[0].parent, *(Path(one).absolute() for one in settings.include)]
    return [one for one in folders if re.fullmatch(r"[\w./+@~-]+", str(one))]


def _linked(path: Path, folder: Path) -> str:
    """A link to a source by a name that slang's reader takes, as it knows no quotes."""
    link = folder / re.sub(r"[^\w.]", "_", path.name)
    while link.is_symlink():
        link = link.with_name(f"_{link.name}")
    link.symlink_to(path)
    return link.name


def _plain_reading(paths: Sequence[Path], settings: Settings) -> Iterator[str]:
    folders = " ".join(f"-I{one}" for one in _included(paths, settings))
    yield from (f'read_verilog -sv {folders} "{path}"' for path in paths)
    if settings.parameters and not settings.top:
        raise InputError('parameters must come with the module that has them; add: top = "..."')
    yield from (
        f"chparam -set {name} {value} {settings.top}" for name, value in settings.parameters.items()
    )


def _own_reader_fails(paths: Sequence[Path], settings: Settings, folder: Path) -> bool:
    """Whether Yosys's own reader refuses the files, so that slang's must try."""
    passes = [*_plain_reading(paths, settings), "hierarchy -auto-top", "proc"]
    try:
        run_yosys(passes, folder, _LIMIT_S)
    except MissingToolError:
        raise
    except ToolError as error:
        return not _ABSENT.search(str(error))
    return False


def _last_entity(paths: Sequence[Path]) -> str:
    entities = re.findall(
        r"^\s*entity\s+(\w+)\s+is\b",
        paths[-1].read_text(errors="replace"),
        re.IGNORECASE | re.MULTILINE,
    )
    if not entities:
        raise InputError(f'{paths[-1]} has no entity; add: top = "..."')
    name: str = entities[-1]
    return name


def _translated(top: str, settings: Settings, paths: Sequence[Path], folder: Path) -> str:
    try:
        text = from_vhdl(top, settings.parameters, paths, folder)
    except MissingToolError as error:
        raise InputError(f"VHDL needs GHDL: {error}") from error
    except ToolError as error:
        match = re.search(
            r"^(?:.*?/)?([^/\n]+:\d+):\d+:\s*(?:error: )?(.*)$", str(error), re.MULTILINE
        )
        said = f"{match[1]}: {match[2]}" if match else str(error).strip().splitlines()[-1]
        raise InputError(f"GHDL refuses the sources at {said}") from error
    (folder / "translated.v").write_text(text)
    return "translated.v"


def _run(passes: Sequence[str], paths: Sequence[Path], folder: Path) -> None:
    """Run passes; what Yosys refuses is one sentence with file and line."""
    try:
        run_yosys(passes, folder, _LIMIT_S)
    except (MissingToolError, TookTooLongError):
        raise
    except ToolError as error:
        text = str(error)
        if absent := _ABSENT.search(text):
            raise InputError(
                f"module {absent[1]}, which {absent[2]} uses, must be in the sources, but is not"
            ) from error
        if complaint := _COMPLAINT.search(text):
            where = Path(complaint[1]).name
            raise InputError(
                f"sources cannot be read at {where}: {complaint[2].strip()}"
            ) from error
        bare = _BARE.search(text)
        said = bare[1] if bare else text.strip().splitlines()[-1]
        names = ", ".join(path.name for path in paths)
        raise InputError(f"{names} cannot be read: {said.strip()}") from error


def _refuse(module: Any, paths: Sequence[Path]) -> None:
    """Refuse what no state machine of one clock is."""
    if module is None or not module["ports"]:
        raise InputError(f"{paths[-1].name} must have a module with ports, but has none")
    for name, port in module["ports"].items():
        if port["direction"] == "inout":
            raise InputError(f"port {name} must have one direction, not both")
    for cell in module["cells"].values():
        kind, where = cell["type"], _source_of(cell)
        if kind in _LATCHES:
            raise InputError(f"core must have no latch{where}")
        if kind.startswith("$mem") and _written_bits(cell) > _WRITTEN:
            raise InputError(
                f"core must have no memory of more than {_WRITTEN} bits that is written{where}"
            )
        if not kind.startswith("$"):
            raise InputError(f"module {kind} must be in the sources, but is not")


def _written_bits(cell: Any) -> int:
    """Bits of a memory; zero if it is never written."""
    number = {name: int(cell["parameters"][name], 2) for name in ("WR_PORTS", "SIZE", "WIDTH")}
    return number["SIZE"] * number["WIDTH"] if number["WR_PORTS"] else 0


def _source_of(cell: Any) -> str:
    source = cell["attributes"].get("src", "").split("|")[0]
    return f", as there is one at {Path(source).name}" if source else ", as there is one"
