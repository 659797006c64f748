# SPDX-License-Identifier: Apache-2.0
"""Gate-level simulation of a core: its keystream, and how often each pin toggles.

Icarus Verilog runs the netlist on models of the cells that Yosys makes from the liberty file. No
gate has a delay, so a net toggles at most once per cycle: glitches are not seen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.errors import InputError, ToolError
from headwater.flow.liberty import Library
from headwater.flow.opensta import Activity
from headwater.flow.process import find_program, run_tool
from headwater.flow.toggles import count_toggles
from headwater.flow.yosys import run_yosys

_INSTALL = "apt-get install iverilog"
_CYCLE_LIMIT = 1_000_000
# A clock cycle lasts two time units; edges rise at odd times.
_CYCLE = 2


@dataclass(frozen=True)
class Phase:
    """One part of a run: clock cycles, and toggles per cycle of every output pin and input port."""

    cycles: int
    activity: Activity


@dataclass(frozen=True)
class GateRun:
    """What a netlist did.

    Members
    -------
    words
        The keystream, word by word, for the caller to compare with the model.
    setup
        From the first load word to the cycle before the first keystream word is offered.
    running
        From then on to the last word.
    """

    words: tuple[int, ...]
    setup: Phase
    running: Phase


def simulate_gates(
    netlist: str,
    library: Library,
    top: str,
    *,
    load_words: Sequence[int],
    words: int,
    folder: Path,
) -> GateRun:
    """Reset a core, load it, take keystream words as fast as it gives them.

    What registers hold before the load is unknown, as after power-up; a toggle from or to an
    unknown value is not counted, so the very first cycles of setup look a little calmer than
    those of a core that was in use before.

    Parameters
    ----------
    netlist
        Gate-level Verilog; ports ``clk``, ``rst``, ``load__*``, ``keystream__*`` and, if it has
        them, ``clear`` (held low) and ``keystream__ready`` (held high).
    library
        Its cells.
    top
        Name of the top module.
    load_words
        Key and IV as the core takes them. They are handed over in a file in ``folder``.
    words
        How many keystream words to take; activity has settled after a few hundred.
    folder
        Where the tools work; private, because waveforms tell the key.

    Raises
    ------
    InputError
        If there is nothing to load or to take.
    ToolError
        If a tool is missing or fails, or the core offers unknown bits or nothing at all.
    """
    if not load_words:
        raise InputError("load_words must hold at least one word, not none")
    if words < 1:
        raise InputError(f"words must be a positive number, not {words!r}")
    module = _prepare(netlist, library, top, folder)
    ports = {name: len(port["bits"]) for name, port in module["ports"].items()}
    (folder / "load.hex").write_text("".join(f"{word:x}\n" for word in load_words))
    (folder / "bench.v").write_text(_bench(top, ports, len(load_words), words))
    iverilog = find_program("iverilog", _INSTALL)
    run_tool([iverilog, "-g2005", "-o", "bench.vvp", "bench.v", "gates.v"], cwd=folder)
    log = run_tool([find_program("vvp", _INSTALL), "-n", "bench.vvp"], cwd=folder)
    return _evaluate(log.splitlines(), module, folder)


def _prepare(netlist: str, library: Library, top: str, folder: Path) -> dict[str, Any]:
    """Write netlist and cell models to ``gates.v``; gives the netlist as Yosys sees it."""
    (folder / "netlist.v").write_text(netlist)
    passes = [
        f"read_liberty -ignore_miss_func -ignore_miss_dir {library.unpack(folder)}",
        # An inverted output that a cell keeps to itself would cost as much as the one in use.
        "opt_clean",
        "read_verilog netlist.v",
        f"hierarchy -check -top {top}",
        # Icarus is tens of times slower on the bits of a vector than on single nets.
        "splitnets",
        "rename -hide w:*",
        "rename -enumerate -pattern n% w:*",
        "write_json netlist.json",
        "write_verilog -noattr gates.v",
    ]
    run_yosys(passes, folder)
    module: dict[str, Any] = json.loads((folder / "netlist.json").read_text())["modules"][top]
    return module


def _bench(top: str, ports: Mapping[str, int], loads: int, words: int) -> str:
    tied = {"clear": "1'b0", "keystream__ready": "1'b1"}
    connections = ", ".join(f".{port}({tied.get(port, port)})" for port in ports)
    # Inputs change at the rising edge, with the registers, so that logic settles once per cycle.
    return f"""\
