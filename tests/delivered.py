# SPDX-License-Identifier: Apache-2.0
"""What tests of the package share: IPs, and their drivers compiled for this computer."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from headwater.cipher.catalogue import find
from headwater.core.architecture import Architecture
from headwater.flow.process import run_tool
from headwater.interface.core_shape import shape_of
from headwater.interface.port import PORTS
from headwater.package.ip import Ip

STRICT = (
    "-std=c99",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wconversion",
    "-pedantic",
    "-ffreestanding",
)


def ip_of(name: str, interface: str = "axi4lite", radix: int | None = None) -> Ip:
    """A cipher behind an interface."""
    cipher = find(name)
    chosen = Architecture.choose(cipher, radix=radix)
    module = f"{cipher.name.replace('-', '_')}_r{chosen.radix}"
    return Ip(
        cipher,
        chosen,
        shape_of(cipher, chosen, module),
        interface,
        PORTS[interface],
        f"{module}_{interface}",
    )


def write_drivers(folder: Path, drivers: Mapping[str, Mapping[str, str]]) -> None:
    """Write drivers, by the name of the core: their files."""
    for files in drivers.values():
        for name, text in files.items():
            (folder / name).write_text(text)


def c_bytes(data: bytes) -> str:
    """The initialiser of an array."""
    return "{" + ", ".join(map(str, data or b"\0")) + "}"


def program(folder: Path, main: str, drivers: Mapping[str, Mapping[str, str]]) -> Path:
    """Drivers and a main program that has `bus_read` and `bus_write`, linked."""
    write_drivers(folder, drivers)
    (folder / "main.c").write_text(main)
    (folder / "bus.h").write_text(
        "#include <stdint.h>\nuint32_t bus_read(uintptr_t address);\n"
        "void bus_write(uintptr_t address, uint32_t word);\n"
    )
    hooks = [
        f"-D{name.upper()}_{what}=bus_{what.lower()}"
        for name in drivers
        for what in ("READ", "WRITE")
    ]
    sources = [f"{name}.c" for name in drivers]
    run_tool(
        ["gcc", *STRICT, *hooks, "-include", "bus.h", "main.c", *sources, "-o", "program"],
        cwd=folder,
    )
    return folder / "program"


def printed(command: Sequence[str], folder: Path, environment: dict[str, str]) -> str:
    """All that a command prints, which must succeed."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout
