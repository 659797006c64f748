# SPDX-License-Identifier: Apache-2.0
"""A SoC of LiteX with a generated module in it, as a program: LiteX is a guest in this process.

    python litex_soc.py FOLDER MODULE CLASS CPU [ROM]

writes Verilog of the SoC, the headers that LiteX makes for C, and the names of all sources. ROM is
the program, as bytes.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path

from litex.build.generic_platform import Pins
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration import export
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect.csr import CSRStorage
from migen import Module
from migen.genlib.io import CRG

ROM_BYTES = 0x8000


class Told(LiteXModule):
    """A register whose value is seen from outside."""

    def __init__(self, pads: object) -> None:
        self.word = CSRStorage(32)
        self.comb += pads.eq(self.word.storage)


def main(folder: Path, module: str, name: str, cpu: str, rom: list[int]) -> None:
    sys.path.insert(0, str(folder))
    os.chdir(folder)
    platform = SimPlatform("SIM", [("sys_clk", 0, Pins(1)), ("told", 0, Pins(32))])
    soc = SoCCore(
        platform,
        int(1e6),
        cpu_type=cpu,
        with_uart=False,
        with_timer=False,
        ident="",
        integrated_rom_size=ROM_BYTES,
        integrated_rom_init=rom,
        integrated_sram_size=0x2000,
    )
    soc.crg = CRG(platform.request("sys_clk"))
    soc.told = Told(platform.request("told"))
    core = getattr(importlib.import_module(module), name).add_to(soc)
    assert isinstance(core, Module)
    soc.finalize()
    soc.irq_number = soc.irq.locs.get(module.removesuffix("_litex"))
    platform.get_verilog(soc, name="soc").write("soc.v")
    Path("csr.h").write_text(export.get_csr_header(soc.csr_regions, soc.constants))
    Path("mem.h").write_text(export.get_mem_header(soc.mem_regions))
    sources = [str(source[0]) for source in platform.sources]
    Path("soc.json").write_text(json.dumps({"sources": sources, "irq": soc.irq_number}))


def words_of(rom: bytes) -> list[int]:
    return [int.from_bytes(rom[at : at + 4], "little") for at in range(0, len(rom), 4)]


if __name__ == "__main__":
    given = Path(sys.argv[5]).read_bytes() if len(sys.argv) > 5 else b""
    main(Path(sys.argv[1]), *sys.argv[2:5], words_of(given))