module bench;
  reg clk = 0, rst = 1, load__valid = 0;
  reg [{ports["load__payload"] - 1}:0] load__payload = 0, load_words [0:{loads - 1}];
  wire [{ports["keystream__payload"] - 1}:0] keystream__payload;
  wire load__ready, keystream__valid;
  integer cycle = 0, taken = 0, given = 0;

  {top} dut ({connections});

  initial begin
    $readmemh("load.hex", load_words);
    $dumpfile("dump.vcd");
    repeat (3) @(negedge clk);
    // The nets of the netlist itself, not the inside of its cells.
    $dumpvars(1, dut);
  end

  always #{_CYCLE // 2} clk = !clk;

  always @(posedge clk) begin
    cycle = cycle + 1;
    rst <= cycle < 3;
    if (load__valid && load__ready) begin
      if (taken == 0) $display("setup %0d", $time);
      taken = taken + 1;
    end
    load__valid <= cycle > 3 && taken < {loads};
    load__payload <= taken < {loads} ? load_words[taken] : 0;
    if (taken == {loads} && keystream__valid) begin
      if (given == 0) $display("running %0d", $time);
      given = given + 1;
      $display("word %h", keystream__payload);
      if (given == {words}) begin
        $display("end %0d", $time);
        $finish;
      end
    end
    if (cycle == {_CYCLE_LIMIT}) $finish;
  end
endmodule
"""


def _evaluate(log: list[str], module: Mapping[str, Any], folder: Path) -> GateRun:
    lines = [line.split() for line in log]
    hexadecimal = [line[1] for line in lines if line[0] == "word"]
    times = {line[0]: int(line[1]) for line in lines if line[0] in ("setup", "running", "end")}
    if "end" not in times:
        raise ToolError(
            f"netlist gave {len(hexadecimal)} words in {_CYCLE_LIMIT} cycles, then none"
        )
    if any(set(word) & set("xzXZ") for word in hexadecimal):
        raise ToolError("netlist offered a keystream word with unknown bits")
    # Something is seen at the edge that ends its cycle; that cycle began one earlier.
    marks = [times["setup"] - _CYCLE, times["running"] - _CYCLE, times["end"]]
    with (folder / "dump.vcd").open("rb") as dump:
        setup, running = count_toggles(dump, marks)
    sources = _sources(module)
    return GateRun(
        words=tuple(int(word, 16) for word in hexadecimal),
        setup=_phase(setup, sources, marks[1] - marks[0]),
        running=_phase(running, sources, marks[2] - marks[1]),
    )


def _phase(
    toggles: Mapping[str, int], sources: Mapping[tuple[str, str], str], duration: int
) -> Phase:
    cycles = duration // _CYCLE
    return Phase(cycles, {pin: toggles[net] / cycles for pin, net in sources.items()})


def _sources(module: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """The net, spelled as in the waveform, of every output pin and of every input port but clk."""
    nets = {
        bit: f"{name}[{place}]"
        for name, net in module["netnames"].items()
        for place, bit in enumerate(net["bits"])
    }
    found: dict[tuple[str, str], str] = {}
    for name, port in module["ports"].items():
        if port["direction"] == "input" and name != "clk":
            bits = port["bits"]
            for place, bit in enumerate(bits):
                found["", f"{name}[{place}]" if len(bits) > 1 else name] = nets[bit]
    for name, cell in module["cells"].items():
        for pin, bits in cell["connections"].items():
            if cell["port_directions"][pin] == "output" and bits:
                found[name, pin] = nets[bits[0]]
    return found
