# SPDX-License-Identifier: Apache-2.0
"""Energy of bits, of a setup and of whole messages, from the power in each phase of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headwater.bench.point import DesignPoint, Energy, Figures
from headwater.cipher.authenticated import AuthenticatedCipher
from headwater.cipher.description import Cipher
from headwater.cipher.sfinks import Sfinks
from headwater.cipher.vest import VestAuthenticated
from headwater.core.architecture import Architecture
from headwater.core.authenticated import data_width
from headwater.core.build import facts_of
from headwater.core.mobile.facts import MobileFacts
from headwater.core.phelix.facts import PhelixFacts
from headwater.core.vest.facts import VestFacts
from headwater.errors import InputError
from headwater.flow.gatesim import GateRun
from headwater.flow.power import Power

_BLOCK_BITS = 64
_GBIT = 1 << 30
"""Bits of what ETH Zurich's papers call a Gbit."""


def message_cycles(cipher: Cipher, architecture: Architecture, bits: int) -> int:
    """Cycles between the setup and the tag, or the end where there is none, of a message.

    Of an authenticated cipher the message has no associated data, but the header that says so. The
    bit that follows it is in its last word if that has room, or in a word of its own. At radix 1
    each word takes two cycles; of the last one, the second belongs to the tag already.
    """
    radix = architecture.radix
    facts = facts_of(cipher, architecture)
    if isinstance(facts, PhelixFacts | MobileFacts):
        return facts.message_cycles(bits)
    if isinstance(cipher, Sfinks) and cipher.authenticates:
        return max(1, -(-bits // radix))
    if isinstance(facts, VestFacts) and isinstance(cipher, VestAuthenticated):
        return facts.message_cycles(bits)
    if not isinstance(cipher, AuthenticatedCipher):
        return facts_of(cipher, architecture).keystream_cycles(bits)
    words = (8 * len(cipher.header(0)) + bits) // data_width(cipher, radix) + 1
    later = architecture["authenticator"] == "isolated"
    return (2 * words - 1 if radix == 1 else words) + later


def message_energy_nj(figures: Figures, n_bytes: int) -> float:
    """Energy of a message of so many bytes in nJ: a setup, its cycles, and its tag.

    The cycles are :func:`message_cycles`; of keystream at `bits_per_cycle` they are
    ceil(8 * n_bytes / bits_per_cycle).

    Raises
    ------
    InputError
        If the figures hold no energy.
    """
    if figures.energy_cycle_pj is None or figures.setup_energy_nj is None:
        raise InputError(f"figures must hold energy, and those of {figures.point} do not")
    point = figures.point
    cycles = message_cycles(point.cipher, point.architecture, 8 * n_bytes)
    fixed = figures.setup_energy_nj + (figures.tag_energy_nj or 0.0)
    return _figure(fixed + cycles * figures.energy_cycle_pj / 1000)


def energy_figures(
    point: DesignPoint, run: GateRun, power: Mapping[str, Power], clock_mhz: float, fmax_mhz: float
) -> dict[str, Any]:
    """The members of `Figures` that are about power and energy.

    Power at other clocks than the one it was found at is that of the same toggles per cycle:
    internal and switching power grow with the frequency, leakage stays.

    Parameters
    ----------
    point
        What was simulated.
    run
        The simulation.
    power
        Power in each of its phases, by name.
    clock_mhz
        The clock that this power is at.
    fmax_mhz
        The highest clock of the netlist; there is no power at a higher one.
    """
    cipher, architecture = point.cipher, point.architecture
    cycle_nj = {phase: 1000 * found.total / clock_mhz for phase, found in power.items()}
    phase_nj = {phase: nj * run.phases[phase].cycles for phase, nj in cycle_nj.items()}
    tag_nj = phase_nj.get("tag", 0.0)
    running = power["running"]

    def message_nj(bits: int) -> float:
        cycles = message_cycles(cipher, architecture, bits)
        return _figure(phase_nj["setup"] + cycle_nj["running"] * cycles + tag_nj)

    def at_mw(mhz: float) -> float | None:
        return _figure(1e3 * running.at(mhz / clock_mhz).total) if mhz <= fmax_mhz else None

    per_bit_pj = 1000 * cycle_nj["running"] / facts_of(cipher, architecture).bits_per_cycle
    return {
        "power_mw": _figure(1e3 * running.total),
        "setup_power_mw": _figure(1e3 * power["setup"].total),
        "power_clock_mhz": round(clock_mhz, 3),
        "leakage_mw": _figure(1e3 * running.leakage),
        "power_at_100khz_mw": at_mw(0.1),
        "power_at_10mhz_mw": at_mw(10.0),
        "power_at_fmax_mw": at_mw(fmax_mhz),
        "energy_pj_per_bit": _figure(per_bit_pj),
        "energy_mj_per_gbit": _figure(per_bit_pj * _GBIT * 1e-9),
        "energy_cycle_pj": _figure(1000 * cycle_nj["running"]),
        "setup_energy_nj": _figure(phase_nj["setup"]),
        "tag_energy_nj": _figure(tag_nj) if "tag" in phase_nj else None,
        "energy_message_nj": Energy(message_nj(_BLOCK_BITS), message_nj(1000 * _BLOCK_BITS)),
    }


def _figure(value: float) -> float:
    """Four significant digits: more would be noise."""
    return float(f"{value:.4g}")
