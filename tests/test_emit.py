# SPDX-License-Identifier: Apache-2.0
"""The generated Verilog: lint, form, the same bytes each time, and the same circuit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from emitted import assert_equivalent, iverilog_warnings
from needs import needs_iverilog

import headwater
from headwater.algebra.sbox import FORMS, SR
from headwater.algebra.word import Wire, Word, concatenate
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.mickey import MICKEY_2
from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Port, Verilog, generate
from headwater.errors import ToolError
from headwater.flow import verilator
from headwater.flow.fpga.family import mapped_modules, synthesise
from headwater.flow.fpga.lattice import ECP5

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
    text = made.text.replace("wire [63:0] t1 =", "wire [62:0] t1 =")
    assert any(line.startswith("%Warning-WIDTH") for line in verilator.lint(made.name, text))


@needs_iverilog
@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=str)
def test_no_warning_of_iverilog_as_verilog_2001(architecture: Architecture) -> None:
    assert iverilog_warnings(generate(TRIVIUM, architecture).text) == ""


@needs_iverilog
def test_iverilog_refuses_what_is_not_verilog_2001() -> None:
    text = make(64).text.replace("always @(posedge clk)", "always_ff @(posedge clk)")
    with pytest.raises(ToolError, match=r"^iverilog failed with exit status \d+:\n"):
        iverilog_warnings(text)


# --- form


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=str)
def test_nothing_but_synthesizable_named_logic(architecture: Architecture) -> None:
    text = code(generate(TRIVIUM, architecture).text).replace("(* keep *)", "")
    for word in ("initial", "assert", "assume", "always @*", "latch", "#", "(*", "`"):
        assert word not in text
    assert text.count("module ") == 1
    assert text.count("always ") == text.count("always @(posedge clk) begin") > 0


@pytest.mark.parametrize("radix", DEFAULTS)
def test_no_wire_without_a_name(radix: int) -> None:
    assert re.findall(r"\b_\d+_\b|\$", code(make(radix).text)) == []


def test_radix_64_is_vector_equations() -> None:
    text = make(64).text
    assert 70 <= len(text.splitlines()) <= 200
    for equation in (
        "t1 = a[90:27] ^ a[63:0];",
        "t2 = b[78:15] ^ b[63:0];",
        "t3 = c[108:45] ^ c[63:0];",
        "z = t2 ^ t1 ^ t3;",
        "from_a = t1 ^ (a[65:2] & a[64:1]);",
        "from_b = t2 ^ (b[65:2] & b[64:1]);",
        "from_c = t3 ^ (c[65:2] & c[64:1]);",
        "a_in = from_c ^ a[87:24];",
        "b_in = from_a ^ b[69:6];",
        "c_in = from_b ^ c[87:24];",
    ):
        assert re.search(rf"^  (wire \[63:0\]|assign) {re.escape(equation)}$", text, re.MULTILINE)
    for declaration in ("reg [92:0] a;", "reg [83:0] b;", "reg [110:0] c;"):
        assert f"  {declaration}\n" in code(text)


@pytest.mark.parametrize("options", [{}, {"stall": "none", "clear": "none"}])
def test_a_narrow_core_keeps_shared_sums_whole(options: dict[str, str]) -> None:
    text = make(64, **options).text
    for name in TRIVIUM.lut_sums:
        assert f"  (* keep *) wire [63:0] {name};\n  assign {name} = " in text
    assert "keep *" not in make(100, **options).text


def test_resets_and_holds_are_branches() -> None:
    text = code(make(64).text)
    reset = [
        "if (rst || abort) begin",
        "loading <= 1'b1;",
        "past_load <= 1'b0;",
        "running <= 1'b0;",
    ]
    assert "    " + "\n      ".join(reset) + "\n" in text
    assert "    end else if (count_enable) begin\n" in text
    assert "    if (enable) begin\n      a <= " in text
    assert re.search(r"\b(rst|abort|enable|count_enable) \?", text) is None


def test_counts_that_are_compared_with_have_names() -> None:
    text = code(generate(CATALOGUE["zuc"], Architecture.choose(CATALOGUE["zuc"])).text)
    assert re.search(r"localparam \[5:0\] BEFORE_LAST_BLANK = 6'h\w+;", text)
    assert "last_blank <= count == BEFORE_LAST_BLANK;" in text
    assert re.findall(r"[!=]= *\d+'h", text) == []


@pytest.mark.parametrize(
    ("radix", "word", "blank"),
    [
        (
            1,
            "&{count[10], ~count[8], count[7:6], ~count[3], count[0]}",
            "&{count[10:9], count[7:5], count[3:2], count[0]}",
        ),
        (64, "count[1]", "&{count[4:3], count[0]}"),
    ],
)
def test_the_end_of_a_setup_is_told_by_few_bits(radix: int, word: str, blank: str) -> None:
    text = code(make(radix).text)
    assert f"      last_word <= {word};\n      last_blank <= {blank};\n" in text


@pytest.mark.parametrize(
    ("cipher", "condition"),
    [(MICKEY_2, "loading"), (CATALOGUE["grain128aead"], "rst || abort || authenticating")],
    ids=["mark", "message"],
)
def test_a_reset_keeps_the_count_at_its_start(cipher: Cipher, condition: str) -> None:
    """A gate before each of its bits would be a LUT each."""
    text = code(generate(cipher, Architecture.choose(cipher)).text)
    assert re.search(rf"    if \({re.escape(condition)}\) begin\n      count <= \d+'h\w+;\n", text)
    assert len(re.findall(r"\bcount <= ", text)) == 2


def test_groups_come_in_order() -> None:
    text = generate(MICKEY_2, Architecture.choose(MICKEY_2)).text
    titles = (
        "Constants",
        "Clocking and control",
        "Cipher state",
        "Datapath",
        "Outputs",
        "Registers",
        "End of a session",
    )
    places = [text.index(f"\n  // {title}\n") for title in titles]
    assert places == sorted(places)
    assert "// Functions" not in text


@pytest.mark.parametrize("options", [{}, {"stall": "none", "clear": "none"}], ids=str)
@pytest.mark.parametrize("radix", [1, 64])
def test_a_reset_of_the_session_is_one_lut(
    radix: int, options: dict[str, str], tmp_path: Path
) -> None:
    """Assigned before the registers, `abort` is a LUT of its own, and `rst` another behind it."""
    core = make(radix, **options)
    assert core.text.index("assign abort = ") > core.text.rindex("always @")
    synthesise(ECP5, core.text, core.name, core.name, "balanced", tmp_path)
    module = mapped_modules(tmp_path)[core.name]
    (loading,) = module["netnames"]["loading"]["bits"]
    drivers = {
        cell["connections"][port][0]: cell
        for cell in module["cells"].values()
        for port in ("Z", "Q")
        if port in cell["connections"]
    }
    (reset,) = drivers[loading]["connections"]["LSR"]
    read = [
        drivers[bit]["type"]
        for port in "ABCD"
        for bit in drivers[reset]["connections"][port]
        if bit in drivers
    ]
    assert read
    assert set(read) == {"TRELLIS_FF"}


def test_first_radix_that_chains_reads_the_step_twice() -> None:
    assert "t1_0" not in make(66).text
    text = code(make(67).text)
    assert "wire [33:0] t1_0 = " in text
    assert "wire [32:0] t1_1 = " in text


@pytest.mark.parametrize("radix", DEFAULTS)
def test_equations_are_in_reading_order(radix: int) -> None:
    """No wire is read before the line that gives it."""
    statements = re.findall(r"(?:wire|assign) [^=]*?(\w+) = ([^;]*);", code(make(radix).text))
    assert len(statements) > 8
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
        ({"stall": "none"}, ["keystream_ready"]),
        ({"clear": "none"}, ["clear"]),
        ({"stall": "none", "clear": "none"}, ["keystream_ready", "clear"]),
    ],
)
def test_ports(options: dict[str, str], missing: list[str]) -> None:
    made = make(64, 32, **options)
    expected = [
        Port("clk", "input", 1),
        Port("rst", "input", 1),
        Port("load_payload", "input", 32),
        Port("load_valid", "input", 1),
        Port("load_ready", "output", 1),
        Port("keystream_payload", "output", 64),
        Port("keystream_valid", "output", 1),
        Port("keystream_ready", "input", 1),
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


def test_a_field_of_the_header_with_a_long_name() -> None:
    cipher = CATALOGUE["grain128aead"]
    text = generate(cipher, Architecture.choose(cipher)).text
    assert "// authenticator=isolated: output bits enter" in text


def test_header() -> None:
    made = make(64)
    comment = made.text[: made.text.index("\nmodule ")]
    fields = re.sub(r"\n// {8,}", " ", comment)
    for line in (
        "// SPDX-License-Identifier: Apache-2.0",
        f"// Generator:            Headwater {headwater.__version__}",
        f"// Cipher:               {TRIVIUM.title}. {TRIVIUM.source}",
        "// Architecture:         radix 64, load width 64",
        "// stall=stream:         the core waits for its streams",
        "// clear=shift:          `clear` shifts zeros into the state",
        "// form=fibonacci:       feedback enters at one end",
        f"// Bit order:            {TRIVIUM.convention}",
        f"// Description:          SHA-256 {TRIVIUM.digest}",
    ):
        assert f"{line}\n" in fields
    assert make(64).text.startswith("// SPDX-License-Identifier: Apache-2.0\n")
    assert "galois" not in comment
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


# --- the same circuit


@pytest.mark.parametrize(
    "architecture",
    [
        Architecture.choose(TRIVIUM, radix=64),
        Architecture.choose(TRIVIUM, radix=1, options={"stall": "none", "clear": "instant"}),
        Architecture.choose(TRIVIUM, radix=100, load_width=7),
    ],
    ids=str,
)
def test_text_is_the_circuit(architecture: Architecture) -> None:
    assert_equivalent(TRIVIUM, architecture, generate(TRIVIUM, architecture).text)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("z = t2 ^ t1 ^ t3;", "z = (t1 | t2) ^ t3;"),
        ("c[65:2] & c[64:1]", "c[65:2] & c[65:2]"),
        ("loading <= loading & ~last_word", "loading <= loading & last_word"),
        ("else if (count_enable)", "else if (step)"),
    ],
)
def test_what_changes_something_is_found(right: str, wrong: str) -> None:
    made = make(64).text
    assert made.count(right) == 1
    with pytest.raises(ToolError, match="unproven"):
        assert_equivalent(
            TRIVIUM, Architecture.choose(TRIVIUM, radix=64), made.replace(right, wrong)
        )


@pytest.mark.parametrize("radix", [1, 2])
@pytest.mark.parametrize("form", FORMS)
def test_lint_with_an_sbox(form: str, radix: int) -> None:
    def step(wire: Wire, r: Word, s: Word, *, sr: Word, **others: Any) -> Any:
        output, after = MICKEY_2.step(wire, r, s, **others)
        moved = wire(after["r"], "moved")
        substituted = SR.apply(moved[:32], wire, form, sr)
        return output, {**after, "r": concatenate(substituted, moved[32:])}

    constants = {**MICKEY_2.constants, "sr": SR.table}
    cipher = replace(MICKEY_2, name="with_sbox", step=step, constants=constants, early_step=None)
    made = generate(cipher, Architecture.choose(cipher, radix=radix))
    assert verilator.lint(made.name, made.text) == []
    assert made.text.count("SR[{") == (4 * radix if form == "table" else 0)
    assert made.text.count("localparam [2047:0] SR") == (form == "table")
    assert made.text.count("sr_box(x") == 0
    assert made.text.count("function automatic [7:0] sr_box(input [7:0] x);") == (form != "table")
    assert len(re.findall(r"[ {]sr_box\(\w", made.text)) == (
        0 if form == "table" else 4 * radix + 1
    )
