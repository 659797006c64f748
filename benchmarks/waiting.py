# SPDX-License-Identifier: Apache-2.0
"""How fast a core can be on an FPGA whose state waits for its reader: a bare shift register with
the enable of a core's state, but no cipher.

The enable is one lookup table behind `ready`, and drives every flip-flop of the state. No core that
waits in this way, without a word to spare, is faster than its placement and its wires allow.
"""

from __future__ import annotations

import argparse
import statistics

from headwater.emit.verilog import Port, Verilog
from headwater.flow.folders import private_folder
from headwater.flow.fpga.family import synthesise
from headwater.flow.fpga.nextpnr import place_and_route
from headwater.measure.shell import SHELL, in_shell
from headwater.measure.target import TARGETS, FpgaTarget
from headwater.report.study.peers import SEEDS

NAME = "waiting"
PLACED = {
    name: target
    for name, target in TARGETS.items()
    if isinstance(target, FpgaTarget) and target.is_placed
}
"""FPGAs with place and route."""


def main() -> None:
    """Print lookup tables and frequency for each number of bits per cycle."""
    parser = argparse.ArgumentParser(description="measure a shift register that waits")
    parser.add_argument("--target", default="ecp5-25k", choices=PLACED)
    parser.add_argument("--state", type=int, default=288, help="number of bits (default 288)")
    parser.add_argument("--radix", type=int, nargs="+", default=[1, 8, 32, 64])
    parser.add_argument("--seeds", type=int, default=SEEDS)
    given = parser.parse_args()
    if not all(0 < radix < given.state for radix in given.radix):
        parser.error(f"radix must be from 1 to {given.state - 1}, not {given.radix!r}")
    if given.seeds < 1:
        parser.error(f"seeds must be a positive number, not {given.seeds}")
    for radix in given.radix:
        register = shift_register(given.state, radix)
        luts, clocks = measured(register, PLACED[given.target], range(1, given.seeds + 1))
        spread = f"{min(clocks):.0f}..{max(clocks):.0f}"
        print(
            f"{radix} bits per cycle: {luts} LUTs, {statistics.median(clocks):.1f} MHz ({spread})"
        )


def shift_register(state: int, radix: int) -> Verilog:
    """The register: ``radix`` bits enter and leave in each cycle in which it moves."""
    top, left = state - 1, radix - 1
    text = f"""module {NAME} (
  input  wire clk,
  input  wire rst,
  input  wire [{left}:0] load_payload,
  input  wire load_valid,
  input  wire keystream_ready,
  output wire [{left}:0] keystream_payload
);
  reg loading, step;
  reg [{top}:0] state;
  wire enable = step | (loading ? load_valid : keystream_ready);
  assign keystream_payload = state[{left}:0];
  always @(posedge clk) begin
    if (rst) begin
      loading <= 1'b1;
      step <= 1'b1;
    end else begin
      loading <= loading & ~load_payload[0];
      step <= step ^ load_payload[{left}];
    end
  end
  always @(posedge clk)
    if (enable) state <= {{load_payload, state[{top}:{radix}]}};
endmodule
"""
    inputs = {"clk": 1, "rst": 1, "load_payload": radix, "load_valid": 1, "keystream_ready": 1}
    ports = [Port(name, "input", width) for name, width in inputs.items()]
    return Verilog(NAME, text, (*ports, Port("keystream_payload", "output", radix)))


def measured(register: Verilog, target: FpgaTarget, seeds: range) -> tuple[int, list[float]]:
    """Its lookup tables, and its frequency in the shell for each seed."""
    part = target.part
    with private_folder() as folder:
        text = in_shell(register)
        cells = synthesise(part.family, text, NAME, SHELL, "balanced", folder, checked=True)
        return cells.lut, [route.fmax_mhz for route in place_and_route(part, seeds, folder)]


if __name__ == "__main__":
    main()
