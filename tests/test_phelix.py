# SPDX-License-Identifier: Apache-2.0
"""Phelix: every vector in the model and the Verilog, messages of any length, restart, clear, reset,
proofs with broken cores, gates, and what is refused."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest
from amaranth.hdl import Fragment, Module, Signal
from amaranth.sim import Simulator

from headwater.algebra.word import unnamed
from headwater.bench.stimulus import stimulus
from headwater.bench.target import TARGETS, AsicTarget
from headwater.cipher.message import Message, Sealed
from headwater.cipher.phelix import PHELIX, half_block, mix_key, words_of
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow import verilator
from headwater.flow.asic import map_to_cells
from headwater.flow.folders import private_folder
from headwater.flow.gatesim import simulate_gates
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import build, facts_of, promises_of
from headwater.kinds.word_aead.core import WordAeadCore
from headwater.kinds.word_aead.facts import WordAeadFacts
from headwater.kinds.word_aead.keys import lookup_bit
from headwater.verify.check import check_lint, check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.proof import is_kept, prove
from headwater.verify.segments import Segment
from headwater.verify.transfer import transfer_of
from headwater.verify.vector_files import own_files, read_file

(FILE,) = [read_file(path, PHELIX) for path in own_files(PHELIX)]
RADICES = PHELIX.legal_radices()
FREE = {"stall": "none", "clear": "none", "direction": "encrypt"}


def architecture(radix: int, **options: str) -> Architecture:
    return Architecture.choose(PHELIX, radix=radix, options=options)


def engine(radix: int, gaps: int = 0, **options: str) -> RtlEngine:
    return RtlEngine(PHELIX, architecture(radix, **options), gaps_permille=gaps)


def message(seed: object, ad: int, text: int, key: int = 32, tag_bits: int = 128) -> Message:
    source = random.Random(f"phelix {seed}")
    return Message(source.randbytes(key), source.randbytes(16), source.randbytes(ad),
                   source.randbytes(text), 8 * text, tag_bits=tag_bits)  # fmt: skip


def received(sent: Message, sealed: Sealed) -> Message:
    return replace(sent, text=sealed.text, decrypts=True)


def both_ways(messages: list[Message]) -> list[Message]:
    return [way for sent in messages for way in (sent, received(sent, process(PHELIX, sent)))]


def refused(text: str, made: Mapping[str, object] | Message) -> None:
    given = made if isinstance(made, Message) else replace(message(0, 0, 4), **made)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
        process(PHELIX, given)


# --- the vectors


def test_all_vectors_in_the_model() -> None:
    record = check_vectors(FILE, ModelEngine(PHELIX))
    assert (record.passed, record.failed, record.skipped) == (191, 0, 0)


@pytest.mark.parametrize("radix", RADICES)
def test_all_vectors_in_verilog_with_gaps(radix: int) -> None:
    record = check_vectors(FILE, engine(radix, gaps=250))
    assert (record.passed, record.failed, record.skipped) == (191, 0, 0)
    assert check_lint(PHELIX, architecture(radix)).failures == ()


@pytest.mark.parametrize(
    ("radix", "options"),
    [
        (16, FREE), (32, FREE), (64, FREE),
        (16, {"clear": "instant", "direction": "decrypt"}),
        (32, {"stall": "none", "direction": "decrypt"}),
        (128, {"stall": "none", "clear": "instant", "direction": "decrypt"}),
    ],
)  # fmt: skip
def test_vectors_with_other_options(radix: int, options: dict[str, str]) -> None:
    some = replace(FILE, vectors=FILE.vectors[:4] + FILE.vectors[4::7])
    chosen = architecture(radix, **options)
    record = check_vectors(some, RtlEngine(PHELIX, chosen), chosen)
    assert (record.passed, record.failed) == (len(some.vectors), 0)
    assert check_lint(PHELIX, chosen).failures == ()


def test_a_vector_that_is_wrong_is_found() -> None:
    first = FILE.vectors[0]
    wrong = replace(first, tag=bytes(16))  # type: ignore[arg-type]
    record = check_vectors(replace(FILE, vectors=(wrong,)), ModelEngine(PHELIX))
    assert record.failures == ("paper-1: byte 0 of the tag when encrypting must be 00, not ef",)


def test_working_key_of_the_paper() -> None:
    """Of the empty key, as the paper's first vector has it."""
    made = b"".join(word.value.to_bytes(4, "little") for word in mix_key(b""))
    assert made.hex() == "a93b6e32bc234f6c326c0f8274ffa241e3da577def7c1b64af787c38dcefe3de"


# --- messages


