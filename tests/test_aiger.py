# SPDX-License-Identifier: Apache-2.0
"""Designs in AIGER with switches."""

from __future__ import annotations

from pathlib import Path

from headwater.flow.abc import Question, are_equivalent, ask
from headwater.flow.aiger import Switched
from headwater.flow.sat import GATES, WRITE
from headwater.flow.yosys import run_yosys

DESIGN = """\
module top(input clk, input [7:0] a, input on_1, on_2, on_3, on_4, output [7:0] y);
  reg [7:0] sum = 8'd1;
  wire [7:0] more = on_1 ? sum ^ a : sum + a;
  always @(posedge clk) sum <= on_2 ? 8'd1 : more;
  assign y = sum & ~{8{on_4 & sum[0] & ~sum[0]}};
  always @* assert (on_1 || on_2 || sum == 8'd1 || a != 8'd0);
endmodule
"""


def design(folder: Path, *, asserted: bool) -> Switched:
    """The design: its assertion, or else its outputs."""
    (folder / "top.v").write_text(DESIGN)
    (folder / "read_table.v").write_text("")
    gates = [one for one in GATES[not asserted :] if "read_table" not in one]
    kept = "" if asserted else "chformal -remove"
    run_yosys(["read_verilog -sv -formal top.v", "proc", kept, *gates,
               f"{WRITE} -map top.map top.aig"], folder)  # fmt: skip
    return Switched(folder / "top.aig", folder / "top.map", "on_")


def test_one_switch_is_on(tmp_path: Path) -> None:
    """The assertion fails only while no switch is on that excuses it."""
    switched, fails = design(tmp_path, asserted=True), {}
    assert [switched.reads(f"on_{number}") for number in (1, 2, 3)] == [True, True, False]
    for switch in (None, "on_1", "on_2"):
        switched.write(tmp_path / "asked.aig", switch)
        fails[switch] = ask(tmp_path, [Question("asked.aig", 3)])[0]
    assert fails == {None: True, "on_1": False, "on_2": False}


def test_which_designs_are_equivalent(tmp_path: Path) -> None:
    """The third switch is read by nothing, the fourth by what is never true."""
    switched = design(tmp_path, asserted=False)
    switched.write(tmp_path / "none.aig", None)
    for switch, same in (("on_1", False), ("on_2", False), ("on_3", True), ("on_4", True)):
        switched.write(tmp_path / "one.aig", switch)
        assert are_equivalent(tmp_path, "none.aig", "one.aig", 20.0) is same
