# SPDX-License-Identifier: Apache-2.0
"""The timing diagram of a package is what a simulation of its core shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from needs import needs_iverilog

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog, generate
from headwater.flow.process import run_tool
from headwater.kinds.registry import facts_of
from headwater.package.timing import diagram, shown_load_words, timing_rows

BENCH = """\
module bench;
{declarations}
  {module} dut ({connections});
  integer words = 0, cycles = 0;
  initial clk = 0;
  always #5 clk = ~clk;
  always @(negedge clk) begin
    rst = cycles < 2;
    load_valid = cycles > 3 & words < {load_words};
    {last} = words == {load_words} - 1;
    #4;
    if (cycles > 2) $display("%b%b%b", load_valid, {offers}, load_valid & load_ready);
    words = words + (load_valid & load_ready);
    cycles = cycles + 1;
    if (cycles == {load_words} + 600) $finish;
  end
endmodule
"""
"""A load without a pause, and everything else is there at any time."""

CORES = (
    ("trivium", 64),
    ("trivium", 144),
    ("grain128aead", 1),
    ("grain128aead", 8),
    ("sfinks-ae", 1),
    ("mosquito", 1),
    ("chacha20", 32),
    ("aes_ofb", 128),
    ("phelix", 32),
    ("vest4-ae", 4),
    ("uia2", 32),
)
"""Every kind; loads of one word and of many, no setup, a word in each cycle and pauses."""


@needs_iverilog
@pytest.mark.parametrize(("name", "radix"), CORES)
def test_the_diagram_is_what_a_simulation_shows(name: str, radix: int, tmp_path: Path) -> None:
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher, radix=radix)
    facts = facts_of(cipher, architecture)
    load_words = shown_load_words(cipher, facts)
    shown = json.loads(diagram(facts, load_words))
    waves = {signal["name"]: signal["wave"] for signal in shown["signal"]}
    assert len({len(wave) for wave in waves.values()}) == 1
    (offers,) = {"keystream_valid", "data_in_ready"} & set(waves)
    trace = simulated(tmp_path, generate(cipher, architecture), load_words, offers)
    assert re.match(
        "".join(pattern(waves["load_valid"], waves[offers])), "".join(cycle[:2] for cycle in trace)
    )
    taken = [cycle for cycle, (*_, taken) in enumerate(trace) if taken == "1"]
    first = next(cycle for cycle, (_, offered, _) in enumerate(trace) if offered == "1")
    assert len(taken) == load_words
    assert shown["edge"][0].startswith(f"a~>b {first - taken[0]} cycles to ")
    spans = [
        [int(cycle) for cycle in cycles.split(" to ")]
        for cycles, _ in timing_rows(facts, load_words)
    ]
    assert spans[0] == [0]
    assert spans[-1] == [first - taken[0]]
    assert [span[0] for span in spans[1:]] == [span[-1] + 1 for span in spans[:-1]]


def simulated(folder: Path, verilog: Verilog, load_words: int, offers: str) -> list[str]:
    """Three digits for each cycle: whether a load word is there, what is offered, and whether the
    load word is taken."""
    text = BENCH.format(
        declarations="\n".join(
            f"  {'reg' if port.direction == 'input' else 'wire'} [{port.width - 1}:0] {port.name}"
            f"{' = ' + value(port.name) if port.direction == 'input' else ''};"
            for port in verilog.ports
        ),
        module=verilog.name,
        load_words=load_words,
        offers=offers,
        connections=", ".join(f".{port.name}({port.name})" for port in verilog.ports),
        last="load_last" if "load_last" in {port.name for port in verilog.ports} else "unused",
    ).replace("  integer words", "  reg unused;\n  integer words")
    (folder / "bench.v").write_text(text)
    (folder / "core.v").write_text(verilog.text)
    run_tool(["iverilog", "-g2012", "-o", "bench.vvp", "bench.v", "core.v"], cwd=folder)
    printed = run_tool(["vvp", "-n", "bench.vvp"], cwd=folder)
    return re.findall(r"^[01]{3}$", printed, re.MULTILINE)


def value(port: str) -> str:
    """What stands on an input all the time: whoever can be ready or has a word, is and has."""
    always = port.endswith(("_ready", "_keep")) or port == "data_in_valid"
    return "-1" if always else "0"


def pattern(*waves: str) -> Iterator[str]:
    """For each column the levels that must be seen, any number of times where it is a gap."""
    levels = [""] * len(waves)
    for column in zip(*waves, strict=True):
        levels = [
            level if mark in ".|" else mark for level, mark in zip(levels, column, strict=True)
        ]
        yield f"(?:{''.join(levels)}){'+' if '|' in column else ''}"