@pytest.mark.parametrize("radix", RADICES)
def test_every_end_of_both_parts(radix: int) -> None:
    """Associated data and text that end anywhere in a word and in a transfer."""
    step = 1 if radix <= 32 else 3
    sizes = range(0, 2 * max(32, radix) // 8 + 2, step)
    messages = [
        message(f"{ad} {text}", ad, text, key=(5 * ad + text) % 33,
                tag_bits=PHELIX.tag_lengths[(ad + text) % 5])
        for ad in sizes for text in sizes if radix <= 32 or (ad + text) % 4 < 2
    ]  # fmt: skip
    given = both_ways(messages[:400])
    assert engine(radix, gaps=100).process(given) == ModelEngine(PHELIX).process(given)


def test_long_messages_count_their_blocks() -> None:
    """More words than a few periods, so that carries go up the counters."""
    sent = [message("long", 5003, 3001), message("longer", 3, 9000), message("ad", 8192, 0)]
    expected = ModelEngine(PHELIX).process(sent)
    for radix in RADICES:
        assert engine(radix).process(sent) == expected


def test_empty_message_has_a_tag_of_its_own_for_every_length() -> None:
    tags = {process(PHELIX, message("empty", 0, 0, tag_bits=bits)).tag[:8]
            for bits in PHELIX.tag_lengths}  # fmt: skip
    assert len(tags) == 5


@pytest.mark.parametrize("field", ["key", "nonce", "associated_data", "text"])
def test_any_change_gives_another_tag(field: str) -> None:
    sent = message("change", 5, 7)
    sealed = process(PHELIX, sent)
    assert process(PHELIX, received(sent, sealed)) == Sealed(sent.text, sealed.tag)
    data = getattr(received(sent, sealed), field)
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        wrong = replace(received(sent, sealed), **{field: bytes(changed)})
        assert process(PHELIX, wrong).tag != sealed.tag


# --- loads, restart, clear, reset


def _load(core: RtlEngine, sent: Message) -> str:
    words = facts_of(PHELIX, core._architecture).message_load(sent.key, sent.nonce, 128)
    return "load " + " ".join(f"{word:x}" for word in words)


def _run(core: RtlEngine, sent: Message, before: list[str]) -> Sealed:
    """A message behind other commands, whose lines are passed over."""
    transfer = transfer_of(PHELIX, core._architecture, sent)
    commands = ["reset 2", *before, _load(core, sent), *transfer.commands()]
    printed = verilator.simulate(core.verilog, commands)
    lines = len([line for line in before if line.startswith("message")])
    return transfer.result(iter(printed[lines:]))


@pytest.mark.parametrize("radix", [16, 32, 256])
def test_restart_clear_and_reset_in_every_phase(radix: int) -> None:
    core, sent, other = engine(radix), message("after", 9, 21), message("before", 4, 4)
    expected = process(PHELIX, sent)
    setup = facts_of(PHELIX, architecture(radix)).setup_cycles
    for end in ("idle 0", "clear", "reset 1", "clear\nidle 3"):
        for cycles in (0, 1, 5, 9, 14, 20, setup + 3):
            before = [_load(core, other), f"idle {cycles}", *end.split("\n")]
            assert _run(core, sent, before) == expected, (end, cycles)


def test_restart_in_the_middle_of_a_message_and_of_a_load() -> None:
    core, sent = engine(32), message("after", 9, 21)
    other = message("before", 0, 4)
    load = _load(core, other)
    payload = int.from_bytes(other.text, "little")
    for before in ([load, f"message 0 {payload:x}:f:0"], [" ".join(load.split()[:7]), "clear"],
                   [" ".join(load.split()[:12]), "reset 1"]):  # fmt: skip
        assert _run(core, sent, before) == process(PHELIX, sent)


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
        (0, "+", lambda: a[3] ^ p, 3, 15), (1, "+", lambda: a[4], 4, 25),
        (2, "^", lambda: a[0], 0, 9), (3, "^", lambda: a[1], 1, 10),
        (4, "+", lambda: a[2], 2, 17), (0, "^", lambda: (a[3] + k) & 0xFFFFFFFF, 3, 30),
        (1, "^", lambda: a[4], 4, 13), (2, "+", lambda: a[0], 0, 20),
        (3, "+", lambda: a[1], 1, 11), (4, "^", lambda: a[2], 2, 5),
    ):  # fmt: skip
        right = value()
        a[into] = a[into] ^ right if operation == "^" else a[into] + right & 0xFFFFFFFF
        a[turned] = rotated(a[turned], places)
    (pw, kw), words = (
        words_of(p.to_bytes(4, "little") + k.to_bytes(4, "little")),
        [words_of(word.to_bytes(4, "little"))[0] for word in z],
    )
    made = half_block(unnamed, tuple(words), pw, kw)  # type: ignore[arg-type]
    assert [word.value for word in made] == a


