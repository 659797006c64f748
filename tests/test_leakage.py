# SPDX-License-Identifier: Apache-2.0
"""The checker of leakage: circuits worked out by hand, what it prints, and what it refuses."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from command_line import Capture, refused, succeed
from leakage_cases import (
    AND_SHARES,
    DEPENDENT,
    DOM,
    DOM_BARE,
    DOM_SPEC,
    NEIGHBOURS,
    NEIGHBOURS_SPEC,
    REUSED,
    REUSED_SPEC,
    TRICHINA,
    TWO_RANDOMS,
    ascon_sbox,
    ascon_spec,
    chi,
    chi_spec,
    clocked,
    module,
    write,
)

import headwater as hw
from headwater.cli.main import main
from headwater.errors import InputError
from headwater.flow.asic import map_to_cells
from headwater.flow.liberty import Library
from headwater.leakage.verdict import Verdict


def verdict(folder: Path, verilog: str, spec: str) -> Verdict:
    return hw.leakage(*write(folder, verilog, spec))


SECURE = {
    "DOM": (DOM, DOM_SPEC),
    "two products, two random bits": (TWO_RANDOMS, REUSED_SPEC.replace('["r"]', '["r", "s"]')),
    "chi, two neighbours refreshed": (chi((0, 1)), chi_spec((0, 1))),
    "Ascon's S-box": (ascon_sbox(), ascon_spec()),
}


@pytest.mark.parametrize("name", SECURE)
def test_secure(name: str, tmp_path: Path) -> None:
    found = verdict(tmp_path, *SECURE[name])
    assert (found.verdict, found.leaks, found.flaws, found.undecided) == ("secure", (), (), ())


LEAKING = {
    "DOM without registers": (DOM_BARE, DOM_SPEC, {"z0", "z1"}),
    "Trichina": (TRICHINA, DOM_SPEC, {"n1", "n2", "z0"}),
    "two products, one random bit": (REUSED, REUSED_SPEC, {"z0", "z1", "logic 1 of z1"}),
    "dependent operands": (
        DEPENDENT,
        DOM_SPEC,
        {"next(p01)", "next(p10)", "logic 1 of next(p01)", "logic 1 of next(p10)"},
    ),
    "neighbours, by a transition": (
        NEIGHBOURS,
        NEIGHBOURS_SPEC,
        {"next(q0)", "next(q1)", "logic 1 of next(q0)", "logic 1 of next(q1)"},
    ),
}


@pytest.mark.parametrize("name", LEAKING)
def test_leaking(name: str, tmp_path: Path) -> None:
    verilog, spec, nets = LEAKING[name]
    found = verdict(tmp_path, verilog, spec)
    assert found.verdict == "leaks"
    assert {leak.net for leak in found.leaks} == nets


def test_ascon_without_registers_leaks_x1(tmp_path: Path) -> None:
    found = verdict(tmp_path, ascon_sbox(linear="wire"), ascon_spec())
    assert {secret for leak in found.leaks for one in leak.secrets for secret in one} >= {"x1@0"}
    bare = ascon_sbox(products="wire")
    assert verdict(tmp_path, bare, ascon_spec()).verdict == "leaks"


def test_probabilities_by_hand(tmp_path: Path) -> None:
    """Where two products share a random bit, z1's first gate sees p11 = a1 b1, and the sum of p10
    and q10, which is a1 b0 + c1 d0. Both are one, if b = 0, where a1, b1 and b0 are one and c1 d0
    is zero (1/2, 1/2, 3/4); if b = 1, where a1, b1 and c1 d0 are one (1/2, 1/2, 1/4)."""
    found = verdict(tmp_path, REUSED, REUSED_SPEC)
    (leak,) = (one for one in found.leaks if one.net == "logic 1 of z1")
    assert leak.as_json() == {
        "net": "logic 1 of z1",
        "observed": [["p11@0"], ["p10@0", "q10@0"]],
        "value": [1, 1],
        "secrets": [{"b@-1": 0}, {"b@-1": 1}],
        "publics": {},
        "probabilities": ["3/16", "1/16"],
        "control": [],
    }


def chi_outputs(shares: tuple[int, ...], fresh: tuple[int, ...]) -> tuple[int, ...]:
    """Chi of shares a, b, c of five bits, written from the paper's equation."""
    a, b, c = (shares[5 * at : 5 * at + 5] for at in range(3))

    def share(x: tuple[int, ...], y: tuple[int, ...]) -> list[int]:
        return [
            x[i]
            ^ (1 ^ x[(i + 1) % 5]) & x[(i + 2) % 5]
            ^ x[(i + 1) % 5] & y[(i + 2) % 5]
            ^ y[(i + 1) % 5] & x[(i + 2) % 5]
            for i in range(5)
        ]

    rows = [share(b, c), share(c, a), share(a, b)]
    for at in range(len(fresh) // 2):
        rows[0][at] ^= fresh[2 * at]
        rows[1][at] ^= fresh[2 * at + 1]
        rows[2][at] ^= fresh[2 * at] ^ fresh[2 * at + 1]
    return (*rows[0], *rows[1], *rows[2])


@pytest.mark.parametrize(("refreshed", "uniform"), [((), False), ((0,), False), ((0, 1), True)])
def test_chi_is_uniform_where_counting_says(
    refreshed: tuple[int, ...], uniform: bool, tmp_path: Path
) -> None:
    """The sharings of the row of zeros must each come equally often."""
    masks = list(product((0, 1), repeat=10))
    counts: dict[tuple[int, ...], int] = {}
    for mask in masks:
        first = tuple(one ^ other for one, other in zip(mask[:5], mask[5:], strict=True))
        for fresh in product((0, 1), repeat=2 * len(refreshed)):
            made = chi_outputs((*first, *mask), fresh)
            counts[made] = counts.get(made, 0) + 1
    counted = len(counts) == 2**10 and len(set(counts.values())) == 1
    found = verdict(tmp_path, chi(refreshed), chi_spec(refreshed))
    assert (found.verdict == "secure", counted) == (uniform, uniform)
    assert found.leaks == ()


# What the induction needs


NEXT = {
    "s0 <= s0 ^ r; s1 <= s1 ^ r;": ("secure", []),
    "s0 <= s0 ^ s1 ^ r; s1 <= r;": ("leaks", []),  # The sum of both shares is a net.
    "s0 <= s1 ^ r; s1 <= s0 ^ r;": ("leaks", []),  # r is seen, and s1, and then s0 + r.
    "s0 <= s0 ^ r; s1 <= s1;": ("not uniform", ["correct"]),  # r is added to the secret.
    "s0 <= 0; s1 <= 0;": ("not uniform", ["uniform"]),
    "s0 <= ~s0; s1 <= s1;": ("secure", []),
}


@pytest.mark.parametrize("equations", NEXT)
def test_shares_in_registers(equations: str, tmp_path: Path) -> None:
    text = module(
        "input clk, input r, output z", f"reg s0, s1;\n{clocked(equations)}\nassign z = s1;"
    )
    found = verdict(tmp_path, text, 'random = ["r"]\n[shares]\ns = ["s0", "s1"]\n')
    assert (found.verdict, [flaw.what for flaw in found.flaws]) == NEXT[equations]


HELD = module(
    "input clk, input en, input i0, i1, r, output z0, z1",
    "reg s0, s1, t0, t1;\n"
    + clocked("if (en) begin s0 <= i0; s1 <= i1; t0 <= s0 ^ r; t1 <= s1 ^ r; end")
    + "\nassign z0 = t0;\nassign z1 = t1;",
)


def test_registers_that_wait_are_followed_by_control(tmp_path: Path) -> None:
    spec = 'random = ["r"]\n{}\n[shares]\ni = ["i0", "i1"]\ns = ["s0", "s1"]\n'
    found = verdict(tmp_path, HELD, spec.format('control = ["en"]'))
    assert (found.verdict, found.windows) == ("secure", 4)
    files = write(tmp_path, HELD, spec.format('public = ["en"]'))
    with pytest.raises(InputError, match=r"register z\d depends on itself"):
        hw.leakage(*files)
    # The mask does not stay: the sum of both shares is in a register.
    crossed = HELD.replace("t0 <= s0 ^ r; t1 <= s1 ^ r", "t0 <= s0 ^ r; t1 <= s1 ^ r ^ t0")
    found = verdict(tmp_path, crossed, spec.format('control = ["en"]'))
    assert not found.holds


def test_public_bits_may_choose(tmp_path: Path) -> None:
    """Whatever they are: here they choose between two shares, and a probe sees both."""
    text = module("input p, a0, a1, output z", "assign z = p ? a0 : a1;")
    spec = 'public = ["p"]\n[shares]\na = ["a0", "a1"]\n'
    assert verdict(tmp_path, text, spec).verdict == "leaks"
    own = module("input p, q, a0, a1, output z", "assign z = p ? a0 : q;")
    assert verdict(tmp_path, own, spec.replace('["p"]', '["p", "q"]')).verdict == "secure"


def test_shares_that_stay_on_the_ports(tmp_path: Path) -> None:
    """A product of which one term waits in a register is right only if the inputs stay; masks that
    stay are not fresh: a sum of them in two cycles is none."""
    text = (
        DOM.replace("reg p00, p01, p10, p11;", "reg p01, p10;")
        .replace("p00 <= a0 & b0;", "")
        .replace("p11 <= a1 & b1;", "")
        .replace("p00 ^ p01", "(a0 & b0) ^ p01")
        .replace("p10 ^ p11", "p10 ^ (a1 & b1)")
    )
    assert verdict(tmp_path, text, DOM_SPEC).verdict == "not uniform"
    steady = f'steady = ["a", "b"]\n{DOM_SPEC}'
    assert verdict(tmp_path, text, steady).verdict == "secure"
    reused = steady.replace('["a", "b"]', '["a", "b", "r"]')
    assert verdict(tmp_path, text, reused).verdict == "secure"
    with pytest.raises(InputError, match="what is steady must be one of a, b, r"):
        verdict(tmp_path, text, steady.replace('["a"', '["c"'))


# The command


def test_command(tmp_path: Path, capsys: Capture) -> None:
    verilog, spec = write(tmp_path, DOM, DOM_SPEC)
    printed = " ".join(succeed(capsys, "leakage", verilog, "--spec", spec).split())
    assert printed == (
        "masked: 8 gates, 4 registers, 2 shares 17 nets probed with glitches and transitions, in "
        "1 case of two neighbouring cycles secure: first-order robust probing security of the "
        "netlist, under uniform fresh randomness is proven"
    )
    verilog.write_text(DOM_BARE)
    assert main(["leakage", str(verilog), "--spec", str(spec)]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert (
        "leak: a probe on z0 sees b0@0 ^ b1@0; they are 1 with probability 1 if b@0 = 1, and 0 "
        "if b@0 = 0"
    ) in printed
    assert main(["leakage", str(verilog), "--spec", str(spec), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data == hw.leakage(verilog, spec).as_json()
    assert (data["verdict"], len(data["leaks"])) == ("leaks", 2)


LATCH = module("input g, a0, a1, output reg z", "always @* if (g) z = a0;")
LOOP = module("input a0, a1, output z", "wire y = z ^ a1;\nassign z = y & a0;")
ONE_SECRET = '[shares]\na = ["a0", "a1"]\n'
TWO_CLOCKS = module(
    "input c, d, a0, a1, output reg y, z",
    "always @(posedge c) y <= a0;\nalways @(posedge d) z <= a1;",
)
WRONG = {
    "no secret": (
        DOM,
        'random = ["r"]',
        ("spec {spec} must name at least one secret, with its shares, in [shares]"),
    ),
    "one share": (
        DOM,
        '[shares]\na = ["a0"]',
        ("spec {spec}: shares.a must have at least two shares, not 1"),
    ),
    "share twice": (
        DOM,
        f'random = ["r"]\n{AND_SHARES}c = ["a0", "b1"]',
        "a0 must be named once, not in a and in c",
    ),
    "share as random": (
        DOM,
        f'random = ["r", "a0"]\n{AND_SHARES}',
        "a0 must be named once, not in a and in random",
    ),
    "no such port": (
        DOM,
        '[shares]\na = ["a0", "a2"]',
        (
            "'a2' must be a port or a register of "
            "masked, which has none of that name (did you mean 'a1'?)"
        ),
    ),
    "result of logic": (
        DOM,
        '[shares]\na = ["a0", "z0"]',
        ("z0 must be an input or a register of masked, not a result of logic"),
    ),
    "port without a role": (
        DOM,
        AND_SHARES,
        ("input r must be named in the spec: as shares, random, public, control or constant"),
    ),
    "widths": (
        chi(),
        '[shares]\nx = ["s0", "s1[3:0]", "s2"]',
        ("shares of x must have the same width, not 4 and 5"),
    ),
    "clock": (
        DOM,
        '[shares]\na = ["a0", "clk"]',
        ("clk must be an input or a register of masked, not its clock"),
    ),
    "numbers of shares": (
        DOM,
        '[shares]\na = ["a0", "a1", "b0"]\nb = ["b1", "r"]',
        "all secrets must have the same number of shares, not 2 and 3",
    ),
    "outside": (
        chi(),
        '[shares]\nx = ["s0[7]", "s1[0]"]',
        ("s0[7] must be within the bits 0 to 4 of s0"),
    ),
    "unknown key": (
        DOM,
        'randoms = ["r"]',
        (
            "spec {spec}: key must be one of top, shares, outputs, "
            "random, public, control, constant, steady, not 'randoms' (did you mean "
            "'random'?)"
        ),
    ),
    "no TOML": (
        DOM,
        "shares",
        (
            "spec {spec} must be TOML: Expected '=' after a key in a key/value "
            "pair (at end of document)"
        ),
    ),
    "latch": (
        LATCH,
        ONE_SECRET,
        ("netlist must have registers that a clock edge sets, but z is a latch"),
    ),
    "loop": (LOOP, ONE_SECRET, "netlist must have no combinational loop, but y is in one"),
    "clocks": (
        TWO_CLOCKS,
        ONE_SECRET,
        ("registers must have one clock, not the rising edge of c and the rising edge of d"),
    ),
    "undriven": (
        module("input a0, a1, output z", "wire y;\nassign z = a0 & y;"),
        ONE_SECRET,
        "each net that is read must be driven, and y is not",
    ),
    "unknown cell": (
        module("input a0, a1, output z", "AND2 g (.A(a0), .B(a1), .Y(z));"),
        ONE_SECRET,
        (
            "netlist must be Verilog that Yosys can read, but it says: "
            "Module `\\AND2' referenced in module `\\masked' in cell `\\g' is not part "
            "of the design"
        ),
    ),
    "no Verilog": (
        "modul",
        ONE_SECRET,
        (
            "netlist must be Verilog that Yosys can read, but it "
            "says: syntax error, unexpected TOK_ID"
        ),
    ),
    "reset": (
        module(
            "input clk, rst, a0, a1, output reg z",
            "always @(posedge clk, posedge rst) if (rst) z <= 0; else z <= a0;",
        ),
        f'public = ["rst"]\n{ONE_SECRET}',
        (
            "rst, which sets or resets registers at once, must "
            "be constant 0: a reset leaves no uniform sharing"
        ),
    ),
    "constant": (
        chi(),
        'constant = {s0 = 32}\n[shares]\nx = ["s1", "s2"]',
        ("constant s0 must be between 0 and 31, not 32"),
    ),
    "public register": (
        NEIGHBOURS,
        NEIGHBOURS_SPEC.replace("[shares]", 'public = ["q0", "q1"]\n[shares]'),
        "q{n} must not depend on shares or random bits, as it is public",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_refused(name: str, tmp_path: Path, capsys: Capture) -> None:
    verilog, text, message = WRONG[name]
    files = write(tmp_path, verilog, text)
    before = sorted(tmp_path.iterdir())
    words = ("leakage", files[0], "--spec", files[1])
    refused(capsys, words, message.format(spec=files[1], n=0))
    assert sorted(tmp_path.iterdir()) == before


def test_files_that_are_missing(tmp_path: Path, capsys: Capture) -> None:
    verilog, spec = write(tmp_path, DOM, DOM_SPEC)
    none = tmp_path / "none"
    reason = f"not {none}: No such file or directory"
    words = ("leakage", none, "--spec", spec)
    refused(capsys, words, f"netlist must be a readable Verilog file, {reason}")
    words = ("leakage", verilog, "--spec", none)
    refused(capsys, words, f"spec must be a readable file, {reason}")
    refused(
        capsys,
        ("leakage", verilog),
        "the following arguments are required: --spec; see: headwater leakage --help",
    )


# Netlists of library cells


def mapped(verilog: str, library: Library, folder: Path) -> str:
    return map_to_cells(verilog, "masked", library, folder).verilog


def test_mapped_netlists(tiny: Library, tmp_path: Path, folder: Path) -> None:
    """The flip-flops of the secure one, and what the other leaves of its products."""
    _, spec = write(tmp_path, "", DOM_SPEC)
    netlist = tmp_path / "mapped.v"
    netlist.write_text(mapped(DOM, tiny, folder))
    found = hw.leakage(netlist, spec, liberty=tiny.path)
    assert (found.verdict, found.registers) == ("secure", 4)
    netlist.write_text(mapped(DEPENDENT, tiny, folder))
    assert hw.leakage(netlist, spec, liberty=tiny.path).verdict == "leaks"


def test_a_netlist_without_its_library(
    tiny: Library, tmp_path: Path, folder: Path, capsys: Capture
) -> None:
    netlist, spec = write(tmp_path, mapped(DOM, tiny, folder), DOM_SPEC)
    assert main(["leakage", str(netlist), "--spec", str(spec)]) == 2
    assert "is not part of the design" in capsys.readouterr().err
    words = ("leakage", netlist, "--spec", spec, "--liberty", spec)
    assert main([str(word) for word in words]) == 2
    assert capsys.readouterr().err.startswith("headwater: library must be a liberty file, not ")


def test_registers_that_hold_the_complement(tiny: Library, tmp_path: Path) -> None:
    """A share is found behind an inverter."""
    text = module(
        "input clk, r, output s0, s1",
        "wire n0, n1, d0, d1;\nassign d0 = n0 ^ r;\nassign d1 = n1 ^ r;\n"
        "f2 q0 (.C(clk), .D(d0), .Y(n0));\nf2 q1 (.C(clk), .D(d1), .Y(n1));\n"
        "c1 i0 (.A(n0), .Y(s0));\nc1 i1 (.A(n1), .Y(s1));",
    )
    spec = 'random = ["r"]\n[shares]\ns = ["s0", "s1"]\n'
    found = hw.leakage(*write(tmp_path, text, spec), liberty=tiny.path)
    assert (found.verdict, found.registers) == ("secure", 2)


def test_what_cannot_be_counted_is_undecided(tmp_path: Path, capsys: Capture) -> None:
    """Twenty random bits hide a product to all but one part in 1024: more than is counted."""
    noise = " ^ ".join(f"(r[{at}] & r[{at + 1}])" for at in range(1, 21, 2))
    text = module(
        "input clk, a0, a1, input [20:0] r, output z",
        f"reg q, t;\n{clocked(f'q <= (a0 & r[0]) ^ {noise}; t <= a1;')}\nassign z = q ^ t;",
    )
    files = write(tmp_path, text, f'random = ["r"]\n{ONE_SECRET}')
    found = hw.leakage(*files)
    assert (found.verdict, found.leaks, found.undecided, found.holds) == (
        "undecided",
        (),
        ("z",),
        False,
    )
    assert main(["leakage", str(files[0]), "--spec", str(files[1])]) == 1
    assert "undecided: z\n" in capsys.readouterr().out
