# SPDX-License-Identifier: Apache-2.0
"""Fast keystream in C: what a template needs to print the software of a cipher."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

from headwater.emit.c_expression import LIMB, limbs_of
from headwater.emit.c_parts import Printed, limb_names, printed
from headwater.emit.c_slices import pays, sliced_steps
from headwater.emit.c_statements import local
from headwater.emit.c_words import Table, names_in
from headwater.errors import InputError
from headwater.kinds.software import Part, Software

_BYTE = 8
_BLOCK_BITS = 128
_BLOCKS = 4
"""Blocks in a lane of planes."""
_MOST_LANES = 16
_FEWEST = 8
"""Sessions from which on it pays to make their bits side by side, where one makes a bit at a time;
if it makes several, all places must be taken."""


def software_values(
    software: Software | None, name: str, registers: Mapping[str, int]
) -> dict[str, Any]:
    """The values of the template of this shape, which is empty if there is no software.

    ``registers`` are those of the core, with their widths."""
    made = _MAKERS[software.shape](software, name, registers) if software else {}
    return {
        "shape": software.shape if software and made else "",
        "own_session": False,
        "side_by_side": 0,
        "slices": None,
        "counted_bits": 0,
        **made,
    }


def lanes_of(parallel: int, side_by_side: int, whose: str) -> int:
    """Lanes of the vectors that hold so many sessions, of which each lane has ``side_by_side``.
    Raises `InputError` if the C has no sessions side by side, or these fill no such vectors."""
    if not side_by_side:
        raise InputError(
            f"number of sessions side by side must be left out for {whose}, whose C has no "
            f"function for several sessions, not {parallel!r}"
        )
    legal = [side_by_side << power for power in range(_MOST_LANES.bit_length())]
    if parallel not in legal:
        *first, last = map(str, legal)
        raise InputError(
            f"number of sessions side by side must be {', '.join(first)} or {last} for {whose}, "
            f"not {parallel!r}"
        )
    return parallel // side_by_side


def _steps(software: Software, name: str, registers: Mapping[str, int]) -> dict[str, Any]:
    """The step of a core that runs; none where the core lacks a register, or where neither words of
    its keystream are whole bytes nor bytes whole words."""
    part, bits = software.parts["step"], software.facts["bits"]
    if (bits % _BYTE and bits != 1) or not part.inputs.items() <= registers.items():
        return {}
    narrow = max(bits, *part.inputs.values()) <= LIMB // 2
    limb_bits = LIMB // 2 if narrow else LIMB
    step = printed(part, limb_bits, name)
    results = dict(step.results)
    output = results.pop("output")
    return {
        "step": step,
        "word_bits": bits,
        "output": output,
        "limb_bytes": limb_bits // _BYTE,
        "members": [*_members(part.inputs, limb_bits)],
        "assigned": [*_assignments(_targets(results, step))],
        **(_slices(part, name, bits) if software.facts["of_bits"] and pays(bits) else {}),
    }


def _turns(software: Software, name: str, registers: Mapping[str, int]) -> dict[str, Any]:
    """The steps of a core that runs, whose output bits encrypt and authenticate in turn; none where
    the core lacks a register."""
    part = software.parts["step"]
    if not part.inputs.items() <= registers.items():
        return {}
    step = printed(part, LIMB, name)
    results = dict(step.results)
    output = results.pop("output")
    moved = {one: width for one, width in part.inputs.items() if one in results}
    return {
        **software.facts,
        "step": step,
        "output": output,
        "members": [*_members(moved, LIMB)],
        "assigned": [*_assignments(_targets(results, step))],
    }


def _slices(part: Part, name: str, bits: int) -> dict[str, Any]:
    """The same of many sessions, bit by bit."""
    slices = sliced_steps(part, name)
    firsts = accumulate(part.inputs.values(), initial=0)
    return {
        "slices": slices,
        "sliced_state": [*_assignments(slices.state)],
        "sliced_members": [
            (local(one), width, first)
            for (one, width), first in zip(part.inputs.items(), firsts, strict=False)
        ],
        "zero_used": "zero" in names_in(*slices.text, *slices.outputs, *slices.state.values()),
        "fewest": _FEWEST if bits == 1 else f"{name.upper()}_SIDE_BY_SIDE",
        "side_by_side": LIMB,
    }


def _members(registers: Mapping[str, int], limb_bits: int) -> Iterator[tuple[str, str]]:
    """The variables that hold registers, and the members of the core's state that they are."""
    for name, width in registers.items():
        variables = limb_names(name, width, limb_bits)
        member = f"state->{local(name)}"
        if limbs_of(width) == 1:
            yield variables[0], member
        else:
            yield from ((one, f"{member}[{place}]") for place, one in enumerate(variables))


def _targets(results: Mapping[str, tuple[str, ...]], step: Printed) -> dict[str, str]:
    """The next value of each variable that holds a register."""
    size = step.lines.limb_bits
    return {
        variable: value
        for name, limbs in results.items()
        for variable, value in zip(limb_names(name, size * len(limbs), size), limbs, strict=True)
    }


def _assignments(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The assignments of values that are variables, in an order in which none is overwritten before
    it is read; a variable that no order serves is kept as ``kept``."""
    left = {name: value for name, value in values.items() if name != value}
    kept: dict[str, str] = {}
    while left:
        read = set(left.values())
        free = next((name for name in left if name not in read), None)
        if free is None:
            free = next(iter(left))
            kept[free] = f"kept_{len(kept)}"
            yield f"const kept {kept[free]}", free
            left = {name: kept[free] if value == free else value for name, value in left.items()}
        yield free, left.pop(free)


def _blocks(software: Software, name: str, _registers: Mapping[str, int]) -> dict[str, Any]:
    """Blocks of a counter; their words are lanes of a vector where the compiler has vectors."""
    facts = software.facts
    return {
        **facts,
        "quarter": printed(software.parts["quarter"], LIMB // 2, name, f"{name}_lanes"),
        "word_bits": LIMB // 2 * len(facts["matrix"]),
        "counters": [place for place, (what, _) in enumerate(facts["matrix"]) if what == "block"],
        "own_session": True,
    }


def _planes(software: Software, name: str, _registers: Mapping[str, int]) -> dict[str, Any]:
    """A block cipher of several blocks at once, in planes: bit n of all their bytes in a word."""
    moves: Mapping[int, int] = software.facts["moves"]
    return {
        **software.facts,
        "moves": {by: f"0x{mask:016x}ULL" for by, mask in sorted(moves.items())},
        "substitute": printed(software.parts["substitute"], LIMB, name, f"{name}_lanes"),
        "word_bits": _BLOCK_BITS,
        "own_session": True,
        "side_by_side": 0 if software.facts["counted_bits"] else _BLOCKS,
    }


def _tables(software: Software, name: str, _registers: Mapping[str, int]) -> dict[str, Any]:
    """The same in words of 32 bits, with tables; parts that have the same table share it."""
    parts: dict[str, Printed] = {}
    known: dict[str, Table] = {}
    for part, what in software.parts.items():
        parts[part] = printed(what, LIMB // 2, name, tables=known)
    return {
        **software.facts,
        **parts,
        "tables": known,
        "word_bits": _BLOCK_BITS,
        "own_session": True,
    }


_MAKERS = {
    "steps": _steps,
    "turns": _turns,
    "blocks": _blocks,
    "planes": _planes,
    "tables": _tables,
}
