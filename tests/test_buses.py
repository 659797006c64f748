# SPDX-License-Identifier: Apache-2.0
"""Coprocessors on AXI4-Lite and Wishbone, simulated with cocotb."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from coprocessors import Coprocessor
from texts import message_of, text_of

from headwater.cipher.catalogue import find
from headwater.codesign.job import expected_keystream
from headwater.errors import ToolError
from headwater.flow.folders import private_folder
from headwater.flow.yosys import run_yosys
from headwater.interface.parts import rtl_files
from headwater.interface.port import PORTS
from headwater.interface.public_secret import public_secret

BUSES = ("wishbone", "axi4lite")
PORT = {path.stem.removesuffix("_port"): path.read_text() for path in rtl_files()}
"""The adapters' Verilog, by bus."""
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


def checks_failed(
    checks: str, top: str, sources: dict[str, str], given: dict[str, Any], folder: Path
) -> tuple[int, str]:
    """How many checks fail, of which the first ends the run, and what the simulator printed."""
    for file, source in sources.items():
        (folder / file).write_text(source)
    here = Path(__file__).parent
    environment = os.environ | {
        "HEADWATER_CHECK": json.dumps(given),
        "PYTHONPATH": f"{here}{os.pathsep}{here.parent}",
        "COCOTB_LOG_LEVEL": "WARNING",
        "COCOTB_MAX_FAILURES": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", _RUN, str(folder), top, checks],
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    counts = re.search(r"(\d+) checks (\d+) failed", done.stdout)
    assert counts, done.stdout
    assert int(counts[1])
    return int(counts[2]), done.stdout


def failed_on_bus(
    name: str, bus: str, folder: Path, parts: dict[str, str] | None = None, radix: int | None = None
) -> tuple[int, str]:
    """The same of a coprocessor, some of whose parts may be others."""
    cipher = find(name)
    made = Coprocessor(cipher, PORTS[bus], radix)
    core = made.core
    given: dict[str, Any] = {
        "bus": bus,
        "load": made.load,
        "text": [],
        "tag": [],
        "fixed": core.tag_words > 0,
        "identity": list(core.identity.values()),
    }
    if core.takes_text:
        text = text_of(cipher, message_of(cipher, 5, 8 * 33, decrypts="data_out" in core.streams))
        given |= {
            "text": text.puts,
            "expected": text.out,
            "tag": text.tag,
            "before": text.first_text_word + core.words_ahead,
            "decrypts": "decrypt" in core.features,
        }
    else:
        given["expected"] = expected_keystream(cipher, _WORDS, public_secret(cipher))
    sources = made.sources | (parts or {})
    for name in [name for name in sources if name == "cop.v" or name.endswith("_master.v")]:
        del sources[name]
    return checks_failed("bus_checks", "coprocessor", sources, given, folder)


@pytest.mark.parametrize(
    ("name", "radix", "bus"),
    [
        ("trivium", 64, "axi4lite"),
        ("trivium", 8, "wishbone"),
        ("phelix", 32, "axi4lite"),
        ("grain128aead", 8, "axi4lite"),
        ("grain128aead", 64, "wishbone"),
        ("eia3", 32, "wishbone"),
        ("moustique", 4, "wishbone"),
    ],
)
def test_masters_of_others(name: str, radix: int, bus: str, tmp_path: Path) -> None:
    failed, printed = failed_on_bus(name, bus, tmp_path, radix=radix)
    assert not failed, printed


MUTANTS = {
    "neither yields to the other": ("axi4lite", "phelix", "~(reads & reads_turn)", "1'b1"),
    "writes go where reads go": (
        "axi4lite",
        "trivium",
        "bus_we ? write_addr : read_addr",
        "read_addr",
    ),
    "parts of words are written": ("axi4lite", "trivium", "strobes == 4'hf", "1'b1"),
    "reads are answered at once": (
        "wishbone",
        "trivium",
        "(bus_rvalid | (bus_we & bus_gnt))",
        "(bus_rvalid | bus_gnt)",
    ),
    "reads are repeated": ("wishbone", "trivium", "whole & ~bus_rvalid", "whole"),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_are_found(mutant: str, tmp_path: Path) -> None:
    bus, name, before, after = MUTANTS[mutant]
    made = Coprocessor(find(name), PORTS[bus])
    file = f"coprocessor_{bus}_port.v"
    assert made.sources[file].count(before) == 1
    mutated = made.sources[file].replace(before, after)
    assert failed_on_bus(name, bus, tmp_path, {file: mutated})[0]


def proved(bus: str, port: str) -> None:
    """Prove the protocol of a bus by induction; raises ToolError if it fails."""
    protocol = Path(__file__).with_name(f"{bus}_protocol.v")
    with private_folder() as folder:
        (folder / "port.v").write_text(port)
        (folder / "protocol.v").write_text(protocol.read_text())
        run_yosys(
            [
                "read_verilog -formal port.v protocol.v",
                "prep -top protocol -flatten",
                "chformal -lower",
                "sat -verify -tempinduct -prove-asserts -set-assumes -maxsteps 8",
            ],
            folder,
        )


@pytest.mark.parametrize("bus", BUSES)
def test_answers_are_proven(bus: str) -> None:
    proved(bus, PORT[bus])


@pytest.mark.parametrize(
    ("bus", "before", "after"),
    [
        ("axi4lite", "else if (s_axi_bready) s_axi_bvalid", "else s_axi_bvalid"),
        ("axi4lite", "if (s_axi_rvalid & s_axi_rready) begin", "if (s_axi_rvalid) begin"),
        ("axi4lite", "aw_held & w_held & ~s_axi_bvalid", "aw_held & w_held"),
        ("axi4lite", "ar_held & ~s_axi_rvalid", "ar_held"),
        ("wishbone", "whole & ~bus_rvalid", "whole"),
        ("wishbone", "(bus_rvalid | (bus_we & bus_gnt))", "(bus_rvalid | bus_gnt)"),
        ("wishbone", "asked & ~whole", "asked & bus_gnt"),
        ("wishbone", "bus_wdata = wb_dat_i", "bus_wdata = {wb_dat_i[30:0], 1'b0}"),
    ],
)
def test_broken_answers_are_found(bus: str, before: str, after: str) -> None:
    assert PORT[bus].count(before) == 1
    with pytest.raises(ToolError):
        proved(bus, PORT[bus].replace(before, after))
