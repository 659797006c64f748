# SPDX-License-Identifier: Apache-2.0
"""Proof that no port shows a word of a load: what it shows is the same function of everything else.

The port as it is, and the same port whose loads all carry zeros, are equivalent, register by
register, but for the registers on the way to the core. Core outputs are free. The FIFOs, which
stand between these ports and the core, are not in the proof.
"""

from __future__ import annotations

import re

import pytest
from coprocessors import Coprocessor

from headwater.cipher.catalogue import find
from headwater.errors import ToolError
from headwater.flow.process import private_folder
from headwater.flow.yosys import run_yosys
from headwater.interface.shell import PORTS, Port, rtl_files

ZEROED = {
    "cmd_first": "cmd_function[2:0] == 3'd0 ? 32'd0 : cmd_first",
    "cmd_second": "cmd_function[2:0] == 3'd0 ? 32'd0 : cmd_second",
    "bus_wdata": "bus_addr == 6'd2 | bus_addr == 6'd3 ? 32'd0 : bus_wdata",
    # Apart from its address; but what else is written has no effect of its own without DMA.
    "wb_dat_i": "32'd0",
    "s_axi_wdata": "32'd0",
}
"""What the port sees instead of a load's words."""
_MODULES = "custom_port|bus_port|wishbone_port|axi4lite_port"


def without_core(made: Coprocessor) -> str:
    """The shell, whose core is outside: what it offers is input, what it takes is gone."""
    shell = re.sub(r"\n  \w+ core \(.*?\);", "", made.sources["shell.v"], flags=re.DOTALL)
    outside = ("load__ready", "keystream__payload", "keystream__valid")
    ports = []
    for name in outside:
        declared = re.search(rf"  wire (.{{7}}) {name};\n", shell)
        assert declared
        ports.append(f"  input wire {declared[1]} {name}")
        shell = shell.replace(declared[0], "")
    head, body = shell.split("\n);\n", 1)
    return head + ",\n" + ",\n".join(ports) + "\n);\n" + body


def prove(port: Port, parts: dict[str, str] | None = None) -> None:
    """Raises ToolError if it does not hold."""
    text = without_core(Coprocessor(find("trivium"), port))
    zeroed = text
    for name, value in ZEROED.items():
        if name == "cmd_second" and not port.pairs:
            continue  # The number of the word, which may show.
        zeroed = re.sub(rf"({_MODULES})(.*?)\.{name}\({name}\)",
                        rf"\1\2.{name}({value})", zeroed, flags=re.DOTALL)  # fmt: skip
    assert zeroed != text
    sources = {path.name: path.read_text() for path in rtl_files()} | (parts or {})
    with private_folder() as folder:
        (folder / "as_it_is.v").write_text(text.replace("module coprocessor", "module as_it_is"))
        (folder / "zeroed.v").write_text(zeroed.replace("module coprocessor", "module zeroed"))
        (folder / "parts.v").write_text("\n".join(sources.values()))
        # Where words of a load may be: on their way to the core.
        secret = ["custom.kept", "custom.cmd_first", "custom.cmd_second", "custom.text_word",
                  "custom.load_word", "registers.bus_wdata", "registers.load_word",
                  "registers.text_word", "load_word", "text_word", "cipher_load_word",
                  "cipher_text_word", "load.word", "load.payload", "load__payload"]  # fmt: skip
        if port.bus.adapter:
            secret += ["bus_wdata", "translation.bus_wdata", "translation.write_data",
                       "translation.s_axi_wdata", "translation.wb_dat_i"]  # fmt: skip
        (folder / "secret.txt").write_text("".join(f"\\{name}\n" for name in secret))
        passes = []
        for top, name in (("as_it_is", "one"), ("zeroed", "other")):
            passes += ["design -reset", "read_verilog parts.v", f"read_verilog {top}.v",
                       f"hierarchy -top {top}", "proc", "flatten", "memory_map", "opt_clean",
                       f"rename {top} {name}", f"design -stash {name}"]  # fmt: skip
        run_yosys(
            [*passes, "design -copy-from one one", "design -copy-from other other",
             "equiv_make -blacklist secret.txt one other both", "hierarchy -top both", "opt_clean",
             "equiv_simple -undef", "equiv_induct -undef -seq 2", "equiv_status -assert"],
            folder,
        )  # fmt: skip


@pytest.mark.parametrize("name", ["custom", "custom3", "bus", "dma", "wishbone", "axi4lite"])
def test_no_port_shows_a_word_of_a_load(name: str) -> None:
    prove(PORTS[name])


def test_a_leak_is_found() -> None:
    (bus,) = (path for path in rtl_files() if path.name == "bus_port.v")
    kept = "reg [31:0] leak;\n  always @(posedge clk) if (load_valid) leak <= bus_wdata;\n  "
    text = bus.read_text().replace("assign load_word", f"{kept}assign load_word")
    leaking = text.replace("? status : 32'd0;", "? status : leak;")
    with pytest.raises(ToolError):
        prove(PORTS["bus"], {"bus_port.v": leaking})


def test_a_leak_of_what_is_written_is_found() -> None:
    (axi,) = (path for path in rtl_files() if path.name == "axi4lite_port.v")
    text = axi.read_text()
    leaking = text.replace("s_axi_rdata <= bus_rdata;", "s_axi_rdata <= bus_rdata | write_data;")
    assert leaking != text
    with pytest.raises(ToolError):
        prove(PORTS["axi4lite"], {"axi4lite_port.v": leaking})
