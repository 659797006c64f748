# SPDX-License-Identifier: Apache-2.0
"""Ascon-AEAD128: every vector in the model and the Verilog at every width and unrolling, messages
of any length, restart, clear, the S-box of the standard, and what is refused."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from amaranth.hdl import Module

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.ascon import ASCON_AEAD128, round_constant, substitution
from headwater.cipher.message import Message, Sealed
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.flow import sat, verilator
from headwater.kinds.reading import process
from headwater.kinds.registry import build, facts_of, promises_of
from headwater.kinds.sponge.core import SpongeCore
from headwater.prove.watcher import Watcher
from headwater.verify.check import check_lint, check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.proof import prove, watched
from headwater.verify.transfer import transfer_of
from headwater.verify.vector_files import own_files, read_file

(FILE,) = [read_file(path, ASCON_AEAD128) for path in own_files(ASCON_AEAD128)]
RADICES = ASCON_AEAD128.legal_radices()
S_BOX = "040b1f141a1509021b0508121d03061c1e13070e000d1118100c0119160a0f17"


def architecture(radix: int, unroll: int = 1, **options: str) -> Architecture:
    chosen = {"unroll": str(unroll), **options}
    return Architecture.choose(ASCON_AEAD128, radix=radix, options=chosen)


def engine(radix: int, unroll: int = 1, gaps: int = 0, **options: str) -> RtlEngine:
    chosen = architecture(radix, unroll, **options)
    return RtlEngine(ASCON_AEAD128, chosen, gaps_permille=gaps)


def message(seed: object, ad: int, text: int) -> Message:
    source = random.Random(f"ascon {seed}")
    return Message(source.randbytes(16), source.randbytes(16), source.randbytes(ad),
                   source.randbytes(text), 8 * text)  # fmt: skip


def received(sent: Message, sealed: Sealed) -> Message:
    return replace(sent, text=sealed.text, decrypts=True)


def test_all_vectors_in_the_model() -> None:
    record = check_vectors(FILE, ModelEngine(ASCON_AEAD128))
    assert (record.passed, record.failed, record.skipped) == (113, 0, 0)


@pytest.mark.parametrize("unroll", [1, 2, 3, 4])
@pytest.mark.parametrize("radix", RADICES)
def test_all_vectors_in_verilog_with_gaps(radix: int, unroll: int) -> None:
    record = check_vectors(FILE, engine(radix, unroll, gaps=250))
    assert (record.passed, record.failed, record.skipped) == (113, 0, 0)
    assert check_lint(ASCON_AEAD128, architecture(radix, unroll)).failures == ()


@pytest.mark.parametrize(
    ("radix", "options"),
    [
        (32, {"stall": "none", "clear": "none", "direction": "encrypt"}),
        (64, {"clear": "instant", "direction": "decrypt"}),
        (128, {"stall": "none", "clear": "instant"}),
    ],
)
def test_vectors_with_other_options(radix: int, options: dict[str, str]) -> None:
    record = check_vectors(FILE, engine(radix, **options), architecture(radix, **options))
    assert (record.passed, record.failed) == (113, 0)
    assert check_lint(ASCON_AEAD128, architecture(radix, **options)).failures == ()


@pytest.mark.parametrize("radix", RADICES)
def test_every_end_of_both_parts(radix: int) -> None:
    """Associated data and text that end anywhere in a word and in a block, both ways."""
    sizes = [*range(10), 15, 16, 17, 23, 31, 32, 33]
    sent = [message(f"{ad} {text}", ad, text) for ad in sizes for text in sizes]
    back = [received(one, process(ASCON_AEAD128, one)) for one in sent[::3]]
    given = [*sent, *back]
    assert engine(radix, gaps=100).process(given) == ModelEngine(ASCON_AEAD128).process(given)


@pytest.mark.parametrize("field", ["key", "nonce", "associated_data", "text"])
def test_any_change_gives_another_tag(field: str) -> None:
    sent = message("change", 5, 7)
    sealed = process(ASCON_AEAD128, sent)
    back = received(sent, sealed)
    assert process(ASCON_AEAD128, back) == Sealed(sent.text, sealed.tag)
    data = getattr(back, field)
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        assert process(ASCON_AEAD128, replace(back, **{field: bytes(changed)})).tag != sealed.tag


@pytest.mark.parametrize(("radix", "cycles"), [(32, 20), (64, 16), (128, 14)])
def test_setup_takes_what_the_data_sheet_says(radix: int, cycles: int) -> None:
    assert facts_of(ASCON_AEAD128, architecture(radix)).setup_cycles == cycles
    assert engine(radix).setup_cycles(bytes(16), bytes(16)) == cycles


def test_restart_and_clear_in_every_phase() -> None:
    """Behind a session that ended anywhere, the next one is as the first."""
    core, chosen = engine(32), architecture(32)
    sent, other = message("after", 9, 21), message("before", 0, 4)
    loads = [
        "load " + " ".join(f"{word:x}" for word in
                           facts_of(ASCON_AEAD128, chosen).message_load(one.key, one.nonce, 128))
        for one in (other, sent)
    ]  # fmt: skip
    transfer, expected = transfer_of(ASCON_AEAD128, chosen, sent), process(ASCON_AEAD128, sent)
    for end in ("idle 0", "clear", "reset 1", "clear\nidle 3"):
        for cycles in (0, 1, 7, 13, 20, 25):
            before = [loads[0], f"idle {cycles}", *end.split("\n")]
            commands = ["reset 2", *before, loads[1], *transfer.commands()]
            printed = verilator.simulate(core.verilog, commands)
            assert transfer.result(iter(printed)) == expected, (end, cycles)


def test_s_box_and_constants_of_the_standard() -> None:
    """As tables: bit 4 of the input of an S-box is in S0, the lowest bit in S4."""
    for given, expected in enumerate(bytes.fromhex(S_BOX)):
        words = tuple(IntegerWord(given >> 4 - place & 1, 1) for place in range(5))
        made = substitution(unnamed, words)  # type: ignore[arg-type]
        assert sum(word.value << 4 - place for place, word in enumerate(made)) == expected
    constants = [round_constant(IntegerWord(number, 4)).value for number in range(12)]
    assert bytes(constants).hex() == "f0e1d2c3b4a5968778695a4b"


def test_proofs_hold() -> None:
    for record in prove(ASCON_AEAD128, architecture(32)):
        assert record.failures == ()
    assert len(promises_of(ASCON_AEAD128, architecture(32))) == 11


class Tagless(SpongeCore):
    """Never offers a tag."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.permuting & ~self.abort):
            m.d.sync += self.tagging.eq(0)
        return m


