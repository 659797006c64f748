# SPDX-License-Identifier: Apache-2.0
"""Which settings of the flow do something on which target."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError, unknown
from headwater.kinds.stepped.prng.shape import RANDOM_BITS
from headwater.measure.settings import (
    FLAT,
    LAYOUT,
    NO_GATING,
    OBJECTIVES,
    PARTS,
    SYNTHESIS,
    Settings,
)
from headwater.measure.target import TARGETS, AsicTarget, FpgaTarget, Target


@dataclass(frozen=True)
class _Needs:
    """What a setting needs of a target to do something there."""

    words: str
    holds: Callable[[Target], bool]


_CELLS = _Needs("of standard cells", lambda target: isinstance(target, AsicTarget))
_PLACED = _Needs(
    "that is placed and routed",
    lambda target: isinstance(target, FpgaTarget) and target.is_placed,
)
_NEEDS: Mapping[str, _Needs] = {
    "seeds": _PLACED,
    "clock_mhz": _CELLS,
    "clock_gating": _CELLS,
    "recipe": _CELLS,
    "hierarchy": _CELLS,
}
"""Of the settings that are left out on the other targets; a placement, a layout and glitches
are errors there."""


def effective(settings: Settings, target: Target) -> Settings:
    """The settings, with default values of those that do nothing on the target, and without clock
    gates where there are none."""
    if settings.stage != SYNTHESIS:
        _refuse_without_outlines(settings.stage, target)
    if isinstance(target, FpgaTarget):
        _refuse_objective(settings.objective, target)
        if settings.glitches:
            raise InputError(f"glitches need a target of standard cells, not {target.name}")
    idle = {
        name: getattr(Settings, name) for name, needs in _NEEDS.items() if not needs.holds(target)
    }
    if isinstance(target, FpgaTarget) or not settings.can_gate_clocks:
        idle["clock_gating"] = NO_GATING
    return replace(settings, **idle)


def check_effect(options: Iterable[str], targets: Sequence[Target]) -> None:
    """Refuse settings, by their names, that do nothing on any of the targets."""
    for name in options:
        needs = _NEEDS.get(name)
        if needs and not any(map(needs.holds, targets)):
            legal = ", ".join(one.name for one in TARGETS.values() if needs.holds(one))
            asked = ", ".join(target.name for target in targets)
            what = name.replace("_", " ").replace("mhz", "MHz")
            raise InputError(
                f"{what} must come with a target {needs.words} (one of {legal}), not with {asked}"
            )


def of_shares(settings: Settings, target: Target, architecture: Architecture) -> Settings:
    """The settings of a core in shares: control and shares are mapped each by itself, so that the
    netlist can be judged. Refused is what has no netlist that is judged."""
    if isinstance(target, FpgaTarget):
        raise InputError(
            f"target of a masked core must be of standard cells, not {target.name}: "
            "whether shares stay apart is not checked on FPGAs yet"
        )
    if settings.stage != SYNTHESIS:
        raise InputError(
            f"{settings.stage} must be of a core without masking: whether shares stay "
            "apart is checked before it alone"
        )
    return settings if architecture.has_datapath_apart else replace(settings, hierarchy=PARTS)


def refuse_whole_core(settings: Settings) -> None:
    """Refuse settings that ask for figures of a whole core, where a datapath alone is measured."""
    asked = {
        settings.stage: settings.stage != SYNTHESIS,
        "glitches": settings.glitches,
        "objective power": settings.objective == "power",
        f"hierarchy {settings.hierarchy}": settings.hierarchy != FLAT,
    }
    for what, wanted in asked.items():
        if wanted:
            raise InputError(
                f"{what} must be of a whole core, with option datapath=inside, not 'apart'"
            )


def refuse_parts(cipher: Cipher, architecture: Architecture) -> None:
    """Refuse to map parts of a circuit each by itself that has no such parts."""
    if RANDOM_BITS in architecture.options:
        raise InputError("hierarchy of a source of random bits must be flat, not 'parts'")
    if not cipher.divides and not architecture.is_masked:
        raise InputError(
            f"hierarchy of {cipher.name} must be flat, not 'parts': its cores have no datapath "
            "beside their controller"
        )


def _refuse_objective(objective: str, target: FpgaTarget) -> None:
    legal = [name for name in OBJECTIVES if name != "power"]
    if objective not in legal:
        raise unknown("objective on an FPGA", objective, legal)
    if objective == "speed" and not target.is_placed:
        reason = target.absent["fmax_mhz"]
        raise InputError(f"objective on {target.name} must not be 'speed': {reason}")


def _refuse_without_outlines(stage: str, target: Target) -> None:
    if isinstance(target, FpgaTarget):
        raise InputError(f"{stage} needs a target of standard cells, not {target.name}")
    if stage == LAYOUT:
        target.technology()
    else:
        target.outlines()
