# SPDX-License-Identifier: Apache-2.0
"""The ways of text and tag between a core and packets that a plain DMA engine sends and takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from headwater.interface.axi4stream_text import KeystreamPath, MessagePath
from headwater.interface.length_header import has_length_header
from headwater.interface.packet_ends import IN, MEMBERS, OUT, PacketEnds, StreamWires
from headwater.interface.packets import Packets
from headwater.interface.stream_ports import StreamPorts
from headwater.interface.verilog_text import same


@dataclass(frozen=True)
class SumPath(KeystreamPath):
    """A text goes in, and leaves with the keystream added.

    Members
    -------
    packets : Packets
    """

    packets: Packets

    def write(self) -> None:
        """Write the path."""
        text, ends = self.text, PacketEnds(self.text, self.width, self.packets)
        ends.declare()
        beats = self._beats()
        StreamWires(text, "key_beats", self.cipher.bit_order).data_out(beats)
        text.assign("key_beats_tvalid", f"{beats.name}_valid & loaded")
        text.assign(f"{beats.name}_ready", "key_beats_tready")
        ends.front()
        wires = {"text_data": f"{IN}_tdata", "text_keep": "given_keep", "text_last": "given_last"}
        key = {f"key_{member}": f"key_beats_t{member}" for member in ("data", "valid", "ready")}
        text.part(
            "packet_sum",
            "sum",
            {
                "none": "all_in & ~loading",
                **wires,
                "text_valid": "body_valid",
                "text_ready": "body_ready",
                **key,
                **{f"out_{member}": f"{OUT}_t{member}" for member in MEMBERS},
                **same("over"),
            },
            {"LANES": ends.lanes},
        )
        text.assign("restart", "over")


@dataclass(frozen=True)
class PartsPath(MessagePath):
    """Associated data, text and a received tag go in; text, tag and status leave.

    Members
    -------
    packets : Packets
    """

    packets: Packets

    @cached_property
    def _ends(self) -> PacketEnds:
        return PacketEnds(self.text, self.width, self.packets)

    def _ports(self, name: str) -> StreamPorts:
        return StreamWires(self.text, _inner(name), self.cipher.bit_order)

    def write(self) -> None:
        """Write the path."""
        self._ends.declare()
        self.text.wire("receives")
        super().write()
        self._ends.front()
        self._parts()
        self._end()

    @property
    def _tag_bytes(self) -> int | str:
        """Bytes of a tag, which may be a parameter of the module."""
        return "TAG_BYTES" if self.parameters else self.packets.tag

    def _parts(self) -> None:
        """The body of a packet cut into its parts, each of which begins a beat."""
        text, ends, lanes = self.text, self._ends, self._ends.lanes
        widths = ends.widths | {"part": 2 * lanes}
        for member, width in widths.items():
            text.wire(f"parts_given_{member}", width)
        for name in (
            "textless",
            "complete",
            "failed",
            "received_valid",
            "received_ready",
            "aborted",
        ):
            text.wire(name)
        for name in ("spare", "reason"):
            text.wire(name, 3)
        text.part(
            "packet_parts",
            "parts",
            {
                "clk": "aclk",
                "rst": "forget",
                **same("over"),
                "in_data": f"{IN}_tdata",
                "in_keep": "given_keep",
                **same("field_taken"),
                "in_valid": "body_valid",
                "in_ready": "body_ready",
                **same("passed"),
                "ended": "all_in",
                "bad": "front_bad",
                "early": "front_early",
                **{f"out_{member}": f"parts_given_{member}" for member in widths},
                **same("textless", "receives", "spare", "complete", "failed", "reason"),
            },
            {
                "LANES": lanes,
                "FIELD_BITS": self.width * ends.field_beats,
                "TAG_BYTES": self._tag_bytes,
                "AD": int(self.packets.ad),
                "SPARE": int(self.packets.spare),
                "SENDS": int(self.packets.sends),
                "RECEIVES": int(self.packets.receives),
                "DER": int(has_length_header(self.cipher)),
            },
        )
        ends.packed("parts", 2)
        if lanes > 1:
            text.unused("parts_part")  # but that of the first lane
        inner, is_tag = _inner("data_in"), "parts_part[1]"
        for member in ("data", "keep"):
            text.assign(f"{inner}_t{member}", f"parts_{member}")
        text.assign(f"{inner}_tvalid", f"parts_valid & ~{is_tag}")
        text.assign(f"{inner}_tlast", "parts_last & (~parts_part[0] | textless)")
        users = ["spare"] * self.packets.spare + ["parts_part[0]"] * bool(
            self.streams["data_in"].ad_bits
        )
        if users:
            text.assign(f"{inner}_tuser", f"{{{', '.join(users)}}}")
        text.assign("parts_ready", f"{is_tag} ? received_ready : {inner}_tready")

    def _end(self) -> None:
        """What leaves, without a gap. A packet that is not what it should be ends at once, but an
        offered beat is not taken back."""
        text, ends = self.text, self._ends
        for member, width in (ends.widths | {"part": ends.lanes}).items():
            text.wire(f"leaving_given_{member}", width)
        text.assign("restart", f"failed & ~aborted & ~({OUT}_tvalid & ~{OUT}_tready)")
        text.assign("received_valid", "parts_valid & parts_part[1]")
        text.assign("leaving_given_part", f"{ends.lanes}'d0")
        text.part(
            "packet_end",
            "end_of_packet",
            {
                "clk": "aclk",
                "rst": "forget",
                **same("receives", "complete"),
                "abort": "restart",
                **same("reason"),
                **self._leaves("text", "data_out"),
                **self._leaves("tag", "tag"),
                "received_data": "parts_data",
                **same("received_valid", "received_ready"),
                **{f"out_{member}": f"leaving_given_{member}" for member in MEMBERS},
                **same("aborted", "over"),
            },
            {
                "LANES": ends.lanes,
                "TEXT": int(self.packets.gives_text),
                "TAG": int("tag" in self.streams),
            },
        )
        ends.packed("leaving", 1)
        for member in MEMBERS[:-1]:
            text.assign(f"{OUT}_t{member}", f"leaving_{member}")
        text.assign("leaving_ready", f"{OUT}_tready")

    def _leaves(self, port: str, stream: str) -> dict[str, str]:
        """The connections of a stream of the core to what puts the packet together."""
        if stream in self.streams:
            return {f"{port}_{member}": f"{_inner(stream)}_t{member}" for member in MEMBERS}
        nothing = {member: f"{width or 1}'d0" for member, width in self._ends.widths.items()}
        self.text.wire(f"no_{port}_ready")
        return {f"{port}_{member}": value for member, value in nothing.items()} | {
            f"{port}_ready": f"no_{port}_ready"
        }


def _inner(name: str) -> str:
    """The wires of a stream of the core that has no ports here."""
    return f"inner_{name.removeprefix('s_axis_').removeprefix('m_axis_')}"
