# SPDX-License-Identifier: Apache-2.0
"""Gate-level simulation of a core: its output words, and how often each pin toggles.

Icarus Verilog runs the netlist on models of the cells that Yosys makes from the liberty file. If no
gate has a delay, a net toggles at most once per cycle. With the delays of the timer it may toggle
more often: these are glitches. The clock then is as fast as the timer allows, so the words also
tell whether the timer is right.

The content of registers before the load is unknown, as after power-up. A toggle from or to an
unknown value is not counted, so the first cycles of a setup show slightly fewer toggles than in a
core that was in use before. Gates may spread an unknown value where the core does not (``x ^ x`` is
unknown): if an unknown bit is output, the core is run again from random values of all registers and
from their complements, and both runs must give the same words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from headwater.errors import InputError, ToolError
from headwater.flow.energy import energies_of
from headwater.flow.gatebench import DATA_FILE, LOAD_FILE, Bench
from headwater.flow.gatephases import MOMENTS, Phase, Pin, Watched, phases_of
from headwater.flow.liberty import Library
from headwater.flow.process import find_program, program_version, run_tool, written_json
from headwater.flow.sdf import Arc, Delay
from headwater.flow.timedcells import DELAYS, timed_gates
from headwater.flow.toggles import Watch
from headwater.flow.yosys import run_yosys

_INSTALL = "apt-get install iverilog"
_CYCLE_LIMIT = 1_000_000


@dataclass(frozen=True)
class GateRun:
    """The result of a simulation of a netlist."""

    words: tuple[int, ...]
    """The keystream, or the tag of a message, word by word, for the caller to compare with the
    model."""
    setup: Phase
    """From the first load word to the cycle before the first keystream word is offered or the first
    data word is taken."""
    running: Phase
    """From the first word of keystream, or of the other text, to the last cycle before the tag;
    from the first data word taken where there is no other text."""
    data: tuple[tuple[int, int, int], ...] = ()
    """The other text: payload, ``keep`` and ``last`` of each word."""
    tag: Phase | None = None
    """From the first tag word to the last; None without a tag."""
    clock_gates: tuple[tuple[str, str], ...] = ()
    """The output pins that clock flip-flops: instance and pin."""

    @property
    def phases(self) -> dict[str, Phase]:
        """The parts of the run by name."""
        tag = {"tag": self.tag} if self.tag else {}
        return {"setup": self.setup, "running": self.running, **tag}


def simulate_gates(
    netlist: str,
    library: Library,
    top: str,
    *,
    load_words: Sequence[int],
    words: int,
    folder: Path,
    data_words: Sequence[tuple[int, int, int]] = (),
    sessions: int = 1,
    watch: bool = True,
    timed: Timed | None = None,
) -> GateRun:
    """Reset and load a core, and take each word as soon as it is offered.

    Parameters
    ----------
    netlist
        Gate-level Verilog, of which modules other than those of gates may be any other Verilog;
        ports of ``top`` are ``clk``, ``rst``, ``load_*``, and ``keystream_*`` or ``data_in_*``,
        ``data_out_*`` and ``tag_*``. Inputs ``clear`` and ``decrypt`` are held low, and every
        offered word is taken at once.
    load_words
        The load words, with key and IV, of each session in turn. The simulation reads them from a
        file in ``folder``.
    words
        How many words of keystream, or of the tag, to take; activity has settled after a few
        hundred words. 0 for a message without a tag: the last word of the other text is then the
        end.
    folder
        Where the tools work; private, because waveforms tell the key.
    data_words
        Words of the message, for a core that takes one: payload, ``keep`` and ``ad``.
    sessions
        How many take turns in the core. Their words come in turn.
    watch
        Whether to count toggles, which takes most of the time. If not, the result has no activity.
    timed
        The delays of the gates; None for gates without delay.

    Raises
    ------
    ToolError
        If a tool is missing or fails, or the core offers too little, or its words depend on the
        content of registers before the load.
    """
    _refuse_nothing(load_words, words, data_words)
    module, loose = _prepare(netlist, library, top, folder)
    ports = {name: len(port["bits"]) for name, port in module["ports"].items()}
    loads = len(load_words) // sessions
    bench = Bench(top, ports, loads, len(data_words), words, _CYCLE_LIMIT, watch, sessions=sessions)
    if timed:
        _add_delays(timed, module, library, folder)
        bench = replace(bench, cycle=timed.cycle, latency=timed.latency)
    (folder / LOAD_FILE).write_text(_hexadecimal(load_words))
    (folder / DATA_FILE).write_text(_hexadecimal(_joined(data_words, ports)))
    watched = _watched(module, library, loose) if watch else Watched()
    run = _run_or_repeat(bench, watched, folder)
    return replace(run, clock_gates=_clock_gates(module, library))


def _refuse_nothing(
    load_words: Sequence[int], words: int, data_words: Sequence[tuple[int, int, int]]
) -> None:
    if not load_words:
        raise InputError("load_words must hold at least one word, not none")
    if words < 1 and not data_words:
        raise InputError(f"words must be a positive number, not {words!r}")


@dataclass(frozen=True)
class Timed:
    """When gates and clock change, in femtoseconds."""

    delays: Mapping[Arc, Delay]
    cycle: int
    """The clock period, an even number."""
    latency: int = 0
    """How much later than the clock port the registers outside get the clock."""


@lru_cache
def iverilog_version() -> str:
    """Version of the installed program."""
    return program_version("iverilog", "-V", _INSTALL)


class _UnknownBitsError(ToolError):
    """A core gave an unknown bit."""


def _run(bench: Bench, watched: Watched, folder: Path) -> GateRun:
    """Run the bench with the gates that are in the folder."""
    (folder / "bench.v").write_text(bench.text())
    iverilog = find_program("iverilog", _INSTALL)
    tops = [] if bench.latency is None else ["-s", "bench", "-s", DELAYS]
    run_tool([iverilog, "-g2005", *tops, "-o", "bench.vvp", "bench.v", "gates.v"], cwd=folder)
    log = run_tool([find_program("vvp", _INSTALL), "-n", "bench.vvp"], cwd=folder)
    return _evaluate([line.split() for line in log.splitlines()], bench, watched, folder)


def _run_or_repeat(bench: Bench, watched: Watched, folder: Path) -> GateRun:
    """Run the bench from unknown values of all registers; from known ones where the core then gives
    an unknown bit."""
    try:
        return _run(bench, watched, folder)
    except _UnknownBitsError:
        return _run_from_opposites(bench, watched, folder)


def _run_from_opposites(bench: Bench, watched: Watched, folder: Path) -> GateRun:
    """Run the bench from random values of all registers, and from their complements."""
    gates = (folder / "gates.v").read_text()
    runs = []
    for start in ("~$random", "$random"):
        known = re.sub(r"^  reg (.+);$", rf"\g<0> initial \1 = {start};", gates, flags=re.MULTILINE)
        (folder / "gates.v").write_text(known)
        runs.append(_run(bench, watched, folder))
    one, other = runs
    if (one.words, one.data) != (other.words, other.data):
        raise ToolError("netlist gave words that depend on what registers held before the load")
    return other


def _hexadecimal(words: Sequence[int]) -> str:
    return "".join(f"{word:x}\n" for word in words)


def _joined(data_words: Sequence[tuple[int, int, int]], ports: Mapping[str, int]) -> list[int]:
    """Each data word as one number: ``ad``, then ``keep``, then the payload in its lowest bits."""
    width, kept = ports.get("data_in_payload", 0), ports.get("data_in_keep", 0)
    return [ad << width + kept | keep << width | payload for payload, keep, ad in data_words]


def read_cells(library: Library, folder: Path) -> list[str]:
    """The Yosys passes that read a model of every cell; writes their files into ``folder``."""
    gate = library.integrated_gate
    (folder / "gate_model.v").write_text(gate.model if gate else "")
    return [
        f"read_liberty -ignore_miss_func -ignore_miss_dir {library.unpack(folder)}",
        "read_verilog gate_model.v",
        "proc",
    ]


def _add_delays(timed: Timed, module: dict[str, Any], library: Library, folder: Path) -> None:
    """Write the delays of the gates into ``gates.v``."""
    gates = folder / "gates.v"
    text = timed_gates(gates.read_text(), module, library, timed.delays, "bench.dut")
    gates.write_text(text)


def _prepare(
    netlist: str, library: Library, top: str, folder: Path
) -> tuple[dict[str, Any], list[Pin]]:
    """Write netlist and cell models to ``gates.v``; gives the netlist as Yosys sees it, and the
    outputs that lead nowhere, which have nets there: conditions of energies may read them."""
    (folder / "netlist.v").write_text(netlist)
    modules = _read(library, top, folder)
    loose = [
        (name, pin)
        for name, cell in modules[top]["cells"].items()
        for pin, port in modules.get(cell["type"], {"ports": {}})["ports"].items()
        if port["direction"] == "output" and not cell["connections"].get(pin)
    ]
    return (_read(library, top, folder, loose) if loose else modules)[top], loose


def _read(library: Library, top: str, folder: Path, wired: Sequence[Pin] = ()) -> dict[str, Any]:
    """Read ``netlist.v``, give some outputs nets of their own, and write ``gates.v``; gives all
    modules."""
    passes = [
        *read_cells(library, folder),
        # An unconnected inverted output of a cell would be counted as if it were in use.
        "opt_clean",
        "read_verilog netlist.v",
        f"hierarchy -check -top {top}",
        "proc",
        f"cd {top}",
        *(
            f"add -wire leads_nowhere_{number} 1; connect -port {name} {pin} leads_nowhere_{number}"
            for number, (name, pin) in enumerate(wired)
        ),
        "cd ..",
        # Icarus is tens of times slower on the bits of a vector than on single nets, so gates must
        # not read the bits of an output either.
        "splitnets",
        "rename -hide w:*",
        "rename -enumerate -pattern n% w:*",
        "write_json netlist.json",
        "iopadmap -bits -outpad $_BUF_ A:Y",
        "splitnets",
        "write_verilog -noattr gates.v",
    ]
    run_yosys(passes, folder)
    modules: dict[str, Any] = written_json(folder / "netlist.json")["modules"]
    return modules


def _clock_gates(module: Mapping[str, Any], library: Library) -> tuple[tuple[str, str], ...]:
    """Every output pin that drives the clock of a flip-flop."""
    cells = module["cells"]
    clocks = {
        bits[0]
        for cell in cells.values()
        for pin, bits in cell["connections"].items()
        if bits and (cell["type"], pin) in library.clock_pins
    }
    return tuple(
        (name, pin)
        for name, cell in cells.items()
        for pin, bits in cell["connections"].items()
        if cell["port_directions"][pin] == "output" and bits and bits[0] in clocks
    )


def _evaluate(lines: list[list[str]], bench: Bench, watched: Watched, folder: Path) -> GateRun:
    words = [line[1] for line in lines if line[0] == "word"]
    data = [line[1:] for line in lines if line[0] == "data"]
    # The bench prints an event at the edge that ends its cycle; the cycle began one edge earlier.
    before = bench.cycle + (bench.latency or 0)
    times = {line[0]: int(line[1]) - before for line in lines if line[0] in MOMENTS}
    if set("".join([*words, *map("".join, data)])) & set("xzXZ"):
        raise _UnknownBitsError("netlist offered a word with unknown bits")
    if "end" not in times:
        raise ToolError(f"netlist gave {len(words)} words in {_CYCLE_LIMIT} cycles, then none")
    times["end"] += bench.cycle
    phases = phases_of(times, bench.cycle, watched, folder)
    return GateRun(
        words=tuple(int(word, 16) for word in words),
        setup=phases["setup"],
        running=phases["running"],
        data=tuple((int(word, 16), int(keep, 16), int(last)) for word, keep, last in data),
        tag=phases.get("tag"),
    )


def _watched(module: Mapping[str, Any], library: Library, loose: Collection[Pin]) -> Watched:
    """Output pins and input ports with their nets, spelled as in the waveform, and the input pins
    that energies with conditions belong to."""
    nets = {
        bit: f"{name}[{place}]"
        for name, net in module["netnames"].items()
        for place, bit in enumerate(net["bits"])
    }
    cells = module["cells"]
    watched: dict[Pin, str] = {}
    for name, port in module["ports"].items():
        if port["direction"] == "input" and name != "clk":
            bits = port["bits"]
            for place, bit in enumerate(bits):
                watched["", f"{name}[{place}]" if len(bits) > 1 else name] = nets[bit]
    for name, cell in cells.items():
        for pin, bits in cell["connections"].items():
            if cell["port_directions"][pin] == "output" and bits:
                watched[name, pin] = nets[bits[0]]
    clocks = {
        nets[cell["connections"][pin][0]]
        for cell in cells.values()
        for pin in cell["connections"]
        if (cell["type"], pin) in library.clock_pins
    }
    for pin in loose:  # Whatever happens in a cell is in the energies of its other outputs.
        del watched[pin]
    return Watched(watched, _states(cells, nets, library), frozenset(clocks | {"clk[0]"}))


def _states(
    cells: Mapping[str, Any], nets: Mapping[Any, str], library: Library
) -> dict[Pin, Watch]:
    """The input pins of cells that have energies with conditions."""
    energies = energies_of(library, frozenset(cell["type"] for cell in cells.values()))
    watches: dict[Pin, Watch] = {}
    for name, cell in cells.items():
        read = energies[cell["type"]].conditions if cell["type"] in energies else ()
        wired = cell["connections"]
        others = tuple(_net(wired.get(pin), nets) for pin in read)
        for pin, bits in wired.items() if read else ():
            net = _net(bits, nets)
            if cell["port_directions"][pin] == "input" and net not in ("0", "1"):
                watches[name, pin] = Watch(net, others)
    return watches


def _net(bits: Sequence[Any] | None, nets: Mapping[Any, str]) -> str:
    """The net of a pin, or its constant value."""
    if not bits or bits[0] in ("0", "x", "z"):
        return "0"
    return "1" if bits[0] == "1" else nets[bits[0]]
