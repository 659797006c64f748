# SPDX-License-Identifier: Apache-2.0
"""The printer in its parts: expressions and their parentheses, lines, registers, tables."""

from __future__ import annotations

import pytest
from amaranth.back import rtlil
from amaranth.hdl import Cat, Module, Mux, Signal

from headwater.core.naming import equals, named
from headwater.emit.circuit import Circuit, Wording
from headwater.emit.core_netlist import netlists_of
from headwater.emit.declarations import parameter, table
from headwater.emit.expression import (
    Choice,
    Constant,
    Expression,
    Joined,
    Name,
    Part,
    Prefixed,
    Repeated,
    as_condition,
    inverted,
    operation,
)
from headwater.emit.layout import Token, laid_out
from headwater.emit.ordering import after_needs, natural
from headwater.emit.printer import print_module

X, Y, Z = (Name(8, name) for name in "xyz")
P, Q = Name(1, "p"), Name(1, "q")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (operation("^", 8, operation("^", 8, X, Y), Z), "x ^ y ^ z"),
        (operation("^", 8, X, operation("^", 8, Y, Z)), "x ^ y ^ z"),
        (operation("^", 8, operation("&", 8, X, Y), Z), "(x & y) ^ z"),
        (operation("&", 8, X, operation("^", 8, Y, Z)), "x & (y ^ z)"),
        (operation("-", 8, X, operation("-", 8, Y, Z)), "x - (y - z)"),
        (Prefixed(8, "~", operation("&", 8, X, Y)), "~(x & y)"),
        (operation("&", 8, Prefixed(8, "~", X), Y), "~x & y"),
        (operation("&", 1, P, Prefixed(1, "&", X)), "p & (&x)"),
        (Prefixed(1, "~", Prefixed(1, "^", X)), "~(^x)"),
        (Choice(8, P, X, Choice(8, Q, Y, Z)), "p ? x : q ? y : z"),
        (Choice(8, P, Choice(8, Q, X, Y), Z), "p ? (q ? x : y) : z"),
        (Choice(8, operation("&", 1, P, Q), X, operation("^", 8, X, Y)), "(p & q) ? x : (x ^ y)"),
        (Joined(16, (operation("^", 8, X, Y), Z)), "{x ^ y, z}"),
        (Repeated(4, P), "{4{p}}"),
        (Part(1, "x", 3), "x[3]"),
        (Part(4, "x", 3), "x[6:3]"),
        (Constant(1, 1), "1'b1"),
        (Constant(12, 10), "12'h00a"),
        (Constant(128, 0), "128'h0"),
        (inverted(operation("==", 1, X, Y)), "x != y"),
        (inverted(inverted(X)), "x"),
        (as_condition(operation("|", 1, P, Prefixed(1, "~", Q))), "p || !q"),
        (as_condition(operation("&", 1, P, operation("==", 1, X, Y))), "p && x == y"),
        (
            as_condition(operation("|", 1, operation("&", 1, P, Q), operation("!=", 1, X, Y))),
            "(p && q) || x != y",
        ),
    ],
)
def test_text_of_an_expression(expression: Expression, text: str) -> None:
    assert str(expression) == text


def test_long_statement_is_broken_where_the_fewest_brackets_are_open() -> None:
    inner = operation("^", 8, *(Name(8, f"name_{number}") for number in range(7)))
    lines = laid_out(operation("|", 8, operation("&", 8, inner, X), Y).tokens(), "  ")
    assert lines == [
        "  ((name_0 ^ name_1 ^ name_2 ^ name_3 ^ name_4 ^ name_5 ^ name_6) & x) | y",
    ]
    many = operation("|", 8, *(operation("&", 8, inner, Name(8, f"y{n}")) for n in range(2)))
    assert laid_out(many.tokens(), "  ") == [
        "  ((name_0 ^ name_1 ^ name_2 ^ name_3 ^ name_4 ^ name_5 ^ name_6) & y0) |",
        "      ((name_0 ^ name_1 ^ name_2 ^ name_3 ^ name_4 ^ name_5 ^ name_6) & y1)",
    ]


