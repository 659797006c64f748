# SPDX-License-Identifier: Apache-2.0
"""A coprocessor: one core behind a port that a processor can use. Knows no cipher.

The parts are Verilog modules in `rtl`; this module connects them to the core.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from headwater.interface.buses import BUSES, CLOCKING, REQUESTS, Bus, names
from headwater.interface.core_shape import WORD_BITS, CoreShape
from headwater.interface.registers import instruction_parameters, register_parameters

_RTL = Path(__file__).with_name("rtl")


@dataclass(frozen=True)
class Port:
    """How a processor reaches the core.

    Members
    -------
    instruction : bool
        By custom instructions; else by registers on a bus.
    pairs : bool
        Whether a load instruction takes two words, and the word number as a third operand.
    fifo : bool
        Whether there is a FIFO in each direction.
    dma : bool
        Whether words can be written into memory; on a bus only.
    bus : Bus
        The bus of the registers.
    """

    instruction: bool
    pairs: bool = False
    fifo: bool = False
    dma: bool = False
    bus: Bus = BUSES["request"]


PORTS = {
    "custom": Port(instruction=True),
    "custom3": Port(instruction=True, pairs=True),
    "fifo": Port(instruction=True, fifo=True),
    "bus": Port(instruction=False),
    "dma": Port(instruction=False, dma=True),
    "wishbone": Port(instruction=False, bus=BUSES["wishbone"]),
    "axi4lite": Port(instruction=False, bus=BUSES["axi4lite"]),
}
"""Those that have names."""


def rtl_files() -> list[Path]:
    """The Verilog files of all parts; each holds the module of its name."""
    return sorted(_RTL.glob("*.v"))


def parts_of(text: str) -> dict[str, str]:
    """The part modules that ``text`` uses, directly or through other parts: file name to text."""
    found: dict[str, str] = {}
    for path in rtl_files():
        if path.name not in found and re.search(rf"^  {path.stem} ", text, re.MULTILINE):
            part = path.read_text()
            found |= {path.name: part, **parts_of(part)}
    return found


def shell(core: CoreShape, port: Port) -> str:
    """The Verilog module `coprocessor`: core and port. It needs the modules of `parts_of`."""
    body = [
        *(_instructions(port) if port.instruction else _registers(port.bus)),
        *(_fifo() if port.fifo else _no_fifo()),
        *_dma(port),
        *_load(core),
        *(_text(core) if core.takes_text else _keystream(core)),
        *_core(core),
    ]
    clocking, own = port.bus.clocking, port.bus.signals
    ports = (*CLOCKING, *_INSTRUCTION_PORTS) if port.instruction else (*clocking, *own)
    ports += _DMA_PORTS if port.dma else ()
    listed = ",\n".join(f"  {each}" for each in ports)
    return f"module coprocessor (\n{listed}\n);\n" + "\n".join(body) + "\nendmodule\n"


_INSTRUCTION_PORTS = (
    "input  wire        cmd_valid", "output wire        cmd_ready",
    "input  wire  [9:0] cmd_function", "input  wire [31:0] cmd_first",
    "input  wire [31:0] cmd_second", "output wire        rsp_valid",
    "input  wire        rsp_ready", "output wire [31:0] rsp_result",
)  # fmt: skip
_DMA_PORTS = (
    "output wire        dma_req", "input  wire        dma_gnt", "output wire [31:2] dma_addr",
    "output wire [31:0] dma_wdata",
)  # fmt: skip

_LINK = {
    "load_word": 32, "load_first": 1, "load_valid": 1, "load_ready": 1, "text_word": 32,
    "text_marks": 5, "text_valid": 1, "text_ready": 1, "word": 32, "word_valid": 1, "word_ready": 1,
}  # fmt: skip
"""What passes between a port and a cipher, and its widths."""


def _wires(prefix: str, widths: dict[str, int]) -> list[str]:
    return [
        f"  wire {f'[{width - 1}:0]' if width > 1 else '':7} {prefix}{name};"
        for name, width in widths.items()
    ]


def _instance(
    module: str, name: str, parameters: dict[str, int], connections: dict[str, str]
) -> list[str]:
    given = ", ".join(f".{key}({value})" for key, value in parameters.items())
    lines = [f"  {module} #({given}) {name} (" if given else f"  {module} {name} ("]
    wired = [f"    .{key}({value})" for key, value in connections.items()]
    return [*lines, ",\n".join(wired), "  );", ""]


def _same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


_TOWARDS_PORT = {**_LINK, "level": 8, "clear": 1, "loaded": 1}


def _instructions(port: Port) -> list[str]:
    connections = _same("clk", "rst", *_TOWARDS_PORT, *names(_INSTRUCTION_PORTS))
    parameters = {
        "PAIRS": int(port.pairs),
        **instruction_parameters("LOAD", "GET", "PUT", "EXCHANGE", "STATUS", "CLEAR"),
    }
    return [*_wires("", _TOWARDS_PORT), "",
            *_instance("custom_port", "custom", parameters, connections)]  # fmt: skip


def _registers(bus: Bus) -> list[str]:
    busy = {"dma_busy": 1, "dma_set_address": 1, "dma_start": 1}
    connections = _same("clk", "rst", *_TOWARDS_PORT, *names(REQUESTS), *busy)
    return [
        *_translated(bus), *_wires("", _TOWARDS_PORT), *_wires("", busy), "",
        *_instance("bus_port", "registers", register_parameters(
            "DATA", "STATUS", "LOAD_FIRST", "LOAD_NEXT", "DMA_ADDRESS", "DMA_WORDS", "TEXT"
        ), connections),
    ]  # fmt: skip


def _translated(bus: Bus) -> list[str]:
    """The adapter from the bus signals to requests and grants."""
    if not bus.adapter:
        return []
    clocking = [f"  wire {name} = {source};" for name, source in
                (("clk", bus.clock), ("rst", bus.reset)) if name != source]  # fmt: skip
    requests = [f"  wire {each.split(maxsplit=2)[2]};" for each in REQUESTS]
    connections = _same("clk", "rst", *names(bus.signals), *names(REQUESTS))
    return [*clocking, *requests, "", *_instance(bus.adapter, "translation", {}, connections)]


def _fifo() -> list[str]:
    """FIFOs between the port and the core."""
    connections = _same("clk", "rst", "clear", *_LINK, "level")
    connections |= {f"cipher_{name}": f"cipher_{name}" for name in _LINK}
    unused = "  wire unused_level = &{1'b0, cipher_level};"
    return [*_wires("cipher_", {**_LINK, "level": 8}), unused, "",
            *_instance("fifo_link", "link", {}, connections)]  # fmt: skip


def _no_fifo() -> list[str]:
    towards = ("load_word", "load_first", "load_valid", "text_word", "text_marks", "text_valid",
               "word_ready")  # fmt: skip
    back = ("load_ready", "text_ready", "word", "word_valid", "level")
    return [
        *_wires("cipher_", {**_LINK, "level": 8}),
        *(f"  assign cipher_{name} = {name};" for name in towards if name != "word_ready"),
        *(f"  assign {name} = cipher_{name};" for name in back),
        "",
    ]


def _dma(port: Port) -> list[str]:
    """Connections of the DMA, which can take output words instead of the port."""
    if port.fifo:
        return _no_dma(port)
    if not port.dma:
        return [*_no_dma(port), "  assign cipher_word_ready = word_ready;", ""]
    connections = {
        **_same("clk", "rst", *names(_DMA_PORTS)),
        "stop": "clear", "set_address": "dma_set_address", "start": "dma_start",
        "value": "bus_wdata", "busy": "dma_busy", "word": "cipher_word",
        "word_valid": "cipher_word_valid", "word_ready": "dma_ready",
    }  # fmt: skip
    return [
        "  wire dma_ready;",
        "  assign cipher_word_ready = word_ready | dma_ready;",
        "",
        *_instance("dma", "memory", {}, connections),
    ]


def _no_dma(port: Port) -> list[str]:
    if port.instruction:
        return []
    return ["  assign dma_busy = 1'b0;",
            "  wire unused_dma = &{1'b0, dma_set_address, dma_start};"]  # fmt: skip


def _load(core: CoreShape) -> list[str]:
    stream = core.load
    widths = {"abandon": 1, "load__payload": stream.width, "load__last": 1, "load__valid": 1,
              "load__ready": 1}  # fmt: skip
    parameters = {"WIDTH": stream.width, "COUNT": core.load_words,
                  "TOP_FIRST": int(stream.top_first)}  # fmt: skip
    connections = {
        **_same("clk", "rst", "clear", "loaded", "abandon"),
        **{name: f"cipher_load_{name}" for name in ("word", "first", "valid", "ready")},
        **{f"payload{each}": f"load__{each[1:] or 'payload'}" for each in ("", "_last", "_valid",
                                                                           "_ready")},
    }  # fmt: skip
    unused = [] if "last" in stream.marks else ["  wire unused_last = &{1'b0, load__last};"]
    return [*_wires("", widths), *unused, "",
            *_instance("load_words", "load", parameters, connections)]  # fmt: skip


_STARTS = "rst | ~loaded | (cipher_load_valid & cipher_load_first)"
"""When what the cipher offers, or has taken, belongs to no key or to the one before."""


def _keystream(core: CoreShape) -> list[str]:
    width = core.output.width
    widths = {"keystream__payload": width, "keystream__valid": 1, "keystream__ready": 1}
    parameters = {"RADIX": width, "TOP_FIRST": int(core.output.top_first)}
    connections = {
        "clk": "clk", "flush": _STARTS, "payload": "keystream__payload",
        "payload_valid": "keystream__valid", "payload_ready": "keystream__ready",
        "word": "cipher_word", "word_valid": "cipher_word_valid",
        "word_ready": "cipher_word_ready", "level": "cipher_level",
    }  # fmt: skip
    return [
        *_wires("", widths),
        "  assign cipher_text_ready = 1'b0;",
        "  wire unused_text = &{1'b0, cipher_text_word, cipher_text_marks, cipher_text_valid};",
        "",
        *_instance("keystream_words", "words", parameters, connections),
    ]


def _text(core: CoreShape) -> list[str]:
    words = core.output.width // WORD_BITS
    ports = {
        "in_payload": 32 * words, "in_keep": 4 * words, "in_ad": words, "in_last": 1,
        "in_valid": 1, "in_ready": 1, "out_payload": 32 * words, "out_keep": 4 * words,
        "out_valid": 1, "out_ready": 1, "tag_payload": 32 * words, "tag_keep": words,
        "tag_valid": 1, "tag_ready": 1,
    }  # fmt: skip
    connections = {
        "clk": "clk", "flush": _STARTS,
        **{f"text_{name}": f"cipher_text_{name}" for name in ("word", "marks", "valid", "ready")},
        **_same(*ports),
        **{name: f"cipher_{name}" for name in ("word", "word_valid", "word_ready")},
    }  # fmt: skip
    marks = [] if core.streams["tag"].keep_bits else ["  assign tag_keep = 1'b1;"]
    marks += ["  wire out_last;", "  wire unused_out_last = &{1'b0, out_last};"]
    return [
        *_wires("", ports), *marks, "  assign cipher_level = {7'd0, cipher_word_valid};", "",
        *_instance("text_words", "text", {"WORDS": words}, connections),
    ]  # fmt: skip


def _core(core: CoreShape) -> list[str]:
    # Every load has a key and an IV.
    load = {name: "1'b0" if name == "load__same_key" else name for name in core.load.ports}
    if core.takes_text:
        streams = _text_ports(core)
    elif "keystream" in core.streams:
        streams = _same(*core.output.ports)
    else:
        streams = _zeros(core)
    inputs = {"decrypt": "1'b0", "clear": "clear | abandon"}
    connections = {
        **_same("clk", "rst"), **load, **streams, **{name: inputs[name] for name in core.inputs},
    }  # fmt: skip
    return _instance(core.module, "core", {}, connections)


def _text_ports(core: CoreShape) -> dict[str, str]:
    """Connections of the streams of a core that takes text."""
    short = {"data_in": "in", "data_out": "out", "tag": "tag"}
    return {
        f"{name}__{member}": f"{wire}_{member}"
        for name, wire in short.items()
        for member in core.streams[name].members
    }


def _zeros(core: CoreShape) -> dict[str, str]:
    """Connections of the data streams of a core that encrypts an endless string of zeros."""
    data = core.streams["data_in"].members
    marks = {"data_in__ad": f"{data['ad']}'d0"} if "ad" in data else {}
    return marks | {
        "data_in__payload": f"{data['payload']}'d0", "data_in__keep": f"{{{data['keep']}{{1'b1}}}}",
        "data_in__last": "1'b0", "data_in__valid": "1'b1", "data_in__ready": "",
        "data_out__payload": "keystream__payload", "data_out__keep": "", "data_out__last": "",
        "data_out__valid": "keystream__valid", "data_out__ready": "keystream__ready",
        "tag__payload": "", "tag__valid": "", "tag__ready": "1'b0",
    }  # fmt: skip
