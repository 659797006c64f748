# SPDX-License-Identifier: Apache-2.0
"""The ends of a chain: the beats of AXI4-Stream, and the ports of the core."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.algebra.bitstring import BitOrder
from headwater.core.streams import Stream
from headwater.interface.module_port import BIT
from headwater.interface.stream_chain import BYTE, Link
from headwater.interface.verilog_text import ModuleText

_TITLES = {
    "load": "Key and IV",
    "keystream": "Keystream",
    "data_in": "Text in",
    "data_out": "Text out",
    "tag": "Tag",
}


def stream_title(ports: str) -> str:
    """What the comment above the ports of a stream says, by what their names begin with."""
    name = ports.split("_axis_")[-1]
    return _TITLES.get(name, name.replace("_", " ").capitalize())


def bit_marks(piece: int) -> int:
    """Bits that a mark of bits that count stands for, where the least piece has so many bits."""
    return 1 if piece < BYTE else BYTE


@dataclass(frozen=True)
class StreamPorts:
    """One stream of AXI4-Stream.

    Members
    -------
    text : ModuleText
    name : str
        Its ports are called ``NAME_tdata`` and so on.
    order : str
        Which bit of a byte is its first.
    """

    text: ModuleText
    name: str
    order: BitOrder

    def beat_in(self, link: Link, *, spare: bool, ad: bool, gate: str = "") -> None:
        """Declare the ports of an input and connect them to a link.

        Parameters
        ----------
        link
            Of the same width.
        spare, ad
            Whether ``tuser`` says how many bits of the last byte do not count, and what is
            associated data.
        gate
            Beats wait while it is zero.
        """
        text, name = self.text, self.name
        self.declare("input", "output", link.width, users=3 * spare + ad, packets=True)
        self.bits_in(link, f"{name}_tuser[{int(ad)} +: 3]" if spare else "3'd0")
        marks = link.width // link.ad_bits
        marked = f"{{{marks}{{{name}_tuser[0] & {name}_tvalid}}}}"
        text.assign(f"{link.name}_ad", marked if ad else f"{marks}'d0")
        counts = text.wire(f"{link.name}_counts", value=f"(|{link.name}_keep) | {link.name}_last")
        passes = f"{gate} & " if gate else ""
        text.assign(f"{link.name}_last", f"{name}_tvalid & {name}_tlast")
        text.assign(f"{link.name}_valid", f"{passes}{counts}")
        text.assign(f"{name}_tready", f"{passes}({link.name}_ready | ~{counts})")

    def bits_in(self, link: Link, spare: str = "3'd0") -> None:
        """Connect data and marks of bits that count."""
        text, name = self.text, self.name
        size = link.width // BYTE
        self._turned(link.width, f"{link.name}_data", f"{name}_tdata")
        kept_bits = f"{name}_tkeep & {{{size}{{{name}_tvalid}}}}"
        if link.keep_bits == BYTE:
            text.assign(f"{link.name}_keep", kept_bits)
            return
        text.part(
            "stream_bits",
            f"{link.name}_bits",
            {
                "bytes": kept_bits,
                "last": f"{link.name}_last",
                "spare": spare,
                "bits": f"{link.name}_keep",
            },
            {"BYTES": size},
        )

    def data_out(self, link: Link) -> None:
        """Declare the ports of an output without packets, and connect its data."""
        self.declare("output", "input", link.width, users=0, packets=False)
        self._turned(link.width, f"{self.name}_tdata", f"{link.name}_data")

    def beat_out(self, link: Link, *, spare: bool) -> None:
        """Declare the ports of an output and connect a link to them."""
        text, name = self.text, self.name
        self.declare("output", "input", link.width, users=3 * spare, packets=True)
        self._turned(link.width, f"{name}_tdata", f"{link.name}_data")
        if link.keep_bits == BYTE:
            text.assign(f"{name}_tkeep", f"{link.name}_keep")
            if spare:
                text.assign(f"{name}_tuser", "3'd0")
        else:
            left_over = f"{name}_tuser" if spare else text.wire(f"{link.name}_spare", 3)
            text.part(
                "stream_bytes",
                f"{link.name}_bytes",
                {
                    "bits": f"{link.name}_keep",
                    "bytes": f"{name}_tkeep",
                    "spare": left_over,
                },
                {"BYTES": link.width // BYTE},
            )
        text.assign(f"{name}_tlast", f"{link.name}_last")
        text.assign(f"{name}_tvalid", f"{link.name}_valid")
        text.assign(f"{link.name}_ready", f"{name}_tready")

    def declare(self, there: str, back: str, width: int, *, users: int, packets: bool) -> None:
        """Declare the ports: of data ``there``, of ``tready`` ``back``."""
        port = self.text.port
        self.text.group(stream_title(self.name))
        port(there, f"{self.name}_tdata", width)
        if packets:
            port(there, f"{self.name}_tkeep", width // BYTE)
            port(there, f"{self.name}_tlast")
        if users:
            port(there, f"{self.name}_tuser", users)
        port(there, f"{self.name}_tvalid")
        port(back, f"{self.name}_tready")

    def _turned(self, width: int, target: str, source: str) -> None:
        """Assign data whose bytes have their first bit lowest on one side."""
        if self.order == "lsb_first":
            self.text.assign(target, source)
        else:
            self.text.loop(width, f"{target}[i]", f"{source}[i ^ 7]")


def from_core(text: ModuleText, stream: Stream, link: Link) -> Link:
    """Declare a link and connect data and marks of an output of the core to it."""
    _declare_ports(text, stream)
    link.declare(text)
    turn = _turn(stream)
    text.assign(f"{link.name}_ad", f"{link.width // link.ad_bits}'d0")
    _assign(text, f"{link.name}_data", f"core_{stream.name}_payload", link.width, turn)
    count = link.width // link.keep_bits
    if not stream.keep_bits:
        text.assign(f"{link.name}_keep", f"{{{count}{{1'b1}}}}")
    elif stream.keep_bits == link.keep_bits:
        _assign(text, f"{link.name}_keep", f"core_{stream.name}_keep", count, turn)
    else:
        each = stream.keep_bits // link.keep_bits
        text.loop(count, f"{link.name}_keep[i]", f"core_{stream.name}_keep[i / {each}]")
    return link


def to_core(text: ModuleText, stream: Stream, link: Link) -> None:
    """Connect data and marks of a link to an input of the core."""
    _declare_ports(text, stream)
    turn = _turn(stream)
    _assign(text, f"core_{stream.name}_payload", f"{link.name}_data", link.width, turn)
    if stream.keep_bits:
        count = link.width // link.keep_bits
        _assign(text, f"core_{stream.name}_keep", f"{link.name}_keep", count, turn)
    if stream.ad_bits:
        count, each = link.width // stream.ad_bits, stream.ad_bits // link.ad_bits
        source = f"{link.name}_ad"
        if each > 1:
            text.loop(count, f"core_{stream.name}_ad[i]", f"{source}[{each} * i]")
        else:
            _assign(text, f"core_{stream.name}_ad", source, count, turn)
    if "last" in stream.marks:
        text.assign(f"core_{stream.name}_last", f"{link.name}_last")


def _declare_ports(text: ModuleText, stream: Stream) -> None:
    for member, width in stream.members.items():
        vector = member in ("payload", "keep", "ad")
        text.wire(f"core_{stream.name}_{member}", width if vector else BIT)


def _turn(stream: Stream) -> bool:
    return stream.top_first and stream.width > 1


def _assign(text: ModuleText, target: str, source: str, count: int, turned: bool) -> None:
    """Assign a vector, in the opposite order if ``turned``."""
    if turned and count > 1:
        text.loop(count, f"{target}[i]", f"{source}[{count - 1} - i]")
    else:
        text.assign(target, source)
