# SPDX-License-Identifier: Apache-2.0
"""Sums of words of several limbs in C, against Python's integers."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from headwater.algebra.word import add, concatenate, subtract
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.emit.c_expression import Term
from headwater.emit.c_words import CWord, Lines
from headwater.kinds.message.description import Do, MessageCipher, Part, Register, Squeeze, Take
from headwater.verify.c_engine import CEngine

NUMBER = 0x8000_0000_0000_0000_FFFF_FFFF_FFFF_FFFF
CARRIES = ((1 << 150) - 1, (1 << 64) - 1, 1 << 63, 1 << 149, 1, 0)
"""Operands whose sums carry from limb to limb."""


def pairs(width: int) -> list[tuple[int, int]]:
    """Operands, those that carry far among them."""
    source = Random(width)
    edges = [(a % (1 << width), b % (1 << width)) for a in CARRIES for b in CARRIES]
    return edges + [(source.getrandbits(width), source.getrandbits(width)) for _ in range(30)]


def limbs(word: int, width: int, limb_bits: int) -> str:
    """A word as C."""
    parts = (word >> low & (1 << limb_bits) - 1 for low in range(0, width, limb_bits))
    return f"{{{', '.join(f'0x{part:x}ULL' for part in parts)}}}"


@pytest.mark.parametrize("limb_bits", [32, 64])
@pytest.mark.parametrize("width", [65, 100, 128, 192])
def test_a_sum_in_software(width: int, limb_bits: int, tmp_path: Path) -> None:
    kind = f"uint{limb_bits}_t"
    lines, count = Lines(limb_bits, "t", kind), -(-width // limb_bits)
    a, b = (CWord(lines, [Term(f"{x}[{n}]") for n in range(count)], width) for x in "ab")
    results = [term.text for term in add(add(a, b), NUMBER % (1 << width)).limbs]
    numbers = ", ".join(limbs(word, width, limb_bits) for pair in pairs(width) for word in pair)
    body = "\n".join(
        [
            *lines.needed(results),
            *(f'printf("%llx ", (unsigned long long)({one}));' for one in results),
        ]
    )
    source = tmp_path / "sum.c"
    source.write_text(
        f"#include <stdint.h>\n#include <stdio.h>\n"
        f"static const {kind} n[][{count}] = {{{numbers}}};\n"
        f"int main(void) {{ for (unsigned i = 0; i < {2 * len(pairs(width))}; i += 2) {{\n"
        f'const {kind} *a = n[i], *b = n[i + 1];\n{body}\nputs("");\n}} }}\n'
    )
    subprocess.run(["cc", "-Wall", "-Werror", source, "-o", tmp_path / "sum"], check=True)
    printed = subprocess.run([tmp_path / "sum"], capture_output=True, text=True, check=True).stdout
    sums = [
        sum(int(word, 16) << limb_bits * place for place, word in enumerate(line.split()))
        for line in printed.splitlines()
    ]
    assert sums == [(a + b + NUMBER) % (1 << width) for a, b in pairs(width)]


def sums(a: Any, b: Any) -> dict[str, Any]:
    """Sums and differences, and parts of them that begin within a limb."""
    total = add(a, b)
    return {"r": concatenate(total, subtract(a, b), add(total, NUMBER), add(a, total)[37:117])}


def whole(r: Any) -> Any:
    """All of them."""
    return r


def unchanged(a: Any) -> dict[str, Any]:
    """A byte enters nowhere."""
    return {"a": a}


WIDE = MessageCipher(
    name="wide",
    title="Wide sums",
    source="this test",
    security="not for use: an example",
    key_bits=152,
    iv_bits=(152,),
    bit_order="lsb_first",
    convention="Least significant bit first.",
    registers=(Register("a", 152), Register("b", 152), Register("r", 536)),
    start=(Take("key", 152, into="a"), Take("nonce", 152, into="b"), Do(sums)),
    text=Part(rate=8, enter=unchanged),
    finish=(Squeeze(536, whole),),
)


def test_a_sum_in_a_core_in_c() -> None:
    most = (1 << 152) - 1
    operands = pairs(152)
    messages = [
        Message(a.to_bytes(19, "little"), b.to_bytes(19, "little"), b"", b"", 0)
        for a, b in operands
    ]
    for (a, b), sealed in zip(
        operands, CEngine(WIDE, Architecture.choose(WIDE)).process(messages), strict=True
    ):
        tag = int.from_bytes(sealed.tag, "little")
        total, beside = a + b & most, a + (a + b) & most
        words = (total, a - b & most, total + NUMBER & most, beside >> 37 & (1 << 80) - 1)
        assert tag == sum(word << 152 * place for place, word in enumerate(words)), (a, b)
