# SPDX-License-Identifier: Apache-2.0
"""The ports of coprocessors by themselves: waiting, interruption, clear, what cannot be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from coprocessors import Coprocessor
from emitted import iverilog_warnings

from headwater.cipher.catalogue import find
from headwater.cli.main import main
from headwater.codesign.job import expected_keystream
from headwater.flow.verilator import lint_files
from headwater.interface import port as ports
from headwater.interface import registers
from headwater.interface.port import Port
from headwater.interface.public_secret import public_secret
from headwater.interface.registers import INSTRUCTIONS, REGISTERS

TRIVIUM = find("trivium")
LOAD, GET, PUT, EXCHANGE, STATUS, CLEAR, REGISTER, CHECK = (entry.value for entry in INSTRUCTIONS)
ADDRESS = {register.name: register.address for register in REGISTERS}
PATIENCE = 16384
LATE, LOADED, BUSY = 1 << 8, 1 << 10, 1 << 9

INSTRUCTION, PAIRS, LINK, BUS, DMA = (
    ports.PORTS[name] for name in ("custom", "custom3", "fifo", "bus", "dma")
)
BUS_LINK = Port(instruction=False, fifo=True)
PORTS = {
    **{name: port for name, port in ports.PORTS.items() if not port.bus.adapter},
    "bus fifo": BUS_LINK,
}
"""Those that the driver of these tests can use; for the others see `test_buses.py`."""


def load_of(made: Coprocessor, port: Port, words: list[int] | None = None) -> list[str]:
    """The commands of a load."""
    words = made.load if words is None else words
    if not port.instruction:
        first, *rest = words
        return [
            f"write {ADDRESS['LOAD_FIRST']:x} {first:x}",
            *(f"write {ADDRESS['LOAD_NEXT']:x} {word:x}" for word in rest),
        ]
    if port.pairs:
        padded = [*words, 0]
        return [
            f"op {place:x} {LOAD} {padded[place]:x} {padded[place + 1]:x}"
            for place in range(0, len(words), 2)
        ]
    return [f"op 0 {LOAD} {word:x} {place:x}" for place, word in enumerate(words)]


def get(port: Port) -> str:
    return f"op 0 {GET} 0 0" if port.instruction else f"read {ADDRESS['DATA']:x}"


def status(port: Port) -> str:
    return f"op 0 {STATUS} 0 0" if port.instruction else f"read {ADDRESS['STATUS']:x}"


def clear(port: Port) -> str:
    return f"op 0 {CLEAR} 0 0" if port.instruction else f"write {ADDRESS['STATUS']:x} 0"


def value(line: str) -> int:
    return int(line.split()[0], 16)


def keystream(made: Coprocessor, words: int) -> list[int]:
    assert made.cipher is TRIVIUM
    return expected_keystream(TRIVIUM, words, public_secret(TRIVIUM))


@pytest.mark.parametrize("port", PORTS.values(), ids=PORTS)
def test_reads_wait_for_the_key_setup(port: Port) -> None:
    made = Coprocessor(TRIVIUM, port)
    printed = made.drive([*load_of(made, port), *[get(port)] * 9])[-9:]
    assert [value(line) for line in printed] == keystream(made, 9)
    first, *rest = (int(line.split()[1]) for line in printed)
    assert first >= 18
    assert max(rest) <= 2


@pytest.mark.parametrize(
    "port", [INSTRUCTION, LINK, BUS, BUS_LINK], ids=["custom", "fifo", "bus", "bus fifo"]
)
def test_a_read_without_words_gives_zero_in_the_end(port: Port) -> None:
    made = Coprocessor(TRIVIUM, port)
    printed = made.drive(
        [
            status(port),
            get(port),
            status(port),
            *load_of(made, port),
            get(port),
            status(port),
            clear(port),
            status(port),
        ]
    )
    assert value(printed[0]) == 0
    word, waited = printed[1].split()
    assert int(word, 16) == 0
    assert PATIENCE <= int(waited) <= PATIENCE + 2
    assert value(printed[2]) == LATE
    assert value(printed[-4]) == keystream(made, 1)[0]
    assert value(printed[-3]) & (LATE | LOADED) == LATE | LOADED
    assert value(printed[-1]) == 0


@pytest.mark.parametrize("port", [INSTRUCTION, PAIRS, LINK], ids=["custom", "custom3", "fifo"])
def test_an_instruction_that_is_withdrawn_leaves_no_trace(port: Port) -> None:
    made = Coprocessor(TRIVIUM, port)
    glimpses = [f"glimpse {cycles:x} 0 {GET} 0 0" for cycles in (1, 2, 3, 1, 20, 1, 1)]
    printed = made.drive([*load_of(made, port), *glimpses, get(port)])[-8:]
    assert printed[:4] == ["left"] * 4
    taken = [int(line.removeprefix("taken ").split()[0], 16) for line in printed if line != "left"]
    assert taken == keystream(made, len(taken))
    assert len(taken) >= 2


@pytest.mark.parametrize("port", PORTS.values(), ids=PORTS)
def test_a_load_may_be_broken_off_and_follow_a_keystream(port: Port) -> None:
    made = Coprocessor(TRIVIUM, port)
    whole, part = load_of(made, port), load_of(made, port, made.load[:3])
    commands = [
        *part,
        *whole,
        get(port),
        get(port),
        get(port),
        *whole,
        get(port),
        *part,
        *whole,
        *whole,
        get(port),
    ]
    printed = made.drive(commands)
    words = keystream(made, 3)
    at = len(part) + len(whole)
    assert [value(line) for line in printed[at : at + 3]] == words
    assert value(printed[at + 3 + len(whole)]) == words[0]
    assert value(printed[-1]) == words[0]


@pytest.mark.parametrize("port", [INSTRUCTION, LINK], ids=["custom", "fifo"])
@pytest.mark.parametrize("words", [1, 12])
def test_text_that_no_key_awaits_does_not_block_a_load(port: Port, words: int) -> None:
    made = Coprocessor(find("uia2"), port)
    put, last = f"op 4 {PUT} 1 0", f"op 14 {PUT} 1 0"
    whole = load_of(made, port)
    printed = made.drive(
        [*[put] * words, *whole, last, get(port), clear(port), *whole, last, get(port)]
    )
    assert "none" not in printed
    assert value(printed[words + len(whole) + 1]) == value(printed[-1]) != 0


@pytest.mark.parametrize("port", PORTS.values(), ids=PORTS)
def test_after_clear_nothing_is_left(port: Port) -> None:
    made = Coprocessor(TRIVIUM, port)
    printed = made.drive(
        [
            *load_of(made, port),
            get(port),
            clear(port),
            status(port),
            get(port),
            *load_of(made, port),
            get(port),
        ]
    )
    assert value(printed[len(load_of(made, port)) + 2]) == 0
    assert value(printed[len(load_of(made, port)) + 3]) == 0
    assert value(printed[-1]) == keystream(made, 1)[0]


@pytest.mark.parametrize("port", PORTS.values(), ids=PORTS)
def test_the_key_cannot_be_read(port: Port) -> None:
    """Every instruction and every address, with the load complete and half done."""
    made = Coprocessor(TRIVIUM, port)
    if port.instruction:
        reads = [
            f"op {funct7:x} {funct3} 0 0"
            for funct7 in (0, 1, 127)
            for funct3 in (GET, STATUS, 6, 7)
        ]
    else:
        reads = [f"read {address:x}" for address in range(0, 256, 4)]
    whole = load_of(made, port)
    printed = made.drive([*whole, *reads, clear(port), *whole[:2], status(port), *reads])
    given = {
        value(line)
        for command, line in zip([*whole, *reads], printed, strict=False)
        if command in reads and line != "none"
    }
    given |= {value(line) for line in printed[-len(reads) :] if line != "none"}
    assert given & set(keystream(made, 6))
    assert not given & set(made.load)
    assert len(given - made.identity) < 8


def test_encryption_in_one_instruction() -> None:
    made = Coprocessor(TRIVIUM, INSTRUCTION)
    printed = made.drive([*load_of(made, INSTRUCTION), f"op 0 {GET} deadbeef 0"])
    assert value(printed[-1]) == keystream(made, 1)[0] ^ 0xDEADBEEF


@pytest.mark.parametrize("permille", [1000, 300])
def test_dma_writes_what_is_read_otherwise(permille: int) -> None:
    made = Coprocessor(TRIVIUM, DMA)
    start = [f"write {ADDRESS['DMA_ADDRESS']:x} 1000", f"write {ADDRESS['DMA_WORDS']:x} 14"]
    printed = made.drive(
        [
            *load_of(made, DMA),
            get(DMA),
            *start,
            status(DMA),
            f"dma 100 {permille:x}",
            status(DMA),
            get(DMA),
        ]
    )
    words = keystream(made, 22)
    assert value(printed[-4]) & BUSY
    written = [tuple(int(part, 16) for part in one.split(":")) for one in printed[-3].split()]
    assert written == [(0x1000 + 4 * place, word) for place, word in enumerate(words[1:21])]
    assert not value(printed[-2]) & BUSY
    assert value(printed[-1]) == words[21]


@pytest.mark.parametrize("radix", [1, 8, 12, 32, 66, 128])
def test_every_width_of_keystream(radix: int) -> None:
    made = Coprocessor(TRIVIUM, BUS, radix)
    printed = made.drive([*load_of(made, BUS), *[get(BUS)] * 8])[-8:]
    assert [value(line) for line in printed] == keystream(made, 8)


def test_a_mutant_that_shows_a_load_word_is_caught() -> None:
    made = Coprocessor(TRIVIUM, BUS)
    text = made.sources["coprocessor_bus_port.v"]
    kept = "reg [31:0] leak;\n  always @(posedge clk) if (load_valid) leak <= bus_wdata;\n  "
    mutant = text.replace("assign load_word", f"{kept}assign load_word").replace(
        "? status : setting_given;", "? status : leak;"
    )
    assert mutant.count("leak") == 3
    made.sources["coprocessor_bus_port.v"] = mutant
    printed = made.drive([*load_of(made, BUS), "read 40"])
    assert value(printed[-1]) in made.load


@pytest.mark.parametrize("port", [*ports.PORTS.values(), BUS_LINK], ids=[*ports.PORTS, "bus fifo"])
@pytest.mark.parametrize("name", ["trivium", "phelix", "aes_ofb", "mickey2"])
def test_lint(name: str, port: Port) -> None:
    if port.dma and name == "phelix":
        pytest.skip("DMA is for keystreams")
    if port.results > 1 and name != "trivium":
        pytest.skip("two results are of one word of the core")
    lint(Coprocessor(find(name), port))


@pytest.mark.parametrize(
    ("name", "radix"),
    [
        ("trivium", 12),
        ("grain128aead", 1),
        ("grain128aead", 64),
        ("phelix", 128),
        ("eea3", 32),
        ("eia3", 32),
        ("nea4", 128),
        ("nca6", 32),
        ("mosquito", 3),
        ("vest4-ae", 4),
        ("vest32-ae", 8),
        ("sfinks-ae", 16),
    ],
)
def test_lint_of_every_shape_of_core(name: str, radix: int) -> None:
    lint(Coprocessor(find(name), PORTS["custom"], radix))


def lint(made: Coprocessor) -> None:
    files = {
        key: text
        for key, text in made.sources.items()
        if key != "cop.v" and not key.endswith("_master.v")
    }
    files[f"{made.core.module}.v"] = files.pop("core.v")
    assert lint_files("coprocessor", files) == []
    assert iverilog_warnings("\n".join(files.values())) == ""


def test_c_header_has_every_number() -> None:
    header = registers.c_header()
    for entry in (*INSTRUCTIONS, *REGISTERS):
        assert f"{entry.name} " in header
    assert "#define COP_REG_TEXT" in header


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("custom", {"port"}),
        ("fifo", {"custom_port", "link", "word_fifo"}),
        ("bus", {"port"}),
        ("dma", {"bus_port", "writer"}),
        ("wishbone", {"bus_port", "port"}),
        ("axi4lite", {"bus_port", "port"}),
    ],
)
def test_generated_coprocessor_is_whole(name: str, parts: set[str], tmp_path: Path) -> None:
    """What `generate --interface` writes is lint-clean, and all names begin with the core's."""
    words = ["generate", "trivium", "--radix", "32", "--interface", name, "-o", str(tmp_path)]
    assert main(words) == 0
    verilog = {path.name: path.read_text() for path in tmp_path.glob("*.v")}
    top = f"trivium_r32_{name}"
    shared = {"load_words", "words_out", "settings"}
    assert set(verilog) == {
        "trivium_r32.v",
        f"{top}.v",
        *(f"{top}_{part}.v" for part in shared | parts),
    }
    modules = re.findall(r"^module (\w+)", "\n".join(verilog.values()), re.MULTILINE)
    assert all(module.startswith("trivium_r32") for module in modules)
    assert lint_files(top, verilog) == []
