# SPDX-License-Identifier: Apache-2.0
"""Figures of a core in standard cells: area, frequency by a period sweep, power and energy.

All figures of a design point but ``ge_smallest`` belong to one netlist: the one of the sweep with
the best throughput per area. Pre-layout: no wires, an ideal clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from headwater.algebra import bitstring
from headwater.bench.point import DesignPoint, Energy, Figures, Frequency
from headwater.bench.target import AsicTarget
from headwater.emit.verilog import Verilog, generate
from headwater.errors import ToolError
from headwater.flow.asic import MappedNetlist, map_to_cells
from headwater.flow.gatesim import GateRun, simulate_gates
from headwater.flow.liberty import Library
from headwater.flow.opensta import Timing, minimum_period, opensta_version, power
from headwater.flow.process import private_folder
from headwater.flow.yosys import yosys_version
from headwater.model import Model

_SWEEP = (1.0, 0.8, 0.6, 0.45, 0.3)
"""Target periods, as parts of the period that mapping without haste reaches."""

_POWER_CLOCK_MHZ = 100.0
_POWER_WORDS = 300
_BLOCK_BITS = 64
# Any key will do for power; these bytes only have to be irregular.
_STIMULUS = bytes.fromhex("9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95")


@dataclass(frozen=True)
class _Candidate:
    netlist: MappedNetlist
    timing: Timing


def evaluate_in_cells(point: DesignPoint, target: AsicTarget) -> Figures:
    """Map, time, simulate and power one design point.

    Raises
    ------
    ToolError
        If a tool or the library is missing, a tool fails, or the simulated netlist gives another
        keystream than the model.
    """
    library = target.library()
    verilog = generate(point.cipher, point.architecture)
    with private_folder() as folder:
        smallest = map_to_cells(verilog.text, verilog.name, library, folder)
        sweep = _sweep(verilog, library, folder)
        best = max(sweep, key=lambda found: found.timing.fmax_mhz / found.netlist.area_um2)
        run = _simulate(point, best.netlist, library, verilog.name, folder)
        clock_mhz = min(_POWER_CLOCK_MHZ, best.timing.fmax_mhz)
        running_w, setup_w = (
            power(best.netlist.verilog, library, verilog.name, phase.activity,
                  1000 / clock_mhz, folder).total
            for phase in (run.running, run.setup)
        )  # fmt: skip
    radix = point.architecture.radix
    word_nj = 1000 * running_w / clock_mhz
    setup_nj = 1000 * setup_w / clock_mhz * run.setup.cycles
    return Figures(
        point=point,
        rtl_sha256=verilog.sha256,
        tools={"yosys": yosys_version(), "opensta": opensta_version()},
        fmax_mhz=Frequency.over([best.timing.fmax_mhz]),
        critical_path=(best.timing.startpoint, best.timing.endpoint),
        ff=best.netlist.flip_flops,
        area_um2=round(best.netlist.area_um2, 3),
        ge=round(best.netlist.ge, 1),
        ge_smallest=round(smallest.ge, 1),
        ge_cell=library.nand_cell,
        pareto=_pareto(sweep),
        power_mw=_figure(1e3 * running_w),
        setup_power_mw=_figure(1e3 * setup_w),
        power_clock_mhz=round(clock_mhz, 3),
        energy_pj_per_bit=_figure(1000 * word_nj / radix),
        setup_energy_nj=_figure(setup_nj),
        energy_message_nj=Energy(
            one_block=_figure(setup_nj + word_nj * -(-_BLOCK_BITS // radix)),
            thousand_blocks=_figure(setup_nj + word_nj * -(-1000 * _BLOCK_BITS // radix)),
        ),
        settings={
            "library_sha256": library.sha256,
            "target_period_ps": best.netlist.period_ps,
            "power_words": _POWER_WORDS,
        },
    )


def _sweep(verilog: Verilog, library: Library, folder: Path) -> list[_Candidate]:
    """Netlists at a range of target periods, the first one without haste."""

    def candidate(period_ps: float) -> _Candidate:
        netlist = map_to_cells(verilog.text, verilog.name, library, folder, period_ps)
        timing = minimum_period(netlist.verilog, library, verilog.name, folder)
        return _Candidate(netlist, timing)

    unhurried = candidate(1e6)
    reached_ps = 1000 * unhurried.timing.period_ns
    return [unhurried, *(candidate(round(part * reached_ps, 1)) for part in _SWEEP)]


def _pareto(sweep: Sequence[_Candidate]) -> tuple[dict[str, float], ...]:
    """Frequency and area of the candidates that no other beats in both, smallest first."""
    points = sorted({(found.netlist.ge, -found.timing.fmax_mhz) for found in sweep})
    front: list[dict[str, float]] = []
    for ge, negative_fmax in points:
        fmax = round(-negative_fmax, 2)
        if not front or fmax > front[-1]["fmax_mhz"]:
            front.append({"ge": round(ge, 1), "fmax_mhz": fmax})
    return tuple(front)


def _simulate(
    point: DesignPoint, netlist: MappedNetlist, library: Library, top: str, folder: Path
) -> GateRun:
    """Simulate the netlist's gates, and refuse it if it is not the cipher."""
    cipher, architecture = point.cipher, point.architecture
    key = _STIMULUS[: cipher.key_bits // 8]
    iv = _STIMULUS[-cipher.iv_bits[-1] // 8 :]
    load_words = architecture.load_words(cipher, cipher.load_string(key, iv))
    run = simulate_gates(
        netlist.verilog, library, top, load_words=load_words, words=_POWER_WORDS, folder=folder
    )
    radix = architecture.radix
    data = Model(cipher, key=key, iv=iv).read(radix * _POWER_WORDS)
    string = bitstring.from_bytes(data, cipher.bit_order)
    expected = tuple(string >> radix * number & (1 << radix) - 1 for number in range(_POWER_WORDS))
    if run.words != expected:
        raise ToolError(
            f"the {library.name} netlist of {top} gives another keystream than the model"
        )
    return run


def _figure(value: float) -> float:
    """Four significant digits: more would be noise."""
    return float(f"{value:.4g}")
