# SPDX-License-Identifier: Apache-2.0
"""A testbench that checks a generated core by itself, in any simulator of Verilog-2001."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headwater.emit.verilog import Verilog

Marked = tuple[int, int, int]
"""A data word that goes in: payload, keep, marks of associated data; or one that comes out:
payload, keep, whether it is the last."""
Words = Sequence[int | Marked]
"""The words of a stream, in order."""

_CYCLE_LIMIT = 100_000
_OUTPUTS = ("keystream", "data_out", "tag")
_MEMBERS = {"data_in": ("payload", "keep", "ad"), "data_out": ("payload", "keep", "last")}


def testbench(
    verilog: Verilog,
    load: Sequence[int],
    data_in: Sequence[Marked],
    expected: Mapping[str, Words],
) -> str:
    """The module ``{core}_tb``. It prints "PASS", or "FAIL" and why.

    Parameters
    ----------
    verilog
        The core.
    load
        Its load words.
    data_in
        The data words, if it takes any.
    expected
        The words of each stream that comes out, by its name.
    """
    return _Bench(verilog).text(load, data_in, expected)


class _Bench:
    """The testbench of a core: what follows from its ports."""

    def __init__(self, verilog: Verilog) -> None:
        self.core = verilog.name
        self.ports = {port.name: port for port in verilog.ports}
        self.waits = any(f"{stream}__ready" in self.ports for stream in _OUTPUTS)

    def text(
        self,
        load: Sequence[int],
        data_in: Sequence[Marked],
        expected: Mapping[str, Words],
    ) -> str:
        """The whole file."""
        given: dict[str, Words] = {"load": load, "data_in": data_in, **expected}
        words = {name: some for name, some in given.items() if some}
        outputs = {name: len(words[name]) for name in _OUTPUTS if name in words}
        parts = [
            *(self._words(name, some) for name, some in words.items()),
            self._source("load", len(load), "1'b1"),
            *([self._data(len(data_in), len(load))] if data_in else []),
            *(self._check(name, count) for name, count in outputs.items()),
        ]
        total = sum(outputs.values())
        seen = " + ".join(f"{name}_seen" for name in outputs)
        wrong = " || ".join(f"{name}_wrong" for name in outputs)
        connected = ",\n".join(f"    .{name}({name})" for name in self.ports)
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

    def _declarations(self) -> str:
        """The ports; those that nothing drives are zero."""
        lines = []
        for name, port in self.ports.items():
            if name in ("clk", "rst"):
                continue
            driven = name.startswith(("load__", "data_in__")) and name != "load__same_key"
            bits = f"[{port.width - 1}:0] " if port.width > 1 else ""
            if port.direction == "output" or name.endswith("__ready"):
                lines.append(f"  wire {bits}{name};")
            elif driven:
                lines.append(f"  reg {bits}{name} = {port.width}'d0;")
            else:
                lines.append(f"  wire {bits}{name} = {port.width}'d0;")
        return "\n".join(lines)

    def _width(self, stream: str) -> int:
        return sum(self._member_width(stream, member) for member in self._members(stream))

    def _members(self, stream: str) -> list[str]:
        """What a word of a stream is made of, the lowest bits first."""
        named = _MEMBERS.get(stream, ("payload",))
        return [member for member in named if f"{stream}__{member}" in self.ports]

    def _member_width(self, stream: str, member: str) -> int:
        return self.ports[f"{stream}__{member}"].width

    def _together(self, stream: str) -> str:
        members = reversed(self._members(stream))
        return "{" + ", ".join(f"{stream}__{member}" for member in members) + "}"

    def _words(self, stream: str, words: Words) -> str:
        """The words of a stream as an array."""
        width = self._width(stream)
        lines = [f"  reg [{width - 1}:0] {stream}_words [0:{len(words) - 1}];", "  initial begin"]
        for place, word in enumerate(words):
            value = self._value(stream, (word,) if isinstance(word, int) else word)
            lines.append(f"    {stream}_words[{place}] = {width}'h{value:x};")
        return "\n".join([*lines, "  end", "", ""])

    def _value(self, stream: str, parts: Sequence[int]) -> int:
        """A word as one number; a part that the core has no port for is left out."""
        value = at = 0
        for member, part in zip(_MEMBERS.get(stream, ("payload",)), parts, strict=True):
            if member in self._members(stream):
                value |= part << at
                at += self._member_width(stream, member)
        return value

    def _data(self, count: int, loads: int) -> str:
        """A core that cannot wait takes data as soon as it is ready: they must be there."""
        told = "data_in__valid" in self.ports
        return self._source("data_in", count, f"load_taken == {loads}" if told else "1'b1")

    def _source(self, stream: str, count: int, begins: str) -> str:
        """Offers words one after another, and zeros between them."""
        own = f"{stream}__valid" not in self.ports
        offered = f"{stream}_offered" if own else f"{stream}__valid"
        declared = f"  reg {offered} = 1'b0;\n" if own else ""
        last = f"{stream}__last" in self.ports
        marked = f"          {stream}__last <= {stream}_next == {count - 1};\n" if last else ""
        unmarked = f"          {stream}__last <= 1'b0;\n" if last else ""
        pause = " && chance[0]" if self.waits else ""
        return f"""\
{declared}  integer {stream}_next = 0, {stream}_taken = 0;
  always @(posedge clk)
    if (!rst) begin
      if ({offered} && {stream}__ready) {stream}_taken <= {stream}_taken + 1;
      if (!{offered} || {stream}__ready)
        if ({begins} && {stream}_next < {count}{pause}) begin
          {offered} <= 1'b1;
          {self._together(stream)} <= {stream}_words[{stream}_next];
{marked}          {stream}_next <= {stream}_next + 1;
        end else begin
          {offered} <= 1'b0;
          {self._together(stream)} <= {self._width(stream)}'d0;
{unmarked}        end
    end

"""

    def _check(self, stream: str, count: int) -> str:
        """Takes words and compares them."""
        has_ready = f"{stream}__ready" in self.ports
        chance = f"chance[{3 + _OUTPUTS.index(stream)}]"
        ready = f"  assign {stream}__ready = {chance};\n" if has_ready else ""
        taken = f"{stream}__valid" + (f" && {stream}__ready" if has_ready else "")
        return f"""\
{ready}  reg {stream}_wrong = 1'b0;
  integer {stream}_seen = 0;
  always @(posedge clk)
    if (!rst && load_taken != 0 && {taken} && {stream}_seen < {count}) begin
      if ({self._together(stream)} !== {stream}_words[{stream}_seen]) {stream}_wrong <= 1'b1;
      {stream}_seen <= {stream}_seen + 1;
    end

"""
