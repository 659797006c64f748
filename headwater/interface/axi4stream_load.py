# SPDX-License-Identifier: Apache-2.0
"""The way of key and IV, as a packet of bytes, into the load words of a core."""

from __future__ import annotations

from functools import cached_property
from math import gcd

from headwater.cipher.description import Cipher
from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.interface.buses import BUSES, REQUESTS
from headwater.interface.identity import identity_of
from headwater.interface.key_registers import key_port_values
from headwater.interface.load_wiring import LoadWiring, load_wiring
from headwater.interface.module_port import BIT, names
from headwater.interface.registers import WORD_BITS
from headwater.interface.stream_chain import BYTE, Chain, Link
from headwater.interface.stream_ports import StreamPorts, bit_marks, stream_title, to_core
from headwater.interface.verilog_text import ModuleText


class KeyPath:
    """Everything between the packet of key and IV and the load of the core.

    Parameters
    ----------
    text
        The module that it becomes part of.
    cipher, facts
        Those of the core.
    width
        Bits of ``tdata``.
    by_registers
        Whether the packet is written into registers on AXI4-Lite.

    Members
    -------
    users : tuple of str
        What marks a packet: "decrypt", "same_key".
    inputs : dict of str to str
        Connections of the core's inputs that belong to no stream.
    """

    def __init__(
        self, text: ModuleText, cipher: Cipher, facts: Facts, width: int, by_registers: bool
    ) -> None:
        self._text, self._cipher, self._facts = text, cipher, facts
        self.by_registers = by_registers
        self._text_width = width
        self._width = WORD_BITS if by_registers else width
        self._name = "key" if by_registers else "s_axis_load"
        marks = (*facts.inputs, *self._load.marks)
        self.users = tuple(user for user in ("decrypt", "same_key") if user in marks)
        inputs = {"decrypt": "user[0]", "clear": "clear | abandon"}
        self.inputs = {name: inputs[name] for name in facts.inputs}

    @property
    def _load(self) -> Stream:
        return self._facts.streams["load"]

    @cached_property
    def wiring(self) -> LoadWiring:
        """Where the bits of the packet go."""
        return load_wiring(self._cipher, self._facts.architecture)

    @property
    def any_length(self) -> bool:
        """Whether the IV may have any legal length; else it has the longest."""
        return "last" in self._load.marks and self.wiring.before == 0

    def write(self) -> None:
        """Write the path, and the wires `reset`, `loaded`, `ended`; `waiting` and `over` are to be
        assigned."""
        text, clears = self._text, "clear" in self._facts.inputs
        for name in ("waiting", "over", "ended", "loaded", "busy"):
            text.wire(name)
        if self.by_registers:
            text.wire("clear")
        elif clears:
            text.port("input", "clear")
        text.wire("reset", value="~aresetn | clear" if clears else "~aresetn")
        text.wire("abandon")
        text.wire("abandoned", value="" if self.by_registers else "1'b0")
        self._ends()
        if self.by_registers:
            self._registers("busy", "loaded", "ended")
        for name in ("go_valid", "go_ready"):
            text.wire(name)
        text.wire("user", max(1, len(self.users)))
        self._words()
        self._session()

    def _ends(self) -> None:
        """Declare the packet's stream."""
        members = {
            "data": self._width,
            "keep": self._width // BYTE,
            "last": BIT,
            "user": max(1, len(self.users)),
            "valid": BIT,
            "ready": BIT,
        }
        if not self.by_registers:
            self._text.group(stream_title(self._name))
        for name, width in members.items():
            self._end(name, width)

    def _end(self, member: str, width: int) -> None:
        """Declare a member of the packet's stream: a port, or a wire from the registers."""
        if self.by_registers:
            self._text.wire(f"{self._name}_t{member}", width)
        elif member == "user" and not self.users:
            return
        else:
            way = "output" if member == "ready" else "input"
            self._text.port(way, f"{self._name}_t{member}", width)

    def _registers(self, busy: str, loaded: str, ended: str) -> None:
        """The registers on AXI4-Lite, which give a stream of 32 bits, and what they tell."""
        text, bus = self._text, BUSES["axi4lite"]
        text.take(bus.signals, "Registers")
        text.group("Interrupt")
        text.port("output", "irq")
        text.wires_like(REQUESTS)
        both = {name: name for name in names(REQUESTS)}
        clocking = {"clk": "aclk", "rst": "~aresetn"}
        own = {name: name for name in names(bus.signals)}
        text.part(bus.adapter, "translation", {**clocking, **own, **both})
        stream = {
            f"load_{member}": f"key_t{member}"
            for member in ("data", "keep", "last", "valid", "ready")
        }
        told = {name: name for name in ("irq", "clear", "over")}
        told |= {"busy": busy, "loaded": loaded, "ended": ended}
        if self.users:
            told["control"] = "key_tuser"
        else:
            text.assign("key_tuser", "1'b0")
        identity = identity_of(self._cipher, self._facts.architecture)
        text.part(
            "key_port",
            "registers",
            {**clocking, **both, **stream, **told, "abandon": "abandoned"},
            values=key_port_values(self.users, identity),
        )

    def _session(self) -> None:
        text, name, users = self._text, self._name, max(1, len(self.users))
        ends = "data_in" in self._facts.streams and self._facts.streams["data_in"].last_ends
        text.wire("load_counts")
        text.wire("load_taken")
        text.assign("load_counts", "(|load_beat_keep) | load_beat_last")
        text.assign(f"{name}_tready", "load_taken | ~load_counts")
        text.part(
            "stream_session",
            "session",
            {
                "clk": "aclk",
                "rst": "reset",
                "abandoned": "abandoned",
                "abandon": "abandon",
                "load_valid": "load_counts",
                "load_ready": "load_taken",
                "load_last": "load_beat_last",
                "load_user": f"{name}_tuser" if self.users or self.by_registers else "1'b0",
                "go_valid": "go_valid",
                "go_ready": "go_ready",
                "waiting": "waiting",
                "ended": "ended",
                "over": "over",
                "user": "user",
                "loaded": "loaded",
                "busy": "busy",
            },
            {"MESSAGES": int(ends), "USERS": users},
        )

    def _words(self) -> None:
        """The packet cut into load words; stored as a whole where its bits change their places."""
        text, load, before = self._text, self._load, self.wiring.before
        chain = Chain(text, "reset | abandon")
        in_order = before is not None and not (before and "last" in load.marks)
        if in_order:
            first = before if before else 0
            beat = self._beat(gcd(self._width, load.width, first or load.width))
            words = chain.converted(beat, load.width, first=first)
        else:
            whole = -(-self.wiring.bits // self._width) * self._width
            packet = chain.converted(self._beat(self._width), whole)
            parts = (f"{packet.name}_{part}" for part in ("data", "valid", "ready"))
            string = self._placed(whole, *parts)
            words = chain.converted(string, load.width)
        self._into_core(words)
        if "same_key" in load.marks:
            place, name = self.users.index("same_key"), self._name
            kept = f"{name}_tvalid ? {name}_tuser[{place}] : user[{place}]"
            text.assign("core_load_same_key", kept)

    def _into_core(self, words: Link) -> None:
        """Connect the load words to the core."""
        text = self._text
        to_core(text, self._load, words)
        text.assign("core_load_valid", f"{words.name}_valid")
        text.assign(f"{words.name}_ready", "core_load_ready")
        text.assign("ended", f"core_load_valid & core_load_ready & {words.name}_last")

    def _beat(self, piece: int) -> Link:
        """The packet as it comes."""
        text = self._text
        link = Link("load_beat", self._width, bit_marks(piece), piece).declare(text)
        order = self._cipher.input_order or self._cipher.bit_order
        StreamPorts(text, self._name, order).bits_in(link)
        text.assign("load_beat_ad", f"{self._width // piece}'d0")
        text.assign("load_beat_last", f"{self._name}_tvalid & {self._name}_tlast")
        text.assign("load_beat_valid", "go_valid")
        text.assign("go_ready", "load_beat_ready")
        return link

    def _placed(self, size: int, source: str, valid: str, ready: str) -> Link:
        """The string of all load words, each bit where the core expects it, from the wires of a
        whole packet of so many bits, whose bytes have their first bit lowest."""
        text, wiring, width = self._text, self.wiring, self._load.width
        string = Link("load_string", len(wiring.sums), width, width).declare(text)
        target = "load_string_data"
        for row in wiring.rows:
            if row.stride == row.step == 1 or row.count == 1:
                last, top = row.target + row.count - 1, row.source + row.count - 1
                text.assign(f"{target}[{last}:{row.target}]", f"{source}[{top}:{row.source}]")
            else:
                text.loop(
                    row.count,
                    f"{target}[{row.target} + {row.stride} * i]",
                    f"{source}[{row.source} + ({row.step}) * i]",
                )
        for bit, places in enumerate(wiring.sums):
            inverted = bit in wiring.ones
            if len(places) != 1 or inverted:
                terms = [f"{source}[{place}]" for place in places] + ["1'b1"] * inverted
                text.assign(f"{target}[{bit}]", " ^ ".join(terms) or "1'b0")
        count = len(wiring.sums) // width
        text.assign("load_string_keep", f"{{{count}{{1'b1}}}}")
        text.assign("load_string_ad", f"{count}'d0")
        text.assign("load_string_last", "1'b1")
        text.assign("load_string_valid", valid)
        text.assign(ready, "load_string_ready")
        if {place for places in wiring.sums for place in places} != set(range(size)):
            text.unused(source)
        return string
