# SPDX-License-Identifier: Apache-2.0
"""The generated Verilog: lint, form, the same bytes each time, and tidying that changes nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from emitted import assert_equivalent, iverilog_warnings, raw_and_tidied
from needs import needs_iverilog

import headwater
from headwater.algebra.sbox import FORMS, SR
from headwater.algebra.word import Wire, Word, concatenate
from headwater.cipher.mickey import MICKEY_2
from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.emit.tidy import tidy
from headwater.emit.verilog import Port, Verilog, generate
from headwater.errors import ToolError
from headwater.flow import verilator

DEFAULTS = [1, 2, 7, 8, 16, 33, 64, 66, 67, 96, 100, 128, 160, 200, 288]

ARCHITECTURES = [
    Architecture.choose(TRIVIUM, radix=radix, load_width=load_width, options=options)
    for (radix, load_width), options in [
        *product([(radix, None) for radix in DEFAULTS], [{}]),
        *product([(1, 7), (1, 160), (8, 100), (64, 159), (100, 1), (288, 80)], [{}]),
        *product(
            [(1, 1), (64, 64), (100, 160)],
            [
                {"stall": stall, "clear": clear}
                for stall in ("stream", "none")
                for clear in ("shift", "instant", "none")
            ],
        ),
    ]
]


def make(radix: int, load_width: int | None = None, **options: str) -> Verilog:
    return generate(
        TRIVIUM,
        Architecture.choose(TRIVIUM, radix=radix, load_width=load_width, options=options),
    )


def code(text: str) -> str:
    """The text without its comments."""
    return re.sub(r" *//.*", "", text)


# --- lint


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=str)
def test_no_warning_of_verilator(architecture: Architecture) -> None:
    made = generate(TRIVIUM, architecture)
    assert verilator.lint(made.name, made.text) == []


def test_verilator_warns_where_there_is_cause() -> None:
    made = make(64)
    text = made.text.replace("wire [63:0] t1;", "wire [62:0] t1;")
    assert any(line.startswith("%Warning-WIDTH") for line in verilator.lint(made.name, text))


@needs_iverilog
@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=str)
def test_no_warning_of_iverilog_as_verilog_2001(architecture: Architecture) -> None:
    assert iverilog_warnings(generate(TRIVIUM, architecture).text) == ""


@needs_iverilog
def test_iverilog_refuses_what_is_not_verilog_2001() -> None:
    text = make(64).text.replace("always @(posedge clk)", "always_ff @(posedge clk)")
    with pytest.raises(ToolError, match=r"^sh failed with exit status \d+:\n"):
        iverilog_warnings(text)


# --- form


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=str)
def test_nothing_but_synthesizable_named_logic(architecture: Architecture) -> None:
    text = code(generate(TRIVIUM, architecture).text)
    for word in ("initial", "assert", "assume", "always @*", "latch", "#", "(*", "`"):
        assert word not in text
    assert text.count("module ") == 1
    assert text.count("always ") == 1
    assert "always @(posedge clk) begin" in text


@pytest.mark.parametrize("radix", DEFAULTS)
def test_no_wire_without_a_name(radix: int) -> None:
    assert re.findall(r"\b_\d+_\b|\$", code(make(radix).text)) == []


def test_radix_64_is_vector_equations() -> None:
    text = make(64).text
    assert 70 <= len(text.splitlines()) <= 200
    for equation in (
        "assign t1 = a[90:27] ^ a[63:0];",
        "assign t2 = b[78:15] ^ b[63:0];",
        "assign t3 = c[108:45] ^ c[63:0];",
        "assign z = t1 ^ t2 ^ t3;",
        "assign a_in = t3 ^ (c[65:2] & c[64:1]) ^ a[87:24];",
        "assign b_in = t1 ^ (a[65:2] & a[64:1]) ^ b[69:6];",
        "assign c_in = t2 ^ (b[65:2] & b[64:1]) ^ c[87:24];",
    ):
        assert f"  {equation}\n" in text
    for declaration in ("reg [92:0] a;", "reg [83:0] b;", "reg [110:0] c;", "wire [63:0] t1;"):
        assert f"  {declaration}\n" in code(text)


def test_first_radix_that_chains_reads_the_step_twice() -> None:
    assert "t1_0" not in make(66).text
    text = code(make(67).text)
    assert re.search(r"wire \[33:0\] t1_0;", text)
    assert re.search(r"wire \[32:0\] t1_1;", text)


@pytest.mark.parametrize("radix", DEFAULTS)
def test_equations_are_in_reading_order(radix: int) -> None:
    """No wire is read before the line that gives it."""
    statements = re.findall(r"assign (\w+) = ([^;]*);", code(make(radix).text))
    targets = [target for target, _ in statements]
    for place, (_, value) in enumerate(statements):
        later = set(targets[place:])
        assert later.isdisjoint(re.findall(r"[A-Za-z_]\w*", value))


@pytest.mark.parametrize("radix", [1, 64, 288])
def test_lines_of_code_are_short(radix: int) -> None:
    assert max(map(len, code(make(radix).text).splitlines())) <= 100


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        ({}, []),
        ({"stall": "none"}, ["keystream__ready"]),
        ({"clear": "none"}, ["clear"]),
        ({"stall": "none", "clear": "none"}, ["keystream__ready", "clear"]),
    ],
)
def test_ports(options: dict[str, str], missing: list[str]) -> None:
    made = make(64, 32, **options)
    expected = [
        Port("clk", "input", 1),
        Port("rst", "input", 1),
        Port("load__payload", "input", 32),
        Port("load__valid", "input", 1),
        Port("load__ready", "output", 1),
        Port("keystream__payload", "output", 64),
        Port("keystream__valid", "output", 1),
        Port("keystream__ready", "input", 1),
        Port("clear", "input", 1),
    ]
    expected = [port for port in expected if port.name not in missing]
    assert list(made.ports) == expected
    header = code(made.text)[: code(made.text).index(");")]
    declared = re.findall(r"(input|output) +(?:wire|reg) +(?:\[(\d+):0\] )?(\w+)", header)
    assert declared == [
        (port.direction, str(port.width - 1) if port.width > 1 else "", port.name)
        for port in expected
    ]


def test_header() -> None:
    made = make(64)
    comment = made.text[: made.text.index("\nmodule ")]
    fields = re.sub(r"\n// {8,}", " ", comment)
    for line in (
        f"// Generator:    Headwater {headwater.__version__}",
        f"// Cipher:       {TRIVIUM.title}. {TRIVIUM.source}",
        "// Architecture: radix 64, load width 64, stall=stream clear=shift form=fibonacci",
        f"// Bit order:    {TRIVIUM.convention}",
        f"// Description:  SHA-256 {TRIVIUM.digest}",
        "// Licence:      Apache-2.0",
    ):
        assert f"{line}\n" in fields
    assert "setup takes 21 cycles" in fields
    assert all(line.startswith("//") for line in comment.splitlines() if line)
    assert re.fullmatch(r"[0-9a-f]{64}", TRIVIUM.digest)


def test_name() -> None:
    assert make(8).name == "trivium_r8"
    assert "module trivium_r8 (" in make(8).text


# --- the same bytes each time


def test_deterministic_bytes() -> None:
    script = (
        "import sys\n"
        "from headwater.cipher.trivium import TRIVIUM\n"
        "from headwater.core.architecture import Architecture\n"
        "from headwater.emit.verilog import generate\n"
        "for radix in (2, 64, 100):\n"
        "    text = generate(TRIVIUM, Architecture.choose(TRIVIUM, radix=radix)).text\n"
        "    sys.stdout.buffer.write(text.encode())\n"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(headwater.__file__).parents[1],
            stdout=subprocess.PIPE,
            check=True,
        ).stdout.decode()
        for seed in ("1", "2024")
    ]
    assert texts[0] == texts[1]
    assert texts[0] == "".join(make(radix).text for radix in (2, 64, 100))


def test_hash_is_that_of_the_text() -> None:
    assert make(64).sha256 == make(64).sha256
    assert make(64).sha256 != make(64, clear="none").sha256


# --- tidying


def tidied(
    statements: str,
    *,
    wires: Sequence[str] = (),
    ports: str = "input clk;\nwire clk;\ninput [7:0] x;\nwire [7:0] x;\n"
    "output [7:0] y;\nwire [7:0] y;\n",
    order: Sequence[str] = ("clk", "x", "y"),
    **notes: str,
) -> list[str]:
    """Lines of the body that `tidy` makes of a module like those that Yosys writes."""
    declared = "".join(f"wire [7:0] {wire};\n" for wire in wires)
    lines = "".join(f"  {line}\n" for line in f"{ports}{declared}{statements}".splitlines())
    text = f"/* Generated */\n\nmodule top(x, clk, y);\n{lines}endmodule\n"
    made = tidy(text, "top", order, notes).splitlines()
    return [line for line in made[made.index(");") + 1 :] if line]


def expression(statements: str, *wires: str) -> list[str]:
    """Its assignments alone, without indentation."""
    lines = [line.strip() for line in tidied(statements, wires=wires)]
    return [line for line in lines if line.startswith("assign ")]


def test_ports_come_in_the_order_asked_for() -> None:
    text = (
        "module top(b, a, clk);\n  input b;\n  wire b;\n  output [3:0] a;\n  reg [3:0] a;\n"
        "  input clk;\n  wire clk;\n  always @(posedge clk)\n    a <= { a[2:0], b };\nendmodule\n"
    )
    assert tidy(text, "top", ["clk", "b", "a"], {"b": "a bit"}) == (
        "module top (\n"
        "  input  wire          clk,\n"
        "  input  wire          b,                     // a bit\n"
        "  output reg     [3:0] a\n"
        ");\n"
        "\n"
        "\n"
        "  always @(posedge clk) begin\n"
        "    a <= { a[2:0], b };\n"
        "  end\n"
        "endmodule\n"
    )


@pytest.mark.parametrize(
    ("inner", "outer", "expected"),
    [
        ("x ^ 8'h01", "_0_ ^ 8'h02", "x ^ 8'h01 ^ 8'h02"),
        ("x & 8'h01", "_0_ ^ 8'h02", "(x & 8'h01) ^ 8'h02"),
        ("x ^ 8'h01", "8'h02 & _0_", "8'h02 & (x ^ 8'h01)"),
        ("x - 8'h01", "8'h02 - _0_", "8'h02 - (x - 8'h01)"),
        ("~ x", "_0_ & 8'h02", "~x & 8'h02"),
        ("~ x", "~ _0_", "~(~x)"),
        ("x & 8'h01", "~ _0_", "~(x & 8'h01)"),
        ("x & 8'h01", "{ _0_, x }", "{ x & 8'h01, x }"),
        ("x[0] ? x : 8'h01", "x[1] ? 8'h02 : _0_", "x[1] ? 8'h02 : x[0] ? x : 8'h01"),
        ("x[0] ? x : 8'h01", "x[1] ? _0_ : 8'h02", "x[1] ? (x[0] ? x : 8'h01) : 8'h02"),
        ("x[0] & x[1]", "_0_ ? x : 8'h02", "(x[0] & x[1]) ? x : 8'h02"),
        ("x[3]", "_0_ ? x : 8'h02", "x[3] ? x : 8'h02"),
    ],
)
def test_wire_read_once_goes_into_its_reader(inner: str, outer: str, expected: str) -> None:
    made = expression(f"assign _0_ = {inner};\nassign y = {outer};\n", "_0_")
    assert made == [f"assign y = {expected};"]


def test_chain_of_wires_becomes_one_expression() -> None:
    made = expression(
        "assign _2_ = _1_ ^ x;\nassign y = _2_ & x;\nassign _0_ = ~ x;\nassign _1_ = _0_ | x;\n",
        "_0_", "_1_", "_2_",
    )  # fmt: skip
    assert made == ["assign y = ((~x | x) ^ x) & x;"]


def test_wire_read_twice_stays() -> None:
    made = expression("assign _0_ = x ^ x;\nassign y = _0_ & _0_;\n", "_0_")
    assert made == ["assign _0_ = x ^ x;", "assign y = _0_ & _0_;"]


def test_inversion_goes_into_all_its_readers() -> None:
    made = expression("assign _0_ = ~ x;\nassign y = _0_ & _0_;\n", "_0_")
    assert made == ["assign y = ~x & ~x;"]


def test_wire_read_in_part_stays() -> None:
    made = expression("assign _0_ = x ^ 8'h01;\nassign y = { 4'h0, _0_[3:0] };\n", "_0_")
    assert made == ["assign _0_ = x ^ 8'h01;", "assign y = { 4'h0, _0_[3:0] };"]


def test_wire_with_a_name_stays() -> None:
    made = expression("assign y = t1 & x;\nassign t1 = x ^ 8'h01;\n", "t1")
    assert made == ["assign t1 = x ^ 8'h01;", "assign y = t1 & x;"]


def test_number_that_begins_another_is_told_apart() -> None:
    made = expression("assign _1_ = x ^ 8'h01;\nassign y = _1_ & _11_;\nassign _11_ = ~ x;\n",
                      "_1_", "_11_")  # fmt: skip
    assert made == ["assign y = (x ^ 8'h01) & ~x;"]


CLOCKED = (
    "input clk;\nwire clk;\ninput [7:0] x;\nwire [7:0] x;\n"
    "output [7:0] y;\nreg [7:0] y;\nreg [7:0] r;\n"
)


def test_registers_come_into_one_block() -> None:
    made = tidied(
        "always @(posedge clk)\n  y <= _0_;\nalways @(posedge clk)\n  if (x[0]) r <= _1_;\n"
        "assign _0_ = x[1] ? r : _2_;\nassign _1_ = x ^ r;\nassign _2_ = x[2] ? x : y;\n",
        wires=["_0_", "_1_", "_2_"],
        ports=CLOCKED,
        r="a note",
    )
    assert made == [
        "  reg [7:0] r;                                // a note",
        "  always @(posedge clk) begin",
        "    y <= x[1] ? r : x[2] ? x : y;",
        "    if (x[0]) r <= x ^ r;",
        "  end",
        "endmodule",
    ]


def test_conditions_that_give_the_same_are_joined() -> None:
    made = tidied(
        "always @(posedge clk)\n  y <= _0_;\n"
        "assign _0_ = p ? 8'h00 : _1_;\nassign _1_ = q ? 8'h00 : x;\n",
        wires=["_0_", "_1_"],
        ports=CLOCKED.replace("reg [7:0] r;", "wire p;\nwire q;"),
    )
    assert "    y <= (p | q) ? 8'h00 : x;" in made


def test_comparison_is_written_as_wide_as_the_signal() -> None:
    made = expression("assign y = { 7'h00, _0_ };\nassign _0_ = x == 8'h05;\n", "_0_")
    assert made == ["assign y = { 7'h00, x == 8'h5 };"]
    made = expression("assign y = { 7'h00, _0_ };\nassign _0_ = x == 3'h5;\n", "_0_")
    assert made == ["assign y = { 7'h00, x == 8'h5 };"]


def test_long_statement_is_broken() -> None:
    long = " ^ ".join(f"_{number}_" for number in range(40))
    made = tidied(f"assign y = {long};\n", wires=[f"_{number}_" for number in range(40)])
    assert max(map(len, made)) <= 100
    assert f"assign y = {long};" in re.sub(r"\s+", " ", "\n".join(made))


def test_statement_that_is_not_known_is_not_passed_over() -> None:
    message = """Yosys wrote a statement that is not known here: "initial y = 8'h00;\""""
    with pytest.raises(AssertionError, match=f"^{re.escape(message)}$"):
        tidied("initial y = 8'h00;\n")


