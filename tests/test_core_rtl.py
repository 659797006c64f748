# SPDX-License-Identifier: Apache-2.0
"""Trivium at radices and load widths where its cores differ in kind, and what the simulator finds
of cores that are wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from contract import chosen, session

from headwater.cipher.trivium import TRIVIUM
from headwater.emit.verilog import Port, Verilog
from headwater.errors import ToolError
from headwater.flow.verilator import simulate
from headwater.kinds.stepped.timeline import Timeline
from headwater.verify.check import check_vectors
from headwater.verify.engine import RtlEngine
from headwater.verify.vector_files import own_files, read_file

RADICES = [
    *range(1, 17),
    18,
    24,
    31,
    32,
    33,
    36,
    48,
    63,
    64,
    65,
    66,
    67,
    96,
    100,
    128,
    200,
    288,
    320,
    1024,
]
"""Narrow ones, and those around where steps begin to depend on each other or words end."""
LOAD_WIDTHS = [
    (1, 7),
    (1, 160),
    (3, 1),
    (8, 7),
    (16, 100),
    (33, 80),
    (64, 1),
    (64, 159),
    (100, 160),
    (288, 7),
]
WHOLE_SET_FROM_RADIX, FIRST_PART = 8, 4096
"""Below, segments far out in the keystream take too many cycles: those in its first part run."""
VECTORS = read_file(own_files(TRIVIUM)[0], TRIVIUM)


@pytest.mark.parametrize(("radix", "width"), [*((radix, None) for radix in RADICES), *LOAD_WIDTHS])
def test_vectors_and_setup(radix: int, width: int | None) -> None:
    """All vectors, one load after the other; a core that keeps surplus output bits takes a cycle
    more than those of the 1152 blank steps."""
    core = chosen(TRIVIUM, {}, radix, width)
    near = [
        one for one in VECTORS.vectors if radix >= WHOLE_SET_FROM_RADIX or one.offset < FIRST_PART
    ]  # type: ignore[union-attr]
    assert len(near) >= 955
    engine = RtlEngine(TRIVIUM, core.architecture)
    record = check_vectors(replace(VECTORS, vectors=tuple(near)), engine, core.architecture)
    assert (record.failures, record.passed) == ((), len(near))
    keeps = Timeline(TRIVIUM, core.architecture).surplus_bits > 0
    cycles = -(-160 // core.architecture.load_width) + 1152 // radix + keeps
    assert engine.setup_cycles(bytes(range(10)), bytes(10)) == cycles


# --- the simulator finds a core that breaks its contract

BROKEN = [
    pytest.param(
        "running <= 1'b0;",
        "running <= 1'b1;",
        [],
        "a word was offered before a load",
        id="too-early",
    ),
    pytest.param(
        "(step | keystream_ready)",
        "(step | 1'b1)",
        ["gaps 3 500"],
        "a word was withdrawn before it was taken",
        id="does-not-hold",
    ),
]


@pytest.mark.parametrize(("right", "wrong", "before", "message"), BROKEN)
def test_harness_refuses_broken_core(
    right: str, wrong: str, before: list[str], message: str
) -> None:
    core = chosen(TRIVIUM, {}, 64, 64)
    made = core.verilog
    assert made.text.count(right) == 1
    commands = ["reset 2", *before, *session(core, 1, words=20).commands]
    failed = r"harness failed with exit status 1"
    with pytest.raises(ToolError, match=rf"^{failed}:\n(.*\n)*cycle \d+: {message}$"):
        simulate(replace(made, text=made.text.replace(right, wrong)), commands)


UNSET = """\
module unset (
  input clk, input rst, input load_payload, input load_valid, output load_ready,
  output [63:0] keystream_payload, output keystream_valid
);
  reg loaded;
  reg [63:0] word;
  assign load_ready = 1, keystream_valid = loaded, keystream_payload = word;
  always @(posedge clk) begin
    loaded <= !rst && (loaded || load_valid);
    word <= {word[0], word[63:1]};
  end
endmodule
"""


def test_registers_have_any_content_at_power_up() -> None:
    widths = {
        "clk": 1,
        "rst": 1,
        "load_payload": 1,
        "load_valid": 1,
        "load_ready": 1,
        "keystream_payload": 64,
        "keystream_valid": 1,
    }
    ports = tuple(Port(name, "any", width) for name, width in widths.items())
    printed = simulate(Verilog("unset", UNSET, ports), ["reset 1", "load 0", "take 1"])
    assert 10 < int(printed[0], 16).bit_count() < 54
