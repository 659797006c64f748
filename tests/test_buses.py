# SPDX-License-Identifier: Apache-2.0
"""Coprocessors on AXI4-Lite and Wishbone, simulated with cocotb."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from coprocessors import Coprocessor

from headwater.cipher.catalogue import find
from headwater.cipher.message import Message
from headwater.codesign.job import expected_keystream
from headwater.codesign.shape import public_secret
from headwater.errors import ToolError
from headwater.flow.process import private_folder
from headwater.flow.yosys import run_yosys
from headwater.interface.registers import TEXT_MARKS
from headwater.interface.shell import PORTS, rtl_files
from headwater.kinds.reading import process

BUSES = ("wishbone", "axi4lite")
PORT = next(path for path in rtl_files() if path.name == "axi4lite_port.v")
_PROTOCOL = Path(__file__).with_name("axi4lite_protocol.v")
_WORDS = 9
_RUN = """\
import sys
from contextlib import suppress
from pathlib import Path
from cocotb_tools.runner import get_results, get_runner
folder = Path(sys.argv[1])
runner = get_runner("icarus")
runner.build(sources=sorted(folder.glob("*.v")), hdl_toplevel=sys.argv[2], build_dir=folder,
             build_args=["-g2005"], timescale=("1ns", "1ns"))
with suppress(SystemExit):  # That a check failed is among the results, too.
    runner.test(hdl_toplevel=sys.argv[2], test_module=sys.argv[3], build_dir=folder,
                results_xml=str(folder / "results.xml"))
run, failed = get_results(folder / "results.xml")
print(run, "checks", failed, "failed")
"""


def text_and_what_it_becomes(made: Coprocessor) -> tuple[list[tuple[int, int]], list[int]]:
    """Words of a text with their marks, and those of ciphertext and tag."""
    words = [0x9E3779B9 * place & 0xFFFFFFFF for place in range(1, _WORDS + 1)]
    data = struct.pack(f"<{_WORDS}I", *words)
    sealed = process(made.cipher, Message(*public_secret(made.cipher), b"", data, 8 * len(data)))
    out = sealed.text + sealed.tag
    whole, last = 4, {entry.name: entry.value for entry in TEXT_MARKS}["LAST"]
    marks = [whole] * (_WORDS - 1) + [whole | last]
    return list(zip(marks, words, strict=True)), list(struct.unpack(f"<{len(out) // 4}I", out))


def checks_failed(
    checks: str, top: str, sources: dict[str, str], given: dict[str, Any], folder: Path
) -> tuple[int, str]:
    """How many checks fail, of which the first ends the run, and what the simulator printed."""
    for file, source in sources.items():
        (folder / file).write_text(source)
    environment = os.environ | {
        "HEADWATER_CHECK": json.dumps(given), "PYTHONPATH": str(Path(__file__).parent),
        "COCOTB_LOG_LEVEL": "WARNING", "COCOTB_MAX_FAILURES": "1",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", _RUN, str(folder), top, checks], cwd=folder, env=environment,
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    counts = re.search(r"(\d+) checks (\d+) failed", done.stdout)
    assert counts, done.stdout
    assert int(counts[1])
    return int(counts[2]), done.stdout


def failed_on_bus(
    name: str, bus: str, folder: Path, parts: dict[str, str] | None = None
) -> tuple[int, str]:
    """The same of a coprocessor, some of whose parts may be others."""
    made = Coprocessor(find(name), PORTS[bus])
    text: list[tuple[int, int]] = []
    if made.core.takes_text:
        text, expected = text_and_what_it_becomes(made)
    else:
        expected = expected_keystream(
            made.cipher, made.core.output, _WORDS, public_secret(made.cipher)
        )
    sources = made.sources | (parts or {})
    del sources["cop.v"]
    given = {"bus": bus, "load": made.load, "text": text, "expected": expected}
    return checks_failed("bus_checks", "coprocessor", sources, given, folder)


@pytest.mark.parametrize("bus", BUSES)
@pytest.mark.parametrize("name", ["trivium", "phelix"])
def test_masters_of_others(name: str, bus: str, tmp_path: Path) -> None:
    failed, printed = failed_on_bus(name, bus, tmp_path)
    assert not failed, printed


MUTANTS = {
    "neither yields to the other": ("axi4lite", "phelix", "~(reads & reads_turn)", "1'b1"),
    "writes go where reads go": ("axi4lite", "trivium", "bus_we ? write_addr : read_addr",
                                 "read_addr"),
    "parts of words are written": ("axi4lite", "trivium", "strobes == 4'hf", "1'b1"),
    "reads are answered at once": ("wishbone", "trivium", "(bus_rvalid | (bus_we & bus_gnt))",
                                   "(bus_rvalid | bus_gnt)"),
    "reads are repeated": ("wishbone", "trivium", "whole & ~bus_rvalid", "whole"),
}  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_are_found(mutant: str, tmp_path: Path) -> None:
    bus, name, before, after = MUTANTS[mutant]
    made = Coprocessor(find(name), PORTS[bus])
    file = f"{bus}_port.v"
    assert made.sources[file].count(before) == 1
    mutated = made.sources[file].replace(before, after)
    assert failed_on_bus(name, bus, tmp_path, {file: mutated})[0]


def proved(port: str) -> None:
    """Prove the protocol of an AXI4-Lite port by induction; raises ToolError if it fails."""
    with private_folder() as folder:
        (folder / "port.v").write_text(port)
        (folder / "protocol.v").write_text(_PROTOCOL.read_text())
        run_yosys(
            ["read_verilog -formal port.v protocol.v", "prep -top protocol -flatten",
             "chformal -lower",
             "sat -verify -tempinduct -prove-asserts -set-assumes -maxsteps 8"],
            folder,
        )  # fmt: skip


def test_answers_of_axi4lite_are_proven() -> None:
    proved(PORT.read_text())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("else if (s_axi_bready) s_axi_bvalid", "else s_axi_bvalid"),
        ("else if (s_axi_rready) begin", "else begin"),
        ("aw_held & w_held & ~s_axi_bvalid", "aw_held & w_held"),
        ("ar_held & ~s_axi_rvalid", "ar_held"),
    ],
)
def test_broken_answers_are_found(before: str, after: str) -> None:
    text = PORT.read_text()
    assert text.count(before) == 1
    with pytest.raises(ToolError):
        proved(text.replace(before, after))
