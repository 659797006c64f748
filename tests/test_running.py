# SPDX-License-Identifier: Apache-2.0
"""Which part of a netlist works while the words of a text pass."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from headwater.flow import running
from headwater.flow.liberty import Library
from headwater.flow.running import running_logic

# A text ends by its last word, or by padding, which never comes: `fire` and `odd` exclude each
# other. `sum` is made of the text and shown at its end, `slow` is of the setup alone.
NETLIST = """\
module core(input clk, input load_payload, input load_valid, output load_ready,
            input data_in_payload, input data_in_last, input [1:0] data_in_keep,
            input data_in_valid, output data_out_payload, output [1:0] tag_payload);
  wire odd, even, offered, padding, no_padding, fire, refused, next_padding, goes_on, next_ended;
  wire part, whole, ended, state, next_state, sum, next_sum, slow, next_slow;
  f2 odd_bit (.C(clk), .D(even), .Y(odd));
  c1 g0 (.A(odd), .Y(even));
  c3 g1 (.A(data_in_valid), .B(even), .Y(offered));
  c1 g2 (.A(padding), .Y(no_padding));
  c3 g3 (.A(offered), .B(no_padding), .Y(fire));
  c3 g4 (.A(fire), .B(odd), .Y(refused));
  c1 g5 (.A(refused), .Y(next_padding));
  f2 padding_bit (.C(clk), .D(next_padding), .Y(padding));
  c3 g6 (.A(data_in_keep[0]), .B(data_in_keep[1]), .Y(part));
  c4 g7 (.A(data_in_last), .B(padding), .Y(goes_on));
  c5 g8 (.A(goes_on), .B(whole), .Y(next_ended));
  c1 g9 (.A(part), .Y(whole));
  f2 ended_bit (.C(clk), .D(next_ended), .Y(ended));
  c6 g10 (.A(ended), .Y(load_ready));
  c3 g11 (.A(state), .B(load_payload), .Y(next_state));
  f2 state_bit (.C(clk), .D(next_state), .Y(state));
  c3 g12 (.A(state), .B(data_in_payload), .Y(data_out_payload));
  c3 g13 (.A(sum), .B(data_in_payload), .Y(next_sum));
  f2 sum_bit (.C(clk), .D(next_sum), .Y(sum));
  c3 g14 (.A(slow), .B(load_payload), .Y(next_slow));
  f2 slow_bit (.C(clk), .D(next_slow), .Y(slow));
  c3 g15 (.A(sum), .B(ended), .Y(tag_payload[0]));
  c3 g16 (.A(slow), .B(ended), .Y(tag_payload[1]));
endmodule
"""
SEEN = {("odd_bit", "Y"): 1, ("padding_bit", "Y"): 0, ("ended_bit", "Y"): 0, ("sum_bit", "Y"): 1}


def test_what_the_text_alone_needs(tiny: Library, folder: Path) -> None:
    logic = running_logic(NETLIST, tiny, "core", SEEN, folder)
    assert logic is not None
    # What changed between two times is no constant, nor is what has depended on the text.
    assert logic.constants == {
        "load_valid": 0,
        "data_in_last": 0,
        "data_in_keep": 1,
        "padding_bit/Y": 0,
        "ended_bit/Y": 0,
    }
    assert set(logic.endpoints) == {"state_bit/D", "sum_bit/D", "data_out_payload"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Another state may begin to pad, ...
        ("g0 (.A(odd)", "g0 (.A(state)"),
        # ... words that are not the last may end the text, ...
        ("data_in_last)", "data_in_valid)"),
        # ... and so may something beside the text.
        (".B(data_in_keep[1])", ".B(load_payload)"),
    ],
)
def test_a_text_that_may_end_by_itself(old: str, new: str, tiny: Library, folder: Path) -> None:
    changed = NETLIST.replace(old, new)
    assert changed != NETLIST
    assert running_logic(changed, tiny, "core", SEEN, folder) is None


@pytest.mark.parametrize(
    ("kind", "inputs", "gate"),
    [
        ("$_BUF_", 1, lambda a: a),
        ("$_NOT_", 1, lambda a: 1 - a),
        ("$_AND_", 2, lambda a, b: a and b),
        ("$_ANDNOT_", 2, lambda a, b: a and 1 - b),
        ("$_OR_", 2, lambda a, b: a or b),
        ("$_XOR_", 2, lambda a, b: int(a != b)),
    ],
)
def test_output_that_follows_from_known_inputs(
    kind: str, inputs: int, gate: Callable[..., int]
) -> None:
    for given in product((0, 1, None), repeat=inputs):
        every = product(*((0, 1) if value is None else (value,) for value in given))
        outputs = {gate(*values) for values in every}
        expected = outputs.pop() if len(outputs) == 1 else None
        assert running._value(kind, list(given)) == expected
