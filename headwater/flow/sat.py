# SPDX-License-Identifier: Apache-2.0
"""Proofs on RTLIL with assertions and assumptions in it: Yosys maps it to gates, ABC solves."""

from __future__ import annotations

import re
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.abc import Question, ask
from headwater.flow.yosys import run_yosys

OPEN = (
    "proc",
    # Only registers of the watching circuit start from their initial values; the core may start in
    # any state.
    "setattr -unset init w:* w:spec_* %d w:*.spec_* %d",
)
"""Passes after which no register of a core has an initial value."""

# A word of a table, which is a shift by a multiple of the word's width, as a tree of multiplexers:
# those of constants are merged. The solver's own shifter would have the whole table in each stage.
READ_TABLE = """\
(* techmap_celltype = "$shift" *)
module read_table (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter [B_WIDTH-1:0] _TECHMAP_CONSTMSK_B_ = 0;
  parameter [B_WIDTH-1:0] _TECHMAP_CONSTVAL_B_ = 0;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  localparam PLACE_BITS = $clog2(Y_WIDTH);
  localparam WORD = 1 << PLACE_BITS;
  localparam INDEX_BITS = B_WIDTH - PLACE_BITS;
  localparam [B_WIDTH-1:0] ZEROS = _TECHMAP_CONSTMSK_B_ & ~_TECHMAP_CONSTVAL_B_;
  localparam UNALIGNED = |(~ZEROS & (WORD - 1));
  wire _TECHMAP_FAIL_ = A_SIGNED || B_SIGNED || UNALIGNED || INDEX_BITS < 1 || INDEX_BITS > 10;
  wire [(WORD << INDEX_BITS)-1:0] table = A;
  wire [WORD-1:0] word;
  \\$bmux #(.WIDTH(WORD), .S_WIDTH(INDEX_BITS)) read (
    .A(table), .S(B[B_WIDTH-1:PLACE_BITS]), .Y(word));
  assign Y = word;
endmodule
"""

READ = (
    "memory_map",
    "techmap -map read_table.v",
    "bmuxmap",
    "opt_clean",
    "chformal -lower",
)
"""Passes after which words and names are those of the design, for a run that people read."""

_GATES_ALONE = "t:$*ff* t:$_*FF* %u %n"
"""A selection without registers. They are never merged: each may begin with anything."""

GATES = (
    # ABC would read an output as a bad state.
    "delete -output o:*",
    # What no assertion reads is not worth mapping, and two readings of a step have much in common.
    "opt_clean -purge",
    "opt_expr",
    "opt_muxtree",
    "opt_reduce",
    f"opt_merge {_GATES_ALONE}",
    "opt_clean",
    "memory_map",
    "opt_expr",
    "techmap -map read_table.v",
    "bmuxmap",
    "simplemap",
    # Most of a table's multiplexers choose among constants, or are those of another use of it.
    f"opt_merge {_GATES_ALONE}",
    "opt_expr",
    f"opt_merge {_GATES_ALONE}",
    "opt_clean",
    "chformal -lower",
    # As for Yosys's own solver, an unknown constant is zero.
    "setundef -zero",
    "aigmap",
    # Shifts, products and remainders are left.
    "techmap",
    "aigmap",
)
"""Passes that map a flat design to inverters and ANDs; ABC merges equal ones."""

WRITE = "write_aiger -zinit -I -B -L"
"""The pass that writes such a design: registers without an initial value begin with an input."""

# An assertion in the step of an induction: it held in every earlier cycle, and fails in cycle
# DEPTH, counted from zero, at the earliest.
_STEP = """\
(* techmap_celltype = "$assert" *)
module step (A, EN);
  input A, EN;
  wire before;
  (* init = 0 *) wire [DEPTH:1] passed;
  wire [DEPTH:0] begun = {passed, 1'b1};
  \\$ff #(.WIDTH(1)) earlier (.D(A | ~EN), .Q(before));
  \\$ff #(.WIDTH(DEPTH)) age (.D(begun[DEPTH-1:0]), .Q(passed));
  \\$assume known (.A(before), .EN(1'b1));
  \\$assert wanted (.A(A), .EN(EN & passed[DEPTH]));
endmodule
"""


class NoRunError(ToolError):
    """The assumptions of a check exclude every run, so that whatever it says is empty."""


class NoEndError(ToolError):
    """An induction shows nothing: neither its base is broken nor its step kept."""


def holds(rtlil: str, folder: Path, *, cycles: int, by_induction: bool = False) -> bool:
    """Whether no assertion in a design can fail.

    Parameters
    ----------
    rtlil
        One top module; registers named ``spec_...`` keep their initial values, all others start
        with any content.
    cycles
        Number of cycles that a run is followed.
    by_induction
        Whether to prove the property for runs of any length. Then only the base case of the
        induction is followed, for as many cycles as the induction needs; it is an error if the
        induction does not come to an end within them.

    Raises
    ------
    NoRunError
        If no run of ``cycles`` cycles meets the assumptions.
    NoEndError
        If the induction does not come to an end.
    ToolError
        If the solver comes to no answer.
    """
    for depth in range(1, cycles + 1) if by_induction else (0,):
        _write_aiger(rtlil, folder, depth)
        runs = Question("asserted.aig", cycles, runs=True)
        fails = Question("asserted.aig", depth or cycles)
        step = [Question("step.aig", depth + 1)] if depth else []
        possible, broken, *unproven = ask(folder, [runs, fails, *step])
        if not possible:
            raise NoRunError(f"the assumptions exclude every run of {cycles} cycles")
        if broken or not any(unproven):
            return not broken
    raise NoEndError(f"the induction did not come to an end within {cycles} cycles")


def _write_aiger(rtlil: str, folder: Path, depth: int) -> None:
    """Write a design as AIGER; if ``depth`` is not zero, also the step of an induction from so many
    cycles."""
    (folder / "step.v").write_text(_STEP.replace("DEPTH", str(depth)))
    step = [
        "setattr -unset init w:*",
        "techmap -max_iter 1 -map step.v",
        "simplemap",
        "aigmap",
        f"{WRITE} step.aig",
    ]
    run_yosys(
        [*_begin(rtlil, folder), *GATES, f"{WRITE} asserted.aig", *(step if depth else ())], folder
    )


def counterexample(rtlil: str, folder: Path, *, cycles: int) -> str | None:
    """A run of so many cycles in which an assertion of such a design fails, as VCD; None if there
    is none. The same design gives the same bytes."""
    trace = folder / "trace.vcd"
    run_yosys(
        [*_begin(rtlil, folder), *READ,
         f"sat -prove-asserts -set-assumes -seq {cycles} -show-public -dump_vcd {trace.name}"],
        folder,
    )  # fmt: skip
    if not trace.exists():
        return None
    text = re.sub(r"\$(date|version|comment).*?\$end\n", "", trace.read_text(), flags=re.DOTALL)
    return re.sub(r"^(\$.*) \\", r"\1 ", text, flags=re.MULTILINE)


def _begin(rtlil: str, folder: Path) -> list[str]:
    """Passes that read a design and make it flat."""
    (folder / "spec.il").write_text(rtlil)
    (folder / "read_table.v").write_text(READ_TABLE)
    return ["read_rtlil spec.il", "hierarchy -auto-top", *OPEN, "flatten"]
