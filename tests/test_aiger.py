# SPDX-License-Identifier: Apache-2.0
"""Designs in AIGER with switches."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.flow import abc
from headwater.flow.abc import Question, are_equivalent, ask
from headwater.flow.aiger import Switched
from headwater.flow.process import ToolStoppedError
from headwater.flow.sat import FILES, FLAT
from headwater.flow.write_aiger import finish, writing
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
    for name, text in FILES.items():
        (folder / name).write_text(text)
    other = "delete -output o:*" if asserted else "chformal -remove"
    run_yosys(["read_verilog -sv -formal top.v", "proc", other, *FLAT, *writing("top.aig")], folder)
    finish(folder / "top.aig")
    return Switched(folder / "top.aig", folder / "top.names", "on_")


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


def test_no_answer_in_time_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither that designs are the same, nor that they are not."""
    monkeypatch.setattr(abc, "run_tool", lambda *_, **__: "Reached timeout (20 seconds).\n")
    with pytest.raises(ToolStoppedError, match="ABC must say within 20 s whether two designs"):
        are_equivalent(tmp_path, "none.aig", "one.aig", 20.0)


EVERY_OPERATOR = (
    "a + b",
    "a - b",
    "-a",
    "$signed(a) + $signed(c)",
    "$signed(c) - $signed(b)",
    "a * b",
    "a % b",
    "a << c",
    "$signed(a) >>> c",
    "a[c +: 2]",
    "a < b",
    "$signed(a) <= $signed(c)",
    "a == b",
    "$signed(a) != $signed(c)",
    "a ? b : c",
    "{a && c, a || c, !a, &a, |a, ^a, ~^a}",
    "~(a & b | c) ^ b",
    "a === b",
    "one",
    "zero",
    "read[c]",
)


@pytest.mark.parametrize("change", [("", ""), ("a - b", "a + b"), ("4'd1", "4'd3")])
def test_every_operator_is_written(tmp_path: Path, change: tuple[str, str]) -> None:
    """What is written of words is what is written of gates, to which Yosys has another way; with
    all masks but one at zero an operator stands alone."""
    masks = "".join(f", input [3:0] m{number}" for number in range(len(EVERY_OPERATOR)))
    terms = " ^ ".join(f"^(({one}) & m{at})" for at, one in enumerate(EVERY_OPERATOR))
    text = (
        f"module words(input clk, input [3:0] a, b, input [1:0] c{masks}, output y);\n"
        "  reg [3:0] one = 4'd1, zero = 4'd0;\n"
        "  always @(posedge clk) begin one <= one + a; zero <= one ^ b; end\n"
        "  reg [3:0] read [0:3];\n"
        "  initial begin read[0] = 3; read[1] = 9; read[2] = 12; read[3] = 5; end\n"
        f"  assign y = {terms};\nendmodule\n"
    )
    (tmp_path / "words.v").write_text(text)
    (tmp_path / "gates.v").write_text(text.replace("words(", "gates(").replace(*change))
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    run_yosys(
        [
            "read_verilog words.v gates.v",
            "proc",
            "memory_map",
            "techmap gates/* gates/t:$dff %d",
            "miter -equiv -make_assert -flatten words gates both",
            "hierarchy -top both",
            "delete -output o:*",
            *FLAT,
            *writing("both.aig"),
        ],
        tmp_path,
    )
    finish(tmp_path / "both.aig")
    assert ask(tmp_path, [Question("both.aig", 2)]) == [change != ("", "")]