# --- tidying a whole core changes nothing


@pytest.mark.parametrize(
    "architecture",
    [
        Architecture.choose(TRIVIUM, radix=64),
        Architecture.choose(TRIVIUM, radix=1, options={"stall": "none", "clear": "instant"}),
        Architecture.choose(TRIVIUM, radix=100, load_width=7),
    ],
    ids=str,
)
def test_tidying_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, architecture: Architecture
) -> None:
    raw, made = raw_and_tidied(monkeypatch, TRIVIUM, architecture)
    assert "_00" in raw
    assert_equivalent(raw, made)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("assign z = t1 ^ t2 ^ t3;", "assign z = (t1 | t2) ^ t3;"),
        ("c[65:2] & c[64:1]", "c[65:2] & c[65:2]"),
        ("load_fire & last_word", "load_fire | last_word"),
    ],
)
def test_what_changes_something_is_found(
    monkeypatch: pytest.MonkeyPatch, right: str, wrong: str
) -> None:
    raw, made = raw_and_tidied(monkeypatch, TRIVIUM, Architecture.choose(TRIVIUM, radix=64))
    assert made.count(right) == 1
    with pytest.raises(ToolError, match="unproven"):
        assert_equivalent(raw, made.replace(right, wrong))


@pytest.mark.parametrize("radix", [1, 2])
@pytest.mark.parametrize("form", FORMS)
def test_lint_with_an_sbox(form: str, radix: int) -> None:
    def step(wire: Wire, r: Word, s: Word, *, sr: Word, **others: Any) -> Any:
        output, after = MICKEY_2.step(wire, r, s, **others)
        moved = wire(after["r"], "moved")
        substituted = SR.apply(moved[:32], wire, form, sr)
        return output, {**after, "r": concatenate(substituted, moved[32:])}

    constants = {**MICKEY_2.constants, "sr": SR.table}
    cipher = replace(MICKEY_2, name="with_sbox", step=step, constants=constants)
    made = generate(cipher, Architecture.choose(cipher, radix=radix))
    assert verilator.lint(made.name, made.text) == []
    assert made.text.count("SR[{") == (4 * radix if form == "table" else 0)
    assert made.text.count("localparam [2047:0] SR") == (form == "table")


