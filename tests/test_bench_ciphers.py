# SPDX-License-Identifier: Apache-2.0
"""Every cipher in standard cells: what a netlist is simulated with, energy, and wrong netlists."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from emitted import with_value

from headwater.algebra import bitstring
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog, generate
from headwater.errors import ToolError
from headwater.flow.asic import MappedNetlist
from headwater.flow.gatephases import Phase
from headwater.flow.gatesim import GateRun
from headwater.flow.power import Power
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.filtered.description import FilteredLfsr
from headwater.kinds.reading import process
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.description import SteppedCipher
from headwater.measure import asic
from headwater.measure import stimulus as stimuli
from headwater.measure.asic import evaluate_in_cells
from headwater.measure.energy import energy_figures
from headwater.measure.figures import Figures
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings
from headwater.measure.stimulus import Stimulus, _key_and_iv, stimulus
from headwater.measure.target import TARGETS, AsicTarget

OSU018 = TARGETS["osu018"]

needs_cells = pytest.mark.skipif(
    not (shutil.which("iverilog") and shutil.which("sta"))
    or not (isinstance(OSU018, AsicTarget) and OSU018.liberty.exists()),
    reason="needs iverilog, sta and osu018: apt-get install iverilog opensta qflow-tech-osu018",
)

STEPPED = [name for name, cipher in CATALOGUE.items() if isinstance(cipher, SteppedCipher)]
AUTHENTICATED = [name for name, cipher in CATALOGUE.items() if isinstance(cipher, BitAead)]
BITWISE = [
    name
    for name in STEPPED
    if name not in (*AUTHENTICATED, "sfinks-ae")
    and {1, 2, 4} <= set(CATALOGUE[name].legal_radices())
]


def architecture(
    name: str, radix: int | None = None, load_width: int | None = None, **options: str
) -> Any:
    return Architecture.choose(CATALOGUE[name], radix=radix, load_width=load_width, options=options)


def given(name: str, radix: int | None = None, words: int = 40, **options: str) -> Stimulus:
    return stimulus(CATALOGUE[name], architecture(name, radix, **options), words)


# What goes in, and what must come out


@pytest.mark.parametrize("name", STEPPED)
def test_key_and_iv_are_legal_and_irregular(name: str) -> None:
    cipher = CATALOGUE[name]
    key, iv, iv_bits = _key_and_iv(cipher, architecture(name))
    assert iv_bits == cipher.iv_bits[-1]
    key_string, iv_string = cipher.input_bits(key, iv, iv_bits)
    for string in (key_string, iv_string):
        assert 0.3 * len(string) < sum(string) < 0.7 * len(string)
    assert given(name) == given(name)


def test_iv_of_grain_128a_asks_for_authentication() -> None:
    cipher = CATALOGUE["grain128a-ae"]
    _, iv, _ = _key_and_iv(cipher, architecture("grain128a-ae"))
    # Its bit 0 is the most significant of the first byte.
    assert iv[0] & 0x80


@pytest.mark.parametrize(("name", "unused"), [("e0", 0b11111100), ("a51", 0b11000000)])
def test_unused_bits_of_an_iv_are_zero(name: str, unused: int) -> None:
    _, iv, _ = _key_and_iv(CATALOGUE[name], architecture(name))
    assert iv[-1] & unused == 0


@pytest.mark.parametrize(("width", "words"), [(1, 160), (3, 53), (7, 22), (90, 1), (160, 1)])
def test_longest_load_of_whole_words(width: int, words: int) -> None:
    """A load of MICKEY 2.0, 80 to 160 bits, must be whole words."""
    made = stimulus(CATALOGUE["mickey2"], architecture("mickey2", 1, width), 8)
    assert len(made.load_words) == words


def bits_of(words: tuple[int, ...], width: int) -> int:
    return sum(word << width * number for number, word in enumerate(words))


@pytest.mark.parametrize("radix", [1, 4])
@pytest.mark.parametrize("name", BITWISE)
def test_keystream_does_not_depend_on_the_radix(name: str, radix: int) -> None:
    assert bits_of(given(name, radix, 40).words, radix) == bits_of(
        given(name, 2, 20 * radix).words, 2
    )


@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
@pytest.mark.parametrize("radix", [1, 2, 8, 32, 64])
@pytest.mark.parametrize("name", AUTHENTICATED)
def test_message_is_what_the_model_processes(name: str, radix: int, direction: str) -> None:
    """Put together again from its words, with widths as documented."""
    cipher, width = CATALOGUE[name], max(1, radix // 2)
    assert isinstance(cipher, BitAead)
    made = given(name, radix, 40, direction=direction)
    kept = [(keep, keep.bit_length()) for _, keep, _ in made.data_words]
    total = sum(bits for _, bits in kept)
    string = bits_of(tuple(payload for payload, *_ in made.data_words), width)
    before = 8 * (5 + len(cipher.header(5))) if cipher.takes_associated_data else 0
    bits = max(1, 40 * width - 1)
    assert total == before + bits
    # Every word is full but the last one.
    assert {keep for keep, _ in kept[:-1]} == {(1 << width) - 1}
    order = cipher.bit_order
    associated = bitstring.to_bytes(string, before, order)[len(cipher.header(5)) if before else 0 :]
    key, iv, _ = _key_and_iv(cipher, architecture(name, radix))
    text = bitstring.to_bytes(string >> before, bits, order)
    sealed = process(cipher, Message(key, iv, associated, text, bits, direction == "decrypt"))
    tag_bits = min(radix, cipher.tag_bits)
    assert bits_of(made.words, tag_bits) == bitstring.from_bytes(sealed.tag, order)
    other = bitstring.from_bytes(sealed.text, order)
    first = before // width
    assert [last for *_, last in made.data] == [0] * (len(made.data) - 1) + [1]
    for number, (payload, keep, _) in enumerate(made.data, start=first):
        place = number * width
        inside = sum(1 << bit for bit in range(width) if before <= place + bit < total)
        assert keep == inside
        assert payload == other << before >> place & inside
    assert len(made.data) == len(made.data_words) - first


# Energy of messages


@pytest.mark.parametrize(
    ("name", "radix", "option", "cycles"),
    [
        ("trivium", 8, "", 8),
        ("trivium", 24, "", 3),
        ("mickey2", 1, "", 64),
        # 64 bits and the one after them; the tag begins in the second cycle of that.
        ("grain128a-ae", 1, "direct", 2 * 65 - 1),
        ("grain128a-ae", 1, "isolated", 2 * 65),
        ("grain128a-ae", 2, "direct", 65),
        ("grain128a-ae", 8, "direct", 16 + 1),
        ("grain128a-ae", 64, "direct", 2 + 1),
        # A byte of header: the one is in the last word where that is wider than a byte.
        ("grain128aead", 1, "direct", 2 * 73 - 1),
        ("grain128aead", 16, "direct", 9 + 1),
        ("grain128aead", 32, "direct", 5),
        ("grain128aead", 64, "direct", 3),
        ("grain128aeadv2", 64, "isolated", 3 + 1),
    ],
)
def test_cycles_of_a_block(name: str, radix: int, option: str, cycles: int) -> None:
    made = architecture(name, radix, **({"authenticator": option} if option else {}))
    assert facts_of(CATALOGUE[name], made).message_cycles(64) == cycles


def test_energy_of_an_authenticated_message_by_hand() -> None:
    """10 mW at 100 MHz are 0.1 nJ a cycle."""
    made = architecture("grain128aead", 8)
    point = DesignPoint(CATALOGUE["grain128aead"], made, OSU018, Settings(1))
    run = GateRun((), Phase(64, {}), Phase(40, {}), tag=Phase(8, {}))
    watts = {"setup": 0.02, "running": 0.01, "tag": 0.005}
    power = {phase: Power(total, 0.0, 0.0, total) for phase, total in watts.items()}
    found = energy_figures(point, run, power, 100.0, 200.0)
    assert (found["power_mw"], found["setup_power_mw"]) == (10.0, 20.0)
    # Four message bits a cycle.
    assert found["energy_pj_per_bit"] == pytest.approx(100 / 4)
    assert found["setup_energy_nj"] == pytest.approx(64 * 0.2)
    assert found["tag_energy_nj"] == pytest.approx(8 * 0.05)
    fixed = 64 * 0.2 + 8 * 0.05
    # Words of the header's byte, of 64 bits and of 64 kbit, and of the one after them; the
    # authenticator is a cycle later.
    assert found["energy_message_nj"].one_block == pytest.approx(
        fixed + 0.1 * (2 + 16 + 1 + 1), rel=1e-3
    )
    thousand = fixed + 0.1 * (2 + 16000 + 1 + 1)
    assert found["energy_message_nj"].thousand_blocks == pytest.approx(thousand, rel=1e-3)


# Real netlists


class Watched:
    """Evaluation of one netlist with few words, and what its simulation gave."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, words: int) -> None:
        self.runs: list[GateRun] = []
        self.generate: Callable[[Cipher, Architecture], Verilog] = generate
        self._simulate = stimuli.simulate_gates
        monkeypatch.setattr(stimuli, "simulate_gates", self.simulate)
        monkeypatch.setattr(asic, "SWEEP", ())
        monkeypatch.setattr(asic, "_POWER_CYCLES", words)

    def simulate(self, *arguments: Any, **named: Any) -> GateRun:
        self.runs.append(self._simulate(*arguments, **named))
        return self.runs[-1]

    def evaluate(self, name: str, radix: int | None = None, **options: str) -> Figures:
        assert isinstance(OSU018, AsicTarget)
        point = DesignPoint(CATALOGUE[name], architecture(name, radix, **options), OSU018)
        verilog = self.generate(point.cipher, point.architecture)
        return evaluate_in_cells(point, OSU018, verilog)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch, 24)


