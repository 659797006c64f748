# SPDX-License-Identifier: Apache-2.0
"""The simulated system: its Verilog, its two Verilated models, and one run of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headwater.codesign.processor import Processor
from headwater.errors import ToolError
from headwater.flow.folders import private_folder
from headwater.flow.models import Design, Model, compile_model, link_models
from headwater.flow.process import run_tool
from headwater.interface.buses import CLOCKING, REQUESTS
from headwater.interface.core_shape import CoreShape
from headwater.interface.module_port import made, names
from headwater.interface.port import DMA_PORTS, INSTRUCTION_PORTS, SECOND_RESULT, Port
from headwater.interface.shell import shell
from headwater.interface.verilog_text import ModuleText, same

_FOLDER = Path(__file__).parent
SOC_RTL = _FOLDER / "rtl" / "soc.v"
_HARNESS = _FOLDER / "harness.cpp"
COPROCESSOR = "coprocessor"
"""Name of the module around the core."""
TRAPPED = 0xDEAD0000
OUTPUT_WORD = 0x10000 // 4
INPUT_WORD = 0x28800 // 4
REQUEST_WORD = 0x8000 // 4


@dataclass(frozen=True)
class Run:
    """The result of a run: the cycle of each mark, by its value, and the words of the output."""

    marks: dict[int, int]
    words: list[int]


def coprocessor_sources(core: CoreShape | None, verilog: str, port: Port) -> dict[str, str]:
    """The Verilog of a coprocessor, module `cop`; without a core an empty one."""
    if core is None:
        return {"cop.v": _cop(None)}
    master = _master(port)
    bridge = {f"{master}.v": (SOC_RTL.parent / f"{master}.v").read_text()} if master else {}
    return {**shell(core, port, COPROCESSOR), "core.v": verilog, **bridge, "cop.v": _cop(port)}


def _master(port: Port) -> str:
    """The module that makes the port's bus of the system's; empty where it is the same."""
    return port.bus.adapter.replace("_port", "_master") if not port.instruction else ""


def _cop(port: Port | None) -> str:
    """The module `cop` with every port of the system, of which a coprocessor may leave some unused,
    and the interrupt."""
    used = {
        "cmd": port is not None and port.instruction,
        "two": port is not None and port.results > 1,
        "bus": port is not None and not port.instruction,
        "dma": port is not None and port.dma,
    }
    text = ModuleText("cop")
    text.take((*COPROCESSOR_WIRES, made("irq")))
    connected = names(CLOCKING)
    for name, way in ((one.name, one.direction) for one in COPROCESSOR_WIRES[len(CLOCKING) :]):
        if used[_GROUPS.get(name, name[:3])]:
            connected.append(name)
        elif way == "output":
            # Unused outputs are zero, but ready and grant are one, so that the processor never
            # waits for ever.
            text.assign(name, "1" if name.endswith(("ready", "gnt")) else "0")
    if port is None:
        text.assign("irq", "1'b0")
    else:
        _attach(text, port, connected)
    return text.text()


def _attach(text: ModuleText, port: Port, connected: Sequence[str]) -> None:
    """Add the coprocessor, and what makes its bus of the system's."""
    master = _master(port)
    if not master:
        text.instance(COPROCESSOR, "attached", same(*connected, "irq"))
        return
    clock, reset = names(port.bus.clocking)
    clocking = {clock: "clk", reset: "~rst" if port.bus.reset == f"~{reset}" else "rst"}
    signals = same(*names(port.bus.signals))
    text.wires_like(port.bus.signals)
    text.instance(master, "master", clocking | same(*names(REQUESTS)) | signals)
    text.instance(COPROCESSOR, "attached", clocking | signals | same("irq"))


def system(name: str, wait_states: int) -> str:
    """The module ``name`` that joins the system and its coprocessor, without a timer."""
    text, between = ModuleText(name), COPROCESSOR_WIRES[len(CLOCKING) :]
    text.take((*CLOCKING, made("mark_valid"), made("mark", 32), made("irq")))
    text.wires_like(between)
    wires = same(*names((*CLOCKING, *between)))
    marks = same("mark_valid", "mark")
    constants = {"wait_states": f"8'd{wait_states}", "timer_period": "16'd0"}
    text.instance("soc", "processing", wires | marks | constants)
    text.instance("cop", "attached", wires | same("irq"))
    return text.text()


_GROUPS = {"rsp_valid": "cmd", "rsp_ready": "cmd", "rsp_result": "cmd", "rsp_second": "two"}
"""What a port must have for a wire, where this is not what the name begins with."""
COPROCESSOR_WIRES = (*CLOCKING, *INSTRUCTION_PORTS, SECOND_RESULT, *REQUESTS, *DMA_PORTS)


def soc_model(processor: Processor) -> Model:
    """The processor with its memory and buses, compiled."""
    sources = {**processor.sources(), SOC_RTL.name: SOC_RTL.read_text()}
    return compile_model(Design("Vsoc", "soc", sources, processor.options, processor.headers))


def simulator(processor: Processor, coprocessor: dict[str, str]) -> Path:
    """The compiled simulator of a processor with a coprocessor."""
    return link_models(_HARNESS, Design("Vcop", "cop", coprocessor), [soc_model(processor)])


def run(
    program: Path,
    memory: Mapping[int, Sequence[int]],
    words: int,
    *,
    wait_states: int = 0,
    timer_period: int = 0,
    cycles: int = 20_000_000,
) -> Run:
    """Run a simulator to the end of its firmware; an error if this traps, or does not end in
    ``cycles``.

    Parameters
    ----------
    memory
        Content of memory before the run: words, by the number of the first word.
    words
        Number of words of the output to return.
    wait_states
        Wait states of the coprocessor on the bus.
    timer_period
        Cycles from interrupt to interrupt; 0 for none.
    """
    with private_folder() as folder:
        arguments = write_image(folder, memory, words, wait_states, timer_period, cycles)
        return parse_run(run_tool([program, *arguments], cwd=folder))


def write_image(
    folder: Path,
    memory: Mapping[int, Sequence[int]],
    words: int,
    wait_states: int,
    timer_period: int,
    cycles: int,
) -> list[str]:
    """Write the content of memory to a file; returns the arguments of a simulator."""
    image = [0] * max(first + len(some) for first, some in memory.items())
    for first, some in memory.items():
        image[first : first + len(some)] = some
    (folder / "memory.hex").write_text("".join(f"{word:x}\n" for word in image))
    numbers = (wait_states, timer_period, cycles, OUTPUT_WORD, words)
    return ["memory.hex", *map(str, numbers)]


def parse_run(printed: str) -> Run:
    """The result of a run, from the output of a simulator; an error if the firmware trapped."""
    marks: dict[int, int] = {}
    left = []
    for line in printed.splitlines():
        if line.startswith("mark"):
            _, cycle, what = line.split()
            marks[int(what, 16)] = int(cycle)
        else:
            left.append(int(line, 16))
    for value in marks:
        if value & 0xFFFF0000 == TRAPPED:
            raise ToolError(f"the firmware trapped with cause {value & 0xFFFF}")
    return Run(marks, left)
