# SPDX-License-Identifier: Apache-2.0
"""Energy of bits, of a setup and of whole messages, from the power in each phase of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headwater.errors import InputError
from headwater.flow.gatesim import GateRun
from headwater.flow.power import Power
from headwater.measure.facts import facts_at
from headwater.measure.figures import Energy, Figures
from headwater.measure.point import DesignPoint

OF_POWER = ("power_mw", "energy_pj_per_bit", "energy_message_nj")
"""The figures that say why power is absent; all others of power are so for the same reason."""
_BLOCK_BITS = 64
GBIT = 1 << 30
"""Number of bits in a Gbit, as ETH Zurich's papers count them."""


def message_energy_nj(figures: Figures, n_bytes: int) -> float:
    """Energy of a message of ``n_bytes`` bytes in nJ: of its setup, its cycles (`Facts.turns`) and
    its tag."""
    if figures.energy_cycle_pj is None or figures.setup_energy_nj is None:
        raise InputError(f"figures must hold energy, and those of {figures.point} do not")
    point = figures.point
    cycles = facts_at(point.cipher, point.architecture).turns(8 * n_bytes)
    fixed = figures.setup_energy_nj + (figures.tag_energy_nj or 0.0)
    return figure(fixed + cycles * figures.energy_cycle_pj / 1000)


def energy_figures(
    point: DesignPoint, run: GateRun, power: Mapping[str, Power], clock_mhz: float, fmax_mhz: float
) -> dict[str, Any]:
    """The members of `Figures` for power and energy, from the power in each phase of a run.

    Power at other clocks follows from equal toggles per cycle: internal and switching power grow
    with the frequency, leakage stays. No power is given at a higher clock than ``fmax_mhz``. Where
    sessions take turns, a session has an equal part of the energy.
    """
    facts = facts_at(point.cipher, point.architecture)
    cycle_nj = {phase: 1000 * sums.total / clock_mhz for phase, sums in power.items()}
    phase_nj = {phase: nj * run.phases[phase].cycles for phase, nj in cycle_nj.items()}
    setup_nj = phase_nj["setup"] / point.architecture.streams
    tag_nj = phase_nj.get("tag", 0.0)
    running = power["running"]

    def message_nj(bits: int) -> float:
        return figure(setup_nj + cycle_nj["running"] * facts.turns(bits) + tag_nj)

    def at_mw(mhz: float) -> float | None:
        return figure(1e3 * running.at(mhz / clock_mhz).total) if mhz <= fmax_mhz else None

    per_bit_pj = 1000 * cycle_nj["running"] / facts.bits_per_cycle
    return {
        "power_mw": figure(1e3 * running.total),
        "setup_power_mw": figure(1e3 * power["setup"].total),
        "power_clock_mhz": round(clock_mhz, 3),
        "leakage_mw": figure(1e3 * running.leakage),
        "power_at_100khz_mw": at_mw(0.1),
        "power_at_10mhz_mw": at_mw(10.0),
        "power_at_fmax_mw": at_mw(fmax_mhz),
        "energy_pj_per_bit": figure(per_bit_pj),
        "energy_mj_per_gbit": figure(per_bit_pj * GBIT * 1e-9),
        "energy_cycle_pj": figure(1000 * cycle_nj["running"]),
        "setup_energy_nj": figure(setup_nj),
        "tag_energy_nj": figure(tag_nj) if "tag" in phase_nj else None,
        "energy_message_nj": Energy(message_nj(_BLOCK_BITS), message_nj(1000 * _BLOCK_BITS)),
    }


def figure(value: float) -> float:
    """Four significant digits: more would be noise."""
    return float(f"{value:.4g}")
