# SPDX-License-Identifier: Apache-2.0
"""Cores of MOSQUITO and MOUSTIQUE, their proofs and gates."""

from __future__ import annotations

import random
import re

import pytest
from emitted import registers_of
from mosquitos import (
    IV,
    KEY,
    architecture,
    each,
    engine,
    facts,
    text_of,
)

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.cipher.mosquito import MOSQUITO, MOUSTIQUE
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.flow import verilator
from headwater.flow.asic import map_to_cells
from headwater.flow.folders import private_folder
from headwater.flow.gatesim import simulate_gates
from headwater.kinds.reading import process
from headwater.kinds.self_synchronising.description import (
    SelfSynchronisingCipher,
)
from headwater.kinds.self_synchronising.emptying import emptying
from headwater.measure.stimulus import stimulus
from headwater.measure.target import TARGETS, AsicTarget
from headwater.verify.proof import prove

# --- cores


def bits_of(printed: list[str], radix: int) -> int:
    """The text that a core gave, whole words only."""
    return sum(int(line.split()[0], 16) << radix * n for n, line in enumerate(printed))


def words(string: int, bits: int, radix: int) -> list[str]:
    keep = (1 << radix) - 1
    return [f"{string >> at & keep:x}:{keep:x}:0" for at in range(0, bits, radix)]


@each
@pytest.mark.parametrize("radix", [1, 2, 3])
def test_core_resynchronises(cipher: SelfSynchronisingCipher, radix: int) -> None:
    """After a wrong bit, and after lost words, in the middle of a text."""
    made, bits, place, lost = engine(cipher, radix), 720, 240, 30
    plain = bitstring.from_bytes(text_of(bits), "msb_first")
    sealed = process(cipher, Message(KEY, IV, b"", text_of(bits), bits))
    right = bitstring.from_bytes(sealed.text, "msb_first")
    load = made._load(KEY, IV)
    wrong = words(right ^ 1 << place, bits, radix)
    cut = words(right & (1 << place) - 1 | right >> place + lost << place, bits - lost, radix)
    printed = verilator.simulate(
        made.verilog,
        [
            "reset 2",
            "gaps 3 200",
            *load,
            f"message 1 {' '.join(wrong)}",
            *load,
            f"message 1 {' '.join(cut)}",
        ],
    )
    first = bits_of(printed[: len(wrong)], radix) ^ plain
    disturbed = {bit - place for bit in range(bits) if first >> bit & 1}
    assert 0 in disturbed
    assert len(disturbed) > 20
    assert disturbed <= {0, *range(10, 106)}
    second = bits_of(printed[len(wrong) :], radix)
    assert second & (1 << place) - 1 == plain & (1 << place) - 1
    behind = second >> place ^ plain >> place + lost
    recovered = (1 << bits - place - lost) - (1 << 105)
    assert behind & recovered == 0
    assert behind


def test_bits_that_do_not_count_are_zeros_of_ciphertext() -> None:
    """Whichever way the text goes: what follows them is decrypted right."""
    made = engine(MOSQUITO, 3)
    load = made._load(KEY, IV)
    first = "5:1:0"
    text = words(random.Random(4).getrandbits(150), 150, 3)
    sent = verilator.simulate(
        made.verilog, ["reset 2", *load, f"message 0 {' '.join([first, *text])}"]
    )
    again = [f"{payload}:{keep}:0" for payload, keep in map(str.split, sent)]
    back = verilator.simulate(made.verilog, ["reset 2", *load, f"message 1 {' '.join(again)}"])
    assert [line.split()[0] for line in back] == ["1", *(word.partition(":")[0] for word in text)]
    assert sent != back


@pytest.mark.parametrize("stall", ["stream", "none"])
def test_cycles_of_clear_are_those_that_it_takes(stall: str) -> None:
    for radix, layers in ((1, "7"), (2, "0"), (3, "1"), (4, "0")):
        found = facts(MOUSTIQUE, radix, stall=stall, layers=layers)
        assert found.clear_cycles == len(list(emptying(found)))
    assert facts(MOSQUITO).clear_cycles == 202