def check(cipher: Cipher, found: Figures, run: GateRun) -> None:
    """What must hold of every netlist that passed."""
    assert run.setup.cycles == facts_of(cipher, found.point.architecture).setup_cycles
    registers = sum(register.length for register in cipher.registers)
    if isinstance(cipher, FilteredLfsr):
        registers = cipher.state_bits  # There is no pipeline as the description has it.
    assert registers <= (found.ff or 0) <= 1.2 * registers + 16
    assert found.ge is not None
    # A flip-flop of this library is 4 GE.
    assert found.ge > 4 * registers
    record = found.as_json()
    per_bit = 1000 * record["power_mw"] / record["power_clock_mhz"] / record["bits_per_cycle"]
    assert record["energy_pj_per_bit"] == pytest.approx(per_bit, rel=2e-3)
    blocks = record["energy_message_nj"]
    difference = blocks["thousand_blocks"] - blocks["one_block"]
    assert difference == pytest.approx(999 * 64 * per_bit / 1000, rel=5e-3)
    # The running cipher is told from the setup, and from the tag.
    assert found.critical_stage is not None
    assert found.running_fmax_mhz is not None


OF_A_FAMILY = (
    "zuc256",
    "zuc256_iv25",
    "snow2",
    "snow3g",
    "snow5g",
    "snow_v",
    "kcipher2",
    "mickey128",
    "kasumi_f8",
    "a53",
    "gea3",
    "achterbahn128",
    "achterbahn-v1-reduced",
    "grain128",
    "grain128aead",
)
"""Those whose netlists are larger than those of another of the same family, and made alike."""


