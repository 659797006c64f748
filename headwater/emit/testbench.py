# SPDX-License-Identifier: Apache-2.0
"""A self-checking testbench for a generated core, in any Verilog-2001 simulator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headwater.core.facts import Facts
from headwater.core.streams import Stream

Marked = tuple[int, int, int]
"""A data word that goes in: payload, keep, marks of associated data; or one that comes out:
payload, keep, whether it is the last."""
Words = Sequence[int | Marked]
"""The words of a stream, in order."""

_CYCLE_LIMIT = 100_000


def testbench(core: str, facts: Facts, words: Mapping[str, Words]) -> str:
    """The module ``{core}_tb``, which sends or expects the words of each stream. It prints "PASS",
    or "FAIL" and why."""
    return _Bench(core, facts, words).text()


class _Bench:
    """The testbench of a core, made from its streams and their words."""

    def __init__(self, core: str, facts: Facts, words: Mapping[str, Words]) -> None:
        self.core, self.streams, self.inputs = core, facts.streams, tuple(facts.inputs)
        self.words = {name: words[name] for name in self.streams if name in words}
        self.outputs = [name for name in self.words if self.streams[name].direction == "output"]
        self.waits = any(self.streams[name].waits for name in self.outputs)

    def text(self) -> str:
        """The whole file."""
        loads = len(self.words["load"])
        parts = [self._array(self.streams[name], words) for name, words in self.words.items()]
        for name, words in self.words.items():
            stream = self.streams[name]
            if stream.direction == "output":
                parts.append(self._check(stream, len(words)))
            else:
                # A core that cannot wait takes data as soon as it is ready, so data must be valid
                # by then.
                loaded = name != "load" and stream.waits
                begins = f"load_taken == {loads}" if loaded else "1'b1"
                parts.append(self._source(stream, len(words), begins))
        total = sum(len(self.words[name]) for name in self.outputs)
        seen = " + ".join(f"{name}_seen" for name in self.outputs)
        wrong = " || ".join(f"{name}_wrong" for name in self.outputs)
        connected = ",\n".join(f"    .{name}({name})" for name in self._ports)
        when = "at random moments" if self.waits else "without a gap"
        return f"""\
// SPDX-License-Identifier: Apache-2.0
// Tests {self.core} by itself: words go in and come out {when}, and those that come
// out are compared with the model's. Prints PASS, or FAIL and why.

module {self.core}_tb;
  reg clk = 1'b0, rst = 1'b1;
  reg [15:0] chance = 16'h0001;               // a shift-register sequence
  integer cycle = 0;
{self._declarations()}

  {self.core} core (
{connected}
  );

  always #5 clk = ~clk;

{"".join(parts)}\
  always @(posedge clk) begin
    cycle <= cycle + 1;
    rst <= cycle < 3;
    chance <= {{chance[14:0], chance[15] ^ chance[13] ^ chance[12] ^ chance[10]}};
    if ({wrong}) begin
      $display("FAIL: {self.core} gives other words than the model");
      $finish;
    end else if ({seen} == {total}) begin
      $display("PASS: {self.core}, words compared with the model's: {total}");
      $finish;
    end else if (cycle == {_CYCLE_LIMIT}) begin
      $display("FAIL: {self.core} gave %0d of {total} words in %0d cycles", {seen}, cycle);
      $finish;
    end
  end
endmodule
"""

    @property
    def _ports(self) -> list[str]:
        """The ports of the core."""
        streams = (port for stream in self.streams.values() for port in stream.ports)
        return ["clk", "rst", *streams, *self.inputs]

    def _declarations(self) -> str:
        """Declarations of the ports; inputs without a driver are zero."""
        lines = []
        for name, stream in self.streams.items():
            for port, (direction, width) in stream.ports.items():
                bits = f"[{width - 1}:0] " if width > 1 else ""
                if direction == "output" or port.endswith("__ready"):
                    lines.append(f"  wire {bits}{port};")
                elif name in self.words and not port.endswith("__same_key"):
                    lines.append(f"  reg {bits}{port} = {width}'d0;")
                else:
                    lines.append(f"  wire {bits}{port} = {width}'d0;")
        return "\n".join([*lines, *(f"  wire {name} = 1'd0;" for name in self.inputs)])

    def _array(self, stream: Stream, words: Words) -> str:
        """The words of a stream as an array."""
        name, width = stream.name, sum(_parts(stream).values())
        lines = [f"  reg [{width - 1}:0] {name}_words [0:{len(words) - 1}];", "  initial begin"]
        for place, word in enumerate(words):
            value = _value(stream, (word,) if isinstance(word, int) else word)
            lines.append(f"    {name}_words[{place}] = {width}'h{value:x};")
        return "\n".join([*lines, "  end", "", ""])

    def _source(self, stream: Stream, count: int, begins: str) -> str:
        """Offers words one after another, and zeros between them."""
        name, width = stream.name, sum(_parts(stream).values())
        offered = f"{name}__valid" if stream.waits else f"{name}_offered"
        declared = "" if stream.waits else f"  reg {offered} = 1'b0;\n"
        last = "last" in stream.marks
        marked = f"          {name}__last <= {name}_next == {count - 1};\n" if last else ""
        unmarked = f"          {name}__last <= 1'b0;\n" if last else ""
        pause = " && chance[0]" if self.waits else ""
        return f"""\
{declared}  integer {name}_next = 0, {name}_taken = 0;
  always @(posedge clk)
    if (!rst) begin
      if ({offered} && {name}__ready) {name}_taken <= {name}_taken + 1;
      if (!{offered} || {name}__ready)
        if ({begins} && {name}_next < {count}{pause}) begin
          {offered} <= 1'b1;
          {_together(stream)} <= {name}_words[{name}_next];
{marked}          {name}_next <= {name}_next + 1;
        end else begin
          {offered} <= 1'b0;
          {_together(stream)} <= {width}'d0;
{unmarked}        end
    end

"""

    def _check(self, stream: Stream, count: int) -> str:
        """Takes words and compares them."""
        name = stream.name
        chance = f"chance[{3 + self.outputs.index(name)}]"
        ready = f"  assign {name}__ready = {chance};\n" if stream.waits else ""
        taken = f"{name}__valid" + (f" && {name}__ready" if stream.waits else "")
        return f"""\
{ready}  reg {name}_wrong = 1'b0;
  integer {name}_seen = 0;
  always @(posedge clk)
    if (!rst && load_taken != 0 && {taken} && {name}_seen < {count}) begin
      if ({_together(stream)} !== {name}_words[{name}_seen]) {name}_wrong <= 1'b1;
      {name}_seen <= {name}_seen + 1;
    end

"""


def _members(stream: Stream) -> tuple[str, ...]:
    """The members of a stored word, the lowest bits first; for message words they include marks."""
    if not stream.keep_bits or "last" not in stream.marks:
        return ("payload",)
    return ("payload", "keep", "ad" if stream.direction == "input" else "last")


def _parts(stream: Stream) -> dict[str, int]:
    """The members that the core has ports for, with their widths."""
    return {name: stream.members[name] for name in _members(stream) if name in stream.members}


def _together(stream: Stream) -> str:
    return "{" + ", ".join(f"{stream.name}__{part}" for part in reversed(_parts(stream))) + "}"


def _value(stream: Stream, parts: Sequence[int]) -> int:
    """A word as one number, without members that the core has no port for."""
    value, at, widths = 0, 0, _parts(stream)
    for name, part in zip(_members(stream), parts, strict=True):
        if name in widths:
            value |= part << at
            at += widths[name]
    return value