def table_text(statements: str, width: int) -> str:
    """A tidied module with a constant of that width, which counts up byte by byte from the top."""
    text = (
        f"/* Generated */\n\nmodule top(T, x, clk, y);\n  input [{width - 1}:0] T;\n"
        f"  wire [{width - 1}:0] T;\n  input [7:0] x;\n  wire [7:0] x;\n  input clk;\n  wire clk;\n"
        f"  output [15:0] y;\n  wire [15:0] y;\n  wire [7:0] _0_;\n{statements}endmodule\n"
    )
    value = int.from_bytes(range(width // 8), "big")
    return tidy(text, "top", ["clk", "x", "y"], {"T": "a table"}, {"T": value})


def test_table_is_written_in_rows() -> None:
    made = table_text("  assign y = T >> { x, 4'h0 };\n", 384)
    assert (
        "  localparam [383:0] T = {                    // a table\n"
        "    128'h000102030405060708090a0b0c0d0e0f,\n"
        "    128'h101112131415161718191a1b1c1d1e1f,\n"
        "    128'h202122232425262728292a2b2c2d2e2f\n"
        "  };\n"
    ) in made
    assert "localparam [127:0] T = 128'h0001" in table_text("  assign y = T[15:0];\n", 128)
    assert "localparam" not in table_text("  assign y = 16'h0000;\n", 128)


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (["y = T >> { x, 4'h0 }"], ["y = T[{ x, 4'h0 } +: 16]"]),
        (
            ["y[15:8] = T >> { x, 3'h0 }", "y[7:0] = x"],
            ["y[15:8] = T[{ x, 3'h0 } +: 8]", "y[7:0] = x"],
        ),
        (["y[3] = T >> x"], ["y[3] = T[x +: 1]"]),
        (
            ["_0_ = T >> { x, 3'h0 }", "y = { x ^ x, _0_ } ^ 16'h0001"],
            ["y = { x ^ x, T[{ x, 3'h0 } +: 8] } ^ 16'h0001"],
        ),
        (["_0_ = T >> { x, 3'h0 }", "y = _0_ & x"], ["y = T[{ x, 3'h0 } +: 8] & x"]),
        (["y = x >> { x, 4'h0 }"], ["y = x >> { x, 4'h0 }"]),
    ],
)
def test_entry_of_a_table_is_a_part_of_it(statements: list[str], expected: list[str]) -> None:
    made = table_text("".join(f"  assign {statement};\n" for statement in statements), 2048)
    lines = [line.strip() for line in made.splitlines()]
    assert [line for line in lines if line.startswith("assign")] == [
        f"assign {statement};" for statement in expected
    ]