def test_what_cannot_be_broken_is_left_whole() -> None:
    assert laid_out([Token("x" * 200, 0)], "  ") == ["  " + "x" * 200]


def test_natural_order() -> None:
    names = ["s10", "s2", "s", "r1", "s2_0", "s1_in"]
    assert sorted(names, key=natural) == ["r1", "s", "s1_in", "s2", "s2_0", "s10"]


def test_each_after_what_it_needs() -> None:
    needs = {"a": ["b", "c"], "b": ["c"], "c": [], "d": ["e"], "e": ["d"]}
    order, circular = after_needs(["a", "d"], needs.__getitem__)
    assert order == ["c", "b", "a", "e", "d"]
    assert circular == {"d"}


def printed(m: Module, *ports: Signal, **wording: object) -> str:
    """The text of a module, without empty lines."""
    text = rtlil.convert(m, name="top", ports=ports, emit_src=False)
    netlist = netlists_of(text)["top"]
    order = (*netlist.inputs, *netlist.outputs)
    made = print_module(Circuit(netlist, [], Wording(ports=order, **wording)))  # type: ignore[arg-type]
    return "\n".join(line for line in made.splitlines() if line)


def body(text: str) -> list[str]:
    """The lines behind the ports."""
    return [line.strip() for line in text[text.index(");") :].splitlines()[1:-1]]


def test_value_read_once_is_part_of_its_reader() -> None:
    m = Module()
    x = Signal(8)
    y = Signal(8)
    m.d.comb += y.eq((x ^ x[::-1]) & (x + 2)[:8])
    assert body(printed(m, x, y)) == [
        "// Outputs",
        "assign y = (x ^ {x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]}) & (x + 8'h02);",
    ]


def test_large_value_read_twice_is_named_after_its_reader() -> None:
    m = Module()
    x = Signal(8)
    y = Signal(8)
    shared = x ^ x[::-1] ^ (x & x[4]) ^ Mux(x[0], x, 3)
    m.d.comb += y.eq(Mux(shared[1:3].all(), shared, shared + 1))
    text = printed(m, x, y)
    assert "wire [7:0] y_xor = " in text
    assert "$" not in text


def test_name_of_the_python_stays() -> None:
    m = Module()
    x = Signal(8)
    y = Signal(8)
    m.d.comb += y.eq(named(m, "t1", x + 1)[:8] & x)
    assert body(printed(m, x, y)) == [
        "// Datapath",
        "wire [7:0] t1 = x + 8'h01;",
        "// Outputs",
        "assign y = t1 & x;",
    ]


def test_part_of_a_sum_of_bits_is_made_alone() -> None:
    m = Module()
    x = Signal(8)
    y = Signal(4)
    m.d.comb += y.eq((x ^ 0xFF & ~x)[2:6] ^ x[:4])
    assert not [line for line in body(printed(m, x, y)) if line.startswith("wire")]


def test_resets_holds_and_what_is_left() -> None:
    m = Module()
    x = Signal(8)
    y = Signal(8)
    enable = Signal()
    drop = Signal()
    r = Signal(8)
    m.d.comb += y.eq(r)
    with m.If(enable):
        m.d.sync += r.eq(Mux(x[0], x, r + 1))
    with m.If(drop):
        m.d.sync += r.eq(0)
    lines = body(printed(m, x, enable, drop, y, state=("r",), notes={"r": "a note"}))
    assert lines == [
        "// Cipher state",
        "reg [7:0] r;                                // a note",
        "// Outputs",
        "assign y = r;",
        "// Registers",
        "always @(posedge clk) begin",
        "if (rst || drop) begin",
        "r <= 8'h0;",
        "end else if (enable) begin",
        "r <= x[0] ? x : (r + 8'h01);",
        "end",
        "end",
    ]


def test_registers_of_the_same_conditions_share_a_block() -> None:
    m = Module()
    x = Signal(8)
    y = Signal(8)
    enable = Signal()
    r = Signal(8, reset_less=True)
    s = Signal(8, reset_less=True)
    m.d.comb += y.eq(s)
    with m.If(enable):
        m.d.sync += [r.eq(x), s.eq(r)]
    text = printed(m, x, enable, y)
    assert text.count("always @") == text.count("if (enable) begin") == 1


