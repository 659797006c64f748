# SPDX-License-Identifier: Apache-2.0
"""Runs that the solver found, once more in Verilator: whether an assertion fails in them.

Yosys prints the design as Verilog, with its assertions as outputs, and registers that can be
loaded. AIGER, and what made and read it, have no part in that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from headwater.flow.process import run_tool, written_json
from headwater.flow.testbench import compile_testbench
from headwater.flow.trace import ANY, Trace, as_vcd
from headwater.flow.yosys import run_yosys

_CELLS = f"""\
(* techmap_celltype = "$dff $ff" *)
module to_loaded (CLK, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  parameter [WIDTH-1:0] _TECHMAP_WIREINIT_Q_ = 0;
  localparam _TECHMAP_REMOVEINIT_Q_ = 1'b1;
  input CLK;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire [WIDTH-1:0] content, first;
  wire now;
  genvar i;
  \\$anyseq #(.WIDTH(WIDTH)) \\{ANY} (.Y(content));
  \\load load (.Y(now));
  generate for (i = 0; i < WIDTH; i = i + 1)
    if ((_TECHMAP_WIREINIT_Q_[i] ^ _TECHMAP_WIREINIT_Q_[i]) === 0)
      assign first[i] = _TECHMAP_WIREINIT_Q_[i];
    else
      assign first[i] = content[i];
  endgenerate
  \\$dff #(.WIDTH(WIDTH), .CLK_POLARITY(1)) register (.CLK(CLK), .D(now ? first : D), .Q(Q));
endmodule

(* techmap_celltype = "$assert" *)
module to_bad (A, EN);
  input A, EN;
  \\bad bad (.A(EN & ~A));
endmodule

(* techmap_celltype = "$assume" *)
module to_constraint (A, EN);
  input A, EN;
  \\constraint constraint (.A(~EN | A));
endmodule
"""

_PORTS = """\
(* blackbox *) module bad (A); input A; endmodule
(* blackbox *) module constraint (A); input A; endmodule
(* blackbox *) module load (Y); output Y; endmodule
"""

_FILES = {"to_replay.v": _CELLS, "to_replay_ports.v": _PORTS}
_PASSES = (
    "chformal -lower",
    "rename -hide t:$assert t:$assume",
    # The names then begin with that of the checker.
    "rename -enumerate -pattern check% t:$assert t:$assume",
    "flatten",
    "setundef -zero",
    "read_verilog -lib to_replay_ports.v",
    "techmap -max_iter 1 -map to_replay.v",
    "expose -evert t:$anyseq t:bad t:constraint t:load",
    # Of a choice among many Verilator makes much.
    "pmuxtree",
)
_LOAD, _BAD, _CONSTRAINT = ".load.Y", ".bad.A", ".constraint.A"
_OURS = (f".{ANY}.Y", _LOAD, _BAD, _CONSTRAINT)
_BENCH = Path(__file__).with_suffix(".sv")


class Replay:
    """A design as a program of Verilator.

    Parameters
    ----------
    design
        Passes of Yosys that read it. Its registers have names that last, and only those that begin
        with a certain value have an initial one.
    folder
        An empty folder to work in, from which the passes read.
    checkers
        The names of its checkers. The assertions and assumptions of each are in a submodule
        ``check_NAME``; those of others do not count for it.
    shown
        Whether values of signals are wanted.
    """

    def __init__(
        self, design: Iterable[str], folder: Path, checkers: Sequence[str], *, shown: bool = False
    ) -> None:
        self._folder = folder
        self._checkers = {name: number for number, name in enumerate(checkers)}
        for name, text in _FILES.items():
            (folder / name).write_text(text)
        cleaning = "opt_clean" if shown else "opt_clean -purge"
        run_yosys(
            [
                *design,
                *_PASSES,
                "opt_expr",
                cleaning,
                "rename -top design_of_run",
                "write_verilog -noattr design.v",
                "write_json design.json",
            ],
            folder,
        )
        design_of_run = written_json(folder / "design.json")["modules"]["design_of_run"]
        inputs, outputs = _ports(design_of_run, "input"), _ports(design_of_run, "output")
        self._inputs = {
            name: width
            for name, width in inputs.items()
            if name != "clk" and not name.endswith(_LOAD)
        }
        loads = [name for name in inputs if name.endswith(_LOAD)]
        self._shown = _named(design_of_run) if shown else {}
        joined = (*self._connected(loads, outputs), self._showing())
        (folder / "joined.sv").write_text("\n".join([*joined, ""]))
        files = {"replay.sv": _BENCH.read_text(), "design.v": (folder / "design.v").read_text()}
        self._program = compile_testbench("replay", files, folder)

    def said(self, trace: Trace, checker: str) -> str:
        """What a run shows of a checker: a line that begins with PASS if an assertion of it fails
        while the assumptions hold, else with FAIL."""
        *_, last = self._printed(trace, checker)
        return last

    def vcd(self, trace: Trace, checker: str) -> str:
        """The values of all signals that have a name, as a file of waveforms."""
        *lines, _ = self._printed(trace, checker)
        cycles = [dict(zip(self._shown, line.split(), strict=True)) for line in lines]
        widths = {name: width for name, width in self._shown.items() if _is_of(name, checker)}
        return as_vcd(widths, [[int(cycle[name], 16) for name in widths] for cycle in cycles])

    def _printed(self, trace: Trace, checker: str) -> list[str]:
        """A line for each cycle if values are wanted, and a last one."""
        text = "".join(f"{self._row(cycle):x}\n" for cycle in trace)
        (self._folder / "run").write_text(text)
        chosen = ["+run=run", f"+checker={self._checkers[checker]}"]
        printed = run_tool([self._program, *chosen], cwd=self._folder).splitlines()
        return [line for line in printed if not line.startswith("- ")]

    def _row(self, values: Mapping[str, int]) -> int:
        """The inputs of a cycle as one number, the first in the lowest bits. What the run does not
        depend on is zero."""
        row = place = 0
        for name, width in self._inputs.items():
            row |= values.get(name, 0) << place
            place += width
        return row

    def _connected(self, loads: Iterable[str], outputs: Iterable[str]) -> Iterator[str]:
        """The design, its inputs in one word, and what the checks of each checker say."""
        place, ports = 0, [".clk(clk)", *(f".\\{name} (load)" for name in loads)]
        for name, width in self._inputs.items():
            ports.append(f".\\{name} (inputs[{place} +: {width}])")
            place += width
        yield f"  reg [{place}:0] inputs;"
        for kind, verb, join in ((_BAD, "fails", "|"), (_CONSTRAINT, "holds", "&")):
            checks = [name for name in outputs if name.endswith(kind)]
            ports += [f".\\{name} (each_{verb}[{number}])" for number, name in enumerate(checks)]
            yield f"  wire [{len(checks)}:0] each_{verb};"
            yield f"  wire [{len(self._checkers)}:0] {verb};"
            for checker, number in self._checkers.items():
                read = [
                    f"each_{verb}[{at}]" for at, name in enumerate(checks) if _is_of(name, checker)
                ]
                read = read or ["1'b0" if kind == _BAD else "1'b1"]
                yield f"  assign {verb}[{number}] = {f' {join} '.join(read)};"
        yield f"  design_of_run design_({', '.join(ports)});"

    def _showing(self) -> str:
        """The task that prints the values of a cycle."""
        values = "".join(f", design_.\\{name} " for name in self._shown)
        words = " ".join(["%h"] * len(self._shown))
        printing = f'$display("{words}"{values});' if values else ""
        return f"  task show; {printing} endtask"


def _ports(module: Mapping[str, Any], direction: str) -> dict[str, int]:
    """The widths of the ports of one direction, by name."""
    return {
        name: len(port["bits"])
        for name, port in module["ports"].items()
        if port["direction"] == direction
    }


def _named(module: Mapping[str, Any]) -> dict[str, int]:
    """The widths of the signals that have a name of the design."""
    return {
        name: len(net["bits"])
        for name, net in sorted(module["netnames"].items())
        if not net["hide_name"] and "$" not in name and not name.endswith(_OURS)
    }


def _is_of(name: str, checker: str) -> bool:
    """Whether a check or a signal is of a checker, or of no checker at all."""
    return name.startswith(f"check_{checker}.") or not name.startswith("check_")
