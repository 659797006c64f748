# SPDX-License-Identifier: Apache-2.0
"""What does another checker say of our cores in shares, and of mutants of them?

    python benchmarks/masking_judged.py FOLDER [--python PYTHON] [CIPHER[:RADIX] ..]

FOLDER is a checkout of CocoAlma (V. Hadzic, R. Bloem, "CocoAlma: A Versatile Masking Verifier",
FMCAD 2021; github.com/IAIK/coco-alma), PYTHON an interpreter that has what it needs: python-sat and
networkx. Each core is judged as RTL and in cells of osu018, as it is and with random bits that are
stuck or serve twice. CocoAlma takes registers in shares at a running core, follows `CYCLES` cycles
of a simulation, and looks for a net that depends on a secret, glitches and transitions included.
Our checker looks at every cycle by induction, so it also refuses a core whose next state is no
uniform sharing, which leaks later if at all.

CocoAlma follows gates by a rule that can lose a mask: two first rows show it, with one circuit of
one and of four gates. So `leaks` of cells whose RTL it calls secure may be of the rule.
docs/masking-judged.txt keeps what is printed. The exit status is 1 if it calls RTL leaking that is
secure for us, or secure what leaks for us.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.flow.folders import private_folder
from headwater.flow.gatesim import read_cells
from headwater.flow.liberty import load_library
from headwater.flow.yosys import run_yosys
from headwater.kinds.masking import leakage_spec, masked_architecture
from headwater.kinds.registry import facts_of
from headwater.leakage.netlist import read_netlist
from headwater.leakage.spec import Spec
from headwater.leakage.verdict import INSECURE, SECURE, verdict_of
from headwater.measure import target
from headwater.measure.masked import mapped_text

CORES = (
    "trivium:1",
    "trivium:8",
    "trivium:32",
    "bivium:1",
    "bivium:12",
    "grain_v1:1",
    "grain128a:1",
)
CELLS = "osu018"
CYCLES = 4
"""Cycles that are followed: products enter their registers, and the state behind them."""
TIME_LIMIT_S = 900
COLUMNS = ("cipher", "radix", "netlist", "change", "ours", "theirs", "s", "where theirs leaks")
_WIDTHS = (12, 7, 9, 22, 13, 11, 6, 0)
_MASKED_BIT = """module masked_bit (
  input clk, rst, load_valid, keystream_ready, fresh,
  output load_ready, keystream_payload
);
  reg x_share0, x_share1, masked;
  assign load_ready = 1'b0;
  assign keystream_payload = masked ^ x_share1;
  always @(posedge clk) begin
    x_share0 <= x_share0 & ~rst;
    x_share1 <= x_share1 & ~rst;
    masked <= {sum};
  end
