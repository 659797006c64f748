# SPDX-License-Identifier: Apache-2.0
"""Proof that no port shows a word of a load: what it shows is a function of everything else.

A port as it is, and the same port whose loads all carry zeros, are equivalent, register by
register, but for the registers on the way to the core. Core outputs are free. An adapter of a bus
shows nothing of what is written but to the port behind it. The FIFOs, which stand between these
ports and the core, are not in the proof.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from coprocessors import Coprocessor

from headwater.cipher.catalogue import find
from headwater.errors import ToolError
from headwater.flow.folders import private_folder
from headwater.flow.yosys import run_yosys
from headwater.interface.parts import rtl_files
from headwater.interface.port import PORTS

ADAPTERS = {
    path.stem: path.read_text()
    for path in rtl_files()
    if path.stem in ("wishbone_port", "axi4lite_port")
}
ZEROED = {
    "cmd_first": "cmd_function[2:0] == 3'd0 ? 32'd0 : cmd_first",
    "cmd_second": "cmd_function[2:0] == 3'd0 ? 32'd0 : cmd_second",
    "bus_wdata": "bus_addr == 6'd2 | bus_addr == 6'd3 ? 32'd0 : bus_wdata",
}
"""What the port sees instead of a load's words."""
ON_THE_WAY = [
    *(f"custom.{name}" for name in ("kept", "cmd_first", "cmd_second")),
    "registers.bus_wdata",
    *(
        f"{port}.{name}"
        for port in ("custom", "registers")
        for name in ("text_word", "load_word", "setting_value", "expected")
    ),
    "load_word",
    "text_word",
    "setting_value",
    "expected",
    "registers_beside.value",
    "comparison.expected",
    "cipher_load_word",
    "cipher_text_word",
    "load.word",
    "load.payload",
    "core_load_payload",
    "text.text_word",
]
"""Where words of a load may be: on their way to the core."""
WRITTEN = {
    "wishbone_port": ("bus_wdata = wb_dat_i", "bus_wdata = 32'd0"),
    "axi4lite_port": ("write_data <= s_axi_wdata", "write_data <= 32'd0"),
}
"""Where an adapter takes what is written, and the same without it."""


def without_core(made: Coprocessor) -> str:
    """The shell, whose core is outside: what it offers is input, what it takes is gone."""
    shell = re.sub(r"\n  \w+ core \(.*?\);", "", made.sources["coprocessor.v"], flags=re.DOTALL)
    streams = made.core.streams.values()
    offered = [
        f"core_{name}"
        for stream in streams
        for name, (way, _) in stream.ports.items()
        if way == "output"
    ]
    ports = []
    for name in offered:
        declared = re.search(rf"  wire( +(?:\[\d+:0\])?) {name};\n", shell)
        assert declared
        ports.append(f"  input wire {declared[1]} {name}")
        shell = shell.replace(declared[0], "")
    head, body = shell.split("\n);\n", 1)
    return head + ",\n" + ",\n".join(ports) + "\n);\n" + body


def alike(one: str, other: str, top: str, hidden: Sequence[str]) -> None:
    """Prove that two designs are the same but for hidden wires; raises ToolError if not."""
    with private_folder() as folder:
        (folder / "one.v").write_text(one)
        (folder / "other.v").write_text(other)
        (folder / "hidden.txt").write_text("".join(f"\\{name}\n" for name in hidden))
        passes = []
        for name in ("one", "other"):
            passes += [
                "design -reset",
                f"read_verilog {name}.v",
                f"hierarchy -top {top}",
                "proc",
                "flatten",
                "memory_map",
                "opt_clean",
                f"rename {top} {name}",
                f"design -stash {name}",
            ]
        run_yosys(
            [
                *passes,
                "design -copy-from one one",
                "design -copy-from other other",
                "equiv_make -blacklist hidden.txt one other both",
                "hierarchy -top both",
                "opt_clean",
                "equiv_simple -undef",
                "equiv_induct -undef -seq 2",
                "equiv_status -assert",
            ],
            folder,
        )


def parts_of(made: Coprocessor) -> dict[str, str]:
    """The parts of the shell, by the names of their files."""
    return {name: text for name, text in made.sources.items() if name.startswith("coprocessor_")}


def prove(cipher: str, interface: str, changed: dict[str, str] | None = None) -> None:
    """Prove it of a port, of which parts may be changed; raises ToolError if it does not hold."""
    port = PORTS[interface]
    made = Coprocessor(find(cipher), port)
    text = without_core(made)
    zeroed = text
    for name, value in ZEROED.items():
        if name == "cmd_second" and not port.pairs:
            continue  # The number of the word, which may show.
        zeroed = re.sub(
            rf"(custom_port|bus_port)(.*?)\.{name}\({name}\)",
            rf"\1\2.{name}({value})",
            zeroed,
            flags=re.DOTALL,
        )
    assert zeroed != text
    parts = "\n".join((parts_of(made) | (changed or {})).values())
    alike(text + parts, zeroed + parts, "coprocessor", ON_THE_WAY)


@pytest.mark.parametrize("interface", ["custom", "custom3", "custom2x2", "bus", "dma"])
def test_no_port_shows_a_word_of_a_load(interface: str) -> None:
    prove("trivium", interface)


def test_no_port_with_text_shows_a_word_of_a_load() -> None:
    prove("grain128aead", "bus")


def test_a_leak_is_found() -> None:
    file = "coprocessor_bus_port.v"
    kept = "reg [31:0] leak;\n  always @(posedge clk) if (load_valid) leak <= bus_wdata;\n  "
    text = parts_of(Coprocessor(find("trivium"), PORTS["bus"]))[file]
    leaking = text.replace("assign load_word", f"{kept}assign load_word")
    leaking = leaking.replace("? status : setting_given;", "? status : leak;")
    assert leaking.count("leak") == text.count("leak") + 3
    with pytest.raises(ToolError):
        prove("trivium", "bus", {file: leaking})


def prove_adapter(name: str, text: str) -> None:
    """Prove that an adapter shows nothing of what is written but to the port behind it."""
    taken, not_taken = WRITTEN[name]
    assert text.count(taken) == 1
    alike(text, text.replace(taken, not_taken), name, ["bus_wdata", "write_data"])


@pytest.mark.parametrize("name", WRITTEN)
def test_no_adapter_shows_what_is_written(name: str) -> None:
    prove_adapter(name, ADAPTERS[name])


def test_a_leak_of_what_is_written_is_found() -> None:
    text = ADAPTERS["axi4lite_port"]
    leaking = text.replace("s_axi_rdata <= bus_rdata;", "s_axi_rdata <= bus_rdata | write_data;")
    assert leaking != text
    with pytest.raises(ToolError):
        prove_adapter("axi4lite_port", leaking)
