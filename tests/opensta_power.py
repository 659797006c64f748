# SPDX-License-Identifier: Apache-2.0
"""The power of a netlist as OpenSTA sums it up, as a judge of the sum of this package.

Debian's version adds the energies of a rise and of a fall for every toggle of an output or a clock,
so their tables are halved in the text before it reads them. It cannot invert every function: an
input of a gate that it cannot invert (AOI, MUX) counts with half of its own toggles, whatever the
output does. So it is a judge of cores with few such gates.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from headwater.flow.liberty import Library
from headwater.flow.opensta import sta_answers, sta_setup
from headwater.flow.power import Activity

_PROCEDURES = Path(__file__).with_suffix(".tcl").read_text()


def power_by_opensta(
    netlist: str,
    library: Library,
    top: str,
    activity: Activity,
    period_ns: float,
    folder: Path,
    clock_gates: Collection[tuple[str, str]] = (),
) -> tuple[float, float]:
    """Internal and switching power in watts, before layout."""
    halved = folder / "halved.lib"
    halved.write_text(_halved(library.text))
    judged = replace(library, path=halved, sha256=_sha256(halved))
    setup = [*sta_setup(netlist, judged, top, folder, period_ns), _PROCEDURES]

    def found(toggles: Activity, open_: dict[tuple[str, str], float]) -> list[float]:
        lines = [
            *setup,
            _drive_inputs(library),
            *_gated(open_, period_ns),
            *_told({pin: rate for pin, rate in toggles.items() if pin not in open_}),
            "answer [power]",
        ]
        return [float(number) for number in sta_answers(lines, folder)[0].split()]

    always = dict.fromkeys(clock_gates, 1.0)
    every = found(activity, always)
    if always:
        # OpenSTA takes every clock for one that never rests; the saving of one that does is
        # independent of other activity.
        passed = {gate: activity[gate] / 2 for gate in clock_gates}
        still = dict.fromkeys(activity, 0.0)
        resting, busy = found(still, passed), found(still, always)
        every = [a + b - c for a, b, c in zip(every, resting, busy, strict=True)]
    return every[0], every[1]


def _sha256(path: Path) -> str:
    import hashlib

    return hashlib.sha256(path.read_bytes()).hexdigest()


def _drive_inputs(library: Library) -> str:
    cell = library.flip_flop_cell
    clocks = " ".join(sorted(pin for name, pin in library.clock_pins if name == cell))
    return f"drive_inputs {cell} {{{clocks}}} {library.driving_cell}"


def _gated(open_: dict[tuple[str, str], float], period_ns: float) -> Iterator[str]:
    for number, ((instance, pin), part) in enumerate(open_.items()):
        slow = period_ns * min(1e6, 1 / part if part else 1e6)
        yield f"gated_clock gated{number} {instance}/{pin} {slow:.9g}"


def _told(activity: Activity) -> Iterator[str]:
    yield "sta::set_power_input_activity 0 0.5"
    # The first computation propagates activities and overwrites all that were set before it.
    yield "power"
    for (instance, pin), toggles in activity.items():
        name = f"activity {instance}/{pin}" if instance else f"input_activity {{{pin}}}"
        yield f"{name} {toggles:.9g}"


def _halved(text: str) -> str:
    """A library whose output pins and clock pins have half of their internal energies."""
    return _edited(text, r'\bpin\s*\(\s*"?\w+"?\s*\)\s*\{', _halved_pin)


def _halved_pin(pin: str) -> str:
    if re.search(r'direction\s*:\s*"?output|\bclock\s*:\s*"?true', pin):
        return _edited(pin, r"internal_power\s*\(\s*\)\s*\{", _halved_group)
    return pin


def _halved_group(group: str) -> str:
    def halves(values: re.Match[str]) -> str:
        return re.sub(
            r"-?\d+\.?\d*(?:[eE][-+]?\d+)?", lambda number: f"{float(number[0]) / 2:.8g}", values[0]
        )

    return re.sub(r"values\s*\(.*?\)\s*;", halves, group, flags=re.DOTALL)


def _edited(text: str, head: str, edit: object) -> str:
    """The text with each group that begins with ``head`` edited."""
    parts, place = [], 0
    for begin in re.finditer(head, text):
        if begin.start() < place:
            continue
        depth = 1
        for brace in re.compile(r"[{}]").finditer(text, begin.end()):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                parts += [text[place : begin.start()], edit(text[begin.start() : brace.end()])]
                place = brace.end()
                break
    return "".join([*parts, text[place:]])
