# SPDX-License-Identifier: Apache-2.0
"""The ways of keystream, text and tag between a core and AXI4-Stream."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import gcd

from headwater.cipher.description import Cipher
from headwater.core.streams import Stream
from headwater.interface.stream_chain import BYTE, Chain, Link
from headwater.interface.stream_ports import StreamPorts, bit_marks, from_core, to_core
from headwater.interface.verilog_text import ModuleText


@dataclass(frozen=True)
class _Path(ABC):
    """All streams but the load. The module has the wires `reset`, `loaded` and `ended`.

    Members
    -------
    text : ModuleText
        The module that it becomes part of.
    cipher : Cipher
    streams : mapping of str to Stream
        Those of the core.
    width : int
        Bits of ``tdata``.
    """

    text: ModuleText
    cipher: Cipher
    streams: Mapping[str, Stream]
    width: int

    @abstractmethod
    def write(self) -> None:
        """Write the path."""

    @property
    @abstractmethod
    def waiting(self) -> str:
        """Whether an offered beat waits to be taken, where only a load ends the output."""

    @property
    def over(self) -> str:
        """Whether a message ends."""
        return "1'b0"

    @property
    def parameters(self) -> str:
        """Parameters of the module, as it declares them."""
        return ""

    def _ports(self, name: str) -> StreamPorts:
        return StreamPorts(self.text, name, self.cipher.bit_order)


class KeystreamPath(_Path):
    """Endless beats; ``tuser`` marks the first one after a load."""

    @property
    def waiting(self) -> str:
        """Whether an offered beat waits to be taken."""
        return "m_axis_keystream_tvalid & ~m_axis_keystream_tready"

    def write(self) -> None:
        """Write the path."""
        text, beats = self.text, self._beats()
        self._ports("m_axis_keystream").data_out(beats)
        text.port("output", "m_axis_keystream_tuser")
        text.assign("m_axis_keystream_tvalid", f"{beats.name}_valid & loaded")
        text.assign(f"{beats.name}_ready", "m_axis_keystream_tready")
        text.lines(
            "  reg first;",
            "  always @(posedge aclk)",
            "    if (reset | ~loaded) first <= 1'b1;",
            "    else if (m_axis_keystream_tvalid & m_axis_keystream_tready) first <= 1'b0;",
            "  assign m_axis_keystream_tuser = first;",
        )

    def _beats(self) -> Link:
        """The keystream in words of ``tdata``."""
        text, stream = self.text, self.streams["keystream"]
        piece = gcd(stream.width, self.width)
        chain = Chain(text, "reset | ~loaded")
        link = from_core(text, stream, Link("keystream", stream.width, bit_marks(piece), piece))
        text.assign("keystream_last", "1'b0")
        text.assign("keystream_valid", "core_keystream_valid & loaded")
        text.assign("core_keystream_ready", "keystream_ready & loaded")
        return chain.converted(link, self.width)


class MessagePath(_Path):
    """Text in, text and tag out."""

    def write(self) -> None:
        """Write the path."""
        self._text_in(self.streams["data_in"])
        if "data_out" in self.streams:
            self._text_out(self.streams["data_out"])
        if "tag" in self.streams:
            self._tag(self.streams["tag"])

    @property
    def waiting(self) -> str:
        """Whether an offered beat waits to be taken, where only a load ends the output."""
        endless = not self.streams["data_in"].last_ends
        return "m_axis_data_out_tvalid & ~m_axis_data_out_tready" if endless else "1'b0"

    @property
    def over(self) -> str:
        """Whether a message ends: with its tag, or with its text where there is no tag."""
        last = "tag_packet" if "tag" in self.streams else "data_out"
        return f"{last}_valid & {last}_ready & {last}_last"

    @property
    def parameters(self) -> str:
        """The length of the tag, where the core gives as much of it as one likes."""
        if "tag" not in self.streams or self.streams["tag"].bits is not None:
            return ""
        return f"#(\n  parameter TAG_BYTES = {self.cipher.default_tag_bits // BYTE}\n) "

    @property
    def _bitwise(self) -> bool:
        """Whether a message may end within a byte."""
        return self.cipher.text_unit == 1

    @property
    def _unit(self) -> int:
        """Bits that a part of the message is a multiple of in the words of the core; 0 where there
        is one part. A wider word may hold both."""
        data = self.streams["data_in"]
        return max(data.ad_bits, data.part_bits) if data.ad_bits else 0

    def _text_in(self, stream: Stream) -> None:
        text, width, unit = self.text, self.width, self._unit
        flush = "reset" if stream.last_ends else "reset | ~loaded"
        chain = Chain(text, flush)
        ad_bits = min(stream.ad_bits, width) or gcd(stream.width, width)
        beat = Link("data_in", width, stream.keep_bits, ad_bits).declare(text)
        ports = self._ports("s_axis_data_in")
        ports.beat_in(
            beat,
            spare=self._bitwise,
            ad=bool(stream.ad_bits),
            gate="" if stream.last_ends else "loaded",
        )
        if width < unit:
            beat = chain.aligned(beat, unit)
        word = chain.converted(beat, stream.width, unit)
        to_core(text, stream, word)
        if "data_out" in self.streams and not self.streams["data_out"].gives_empty_words:
            self._mark_empty(word)
        else:
            text.assign("core_data_in_valid", f"{word.name}_valid")
            text.assign(f"{word.name}_ready", "core_data_in_ready")

    def _mark_empty(self, word: Link) -> None:
        """A core gives no word for a message without text: then a beat without bytes is made."""
        text, name = self.text, word.name
        each = word.ad_bits // word.keep_bits
        count = word.width // word.ad_bits
        text.wire("has_text", count)
        text.loop(count, "has_text[i]", f"|{name}_keep[{each} * i +: {each}] & ~{name}_ad[i]")
        text.wire("no_text", value=f"{name}_last & ~|has_text")
        text.assign("core_data_in_valid", f"{name}_valid & (~no_text | data_out_ready)")
        text.assign(f"{name}_ready", "core_data_in_ready & (~no_text | data_out_ready)")

    def _text_out(self, stream: Stream) -> None:
        text, chain, unit = self.text, Chain(self.text, "reset"), self._unit
        piece = gcd(stream.width, self.width)
        link = Link("data_out", stream.width, stream.keep_bits, min(piece, unit or piece))
        from_core(text, stream, link)
        if stream.gives_empty_words:
            text.assign("data_out_last", "core_data_out_last")
            text.assign("data_out_valid", "core_data_out_valid")
        else:
            text.assign("data_out_last", "core_data_out_last | no_text")
            offered = "core_data_in_valid & core_data_in_ready & no_text"
            text.assign("data_out_valid", f"core_data_out_valid | ({offered})")
        text.assign("core_data_out_ready", "data_out_ready")
        self._packet_out(chain.converted(link, self.width, unit), stream.name)

    def _tag(self, stream: Stream) -> None:
        """The tag has no mark of its last word: its words are counted."""
        text, chain = self.text, Chain(self.text, "reset")
        piece = gcd(stream.keep_bits or stream.width, self.width, stream.bits or BYTE)
        link = Link("tag", stream.width, bit_marks(piece), piece)
        from_core(text, stream, link)
        text.assign("tag_last", "1'b0")
        text.assign("tag_valid", "core_tag_valid")
        text.assign("core_tag_ready", "tag_ready")
        pieces = chain.converted(link, piece)
        packet = replace(pieces, name="tag_packet").declare(text)
        for member in ("data", "keep", "ad"):
            text.assign(f"{packet.name}_{member}", f"{pieces.name}_{member}")
        count = f"8 * TAG_BYTES / {piece}" if stream.bits is None else stream.bits // piece
        ends = {f"in_{member}": f"{pieces.name}_{member}" for member in ("valid", "ready")}
        ends |= {
            f"out_{member}": f"{packet.name}_{member}" for member in ("last", "valid", "ready")
        }
        text.part(
            "stream_end",
            "tag_end",
            {"clk": "aclk", "restart": "reset | ended", **ends},
            {"COUNT": count},
        )
        self._packet_out(chain.converted(packet, self.width), stream.name, spare=False)

    def _packet_out(self, link: Link, name: str, *, spare: bool = True) -> None:
        self._ports(f"m_axis_{name}").beat_out(link, spare=spare and self._bitwise)
