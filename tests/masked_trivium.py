# SPDX-License-Identifier: Apache-2.0
"""Two-share Trivium as Verilog, from the polynomials of its description, for the checker of
leakage."""

from __future__ import annotations

from headwater.algebra.polynomial import Polynomial
from headwater.cipher.trivium import TRIVIUM

_OUTPUT, _FEEDBACK = TRIVIUM.feedback
_WORDS = {register.name: (register.newest, register.oldest) for register in TRIVIUM.registers}


def _parts(polynomial: Polynomial) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Linear stages, and those of the product."""
    terms = sorted(sorted(one) for one in polynomial.monomials)
    linear = [one[0] for one in terms if len(one) == 1]
    products = [one for one in terms if len(one) == 2]
    return linear, products[0] if products else []


def masked_trivium(radix: int, scheme: str) -> tuple[str, str]:
    """The module ``masked``, and its specification.

    How the products of different shares are made: "dom", masked with a random bit, and in a
    register a cycle ahead; "bare", the same without the register; "refreshed", with one operand
    refreshed, in a register of its own; "linear", masked with the linear part of their sum.
    """
    wide, count = f"[{radix - 1}:0]", len(_WORDS) * radix
    fresh = {"linear": 0, "refreshed": 2 * count}.get(scheme, count)
    ports = [
        "input clk, ld",
        *(f"input {wide} ld_{word}{share}" for word in _WORDS for share in (0, 1)),
    ]
    ports += [f"input [{fresh - 1}:0] r"] * bool(fresh) + [f"output {wide} z0, z1"]
    lines = [f"reg [{old}:{new}] {word}0, {word}1;" for word, (new, old) in _WORDS.items()]
    for at, (word, step) in enumerate((word, step) for word in _WORDS for step in range(radix)):
        lines += _product(word, step, at, count, radix, scheme)
    for word, (new, old) in _WORDS.items():
        for share in (0, 1):
            taken = ", ".join(f"n_{word}{step}_{share}" for step in range(radix))
            stays = f"{word}{share}[{old - radix}:{new}]"
            lines.append(
                f"always @(posedge clk) {word}{share} <= {{{stays}, "
                f"ld ? ld_{word}{share} : {{{taken}}}}};"
            )
    for share in (0, 1):
        sums = [
            " ^ ".join(f"{word}{share}[{stage - step}]" for word, stage in _parts(_OUTPUT)[0])
            for step in reversed(range(radix))
        ]
        lines.append(f"assign z{share} = {{{', '.join(sums)}}};")
    shares = [
        f'{word} = ["{word}0", "{word}1"]\nld_{word} = ["ld_{word}0", "ld_{word}1"]'
        for word in _WORDS
    ]
    spec = [
        'control = ["ld"]',
        *['random = ["r"]'] * bool(fresh),
        "[shares]",
        *shares,
        '[outputs]\nz = ["z0", "z1"]',
    ]
    body = "\n".join(lines)
    return f"module masked({', '.join(ports)});\n{body}\nendmodule\n", "\n".join(spec)


def _product(word: str, step: int, at: int, count: int, radix: int, scheme: str) -> list[str]:
    """The two shares of the bit that enters a register in a step of a cycle."""
    linear, (first, second) = _parts(_FEEDBACK[word])

    def stage(place: tuple[str, int], share: int, ahead: int) -> str:
        return f"{place[0]}{share}[{place[1] - step - ahead}]"

    lines = []
    for share in (0, 1):
        early = 0 if scheme == "bare" else radix
        mask = f"r[{at}]"
        if scheme == "linear":
            mask = " ^ ".join(stage(one, share, radix) for one in linear)
        other = stage(second, 1 - share, early)
        inner = f"({stage(first, share, 0)} & {stage(second, share, 0)})"
        if scheme == "refreshed":
            lines.append(
                f"reg y{at}_{share}, i{at}_{share};\nalways @(posedge clk) begin "
                f"y{at}_{share} <= {stage(second, share, 2 * radix)} ^ r[{count + at}]; "
                f"i{at}_{share} <= {stage(first, share, radix)} & y{at}_{share}; "
                "end"
            )
            other, inner = f"y{at}_{1 - share}", f"i{at}_{share}"
        cross = f"({stage(first, share, early)} & {other}) ^ {mask}"
        kind = (
            f"wire c{at}_{share} = {cross};"
            if scheme == "bare"
            else (f"reg c{at}_{share}; always @(posedge clk) c{at}_{share} <= {cross};")
        )
        own = [] if scheme == "linear" else [stage(one, share, 0) for one in linear]
        total = " ^ ".join([*own, inner, f"c{at}_{share}"])
        lines += [kind, f"wire n_{word}{step}_{share} = {total};"]
    return lines
