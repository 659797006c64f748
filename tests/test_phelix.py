# SPDX-License-Identifier: Apache-2.0
"""Phelix: long messages, its parts, proofs with broken cores, and gates."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from amaranth.hdl import Fragment, Module, Signal
from amaranth.sim import Simulator

from headwater.algebra.word import unnamed
from headwater.cipher.message import Message
from headwater.cipher.phelix import PHELIX, half_block, mix_key, words_of
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.flow.asic import map_to_cells
from headwater.flow.folders import private_folder
from headwater.flow.gatesim import simulate_gates
from headwater.kinds.reading import process
from headwater.kinds.registry import build, facts_of, properties_of
from headwater.kinds.word_aead.core import WordAeadCore
from headwater.kinds.word_aead.facts import WordAeadFacts
from headwater.kinds.word_aead.keys import lookup_bit
from headwater.measure.stimulus import stimulus
from headwater.measure.target import TARGETS, AsicTarget
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.proof import is_kept, prove

RADICES = PHELIX.legal_radices()


def architecture(radix: int, **options: str) -> Architecture:
    return Architecture.choose(PHELIX, radix=radix, options=options)


def engine(radix: int, gaps: int = 0, **options: str) -> RtlEngine:
    return RtlEngine(PHELIX, architecture(radix, **options), gaps_permille=gaps)


def message(seed: object, ad: int, text: int, key: int = 32, tag_bits: int = 128) -> Message:
    source = random.Random(f"phelix {seed}")
    return Message(
        source.randbytes(key),
        source.randbytes(16),
        source.randbytes(ad),
        source.randbytes(text),
        8 * text,
        tag_bits=tag_bits,
    )


# --- the vectors


def test_working_key_of_the_paper() -> None:
    """Of the empty key, as the paper's first vector has it."""
    made = b"".join(word.value.to_bytes(4, "little") for word in mix_key(b""))
    assert made.hex() == "a93b6e32bc234f6c326c0f8274ffa241e3da577def7c1b64af787c38dcefe3de"


# --- messages


def test_long_messages_count_their_blocks() -> None:
    """More words than a few periods, so that carries go up the counters."""
    sent = [message("long", 5003, 3001), message("longer", 3, 9000), message("ad", 8192, 0)]
    expected = ModelEngine(PHELIX).process(sent)
    for radix in RADICES:
        assert engine(radix).process(sent) == expected


def test_empty_message_has_a_tag_of_its_own_for_every_length() -> None:
    tags = {
        process(PHELIX, message("empty", 0, 0, tag_bits=bits)).tag[:8]
        for bits in PHELIX.tag_lengths
    }
    assert len(tags) == 5


@pytest.mark.parametrize("radix", RADICES)
def test_setup_takes_what_the_data_sheet_says(radix: int) -> None:
    expected = {16: 43, 32: 26, 64: 22, 128: 20, 256: 19}[radix]
    assert facts_of(PHELIX, architecture(radix)).setup_cycles == expected
    assert engine(radix).setup_cycles(bytes(32), bytes(16)) == expected


# --- parts


def test_half_block_sees_the_latest_words() -> None:
    """Written once more, word by word, with plain integers."""
    z = [0x01234567, 0x89ABCDEF, 0xDEADBEEF, 0x0BADF00D, 0x13579BDF]
    p, k = 0x2468ACE0, 0x55AA1234

    def rotated(word: int, places: int) -> int:
        return (word << places | word >> 32 - places) & 0xFFFFFFFF

    a = list(z)
    for into, operation, value, turned, places in (
        (0, "+", lambda: a[3] ^ p, 3, 15),
        (1, "+", lambda: a[4], 4, 25),
        (2, "^", lambda: a[0], 0, 9),
        (3, "^", lambda: a[1], 1, 10),
        (4, "+", lambda: a[2], 2, 17),
        (0, "^", lambda: (a[3] + k) & 0xFFFFFFFF, 3, 30),
        (1, "^", lambda: a[4], 4, 13),
        (2, "+", lambda: a[0], 0, 20),
        (3, "+", lambda: a[1], 1, 11),
        (4, "^", lambda: a[2], 2, 5),
    ):
        right = value()
        a[into] = a[into] ^ right if operation == "^" else a[into] + right & 0xFFFFFFFF
        a[turned] = rotated(a[turned], places)
    (pw, kw), words = (
        words_of(p.to_bytes(4, "little") + k.to_bytes(4, "little")),
        [words_of(word.to_bytes(4, "little"))[0] for word in z],
    )
    made = half_block(unnamed, tuple(words), pw, kw)  # type: ignore[arg-type]
    assert [word.value for word in made] == a


