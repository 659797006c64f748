# SPDX-License-Identifier: Apache-2.0
"""Energy of bits, of a setup and of whole messages, from the power in each phase of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headwater.bench.point import DesignPoint, Energy
from headwater.cipher.authenticated import AuthenticatedCipher
from headwater.cipher.description import Cipher
from headwater.cipher.vest import VestAuthenticated
from headwater.core.architecture import Architecture
from headwater.core.authenticated import data_width
from headwater.core.build import facts_of
from headwater.core.mobile.facts import MobileFacts
from headwater.core.phelix.facts import PhelixFacts
from headwater.core.vest.facts import VestFacts
from headwater.flow.gatesim import GateRun

_BLOCK_BITS = 64


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
    if isinstance(facts, VestFacts) and isinstance(cipher, VestAuthenticated):
        return facts.message_cycles(bits)
    if not isinstance(cipher, AuthenticatedCipher):
        return facts_of(cipher, architecture).keystream_cycles(bits)
    words = (8 * len(cipher.header(0)) + bits) // data_width(radix) + 1
    later = architecture["authenticator"] == "isolated"
    return (2 * words - 1 if radix == 1 else words) + later


def energy_figures(
    point: DesignPoint, run: GateRun, power_w: Mapping[str, float], clock_mhz: float
) -> dict[str, Any]:
    """The members of `Figures` that are about power and energy.

    Parameters
    ----------
    point
        What was simulated.
    run
        The simulation.
    power_w
        Power in watts in each of its phases, by name.
    clock_mhz
        The clock that this power is at.
    """
    cipher, architecture = point.cipher, point.architecture
    cycle_nj = {phase: 1000 * watts / clock_mhz for phase, watts in power_w.items()}
    phase_nj = {phase: nj * run.phases[phase].cycles for phase, nj in cycle_nj.items()}
    tag_nj = phase_nj.get("tag", 0.0)

    def message_nj(bits: int) -> float:
        running = cycle_nj["running"] * message_cycles(cipher, architecture, bits)
        return _figure(phase_nj["setup"] + running + tag_nj)

    per_bit = cycle_nj["running"] / facts_of(cipher, architecture).bits_per_cycle
    return {
        "power_mw": _figure(1e3 * power_w["running"]),
        "setup_power_mw": _figure(1e3 * power_w["setup"]),
        "power_clock_mhz": round(clock_mhz, 3),
        "energy_pj_per_bit": _figure(1000 * per_bit),
        "setup_energy_nj": _figure(phase_nj["setup"]),
        "tag_energy_nj": _figure(tag_nj) if "tag" in phase_nj else None,
        "energy_message_nj": Energy(message_nj(_BLOCK_BITS), message_nj(1000 * _BLOCK_BITS)),
    }


def _figure(value: float) -> float:
    """Four significant digits: more would be noise."""
    return float(f"{value:.4g}")
