# SPDX-License-Identifier: Apache-2.0
"""A core on AXI4-Stream: packets of bytes go in and come out. Knows no cipher.

The modules between the streams and the core are in `rtl`. Byte 0 of a packet is in lane 0, whatever
the order of bits in the words of the core.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.facts import Facts
from headwater.errors import InputError
from headwater.interface.axi4stream_header import header
from headwater.interface.axi4stream_kept_key import KeptKeyPath
from headwater.interface.axi4stream_load import KeyPath
from headwater.interface.axi4stream_packets import PartsPath, SumPath
from headwater.interface.axi4stream_text import KeystreamPath, MessagePath
from headwater.interface.key_registers import key_registers
from headwater.interface.module_port import ModulePort
from headwater.interface.packets import Packets
from headwater.interface.registers import Register
from headwater.interface.verilog_text import ModuleText
from headwater.kinds.registry import facts_of

DATA_WIDTHS = (8, 16, 32, 64, 128)
"""Bits of ``tdata``."""

KEY_WAYS = {
    "stream": "key and IV come as a packet of their bytes",
    "axi4lite": "key and IV are written into registers on AXI4-Lite",
}
"""What `generate --key-by` offers."""


@dataclass(frozen=True)
class Wrapped:
    """A core on AXI4-Stream.

    Members
    -------
    top : str
        Name of the module.
    files : dict of str to str
        The module and its parts, without the core.
    ports : tuple of ModulePort
        Those of the module.
    data_width : int
        Bits of ``tdata``.
    registers : tuple of Register
        Those on AXI4-Lite; empty where key and IV come by a stream.
    parts : dict of str to int
        The bytes of each part of the packet of key and IV.
    any_length : bool
        Whether the IV may have any length that the core takes; else it has the longest.
    packets : Packets or None
        The packets that plain DMA engines send, where it takes them.
    """

    top: str
    files: dict[str, str]
    ports: tuple[ModulePort, ...]
    data_width: int
    registers: tuple[Register, ...]
    parts: dict[str, int]
    any_length: bool
    packets: Packets | None


def axi4_stream(
    core: str,
    cipher: Cipher,
    architecture: Architecture,
    data_width: int | None = None,
    key_by: str = "stream",
    packets: str = "marked",
) -> Wrapped:
    """The modules that put a core on AXI4-Stream.

    Parameters
    ----------
    core
        Name of the core's module.
    cipher, architecture
        What it is.
    data_width
        Bits of ``tdata``, the same in all streams; by default the least that hold a word of text or
        keystream.
    key_by
        One of `KEY_WAYS`.
    packets
        One of `headwater.interface.packets.PACKETS`.

    Raises
    ------
    InputError
        If the core cannot wait, or a choice is not legal.
    """
    facts = facts_of(cipher, architecture)
    plain = packets == "plain"
    _check(cipher, facts, key_by, plain=plain)
    width = _data_width(facts, data_width)
    top = f"{core}_axi4stream"
    wrapper = _Wrapper(ModuleText(top), cipher, facts, width, key_by == "axi4lite", plain)
    files = wrapper.write(core)
    key = wrapper.key
    registers = key_registers(key.users, kept=plain) if wrapper.by_registers else ()
    ports = tuple(wrapper.module.ports)
    return Wrapped(
        top,
        files,
        ports,
        width,
        registers,
        key.wiring.parts,
        key.any_length and not plain,
        wrapper.packets,
    )


def _check(cipher: Cipher, facts: Facts, key_by: str, *, plain: bool) -> None:
    name = cipher.name
    if not facts.waits:
        raise InputError(
            f"option stall of {name} must be stream on AXI4-Stream, which may pause at any time, "
            f"not {facts.architecture.stall}"
        )
    if key_by == "axi4lite" and "clear" not in facts.inputs:
        raise InputError(
            f"option clear of {name} must be shift or instant with the key by axi4lite, which has "
            "a register that clears, not none"
        )
    if plain and "data_in" in facts.streams and "clear" not in facts.inputs:
        raise InputError(
            f"option clear of {name} must be shift or instant with plain packets, as one that is "
            "not as its header says clears the core, not none"
        )


def _data_width(facts: Facts, chosen: int | None) -> int:
    if chosen is None:
        word = facts.streams.get("data_in") or facts.streams["keystream"]
        fitting = (width for width in DATA_WIDTHS if width >= word.width)
        return next(fitting, DATA_WIDTHS[-1])
    if chosen not in DATA_WIDTHS:
        legal = ", ".join(map(str, DATA_WIDTHS))
        raise InputError(f"data width of AXI4-Stream must be one of {legal}, not {chosen}")
    return chosen


@dataclass(frozen=True)
class _Wrapper:
    """The module around a core.

    Members
    -------
    module : ModuleText
    cipher : Cipher
    facts : Facts
    width : int
        Bits of ``tdata``.
    by_registers : bool
        Whether key and IV are written into registers.
    plain : bool
        Whether plain DMA engines send the packets.
    """

    module: ModuleText
    cipher: Cipher
    facts: Facts
    width: int
    by_registers: bool
    plain: bool

    @cached_property
    def key(self) -> KeyPath:
        """The way of key and IV."""
        kind = KeptKeyPath if self.plain else KeyPath
        return kind(self.module, self.cipher, self.facts, self.width, self.by_registers)

    @cached_property
    def packets(self) -> Packets | None:
        """The packets that plain DMA engines send."""
        parts = self.key.wiring.parts
        return Packets.of(self.cipher, self.facts, parts) if self.plain else None

    @cached_property
    def path(self) -> KeystreamPath | MessagePath:
        """The way of text or keystream."""
        takes_text, common = (
            "data_in" in self.facts.streams,
            (self.module, self.cipher, self.facts.streams, self.width),
        )
        if self.packets:
            return (PartsPath if takes_text else SumPath)(*common, self.packets)
        return (MessagePath if takes_text else KeystreamPath)(*common)

    def write(self, core: str) -> dict[str, str]:
        """The module and its parts, by name of the file."""
        streams, text, path = self.facts.streams, self.module, self.path
        text.group("Clock and reset")
        text.port("input", "aclk")
        text.port("input", "aresetn")
        self.key.write()
        path.write()
        if not self.plain:
            text.assign("waiting", path.waiting)
            text.assign("over", path.over)
        connections = {"clk": "aclk", "rst": "~aresetn"}
        for stream in streams.values():
            connections |= {port: f"core_{port}" for port in stream.ports}
        text.instance(core, "core", connections | self.key.inputs)
        comment = header(
            self.cipher,
            self.facts.architecture,
            core,
            streams,
            self.key.wiring.parts,
            self.key.users,
            any_length=self.key.any_length,
            by_registers=self.by_registers,
            packets=self.packets,
        )
        return text.files(comment, path.parameters)