@needs_cells
@pytest.mark.parametrize("name", [name for name in STEPPED if name not in OF_A_FAMILY])
def test_every_cipher_in_cells(watched: Watched, name: str) -> None:
    """24 words of one bit, or of a message two cycles for each: the authenticator is a cycle later,
    and the second cycle of the last word is one of the tag."""
    cipher = CATALOGUE[name]
    found = watched.evaluate(name)
    run = watched.runs[-1]
    check(cipher, found, run)
    if name == "sfinks-ae":
        # Five bytes of associated data, and two of text.
        assert (run.running.cycles, run.tag and run.tag.cycles) == (16, 64)
    elif isinstance(cipher, BitAead):
        assert run.running.cycles == 2 * 24 - 1 + 1
        assert run.tag is not None
        assert (run.tag.cycles, len(run.words)) == (cipher.tag_bits, cipher.tag_bits)
        assert found.tag_energy_nj is not None
    else:
        assert (run.running.cycles, run.tag, found.tag_energy_nj) == (24, None, None)


@needs_cells
@pytest.mark.parametrize(
    ("name", "radix", "options"),
    [("aes_ofb", 8, {}), ("aes_ofb", 32, {"stall": "none"})],
)
def test_ciphers_of_blocks_in_cells(
    watched: Watched, name: str, radix: int, options: dict[str, str]
) -> None:
    found = watched.evaluate(name, radix, **options)
    facts = facts_of(CATALOGUE[name], found.point.architecture)
    run = watched.runs[-1]
    assert run.setup.cycles == facts.setup_cycles
    bits = radix * len(run.words)
    assert run.running.cycles == facts.keystream_cycles(bits)
    record = found.as_json()
    per_bit = 1000 * record["power_mw"] / record["power_clock_mhz"] / record["bits_per_cycle"]
    assert record["energy_pj_per_bit"] == pytest.approx(per_bit, rel=2e-3)


