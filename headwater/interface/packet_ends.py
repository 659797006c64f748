# SPDX-License-Identifier: Apache-2.0
"""The two streams of packets that a plain DMA engine sends and takes, and the front of a packet."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.interface.module_port import BIT
from headwater.interface.packets import FIELD_BYTES, Packets
from headwater.interface.stream_chain import BYTE
from headwater.interface.stream_ports import StreamPorts, stream_title
from headwater.interface.verilog_text import ModuleText, same

IN, OUT = "s_axis_data_in", "m_axis_data_out"
MEMBERS = ("data", "keep", "last", "valid", "ready")


class StreamWires(StreamPorts):
    """A stream of AXI4-Stream inside of the module, as wires of the same names."""

    def declare(
        self,
        there: str,  # noqa: ARG002
        back: str,  # noqa: ARG002
        width: int,
        *,
        users: int,
        packets: bool,
    ) -> None:
        """Declare the wires."""
        members = {"tdata": width, "tkeep": packets * width // BYTE, "tuser": users}
        for member, bits in members.items():
            if bits:
                self.text.wire(f"{self.name}_{member}", bits)
        for member in ("tlast",) * packets + ("tvalid", "tready"):
            self.text.wire(f"{self.name}_{member}")


@dataclass(frozen=True)
class PacketEnds:
    """The streams of packets.

    Members
    -------
    text : ModuleText
        The module that they become part of, which has the wires of `KeptKeyPath`.
    width : int
        Bits of ``tdata``.
    packets : Packets
    """

    text: ModuleText
    width: int
    packets: Packets

    @property
    def lanes(self) -> int:
        """Bytes of a beat."""
        return self.width // BYTE

    @property
    def field_beats(self) -> int:
        """The beats of a header that hold something."""
        return -(-FIELD_BYTES // self.lanes) if self.packets.header else 0

    def declare(self) -> None:
        """Declare the ports."""
        for name, there, back in ((IN, "input", "output"), (OUT, "output", "input")):
            self.text.group(stream_title(name))
            for member, width in self.widths.items():
                self.text.port(back if member == "ready" else there, f"{name}_t{member}", width)

    @property
    def widths(self) -> dict[str, int]:
        """Widths of the members of a stream of beats."""
        return {"data": self.width, "keep": self.lanes, "last": BIT, "valid": BIT, "ready": BIT}

    def front(self) -> None:
        """Write what takes the front of a packet."""
        text, lanes, packets = self.text, self.lanes, self.packets
        for name in (
            "field_taken",
            "body_valid",
            "body_ready",
            "passed",
            "all_in",
            "front_bad",
            "front_early",
        ):
            text.wire(name)
        text.assign("iv_data", f"{IN}_tdata")
        text.wire("given_keep", lanes, f"{IN}_tkeep & {{{lanes}{{{IN}_tvalid}}}}")
        text.wire("given_last", value=f"{IN}_tlast & {IN}_tvalid")
        ports = {f"in_{member}": f"given_{member}" for member in ("keep", "last")}
        ports |= {f"in_{member}": f"{IN}_t{member}" for member in ("valid", "ready")}
        text.part(
            "packet_front",
            "front",
            {
                "clk": "aclk",
                "rst": "forget",
                "allowed": "key_whole & ~key_changes",
                **same("over"),
                **ports,
                **same("field_taken"),
                **same("iv_keep", "iv_last", "iv_valid", "iv_ready", "body_valid", "body_ready"),
                "begun": "front_begun",
                **same("passed"),
                "ended": "all_in",
                "bad": "front_bad",
                "early": "front_early",
            },
            {
                "LANES": lanes,
                "HEADER_BEATS": packets.header // lanes,
                "FIELD_BEATS": self.field_beats,
                "IV_BYTES": packets.iv + packets.block,
                "FRONT_BEATS": packets.front // lanes,
            },
        )

    def packed(self, name: str, marks: int) -> None:
        """Write what closes the gaps between the bytes of beats ``NAME_given_...`` and gives them
        as ``NAME_...``, with ``marks`` bits of ``NAME_part`` beside each byte."""
        text, flag = self.text, f"{name}_given"
        members = (*MEMBERS[:2], "part", *MEMBERS[2:])
        widths = self.widths | {"part": marks * self.lanes}
        for member in members:
            text.wire(f"{name}_{member}", widths[member])
        if self.lanes > 1:
            ports = {"part": "ad"}
            connections = {"clk": "aclk", "flush": "reset" if marks > 1 else "forget"}
            for side, wires in (("in", flag), ("out", name)):
                connections |= {
                    f"{side}_{ports.get(member, member)}": f"{wires}_{member}" for member in members
                }
            text.part(
                "stream_pack",
                f"{name}_bytes",
                connections,
                {"UNITS": self.lanes, "DATA": BYTE, "KEEP": 1, "AD": marks},
            )
            return
        for member in ("data", "keep", "part", "last"):
            text.assign(f"{name}_{member}", f"{flag}_{member}")
        text.assign(f"{name}_valid", f"{flag}_valid & ({flag}_keep | {flag}_last)")
        text.assign(f"{flag}_ready", f"{name}_ready | ~({flag}_keep | {flag}_last)")