def test_parts_of_a_register_have_conditions_of_their_own() -> None:
    m = Module()
    x = Signal(8)
    y = Signal(8)
    low = Signal()
    high = Signal()
    r = Signal(8, reset_less=True)
    m.d.comb += y.eq(r)
    with m.If(low):
        m.d.sync += r[:4].eq(x[:4])
    with m.If(high):
        m.d.sync += r[4:].eq(x[4:])
    text = printed(m, x, low, high, y)
    assert "if (low) begin\n      r[3:0] <= x[3:0];" in text
    assert "if (high) begin\n      r[7:4] <= x[7:4];" in text


def test_register_is_as_wide_as_what_is_read_of_it() -> None:
    m = Module()
    x = Signal(8)
    y = Signal(4)
    r = Signal(8, reset_less=True)
    m.d.comb += y.eq(r[:4])
    m.d.sync += r.eq(x)
    assert "reg [3:0] r;" in printed(m, x, y)


def test_named_value() -> None:
    m = Module()
    y = Signal()
    count = Signal(4)
    m.d.sync += count.eq(count + 1)
    m.d.comb += y.eq(equals(count, 9, "LAST"))
    text = printed(m, y)
    assert "  localparam [3:0] LAST = 4'h9;\n" in text
    assert "assign y = count == LAST;" in text


def test_carry_is_kept() -> None:
    m = Module()
    x = Signal(8)
    y = Signal(9)
    m.d.comb += y.eq(x + 3)
    assert "assign y = {1'b0, x} + 9'h003;" in printed(m, x, y)


def test_lookup_of_a_table() -> None:
    m = Module()
    x = Signal(2)
    y = Signal(6)
    entries = Signal(32, init=0x0A0B0C0D, name="TABLE")
    m.d.comb += y.eq(entries.bit_select(Cat(0, 0, 0, x), 6))
    text = rtlil.convert(m, name="top", ports=[x, y, entries], emit_src=False)
    wording = Wording(ports=("x", "y"), constants={"TABLE": 0x0A0B0C0D})
    made = print_module(Circuit(netlists_of(text)["top"], [], wording))
    assert "  localparam [31:0] TABLE = {\n    32'h0a0b0c0d\n  };\n" in made
    assert "assign y = TABLE[{x, 3'h0} +: 6];" in made


def test_cell_that_is_not_known_is_not_passed_over() -> None:
    m = Module()
    x = Signal(8)
    y = Signal(16)
    m.d.comb += y.eq(x * x)
    message = r"^no expression is known for a cell of the kind '\$mul'$"
    with pytest.raises(AssertionError, match=message):
        printed(m, x, y)


def test_constants_and_tables() -> None:
    assert parameter("ONE", 1, 1, None) == ["  localparam ONE = 1'h1;"]
    assert parameter("WIDE", 12, 10, "ten") == [
        "  localparam [11:0] WIDE = 12'h00a;           // ten"
    ]
    value = 0x44D7 | 0x26BC << 16
    assert table("T", 64, value, 16, {0: "first", 1: "second"}, None) == [
        "  localparam [63:0] T = {",
        "    {2{16'h0000}},",
        "    16'h26bc,                                 // second",
        "    16'h44d7                                  // first",
        "  };",
    ]


def test_upper_bits_of_a_sum_are_made_with_the_lower_ones() -> None:
    """A carry out of a bit that nothing else reads is not lost."""
    a, b, y, z = (
        Signal(width, name=name) for width, name in ((8, "a"), (8, "b"), (8, "y"), (8, "z"))
    )
    m = Module()
    total = named(m, "total", (a + b)[1:])
    m.d.comb += [y.eq(total), z.eq(~total)]
    text = printed(m, a, b, y, z)
    assert "total_sum = {1'b0, a} + {1'b0, b};" in text
    assert "assign y = total_sum[8:1];" in text
