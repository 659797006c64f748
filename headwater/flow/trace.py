# SPDX-License-Identifier: Apache-2.0
"""Runs of a design that a solver found: the content that its registers begin with, and the inputs
of each cycle."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

from vcd import VCDWriter

NAMED = ("rename -wire t:$dff", "rename -enumerate -pattern register% t:$dff")
"""Passes that give each register of a design that is not yet flat a name that lasts, by what it
drives."""
ANY = "from.any"
"""The cell that stands, in the place of a register, for what it begins with."""

Trace = Sequence[Mapping[str, int]]
"""The values of all free inputs by name, a mapping for each cycle. What registers begin with is
among those of the first: ``REGISTER.from.any.Y``."""


def read_trace(witness: Path, names: Path) -> Trace:
    """The run in a witness of AIGER.

    Parameters
    ----------
    witness
        A line with the latches, and a line with the inputs of each cycle, a digit for each bit; or
        one line with the inputs of all cycles.
    names
        The names of the inputs, a line each; of a bit of a word with its place.
    """
    lines = [line for line in witness.read_text().splitlines() if not line.startswith("#")]
    digits = "".join(lines[1:] or lines)
    bits = [_word_and_place(name) for name in names.read_text().splitlines()]
    cycles = []
    for start in range(0, len(digits), max(1, len(bits))):
        values: defaultdict[str, int] = defaultdict(int)
        for (name, place), digit in zip(bits, digits[start : start + len(bits)], strict=True):
            values[name] |= int(digit) << place
        cycles.append(dict(values))
    return cycles


def _word_and_place(name: str) -> tuple[str, int]:
    indexed = re.fullmatch(r"(.*)\[(\d+)\]", name)
    return (indexed[1], int(indexed[2])) if indexed else (name, 0)


def as_vcd(widths: Mapping[str, int], cycles: Sequence[Sequence[int]]) -> str:
    """The values of signals in each cycle, in the order of ``widths``, as a file of waveforms. The
    same values give the same text."""
    file = StringIO()
    with VCDWriter(file, timescale="1 ns", date="", version="") as writer:
        signals = []
        for name, width in widths.items():
            scope, _, last = name.rpartition(".")
            signals.append(writer.register_var(scope or "inputs", last, "wire", size=width))
        for cycle, values in enumerate(cycles):
            for signal, value in zip(signals, values, strict=True):
                writer.change(signal, cycle, value)
        writer.close(len(cycles))
    return file.getvalue()