endmodule
"""
"""A share of a bit with a mask, to which the other share is added: nothing that depends on the
bit."""
_SUMS = {
    "sum of one gate": "x_share0 ^ fresh",
    "sum of AND, OR": "(x_share0 & ~fresh) | (~x_share0 & fresh)",
}
_RUN = (
    "import runpy, sys, pysat.solvers as solvers; "
    # Later versions of python-sat have a number in the name of the solver.
    "solvers.Cadical = getattr(solvers, 'Cadical', None) or solvers.Cadical103; "
    "sys.path.insert(0, '.'); runpy.run_path('verify.py', run_name='__main__')"
)


@dataclass(frozen=True)
class Judge:
    """The other checker."""

    folder: Path
    python: str

    def verdict(self, work: Path, top: str, delay: int) -> tuple[str, str]:
        """What it says of the files of a folder, ``delay`` cycles behind a reset of two, and the
        first net that leaks."""
        files = {"-j": "core.json", "-l": "labels.txt", "-v": "run.vcd"}
        options = {"-m": "transient", "-c": CYCLES, "-r": "rst", "-s": 2, "-i": delay}
        words = [str(word) for pair in files.items() for word in (pair[0], work / pair[1])]
        words += [str(word) for pair in options.items() for word in pair]
        words += ["--top-module", top, "--dbg-output-dir", str(work)]
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


@dataclass(frozen=True)
class Core:
    """A circuit in shares, of RTL or in cells."""

    top: str
    liberty: Path | None
    """The library of its cells."""
    spec: Callable[[Collection[str]], Spec]
    """What its signals are, by the names of all wires."""
    delay: int
    """Cycles from the end of a reset of two cycles until it runs."""


def _core(cipher: Cipher, architecture: Architecture, *, in_cells: bool) -> tuple[Core, str]:
    """A core in shares, and its Verilog."""
    cells: Any = target.find(CELLS)
    generated = generate(cipher, architecture)
    text = mapped_text(cipher, architecture, cells) if in_cells else generated.text
    core = Core(
        generated.name,
        cells.liberty if in_cells else None,
        partial(leakage_spec, cipher, architecture),
        facts_of(cipher, architecture).setup_cycles + 8,
    )
    return core, text


def _changes(count: int) -> Iterator[tuple[str, str, str]]:
    """Of so many random bits some that are stuck or serve twice: the change in words, and what
    stands for what."""
    yield "none", "", ""
    for bit in range(min(count, 2)):
        yield f"fresh[{bit}] is 0", f"fresh[{bit}]", "1'b0"
    if count > 1:
        yield "fresh[1] is fresh[0]", "fresh[1]", "fresh[0]"


def main() -> int:
    """Print a row for each netlist."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("cores", nargs="*", default=CORES)
    args = parser.parse_intermixed_args()
    judge = Judge(args.folder.resolve(), args.python)
    print(_row(COLUMNS))
    differ = False
    for row in chain(_calibration(judge), _rows(args.cores, judge)):
        where, ours, theirs = row[2], row[4], row[5]
        differ |= (ours, theirs) == (INSECURE, SECURE)
        differ |= (where, ours, theirs) == ("RTL", SECURE, INSECURE)
        print(_row(row), flush=True)
    return int(differ)


def _rows(cores: list[str], judge: Judge) -> Iterator[tuple[str, ...]]:
    for word in cores:
        name, _, radix = word.partition(":")
        cipher = find(name)
        architecture = masked_architecture(cipher, "first", radix=int(radix or 1))
        facts: Any = facts_of(cipher, architecture)
        for in_cells in (False, True):
            core, text = _core(cipher, architecture, in_cells=in_cells)
            where = CELLS if in_cells else "RTL"
            for change, old, new in _changes(facts.fresh_bits):
                row = _judged(core, text.replace(old, new) if old else text, judge)
                yield name, str(architecture.radix), where, change, *row


def _calibration(judge: Judge) -> Iterator[tuple[str, ...]]:
    spec = Spec(
        top=None,
        shares={"x": ["x_share0", "x_share1"]},
        random=["fresh"],
        public=["load_valid", "keystream_ready"],
        constant={"rst": 0},
    )
    for change, form in _SUMS.items():
        core = Core("masked_bit", None, lambda _: spec, delay=2)
        row = _judged(core, _MASKED_BIT.replace("{sum}", form), judge)
        yield core.top, "-", "gates", change, *row


def _judged(core: Core, text: str, judge: Judge) -> tuple[str, ...]:
    with private_folder() as folder:
        work = Path(folder)
        (work / "core.v").write_text(text)
        netlist = read_netlist([work / "core.v"], core.top, core.liberty)
        spec = core.spec(netlist.wires)
        ours = verdict_of(netlist, spec).verdict
        _write_netlist(core, work)
        _write_labels(core.top, spec, work)
        _write_run(core.top, core.delay + CYCLES + 4, work)
        begin = time.monotonic()
        theirs, where = judge.verdict(work, core.top, core.delay)
        return ours, theirs, f"{time.monotonic() - begin:.0f}", where


def _write_netlist(core: Core, work: Path) -> None:
    """The gates as they are: nothing is optimised, or a mask might be gone."""
    cells = [] if core.liberty is None else [*read_cells(load_library(core.liberty), work)]
    passes = ["proc -noopt", "flatten -noscopeinfo", "techmap", "simplemap", "dffunmap"]
    written = ["opt_clean", "write_verilog -noattr gates.v", "write_json core.json"]
    run_yosys(
        [
            *cells,
            "opt_merge -share_all",
            "read_verilog -sv core.v",
            f"hierarchy -check -top {core.top}",
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


def _row(cells: tuple[str, ...]) -> str:
    return "".join(text.ljust(width) for text, width in zip(cells, _WIDTHS, strict=True)).rstrip()


if __name__ == "__main__":
    sys.exit(main())
