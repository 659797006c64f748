# SPDX-License-Identifier: Apache-2.0
"""The map from bytes of key and IV to load words, in Python and in C."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headwater.algebra import bitstring
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.flow.process import run_tool
from headwater.interface.load_code import legal, load_code, load_parameters
from headwater.interface.load_probing import _joined, load_table
from headwater.interface.load_table import Line, LoadTable, Part, Run
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.facts import SteppedFacts

WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-ffreestanding")
COMPILED = ("trivium", "grain128a-ae", "e0", "zuc", "chacha20", "phelix", "uia2", "vest4")
"""One IV or several, a fixed first bit, lanes, words of big-endian ciphers, block numbers, lengths
of key and tag, and sums of IV bits."""


def table_of(name: str) -> tuple[LoadTable, Cipher, Architecture]:
    """The table of a cipher at its widest radix."""
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher, radix=cipher.legal_radices()[-1])
    return load_table(cipher, architecture), cipher, architecture


def inputs(table: LoadTable, rng: random.Random) -> tuple[dict[str, Any], int]:
    """Random legal inputs, and the length of the IV."""
    iv_bits = rng.choice(table.iv_bits)
    string = rng.getrandbits(iv_bits or 1) if iv_bits else 0
    if table.first_iv_bit is not None:
        string = string & ~1 | table.first_iv_bit
    string &= ~sum(1 << place for place in table.zero_iv_bits)
    given = {
        "key": rng.randbytes(rng.choice(table.key_bits) // 8),
        "iv": bitstring.to_bytes(string, iv_bits, table.order),
        "block": rng.getrandbits(table.block_bits or 1) if table.block_bits else 0,
        "tag_bits": rng.choice(table.tag_lengths or (0,)),
    }
    return given, iv_bits


def expected(
    cipher: Cipher, architecture: Architecture, given: dict[str, Any], iv_bits: int
) -> list[int]:
    facts = facts_of(cipher, architecture)
    if cipher.tag_lengths:
        return facts.message_load(given["key"], given["iv"], given["tag_bits"])
    return facts.load_words(given["key"], given["iv"], iv_bits, block=given["block"])


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_table_gives_the_load_words(name: str) -> None:
    table, cipher, architecture = table_of(name)
    facts, rng = facts_of(cipher, architecture), random.Random(2)
    assert table.iv_bits == tuple(bits for bits in cipher.iv_bits if not facts.unfit(bits))
    assert len(table.parts) <= 2
    for _ in range(8):
        given, iv_bits = inputs(table, rng)
        found = table.words(
            given["key"], given["iv"], iv_bits, block=given["block"], tag_bits=given["tag_bits"]
        )
        assert found == expected(cipher, architecture, given, iv_bits)


def test_lengths_are_lines() -> None:
    table, *_ = table_of("vest4")
    assert [part.iv_bits for part in table.parts] == [range(1), range(8, 513, 8)]
    assert [run.count for run in table.parts[1].runs] == [Line(0, 1), Line(128)]
    assert [run.target for run in table.parts[1].runs] == [Line(128), Line(0)]


def test_a_load_that_is_not_affine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def product(facts: SteppedFacts, *given: Any, **more: Any) -> list[int]:
        words = SteppedFacts.load_words_before(facts, *given, **more)  # type: ignore[attr-defined]
        return [words[0] & words[0] >> 1, *words[1:]]

    monkeypatch.setattr(SteppedFacts, "load_words_before", SteppedFacts.load_words, raising=False)
    monkeypatch.setattr(SteppedFacts, "load_words", product)
    load_table.cache_clear()
    with pytest.raises(InputError, match="load of trivium must be an affine map"):
        table_of("trivium")
    load_table.cache_clear()


def test_a_wrong_line_is_not_joined() -> None:
    one = Part(range(8, 9), Line(16), (Run(Line(0), "iv", Line(0), Line(8), 1),))
    turned = replace(one, runs=(replace(one.runs[0], step=-1),))
    assert _joined(one, turned) is None
    assert _joined(one, replace(one, runs=())) is None


@pytest.mark.parametrize("name", COMPILED)
def test_the_same_in_c(name: str, tmp_path: Path) -> None:
    table, cipher, architecture = table_of(name)
    library = ctypes.CDLL(str(compiled(load_code("some", table), tmp_path)))
    rng = random.Random(3)
    for _ in range(8):
        given, iv_bits = inputs(table, rng)
        found = load_in_c(library, table, given, iv_bits)
        assert found == expected(cipher, architecture, given, iv_bits)


def test_values_that_are_not_legal_give_nothing(tmp_path: Path) -> None:
    refused: list[tuple[str, dict[str, Any]]] = [
        ("grain128a-ae", {"iv": bytes(12)}),
        ("phelix", {"key": bytes(33)}),
        ("phelix", {"tag_bits": 63}),
        ("chacha20", {"block": 1 << 32}),
    ]
    for name, wrong in refused:
        table, *_ = table_of(name)
        library = ctypes.CDLL(str(compiled(load_code("some", table), tmp_path / name)))
        given, iv_bits = inputs(table, random.Random(4))
        assert load_in_c(library, table, given, iv_bits)
        assert not load_in_c(library, table, given | wrong, iv_bits)
    table, *_ = table_of("vest4")
    library = ctypes.CDLL(str(compiled(load_code("some", table), tmp_path / "vest4")))
    assert not load_in_c(library, table, inputs(table, random.Random(4))[0], 9)


def test_conditions() -> None:
    assert legal("n", (8,)) == "n == 8"
    assert legal("n", (0, 1, 2)) == "n <= 2"
    assert legal("n", range(8, 33, 8)) == "n >= 8 && n <= 32 && n % 8 == 0"
    assert legal("n", (1, 2, 4)) == "n == 1 || n == 2 || n == 4"


def compiled(code: str, folder: Path) -> Path:
    """A library of the two functions, which are static in a program; also compiled for 32 bits."""
    folder.mkdir(exist_ok=True)
    for kept in ("unsigned some_load_string", "void some_load_word"):
        code = code.replace(f"static {kept}", f"{kept}")
    (folder / "some.c").write_text(f"#include <stdint.h>\n{code}")
    run_tool(
        [
            "gcc",
            *WARNINGS,
            "-fsanitize=undefined",
            "-fno-sanitize-recover",
            "-O1",
            "-shared",
            "-fPIC",
            "some.c",
            "-o",
            "some.so",
        ],
        cwd=folder,
    )
    run_tool(
        ["riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32", *WARNINGS, "-c", "some.c"],
        cwd=folder,
    )
    return folder / "some.so"


def load_in_c(
    library: ctypes.CDLL, table: LoadTable, given: dict[str, Any], iv_bits: int
) -> list[int]:
    values = {
        "key": given["key"],
        "key_bytes": len(given["key"]),
        "iv": given["iv"],
        "iv_bits": iv_bits,
        "tag_bits": given["tag_bits"],
        "block": ctypes.c_uint64(given["block"]),
    }
    string = (ctypes.c_uint8 * -(-table.longest // 8))()
    arguments = [values[name] for name in load_parameters(table)]
    bits = library.some_load_string(string, *arguments)
    return [word_in_c(library, string, number) for number in range(bits // table.stream.width)]


def word_in_c(library: ctypes.CDLL, string: Sequence[int], number: int) -> int:
    limbs = (ctypes.c_uint64 * 8)()
    library.some_load_word(limbs, string, number)
    return sum(limb << 64 * place for place, limb in enumerate(limbs))