def test_lookup_of_a_bit_by_every_table() -> None:
    """Against the table itself, for all tables of three bits of index, in simulation by value."""
    index = Signal(3)
    tables = random.Random(1).sample(range(256), 40)
    m, found = Module(), [Signal(name=f"found_{table}") for table in tables]
    for table, signal in zip(tables, found, strict=True):
        m.d.comb += signal.eq(lookup_bit(index, [table >> place & 1 for place in range(8)]))

    async def check(context) -> None:  # type: ignore[no-untyped-def]
        for place in range(8):
            context.set(index, place)
            for table, signal in zip(tables, found, strict=True):
                assert context.get(signal) == table >> place & 1

    simulator = Simulator(m)
    simulator.add_testbench(check)
    simulator.run()


# --- the command line


def test_command_line_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    secret = ["--key", "00", "--iv", "00" * 16]
    assert main(["keystream", "phelix", *secret, "--bits", "8"]) != 0
    assert "phelix has no keystream apart from its text" in capsys.readouterr().err
    assert main(["encrypt", "phelix", *secret, "--text", "00", "--tag-bits", "72"]) != 0
    assert "tag of phelix must be 64 bits" in capsys.readouterr().err
    trivium = ["--key", "00" * 10, "--iv", "00" * 10, "--text", "00"]
    assert main(["encrypt", "trivium", *trivium, "--tag-bits", "64"]) != 0
    assert "a length of tag must not be given for trivium" in capsys.readouterr().err


def test_data_sheet() -> None:
    sheet = datasheet(PHELIX, architecture(256))
    assert (sheet["data_width"], sheet["bits_per_cycle"], sheet["clear_cycles"]) == (256, 256, 10)
    assert sheet["tag_bits"] == [64, 80, 96, 112, 128]
    assert "keystream" in sheet
    assert "releases_unverified" in sheet
    assert "releases_unverified" not in datasheet(PHELIX, architecture(32, direction="encrypt"))


# --- proofs


@pytest.mark.parametrize(
    ("radix", "options"), [(16, {}), (32, {"stall": "none"})], ids=["half", "block"]
)
def test_properties_are_proven(radix: int, options: dict[str, str]) -> None:
    """Every property holds, and its broken core is found."""
    chosen = architecture(radix, **options)
    for record in prove(PHELIX, chosen):
        assert (record.passed, record.failures) == (1, ()), record.check


@pytest.mark.parametrize("radix", [64, 128])
def test_unrolled_blocks_are_single_ones(radix: int) -> None:
    chosen = architecture(radix)
    (step,) = [found for found in properties_of(PHELIX, chosen) if found.name == "step"]
    assert is_kept(step, build(PHELIX, chosen), PHELIX)


def test_a_core_of_other_lengths_gives_other_tags() -> None:
    """A core that is deaf to the lengths' word is found by the vectors."""
    text = generate(PHELIX, architecture(32)).text
    only_then = r"if \(idle\) begin\s+lengths <= .*?;\s+end"
    broken, changed = re.subn(only_then, "lengths <= 13'h0020;", text)
    assert changed == 1
    sent = message("lengths", 0, 8, key=16)
    core = engine(32)
    core.verilog = replace(core.verilog, text=broken)
    (made,) = core.process([sent])
    assert made != process(PHELIX, sent)


# --- figures


OSU018 = TARGETS["osu018"]


@pytest.mark.skipif(
    not (isinstance(OSU018, AsicTarget) and OSU018.liberty.exists()),
    reason="needs osu018: apt-get install qflow-tech-osu018",
)
def test_gates_give_text_and_tag() -> None:
    assert isinstance(OSU018, AsicTarget)
    chosen = architecture(16, direction="encrypt")
    verilog, given = generate(PHELIX, chosen), stimulus(PHELIX, chosen, 12)
    with private_folder() as folder:
        library = OSU018.library()
        mapped = map_to_cells(verilog.text, verilog.name, library, folder, None)
        run = simulate_gates(
            mapped.verilog,
            library,
            verilog.name,
            load_words=given.load_words,
            words=len(given.words),
            folder=folder,
            data_words=given.data_words,
            watch=False,
        )
    given.check(run, "the netlist")
    assert run.setup.cycles == facts_of(PHELIX, chosen).setup_cycles


def test_cycles_of_a_message() -> None:
    assert [facts_of(PHELIX, architecture(radix)).message_cycles(64) for radix in RADICES] == [
        20,
        10,
        5,
        2,
        1,
    ]
    cycles = [facts_of(PHELIX, architecture(32)).message_cycles(bits) for bits in range(0, 640, 32)]
    assert all(later - earlier == 1 for earlier, later in pairwise(cycles))


def test_core_is_of_its_kind() -> None:
    core = build(PHELIX, architecture(128))
    assert isinstance(core, WordAeadCore)
    assert isinstance(core.facts, WordAeadFacts)
    assert (core.words, core.halves) == (4, False)
    Fragment.get(core, None)
