# SPDX-License-Identifier: Apache-2.0
"""The Verilog around a netlist in gate-level simulation: it loads a core and takes what comes.

It knows the streams ``load`` and ``keystream`` or ``data_in`` with ``data_out`` or ``tag`` or both.
It prints
a line for each word that the core offers, and for each of these moments the time:

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

CYCLE = 2
"""Time units of a clock cycle; edges rise at odd times."""

LOAD_FILE = "load.hex"
DATA_FILE = "data.hex"

_TIED = {
    "clear": "1'b0",
    "decrypt": "1'b0",
    "load__same_key": "1'b0",
    "keystream__ready": "1'b1",
    "data_out__ready": "1'b1",
    "tag__ready": "1'b1",
}

# Dump the nets of the netlist, but not those inside its cells.
_WATCH = """\
    $dumpfile("dump.vcd");
    repeat (3) @(negedge clk);
    $dumpvars(1, dut);
"""


@dataclass(frozen=True)
class Bench:
    """The words that go into a core, and the number of words to take from it."""

    top: str
    ports: Mapping[str, int]
    """The width of every port of the core."""
    loads: int
    """Number of load words."""
    messages: int
    """Number of data words; 0 for a core that gives keystream."""
    words: int
    """Number of words of keystream or tag to take; 0 for a core without both."""
    cycle_limit: int
    """Clock cycles after which the simulation ends in any case."""
    watch: bool
    """Whether to write a waveform."""

    def text(self) -> str:
        """The bench as Verilog."""
        connections = ", ".join(f".{port}({_TIED.get(port, port)})" for port in self.ports)
        offered, taking = self._data() if self.messages else self._keystream()
        # Inputs change at the rising edge like registers, so logic settles once a cycle.
        return f"""\
module bench;
  reg clk = 0, rst = 1, load__valid = 0, load__last = 0;
  reg [{self._top_bit("load__payload")}:0] load__payload = 0, load_words [0:{self.loads - 1}];
  wire load__ready;
  integer cycle = 0, taken = 0, given = 0;
{offered}
  {self.top} dut ({connections});

  initial begin
    $readmemh("{LOAD_FILE}", load_words);
{_WATCH if self.watch else ""}\
  end

  always #{CYCLE // 2} clk = !clk;

  always @(posedge clk) begin
    cycle = cycle + 1;
    rst <= cycle < 3;
    if (load__valid && load__ready) begin
      if (taken == 0) $display("setup %0d", $time);
      taken = taken + 1;
    end
    load__valid <= cycle > 3 && taken < {self.loads};
    load__last <= cycle > 3 && taken == {self.loads - 1};
    load__payload <= taken < {self.loads} ? load_words[taken] : 0;
{taking}
    if (cycle == {self.cycle_limit}) $finish;
  end
endmodule
"""

    def _top_bit(self, port: str) -> int:
        return self.ports[port] - 1

    def _taken(self, stream: str, moment: str) -> str:
        """Statements for each offered word of a stream: print it, and at its first word the
        moment."""
        return f"""\
      if (given == 0) $display("{moment} %0d", $time);
      given = given + 1;
      $display("word %h", {stream}__payload);
      if (given == {self.words}) begin
        $display("end %0d", $time);
        $finish;
      end
    end"""

    def _keystream(self) -> tuple[str, str]:
        """Declarations and clocked statements for a core that gives keystream."""
        offered = f"""\
  wire [{self._top_bit("keystream__payload")}:0] keystream__payload;
  wire keystream__valid;
"""
        taking = f"""\
    if (taken == {self.loads} && keystream__valid) begin
{self._taken("keystream", "running")}"""
        return offered, taking

    def _data(self) -> tuple[str, str]:
        """Declarations and clocked statements for a core that takes a message. The message is
        offered as soon as the load is over; a core without ``data_in__valid`` takes a word whenever
        it is ready."""
        width, top = self.ports["data_in__payload"], self._top_bit("data_in__payload")
        marks, kept = self.ports.get("data_in__ad", 1), self.ports["data_in__keep"]
        offered = f"""\
  reg data_in__valid = 0, data_in__last = 0;
  reg [{top}:0] data_in__payload = 0;
  reg [{kept - 1}:0] data_in__keep = 0;
  reg [{marks - 1}:0] data_in__ad = 0;
  reg [{marks + kept + width - 1}:0] data_words [0:{self.messages - 1}];
  wire [{top}:0] data_out__payload;
  wire [{kept - 1}:0] data_out__keep;
  wire [{self.ports.get("tag__payload", 1) - 1}:0] tag__payload;
  wire data_in__ready, data_out__last, data_out__valid, tag__valid;
  integer passed = 0, left = 0;
  initial $readmemh("{DATA_FILE}", data_words);
"""
        has_text, has_tag = "data_out__payload" in self.ports, "tag__payload" in self.ports
        taking = f"""\
    if (data_in__valid && data_in__ready) begin
      if (passed == 0) $display("{"message" if has_text else "running"} %0d", $time);
      passed = passed + 1;
    end
{self._other_text(ends=not has_tag) if has_text else ""}\
    data_in__valid <= taken == {self.loads} && passed < {self.messages};
    data_in__last <= taken == {self.loads} && passed == {self.messages - 1};
    {{data_in__ad, data_in__keep, data_in__payload}} <=
      taken == {self.loads} && passed < {self.messages} ? data_words[passed] : 0;
{self._tag() if has_tag else ""}"""
        return offered, taking

    def _other_text(self, *, ends: bool) -> str:
        """Statements for each word of the other text; with ``ends`` its last word ends the run."""
        end = ""
        if ends:
            end = """\
      if (data_out__last) begin
        $display("end %0d", $time);
        $finish;
      end
"""
        return f"""\
    if (!rst && data_out__valid) begin
      if (left == 0) $display("running %0d", $time);
      left = left + 1;
      $display("data %h %h %b", data_out__payload, data_out__keep, data_out__last);
{end}\
    end
"""

    def _tag(self) -> str:
        return f"""\
    if (!rst && tag__valid) begin
{self._taken("tag", "tag")}"""
