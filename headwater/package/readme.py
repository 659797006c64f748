# SPDX-License-Identifier: Apache-2.0
"""README and constraints of a package."""

from __future__ import annotations

import math
from collections.abc import Sequence

from headwater.core.architecture import Architecture
from headwater.core.facts import Facts
from headwater.interface import INTERFACES
from headwater.kinds.registry import facts_of
from headwater.package.area import Areas
from headwater.package.design import Design
from headwater.package.figures import slowest
from headwater.package.templating import rendered
from headwater.package.timing import shown_load_words, timing_rows
from headwater.report.points import Point


def readme(
    design: Design,
    files: Sequence[tuple[str, str]],
    points: Sequence[Point],
    areas: Areas | None,
    driver: str,
) -> str:
    """The README of a package.

    Parameters
    ----------
    design
        What is in it.
    files
        Names of the other files and what each is.
    points
        What was measured of the core.
    areas
        What core and interface take, if that was measured.
    driver
        How the C driver is used, as C; empty where there is none.
    """
    cipher, facts, top = design.cipher, design.facts, design.top
    return rendered(
        "README.md",
        cipher=cipher,
        architecture=facts.architecture,
        facts=facts,
        top=top,
        interface_meaning=INTERFACES[design.interface],
        ports=design.ports,
        files=files,
        whole=any(name == f"{top}_tb.sv" for name, _ in files),
        points=points,
        areas=areas,
        timing=timing_rows(facts, shown_load_words(cipher, facts)),
        timing_file=design.timing_file,
        whole_load=_whole_load(design),
        driver=driver.rstrip("\n"),
    )


def _whole_load(design: Design) -> Facts | None:
    """The facts of a core with the longest IV, where an interface loads no other one and those of
    the core are stated for a shorter one."""
    cipher, made, longest = design.cipher, design.facts.architecture, str(design.cipher.iv_bits[-1])
    if design.ip is None or made.options.get("iv_bits", longest) == longest:
        return None
    options = {**made.options, "iv_bits": longest}
    return facts_of(cipher, Architecture.choose(
        cipher, radix=made.radix, load_width=made.load_width, options=options
    ))  # fmt: skip


def constraints(top: str, clock: str, points: Sequence[Point]) -> str:
    """The constraints (SDC) of an IP: its clock, at the measured frequency of its core if there is
    one."""
    point = slowest(points)
    return rendered("constraints.sdc", top=top, clock=clock, points=points, point=point,
                    period=_period_ns(point))  # fmt: skip


def _period_ns(point: Point | None) -> float | None:
    """The period of a frequency, rounded up to picoseconds."""
    if point is None or point.fmax_mhz is None:
        return None
    return math.ceil(1_000_000 / point.fmax_mhz) / 1000
