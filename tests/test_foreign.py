# SPDX-License-Identifier: Apache-2.0
"""Other people's sources as one plain module: it computes what they say, in each language."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from headwater.bench.target import find
from headwater.emit.verilog import Port, Verilog
from headwater.errors import InputError, ToolError
from headwater.flow.asic import map_to_cells
from headwater.report.study import peers

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"

VHDL = """\
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
entity count is
  generic (width : integer := 4);
  port (tick : in std_logic; reset : in std_logic; sum : out unsigned(width-1 downto 0));
end entity;
architecture plain of count is
  type place is (zero, one, two, three, four);
  signal at : place;
  signal wide : std_logic_vector(69 downto 0);
  signal output : unsigned(width-1 downto 0);
begin
  sum <= output;
  assert at /= four or wide(0) = wide(69) or reset = '0';
  process (tick) begin
    if rising_edge(tick) then
      wide <= wide(68 downto 0) & wide(69);
      if reset = '1' then
        at <= zero;
        output <= (others => '0');
        wide <= (69 => '1', 0 => '1', others => '0');
      else
        case at is
          when zero => at <= one;
          when one => at <= two;
          when two => at <= three;
          when three => at <= four;
          when others => at <= zero; output <= output + 1;
        end case;
        if wide(69) = '1' and wide(0) = '1' then
          output <= output + 7;
        end if;
      end if;
    end if;
  end process;
end architecture;
"""
"""Counts the fifth of five cycles, the last case of a choice; adds 7 where both ends of a constant
of 70 bits are ones, once in 70 cycles. A signal is called as a word of Verilog is."""
SYSTEM_VERILOG = """\
module count #(parameter int width = 4)
  (input logic tick, input logic reset, output logic [width-1:0] sum);
  logic [2:0] at;
  logic [3:0] seen [5];
  always_ff @(posedge tick) begin
    if (reset) begin at <= 0; sum <= 0; seen <= '{default: 0}; end
    else begin
      at <= at == 4 ? 0 : at + 1;
      seen[at] <= seen[at] + 1;
      if (at == 4) sum <= width'(seen[4]) + 1;
    end
  end
endmodule
"""
VERILOG = """\
module count #(parameter width = 4) (input tick, input reset, output reg [width-1:0] sum);
  reg [7:0] at;
  wire [7:0] next;
  wire bus;
  table_of next_of (.a(at), .spo(next));
  half low (.in(next == 0), .enable(next[0]), .out(bus));
  half high (.in(next == 0), .enable(~next[0]), .out(bus));
  always @(posedge tick)
    if (reset) begin at <= 0; sum <= 0; end
    else begin at <= next; if (bus) sum <= sum + 1; end
endmodule
"""
HALF = "module half (input in, enable, output out); assign out = enable ? in : 1'bz; endmodule\n"
TABLE = ", ".join(f"{0 if place == 4 else (place + 1) % 256:02x}" for place in range(256))


@pytest.fixture(scope="module")
def foreign() -> dict[str, Any]:
    return runpy.run_path(str(BENCHMARKS / "foreign.py"))


def source(tmp_path: Path, suffix: str, text: str, **others: object) -> dict[str, Any]:
    (tmp_path / f"count{suffix}").write_text(text)
    row = {"peer": "someone/counts", "files": [f"count{suffix}"], "top": "count", "clock": "tick"}
    return {**row, "parameters": {"width": 6}, **others}


def sums(made: Verilog, cycles: int, folder: Path) -> list[int]:
    """What the plain module counts in each cycle after a reset."""
    (folder / "bench.v").write_text(f"""{made.text}
module bench;
  reg clk = 0, reset = 1;
  wire [5:0] sum;
  {made.name} core (.clk(clk), .reset(reset), .sum(sum));
  initial begin
    #1 clk = 1; #1 clk = 0; reset = 0;
    repeat ({cycles}) begin #1 clk = 1; #1 clk = 0; $display("%0d", sum); end
  end
