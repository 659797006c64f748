# SPDX-License-Identifier: Apache-2.0
"""Cores of the 256-bit modes of 5G: vectors, lengths, parts of a message, interruptions, proofs."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import cast

import pytest
from amaranth.hdl import Value
from command_line import Capture, refused
from emitted import registers_of
from generated import afresh
from proven import assert_proven

from headwater.algebra import bitstring
from headwater.bench.stimulus import stimulus
from headwater.bench.target import TARGETS, AsicTarget
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.message import Message
from headwater.cipher.telephony_256 import MODES_256
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError, ToolError
from headwater.flow.asic import map_to_cells
from headwater.flow.gatesim import simulate_gates
from headwater.flow.verilator import lint, simulate
from headwater.kinds.registry import facts_of, promises_of
from headwater.kinds.telephony import hash_value
from headwater.kinds.telephony.mode_256 import Mode256
from headwater.kinds.telephony.model_256 import process_256
from headwater.verify.check import check_vectors
from headwater.verify.engine import RtlEngine
from headwater.verify.transfer import transfer_of
from headwater.verify.vector_files import own_files, read_file

COUNTS = {"nea4": 33, "nia4": 30, "nca4": 35, "nea5": 33, "nia5": 30, "nca5": 35,
          "nea6": 30, "nia6": 30, "nca6": 35}  # fmt: skip

ARCHITECTURES: list[tuple[str, dict[str, str], int | None]] = [
    ("nea4", {"clear": "none", "sbox": "table"}, 128),
    ("nea6", {"clear": "instant", "feedback": "early"}, 48),
    ("nia4", {"digit": "128", "clear": "instant"}, 64),
    ("nia6", {"digit": "8", "clear": "instant"}, 96),
    ("nca4", {"digit": "8", "direction": "encrypt"}, 384),
    ("nca6", {}, None),
    ("nca6", {"digit": "1", "clear": "instant", "direction": "decrypt"}, None),
    ("nea5", {}, 8),
    ("nea5", {"sbox": "table", "clear": "none"}, 32),
    ("nea5", {"clear": "instant"}, 128),
    ("nea5", {"rounds": "14"}, 128),
    ("nia5", {"digit": "1", "clear": "instant"}, 8),
    ("nia5", {"digit": "32"}, 32),
    ("nia5", {"clear": "none"}, 128),
    ("nca5", {}, 8),
    ("nca5", {"clear": "instant", "direction": "encrypt"}, 32),
    ("nca5", {"digit": "1", "clear": "none", "direction": "decrypt"}, 128),
    ("nca5", {"rounds": "14", "sbox": "table", "clear": "instant"}, 128),
]
"""Modes, options, and load widths: with AES-256 they are the radix."""


def chosen(name: str, options: dict[str, str], width: int | None) -> Architecture:
    """The architecture of a load width, which a cipher of blocks has at one radix alone."""
    mode = CATALOGUE[name]
    radix = width if len(mode.legal_radices()) > 1 else None
    return Architecture.choose(mode, radix=radix, options=options, load_width=width)


EVERY_ARCHITECTURE = pytest.mark.parametrize(
    ("mode", "architecture"),
    [(CATALOGUE[name], chosen(name, options, width)) for name, options, width in ARCHITECTURES],
    ids=["-".join([name, *options.values(), str(width or "")])
         for name, options, width in ARCHITECTURES],
)  # fmt: skip


def message(mode: Mode256, text: int, data: int = 0, seed: int = 0) -> Message:
    """Some message: bytes of the text, and of the associated data."""
    source = Random(f"{mode.name} {text} {data} {seed}")
    key, string = source.randbytes(32), bitstring.from_bytes(source.randbytes(16), mode.bit_order)
    iv = bitstring.to_bytes(mode.fitting_iv(string), 128, mode.bit_order)
    return Message(key, iv, source.randbytes(data), source.randbytes(text), 8 * text)


def directed(messages: list[Message], architecture: Architecture) -> list[Message]:
    """The messages in a direction that the core has."""
    decrypts = architecture["direction"] == "decrypt"
    return [replace(message, decrypts=decrypts) for message in messages]


def load_command(mode: Mode256, architecture: Architecture, given: Message) -> str:
    words = facts_of(mode, architecture).load_words(given.key, given.nonce)
    return "load " + " ".join(f"{word:x}" for word in words)


def test_every_mode_has_a_core() -> None:
    tried = {(name, chosen(name, options, width).radix) for name, options, width in ARCHITECTURES}
    assert tried == {(mode.name, radix) for mode in MODES_256 for radix in mode.legal_radices()}


@EVERY_ARCHITECTURE
def test_vectors_with_gaps(mode: Mode256, architecture: Architecture) -> None:
    path = next(path for path in own_files(mode) if path.stem == mode.name)
    engine = RtlEngine(mode, architecture, gaps_permille=300)
    record = check_vectors(read_file(path, mode), engine, architecture)
    assert (record.passed, record.failures) == (COUNTS[mode.name], ())
    facts = facts_of(mode, architecture)
    assert engine.setup_cycles(bytes(32), bytes(16)) == facts.setup_cycles
    assert lint(engine.verilog.name, engine.verilog.text) == []


@EVERY_ARCHITECTURE
def test_lengths_follow_each_other(mode: Mode256, architecture: Architecture) -> None:
    """Texts up to some blocks; where there is associated data, every length beside every length up
    to more than a block, and some longer ones."""
    if mode.takes_associated_data:
        lengths = [(text, data) for text in (*range(0, 18, 3), 32, 47) for data in range(19)]
        lengths += [(text, 16) for text in range(20)] + [(4, 40), (40, 4), (64, 64)]
    else:
        lengths = [(text, 0) for text in range(70)]
    messages = directed([message(mode, *length) for length in lengths], architecture)
    engine = RtlEngine(mode, architecture)
    assert engine.process(messages) == [process_256(mode, one) for one in messages]


@EVERY_ARCHITECTURE
def test_interruptions(mode: Mode256, architecture: Architecture) -> None:
    """Reset, clear or a new load at any moment: the message after it is as ever."""
    data = 21 if mode.takes_associated_data else 0
    both = [message(mode, 50, data, 1), message(mode, 19, data // 2, 2)]
    first, second = directed(both, architecture)
    setup = facts_of(mode, architecture).setup_cycles
    transfer, passing = (transfer_of(mode, architecture, one) for one in (second, first))
    again = [load_command(mode, architecture, second), *transfer.commands()]
    whole = passing.commands()[0]
    ends = ["reset 1", "idle 0"] + ["clear"] * (architecture.clear != "none")
    moments = [[f"idle {cycles}"] for cycles in (0, 1, setup // 2, setup - 4, setup)]
    before = [*moments, *([whole, f"idle {cycles}"] for cycles in (0, 1, 2, 9, 30, 130))]
    commands, expected, words = ["reset 2"], [], len(passing.leaving(bytes(50)))
    for end, some in product(ends, before):
        commands += [load_command(mode, architecture, first), *some, end, *again]
        expected.append(words if some[0] == whole else 0)
    printed = iter(simulate(generate(mode, architecture), commands))
    for passed in expected:
        for _ in range(passed):
            next(printed)
        assert transfer.result(printed) == process_256(mode, second)
    assert next(printed, None) is None


@pytest.mark.parametrize("rounds", ["14", "1"])
def test_all_rounds_give_a_block_in_every_cycle(rounds: str) -> None:
    """Behind the setup no word of a text waits for its keystream; with one round some do."""
    mode = cast(Mode256, CATALOGUE["nea5"])
    options = {"rounds": rounds, "clear": "shift" if rounds == "14" else "instant"}
    architecture = Architecture.choose(mode, radix=128, options=options)
    given = message(mode, 640)
    transfer, facts = transfer_of(mode, architecture, given), facts_of(mode, architecture)
    commands = ["reset 2", load_command(mode, architecture, given), f"idle {facts.setup_cycles}",
                "patience 0", *transfer.commands()]  # fmt: skip
    if rounds == "1":
        with pytest.raises(ToolError, match="the data word was never taken"):
            simulate(generate(mode, architecture), commands)
        return
    assert (facts.bits_per_cycle, facts.message_cycles(640 * 8)) == (128, 40)
    printed = iter(simulate(generate(mode, architecture), commands))
    assert transfer.result(printed) == process_256(mode, given)


def test_all_rounds_need_whole_blocks() -> None:
    refused_for = r"^option rounds of nia5 at radix 32 must be 1, not '14'$"
    with pytest.raises(InputError, match=refused_for):
        Architecture.choose(CATALOGUE["nia5"], radix=32, options={"rounds": "14"})


@pytest.mark.parametrize("name", ["nca4", "nca6"])
def test_decryption_gives_text_and_tag_of_encryption(name: str) -> None:
    mode = cast(Mode256, CATALOGUE[name])
    messages = [message(mode, text, data) for text, data in ((0, 0), (1, 0), (33, 5), (16, 16))]
    engine = RtlEngine(mode, Architecture.choose(mode), gaps_permille=200)
    sealed = engine.process(messages)
    back = [replace(one, text=other.text, decrypts=True)
            for one, other in zip(messages, sealed, strict=True)]  # fmt: skip
    opened = engine.process(back)
    assert [one.text for one in opened] == [one.text for one in messages]
    assert [one.tag for one in opened] == [one.tag for one in sealed]


@pytest.mark.parametrize("interface", ["bus", "fifo", "custom", "axi4lite", "wishbone"])
def test_both_parts_of_a_message_do_not_share_words_of_software(
    interface: str, capsys: Capture, tmp_path: Path
) -> None:
    refused(
        capsys, ("generate", "nca4", "--interface", interface, "-o", str(tmp_path / "made")),
        "nca4 must have interface stream or axi4stream, not a processor's: words of software reach "
        "128 bits of the core one by one, and associated data and text share none of these",
    )  # fmt: skip


def test_widths_of_digits_are_those_of_the_word() -> None:
    for name, widths in (("nia4", "32, 128, 8, 1"), ("nca6", "32, 8, 1")):
        with pytest.raises(InputError, match=f"^option digit must be one of {widths}, not '64'$"):
            Architecture.choose(CATALOGUE[name], options={"digit": "64"})


@pytest.mark.parametrize("name", ["nia6", "nca6"])
def test_wrong_field_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hash_value, "_POWERS", (120, 126, 127, 128))
    mode = CATALOGUE[name]
    path = next(path for path in own_files(mode) if path.stem == mode.name)
    with afresh():
        engine = RtlEngine(mode, Architecture.choose(mode))
    assert check_vectors(read_file(path, mode), engine).failed > 20


def test_wrong_place_of_the_lengths_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "headwater.kinds.telephony.aead.AeadCore._text_length",
        property(lambda core: Value.cast(core.ad_bytes)),
    )
    mode = CATALOGUE["nca6"]
    path = next(path for path in own_files(mode) if Path(path).stem == "nca6")
    with afresh():
        engine = RtlEngine(mode, Architecture.choose(mode))
    assert check_vectors(read_file(path, mode), engine).failed > 20


@pytest.mark.parametrize(
    ("name", "radix"),
    [("nea5", 32), ("nia6", 32), ("nca5", 32)],
)
def test_netlist_and_cycles_of_a_message(name: str, radix: int, tmp_path: Path) -> None:
    """What energy counts is what a netlist of cells takes; the smallest of its kind."""
    mode, target = cast(Mode256, CATALOGUE[name]), TARGETS["osu018"]
    assert isinstance(target, AsicTarget)
    options = {"digit": "1"} if "nea" not in name else {}
    architecture = Architecture.choose(mode, radix=radix, options=options)
    verilog, library = generate(mode, architecture), target.library()
    netlist = map_to_cells(verilog.text, verilog.name, library, tmp_path, None).verilog
    given = stimulus(mode, architecture, 9)
    run = simulate_gates(
        netlist, library, verilog.name, load_words=given.load_words, words=len(given.words),
        folder=tmp_path, data_words=given.data_words, watch=True,
    )  # fmt: skip
    given.check(run, name)
    facts = facts_of(mode, architecture)
    assert run.phases["setup"].cycles == facts.setup_cycles
    assert run.phases["running"].cycles == facts.message_cycles(9 * radix - 8)


# --- promises

HASH = {"order", "product", "blocks", "keys"}
COMMON = {"setup", "next", "session", "hold", "silence", "clear"}
OF_WORDS, OF_BLOCKS = COMMON | {"step", "words"}, COMMON | {"load", "counter", "sbox", "round"}


@pytest.mark.parametrize(
    ("name", "promised"),
    [
        ("nea4", OF_WORDS | {"text"}), ("nia4", OF_WORDS | HASH),
        ("nca6", OF_WORDS | HASH | {"texts"}),
        ("nea5", OF_BLOCKS | {"text"}), ("nia5", OF_BLOCKS | HASH),
        ("nca5", OF_BLOCKS | HASH | {"texts"}),
    ],
)  # fmt: skip
def test_promises(name: str, promised: set[str]) -> None:
    mode = CATALOGUE[name]
    for radix in mode.legal_radices():
        offered = promises_of(mode, Architecture.choose(mode, radix=radix))
        assert {promise.name for promise in offered} == promised


@pytest.mark.parametrize(
    ("name", "options", "promised"),
    [
        ("nea4", {"sbox": "table"}, {"text", "setup"}),
        ("nea6", {}, {"words"}),
        ("nia4", {"digit": "8"}, {"blocks", "keys"}),
        ("nia6", {"digit": "1"}, {"order"}),
        ("nia6", {"digit": "8", "clear": "instant"}, {"blocks", "product", "keys", "setup"}),
        ("nca4", {"digit": "1"}, {"texts", "product"}),
        ("nca6", {"digit": "8"},
         {"blocks", "keys", "texts", "order", "session", "hold", "silence", "clear", "next",
          "step"}),
    ],
)  # fmt: skip
def test_promises_are_kept(name: str, options: dict[str, str], promised: set[str]) -> None:
    assert_proven(CATALOGUE[name], Architecture.choose(CATALOGUE[name], options=options), promised)


@pytest.mark.parametrize(
    ("name", "radix", "promised"),
    [
        ("nea5", 8, {"setup", "next", "hold", "counter", "sbox", "round"}),
        ("nea5", 32, {"load", "round", "text"}), ("nia5", 8, {"load"}),
        ("nca5", 128, {"load"}), ("nea5", 128, {"round"}), ("nia5", 32, {"counter", "keys"}),
        ("nca5", 32, {"counter", "texts", "setup"}),
    ],
)  # fmt: skip
def test_promises_of_aes_are_kept(name: str, radix: int, promised: set[str]) -> None:
    assert_proven(CATALOGUE[name], Architecture.choose(CATALOGUE[name], radix=radix), promised)


def test_promises_of_all_rounds_are_kept() -> None:
    mode = CATALOGUE["nea5"]
    made = Architecture.choose(mode, radix=128, options={"rounds": "14"})
    assert {one.name for one in promises_of(mode, made)} == OF_BLOCKS | {"text"}
    assert_proven(mode, made, {"setup", "load", "next"})


def test_integrity_keeps_no_key_of_the_hash_but_the_point() -> None:
    modes = (CATALOGUE[name] for name in ("nia6", "nca6"))
    one, both = (registers_of(generate(mode, Architecture.choose(mode)).text) for mode in modes)
    assert {"point", "operand", "product", "last_point", "pad"} <= both.keys()
    assert {"point", "operand"} <= one.keys()
    assert not {"last_point", "pad"} & one.keys()
