# SPDX-License-Identifier: Apache-2.0
"""Proofs that a gate netlist does what its Verilog does, by Yosys's equivalence checker.

Registers are matched by the names of their nets, which mapping keeps. The proof is by induction:
where all matched nets are equal, they stay so. Yosys's models of registers do not look at the
clock, so a netlist is only proven if all its registers are clocked by the port `clk` itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.gatesim import read_cells
from headwater.flow.liberty import Library
from headwater.flow.process import ToolStoppedError, written_json
from headwater.flow.yosys import run_yosys

_CYCLES = 2


@dataclass(frozen=True)
class Equivalence:
    """Whether all matched nets were proven equal."""

    obstacle: str = ""
    """Why some were not; empty if all were."""

    @property
    def holds(self) -> bool:
        """Whether the netlist is proven."""
        return not self.obstacle


def prove_equivalence(
    rtl: str, netlist: str, library: Library, top: str, folder: Path, time_limit_s: float
) -> Equivalence:
    """Try to prove that a netlist does what its Verilog does; both modules have the name
    ``top``."""
    (folder / "rtl.v").write_text(rtl)
    (folder / "netlist.v").write_text(netlist)
    (folder / "and_not.v").write_text(_AND_NOT)
    run_yosys(_reading(library, top, folder), folder)
    obstacle = _clocked_otherwise(folder, top)
    if obstacle:
        return Equivalence(obstacle)
    try:
        log = run_yosys(_PROVING, folder, time_limit_s)
    except ToolStoppedError:
        return Equivalence(f"the proof did not come to an end in {time_limit_s:g} s")
    summary = re.search(r"Of those cells (\d+) are proven and (\d+) are unproven", log)
    if summary is None:
        raise ToolError("yosys did not say what it proved")
    proven, open_ = int(summary[1]), int(summary[2])
    left = f"{open_} of {proven + open_} pairs of nets were not proven equal" if open_ else ""
    return Equivalence(left or ("" if proven else "no net has the same name in both"))


# Gates that Yosys makes of a set together with a reset, and does not simplify.
_AND_NOT = """\
(* techmap_celltype = "$_ANDNOT_" *)
module and_not (input A, input B, output Y);
  wire n;
  \\$_NOT_ invert (.A(B), .Y(n));
  \\$_AND_ both (.A(A), .B(n), .Y(Y));
endmodule
"""


def _reading(library: Library, top: str, folder: Path) -> list[str]:
    """Both designs as gates, registers of the same kinds, and nets of one bit."""
    return [
        "read_verilog rtl.v",
        f"hierarchy -check -top {top}",
        "proc",
        "flatten -noscopeinfo",
        "memory_map",
        "opt_clean",
        "splitnets",
        f"rename {top} gold",
        "write_rtlil gold.il",
        "design -reset",
        *read_cells(library, folder),
        "read_verilog netlist.v",
        f"hierarchy -check -top {top}",
        "flatten -noscopeinfo",
        # A register whose set or reset is tied off counts as one without.
        "techmap -map and_not.v",
        "opt_expr",
        "opt_dff -nodffe -nosdff",
        "opt_clean",
        "simplemap",
        "splitnets",
        f"rename {top} gate",
        "write_json gate.json",
        "write_rtlil gate.il",
    ]


_PROVING = [
    "read_rtlil gold.il",
    "read_rtlil gate.il",
    "equiv_make gold gate equiv",
    "hierarchy -top equiv",
    "opt_clean",
    "equiv_simple",
    f"equiv_induct -seq {_CYCLES}",
    "equiv_status",
]


def _clocked_otherwise(folder: Path, top: str) -> str:
    """Why a proof is impossible: latches, or registers that are not clocked by `clk` alone. Empty
    if a proof is possible."""
    modules = written_json(folder / "gate.json")["modules"]
    if "gate" not in modules:
        raise ToolError(f"netlist must have a module {top}")
    module = modules["gate"]
    clock = module["ports"]["clk"]["bits"]
    for cell in module["cells"].values():
        kind = cell["type"]
        if "LATCH" in kind:
            return "the netlist has latches"
        if "FF" in kind and (kind != "$_DFF_P_" or cell["connections"]["C"] != clock):
            return "not all registers are clocked by clk alone"
    return ""
