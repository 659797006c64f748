# SPDX-License-Identifier: Apache-2.0
"""CocoAlma, another checker of masked circuits, and the files that it reads.

V. Hadzic, R. Bloem, "CocoAlma: A Versatile Masking Verifier", FMCAD 2021;
github.com/IAIK/coco-alma. It takes registers in shares at a circuit that runs, follows some cycles
of a simulation, and looks for a net that depends on a secret, glitches and transitions included.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.flow.gatesim import read_cells
from headwater.flow.liberty import load_library
from headwater.flow.yosys import run_yosys
from headwater.leakage.spec import Spec
from headwater.leakage.verdict import INSECURE, SECURE

CYCLES = 4
"""Cycles that are followed: products enter their registers, and the state behind them."""
TIME_LIMIT_S = 900
_RUN = (
    "import runpy, sys, pysat.solvers as solvers; "
    # Later versions of python-sat have a number in the name of the solver.
    "solvers.Cadical = getattr(solvers, 'Cadical', None) or solvers.Cadical103; "
    "sys.path.insert(0, '.'); runpy.run_path('verify.py', run_name='__main__')"
)


@dataclass(frozen=True)
class Circuit:
    """A circuit in shares, of RTL or in cells."""

    top: str
    liberty: Path | None
    """The library of its cells."""
    delay: int
    """Cycles from the end of a reset of two cycles until it runs."""


@dataclass(frozen=True)
class Judge:
    """The checker: its checkout, and an interpreter that has what it needs."""

    folder: Path
    python: str

    def verdict(self, circuit: Circuit, spec: Spec, work: Path) -> tuple[str, str]:
        """What it says of the circuit in the file ``core.v`` of a folder, and the first net that
        leaks."""
        _write_netlist(circuit, work)
        _write_labels(circuit.top, spec, work)
        _write_run(circuit.top, circuit.delay + CYCLES + 4, work)
        files = {"-j": "core.json", "-l": "labels.txt", "-v": "run.vcd"}
        options = {"-m": "transient", "-c": CYCLES, "-r": "rst", "-s": 2, "-i": circuit.delay}
        words = [str(word) for pair in files.items() for word in (pair[0], work / pair[1])]
        words += [str(word) for pair in options.items() for word in pair]
        words += ["--top-module", circuit.top, "--dbg-output-dir", str(work)]
        command = [self.python, "-c", _RUN, *words]
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                capture_output=True,
                text=True,
                check=False,
                timeout=TIME_LIMIT_S,
            )
        except subprocess.TimeoutExpired:
            return "no answer", f"after {TIME_LIMIT_S} s"
        if "The execution is secure" in done.stdout:
            return SECURE, ""
        leak = re.search(r"^leak 0: \(cycle: (\d+), cell: (.*?), id", done.stdout, re.MULTILINE)
        if leak:
            return INSECURE, f"cycle {leak[1]}: {leak[2]}"
        return "failed", (done.stderr.strip().splitlines() or ["no output"])[-1]


def _write_netlist(circuit: Circuit, work: Path) -> None:
    """The gates as they are: nothing is optimised, or a mask might be gone."""
    cells = [] if circuit.liberty is None else [*read_cells(load_library(circuit.liberty), work)]
    passes = ["proc -noopt", "flatten -noscopeinfo", "techmap", "simplemap", "dffunmap"]
    written = ["opt_clean", "write_verilog -noattr gates.v", "write_json core.json"]
    run_yosys(
        [
            *cells,
            "opt_merge -share_all",
            "read_verilog -sv core.v",
            f"hierarchy -check -top {circuit.top}",
            *passes,
            "rename -enumerate",
            *written,
        ],
        work,
    )


def _module(work: Path, top: str) -> Mapping[str, Any]:
    module: Mapping[str, Any] = json.loads((work / "core.json").read_text())["modules"][top]
    return module


def _write_labels(top: str, spec: Spec, work: Path) -> None:
    """Which registers are shares of which secret; of all others the simulation has the values."""
    module = _module(work, top)
    widths = {name: len(net["bits"]) for name, net in module["netnames"].items()}
    lines, secret = [], 0
    for registers in _registers_in_shares(spec, widths, module["ports"]):
        width = widths[registers[0]]
        for register in registers:
            lines.append(_label(register, width, f"secret {secret + width - 1}:{secret}"))
        secret += width
    for port in spec.random:
        lines.append(_label(port, widths[port], "volatile_random"))
    (work / "labels.txt").write_text("\n".join(lines) + "\n")


def _registers_in_shares(
    spec: Spec, names: Collection[str], ports: Collection[str]
) -> Iterator[list[str]]:
    """The shares of each register. Where no random bits enter, products have the linear part of the
    next state as their mask, so their registers are uniform shares, too."""
    for shares in spec.shares.values():
        if registers := [name for name in shares if name not in ports and "[" not in name]:
            yield registers
    if not spec.random:
        for name in sorted(names):
            if re.search(r"\bcross\d+_share0$", name):
                yield [name, f"{name[:-1]}1"]


def _label(name: str, width: int, meaning: str) -> str:
    if width == 1:
        return f"{name} = {meaning.partition(':')[0]}"
    return f"{name} [{width - 1}:0] = {meaning}"


_BENCH = """`timescale 1ns/1ps
module bench;
{ports}
  {top} core({connections});
  integer cycle;
  initial begin
    $dumpfile("run.vcd");
    $dumpvars(1, core);
    rst = 1;
    load_valid = 1;
    keystream_ready = 1;
    for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin
      if (cycle == 2) rst = 0;
      if (core.load_ready === 0) load_valid = 0;
{random}
      clk = 0;
      #10 clk = 1;
      #10;
    end
    $finish;
  end
endmodule
"""
"""A session: all words are given, random bits are random, and every word is taken."""


def _write_run(top: str, cycles: int, work: Path) -> None:
    """The values of all nets in a session, simulated by Icarus."""
    ports = {
        name: len(port["bits"])
        for name, port in _module(work, top)["ports"].items()
        if port["direction"] == "input"
    }
    words = [name for name in ports if name == "fresh" or name.endswith("payload")]
    text = _BENCH.format(
        ports="\n".join(f"  reg [{width - 1}:0] {name} = 0;" for name, width in ports.items()),
        top=top,
        connections=", ".join(f".{name}({name})" for name in ports),
        cycles=cycles,
        random="\n".join(
            f"      {name} = {{{-(-ports[name] // 32)}{{$random}}}};" for name in words
        ),
    )
    (work / "bench.v").write_text(text)
    for command in (
        ["iverilog", "-g2012", "-o", "bench.vvp", "bench.v", "gates.v"],
        ["vvp", "-n", "bench.vvp"],
    ):
        subprocess.run(command, cwd=work, check=True, stdout=subprocess.DEVNULL)
