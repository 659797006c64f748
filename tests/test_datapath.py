# SPDX-License-Identifier: Apache-2.0
"""A core whose datapath is a module of its own, beside its controller."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import Capture, refused
from library_needs import needs
from needs import needs_iverilog

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.option import DATAPATH
from headwater.core.architecture import Architecture
from headwater.emit.core_netlist import core_netlist
from headwater.emit.verilog import Verilog, datapath, generate
from headwater.errors import InputError, ToolError
from headwater.flow import verilator
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import build, facts_of
from headwater.measure.figures import Figures, Frequency
from headwater.measure.point import DesignPoint
from headwater.measure.record import stage_of
from headwater.measure.replicate import point_of
from headwater.measure.settings import Settings
from headwater.measure.target import find
from headwater.measure.work import evaluate, write_rtl
from headwater.report.choose import Wish, choose_among, explanation
from headwater.verify.check import check_vectors
from headwater.verify.engine import RtlEngine
from headwater.verify.vector_files import own_files, read_file

GUIDE = Path(__file__).parents[1] / "docs" / "cores.md"
FREE = {"stall": "none", "clear": "none"}
CIPHERS = [cipher for cipher in CATALOGUE.values() if DATAPATH in cipher.choices]
TRIVIUM = CATALOGUE["trivium"]


def apart(cipher: Cipher, radix: int, **options: str) -> Architecture:
    return Architecture.choose(cipher, radix=radix, options={**options, "datapath": "apart"})


def modules_of(text: str) -> dict[str, str]:
    found = re.finditer(r"^module (\w+).*?^endmodule", text, re.MULTILINE | re.DOTALL)
    return {module[1]: module[0] for module in found}


def registers_of(module: str) -> set[str]:
    """The registers that are written at a clock edge."""
    return set(re.findall(r"^ +(\w+)(?:\[[\d:]+\])? <=", module, re.MULTILINE))


@pytest.mark.parametrize("options", [{}, FREE], ids=["default", "free"])
@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_the_datapath_has_the_secrets_and_the_controller_all_else(
    cipher: Cipher, options: dict[str, str]
) -> None:
    at = apart(cipher, 1, **options)
    made = modules_of(generate(cipher, at).text)
    name = next(iter(made))
    assert list(made) == [name, f"{name}_controller", f"{name}_datapath"]
    core, controller, alone = map(registers_of, made.values())
    plain = Architecture.choose(cipher, radix=1, options=options)
    whole = registers_of(generate(cipher, plain).text)
    assert alone == whole.intersection(core_netlist(build(cipher, at), name).wording.state)
    assert controller == whole - alone
    assert core == set()


@pytest.mark.parametrize("radix", [1, 4])
@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_free_running_cores_of_two_modules_give_the_vectors(cipher: Cipher, radix: int) -> None:
    at = apart(cipher, radix, **FREE)
    engine = RtlEngine(cipher, at)
    file = read_file(own_files(cipher)[0], cipher)
    near = [vector for vector in file.vectors if getattr(vector, "offset", 0) == 0]
    record = check_vectors(replace(file, vectors=tuple(near[:8])), engine, at)
    assert (record.failures, record.skipped) == ((), 0)
    assert record.passed >= 1


@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_a_datapath_is_one_module_with_the_ports_that_are_told(cipher: Cipher) -> None:
    for options in ({}, FREE):
        alone = datapath(cipher, apart(cipher, 1, **options))
        ports = re.findall(
            r"^  (input|output) +(?:wire|reg) +(?:\[(\d+):0\] )?(\w+)", alone.text, re.MULTILINE
        )
        assert [(port.direction, port.width, port.name) for port in alone.ports] == [
            (direction, int(high or 0) + 1, name) for direction, high, name in ports
        ]
        assert verilator.lint(alone.name, alone.text) == []


@needs_iverilog
def test_one_controller_drives_two_datapaths(tmp_path: Path) -> None:
    """As the guide shows it: one key, two IVs, and the keystreams of both."""
    (shown,) = re.findall(r"```verilog\n(module two_triviums.*?)```", GUIDE.read_text(), re.DOTALL)
    at = apart(TRIVIUM, 8, **FREE)
    key, ivs = bytes(range(10)), (bytes(10), bytes(range(5, 15)))
    loads = [facts_of(TRIVIUM, at).load_words(key, iv) for iv in ivs]
    words = "".join(f"{other:02x}{one:02x}\n" for one, other in zip(*loads, strict=True))
    (tmp_path / "load.hex").write_text(words)
    bench = _BENCH.replace("LOADS", str(len(loads[0])))
    (tmp_path / "bench.v").write_text(generate(TRIVIUM, at).text + shown + bench)
    subprocess.run(["iverilog", "-g2005", "-o", "b", "bench.v"], cwd=tmp_path, check=True)
    log = subprocess.run(
        ["vvp", "-n", "b"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.split()
    assert len(log) == 32
    for place, iv in enumerate(ivs):
        given = [int(pair, 16) >> 8 * place & 0xFF for pair in log]
        read = Keystream(TRIVIUM, key=key, iv=iv, iv_bits=80).read(8 * len(log))
        assert bytes(given) == read


_BENCH = """
module bench;
  reg clk = 0, rst = 1, valid = 0;
  reg [15:0] loads [0:LOADS-1];
  reg [15:0] load;
  wire running;
  wire [15:0] words;
  integer place = 0, taken = 0;
  two_triviums dut (clk, rst, valid, load[7:0], load[15:8], running, words[7:0], words[15:8]);
  always #1 clk = ~clk;
  initial $readmemh("load.hex", loads);
  always @(posedge clk) begin
    rst <= 0;
    valid <= !rst && place < LOADS;
    load <= loads[place];
    if (!rst && place < LOADS) place <= place + 1;
    if (running) begin
      $display("%h", words);
      taken = taken + 1;
      if (taken == 32) $finish;
    end
  end
