# SPDX-License-Identifier: Apache-2.0
"""Timing, control and proofs of Salsa20 and ChaCha20."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from amaranth.hdl import Module
from block_streams import KEY, NONCES, core, keystream, number, values
from generated import afresh

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.chacha20 import CHACHA20
from headwater.cipher.chacha20 import quarter_round as chacha_quarter
from headwater.cipher.salsa20 import SALSA20
from headwater.cipher.salsa20 import quarter_round as salsa_quarter
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow import verilator
from headwater.kinds.block_stream.adders import additions_in_a_row
from headwater.kinds.block_stream.core import BlockStreamCore
from headwater.kinds.block_stream.description import BLOCK_BITS, BlockStreamCipher
from headwater.kinds.block_stream.facts import BlockStreamFacts
from headwater.kinds.block_stream.pipelining import staged_round
from headwater.kinds.block_stream.properties import PROPERTIES as BLOCKS
from headwater.kinds.registry import build, facts_of
from headwater.verify.check import check_vectors
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import is_kept
from headwater.verify.vector_files import own_files, read_file

# --- timing and control


def commands(cipher: BlockStreamCipher, architecture: Architecture, block: int = 0) -> str:
    words = facts_of(cipher, architecture).load_words(KEY, NONCES[cipher.name], block=block)
    return "load " + " ".join(f"{word:x}" for word in words)


def printed(cipher: BlockStreamCipher, architecture: Architecture, *given: str) -> list[int]:
    lines = verilator.simulate(generate(cipher, architecture), ["reset 2", *given])
    return [int(line, 16) for line in lines]


def meant(cipher: BlockStreamCipher, radix: int, words: int, first: int = 0) -> list[int]:
    string = int.from_bytes(keystream(cipher, 0, (first + words) * radix), "little")
    return [string >> radix * place & (1 << radix) - 1 for place in range(first, first + words)]


@pytest.mark.parametrize(
    ("radix", "fold", "buffer"),
    [
        (32, "double", "block"),
        (64, "double", "block"),
        (32, "round", "block"),
        (512, "round", "none"),
        (32, "quarter", "none"),
        (512, "double", "block"),
    ],
)
def test_blocks_follow_each_other_in_as_many_cycles_as_are_told(
    radix: int, fold: str, buffer: str
) -> None:
    """A free-running core left alone for whole blocks offers what comes then."""
    architecture = core(CHACHA20, radix, fold=fold, buffer=buffer, stall="none")
    facts = facts_of(CHACHA20, architecture)
    assert isinstance(facts, BlockStreamFacts)
    blocks = 5
    passed = facts.setup_cycles - facts.load_cycles + blocks * facts.cycles_per_block
    # From here on the cycle after the load is cycle 0; a word of block 5 is offered at once.
    words = printed(
        CHACHA20, architecture, commands(CHACHA20, architecture), f"idle {passed}", "take 2"
    )
    assert words == meant(CHACHA20, radix, 2, blocks * facts.words_per_block)
    exact = {"double": 10, "round": 20, "quarter": 80}[fold]
    count = BLOCK_BITS // radix
    cycles = max(exact, count) if buffer == "block" else exact + count
    assert facts.cycles_per_block == cycles
    assert facts.bits_per_cycle == BLOCK_BITS / cycles


@pytest.mark.parametrize(
    ("radix", "fold", "parameters", "passed"),
    [
        (512, "stages4", {}, [21, 21, 21, 17]),
        (32, "stages2", {}, [21, 19]),
        (32, "stages4", {"rounds": "12"}, [16, 16, 16, 16]),
    ],
)
def test_blocks_of_stages_follow_each_other(
    radix: int, fold: str, parameters: dict[str, str], passed: list[int]
) -> None:
    """Twice as many as are in flight, each offered in the cycle that the facts tell."""
    cipher = SALSA20.with_parameters(parameters)
    architecture = core(cipher, radix, fold=fold, stall="none")
    facts = facts_of(cipher, architecture)
    assert isinstance(facts, BlockStreamFacts)
    words = facts.words_per_block
    cycles = [facts.keystream_cycles(BLOCK_BITS * block + 1) for block in range(2 * facts.stages)]
    assert [later - one for one, later in pairwise(cycles)] == (2 * passed)[:-1]
    assert facts.bits_per_cycle == BLOCK_BITS * len(passed) / sum(passed)
    for block, cycle in enumerate(cycles):
        idle = facts.setup_cycles - facts.load_cycles + cycle - 1
        assert printed(
            cipher, architecture, commands(cipher, architecture), f"idle {idle}", "take 1"
        ) == meant(cipher, radix, 1, block * words)


def test_stages_are_refused_where_they_are_of_no_use() -> None:
    with pytest.raises(InputError, match=r"buffer of chacha20 with fold=stages2 must be 'block'"):
        core(CHACHA20, 512, fold="stages2", buffer="none")
    with pytest.raises(InputError, match=r"with 8 rounds at radix 64 must not be 'stages4'"):
        core(SALSA20.with_parameters({"rounds": "8"}), 64, fold="stages4")
    numbered = replace(CHACHA20, matrix=lambda c, key, nonce, number: [*number, *c, *key, *nonce])
    with pytest.raises(InputError, match=r"selected before the block number is known$"):
        core(numbered, 64, fold="stages4")
    assert core(numbered, 512, fold="stages4").radix == 512


@pytest.mark.parametrize("quarter", [chacha_quarter, salsa_quarter])
def test_stages_have_equally_many_additions(quarter: Any) -> None:
    """Each of four stages has one; a word that is read later is held once in each stage between."""
    held: list[str] = []

    def delay(name: str, word: IntegerWord) -> IntegerWord:
        held.append(name)
        return word

    source = random.Random(2)
    state = [number(source.getrandbits(32)) for _ in range(16)]
    cipher = replace(CHACHA20, quarter_round=quarter)
    assert additions_in_a_row(cipher.quarter_round) == 4
    made = staged_round(cipher, 4, state, lambda _: unnamed, delay)
    assert values(made) == values(cipher.run_round(lambda _: unnamed, state, 0))
    assert len(held) == len(set(held)) == 3 * 16


# --- evidence


@pytest.mark.parametrize(
    "prop", [one for one in BLOCKS if one.name != "clear"], ids=lambda prop: prop.name
)
@pytest.mark.parametrize("addition", ["own", "shared"])
def test_properties(addition: str, prop: Any) -> None:
    architecture = core(CHACHA20, 512, 384, buffer="none", fold="round", addition=addition)
    assert is_kept(prop, build(CHACHA20, architecture), CHACHA20)


@pytest.mark.parametrize(
    ("name", "radix"),
    [
        *((name, 512) for name in ("setup", "step", "renew", "words", "clear")),
        *((name, 64) for name in ("setup", "words", "hold", "clear")),
    ],
)
def test_properties_of_stages(name: str, radix: int) -> None:
    architecture = core(CHACHA20, radix, 384, fold="stages2")
    (prop,) = (one for one in BLOCKS if one.name == name)
    assert is_kept(prop, build(CHACHA20, architecture), CHACHA20)


def test_words() -> None:
    architecture = core(SALSA20, 64, fold="quarter")
    (prop,) = (one for one in BLOCKS if one.name == "words")
    assert is_kept(prop, build(SALSA20, architecture), SALSA20)


def test_clear() -> None:
    architecture = core(CHACHA20, 512, 384, buffer="none", fold="quarter")
    (prop,) = (one for one in BLOCKS if one.name == "clear")
    assert is_kept(prop, build(CHACHA20, architecture), CHACHA20)


class Stuck(BlockStreamCore):
    """A core whose blocks all have the number of the first."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        m.d.comb += self.following.eq(self.counter)
        return m


def stuck(cipher: BlockStreamCipher, architecture: Architecture) -> Stuck:
    return Stuck(BlockStreamFacts(cipher, architecture))


def test_broken_core_fails_its_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    architecture = core(CHACHA20, 512, buffer="none", load_width=192)
    monkeypatch.setattr("headwater.emit.verilog.build", stuck)
    with afresh():
        engine = RtlEngine(CHACHA20, architecture)
    file = read_file(own_files(CHACHA20)[0], CHACHA20)
    assert check_vectors(file, engine, architecture).failed > 10