@pytest.mark.parametrize("radix", [32, 64, 128, 256])
def test_transfer_round_trip(radix: int) -> None:
    sent = message("transfer", 7, 9)
    transfer = transfer_of(PHELIX, architecture(radix), sent)
    keeps = [keep for _, keep, _ in transfer.words]
    assert sum(keep.bit_count() for keep in keeps) == 16
    sealed = process(PHELIX, sent)
    printed = [f"{payload:x} {keep:x}" for payload, keep, _ in transfer.leaving(sealed.text)]
    printed += [f"{payload:x}" for payload in transfer.tag_payloads(sealed.tag)]
    assert transfer.result(iter(printed)) == sealed


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


# --- what is refused


def test_what_is_refused() -> None:
    legal = " or ".join(f"{bits} bits ({bits // 4} hex digits)" for bits in (64, 80, 96, 112, 128))
    refused(f"tag of phelix must be {legal}, not 88 bits", {"tag_bits": 88})
    refused("text of phelix must be whole bytes, not 31 bits", {"bits": 31})
    refused("key of phelix must be 0 to 256 bits in whole bytes, not 264 bits", {"key": bytes(33)})
    refused("IV of phelix must be 128 bits (32 hex digits), not 120 bits", {"nonce": bytes(15)})
    none = "phelix has no keystream apart from its text, which it takes in: encrypt zeros to see"
    with pytest.raises(InputError, match=f"^{none} one$"):
        Keystream(PHELIX, key=bytes(4), iv=bytes(16))
    with pytest.raises(InputError, match=f"^{none} one$"):
        engine(32).run([Segment(bytes(4), bytes(16), 0, 32)])
    with pytest.raises(InputError, match=r"^option direction of phelix must be both or decrypt"):
        engine(32, direction="encrypt").process([replace(message(0, 0, 4), decrypts=True)])
    for radix, text in ((8, "16, 32, 64, 128, 256"), (512, "16, 32, 64, 128, 256")):
        with pytest.raises(InputError, match="radix of phelix must be") as found:
            architecture(radix)
        assert str(radix) in str(found.value)
        assert all(word in str(found.value) for word in text.split(", "))


# --- the command line


SECRET = ("--key", "0001", "--nonce", "000102030405060708090a0b0c0d0e0f", "--ad", "0a0b0c")


def test_command_line_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encrypt", "phelix", *SECRET, "--text", "68656c6c6f", "--tag-bits", "80"]) == 0
    words = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert (len(words["ciphertext"]), len(words["tag"])) == (10, 20)
    back = ["decrypt", "phelix", *SECRET, "--text", words["ciphertext"], "--tag"]
    for chosen in ("model", "rtl"):
        assert main([*back, words["tag"], "--engine", chosen]) == 0
        assert capsys.readouterr().out == "plaintext 68656c6c6f\n"
    wrong = f"{int(words['tag'], 16) ^ 1:020x}"
    assert main([*back, wrong]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "tag does not match" in shown.err


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
def test_promises_are_proven(radix: int, options: dict[str, str]) -> None:
    """Every promise holds, and its broken core is found."""
    chosen = architecture(radix, **options)
    for record in prove(PHELIX, chosen):
        assert (record.passed, record.failures) == (1, ()), record.check


@pytest.mark.parametrize("radix", [64, 128])
def test_unrolled_blocks_are_single_ones(radix: int) -> None:
    chosen = architecture(radix)
    (step,) = [found for found in promises_of(PHELIX, chosen) if found.name == "step"]
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
            mapped.verilog, library, verilog.name, load_words=given.load_words,
            words=len(given.words), folder=folder, data_words=given.data_words, watch=False,
        )  # fmt: skip
    given.check(run, "the netlist")
    assert run.setup.cycles == facts_of(PHELIX, chosen).setup_cycles


def test_cycles_of_a_message() -> None:
    assert [facts_of(PHELIX, architecture(radix)).message_cycles(64) for radix in RADICES] == [
        20, 10, 5, 2, 1
    ]  # fmt: skip
    cycles = [facts_of(PHELIX, architecture(32)).message_cycles(bits) for bits in range(0, 640, 32)]
    assert all(later - earlier == 1 for earlier, later in pairwise(cycles))


def test_core_is_of_its_kind() -> None:
    core = build(PHELIX, architecture(128))
    assert isinstance(core, WordAeadCore)
    assert isinstance(core.facts, WordAeadFacts)
    assert (core.words, core.halves) == (4, False)
    Fragment.get(core, None)
