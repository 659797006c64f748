# SPDX-License-Identifier: Apache-2.0
"""AXI4-Stream around a core: its streams under the names and in the widths that AXI gives them.

Nothing is stored and nothing reordered: bit 0 of ``tdata`` is bit 0 of the core's word. Widths are
made up to whole bytes with zeros.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

CorePort = tuple[str, str, int]
"""Name, "input" or "output", and width of a port of the core."""

_BYTE = 8
_SAME_MEANING = {"valid": "tvalid", "ready": "tready", "last": "tlast"}


def axi4_stream(core: str, ports: Sequence[CorePort]) -> str:
    """The Verilog module ``{core}_axi4stream``, which holds the core.

    A stream that goes in is ``s_axis_NAME``, one that comes out ``m_axis_NAME``. Marks of the bytes
    of a word are ``tkeep``; marks of single bits, and of associated data above them, are ``tuser``.
    What belongs to no stream keeps its name, but for ``aclk`` and the active-low ``aresetn``.

    Parameters
    ----------
    core
        The name of its module.
    ports
        Its ports, in order.
    """
    streams: dict[str, dict[str, CorePort]] = {}
    declared = ["input  wire aclk", "input  wire aresetn"]
    connected = {"clk": "aclk", "rst": "~aresetn"}
    for port in ports:
        stream, _, member = port[0].partition("__")
        if member:
            streams.setdefault(stream, {})[member] = port
        elif stream not in connected:
            declared.append(_declaration(port[1], port[2], stream))
            connected[stream] = stream
    body: list[str] = []
    for stream, members in streams.items():
        ends = _Ends(stream, members)
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
    """One stream: its ports, what the core's are connected to, and assignments."""

    def __init__(self, stream: str, members: Mapping[str, CorePort]) -> None:
        _, self.direction, self.width = members["payload"]
        self.name = f"{'s' if self.direction == 'input' else 'm'}_axis_{stream}"
        self.declared: list[str] = []
        self.connected: dict[str, str] = {}
        self.body: list[str] = []
        self._data(members["payload"][0])
        marks = {name: members[name] for name in ("keep", "ad") if name in members}
        if "keep" in marks and self.width >= _BYTE * marks["keep"][2]:
            keep, _, count = marks.pop("keep")
            self._bytes(keep, count)
        if marks:
            self._user(list(marks.values()))
        for member, name in _SAME_MEANING.items():
            if member in members:
                own, direction, _ = members[member]
                self._port(direction, 1, name)
                self.connected[own] = f"{self.name}_{name}"

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

    def _bytes(self, keep: str, count: int) -> None:
        """Marks of bytes, or of words of several bytes."""
        self._port(self.direction, self.width // _BYTE, "tkeep")
        whole, each = f"{self.name}_tkeep", self.width // _BYTE // count
        self.connected[keep] = whole
        if each > 1:
            self.connected[keep] = marks = f"{self.name}_words"
            self.body.append(f"  wire [{count - 1}:0] {marks};")
            bits = ", ".join(f"{{{each}{{{marks}[{place}]}}}}" for place in reversed(range(count)))
            self.body.append(f"  assign {whole} = {{{bits}}};")

    def _user(self, marks: list[CorePort]) -> None:
        self._port(self.direction, sum(width for _, _, width in marks), "tuser")
        place = 0
        whole = f"{self.name}_tuser"
        alone = len(marks) == 1
        for own, _, width in marks:
            self.connected[own] = whole if alone else f"{whole}[{place + width - 1}:{place}]"
            place += width
