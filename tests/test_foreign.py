# SPDX-License-Identifier: Apache-2.0
"""Other people's sources as one plain module: it computes what they say, in each language."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command_line import Capture
from hand_written import core
from library_needs import library as library_of

from headwater.cli.main import main
from headwater.emit.verilog import Port, Verilog
from headwater.errors import InputError
from headwater.flow.asic import map_to_cells
from headwater.foreign.costing import plain_ge
from headwater.foreign.listing import Listed, check_commit, read_list
from headwater.foreign.reading import read_core
from headwater.foreign.verdict import Verdict
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


def listed(tree: Path, suffix: str, text: str, **others: object) -> Listed:
    """A core of a list, read as a list is."""
    (tree / "someone").mkdir(exist_ok=True)
    place = tree / "someone" / "counts"
    place.mkdir(exist_ok=True)
    (place / f"count{suffix}").write_text(text)
    core = {
        "repository": "someone/counts",
        "cipher": "trivium",
        "files": [f"count{suffix}"],
        "top": "count",
        "parameters": {"width": 6},
        "at": [{"radix": 1}],
        **others,
    }
    if not (place / ".git").exists():
        committed(place)
    core["commit"] = head(place)
    lines = [f"{name} = {toml(value)}" for name, value in core.items()]
    (tree / "list.toml").write_text("[[core]]\n" + "\n".join(lines) + "\n")
    (one,) = read_list(tree / "list.toml", tree)
    return one


def toml(value: object) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {toml(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def plain(one: Listed, tree: Path) -> Verilog:
    """The module of a core."""
    folder = tree / "made"
    folder.mkdir(exist_ok=True)
    return read_core(one.sources(folder), one.settings).verilog


def committed(tree: Path) -> None:
    """Make a work tree."""
    git = ["git", "-C", str(tree), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *words], check=True)


def head(tree: Path) -> str:
    """The commit of a work tree."""
    asked = subprocess.run(
        ["git", "-C", str(tree), "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    )
    return asked.stdout.strip()


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


def test_vhdl(tmp_path: Path) -> None:
    made = plain(listed(tmp_path, ".vhd", VHDL), tmp_path)
    assert made.ports == (
        Port("clk", "input", 1),
        Port("reset", "input", 1),
        Port("sum", "output", 6),
    )
    found = sums(made, 90, tmp_path)
    # The constant shows both of its ones at once in the first cycle, and 70 later; the later of two
    # assignments counts.
    assert found == [7 * (1 + (cycle > 70)) + cycle // 5 for cycle in range(1, 91)]


def test_system_verilog(tmp_path: Path) -> None:
    made = plain(listed(tmp_path, ".sv", SYSTEM_VERILOG), tmp_path)
    assert sums(made, 30, tmp_path) == [cycle // 5 for cycle in range(1, 31)]


def test_verilog_with_a_table_and_a_bus(tmp_path: Path) -> None:
    one = listed(tmp_path, ".v", VERILOG, models=HALF, roms={"table_of": "table.coe"})
    table = tmp_path / "someone" / "counts" / "table.coe"
    table.write_text(f"radix = 16;\nmemory_initialization_vector =\n{TABLE};")
    made = plain(one, tmp_path)
    assert not re.search(r"'\w*z", made.text)
    assert sums(made, 30, tmp_path) == [cycle // 5 for cycle in range(1, 31)]


def test_a_small_memory_is_made_of_flip_flops(tmp_path: Path) -> None:
    text = """module count (input tick, input reset, output reg [5:0] sum);
  reg [5:0] held [0:1];
  reg at;
  always @(posedge tick)
    if (reset) begin at <= 0; sum <= 0; held[0] <= 0; held[1] <= 0; end
    else begin at <= ~at; held[at] <= held[at] + 1; sum <= held[at]; end
