# SPDX-License-Identifier: Apache-2.0
"""The processors: where their Verilog is, and what software must know of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from headwater.errors import ToolError, unknown

_RTL = Path(__file__).with_name("rtl")
INSTALL = "pip install 'headwater[codesign]'"


@dataclass(frozen=True)
class Processor:
    """One processor.

    Members
    -------
    name, title : str
        On the command line; in prose.
    package : str
        The Python package that its Verilog comes in.
    instructions : bool
        Whether it has a port for custom instructions.
    macros : tuple of str
        What the C programs are told of it.
    files : callable
        Its Verilog files in order, from the folder of the package.
    options : tuple of str
        What Verilator must be told to read them.
    """

    name: str
    title: str
    package: str
    instructions: bool
    macros: tuple[str, ...]
    files: Callable[[Path], list[Path]]
    options: tuple[str, ...] = ()

    @property
    def version(self) -> str:
        """Version of the package.

        Raises
        ------
        ToolError
            If it is not installed.
        """
        try:
            return version(self.package)
        except PackageNotFoundError as error:
            raise ToolError(f"{self.package} is not installed; install it with: {INSTALL}") from error

    def sources(self) -> dict[str, str]:
        """Its Verilog and that of the module `cpu` around it, by name of the file."""
        found = find_spec(self.package.replace("-", "_"))
        if found is None or found.origin is None:
            raise ToolError(f"{self.package} is not installed; install it with: {INSTALL}")
        files = self.files(Path(found.origin).parent)
        adapter = next(_RTL.glob(f"cpu_{self.name}.*v"))
        return {path.name: path.read_text() for path in (*files, adapter)}


def _vexriscv(folder: Path) -> list[Path]:
    return [folder / "verilog" / "VexRiscv_FullCfu.v"]


def _picorv32(folder: Path) -> list[Path]:
    return [folder / "verilog" / "picorv32.v"]


def _ibex(folder: Path) -> list[Path]:
    return [folder / "system_verilog"]


PROCESSORS = {
    processor.name: processor
    for processor in (
        Processor(
            "vexriscv",
            "VexRiscv FullCfu: five stages, caches of 4 KiB, single-cycle multiplier and shifter",
            "pythondata-cpu-vexriscv", True, ("CPU_VEXRISCV=1", "HAS_CSR=1"), _vexriscv,
        ),
    )
}  # fmt: skip


def find(name: str) -> Processor:
    """The processor of that name; an error that lists all names if there is none."""
    if name not in PROCESSORS:
        raise unknown("cpu", name, PROCESSORS)
    return PROCESSORS[name]
