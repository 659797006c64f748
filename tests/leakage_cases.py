# SPDX-License-Identifier: Apache-2.0
"""Small masked circuits of which it is known, or can be worked out by hand, what they leak."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

AND_SHARES = '[shares]\na = ["a0", "a1"]\nb = ["b0", "b1"]\n'
AND_OUTPUTS = '[outputs]\nz = ["z0", "z1"]\n'


def module(ports: str, body: str, name: str = "masked") -> str:
    return f"module {name}({ports});\n{body}\nendmodule\n"


def clocked(body: str) -> str:
    return f"always @(posedge clk) begin {body} end"


# The AND of domain-oriented masking (Gross, Mangard, Korak, CT-RSA 2017), with its registers.
DOM = module(
    "input clk, input a0, a1, b0, b1, r, output z0, z1",
    "reg p00, p01, p10, p11;\n"
    + clocked("p00 <= a0 & b0; p01 <= (a0 & b1) ^ r; p10 <= (a1 & b0) ^ r; p11 <= a1 & b1;")
    + "\nassign z0 = p00 ^ p01;\nassign z1 = p10 ^ p11;",
)
DOM_SPEC = f'random = ["r"]\n{AND_SHARES}{AND_OUTPUTS}'

# The same with its registers left out.
DOM_BARE = module(
    "input a0, a1, b0, b1, r, output z0, z1",
    "assign z0 = (a0 & b0) ^ ((a0 & b1) ^ r);\nassign z1 = (a1 & b1) ^ ((a1 & b0) ^ r);",
)

# Trichina's gate: the order of its sums protects only what has no glitches.
TRICHINA = module(
    "input a0, a1, b0, b1, r, output z0, z1",
    "wire n0 = (a0 & b0) ^ r;\nwire n1 = n0 ^ (a0 & b1);\nwire n2 = n1 ^ (a1 & b0);\n"
    "assign z0 = n2 ^ (a1 & b1);\nassign z1 = r;",
)

# Two products with one random bit, each secure alone; their sums are not in registers.
REUSED = module(
    "input clk, input a0, a1, b0, b1, c0, c1, d0, d1, r, output z0, z1",
    "reg p00, p01, p10, p11, q00, q01, q10, q11;\n"
    + clocked(
        "p00 <= a0 & b0; p01 <= (a0 & b1) ^ r; p10 <= (a1 & b0) ^ r; p11 <= a1 & b1;"
        "q00 <= c0 & d0; q01 <= (c0 & d1) ^ r; q10 <= (c1 & d0) ^ r; q11 <= c1 & d1;"
    )
    + "\nassign z0 = p00 ^ p01 ^ q00 ^ q01;\nassign z1 = p10 ^ p11 ^ q10 ^ q11;",
)
REUSED_SPEC = f'random = ["r"]\n{AND_SHARES}c = ["c0", "c1"]\nd = ["d0", "d1"]\n{AND_OUTPUTS}'
TWO_RANDOMS = REUSED.replace("d1, r,", "d1, r, s,").replace(
    "(c0 & d1) ^ r; q10 <= (c1 & d0) ^ r", "(c0 & d1) ^ s; q10 <= (c1 & d0) ^ s"
)

# x times a permutation of itself: both operands of one product, as in a power without a refresh.
DEPENDENT = module(
    "input clk, input a0, a1, b0, b1, r, output z0, z1",
    "reg p00, p01, p10, p11;\nwire c0 = a0 ^ b0;\nwire c1 = a1 ^ b1;\n"
    + clocked("p00 <= a0 & c0; p01 <= (a0 & c1) ^ r; p10 <= (a1 & c0) ^ r; p11 <= a1 & c1;")
    + "\nassign z0 = p00 ^ p01;\nassign z1 = p10 ^ p11;",
)

# Two neighbours of a shift register, of different domains, in one net: between two cycles a probe
# sees both shares of a bit, whatever the registers around it are.
NEIGHBOURS = module(
    "input clk, input i0, i1, r, output reg q0, q1",
    "reg s0, s1, t0, t1;\n"
    + clocked("s0 <= i0; s1 <= i1; t0 <= s0; t1 <= s1; q0 <= (s0 & t1) ^ r; q1 <= (s1 & t0) ^ r;"),
)
NEIGHBOURS_SPEC = 'random = ["r"]\n[shares]\ni = ["i0", "i1"]\ns = ["s0", "s1"]\nt = ["t0", "t1"]\n'


def held(kind: str, name: str, value: str) -> str:
    """A value as a register or a wire."""
    if kind == "wire":
        return f"wire {name} = {value};"
    return f"reg {name};\n" + clocked(f"{name} <= {value};")


def chi(refreshed: Sequence[int] = ()) -> str:
    """Keccak's chi on a row of five bits as a threshold implementation of three shares (Bertoni,
    Daemen, Peeters, Van Assche: Building power analysis resistant implementations of Keccak); two
    fresh random bits for each bit that is refreshed."""
    lines = []
    for bit in range(5):
        one, two = (bit + 1) % 5, (bit + 2) % 5
        for share in range(3):
            b, c = f"s{(share + 1) % 3}", f"s{(share + 2) % 3}"
            term = (
                f"{b}[{bit}] ^ (~{b}[{one}] & {b}[{two}]) ^ ({b}[{one}] & {c}[{two}])"
                f" ^ ({c}[{one}] & {b}[{two}])"
            )
            if bit in refreshed:
                at = 2 * list(refreshed).index(bit)
                term += (f" ^ r[{at}]", f" ^ r[{at + 1}]", f" ^ r[{at}] ^ r[{at + 1}]")[share]
            lines.append(f"z{share}[{bit}] <= {term};")
    fresh = f"input [{2 * len(refreshed) - 1}:0] r, " if refreshed else ""
    return module(
        f"input clk, {fresh}input [4:0] s0, s1, s2, output reg [4:0] z0, z1, z2",
        clocked("\n".join(lines)),
    )


def chi_spec(refreshed: Sequence[int] = ()) -> str:
    fresh = 'random = ["r"]\n' if refreshed else ""
    return f'{fresh}[shares]\nx = ["s0", "s1", "s2"]\n[outputs]\nz = ["z0", "z1", "z2"]\n'


def ascon_sbox(*, linear: str = "reg", products: str = "reg") -> str:
    """Ascon's S-box with five products of domain-oriented masking. What its first linear layer
    makes, and all terms of the products, are in registers unless ``wire`` is given: x1 is in both
    operands of the product that is added to bit 0, so that without registers a probe on it sees
    both shares of x1."""
    lines = []
    for share in (0, 1):
        x = [f"x{at}_{share}" for at in range(5)]
        sums = (f"{x[0]} ^ {x[4]}", x[1], f"{x[2]} ^ {x[1]}", x[3], f"{x[4]} ^ {x[3]}")
        lines += [held(linear, f"u{bit}_{share}", total) for bit, total in enumerate(sums)]
    for bit in range(5):
        one, two = (bit + 1) % 5, (bit + 2) % 5
        for share in (0, 1):
            # The complement of an operand is that of its first share.
            operand = f"{'' if share else '~'}u{one}_{share}"
            inner = f"u{bit}_{share} ^ ({operand} & u{two}_{share})"
            cross = f"({operand} & u{two}_{1 - share}) ^ r[{bit}]"
            lines += [
                held(products, f"l{bit}_{share}", inner),
                held(products, f"c{bit}_{share}", cross),
            ]
    for share in (0, 1):
        w = [f"(l{bit}_{share} ^ c{bit}_{share})" for bit in range(5)]
        flip = "~" if share == 0 else ""
        lines += [
            f"assign z0_{share} = {w[0]} ^ {w[4]};",
            f"assign z1_{share} = {w[1]} ^ {w[0]};",
            f"assign z2_{share} = {flip}{w[2]};",
            f"assign z3_{share} = {w[3]} ^ {w[2]};",
            f"assign z4_{share} = {w[4]};",
        ]
    names = [f"{{}}{bit}_{share}" for bit in range(5) for share in (0, 1)]
    ports = ", ".join(f"input {name.format('x')}" for name in names)
    ports += ", " + ", ".join(f"output {name.format('z')}" for name in names)
    return module(f"input clk, input [4:0] r, {ports}", "\n".join(lines))


def ascon_spec(constant: str = "") -> str:
    words = {
        name: "\n".join(f'{name}{bit} = ["{name}{bit}_0", "{name}{bit}_1"]' for bit in range(5))
        for name in "xz"
    }
    return f'random = ["r"]\n{constant}[shares]\n{words["x"]}\n[outputs]\n{words["z"]}\n'


def write(folder: Path, verilog: str, spec: str) -> tuple[Path, Path]:
    files = folder / "masked.v", folder / "masked.toml"
    for file, text in zip(files, (verilog, spec), strict=True):
        file.write_text(text)
    return files


_ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
"""Of Ascon's linear layer, by word."""