def test_an_invariant_beside_a_promise_is_asked_for_in_a_step(tmp_path: Path) -> None:
    """A tag that never comes is excluded by what all promises assume of the phases; only a step of
    the induction that proves this finds it."""
    chosen = architecture(32)
    (setup,) = (one for one in promises_of(ASCON_AEAD128, chosen) if one.name == "setup")
    core = build(ASCON_AEAD128, chosen)
    broken = Tagless(core.facts)
    held = []
    for each, whole in ((broken, False), (broken, True), (core, True)):
        watcher = Watcher(ASCON_AEAD128, by_induction=False, whole=whole)
        text = watched(each, {"setup": (setup.watch, watcher)})
        held.append(sat.holds(sat.Check(text, 2), tmp_path))
    assert held == [True, False, True]


def test_what_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"^key of ascon_aead128 must be 128 bits"):
        process(ASCON_AEAD128, replace(message(0, 0, 4), key=bytes(15)))
    with pytest.raises(InputError, match=r"^tag of ascon_aead128 must be 128 bits"):
        process(ASCON_AEAD128, replace(message(0, 0, 4), tag_bits=64))
    with pytest.raises(InputError, match=r"^text of ascon_aead128 must be whole bytes"):
        process(ASCON_AEAD128, replace(message(0, 0, 4), bits=31))
    with pytest.raises(InputError, match="radix of ascon_aead128 must be one of 32, 64, 128"):
        architecture(16)
    refused = "radix of ascon_aead128 behind a processor must be 32, not 128"
    assert (
        main(["generate", "ascon_aead128", "--radix", "128", "--interface", "bus", "-o", "x"]) == 2
    )
    assert refused in capsys.readouterr().err