endmodule"""
    made = plain(listed(tmp_path, ".v", text, parameters={}), tmp_path)
    assert sums(made, 12, tmp_path) == [cycle // 2 for cycle in range(12)]


def test_refusals(tmp_path: Path) -> None:
    one = listed(tmp_path, ".v", VERILOG)
    (tmp_path / "someone" / "counts" / "count.v").unlink()
    with pytest.raises(InputError, match=r"^someone/counts trivium 1 must have the file .*\.v$"):
        plain(one, tmp_path)
    with pytest.raises(InputError, match=r"must be a work tree at 0, not '[0-9a-f]{40}'$"):
        check_commit(tmp_path / "someone" / "counts", "0")
    with pytest.raises(InputError, match=r"must be a work tree at 0, not 'absent'$"):
        check_commit(tmp_path / "none", "0")
    for text, sentence in (
        ("[[core]]\nfiles = []", "must be a list of tables .*; one has not: 'repository'"),
        ("core = 1", "must be a list of tables"),
        ("core", "must be TOML"),
    ):
        (tmp_path / "list.toml").write_text(text)
        with pytest.raises(InputError, match=sentence):
            read_list(tmp_path / "list.toml", tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_list(tmp_path / "none.toml", tmp_path)


def test_a_list_is_judged(tmp_path: Path, capsys: Capture) -> None:
    """One line for each core: one that is right, one that is read and not judged, one that is
    not there."""
    one = listed(
        tmp_path, ".v", core("bivium").replace("somebodys", "count"), parameters={}, cipher="bivium"
    )
    words = ["bench", "--list", str(tmp_path / "list.toml"), "--sources", str(tmp_path)]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert printed == (
        "someone/counts bivium 1: bench: bivium, 1 bit per cycle, vectors pass, "
        "step proven, setup proven\n"
    )
    assert main([*words, "--only", "nobody"]) == 0
    assert capsys.readouterr().out == ""
    text = (tmp_path / "list.toml").read_text()
    (tmp_path / "list.toml").write_text(text.replace('"bivium"', '"lizard"'))
    assert main([*words, "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out).values()
    assert found["layers"][0]["result"] == "not reached"
    assert "key must be one input of 120" in found["layers"][0]["text"]
    (tmp_path / "list.toml").write_text(text.replace(one.commit, "0"))
    assert main(words) == 1
    assert "must be a work tree at 0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--list", "l.toml"], "--list must come with --sources"),
        (["core.v", "--list", "l.toml", "--sources", "."], "--list must come without files"),
        (["core.v", "--cipher", "trivium", "--only", "a"], "must come with --list"),
        (["core.v"], "must be given --cipher"),
    ],
)
def test_words_that_do_not_go_together(words: list[str], sentence: str, capsys: Capture) -> None:
    assert main(["bench", *words]) == 2
    assert sentence in capsys.readouterr().err


@pytest.fixture
def measuring() -> dict[str, Any]:
    return runpy.run_path(str(BENCHMARKS / "peers.py"))


def test_what_was_placed_is_not_lost(measuring: dict[str, Any]) -> None:
    cells = {"target": "osu018", "verilog_sha256": "a", "ge_plain": 3.0, "ge_plain_gated": 2.0}
    verdict = Verdict("trivium", 1, 1, {}, figures=[cells])
    before = {"circuit": "a", "mappings": {"area": {"lut": 1}}}
    found = measuring["figures_of"](verdict, before)
    assert found == {
        "circuit": "a",
        "ge": {"none": 3.0, "auto": 2.0},
        "mappings": {"area": {"lut": 1}},
    }
    assert "mappings" not in measuring["figures_of"](verdict, before | {"circuit": "b"})
    verdict.figures.append({"target": "ecp5-25k", "mappings": {"area": {"lut": 2}}})
    assert measuring["figures_of"](verdict, before)["mappings"] == {"area": {"lut": 2}}


def test_a_reset_at_any_time_costs_no_area(tmp_path: Path) -> None:
    """osu018 has no flip-flop with a reset but one that has a set, too, and is 1.83 times as
    large."""
    areas = []
    for event in ("", " or posedge rst"):
        text = f"""module one (input clk, rst, d, output reg q);
  always @(posedge clk{event}) if (rst) q <= 0; else q <= d;
endmodule"""
        library = library_of("osu018")
        mapped = map_to_cells(text, "one", library, tmp_path)
        areas.append((mapped.ge, plain_ge(mapped, library)))
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