def ascon_round() -> tuple[str, str]:
    """A round of Ascon in three cycles on 64 S-boxes side by side, and its specification."""
    lines = ["reg [319:0] s0, s1, u0, u1, l0, l1, c0, c1;\nwire [319:0] w0, w1, d0, d1;"]
    for share in (0, 1):
        flip = "" if share else "~"
        for at in range(64):
            x, u, w = ([f"{name}{share}[{64 * word + at}]" for word in range(5)] for name in "suw")
            sums = (f"{x[0]} ^ {x[4]}", x[1], f"{x[2]} ^ {x[1]}", x[3], f"{x[4]} ^ {x[3]}")
            lines += [clocked(f"{u[word]} <= {total};") for word, total in enumerate(sums)]
            for word in range(5):
                place, two = 64 * word + at, 64 * ((word + 2) % 5) + at
                operand = flip + u[(word + 1) % 5]
                lines.append(
                    clocked(
                        f"l{share}[{place}] <= {u[word]} ^ ({operand} & u{share}[{two}]); "
                        f"c{share}[{place}] <= ({operand} & u{1 - share}[{two}]) ^ r[{place}];"
                    )
                )
            v = [f"(l{share}[{64 * word + at}] ^ c{share}[{64 * word + at}])" for word in range(5)]
            ends = (f"{v[0]} ^ {v[4]}", f"{v[1]} ^ {v[0]}", flip + v[2], f"{v[3]} ^ {v[2]}", v[4])
            lines += [f"assign {w[word]} = {total};" for word, total in enumerate(ends)]
        for word, (first, second) in enumerate(_ROTATIONS):
            for at in range(64):
                read = [f"w{share}[{64 * word + (at + by) % 64}]" for by in (0, first, second)]
                lines.append(f"assign d{share}[{64 * word + at}] = {' ^ '.join(read)};")
        lines.append(clocked(f"s{share} <= ld ? ld{share} : d{share};"))
    ports = "input clk, ld, input [319:0] ld0, ld1, r, output z"
    spec = 'control = ["ld"]\nrandom = ["r"]\n[shares]\ns = ["s0", "s1"]\nld = ["ld0", "ld1"]\n'
    return module(ports, "\n".join([*lines, "assign z = s0[0];"])), spec