@pytest.mark.parametrize(
    ("radix", "options"),
    [(1, {"layers": "7", "stall": "none", "clear": "none"}), (1, {}), (3, {"layers": "1"})],
    ids=str,
)
def test_flip_flops_are_counted(radix: int, options: dict[str, str]) -> None:
    found = facts(MOSQUITO, radix, **options).flip_flops
    text = generate(MOSQUITO, architecture(MOSQUITO, radix, **options)).text
    assert sum(found.values()) == sum(registers_of(text).values())
    if options.get("layers") == "7":
        cells = found["ciphertext"] + found["keyed_register"] + found["pipeline"]
        assert cells == MOSQUITO.state_bits == 405


def test_printed_flip_flops_stand_beside_ours() -> None:
    sheet = datasheet(MOSQUITO, architecture(MOSQUITO))
    (sentence,) = sheet["printed_flip_flops"]
    assert "411 by ETH" in sentence
    assert {"410", str(sheet["state_bits"])} <= set(re.findall(r"\d+", sentence))
    assert 410 - sheet["state_bits"] == 53 - sheet["registers"]["p5"]["length"]
    assert sheet["flip_flops"]["all"] == 246
    assert "printed_flip_flops" not in datasheet(MOUSTIQUE, architecture(MOUSTIQUE))


def test_sheet_tells_memory_and_setup() -> None:
    sheet = datasheet(MOUSTIQUE, architecture(MOUSTIQUE, 3))
    assert sheet["kind"] == "self-synchronising"
    assert sheet["setup_steps"] == 105
    assert sheet["setup_cycles"] == 67
    assert "10 to 105" in sheet["memory"]
    assert sheet["security"].startswith("broken: ")
    assert "AFRICACRYPT 2008" in sheet["security"]


# --- proofs and gates


@pytest.mark.parametrize(
    ("cipher", "radix", "options"),
    [(MOSQUITO, 1, {}), (MOUSTIQUE, 2, {"layers": "2", "stall": "none", "direction": "encrypt"})],
    ids=lambda part: part.name if isinstance(part, Cipher) else str(part),
)
def test_proofs(cipher: Cipher, radix: int, options: dict[str, str]) -> None:
    records = prove(cipher, architecture(cipher, radix, **options))
    assert [record.failures for record in records] == [()] * len(records)
    names = {record.check.removeprefix("proof of ") for record in records}
    waits = {"hold", "silence"} if not options else set()
    assert names == {"step", "entering", "setup", "session", "text", "clear"} | waits


OSU018 = TARGETS["osu018"]


@pytest.mark.skipif(
    not (isinstance(OSU018, AsicTarget) and OSU018.liberty.exists()),
    reason="needs osu018: apt-get install qflow-tech-osu018",
)
@pytest.mark.parametrize(
    ("radix", "options", "most"),
    [
        (1, {"stall": "none", "clear": "none"}, 4000),
        (1, {}, 4400),
        (1, {"clear": "none", "direction": "decrypt"}, 6500),
        (2, {"stall": "none", "clear": "none"}, 7000),
    ],
    ids=str,
)
def test_gates(radix: int, options: dict[str, str], most: int) -> None:
    """Far fewer than the 20000 or so of ETH Zurich's layout (of radix 3)."""
    assert isinstance(OSU018, AsicTarget)
    chosen = architecture(MOSQUITO, radix, **options)
    made, library = generate(MOSQUITO, chosen), OSU018.library()
    given = stimulus(MOSQUITO, chosen, 60)
    with private_folder() as folder:
        mapped = map_to_cells(made.text, made.name, library, folder, None)
        run = simulate_gates(
            mapped.verilog,
            library,
            made.name,
            load_words=given.load_words,
            words=0,
            folder=folder,
            data_words=given.data_words,
        )
    given.check(run, "the netlist")
    assert run.setup.cycles == facts(MOSQUITO, radix, **options).setup_cycles
    assert mapped.ge < most
