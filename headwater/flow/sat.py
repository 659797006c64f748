# SPDX-License-Identifier: Apache-2.0
"""Proofs by Yosys's SAT solver, on RTLIL with assertions and assumptions in it."""

from __future__ import annotations

import re
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.yosys import run_yosys

OPEN = (
    "proc",
    # Only registers of the watching circuit start from their initial values; the core may start in
    # any state.
    "setattr -unset init w:* w:spec_* %d w:*.spec_* %d",
)
"""Passes after which no register of a core has an initial value."""

MAP = (
    # What no assertion reads is not worth mapping. Without -noff a register that keeps its content
    # becomes a constant, though it may begin with anything.
    "opt_clean -purge",
    "memory_map",
    "opt -purge -noff",
    "techmap -map read_table.v",
    "bmuxmap",
    "simplemap",
    "opt -purge -noff",
    "chformal -lower",
)
"""Passes that map a flat design to gates of one bit, so that equal parts of two readings are
merged."""

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

# Any run of the design is a run of the part that the assumptions read.
KEEP_ASSUMPTIONS = ("chformal -assert -remove", "opt_clean -purge")

NO_RUN = "SAT solving finished - no model found."


class NoRunError(ToolError):
    """The assumptions of a check exclude every run, so that whatever it says is empty."""


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
    ToolError
        If the solver comes to no answer.
    """
    begin = _begin(rtlil, folder)
    how = f"-tempinduct -maxsteps {cycles}" if by_induction else f"-seq {cycles}"
    log = run_yosys(
        [
            *begin,
            *MAP,
            f"sat -prove-asserts -set-assumes {how}",
            *KEEP_ASSUMPTIONS,
            f"sat -set-assumes -seq {cycles}",
        ],
        folder,
    )
    if NO_RUN in log:
        raise NoRunError(f"the assumptions exclude every run of {cycles} cycles")
    if "SUCCESS!" in log:
        return True
    if "FAIL!" in log:
        return False
    tail = "\n".join(log.strip().splitlines()[-8:])
    raise ToolError(f"the SAT solver came to no answer within {cycles} cycles:\n{tail}")


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
