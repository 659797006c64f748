# SPDX-License-Identifier: Apache-2.0
"""Cores of the 256-bit modes of 5G: rounds, digits, gates, proofs."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import cast

import pytest
from command_line import Capture, refused
from emitted import registers_of
from proven import assert_proven

from headwater.algebra import bitstring
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError, ToolError
from headwater.flow.asic import map_to_cells
from headwater.flow.gatesim import simulate_gates
from headwater.flow.verilator import simulate
from headwater.kinds.registry import facts_of, properties_of
from headwater.kinds.telephony.mode_256 import Mode256
from headwater.kinds.telephony.model_256 import process_256
from headwater.measure.stimulus import stimulus
from headwater.measure.target import TARGETS, AsicTarget
from headwater.verify.transfer import transfer_of


def message(mode: Mode256, text: int, data: int = 0, seed: int = 0) -> Message:
    """Some message: bytes of the text, and of the associated data."""
    source = Random(f"{mode.name} {text} {data} {seed}")
    key, string = source.randbytes(32), bitstring.from_bytes(source.randbytes(16), mode.bit_order)
    iv = bitstring.to_bytes(mode.fitting_iv(string), 128, mode.bit_order)
    return Message(key, iv, source.randbytes(data), source.randbytes(text), 8 * text)


def load_command(mode: Mode256, architecture: Architecture, given: Message) -> str:
    words = facts_of(mode, architecture).load_words(given.key, given.nonce)
    return "load " + " ".join(f"{word:x}" for word in words)


@pytest.mark.parametrize("rounds", ["14", "1"])
def test_all_rounds_give_a_block_in_every_cycle(rounds: str) -> None:
    """Behind the setup no word of a text waits for its keystream; with one round some do."""
    mode = cast(Mode256, CATALOGUE["nea5"])
    options = {"rounds": rounds, "clear": "shift" if rounds == "14" else "instant"}
    architecture = Architecture.choose(mode, radix=128, options=options)
    given = message(mode, 640)
    transfer, facts = transfer_of(mode, architecture, given), facts_of(mode, architecture)
    commands = [
        "reset 2",
        load_command(mode, architecture, given),
        f"idle {facts.setup_cycles}",
        "patience 0",
        *transfer.commands(),
    ]
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


@pytest.mark.parametrize("interface", ["bus", "fifo", "custom", "axi4lite", "wishbone"])
def test_both_parts_of_a_message_do_not_share_words_of_software(
    interface: str, capsys: Capture, tmp_path: Path
) -> None:
    refused(
        capsys,
        ("generate", "nca4", "--interface", interface, "-o", str(tmp_path / "made")),
        "nca4 must have interface stream or axi4stream, not a processor's: words of software reach "
        "128 bits of the core one by one, and associated data and text share none of these",
    )


def test_widths_of_digits_are_those_of_the_word() -> None:
    for name, widths in (("nia4", "32, 128, 8, 1"), ("nca6", "32, 8, 1")):
        with pytest.raises(InputError, match=f"^option digit must be one of {widths}, not '64'$"):
            Architecture.choose(CATALOGUE[name], options={"digit": "64"})


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
        netlist,
        library,
        verilog.name,
        load_words=given.load_words,
        words=len(given.words),
        folder=tmp_path,
        data_words=given.data_words,
        watch=True,
    )
    given.check(run, name)
    facts = facts_of(mode, architecture)
    assert run.phases["setup"].cycles == facts.setup_cycles
    assert run.phases["running"].cycles == facts.message_cycles(9 * radix - 8)


# --- properties

COMMON = {"setup", "next", "session", "hold", "silence", "clear"}
OF_BLOCKS = COMMON | {"load", "counter", "sbox", "round"}


@pytest.mark.parametrize(
    ("name", "options", "asserted"),
    [
        ("nea4", {"sbox": "table"}, {"text", "setup"}),
        ("nea6", {}, {"words"}),
        ("nia4", {"digit": "8"}, {"blocks", "keys"}),
        ("nia6", {"digit": "1"}, {"order"}),
        ("nia6", {"digit": "8", "clear": "instant"}, {"blocks", "product", "keys", "setup"}),
        ("nca4", {"digit": "1"}, {"texts", "product"}),
        (
            "nca6",
            {"digit": "8"},
            {
                "blocks",
                "keys",
                "texts",
                "order",
                "session",
                "hold",
                "silence",
                "clear",
                "next",
                "step",
            },
        ),
    ],
)
def test_properties_are_kept(name: str, options: dict[str, str], asserted: set[str]) -> None:
    assert_proven(CATALOGUE[name], Architecture.choose(CATALOGUE[name], options=options), asserted)


@pytest.mark.parametrize(
    ("name", "radix", "asserted"),
    [
        ("nea5", 8, {"setup", "next", "hold", "counter", "sbox", "round"}),
        ("nea5", 32, {"load", "round", "text"}),
        ("nia5", 8, {"load"}),
        ("nca5", 128, {"load"}),
        ("nea5", 128, {"round"}),
        ("nia5", 32, {"counter", "keys"}),
        ("nca5", 32, {"counter", "texts", "setup"}),
    ],
)
def test_properties_of_aes_are_kept(name: str, radix: int, asserted: set[str]) -> None:
    assert_proven(CATALOGUE[name], Architecture.choose(CATALOGUE[name], radix=radix), asserted)


def test_properties_of_all_rounds_are_kept() -> None:
    mode = CATALOGUE["nea5"]
    made = Architecture.choose(mode, radix=128, options={"rounds": "14"})
    assert {one.name for one in properties_of(mode, made)} == OF_BLOCKS | {"text"}
    assert_proven(mode, made, {"setup", "load", "next"})


def test_integrity_keeps_no_key_of_the_hash_but_the_point() -> None:
    modes = (CATALOGUE[name] for name in ("nia6", "nca6"))
    one, both = (registers_of(generate(mode, Architecture.choose(mode)).text) for mode in modes)
    assert {"point", "operand", "product", "last_point", "pad"} <= both.keys()
    assert {"point", "operand"} <= one.keys()
    assert not {"last_point", "pad"} & one.keys()
