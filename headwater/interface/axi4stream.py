# SPDX-License-Identifier: Apache-2.0
"""AXI4-Stream around a core: its streams with AXI names and widths.

Nothing is stored or reordered: bit 0 of ``tdata`` is bit 0 of the core's word. Widths are padded
with zeros to whole bytes.
"""

from __future__ import annotations

from collections.abc import Iterable

from headwater.core.streams import Stream

_BYTE = 8
_SAME_MEANING = {"valid": "tvalid", "ready": "tready", "last": "tlast"}


def axi4_stream(core: str, streams: Iterable[Stream], inputs: Iterable[str]) -> str:
    """The Verilog module ``{core}_axi4stream``, which holds the core.

    An input stream is ``s_axis_NAME``, an output stream ``m_axis_NAME``. ``keep`` of whole bytes is
    ``tkeep``. All other marks are ``tuser``: ``keep`` of single bits, ``ad`` above it,
    ``same_key``. Other inputs keep their names; the clock is ``aclk``, the active-low reset
    ``aresetn``.

    Parameters
    ----------
    core
        Name of the core's module.
    streams
        Its streams.
    inputs
        Its other one-bit inputs, except ``clk`` and ``rst``.
    """
    declared = ["input  wire aclk", "input  wire aresetn"]
    declared += [_declaration("input", 1, name) for name in inputs]
    connected = {"clk": "aclk", "rst": "~aresetn", **{name: name for name in inputs}}
    body: list[str] = []
    for stream in streams:
        ends = _Ends(stream)
        declared += ends.declared
        connected |= ends.connected
        body += ends.body
    wired = ",\n".join(f"    .{name}({value})" for name, value in connected.items())
    listed = ",\n".join(f"  {each}" for each in declared)
    return "\n".join([
        "// SPDX-License-Identifier: Apache-2.0", "", f"module {core}_axi4stream (", listed, ");",
        *body, f"  {core} core (", wired, "  );", "endmodule", "",
    ])  # fmt: skip


def _declaration(direction: str, width: int, name: str) -> str:
    bits = f"[{width - 1}:0] " if width > 1 else ""
    return f"{direction:6} wire {bits}{name}"


class _Ends:
    """One stream: its AXI ports, the connections of the core's ports, and assignments."""

    def __init__(self, stream: Stream) -> None:
        self.direction, self.width, self.ports = stream.direction, stream.width, stream.ports
        self.name = f"{'s' if stream.direction == 'input' else 'm'}_axis_{stream.name}"
        self.declared: list[str] = []
        self.connected: dict[str, str] = {}
        self.body: list[str] = []
        self._data(f"{stream.name}__payload")
        marks = [mark for mark in stream.members if mark not in ("payload", *_SAME_MEANING)]
        if stream.keep_bits >= _BYTE:
            marks.remove("keep")
            self._bytes(f"{stream.name}__keep", stream.keep_bits // _BYTE)
        self._user([f"{stream.name}__{mark}" for mark in marks])
        for member, name in _SAME_MEANING.items():
            if member in stream.members:
                direction, _ = self.ports[f"{stream.name}__{member}"]
                self._port(direction, 1, name)
                self.connected[f"{stream.name}__{member}"] = f"{self.name}_{name}"

    def _port(self, direction: str, width: int, name: str) -> None:
        self.declared.append(_declaration(direction, width, f"{self.name}_{name}"))

    def _data(self, payload: str) -> None:
        width = -(-self.width // _BYTE) * _BYTE
        whole = f"{self.name}_tdata"
        self._port(self.direction, width, "tdata")
        self.connected[payload] = f"{whole}[{self.width - 1}:0]"
        if width == self.width:
            return
        rest = f"{whole}[{width - 1}:{self.width}]"
        if self.direction == "input":
            self.body.append(f"  wire unused_{whole} = &{{1'b0, {rest}}};")
        else:
            self.body.append(f"  assign {rest} = {width - self.width}'d0;")

    def _bytes(self, keep: str, each: int) -> None:
        """Add byte marks as ``tkeep``, each mark of the core repeated for ``each`` bytes."""
        self._port(self.direction, self.width // _BYTE, "tkeep")
        whole = f"{self.name}_tkeep"
        self.connected[keep] = whole
        if each > 1:
            count = self.width // _BYTE // each
            self.connected[keep] = marks = f"{self.name}_words"
            self.body.append(f"  wire [{count - 1}:0] {marks};")
            bits = ", ".join(f"{{{each}{{{marks}[{place}]}}}}" for place in reversed(range(count)))
            self.body.append(f"  assign {whole} = {{{bits}}};")

    def _user(self, marks: list[str]) -> None:
        widths = {own: self.ports[own][1] for own in marks}
        if not widths:
            return
        self._port(self.direction, sum(widths.values()), "tuser")
        place, whole = 0, f"{self.name}_tuser"
        for own, width in widths.items():
            self.connected[own] = (
                whole if len(widths) == 1 else f"{whole}[{place + width - 1}:{place}]"
            )
            place += width
