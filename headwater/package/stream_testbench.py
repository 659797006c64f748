# SPDX-License-Identifier: Apache-2.0
"""A self-checking testbench for a core on AXI4-Stream, through its own ports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from headwater.package.design import Design
from headwater.package.key_ip import KeyIp
from headwater.package.key_script import identity_checks, load_scripts
from headwater.package.packet_sessions import PacketBeats
from headwater.package.sessions import Beat, Beats, sessions_of
from headwater.package.templating import rendered

_MEMBERS = {"data": "tdata", "keep": "tkeep", "last": "tlast", "user": "tuser"}
_BYTE = 8
_SPARE_BITS = 3
CYCLE_LIMIT = 2_000_000
"""Cycles after which a testbench of a package gives up."""


@dataclass(frozen=True)
class _Stream:
    """A stream of the top module, as its testbench sees it."""

    name: str
    prefix: str
    widths: Mapping[str, int]
    beats: Sequence[Beat]

    @property
    def members(self) -> str:
        """All members together, as Verilog."""
        names = [f"{self.prefix}_{_MEMBERS[name]}" for name in reversed(list(self.widths))]
        return f"{{{', '.join(names)}}}"

    @property
    def width(self) -> int:
        """Bits of all members."""
        return sum(self.widths.values())

    @property
    def values(self) -> list[tuple[int, int]]:
        """Value and session of each beat."""
        return [(beat.value(self.widths), beat.session) for beat in self.beats]

    @property
    def masks(self) -> list[int]:
        """The bits of each beat that are compared: bytes that count, ``tuser`` in the last beat."""
        return [self._mask(beat) for beat in self.beats]

    def _mask(self, beat: Beat) -> int:
        lanes = self.widths["data"] // _BYTE
        counts = beat.keep if "keep" in self.widths else (1 << lanes) - 1
        data = sum(0xFF << _BYTE * lane for lane in range(lanes) if counts >> lane & 1)
        always = {"keep": -1, "last": -1, "user": -1 if beat.last or not beat.keep else 0}
        bits = {
            name: always.get(name, data) & (1 << width) - 1 for name, width in self.widths.items()
        }
        return Beat(
            0, bits["data"], *(bits.get(name, 0) for name in ("keep", "last", "user"))
        ).value(self.widths)


def stream_testbench(design: Design, key: KeyIp | None) -> str:
    """The module ``{top}_tb`` in SystemVerilog. It prints "PASS"; or "FAIL" and why, and ends with
    ``$fatal``. ``key`` is the IP if its key is written into registers."""
    cipher, facts, top, packets = design.cipher, design.facts, design.top, design.packets
    widths = {port.name: port.bits for port in design.ports}
    chosen = packets.chosen if packets else "decrypt" in facts.inputs
    sessions = sessions_of(cipher, facts.architecture, chosen=chosen)
    lanes = next(width for name, width in widths.items() if name.endswith("_tdata")) // _BYTE
    keystream, ad = "keystream" in facts.streams, cipher.takes_associated_data
    stream_beats = (
        PacketBeats(cipher, lanes, packets.spare, ad, packets)
        if packets
        else Beats(cipher, lanes, widths.get("s_axis_data_in_tuser", 0) >= _SPARE_BITS, ad)
    )
    beats = stream_beats.by_stream(sessions, keystream=keystream)
    return rendered(
        "testbench_streams.sv",
        top=top,
        ports=design.ports,
        sources=list(_streams("s_axis", beats, widths)),
        sinks=list(_streams("m_axis", beats, widths)),
        clears="clear" in widths,
        sessions=len(sessions),
        cycle_limit=CYCLE_LIMIT,
        bus="axi4lite",
        registers=key.registers if key else (),
        before=identity_checks(key) if key else (),
        loads=load_scripts(key, sessions) if key else (),
    )


def _streams(
    side: str, beats: Mapping[str, Sequence[Beat]], widths: Mapping[str, int]
) -> Iterator[_Stream]:
    """The streams of one side that the module has."""
    for name, some in beats.items():
        prefix = f"{side}_{name}"
        if f"{prefix}_tdata" in widths:
            members = {
                member: widths[f"{prefix}_{port}"]
                for member, port in _MEMBERS.items()
                if f"{prefix}_{port}" in widths
            }
            yield _Stream(name, prefix, members, some)
