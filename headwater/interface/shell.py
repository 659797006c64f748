# SPDX-License-Identifier: Apache-2.0
"""A coprocessor: one core behind a port that a processor can use. Knows no cipher.

The parts are Verilog modules in `rtl`; this module connects them, and `core_side` the core. What a
core has no use for is not there.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from headwater.core.heading import heading
from headwater.interface import core_side
from headwater.interface.buses import REQUESTS
from headwater.interface.core_shape import CoreShape
from headwater.interface.module_port import BIT, names
from headwater.interface.port import DMA_PORTS, INTERRUPT, Port, features
from headwater.interface.register_verilog import (
    constants,
    read_value,
    word_addresses,
    written_fields,
)
from headwater.interface.registers import (
    INSTRUCTIONS,
    PATIENCE,
    WORD_BITS,
    Register,
    offered,
)
from headwater.interface.verilog_text import ModuleText, same


def top_name(core: CoreShape, interface: str) -> str:
    """The name of the module around a core."""
    return f"{core.module}_{interface}"


def shell(core: CoreShape, port: Port, top: str, meaning: str = "") -> dict[str, str]:
    """The Verilog files around a core, the first one with the module ``top``; ``meaning`` is what
    its comment says of the interface."""
    return _Shell(ModuleText(top), core, port).write(meaning)


_LOADING = {"load_word": WORD_BITS, "load_first": BIT, "load_valid": BIT, "load_ready": BIT}
_TEXT = {"text_word": WORD_BITS, "text_marks": 5, "text_valid": BIT, "text_ready": BIT}
_READING = {"word": WORD_BITS, "word_valid": BIT, "word_ready": BIT, "level": 8}
_TAG = {"compares": BIT, "missed": BIT, "expected": WORD_BITS, "tag_ok": BIT, "tag_bad": BIT}
_TWO_WORDS = {"after": WORD_BITS, "after_valid": BIT, "both": BIT}
_DMA = {"dma_busy": BIT, "dma_set_address": BIT, "dma_start": BIT}
_OF_PORT = ("DATA", "STATUS", "LOAD_FIRST", "LOAD_NEXT", "DMA_ADDRESS", "DMA_WORDS", "TAG_EXPECTED")
"""The registers that a port on a bus has itself. The others, but TEXT, are in `settings`."""


@dataclass(frozen=True)
class _Shell:
    """The module around a core.

    Members
    -------
    text : ModuleText
    core : CoreShape
    port : Port
    """

    text: ModuleText
    core: CoreShape
    port: Port

    @property
    def has(self) -> frozenset[str]:
        """What core and port have."""
        return features(self.core, self.port)

    @property
    def registers(self) -> tuple[Register, ...]:
        """The registers of the coprocessor."""
        return offered(self.has)

    @property
    def events(self) -> int:
        """Bits of IRQ_STATUS."""
        (one,) = (register for register in self.registers if register.name == "IRQ_STATUS")
        return max(field.low for field in one.fields) + 1

    @property
    def setting_bits(self) -> int:
        """The lowest bits of a word that can change a setting."""
        return max(self.events, 3 if "text" in self.has else 1)

    @property
    def choices(self) -> dict[str, Any]:
        """What the text of every part of the port depends on."""
        there = {name: name in self.has for name in ("text", "tag", "decrypt", "dma")}
        return {**there, "setting_bits": self.setting_bits, "patience": PATIENCE}

    @property
    def link(self) -> dict[str, int]:
        """What passes between the port and the core, and its widths."""
        text = _TEXT if "text" in self.has else {}
        tag = {"word_tag": BIT} if "tag" in self.has else {}
        return {**_LOADING, **text, **_READING, **tag}

    def write(self, meaning: str) -> dict[str, str]:
        """The module and its parts, by name of the file."""
        text, port = self.text, self.port
        text.take(port.clocking, "Clock and reset")
        text.take(port.access, "Instructions" if port.instruction else "Registers")
        if port.dma:
            text.take(DMA_PORTS, "Memory")
        text.take([INTERRUPT], "Interrupt")
        if port.instruction:
            self._custom()
        else:
            self._bus()
        self._settings()
        if "tag" in self.has:
            self._tag_check()
        if port.fifo:
            self._fifo()
        if port.dma:
            self._dma()
        core_side.connect(text, self.core, "cipher_" if port.fifo else "", two=port.results > 1)
        told = {"Interface": meaning} if meaning else {}
        return text.files(heading({**self.core.told, **told}))

    @property
    def _between(self) -> dict[str, int]:
        """What a port has to do with, and its widths."""
        tag = _TAG if "tag" in self.has else {}
        setting = {
            "setting": 6,
            "setting_written": BIT,
            "setting_value": self.setting_bits,
            "setting_given": WORD_BITS,
        }
        return {**self.link, "clear": BIT, "loaded": BIT, **tag, **setting}

    def _custom(self) -> None:
        """The module that understands instructions."""
        port, two = self.port, self.port.results > 1
        wires = self._between | (_TWO_WORDS if two else {})
        numbers = {one.name: one.value for one in INSTRUCTIONS if one.needs in {"", *self.has}}
        self.text.wires(wires)
        self.text.part(
            "custom_port",
            "custom",
            same("clk", "rst", *wires, *names(port.access)),
            values={
                **self.choices,
                "pairs": port.pairs,
                "two": two,
                "instructions": numbers,
                "status": self._status(),
            },
        )

    def _bus(self) -> None:
        """The module that understands registers, and its adapter to a bus."""
        wires = self._between | (_DMA if self.port.dma else {})
        connections = same("clk", "rst", *wires, *names(REQUESTS))
        if self.port.dma:
            connections["word_ready"] = self.text.wire("read_ready")
        own = [one for one in self.registers if one.name in _OF_PORT]
        self._translate()
        self.text.wires(wires)
        self.text.part(
            "bus_port",
            "registers",
            connections,
            values={
                **self.choices,
                "addresses": word_addresses(own),
                "in_text": _inside("TEXT", self.registers),
                "status": self._status(),
            },
        )

    def _status(self) -> str:
        """What STATUS gives."""
        (one,) = (register for register in self.registers if register.name == "STATUS")
        fields = {
            "LEVEL": "level",
            "LATE": "late",
            "BUSY": "dma_busy",
            "LOADED": "loaded",
            "TAG": "tag_next",
            "TAG_OK": "tag_ok",
            "TAG_BAD": "tag_bad",
        }
        return read_value(one, fields)

    def _translate(self) -> None:
        """The adapter from the bus signals to requests and grants."""
        bus = self.port.bus
        if not bus.adapter:
            return
        for name, source in (("clk", bus.clock), ("rst", bus.reset)):
            if name != source:
                self.text.wire(name, value=source)
        connections = same("clk", "rst", *names(bus.signals), *names(REQUESTS))
        self.text.wires_like(REQUESTS)
        self.text.part(bus.adapter, "translation", connections)

    def _settings(self) -> None:
        """The registers of settings, interrupts and identity."""
        text, has = self.text, self.has
        wires = {
            **({"spare": 3} if "text" in has else {}),
            **({"compared": BIT} if "tag" in has else {}),
            **({"decrypt": BIT} if "decrypt" in has else {}),
        }
        connections = {
            **same("clk", "rst", "clear", "word_valid", "loaded", "irq", *wires),
            **same(
                *(["word_tag"] if "tag" in has else []),
                *(["dma_busy"] if "dma" in has else []),
                *(["flush"] if "decrypt" in has else []),
            ),
            "address": "setting",
            "written": "setting_written",
            "value": "setting_value",
            "given": "setting_given",
        }
        own = [one for one in self.registers if one.name not in (*_OF_PORT, "TEXT")]
        text.wires({"flush": BIT, **wires})
        text.part(
            "settings",
            "registers_beside",
            connections,
            values={
                **self.choices,
                "events": self.events,
                "addresses": word_addresses(own),
                "field": written_fields(own, "value"),
                "read": self._read(own),
            },
        )

    def _read(self, registers: Collection[Register]) -> dict[str, str]:
        """What these registers give."""
        vectors = {"IRQ_ENABLE": "enabled", "IRQ_STATUS": "seen"}
        bits = {
            one.name: {field.name: f"{vectors[one.name]}[{field.low}]" for field in one.fields}
            for one in registers
            if one.name in vectors
        }
        fields = {**bits, "CONTROL": {"DECRYPT": "decrypts"}, "TEXT_SPARE": {"BITS": "spare"}}
        return {
            one.name: read_value(one, fields[one.name]) for one in registers if one.name in fields
        } | constants(self.core.identity)

    def _tag_check(self) -> None:
        words = self.core.tag_words
        connections = {
            **same("clk", "compares", "missed", "expected", "word"),
            "flush": "flush | clear",
            "complete": "compared",
            "ok": "tag_ok",
            "bad": "tag_bad",
        }
        self.text.part(
            "tag_check",
            "comparison",
            connections,
            values={"words": words, "count_bits": words.bit_length()},
        )

    def _fifo(self) -> None:
        """FIFOs between the port and the core."""
        connections = same("clk", "rst", "clear", *self.link)
        beyond = {name: width for name, width in self.link.items() if name != "level"}
        if "text" in self.has:
            connections["text_spare"] = "spare"
            beyond["text_spare"] = 3
        connections |= {f"cipher_{name}": f"cipher_{name}" for name in beyond}
        self.text.wires(beyond, "cipher_")
        self.text.part("fifo_link", "link", connections, values=self.choices)

    def _dma(self) -> None:
        """The DMA, which can take output words instead of the port."""
        connections = {
            **same("clk", "rst", "word", "word_valid", *names(DMA_PORTS)),
            "stop": "clear",
            "set_address": "dma_set_address",
            "start": "dma_start",
            "value": "bus_wdata",
            "busy": "dma_busy",
            "word_ready": "dma_ready",
        }
        self.text.wire("dma_ready")
        self.text.part("dma_writer", "memory", connections)
        self.text.assign("word_ready", "read_ready | dma_ready")


def _inside(name: str, registers: Collection[Register]) -> str:
    """Whether ``bus_addr`` is an address of a register that has many, as Verilog; their number is a
    power of two, of which the first address is a multiple."""
    for one in registers:
        if one.name == name:
            low = (4 * one.words).bit_length() - 1
            return f"bus_addr[7:{low}] == {8 - low}'d{one.address >> low}"
    return ""
