# SPDX-License-Identifier: Apache-2.0
"""Salsa20 and ChaCha with all rounds in a row: a block in every cycle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from amaranth.hdl import (
    Assert,
    Assume,
    Cat,
    Const,
    Fragment,
    Module,
    Mux,
    ResetSignal,
    Signal,
    Value,
)
from block_streams import CIPHERS, KEY, NONCES, core, keystream, segment
from generated import afresh

from headwater.cipher.chacha20 import CHACHA20
from headwater.cipher.chacha_djb import CHACHA_DJB, XCHACHA20
from headwater.cipher.salsa20 import SALSA20
from headwater.core.architecture import Architecture
from headwater.core.naming import Naming
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow import verilator
from headwater.kinds.block_stream.description import BLOCK_BITS, WORDS, BlockStreamCipher
from headwater.kinds.block_stream.facts import PipelineFacts
from headwater.kinds.block_stream.pipeline import PipelinedCore
from headwater.kinds.block_stream.properties import PROPERTIES
from headwater.kinds.registry import build, facts_of
from headwater.prove.checker import Proof, Property, first_cycle
from headwater.prove.reading import described
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.proof import is_kept
from headwater.verify.segments import Segment
from headwater.verify.vector_files import own_files, read_file

SHORT = replace(CHACHA20, name="chacha2", rounds=2, legal_rounds=(2,))
"""Two rounds, one of each kind, so that proofs are quick."""
SHORT_DERIVED = replace(XCHACHA20, name="xchacha2", rounds=2, legal_rounds=(2,))


def pipeline(cipher: BlockStreamCipher, **options: str) -> Architecture:
    return core(cipher, BLOCK_BITS, None, fold="pipeline", **options)


# --- keystream

MEMBERS = [
    (SALSA20.with_parameters({"rounds": "8", "key_bits": "128"}), {}),
    (SALSA20.with_parameters({"rounds": "12"}), {"stall": "none"}),
    (CHACHA_DJB.with_parameters({"rounds": "8"}), {"clear": "instant"}),
    (CHACHA20, {}),
    (CHACHA_DJB.with_parameters({"rounds": "8"}), {"stall": "none", "clear": "none"}),
]


@pytest.mark.parametrize(
    ("cipher", "options"), MEMBERS, ids=lambda one: getattr(one, "name", None) or "-".join(one)
)
def test_vectors_in_the_verilog(cipher: BlockStreamCipher, options: dict[str, str]) -> None:
    architecture = pipeline(cipher, **options)
    gaps = 0 if options.get("stall") == "none" else 250
    engine = RtlEngine(cipher, architecture, gaps_permille=gaps, seed=5)
    assert verilator.lint(engine.verilog.name, engine.verilog.text) == []
    record = check_vectors(read_file(own_files(cipher)[0], cipher), engine, architecture)
    assert record.failures == ()
    assert record.passed >= 9


@pytest.mark.parametrize("name", CIPHERS)
def test_seeking_and_the_end_of_the_number(name: str) -> None:
    """Offsets within a block, and the blocks around the last number, one session after another."""
    cipher = CIPHERS[name]
    last = (1 << cipher.counter_bits) * BLOCK_BITS
    places = [5, 9_000_000, last - 2 * BLOCK_BITS, last - 1, last + 3]
    engine = RtlEngine(cipher, pipeline(cipher), gaps_permille=300)
    given = [segment(cipher, offset, 3000) for offset in places]
    assert engine.run(given) == [keystream(cipher, offset, 3000) for offset in places]


@pytest.mark.parametrize("stall", ["stream", "none"])
def test_derived_key(stall: str) -> None:
    nonces = [bytes((seed + place) % 256 for place in range(24)) for seed in (0, 77)]
    given = [Segment(KEY, nonce, (2**32 - 2) * BLOCK_BITS, 5 * BLOCK_BITS) for nonce in nonces]
    architecture = pipeline(XCHACHA20, stall=stall)
    engine = RtlEngine(XCHACHA20, architecture)
    assert engine.run(given) == ModelEngine(XCHACHA20).run(given)
    facts = facts_of(XCHACHA20, architecture)
    assert engine.setup_cycles(KEY, nonces[0]) == facts.setup_cycles == 16 + 2 * (1 + 4 * 20)


def test_a_block_in_every_cycle() -> None:
    """A free-running core offers a word in each cycle behind the setup, whose length is told."""
    architecture = pipeline(SALSA20.with_parameters({"rounds": "8"}), stall="none")
    cipher = SALSA20.with_parameters({"rounds": "8"})
    facts = facts_of(cipher, architecture)
    assert isinstance(facts, PipelineFacts)
    assert (facts.bits_per_cycle, facts.keystream_cycles(513)) == (512, 2)
    assert facts.setup_cycles == 12 + 1 + 4 * 8
    words = facts.load_words(KEY, NONCES["salsa20"])
    load = "load " + " ".join(f"{word:x}" for word in words)
    wait = facts.setup_cycles - facts.load_cycles
    for passed in (0, 7):
        lines = verilator.simulate(
            generate(cipher, architecture), ["reset 2", load, f"idle {wait + passed}", "take 3"]
        )
        stream = b"".join(int(line, 16).to_bytes(64, "little") for line in lines)
        assert stream == keystream(cipher, passed * BLOCK_BITS, 3 * BLOCK_BITS)


def test_words_that_stand_still_have_no_registers() -> None:
    """Between stages there are 512 bits, but in the first round, where eight words of the key wait
    that are in their register anyway."""
    made = build(CHACHA20, pipeline(CHACHA20))
    assert isinstance(made, PipelinedCore)
    Fragment.get(made, None)
    between = sum(len(register) for register in made.stages.registers.values())
    # The key: words 4 to 7 and, but for the first stage, 8 to 11.
    assert between == 20 * 4 * BLOCK_BITS - 8 * 32
    behind = between + len(made.leaving) + BLOCK_BITS
    assert sum(map(len, made.secrets)) == 256 + 96 + 32 + behind + len(made.hold)


# --- what is refused


@pytest.mark.parametrize(
    ("radix", "options", "said"),
    [
        (32, {}, r"^radix of chacha20 with fold=pipeline must be 512, not 32: a block is made in"),
        (64, {}, r"^radix of chacha20 with fold=pipeline must be 512, not 64: a block is made in"),
        (
            512,
            {"buffer": "none"},
            r"^buffer of chacha20 with fold=pipeline must be 'block', not 'none'",
        ),
        (512, {"addition": "shared"}, r"^addition of chacha20 at radix 512 with fold=pipeline and"),
    ],
)
def test_refused(radix: int, options: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        core(CHACHA20, radix, None, fold="pipeline", **options)


def without_additions(wire: Any, a: Any, b: Any, c: Any, d: Any) -> tuple[Any, ...]:
    return wire(a ^ b), wire(b ^ c), wire(c ^ d), d


def test_refused_without_an_addition_to_cut_by() -> None:
    with pytest.raises(InputError, match=r"a quarter round has 0 additions in a row, and each"):
        pipeline(replace(CHACHA20, quarter_round=without_additions))


# --- evidence


def check_round(m: Module, made: PipelinedCore, proof: Proof) -> None:
    """So many moves as a round has stages make of its words what the description's round does; of
    all rounds at once, while the first block passes them. It knows nothing of how a round is
    cut."""
    first, stages = first_cycle(m), made.facts.stages
    begins = ~made.loading & ~made.idle & ~made.running & (made.passed == 0) & made.step
    disturbed = ResetSignal() | made.load.valid | made.clear
    m.d.comb += [Assume(~first | begins), Assume(~disturbed)]
    age = Signal(range(stages + 1), name="spec_age")
    m.d.sync += age.eq(age + 1)
    for which in range(proof.cipher.rounds):
        held = [held_from(m, first, word) for word in before(made, which)]
        after = proof.cipher.run_round(lambda _: Naming(m, "_meant"), held, which)
        m.d.comb += Assert((age != stages) | (Cat(*before(made, which + 1)) == Cat(*after)))


def held_from(m: Module, first: Value, word: Signal) -> Signal:
    """What a word was in the first cycle, in the later ones."""
    register = Signal(len(word), name=f"spec_{word.name}")
    m.d.sync += register.eq(Mux(first, word, register))
    return register


def before(made: PipelinedCore, which: int) -> list[Signal]:
    """The words that a round begins with."""
    if not which:
        return list(made.first)
    return [made.stages.registers[f"x{place}_round_{which}"] for place in range(WORDS)]


ROUND = Property(
    "round",
    check_round,
    described("its rounds, each of the whole matrix"),
    "the stages of a round make of the matrix what the description does",
    cycles=lambda facts: facts.stages + 1,
    begins={"loading": 0, "idle": 0, "running": 0, "passed": 0, "step": 1},
    undisturbed=True,
)
BY_NAME = {one.name: one for one in PROPERTIES} | {"round": ROUND}


@pytest.mark.parametrize("name", BY_NAME)
def test_properties(name: str) -> None:
    assert is_kept(BY_NAME[name], build(SHORT, pipeline(SHORT)), SHORT)


@pytest.mark.parametrize("name", ["setup", "renew", "words", "clear"])
def test_properties_of_a_derived_key(name: str) -> None:
    architecture = pipeline(SHORT_DERIVED, stall="none")
    assert is_kept(BY_NAME[name], build(SHORT_DERIVED, architecture), SHORT_DERIVED)


def test_clear_at_once() -> None:
    architecture = pipeline(SHORT, clear="instant")
    assert is_kept(BY_NAME["clear"], build(SHORT, architecture), SHORT)


def other_cipher(facts: PipelineFacts) -> PipelinedCore:
    def quarter_round(wire: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        a, b, c, d = facts.cipher.quarter_round(wire, a, b, c, d)
        return a, b, c ^ b, d

    return PipelinedCore(replace(facts, cipher=replace(facts.cipher, quarter_round=quarter_round)))


class NextNumber(PipelinedCore):
    """Adds the matrix of the block behind the one that is there."""

    def _add_matrix(self, m: Module, moves: Value, after: Any) -> None:
        super()._add_matrix(m, moves, after)
        with m.If(moves):
            m.d.sync += self.leaving.eq(self.counter - self.facts.round_cycles + 2)


class Skipping(PipelinedCore):
    """Counts blocks while they wait."""

    def _count(self, m: Module, moves: Value) -> None:
        super()._count(m, moves | True)


class Losing(PipelinedCore):
    """Goes on while a word waits."""

    def _offer(self, m: Module) -> None:
        super()._offer(m)
        m.d.sync += self.step.eq(1)


class Early(PipelinedCore):
    """Counts two stages in the first cycle."""

    def _pass(self, m: Module, whole: Value, after: Any) -> None:
        super()._pass(m, whole, after)
        with m.If(~self.loading & (self.passed == 0)):
            m.d.sync += self.passed.eq(2)


class Kept(PipelinedCore):
    """A clear takes no notice of the held word."""

    def held_word(self, m: Module, output: Value) -> Value:
        word = Signal(len(output), name="word")
        m.d.comb += word.eq(Mux(self.step, output, self.hold))
        with m.If(~self.loading):
            m.d.sync += self.hold.eq(word)
        return Mux(self.running, word, Const(0, len(word)))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("step", other_cipher),
        ("round", other_cipher),
        ("words", NextNumber),
        ("renew", Skipping),
        ("hold", Losing),
        ("setup", Early),
        ("clear", Kept),
    ],
    ids=["step", "round", "words", "renew", "hold", "setup", "clear"],
)
def test_wrong_cores_are_refuted(
    name: str, wrong: Callable[[PipelineFacts], PipelinedCore]
) -> None:
    facts = facts_of(SHORT, pipeline(SHORT))
    assert isinstance(facts, PipelineFacts)
    assert not is_kept(BY_NAME[name], wrong(facts), SHORT, followed=name != "round")


def test_a_wrong_number_fails_the_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    architecture = pipeline(CHACHA20)
    monkeypatch.setattr(
        "headwater.emit.verilog.build", lambda *given: NextNumber(PipelineFacts(*given))
    )
    with afresh():
        engine = RtlEngine(CHACHA20, architecture)
    record = check_vectors(read_file(own_files(CHACHA20)[0], CHACHA20), engine, architecture)
    assert record.failed > 10


def test_the_last_stage_adds() -> None:
    """Twenty rounds of sixteen additions, and sixteen of the matrix."""
    text = generate(CHACHA20, pipeline(CHACHA20)).text
    assert text.count(" + ") == 20 * 16 + 16 + sum(
        text.count(f"{name} + ") for name in ("counter", "passed", "loaded")
    )
