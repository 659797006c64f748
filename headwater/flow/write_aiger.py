# SPDX-License-Identifier: Apache-2.0
"""A flat design with assertions and assumptions as AIGER, the format of model checkers.

Yosys writes the combinational logic between ports, straight from words and with equal logic merged;
its other writer wants every gate as a cell first, which takes many times as long. So registers,
assertions and assumptions become ports before, and here they become those of AIGER again: only the
lines before the gates change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.trace import ANY

_CELLS = """\
(* techmap_celltype = "$dff $ff" *)
module to_latch (CLK, D, Q);
  // Latches begin with zero: others are inverted, or read a free input in the first cycle.
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  parameter [WIDTH-1:0] _TECHMAP_WIREINIT_Q_ = 0;
  localparam _TECHMAP_REMOVEINIT_Q_ = 1'b1;
  input CLK;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire [WIDTH-1:0] next, kept, first;
  wire begun;
  \\$ff #(.WIDTH(WIDTH)) latch (.D(next), .Q(kept));
  genvar i;
  generate
    if ((_TECHMAP_WIREINIT_Q_ ^ _TECHMAP_WIREINIT_Q_) !== 0) begin : from
      \\$ff #(.WIDTH(1)) beginning (.D(1'b1), .Q(begun));
      \\$anyseq #(.WIDTH(WIDTH)) any (.Y(first));
    end
    // A word at once where it can be: each bit of a loop costs Yosys time.
    if (_TECHMAP_WIREINIT_Q_ === {WIDTH{1'bx}}) begin
      assign next = D;
      assign Q = begun ? kept : first;
    end else if ((_TECHMAP_WIREINIT_Q_ ^ _TECHMAP_WIREINIT_Q_) === 0) begin
      assign next = D ^ _TECHMAP_WIREINIT_Q_;
      assign Q = kept ^ _TECHMAP_WIREINIT_Q_;
    end else for (i = 0; i < WIDTH; i = i + 1)
      if (_TECHMAP_WIREINIT_Q_[i] === 1'b0 || _TECHMAP_WIREINIT_Q_[i] === 1'b1) begin
        assign next[i] = D[i] ^ _TECHMAP_WIREINIT_Q_[i];
        assign Q[i] = kept[i] ^ _TECHMAP_WIREINIT_Q_[i];
      end else begin
        assign next[i] = D[i];
        assign Q[i] = begun ? kept[i] : first[i];
      end
  endgenerate
endmodule

(* techmap_celltype = "$assert" *)
module to_bad (A, EN);
  input A, EN;
  // ABC follows no design without a latch.
  wire unread;
  \\$ff #(.WIDTH(1)) latch (.D(1'b0), .Q(unread));
  \\bad fails (.A(EN & ~A));
endmodule

(* techmap_celltype = "$assume" *)
module to_constraint (A, EN);
  input A, EN;
  \\constraint holds (.A(~EN | A));
endmodule

(* techmap_celltype = "$add $sub $neg" *)
module to_adders (A, B, Y);
  parameter _TECHMAP_CELLTYPE_ = "";
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  localparam MINUS = _TECHMAP_CELLTYPE_ != "$add";
  wire [Y_WIDTH-1:0] a, b, first, second, carry;
  \\$pos #(.A_SIGNED(A_SIGNED), .A_WIDTH(A_WIDTH), .Y_WIDTH(Y_WIDTH)) wide_a (.A(A), .Y(a));
  \\$pos #(.A_SIGNED(B_SIGNED), .A_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) wide_b (.A(B), .Y(b));
  assign first = _TECHMAP_CELLTYPE_ == "$neg" ? 0 : a;
  assign second = _TECHMAP_CELLTYPE_ == "$neg" ? ~a : MINUS ? ~b : b;
  wire [Y_WIDTH:0] carries = {carry, MINUS};
  \\$fa #(.WIDTH(Y_WIDTH)) sum (
    .A(first), .B(second), .C(carries[Y_WIDTH-1:0]), .X(carry), .Y(Y));
endmodule
"""

_PORTS = """\
(* blackbox *) module bad (A); input A; endmodule
(* blackbox *) module constraint (A); input A; endmodule
"""

FILES: Mapping[str, str] = {"to_aiger.v": _CELLS, "to_aiger_ports.v": _PORTS}
"""What `writing` reads, by file name."""

_RARE = (
    "shl",
    "shr",
    "sshl",
    "sshr",
    "shift",
    "shiftx",
    "mul",
    "div",
    "mod",
    "divfloor",
    "modfloor",
    "pow",
    "eqx",
    "nex",
)
"""Cells that Yosys maps in its own way, in some rounds."""
_MAP_RARE = (
    *(
        "techmap " + " ".join(f"t:${kind}" for kind in kinds)
        for kinds in (_RARE, ("macc", "macc_v2"), ("alu",), ("lcu",))
    ),
    "opt_clean -purge",
)

_OURS = "aiger_"
_LATCH, _BAD, _CONSTRAINT = (f"{_OURS}{kind}" for kind in ("latch", "bad", "constraint"))


def writing(name: str, rtlil: str | None = None) -> list[str]:
    """Passes that write the flat design, whose checks are assertions and assumptions, into the file
    ``name``, which `finish` then makes whole. The folder must have the `FILES`. If ``rtlil``, of
    which the design was made, is given, what maps cells that it does not have is left out."""
    rare = rtlil is None or re.search(rf"cell \$({'|'.join(_RARE)}) ", rtlil)
    kinds = {f"{_OURS}free": "$anyseq", _LATCH: "$ff", _BAD: "bad", _CONSTRAINT: "constraint"}
    return [
        *(_MAP_RARE if rare else ()),
        # An unknown constant is zero, as for Yosys's own solver; what nothing drives is anything.
        "setundef -zero",
        "setundef -undriven -anyseq",
        "read_verilog -lib to_aiger_ports.v",
        "techmap -max_iter 1 -map to_aiger.v",
        # What a register begins with keeps the register's name, for whoever reads a run.
        f"rename -hide {' '.join(f't:{kind}' for kind in kinds.values())} %u %u %u c:*.{ANY} %d",
        *(f"rename -enumerate -pattern {new}% t:{kind}" for new, kind in kinds.items()),
        # The order is that of the new ports, and latches must be the last inputs.
        *(f"expose -evert t:{kind}" for kind in kinds.values()),
        "splitnets -ports",
        f"write_aiger2 -strash {name}",
    ]


def finish(path: Path) -> None:
    """Make latches, bad states and constraints of the ports that stand for them in a file. Other
    ports remain; what they are called is written into a file with ``.names`` instead of ``.aig``:
    a line with the name of each input.

    Raises
    ------
    ToolError
        If the inputs are not in the order that AIGER needs.
    """
    data = path.read_bytes()
    start = data.index(b"\n") + 1
    variables, inputs, _, outputs, gates = (int(word) for word in data[4:start].split())
    lines = start + 9 * outputs
    literals = [int(word) for word in data[start:lines].split()]
    # Every port has a bit and a name, that of the first output first.
    end = data.rfind(b"o0 ") if outputs else lines
    names = dict(re.findall(r"^([io]\d+) (.*)$", data[end:].decode(), re.MULTILINE))
    ports = [names[f"i{number}"] for number in range(inputs)]
    driven = {names[f"o{number}"]: literal for number, literal in enumerate(literals)}
    latches = [port for port in ports if port.startswith(_LATCH)]
    if ports[inputs - len(latches) :] != latches:
        raise ToolError("Yosys must write latches after all other inputs")
    bad = [literal for port, literal in driven.items() if port.startswith(_BAD)]
    constraints = [one for port, one in driven.items() if port.startswith(_CONSTRAINT)]
    shown = [one for port, one in driven.items() if not port.startswith(_OURS)]
    if not bad and not shown:
        bad = [0]
    after = [driven[re.sub(r"\.Q(?=\[|$)", ".D", latch)] for latch in latches]
    count = inputs - len(latches)
    header = [variables, count, len(latches), len(shown), gates, len(bad), len(constraints)]
    text = "".join(f"{literal}\n" for literal in (*after, *shown, *bad, *constraints))
    path.write_bytes(f"aig {' '.join(map(str, header))}\n{text}".encode() + data[lines:end])
    path.with_suffix(".names").write_text("".join(f"{port}\n" for port in ports[:count]))
