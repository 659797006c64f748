# SPDX-License-Identifier: Apache-2.0
"""The processors: their Verilog, and properties that software depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from headwater.errors import ToolError, unknown
from headwater.flow.process import package_version

_RTL = Path(__file__).with_name("rtl")
INSTALL = "pip install 'headwater[codesign]'"


@dataclass(frozen=True)
class Processor:
    """One processor."""

    name: str
    """Its name on the command line."""
    title: str
    """Its name in prose."""
    package: str
    """The Python package with its Verilog."""
    instructions: bool
    """Whether it has a port for custom instructions."""
    macros: tuple[str, ...]
    """Macros of C programs on this processor."""
    files: Callable[[Path], list[Path]]
    """Its Verilog files in order, from the folder of the package."""
    options: tuple[str, ...] = ()
    """Options that Verilator needs to read these files."""
    headers: tuple[str, ...] = ()
    """Files among them that are only included."""

    @property
    def version(self) -> str:
        """Version of the package."""
        return package_version(self.package, INSTALL)

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


_IBEX_PACKAGES = ("ibex_pkg", "prim_ram_1p_pkg", "prim_secded_pkg", "prim_count_pkg",
                  "prim_util_pkg", "prim_mubi_pkg")  # fmt: skip
_IBEX_MODULES = (
    "ibex_alu", "ibex_branch_predict", "ibex_compressed_decoder", "ibex_controller", "ibex_core",
    "ibex_counter", "ibex_cs_registers", "ibex_csr", "ibex_decoder", "ibex_dummy_instr",
    "ibex_ex_block", "ibex_fetch_fifo", "ibex_icache", "ibex_id_stage", "ibex_if_stage",
    "ibex_load_store_unit", "ibex_multdiv_fast", "ibex_multdiv_slow", "ibex_pmp",
    "ibex_prefetch_buffer", "ibex_register_file_ff", "ibex_wb_stage",
)  # fmt: skip
_IBEX_HEADERS = (
    "prim_assert.sv", "prim_assert_dummy_macros.svh", "prim_assert_sec_cm.svh",
    "prim_flop_macros.sv", "dv_fcov_macros.svh", "ibex_pmp_reset_default.svh",
)  # fmt: skip


def _ibex(folder: Path) -> list[Path]:
    """The Verilog files of Ibex. Headers come first, because they are only included."""
    found = {path.name: path for path in sorted(folder.rglob("*.sv*"), reverse=True)}
    modules = (f"{name}.sv" for name in (*_IBEX_PACKAGES, *_IBEX_MODULES))
    return [found[name] for name in (*_IBEX_HEADERS, *modules) if name in found]


PROCESSORS = {
    processor.name: processor
    for processor in (
        Processor(
            "vexriscv",
            "VexRiscv FullCfu: five stages, caches of 4 KiB, single-cycle multiplier and shifter",
            "pythondata-cpu-vexriscv", True, ("CPU_VEXRISCV=1", "HAS_CSR=1"), _vexriscv,
        ),
        Processor(
            "ibex",
            "Ibex: three stages, single-cycle multiplier, no cache, no custom instructions",
            "pythondata-cpu-ibex", False, ("HAS_CSR=1",), _ibex, ("-DSYNTHESIS",),
            ("prim_assert.sv", "prim_flop_macros.sv"),
        ),
        Processor(
            "picorv32",
            "PicoRV32: several cycles for each instruction, barrel shifter, fast multiplier",
            "pythondata-cpu-picorv32", True, ("HAS_CSR=0",), _picorv32,
        ),
    )
}  # fmt: skip


def find(name: str) -> Processor:
    """The processor of that name; an error that lists all names if there is none."""
    if name not in PROCESSORS:
        raise unknown("cpu", name, PROCESSORS)
    return PROCESSORS[name]
