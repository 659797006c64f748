# SPDX-License-Identifier: Apache-2.0
"""A coprocessor: one core behind a port that a processor can use. Knows no cipher.

The parts are Verilog modules in `rtl`; this module connects them, and `core_side` the core.
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater.interface import core_side
from headwater.interface.buses import BUSES, CLOCKING, REQUESTS, Bus
from headwater.interface.core_shape import CoreShape
from headwater.interface.identity import identity_parameters
from headwater.interface.module_port import BIT, ModulePort, given, made, names
from headwater.interface.registers import (
    WORD_BITS,
    instruction_parameters,
    register_parameters,
)
from headwater.interface.verilog_text import ModuleText, same


@dataclass(frozen=True)
class Port:
    """How a processor reaches the core.

    Members
    -------
    instruction : bool
        By custom instructions; else by registers on a bus.
    pairs : bool
        Whether a load instruction takes two words, and the word number as a third operand.
    results : int
        Most words that a read instruction gives.
    fifo : bool
        Whether there is a FIFO in each direction.
    dma : bool
        Whether words can be written into memory; on a bus only.
    bus : Bus
        The bus of the registers.
    """

    instruction: bool
    pairs: bool = False
    results: int = 1
    fifo: bool = False
    dma: bool = False
    bus: Bus = BUSES["request"]

    @property
    def signals(self) -> tuple[ModulePort, ...]:
        """The ports of the coprocessor."""
        clocking = CLOCKING if self.instruction else self.bus.clocking
        second = (SECOND_RESULT,) if self.results > 1 else ()
        own = (*INSTRUCTION_PORTS, *second) if self.instruction else self.bus.signals
        return (*clocking, *own, *(DMA_PORTS if self.dma else ()), made("irq"))


PORTS = {
    "custom": Port(instruction=True),
    "custom3": Port(instruction=True, pairs=True),
    "custom2x2": Port(instruction=True, results=2),
    "fifo": Port(instruction=True, fifo=True),
    "bus": Port(instruction=False),
    "dma": Port(instruction=False, dma=True),
    "wishbone": Port(instruction=False, bus=BUSES["wishbone"]),
    "axi4lite": Port(instruction=False, bus=BUSES["axi4lite"]),
}
"""Those that have names."""

INSTRUCTION_PORTS = (
    given("cmd_valid"), made("cmd_ready"), given("cmd_function", 10), given("cmd_first", WORD_BITS),
    given("cmd_second", WORD_BITS), made("rsp_valid"), given("rsp_ready"),
    made("rsp_result", WORD_BITS),
)  # fmt: skip
SECOND_RESULT = made("rsp_second", WORD_BITS)
DMA_PORTS = (
    made("dma_req"),
    given("dma_gnt"),
    made("dma_addr", 30, low=2),
    made("dma_wdata", WORD_BITS),
)


def features(core: CoreShape, port: Port) -> frozenset[str]:
    """What core and port have of ``needs`` in `headwater.interface.registers`."""
    return core.features | ({"dma"} if port.dma else set())


def top_name(core: CoreShape, interface: str) -> str:
    """The name of the module around a core."""
    return f"{core.module}_{interface}"


def shell(core: CoreShape, port: Port, top: str) -> dict[str, str]:
    """The Verilog files around a core, the first one with the module ``top``."""
    text = ModuleText(top)
    text.take(port.signals)
    _port(text, core, port)
    _settings(text, core, port)
    if port.fifo:
        _fifo(text)
    else:
        _no_fifo(text)
    if port.dma:
        _dma(text)
    else:
        _no_dma(text, port)
    core_side.connect(text, core)
    return text.files()


_LOADING = {"load_word": WORD_BITS, "load_first": BIT, "load_valid": BIT, "load_ready": BIT}
_TEXT = {"text_word": WORD_BITS, "text_marks": 5, "text_valid": BIT, "text_ready": BIT}
_READING = {"word": WORD_BITS, "word_tag": BIT, "word_valid": BIT, "word_ready": BIT}
_LINK = {**_LOADING, **_TEXT, **_READING}
"""What passes between a port and a core, and its widths."""
_BACK = ("load_ready", "text_ready", "word", "word_tag", "word_valid", "level")
"""What of it comes from the core."""
_BESIDE = {
    "level": 8, "clear": BIT, "loaded": BIT, "setting": 6, "setting_written": BIT,
    "setting_value": WORD_BITS, "setting_given": WORD_BITS, "compares": BIT, "missed": BIT,
    "expected": WORD_BITS, "tag_ok": BIT, "tag_bad": BIT,
}  # fmt: skip
"""What else a port has to do with."""
_TWO_WORDS = {"after": WORD_BITS, "after_valid": BIT, "both": BIT}
"""What of two words that are taken at once passes between an instruction port and a core."""
_DMA = {"dma_busy": BIT, "dma_set_address": BIT, "dma_start": BIT}


def _port(text: ModuleText, core: CoreShape, port: Port) -> None:
    """The module that understands instructions, or registers, and its adapter to a bus."""
    towards = {**_LINK, **_BESIDE}
    there = {"TEXTS": int("text" in core.features), "TAGS": int("tag" in core.features)}
    if port.instruction:
        numbers = instruction_parameters("LOAD", "GET", "PUT", "EXCHANGE", "STATUS", "CLEAR",
                                         "REGISTER", "CHECK")  # fmt: skip
        parameters = {"PAIRS": int(port.pairs), "RESULTS": port.results, **there, **numbers}
        connections = same("clk", "rst", *towards, *_TWO_WORDS,
                           *names((*INSTRUCTION_PORTS, SECOND_RESULT)))  # fmt: skip
        text.wires({**towards, **_TWO_WORDS})
        if port.results == 1:
            text.wires({SECOND_RESULT.name: SECOND_RESULT.width})
            text.unused(SECOND_RESULT.name, label="second")
        text.part("custom_port", "custom", connections, parameters)
        text.space()
        return
    numbers = register_parameters("DATA", "STATUS", "LOAD_FIRST", "LOAD_NEXT", "DMA_ADDRESS",
                                  "DMA_WORDS", "TAG_EXPECTED", "TEXT")  # fmt: skip
    connections = same("clk", "rst", *towards, *names(REQUESTS), *_DMA)
    _translate(text, port.bus)
    text.wires({**towards, **_TWO_WORDS, **_DMA})
    text.assign("both", "1'b0")
    text.unused("after", "after_valid")
    text.part("bus_port", "registers", connections, {**there, **numbers})
    text.space()


def _translate(text: ModuleText, bus: Bus) -> None:
    """The adapter from the bus signals to requests and grants."""
    if not bus.adapter:
        return
    for name, source in (("clk", bus.clock), ("rst", bus.reset)):
        if name != source:
            text.wire(name, value=source)
    connections = same("clk", "rst", *names(bus.signals), *names(REQUESTS))
    text.wires_like(REQUESTS)
    text.part(bus.adapter, "translation", connections)
    text.space()


def _settings(text: ModuleText, core: CoreShape, port: Port) -> None:
    """The registers of settings, interrupts and identity, and the comparison of a tag."""
    there = features(core, port)
    parameters = {
        **identity_parameters(core.identity),
        **{f"{name.upper()}S": int(name in there) for name in ("text", "tag", "decrypt", "dma")},
        **register_parameters("CONTROL", "IRQ_ENABLE", "IRQ_STATUS", "TEXT_SPARE", "IDENTITY",
                              "PARAMETERS", "VERSION", "OPTIONS"),
    }  # fmt: skip
    connections = {
        **same("clk", "rst", "clear", "flush", "word_valid", "word_tag", "loaded", "compared"),
        "address": "setting", "written": "setting_written", "value": "setting_value",
        "given": "setting_given", "dma_busy": "1'b0" if port.instruction else "dma_busy",
        **same("decrypt", "spare", "irq"),
    }  # fmt: skip
    text.wires({"flush": BIT, "compared": BIT, "decrypt": BIT, "spare": 3})
    text.part("settings", "registers_beside", connections, parameters)
    text.space()
    if "tag" in there:
        _tag_check(text, core)
    else:
        _no_tag_check(text)


def _tag_check(text: ModuleText, core: CoreShape) -> None:
    connections = {
        **same("clk", "compares", "missed", "expected", "word"), "flush": "flush | clear",
        "complete": "compared", "ok": "tag_ok", "bad": "tag_bad",
    }  # fmt: skip
    text.part("tag_check", "comparison", connections, {"WORDS": core.tag_words})
    text.space()


def _no_tag_check(text: ModuleText) -> None:
    text.assign("{compared, tag_ok, tag_bad}", "3'd0")
    text.unused("compares", "missed", "expected", label="comparison")
    text.space()


def _fifo(text: ModuleText) -> None:
    """FIFOs between the port and the core."""
    connections = same("clk", "rst", "clear", *_LINK, "level")
    connections |= {"text_spare": "spare", "cipher_text_spare": "cipher_text_spare"}
    connections |= {f"cipher_{name}": f"cipher_{name}" for name in _LINK}
    widths = {**_LINK, "text_spare": 3, "level": 8}
    text.wires(widths, "cipher_")
    text.unused("cipher_level", label="level")
    text.part("fifo_link", "link", connections)
    text.space()


def _no_fifo(text: ModuleText) -> None:
    forth = [name for name in _LINK if name not in _BACK and name != "word_ready"]
    text.wires({**_LINK, "text_spare": 3, "level": 8}, "cipher_")
    for name in forth:
        text.assign(f"cipher_{name}", name)
    text.assign("cipher_text_spare", "spare")
    for name in _BACK:
        text.assign(name, f"cipher_{name}")
    text.space()


def _dma(text: ModuleText) -> None:
    """The DMA, which can take output words instead of the port."""
    connections = {
        **same("clk", "rst", *names(DMA_PORTS)),
        "stop": "clear", "set_address": "dma_set_address", "start": "dma_start",
        "value": "bus_wdata", "busy": "dma_busy", "word": "cipher_word",
        "word_valid": "cipher_word_valid", "word_ready": "dma_ready",
    }  # fmt: skip
    text.wire("dma_ready")
    text.assign("cipher_word_ready", "word_ready | dma_ready")
    text.part("dma", "memory", connections)
    text.space()


def _no_dma(text: ModuleText, port: Port) -> None:
    if not port.instruction:
        text.assign("dma_busy", "1'b0")
        text.unused("dma_set_address", "dma_start", label="dma")
    if not port.fifo:
        text.assign("cipher_word_ready", "word_ready")
        text.space()
