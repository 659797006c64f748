# SPDX-License-Identifier: Apache-2.0
"""A core on AXI4-Stream: packets of bytes go in and come out. Knows no cipher.

The modules between the streams and the core are in `rtl`. Byte 0 of a packet is in lane 0, whatever
the order of bits in the words of the core.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.errors import InputError
from headwater.interface.axi4stream_header import header
from headwater.interface.axi4stream_load import KeyPath
from headwater.interface.key_registers import key_registers
from headwater.interface.parts import with_parts
from headwater.interface.registers import Register
from headwater.interface.stream_chain import BYTE, Chain, Link
from headwater.interface.stream_ports import StreamPorts, bit_marks, from_core, to_core
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
    data_width : int
        Bits of ``tdata``.
    registers : tuple of Register
        Those on AXI4-Lite; empty where key and IV come by a stream.
    """

    top: str
    files: dict[str, str]
    data_width: int
    registers: tuple[Register, ...]


def axi4_stream(
    core: str, cipher: Cipher, architecture: Architecture, data_width: int | None = None,
    key_by: str = "stream",
) -> Wrapped:  # fmt: skip
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

    Raises
    ------
    InputError
        If the core cannot wait, or a choice is not legal.
    """
    facts = facts_of(cipher, architecture)
    _check(cipher, facts, key_by)
    width = _data_width(facts, data_width)
    top = f"{core}_axi4stream"
    wrapper = _Wrapper(ModuleText(top), cipher, facts, width, key_by == "axi4lite")
    text = wrapper.write(core)
    registers = key_registers(wrapper.key.users) if wrapper.by_registers else ()
    return Wrapped(top, with_parts(top, text), width, registers)


def _check(cipher: Cipher, facts: Facts, key_by: str) -> None:
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


def _data_width(facts: Facts, given: int | None) -> int:
    if given is None:
        word = facts.streams.get("data_in") or facts.streams["keystream"]
        fitting = (width for width in DATA_WIDTHS if width >= word.width)
        return next(fitting, DATA_WIDTHS[-1])
    if given not in DATA_WIDTHS:
        legal = ", ".join(map(str, DATA_WIDTHS))
        raise InputError(f"data width of AXI4-Stream must be one of {legal}, not {given}")
    return given


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
    """

    module: ModuleText
    cipher: Cipher
    facts: Facts
    width: int
    by_registers: bool

    @cached_property
    def key(self) -> KeyPath:
        """The way of key and IV."""
        return KeyPath(self.module, self.cipher, self.facts, self.width, self.by_registers)

    def write(self, core: str) -> str:
        """The text of the module."""
        streams, text = self.facts.streams, self.module
        text.port("input", "aclk")
        text.port("input", "aresetn")
        self.key.write()
        if "data_in" in streams:
            self._message()
        else:
            self._keystream(streams["keystream"])
        text.assign("waiting", self._waiting)
        text.assign("over", self._over)
        connections = {"clk": "aclk", "rst": "~aresetn"}
        for stream in streams.values():
            connections |= {port: port for port in stream.ports}
        text.instance(core, "core", connections | self.key.inputs)
        endless = "tag" in streams and streams["tag"].bits is None
        tag_bytes = self.cipher.default_tag_bits // BYTE if endless else 0
        return text.text(
            header(
                self.cipher,
                streams,
                self.key.wiring.parts,
                self.key.users,
                any_length=self.key.any_length,
                by_registers=self.by_registers,
            ),
            f"#(\n  parameter TAG_BYTES = {tag_bytes}\n) " if endless else "",
        )

    @property
    def _waiting(self) -> str:
        """Whether an offered beat waits to be taken, where only a load ends the output."""
        streams = self.facts.streams
        if "data_in" in streams and streams["data_in"].last_ends:
            return "1'b0"
        name = "m_axis_data_out" if "data_in" in streams else "m_axis_keystream"
        return f"{name}_tvalid & ~{name}_tready"

    @property
    def _over(self) -> str:
        """Whether a message ends."""
        if "tag" in self.facts.streams:
            return "tag_packet_valid & tag_packet_ready & tag_packet_last"
        if "data_in" in self.facts.streams:
            return "data_out_valid & data_out_ready & data_out_last"
        return "1'b0"

    def _ports(self, chain: Chain, name: str) -> StreamPorts:
        return StreamPorts(chain.text, name, self.cipher.bit_order)

    def _keystream(self, stream: Stream) -> None:
        """Endless beats; ``tuser`` marks the first one after a load."""
        text = self.module
        piece = gcd(stream.width, self.width)
        chain = Chain(text, "reset | ~loaded")
        link = from_core(text, stream, Link("keystream", stream.width, bit_marks(piece), piece))
        text.assign("keystream_last", "1'b0")
        text.assign("keystream_valid", "keystream__valid & loaded")
        text.assign("keystream__ready", "keystream_ready & loaded")
        made = chain.converted(link, self.width)
        ports = self._ports(chain, "m_axis_keystream")
        text.port("output", "m_axis_keystream_tuser")
        ports.data_out(made)
        text.assign("m_axis_keystream_tvalid", f"{made.name}_valid & loaded")
        text.assign(f"{made.name}_ready", "m_axis_keystream_tready")
        text.unused(f"{made.name}_keep", f"{made.name}_ad", f"{made.name}_last")
        text.body += [
            "  reg first;",
            "  always @(posedge aclk)",
            "    if (reset | ~loaded) first <= 1'b1;",
            "    else if (m_axis_keystream_tvalid & m_axis_keystream_tready) first <= 1'b0;",
            "  assign m_axis_keystream_tuser = first;",
        ]

    def _message(self) -> None:
        """Text in, text and tag out."""
        streams = self.facts.streams
        self._text_in(streams["data_in"])
        if "data_out" in streams:
            self._text_out(streams["data_out"], streams["data_in"])
        if "tag" in streams:
            self._tag(streams["tag"])

    @property
    def _bitwise(self) -> bool:
        """Whether a message may end within a byte."""
        return self.cipher.text_unit == 1

    def _text_in(self, stream: Stream) -> None:
        text, width = self.module, self.width
        flush = "reset" if stream.last_ends else "reset | ~loaded"
        chain = Chain(text, flush)
        unit = max(stream.ad_bits, stream.part_bits) if stream.ad_bits else 0
        ad_bits = min(stream.ad_bits, width) or gcd(stream.width, width)
        beat = Link("data_in", width, stream.keep_bits, ad_bits).declare(text)
        ports = self._ports(chain, "s_axis_data_in")
        ports.beat_in(beat, spare=self._bitwise, ad=bool(stream.ad_bits),
                      gate="" if stream.last_ends else "loaded")  # fmt: skip
        if width < unit:
            beat = chain.aligned(beat, unit)
        word = chain.converted(beat, stream.width, unit)
        to_core(text, stream, word)
        if (
            "data_out" in self.facts.streams
            and not self.facts.streams["data_out"].gives_empty_words
        ):
            self._mark_empty(word)
        else:
            text.assign("data_in__valid", f"{word.name}_valid")
            text.assign(f"{word.name}_ready", "data_in__ready")

    def _mark_empty(self, word: Link) -> None:
        """A core gives no word for a message without text: then a beat without bytes is made."""
        text, name = self.module, word.name
        each = word.ad_bits // word.keep_bits
        count = word.width // word.ad_bits
        text.wire("has_text", count)
        text.loop(count, "has_text[i]", f"|{name}_keep[{each} * i +: {each}] & ~{name}_ad[i]")
        text.wire("no_text", 0, f"{name}_last & ~|has_text")
        text.assign("data_in__valid", f"{name}_valid & (~no_text | data_out_ready)")
        text.assign(f"{name}_ready", "data_in__ready & (~no_text | data_out_ready)")

    def _text_out(self, stream: Stream, entering: Stream) -> None:
        text, chain = self.module, Chain(self.module, "reset")
        piece = gcd(stream.width, self.width)
        # Where a word may hold both parts, the text may begin within it.
        unit = max(entering.ad_bits, entering.part_bits) if entering.ad_bits else 0
        link = Link("data_out", stream.width, stream.keep_bits, min(piece, unit or piece))
        from_core(text, stream, link)
        if stream.gives_empty_words:
            text.assign("data_out_last", "data_out__last")
            text.assign("data_out_valid", "data_out__valid")
        else:
            text.assign("data_out_last", "data_out__last | no_text")
            made = "data_in__valid & data_in__ready & no_text"
            text.assign("data_out_valid", f"data_out__valid | ({made})")
        text.assign("data_out__ready", "data_out_ready")
        self._packet_out(chain, chain.converted(link, self.width, unit), stream.name)

    def _tag(self, stream: Stream) -> None:
        """The tag has no mark of its last word: its words are counted."""
        text, chain = self.module, Chain(self.module, "reset")
        piece = gcd(stream.keep_bits or stream.width, self.width, stream.bits or BYTE)
        link = Link("tag", stream.width, bit_marks(piece), piece)
        from_core(text, stream, link)
        text.assign("tag_last", "1'b0")
        text.assign("tag_valid", "tag__valid")
        text.assign("tag__ready", "tag_ready")
        pieces = chain.converted(link, piece)
        packet = replace(pieces, name="tag_packet").declare(text)
        for member in ("data", "keep", "ad"):
            text.assign(f"{packet.name}_{member}", f"{pieces.name}_{member}")
        count = f"8 * TAG_BYTES / {piece}" if stream.bits is None else stream.bits // piece
        ends = {f"in_{member}": f"{pieces.name}_{member}" for member in ("valid", "ready")}
        ends |= {
            f"out_{member}": f"{packet.name}_{member}" for member in ("last", "valid", "ready")
        }
        text.instance("stream_end", "tag_end", {"clk": "aclk", "restart": "reset | ended", **ends},
                      {"COUNT": count})  # fmt: skip
        text.unused(f"{pieces.name}_last")
        self._packet_out(chain, chain.converted(packet, self.width), stream.name, spare=False)

    def _packet_out(self, chain: Chain, link: Link, name: str, *, spare: bool = True) -> None:
        self._ports(chain, f"m_axis_{name}").beat_out(link, spare=spare and self._bitwise)