endmodule
""")
    subprocess.run(["iverilog", "-o", "bench", "bench.v"], cwd=folder, check=True)
    run = subprocess.run(
        ["vvp", "-n", "bench"], cwd=folder, check=True, capture_output=True, text=True
    )
    return list(map(int, run.stdout.split()))


def test_vhdl(foreign: dict[str, Any], tmp_path: Path) -> None:
    made = foreign["plain"](source(tmp_path, ".vhd", VHDL), tmp_path)
    assert made.ports == (
        Port("clk", "input", 1),
        Port("reset", "input", 1),
        Port("sum", "output", 6),
    )
    found = sums(made, 90, tmp_path)
    # The constant shows both of its ones at once in the first cycle, and 70 later; the later of two
    # assignments counts.
    assert found == [7 * (1 + (cycle > 70)) + cycle // 5 for cycle in range(1, 91)]


def test_system_verilog(foreign: dict[str, Any], tmp_path: Path) -> None:
    made = foreign["plain"](source(tmp_path, ".sv", SYSTEM_VERILOG), tmp_path)
    assert sums(made, 30, tmp_path) == [cycle // 5 for cycle in range(1, 31)]


def test_verilog_with_a_table_and_a_bus(foreign: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "table.coe").write_text(f"radix = 16;\nmemory_initialization_vector =\n{TABLE};")
    row = source(tmp_path, ".v", VERILOG, models=HALF, roms={"table_of": "table.coe"})
    made = foreign["plain"](row, tmp_path)
    assert not re.search(r"'\w*z", made.text)
    assert sums(made, 30, tmp_path) == [cycle // 5 for cycle in range(1, 31)]


def test_refusals(foreign: dict[str, Any], tmp_path: Path) -> None:
    latch = "module count (input tick, d, output reg q); always @* if (tick) q = d; endmodule"
    with pytest.raises(ToolError, match=r"selection is not empty"):
        foreign["plain"](source(tmp_path, ".v", latch, parameters={}), tmp_path)
    row = source(tmp_path, ".v", VERILOG)
    with pytest.raises(InputError, match=r"^someone/counts must have the file .*/other\.v$"):
        foreign["plain"]({**row, "files": ["other.v"]}, tmp_path)
    both = (
        "module count (input tick, inout d, output reg q); always @(posedge tick) q <= d; endmodule"
    )
    with pytest.raises(InputError, match=r"^someone/counts must have no port of both directions$"):
        foreign["plain"](source(tmp_path, ".v", both, parameters={}), tmp_path)


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return runpy.run_path(str(BENCHMARKS / "peers.py"))


def committed(tree: Path) -> str:
    """The commit of a work tree that is made here."""
    git = ["git", "-C", str(tree), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *words], check=True)
    asked = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return asked.stdout.strip()


def test_what_was_placed_is_not_placed_again(
    measuring: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tree = tmp_path / "someone" / "counts"
    tree.mkdir(parents=True)
    row = source(
        tree, ".v", VERILOG.replace("half ", "half_ "), models=HALF.replace("half ", "half_ ")
    )
    row["roms"] = {"table_of": "table.coe"}
    (tree / "table.coe").write_text(f"memory_initialization_vector = {TABLE};")
    row["commit"] = committed(tree)
    placed: list[Verilog] = []
    monkeypatch.setitem(
        measuring["measured"].__globals__, "on_fpga", lambda made: placed.append(made) or {"a": {}}
    )
    given = Namespace(folder=tmp_path, cells=False)
    first = measuring["measured"](row, given, {})
    assert first["mappings"] == {"a": {}}
    assert 0 < first["ge"]["auto"] <= first["ge"]["none"]
    assert measuring["measured"](row, given, first) == first
    assert len(placed) == 1
    given.cells = True
    other = {**first, "circuit": "of another core"}
    assert "mappings" not in measuring["measured"](row, given, other)
    with pytest.raises(InputError, match=r"must be a work tree at 0, not '[0-9a-f]{40}'$"):
        measuring["checked_out"](tree, "0")
    with pytest.raises(InputError, match=r"must be a work tree at 0, not 'absent'$"):
        measuring["checked_out"](tmp_path / "none", "0")


def test_a_reset_at_any_time_costs_no_area(measuring: dict[str, Any], tmp_path: Path) -> None:
    """osu018 has no flip-flop with a reset but one that has a set, too, and is 1.83 times as
    large."""
    areas = []
    for event in ("", " or posedge rst"):
        text = f"""module one (input clk, rst, d, output reg q);
  always @(posedge clk{event}) if (rst) q <= 0; else q <= d;
endmodule"""
        library = find("osu018").library()
        mapped = map_to_cells(text, "one", library, tmp_path)
        areas.append((mapped.ge, measuring["plain_ge"](mapped, library)))
    (plain, same), (large, counted) = areas
    assert plain == same > counted >= 4
    assert large - counted == pytest.approx(176 / 24 - 4)


def test_figures_stand_in_the_order_of_the_rows(measuring: dict[str, Any]) -> None:
    names = [peers.name_of(row) for row in peers.sources()]
    known = {name: {"ge": {"none": place}} for place, name in enumerate(reversed(names))}
    text = measuring["as_lines"](known)
    assert json.loads(text) == known
    assert list(json.loads(text)) == names
    assert text.count("\n") == len(names) + 2
