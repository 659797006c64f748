# SPDX-License-Identifier: Apache-2.0
"""C programs for the processor, compiled by Debian's RISC-V GCC or by Zig's C compiler."""

from __future__ import annotations

import struct
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from elftools.elf.elffile import ELFFile

from headwater.errors import ToolError
from headwater.flow.folders import private_folder
from headwater.flow.process import find_program, run_tool
from headwater.interface.registers import c_header

_FOLDER = Path(__file__).with_name("firmware")
_GCC = "riscv64-unknown-elf-gcc"
_INSTALL = "apt-get install gcc-riscv64-unknown-elf (or: pip install ziglang)"
_FLAGS = (
    "-O2",
    "-ffreestanding",
    "-nostdlib",
    "-static",
    "-Wall",
    "-Werror",
    "-fno-pic",
    "-ffunction-sections",
    "-Wl,--gc-sections",
    "-T",
    "link.ld",
)


@dataclass(frozen=True)
class Compiler:
    """A C compiler for RISC-V: its name, its version and its command."""

    name: str
    version: str
    command: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} {self.version} -O2"


@lru_cache
def find_compiler() -> Compiler:
    """The installed compiler."""
    try:
        gcc = find_program(_GCC, _INSTALL)
    except ToolError:
        if find_spec("ziglang") is None:
            raise
        zig = (sys.executable, "-m", "ziglang")
        target = (
            "-target",
            "riscv32-freestanding",
            "-mcpu=generic_rv32+m",
            "-fno-sanitize=undefined",
        )
        return Compiler("zig", _printed(*zig, "version"), (*zig, "cc", *target))
    machine = ("-march=rv32im_zicsr", "-mabi=ilp32", "-nostartfiles")
    return Compiler("gcc", _printed(str(gcc), "-dumpfullversion"), (str(gcc), *machine))


def _printed(*command: str) -> str:
    with private_folder() as folder:
        return run_tool(command, cwd=folder).strip()


def sources() -> dict[str, str]:
    """Every C source, by name."""
    texts = {path.name: path.read_text() for path in sorted(_FOLDER.iterdir()) if path.is_file()}
    return {**texts, "coprocessor_map.h": c_header()}


def compile_program(
    names: Sequence[str], macros: Sequence[str], further: Mapping[str, str] | None = None
) -> list[int]:
    """The words of memory, from address 0, of the program of some C files; macros are NAME=VALUE
    each. ``further`` are sources by name, which the C files may be among."""
    compiler = find_compiler()
    with private_folder() as folder:
        for name, text in (sources() | dict(further or {})).items():
            (folder / name).write_text(text)
        run_tool(
            [
                *compiler.command,
                *_FLAGS,
                *(f"-D{macro}" for macro in macros),
                "start.S",
                *names,
                "-o",
                "program.elf",
            ],
            cwd=folder,
        )
        return _memory((folder / "program.elf").read_bytes())


def _memory(elf: bytes) -> list[int]:
    """The loadable segments of an ELF file, from address 0."""
    memory = bytearray()
    for segment in ELFFile(BytesIO(elf)).iter_segments("PT_LOAD"):
        address, data = segment["p_paddr"], segment.data()
        memory.extend(bytes(max(0, address + len(data) - len(memory))))
        memory[address : address + len(data)] = data
    memory.extend(bytes(-len(memory) % 4))
    return list(struct.unpack(f"<{len(memory) // 4}I", memory))
