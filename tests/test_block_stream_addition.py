# SPDX-License-Identifier: Apache-2.0
"""Salsa20 and ChaCha20 whose adders of the rounds also add the first matrix."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, product
from typing import Any

import pytest
from block_streams import CIPHERS, KEY, NONCES, core, keystream, segment

from headwater.algebra.word import add
from headwater.cipher.chacha20 import CHACHA20
from headwater.cipher.salsa20 import SALSA20
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow import verilator
from headwater.kinds.block_stream.adders import adders_of_words
from headwater.kinds.block_stream.description import BLOCK_BITS, BlockStreamCipher
from headwater.kinds.block_stream.properties import PROPERTIES
from headwater.kinds.registry import build, facts_of
from headwater.measure.search import Search
from headwater.measure.settings import Settings
from headwater.measure.target import find
from headwater.verify.check import check_vectors
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import is_kept
from headwater.verify.vector_files import own_files, read_file

VARIANTS = [
    ("chacha20", {}),
    *(
        ("salsa20", {"rounds": rounds, "key_bits": bits})
        for rounds, bits in product(("8", "12", "20"), ("128", "256"))
    ),
]


def shared(cipher: BlockStreamCipher, **options: str) -> Architecture:
    return core(cipher, 512, buffer="none", addition="shared", **options)


@pytest.mark.parametrize("stall", ["stream", "none"])
@pytest.mark.parametrize(("name", "parameters"), VARIANTS)
def test_vectors_in_the_verilog(name: str, parameters: dict[str, str], stall: str) -> None:
    cipher = CIPHERS[name].with_parameters(parameters)
    architecture = shared(cipher, stall=stall)
    gaps = 250 if stall == "stream" else 0
    engine = RtlEngine(cipher, architecture, gaps_permille=gaps, seed=5)
    record = check_vectors(read_file(own_files(cipher)[0], cipher), engine, architecture)
    assert record.failures == ()
    assert record.passed >= 12
    key = KEY[: cipher.key_bits // 8]
    assert engine.setup_cycles(key, NONCES[name]) == facts_of(cipher, architecture).setup_cycles


@pytest.mark.parametrize("name", CIPHERS)
@pytest.mark.parametrize("stall", ["stream", "none"])
@pytest.mark.parametrize("clear", ["shift", "instant", "none"])
def test_every_clear(name: str, stall: str, clear: str) -> None:
    """The last block, and those from number zero on that follow it."""
    cipher = CIPHERS[name]
    engine = RtlEngine(cipher, shared(cipher, stall=stall, clear=clear))
    assert verilator.lint(engine.verilog.name, engine.verilog.text) == []
    last = ((1 << cipher.counter_bits) - 1) * BLOCK_BITS
    given = segment(cipher, last, 3 * BLOCK_BITS)
    assert engine.run([given]) == [keystream(cipher, last, 3 * BLOCK_BITS)]


# --- which adder adds what


def test_adders_that_have_a_word_anyway_add_to_it() -> None:
    """ChaCha adds first a and b, then c and d; Salsa20 first y0 and y3, then z1 and y0."""
    assert adders_of_words(CHACHA20.quarter_round) == (0, 2, 1, 3)
    assert adders_of_words(SALSA20.quarter_round) == (1, 2, 3, 0)


@pytest.mark.parametrize("name", CIPHERS)
def test_no_adders_but_those_of_the_rounds(name: str) -> None:
    """In each quarter round six of eight operands
    have a multiplexer, the others are the words themselves."""
    text = generate(CIPHERS[name], shared(CIPHERS[name])).text
    assert len(sums(generate(CIPHERS[name], core(CIPHERS[name], 512, buffer="none")).text)) == 32
    operands = list(chain(*sums(text)))
    plain = [one for one in operands if not one.startswith("(renew ? ")]
    assert (len(operands), len(plain)) == (32, 8)
    assert all(re.fullmatch(r"x\d+", one) for one in plain)


def sums(verilog: str) -> list[tuple[str, str]]:
    """The operands of each addition of two words; ``following`` is a count."""
    return re.findall(r"  wire \[31:0\] (?!following)\w+ = (.+) \+ (.+);", verilog)


# --- where it is refused


@pytest.mark.parametrize(
    ("radix", "fold", "buffer"),
    [
        (32, "round", "none"),
        (64, "round", "none"),
        (512, "round", "block"),
        (512, "double", "none"),
        (512, "quarter", "none"),
        (512, "stages4", "block"),
    ],
)
def test_refused_where_no_round_is_idle(radix: int, fold: str, buffer: str) -> None:
    with pytest.raises(InputError) as caught:
        core(CHACHA20, radix, fold=fold, buffer=buffer, addition="shared")
    assert str(caught.value) == (
        f"addition of chacha20 at radix {radix} with fold={fold} and buffer={buffer} must be "
        "'own', not 'shared': only at radix 512 with fold=round and buffer=none an idle round has "
        "an adder for each word that is given"
    )


def three_additions(wire: Any, a: Any, b: Any, c: Any, d: Any) -> tuple[Any, ...]:
    return wire(add(a, b)), wire(add(b, c)), wire(add(c, d)), d


def test_refused_where_a_quarter_round_has_too_few_adders() -> None:
    cipher = replace(CHACHA20, quarter_round=three_additions)
    with pytest.raises(InputError, match=r"a quarter round has fewer adders than words$"):
        shared(cipher)
    assert core(cipher, 512, buffer="none")["addition"] == "own"


def test_search_tries_it_where_it_is_legal() -> None:
    def tried(**options: str) -> set[tuple[str, ...]]:
        """The forms that differ from this one in one choice."""
        start = core(CHACHA20, 512, **options)
        search = Search(CHACHA20, start, find("osu018"), Settings(), goal=lambda _: 1.0)
        (first,) = search.batch()
        search.learn({first: {}})
        made = [point.architecture for point in search.batch()]
        return {(one["fold"], one["buffer"], one["addition"]) for one in made}

    assert ("round", "none", "own") in tried()
    assert {addition for *_, addition in tried()} == {"own"}
    assert ("round", "none", "shared") in tried(buffer="none")
    assert tried(buffer="none", addition="shared") == {("round", "none", "own")}


# --- evidence


@pytest.mark.parametrize("name", ["step", "words", "silence"])
def test_properties_of_salsa20(name: str) -> None:
    architecture = shared(SALSA20)
    (prop,) = (one for one in PROPERTIES if one.name == name)
    assert is_kept(prop, build(SALSA20, architecture), SALSA20)
