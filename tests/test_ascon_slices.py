# SPDX-License-Identifier: Apache-2.0
"""Ascon slice by slice: where the sums of the linear layer come about, cycles, and proofs."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from amaranth.hdl import Module
from needs import needs_iverilog

from headwater.algebra.word import Wire, concatenate, rotate_left
from headwater.cipher.ascon import (
    ASCON_AEAD128,
    ASCON_AEAD128_MODES,
    ROTATIONS,
    substitution,
)
from headwater.cipher.message import Message
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.flow import sat
from headwater.flow.process import run_tool
from headwater.kinds.reading import process
from headwater.kinds.registry import facts_of, properties_of
from headwater.kinds.sponge.description import SLICES, State
from headwater.kinds.sponge.lanes import Lane
from headwater.kinds.sponge.message_word import MessageWord
from headwater.kinds.sponge.sliced import SlicedCore
from headwater.prove.checker import Proof
from headwater.verify.check import check_vectors, combined
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import is_kept, prove, with_checkers
from headwater.verify.vector_files import read_files

PUBLIC = Path(__file__).with_name("public_vectors")


def architecture(radix: int, **options: str) -> Architecture:
    return Architecture.choose(ASCON_AEAD128, radix=radix, options=options)


def messages(unit: int) -> list[Message]:
    """Some whose parts end before, at and behind the end of a word and of a block."""
    found = []
    for place, bits in enumerate((0, 1, 7, 8, 9, 127, 128, 129, 270)):
        source = random.Random(f"slices {place}")
        size = bits - bits % unit
        data, text = (
            (source.getrandbits(size + 1) & (1 << size) - 1).to_bytes(-(-size // 8), "little")
            for _ in range(2)
        )
        key, nonce = source.randbytes(16), source.randbytes(16)
        found.append(Message(key, nonce, data, text, size, decrypts=place % 2 == 1))
    return found


def test_a_word_is_followed_by_hand() -> None:
    """S1 in slices of eight bits: its sums need bits 25 and 3 places behind, so a window of 25
    bits, and two passes of eight cycles, in the middle of which sums are made."""
    lane = Lane(8, (61, 39))
    assert sorted(lane.places) == [-25, -3, 0]
    assert (lane.late, lane.window, lane.first_sum, lane.cycles) == (0, 25, 4, 16)
    assert sorted(lane.sum_places(0)) == [0, 22, 25]
    # S0 needs bits 19 and 28 places ahead, which come within four cycles.
    lane = Lane(8, (19, 28))
    assert (lane.places, lane.late, lane.window, lane.cycles) == ((0, 19, 28), 4, 32, 12)


@pytest.mark.parametrize("width", SLICES)
def test_words_in_integers(width: int) -> None:
    """A word and its window as lists of bits, moved as the lanes say, become the linear layer."""
    for pair in (*ROTATIONS, (1, 63), (32, 33), (5, 37)):
        lane, source = Lane(width, pair), random.Random(f"{width} {pair}")
        first = [source.getrandbits(1) for _ in range(64)]
        word, window = list(first), [source.getrandbits(1) for _ in range(lane.window)]
        for cycle in range(lane.cycles):
            line = window + word[:width]
            window = line[width:]
            begins = lane.first_sum <= cycle < lane.first_sum + lane.slices
            sums = [sum(line[at] for at in lane.sum_places(bit)) % 2 for bit in range(width)]
            word = word[width:] + (sums if begins else line[lane.window :])
        assert word == [
            (first[bit] + first[(bit + pair[0]) % 64] + first[(bit + pair[1]) % 64]) % 2
            for bit in range(64)
        ]


@pytest.mark.parametrize(("radix", "cycles"), [(1, 135), (2, 68), (4, 34), (8, 17), (16, 9)])
def test_cycles_of_a_round(radix: int, cycles: int) -> None:
    facts: Any = facts_of(ASCON_AEAD128, architecture(radix))
    assert facts.round_cycles == cycles
    before = max(8, radix) // radix - 1
    assert facts.setup_cycles == 256 // radix + 12 * cycles + before
    assert facts.bits_per_cycle == 128 / (128 / radix + 8 * cycles)


@pytest.mark.parametrize("radix", SLICES)
def test_messages_that_end_anywhere(radix: int) -> None:
    for cipher in (ASCON_AEAD128, ASCON_AEAD128_MODES):
        chosen = Architecture.choose(cipher, radix=radix)
        given = messages(cipher.text_unit)
        for gaps in (0, 300):
            engine = RtlEngine(cipher, chosen, gaps_permille=gaps)
            assert engine.process(given) == [process(cipher, one) for one in given]


OTHERS = ((1, 63), (32, 33), (5, 37), (40, 11), (2, 3))


def other_round(wire: Wire, s: State, constant: Any) -> State:
    """Ascon's with other rotations."""
    s0, s1, s2, s3, s4 = s
    words = substitution(wire, (s0, s1, concatenate(s2[:8] ^ constant, s2[8:]), s3, s4))
    d0, d1, d2, d3, d4 = (
        word ^ rotate_left(word, -first) ^ rotate_left(word, -second)
        for word, (first, second) in zip(words, OTHERS, strict=True)
    )
    return d0, d1, d2, d3, d4


RELATIVE = replace(
    ASCON_AEAD128,
    name="relative",
    permutation_round=other_round,
    rotations=OTHERS,
    long_rounds=9,
    short_rounds=5,
    separation_bit=3,
)


@pytest.mark.parametrize("radix", [2, 8])
def test_a_relative_with_other_rotations(radix: int) -> None:
    RELATIVE.check_functions()
    chosen = Architecture.choose(RELATIVE, radix=radix)
    given = messages(8)
    made = RtlEngine(RELATIVE, chosen).process(given)
    assert made == [process(RELATIVE, one) for one in given]
    assert made != [process(ASCON_AEAD128, one) for one in given]