@needs_cells
@pytest.mark.parametrize(
    ("name", "radix"), [("trivium", 3), ("mickey2", 2), ("e0", 4), ("grain128aeadv2", 8)]
)
def test_free_running_cores_in_cells(watched: Watched, name: str, radix: int) -> None:
    cipher = CATALOGUE[name]
    check(cipher, watched.evaluate(name, radix, stall="none"), watched.runs[-1])
    later = isinstance(cipher, BitAead)
    assert watched.runs[-1].running.cycles == 24 + later


@needs_cells
@pytest.mark.parametrize("authenticator", ["direct", "isolated"])
@pytest.mark.parametrize("radix", [1, 4])
def test_cycles_of_a_message_are_those_of_the_netlist(
    monkeypatch: pytest.MonkeyPatch, radix: int, authenticator: str
) -> None:
    """Of grain128a-ae, which puts nothing before the text."""
    width = max(1, radix // 2)
    watched = Watched(monkeypatch, 64 // width)
    found = watched.evaluate("grain128a-ae", radix, authenticator=authenticator)
    bits = max(1, 64 // width * width - 1)
    cycles = facts_of(CATALOGUE["grain128a-ae"], found.point.architecture).message_cycles(bits)
    assert watched.runs[-1].running.cycles == cycles


def edited(signal: str, value: str) -> Callable[..., Verilog]:
    """Generation of Verilog in which one signal has another value."""

    def generate_wrong(cipher: Cipher, made: Architecture) -> Verilog:
        right = generate(cipher, made)
        return replace(right, text=with_value(right.text, signal, value))

    return generate_wrong


@needs_cells
@pytest.mark.parametrize(
    ("signal", "value", "wrong"),
    [
        ("data_out_payload", r"~(\1)", "text"),
        ("data_out_keep", r"(\1) >> 1", "text"),
        ("data_out_last", "1'b0", "text"),
        ("tag_payload", r"(\1) ^ 1", "tag"),
        # What is associated is not authenticated.
        ("plain", r"(\1) & {2{~data_in_ad}}", "tag"),
    ],
)
def test_wrong_message_is_refused(watched: Watched, signal: str, value: str, wrong: str) -> None:
    watched.generate = edited(signal, value)
    message = f"the osu018 netlist of grain128aead_r4 gives another {wrong} than the model"
    with pytest.raises(ToolError, match=f"^{message}$"):
        watched.evaluate("grain128aead", 4)


@needs_cells
@pytest.mark.parametrize("place", [0, 0.5])
def test_wrong_gate_of_an_authenticated_core_is_refused(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, place: float
) -> None:
    """One XOR too many negated. The first is before a bit of the accumulator, and negates it with
    every word that is added: after an even number of such words the tag is right."""
    map_to_cells = asic.map_to_cells

    def with_a_wrong_gate(*arguments: Any) -> MappedNetlist:
        mapped = map_to_cells(*arguments)
        gates = list(re.finditer(r"\bXNOR2X1\b", mapped.verilog))
        start, end = gates[int(place * len(gates))].span()
        wrong = f"{mapped.verilog[:start]}XOR2X1{mapped.verilog[end:]}"
        return replace(mapped, verilog=wrong)

    monkeypatch.setattr(asic, "map_to_cells", with_a_wrong_gate)
    with pytest.raises(ToolError, match=r"^the osu018 netlist of grain128aead_r4 gives another"):
        watched.evaluate("grain128aead", 4)
