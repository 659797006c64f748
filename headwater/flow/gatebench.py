# SPDX-License-Identifier: Apache-2.0
"""The Verilog around a netlist in gate-level simulation: it loads a core and takes what comes.

It knows the streams ``load`` and ``keystream`` or ``data_in`` with ``data_out`` or ``tag`` or both.
It prints a line for each word that the core offers, and for each of these moments the time:

* ``setup``: the first load word is taken,
* ``message``: the first data word is taken,
* ``running``: the first word of keystream, or of the other text, is offered; where there is no
  other text, the first data word is taken,
* ``tag``: the first tag word is offered,
* ``end``: the last requested word is offered; without a tag, the last word of the other text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headwater.templating import Templates

_RENDERED = Templates(Path(__file__).parent).rendered

CYCLE = 2
"""Time units of a clock cycle where gates have no delay; edges rise at odd times."""

LOAD_FILE = "load.hex"
DATA_FILE = "data.hex"

_TIED = {
    "clear": "1'b0",
    "decrypt": "1'b0",
    "load_same_key": "1'b0",
    "keystream_ready": "1'b1",
    "data_out_ready": "1'b1",
    "tag_ready": "1'b1",
    "state_write": "1'b0",
    "state_word": "0",
    "state_in": "0",
    "state_out": "",
}


@dataclass(frozen=True)
class Bench:
    """The words that go into a core, and the number of words to take from it."""

    top: str
    ports: Mapping[str, int]
    """The width of every port of the core."""
    loads: int
    """Number of load words of a session."""
    messages: int
    """Number of data words; 0 for a core that gives keystream."""
    words: int
    """Number of words of keystream or tag to take; 0 for a core without both."""
    cycle_limit: int
    """Clock cycles after which the simulation ends in any case."""
    watch: bool
    """Whether to write a waveform."""
    cycle: int = CYCLE
    """Time units of a clock cycle, an even number."""
    sessions: int = 1
    """Sessions that take turns, as the port ``turn`` says. Each has a load of its own; the first
    load word is that of session 0."""
    latency: int | None = None
    """How much later than the core the registers outside get the clock, in time units; None in a
    simulation without delays."""

    def text(self) -> str:
        """The bench as Verilog. A message is offered as soon as the load is over; a core without
        ``data_in_valid`` takes a word whenever it is ready."""
        return _RENDERED(
            "gatebench.v",
            **vars(self),
            width=self.ports.get("data_in_payload"),
            kept=self.ports.get("data_in_keep"),
            marks=self.ports.get("data_in_ad", 1),
            tag_width=self.ports.get("tag_payload", 1),
            has_text="data_out_payload" in self.ports,
            has_tag="tag_payload" in self.ports,
            connections=", ".join(f".{port}({_TIED.get(port, port)})" for port in self.ports),
            half_cycle=self.cycle // 2,
            load_file=LOAD_FILE,
            data_file=DATA_FILE,
        )
