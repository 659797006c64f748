# SPDX-License-Identifier: Apache-2.0
"""The way of a key that is kept for several packets, each of which brings its own IV, into the load
words of a core."""

from __future__ import annotations

from headwater.cipher.description import Cipher
from headwater.core.facts import Facts
from headwater.interface.axi4stream_load import KeyPath
from headwater.interface.load_table import KEY
from headwater.interface.stream_chain import BYTE, Chain, Link
from headwater.interface.verilog_text import ModuleText


class KeptKeyPath(KeyPath):
    """Everything between the packet of the key, the IV in front of a text, and the load of the
    core. The members are those of `KeyPath`.
    """

    def __init__(
        self, text: ModuleText, cipher: Cipher, facts: Facts, width: int, by_registers: bool
    ) -> None:
        super().__init__(text, cipher, facts, width, by_registers)
        self.users = ()
        inputs = {
            "decrypt": "receives",
            "clear": "reset" if "data_in" in facts.streams else "clear",
        }
        self.inputs = {name: inputs[name] for name in facts.inputs}

    def write(self) -> None:
        """Write the path, and the wires `reset`, `loaded`, `ended`; `restart` (what is inside of
        the core is forgotten), `over` and `front_begun` (the key is in use) are to be driven."""
        text, clears = self._text, "clear" in self._facts.inputs
        for name in (
            "over",
            "restart",
            "ended",
            "front_begun",
            "key_whole",
            "key_changes",
            "key_ended",
        ):
            text.wire(name)
        if self.by_registers:
            text.wire("clear")
        elif clears:
            text.port("input", "clear")
        text.wire("forget", value="~aresetn | clear" if clears else "~aresetn")
        text.wire("reset", value="forget | restart")
        text.wire("abandoned", value="" if self.by_registers else "1'b0")
        text.lines(
            "  reg loaded;",
            "  always @(posedge aclk)",
            "    if (reset | over) loaded <= 1'b0;",
            "    else if (ended) loaded <= 1'b1;",
            gives="loaded",
        )
        self._key()
        self._iv()

    def _key(self) -> None:
        """The key, which nothing but the load of the core reads."""
        text, size = self._text, self.wiring.parts[KEY]
        self._ends()
        if self.by_registers:
            self._registers("key_changes | front_begun", "key_whole", "key_ended")
        text.wire("kept_key", BYTE * size)
        name, lanes = self._name, self._width // BYTE
        text.part(
            "packet_key",
            "key_store",
            {
                "clk": "aclk",
                "rst": "forget",
                "abandon": "abandoned",
                "allowed": "~front_begun",
                "in_data": f"{name}_tdata",
                "in_keep": f"{name}_tkeep & {{{lanes}{{{name}_tvalid}}}}",
                "in_last": f"{name}_tlast & {name}_tvalid",
                "in_valid": f"{name}_tvalid",
                "in_ready": f"{name}_tready",
                "key": "kept_key",
                "whole": "key_whole",
                "changes": "key_changes",
                "ended": "key_ended",
            },
            {"LANES": lanes, "BYTES": size},
        )

    def _iv(self) -> None:
        """The IV, gathered, and behind the key."""
        text, width, key = self._text, self._text_width, BYTE * self.wiring.parts[KEY]
        beats = -(-(self.wiring.bits - key) // width)
        iv = Chain(text, "reset").converted(
            Link("iv", width, BYTE, width).declare(text), width * beats
        )
        text.assign("iv_ad", "1'd0")
        text.wire("loading", value=f"{iv.name}_valid")
        size = key + width * beats
        packet = text.wire("secret", size)
        order = self._cipher.input_order or self._cipher.bit_order
        if order == "lsb_first":
            text.assign(packet, f"{{{iv.name}_data, kept_key}}")
        else:
            text.wire("secret_bytes", size, f"{{{iv.name}_data, kept_key}}")
            text.loop(size, f"{packet}[i]", "secret_bytes[i ^ 7]")
        words = Chain(text, "reset").converted(
            self._placed(size, packet, f"{iv.name}_valid", f"{iv.name}_ready"), self._load.width
        )
        self._into_core(words)
        if "same_key" in self._load.marks:
            text.assign("core_load_same_key", "1'b0")
