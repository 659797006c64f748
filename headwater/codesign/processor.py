# SPDX-License-Identifier: Apache-2.0
"""The processors: their Verilog, and properties that software depends on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
    results: int
    """Most results of a custom instruction; 0 if it has none."""
    macros: tuple[str, ...]
    """Macros of C programs on this processor."""
    files: Callable[[Path], list[Path]]
    """Its Verilog files in order, from the folder of the package."""
    options: tuple[str, ...] = ()
    """Options that Verilator needs to read these files."""
    headers: tuple[str, ...] = ()
    """Files among them that are only included."""
    systemverilog: bool = False
    """Whether it is in a SystemVerilog that Yosys does not read."""
    edits: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What is added to its Verilog: text to be found there once, and the text to be put instead."""

    @property
    def instructions(self) -> bool:
        """Whether it has a port for custom instructions."""
        return self.results > 0

    @property
    def version(self) -> str:
        """Version of the package."""
        return package_version(self.package, INSTALL)

    def sources(self) -> dict[str, str]:
        """Its Verilog and that of the module `cpu` around it, by name of the file."""
        spec = find_spec(self.package.replace("-", "_"))
        if spec is None or spec.origin is None:
            raise ToolError(f"{self.package} is not installed; install it with: {INSTALL}")
        files = self.files(Path(spec.origin).parent)
        adapter = next(_RTL.glob(f"cpu_{self.name}.*v"))
        texts = {path.name: path.read_text() for path in (*files, adapter)}
        for before, after in self.edits.items():
            name = self._where(before, texts)
            texts[name] = texts[name].replace(before, after)
        return texts

    def _where(self, part: str, texts: Mapping[str, str]) -> str:
        """The one file that a part of the Verilog is in."""
        names = [name for name, text in texts.items() for _ in range(text.count(part))]
        if len(names) != 1:
            raise ToolError(
                f"the Verilog of {self.package} {self.version} must have {part!r} once, "
                f"not {len(names)} times"
            )
        return names[0]


_HAZARDS = "HazardSimplePlugin_src0Hazard || HazardSimplePlugin_src1Hazard"
_READ_PORTS = tuple(f"_zz_RegFilePlugin_regFile_port{number}" for number in range(2))
_RESULT_PORT = "  input      [31:0]   CfuPlugin_bus_rsp_payload_outputs_0,\n"
_FIRST_INSTANCE = "  InstructionCache IBusCachedPlugin_cache (\n"
_SECOND_RESULT = {
    _RESULT_PORT: _RESULT_PORT + _RESULT_PORT.replace("outputs_0", "outputs_1"),
    _FIRST_INSTANCE: (_RTL / "vexriscv_second_result.v").read_text() + _FIRST_INSTANCE,
    _HAZARDS: f"{_HAZARDS} || second_hazard",
    **{
        f"rs{number + 1}Data = {port};": f"rs{number + 1}Data = second_taken[{number}] ? "
        f"second_latest : {port};"
        for number, port in enumerate(_READ_PORTS)
    },
}
"""What gives the custom instructions of VexRiscv a second result: a port for it, a write port of
the registers, and the wait for it."""


def _vexriscv(folder: Path) -> list[Path]:
    return [folder / "verilog" / "VexRiscv_FullCfu.v"]


def _picorv32(folder: Path) -> list[Path]:
    return [folder / "verilog" / "picorv32.v"]


_IBEX_PACKAGES = (
    "ibex_pkg",
    "prim_ram_1p_pkg",
    "prim_secded_pkg",
    "prim_count_pkg",
    "prim_util_pkg",
    "prim_mubi_pkg",
)
_IBEX_MODULES = (
    "ibex_alu",
    "ibex_branch_predict",
    "ibex_compressed_decoder",
    "ibex_controller",
    "ibex_core",
    "ibex_counter",
    "ibex_cs_registers",
    "ibex_csr",
    "ibex_decoder",
    "ibex_dummy_instr",
    "ibex_ex_block",
    "ibex_fetch_fifo",
    "ibex_icache",
    "ibex_id_stage",
    "ibex_if_stage",
    "ibex_load_store_unit",
    "ibex_multdiv_fast",
    "ibex_multdiv_slow",
    "ibex_pmp",
    "ibex_prefetch_buffer",
    "ibex_register_file_ff",
    "ibex_wb_stage",
)
_IBEX_HEADERS = (
    "prim_assert.sv",
    "prim_assert_dummy_macros.svh",
    "prim_assert_sec_cm.svh",
    "prim_flop_macros.sv",
    "dv_fcov_macros.svh",
    "ibex_pmp_reset_default.svh",
)


def _ibex(folder: Path) -> list[Path]:
    """The Verilog files of Ibex. Headers come first, because they are only included."""
    paths = {path.name: path for path in sorted(folder.rglob("*.sv*"), reverse=True)}
    modules = (f"{name}.sv" for name in (*_IBEX_PACKAGES, *_IBEX_MODULES))
    return [paths[name] for name in (*_IBEX_HEADERS, *modules) if name in paths]


PROCESSORS = {
    processor.name: processor
    for processor in (
        Processor(
            "vexriscv",
            "VexRiscv FullCfu: five stages, caches of 4 KiB, single-cycle multiplier and shifter; "
            "with a second result of custom instructions added",
            "pythondata-cpu-vexriscv",
            2,
            ("CPU_VEXRISCV=1", "HAS_CSR=1"),
            _vexriscv,
            edits=_SECOND_RESULT,
        ),
        Processor(
            "ibex",
            "Ibex: three stages, single-cycle multiplier, no cache, no custom instructions",
            "pythondata-cpu-ibex",
            0,
            ("HAS_CSR=1",),
            _ibex,
            ("-DSYNTHESIS",),
            ("prim_assert.sv", "prim_flop_macros.sv"),
            systemverilog=True,
        ),
        Processor(
            "picorv32",
            "PicoRV32: several cycles for each instruction, barrel shifter, fast multiplier",
            "pythondata-cpu-picorv32",
            1,
            ("HAS_CSR=0",),
            _picorv32,
        ),
    )
}


def find(name: str) -> Processor:
    """The processor of that name; an error that lists all names if there is none."""
    if name not in PROCESSORS:
        raise unknown("cpu", name, PROCESSORS)
    return PROCESSORS[name]
