# SPDX-License-Identifier: Apache-2.0
"""README and constraints of a package."""

from __future__ import annotations

import math
from collections.abc import Sequence

from headwater.core.architecture import Architecture
from headwater.core.facts import Facts
from headwater.interface import INTERFACES
from headwater.interface.load_wiring import load_wiring
from headwater.interface.packet_header import packet_fields
from headwater.kinds.registry import facts_of
from headwater.package.area import Areas
from headwater.package.design import Design
from headwater.package.figures import slowest
from headwater.package.key_ip import KeyIp
from headwater.package.templating import rendered
from headwater.package.timing import shown_load_words, timing_rows
from headwater.report.points import Point

_PLACEHOLDER_NS = 10.0
"""The period of a clock that nobody has stated."""


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
        packets=_packets(design),
    )


def _packets(design: Design) -> dict[str, str]:
    """What the packets of plain DMA engines hold, by names of streams and registers."""
    if design.packets is None:
        return {}
    parts = load_wiring(design.cipher, design.facts.architecture).parts
    return packet_fields(design.packets, parts, by_registers=isinstance(design.ip, KeyIp))


def _whole_load(design: Design) -> Facts | None:
    """The facts of a core with the longest IV, where an interface loads no other one and those of
    the core are stated for a shorter one."""
    cipher, architecture, longest = (
        design.cipher,
        design.facts.architecture,
        str(design.cipher.iv_bits[-1]),
    )
    if design.ip is None or architecture.options.get("iv_bits", longest) == longest:
        return None
    options = {**architecture.options, "iv_bits": longest}
    return facts_of(
        cipher,
        Architecture.choose(
            cipher, radix=architecture.radix, load_width=architecture.load_width, options=options
        ),
    )


def constraints(top: str, clock: str, points: Sequence[Point]) -> dict[str, str]:
    """The constraints of an IP, in SDC, and as Vivado reads them: its clock, at the measured
    frequency of its core, or a placeholder, which they say it is."""
    point = slowest(points)
    return {
        f"{top}.{ending}": rendered(
            "constraints.sdc",
            top=top,
            clock=clock,
            ending=ending,
            points=points,
            point=point,
            period=_period_ns(point),
        )
        for ending in ("sdc", "xdc")
    }


def _period_ns(point: Point | None) -> float:
    """The period of a frequency, rounded up to picoseconds; a placeholder where there is none."""
    if point is None or point.fmax_mhz is None:
        return _PLACEHOLDER_NS
    return math.ceil(1_000_000 / point.fmax_mhz) / 1000