def test_proofs_hold() -> None:
    for record in prove(ASCON_AEAD128, architecture(16)):
        assert record.failures == (), record.check


@pytest.mark.parametrize(
    ("cipher", "radix"),
    [(ASCON_AEAD128, 1), (ASCON_AEAD128_MODES, 4), (RELATIVE, 2)],
    ids=lambda one: getattr(one, "name", one),
)
def test_proofs_hold_of_others(cipher: Any, radix: int) -> None:
    for record in prove(cipher, Architecture.choose(cipher, radix=radix)):
        assert record.failures == (), record.check


class Late(SlicedCore):
    """S0 and S1 take a sum too few in."""

    def _makes_sums(self, lane: Lane) -> Any:
        return super()._makes_sums(lane) & (self.place != 4)


class KeyStands(SlicedCore):
    """The key is added, and does not turn."""

    def _move_key(self, m: Module, word: MessageWord) -> None:
        super()._move_key(m, word)
        with m.If(self.keying):
            m.d.sync += self.key.eq(self.key)


class NoMark(SlicedCore):
    """The text begins without the mark."""

    def _mark(self, m: Module, word: MessageWord) -> Any:
        return super()._mark(m, word) & 0


class Hurries(SlicedCore):
    """A word is taken with each of its slices."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        m.d.comb += self.word_ends.eq(1)
        return m


@pytest.mark.parametrize(
    ("broken", "radix", "name"),
    [(Late, 8, "round"), (KeyStands, 8, "round"), (NoMark, 2, "words"), (Hurries, 2, "message")],
)
def test_a_broken_core_is_refuted(broken: type[SlicedCore], radix: int, name: str) -> None:
    core = broken(facts_of(ASCON_AEAD128, architecture(radix)))  # type: ignore[arg-type]
    (prop,) = (one for one in properties_of(ASCON_AEAD128, architecture(radix)) if one.name == name)
    assert not is_kept(prop, core, ASCON_AEAD128)


def test_the_solver_is_told_no_more_than_the_checker_assumes(tmp_path: Path) -> None:
    """A round holds, too, where the solver begins with any state; and a run that breaks it is one
    that Verilator sees."""
    chosen = architecture(16)
    facts: Any = facts_of(ASCON_AEAD128, chosen)
    (prop,) = (one for one in properties_of(ASCON_AEAD128, chosen) if one.name == "round")
    assert is_kept(prop, SlicedCore(facts), ASCON_AEAD128, followed=True)
    proof = Proof(ASCON_AEAD128, by_induction=False)
    text = with_checkers(KeyStands(facts), {"round": (prop.checker, proof)})
    (answer,) = sat.answers([sat.Check(text, prop.cycles(facts))], tmp_path)
    assert answer.verdict is sat.Verdict.FAILS
    assert sat.replayed(tmp_path, 0, "round").startswith("PASS")


@needs_iverilog
@pytest.mark.parametrize("radix", SLICES)
def test_another_simulator_agrees(
    radix: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Icarus runs the testbench that is delivered: a message, pauses, `clear` and resets."""
    words = ("generate", ASCON_AEAD128.name, "--radix", str(radix), "--testbench")
    assert main([*words, "-o", str(tmp_path)]) == 0
    files = capsys.readouterr().out.split()
    run_tool(["iverilog", "-g2001", "-Wall", "-o", "bench", *files], cwd=tmp_path)
    assert run_tool(["vvp", "-n", "bench"], cwd=tmp_path).startswith("PASS: ")


def test_what_is_refused() -> None:
    for options, said in (
        ({"unroll": "2"}, "unroll of ascon_aead128 at radix 8 must be 1, not '2'"),
        ({"stall": "none"}, "stall of ascon_aead128 at radix 8 must be stream, not 'none'"),
    ):
        with pytest.raises(InputError, match=f"^{re.escape(said)}"):
            architecture(8, **options)
    unknown = replace(ASCON_AEAD128, name="unknown", substitution=None, rotations=())
    with pytest.raises(InputError, match="radix of unknown must be one of 32, 64, 128, not 8"):
        Architecture.choose(unknown, radix=8)
    for changes, said in (
        ({"rotations": OTHERS}, "substitution and rotations of ascon_aead128 must give what "),
        ({"rotations": OTHERS[1:]}, "rotations of ascon_aead128 must be 5 pairs of numbers from 1"),
        ({"rotations": ((0, 1), *OTHERS[1:])}, "rotations of ascon_aead128 must be 5 pairs "),
        ({"substitution": None}, "rotations of ascon_aead128 must be 5 pairs "),
    ):
        with pytest.raises(InputError, match=f"^{re.escape(said)}"):
            replace(ASCON_AEAD128, **changes).check_functions()


@pytest.mark.parametrize("radix", SLICES)
@pytest.mark.parametrize(
    ("cipher", "names", "passed"),
    [
        (ASCON_AEAD128, ["ascon_kat.txt"], 5),
        (ASCON_AEAD128, ["ascon_wycheproof.json"], 5),
        (ASCON_AEAD128, ["ascon_acvp.json"], 2),
        (ASCON_AEAD128_MODES, ["ascon_modes_prompt.json", "ascon_modes_expected.json"], 8),
    ],
    ids=["kat", "wycheproof", "acvp", "modes"],
)
def test_published_files(cipher: Any, names: list[str], passed: int, radix: int) -> None:
    (parts,) = read_files([PUBLIC / name for name in names], cipher, {})
    engine = RtlEngine(cipher, Architecture.choose(cipher, radix=radix))
    record = combined([check_vectors(part, engine) for part in parts])
    assert (record.passed, record.failures) == (passed, ())
