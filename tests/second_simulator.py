# SPDX-License-Identifier: Apache-2.0
"""Runs of a system in a second simulator, CXXRTL of Yosys, for a comparison of cycles.

It is slower than Verilator and meant for short runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from headwater.codesign.processor import Processor
from headwater.codesign.system import COPROCESSOR_WIRES, SOC_RTL, Run, parse_run, write_image
from headwater.errors import ToolError
from headwater.flow.folders import private_folder
from headwater.flow.process import run_tool
from headwater.flow.verilator import compiler
from headwater.flow.yosys import run_yosys

_CYCLES = 200_000
_HARNESS = Path(__file__).with_name("second_simulator.cpp")


def run_in_cxxrtl(
    processor: Processor,
    coprocessor: dict[str, str],
    memory: Mapping[int, Sequence[int]],
    words: int,
) -> Run:
    """See `headwater.codesign.system.run`."""
    sources = {
        **processor.sources(),
        SOC_RTL.name: SOC_RTL.read_text(),
        **coprocessor,
        "both.v": _both(),
    }
    with private_folder() as folder:
        for name, text in sources.items():
            (folder / name).write_text(text)
        reads = [f"read_verilog -sv {name}" for name in sources]
        run_yosys([*reads, "hierarchy -top both", "write_cxxrtl -O6 -header model.cpp"], folder)
        run_tool(
            [
                *compiler(),
                "-std=c++17",
                "-O0",
                "-w",
                f"-I{_runtime()}",
                "-I.",
                _HARNESS,
                "model.cpp",
                "-o",
                "simulator",
            ],
            cwd=folder,
        )
        arguments = write_image(folder, memory, words, 0, 0, _CYCLES)
        return parse_run(run_tool([folder / "simulator", *arguments], cwd=folder))


def _both() -> str:
    """The top module: the system and its coprocessor, wired up."""
    wires = [(port.name, port.span) for port in COPROCESSOR_WIRES[2:]]
    declared = "\n".join(f"  wire {width} {name};" for name, width in wires)
    connected = ", ".join(
        f".{name}({name})" for name in ("clk", "rst", *(name for name, _ in wires))
    )
    return (
        "module both (input wire clk, input wire rst, input wire [7:0] wait_states,\n"
        "  output wire mark_valid, output wire [31:0] mark);\n"
        f"{declared}\n"
        f"  soc system (.wait_states(wait_states), .timer_period(16'd0), .mark_valid(mark_valid),\n"
        f"    .mark(mark), {connected});\n"
        f"  cop coprocessor ({connected});\n"
        "endmodule\n"
    )


def _runtime() -> Path:
    """The folder of CXXRTL's headers in the package of Yosys."""
    found = find_spec("pyosys")
    if found is None or found.origin is None:
        raise ToolError("pyosys is not installed; install it with: pip install pyosys")
    return Path(found.origin).parent.joinpath("share", "include", "backends", "cxxrtl", "runtime")
