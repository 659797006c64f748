# SPDX-License-Identifier: Apache-2.0
"""A small standard-cell library, a small core, and programs that only pretend."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def cell(name: str, area: int, inputs: str, function: str, state: str = "") -> str:
    pins = "".join(
        f"pin({pin}) {{ direction: input; capacitance: {0.001 * area}; }}\n" for pin in inputs
    )
    output = f'pin(Y) {{ direction: output; function: "{function}"; }}\n'
    return f"cell({name}) {{ area: {area};\n{pins}{output}{state} }}\n"


def flip_flop(name: str, area: int, inputs: str, data: str, clock: str = "C") -> str:
    state = f'ff(IQ, IQN) {{ clocked_on: "{clock}"; next_state: "{data}"; }}\n'
    return cell(name, area, inputs, "IQ", state)


# Names say nothing; what the cells are is in their functions alone.
TINY_CELLS = (
    cell("c1", 2, "A", "!A")
    + cell("c2", 6, "A", "!A")
    + cell("c3", 4, "AB", "!(A B)")
    + cell("c4", 3, "AB", "!(A+B)")
    + cell("c5", 8, "AB", "(!A)+(!B)")
    + cell("c6", 5, "A", "A")
    + cell("c7", 7, "A", "A")
    + cell("c8", 9, "A", "A")
    + cell("tiny_dlygate", 6, "A", "A")
    + flip_flop("f1", 10, "CD", "D", clock="!C")
    + flip_flop("f2", 20, "CD", "D")
    + flip_flop("f3", 30, "CD", "D")
    + flip_flop("f4", 11, "CDE", "(D E) + (IQ !E)")
    + flip_flop("f5", 12, "CDTS", "(D !S) + (T S)")
)
TINY_HEAD = "library(tiny) {\ncapacitive_load_unit(1, pf);\n"


# A Fibonacci LFSR of 8 bits, loaded bit by bit, 4 blank steps; `beat` toggles in every cycle.
CORE = """\
module core(input clk, input rst, input load_payload, input load_valid, output load_ready,
            output keystream_payload, output keystream_valid, output reg beat);
  reg [7:0] s; reg [3:0] count;
  wire feedback = s[7] ^ s[5] ^ s[4] ^ s[3];
  assign load_ready = ~count[3];
  assign keystream_valid = &count[3:2];
  assign keystream_payload = s[7];
  always @(posedge clk) begin
    beat <= rst ? 1'b0 : ~beat;
    if (rst) count <= 0;
    else if (load_ready ? load_valid : !keystream_valid) count <= count + 1;
    if (!load_ready || load_valid) s <= {s[6:0], load_ready ? load_payload : feedback};
  end
endmodule
"""


def write_library(folder: Path, cells: str = TINY_CELLS, head: str = TINY_HEAD) -> Path:
    path = folder / "tiny.lib"
    path.write_text(head + cells + "}\n")
    return path


def fake_program(tmp_path: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program first on PATH, and out of reach whatever lies beside this Python."""
    program = tmp_path / "bin" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
