# SPDX-License-Identifier: Apache-2.0
"""The shell that a core is placed and routed in: three pins, whatever ports the core has.

Every input bit is one stage of a shift register; every output bit is captured and then combined
into a moving chain. So inputs and outputs are timed from register to register, nothing is constant
or unused, and the shell itself has no path that could be the slowest. The core is mapped and
counted alone, and joined to the shell afterwards.
"""

from __future__ import annotations

from headwater.emit.verilog import Verilog

SHELL = "shell"
"""Name of the shell's module."""


def in_shell(core: Verilog) -> str:
    """Verilog of the core and of the shell around it."""
    inputs = [port for port in core.ports if port.direction == "input" and port.name != "clk"]
    outputs = [port for port in core.ports if port.direction == "output"]
    connections, place = ["    .clk(clk)"], 0
    for port in inputs:
        connections.append(f"    .{port.name}(feed[{place} +: {port.width}])")
        place += port.width
    feed, place = place, 0
    for port in outputs:
        connections.append(f"    .{port.name}(out[{place} +: {port.width}])")
        place += port.width
    connected = ",\n".join(connections)
    return f"""{core.text}
module {SHELL} (input wire clk, input wire serial_in, output wire serial_out);
  reg [{feed - 1}:0] feed;
  wire [{place - 1}:0] out;
  reg [{place - 1}:0] captured, chain;
  {core.name} core (
{connected}
  );
  assign serial_out = chain[{place - 1}];
  always @(posedge clk) begin
    feed <= {{feed, serial_in}};
    captured <= out;
    chain <= {{chain, 1'b0}} ^ captured;
  end
endmodule
"""


def shell_registers(core: Verilog) -> int:
    """Flip-flops that the shell itself adds to those of the core."""
    inputs = sum(port.width for port in core.ports if port.direction == "input") - 1
    outputs = sum(port.width for port in core.ports if port.direction == "output")
    return inputs + 2 * outputs