endmodule
"""


# --- figures


@needs("osu018")
def test_figures_of_a_datapath_are_of_less_than_the_core() -> None:
    at = {
        name: Architecture.choose(TRIVIUM, options={**FREE, "datapath": name})
        for name in ("inside", "apart")
    }
    whole, alone = (point_and_record(made) for made in at.values())
    assert alone["ff"] == 288 < whole["ff"]
    assert alone["ge_smallest"] < whole["ge_smallest"]
    assert (stage_of(whole), stage_of(alone)) == ("synthesis", "synthesis, datapath")
    assert alone["power_mw"] is None
    assert whole["power_mw"] is not None
    assert alone["absent"]["power_mw"] == "a figure of whole cores: this is the datapath alone"
    assert point_of(alone, find("osu018")) == DesignPoint(TRIVIUM, at["apart"], find("osu018"))


def point_and_record(made: Architecture) -> dict[str, Any]:
    at = DesignPoint(TRIVIUM, made, find("osu018"))
    return evaluate(at, write_rtl(TRIVIUM, made)).as_json()


@needs("osu018")
def test_a_datapath_whose_netlist_is_not_the_cipher_is_refused() -> None:
    at = DesignPoint(TRIVIUM, apart(TRIVIUM, 1, **FREE), find("osu018"))
    right = write_rtl(TRIVIUM, at.architecture)
    wrong = Verilog(right.name, right.text.replace("t2 ^ t1 ^ t3", "t2 ^ t1"), right.ports)
    assert wrong.text != right.text
    with pytest.raises(ToolError, match="another keystream than the model"):
        evaluate(at, wrong)


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"stage": "layout"}, "layout"),
        ({"glitches": True}, "glitches"),
        ({"objective": "power"}, "objective power"),
    ],
)
def test_figures_that_only_a_whole_core_has_are_refused(
    settings: dict[str, Any], what: str
) -> None:
    with pytest.raises(
        InputError,
        match=f"^{what} must be of a whole core, with option datapath=inside, not 'apart'$",
    ):
        DesignPoint(TRIVIUM, apart(TRIVIUM, 1), find("osu018"), Settings(**settings))


def test_datapaths_are_chosen_among_themselves_alone() -> None:
    """They are smaller than the cores that they are parts of."""

    def record(options: dict[str, str], ge: float) -> dict[str, Any]:
        at = DesignPoint(TRIVIUM, Architecture.choose(TRIVIUM, options=options), find("osu018"))
        return Figures(at, "", {}, Frequency.over([100.0]), None, ge=ge).as_json()

    made = [record({"datapath": "apart"}, 1.0), record({}, 2.0)]
    wish = Wish("osu018", bits_per_cycle=1)
    assert [one.record for one in choose_among(made, wish)] == made[1:]
    asked = replace(wish, options={"datapath": "apart"})
    found = choose_among(made, asked)
    assert [one.record for one in found] == made[:1]
    assert "is the smallest of 1 stored datapaths on osu018" in explanation(found, asked)[0]


def test_a_cipher_of_words_has_no_such_option(capsys: Capture, tmp_path: Path) -> None:
    refused(
        capsys,
        ("generate", "zuc", "--option", "datapath=apart", "-o", tmp_path / "out"),
        "option of zuc must be one of stall, clear, sbox, feedback, streams, not 'datapath'",
    )
    assert not (tmp_path / "out").exists()
