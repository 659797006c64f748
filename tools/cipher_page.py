# SPDX-License-Identifier: Apache-2.0
"""What the page of a cipher shows: its data sheet, security, registers, measured figures.

The figures are those of the reference alone, so that a page depends on nothing but the package.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

import mutants

from headwater.cipher.description import Cipher
from headwater.cli.showing import entries
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.measure.reference import FILE, read_reference
from headwater.measure.settings import LAYOUT
from headwater.measure.store import Result
from headwater.report.figures_table import figures_notes, figures_tables
from headwater.report.formats import as_markdown
from headwater.report.html import shown
from headwater.report.points import Point, named, points_of, targets_in_words
from headwater.report.systems import systems_of
from headwater.report.table import Table
from headwater.verify.readings import VECTORS, evidence

FIGURES = "## Measured figures"
"""The heading of the figures of cores."""

_FLOW = (
    "Measured with open tools ([how](../measurement.md)), and a part of the package: "
    "`headwater report` shows them beside those of other ciphers."
)
_PROPERTIES = (
    "`headwater verify {} --prove` proves them. Each compares the core with the description's own "
    "equations, with another path through its gates, or with equations that are written apart and "
    "share no code with either ([evidence](../architecture.md#evidence))."
)
_MUTANTS = (
    "Random changes of the netlist at radix {}, one in each mutant, and what catches them: proofs, "
    "published vectors in Verilog, and the testbench as it is delivered "
    "([evidence](../architecture.md#evidence)). The score is that of the mutants that are not "
    "proven to be equivalent. Measured by `python tools/mutants.py`; the same mutants: "
    "`headwater verify {} --mutants {} --seed {}`."
)
_WIDTH = 120
_COLUMNS = (
    "radix",
    "load",
    "LUT",
    "FF",
    "area",
    "in",
    "GE",
    "fmax MHz",
    "Mbit/s",
    "Mbit/s/area",
    "pJ/bit",
    "nJ/64 kbit",
    "die um2",
    "options",
)
_SYSTEM_COLUMNS = (
    "by",
    "processor",
    "radix",
    "cycles of 128 bits",
    "of the core alone",
    "times software",
    "options",
)


def sheet(cipher: Cipher) -> str:
    """The data sheet that `headwater show` prints as a table: a row for each entry, a line for each
    of its values."""
    values: dict[str, list[str]] = {}
    for name, text in entries(datasheet(cipher, Architecture.choose(cipher))):
        values.setdefault(name, []).append(text.replace("<", "&lt;").replace("*", "\\*"))
    rows = [(name, "<br>".join(lines)) for name, lines in values.items()]
    return as_markdown(Table(("entry", "value"), rows))


def security(cipher: Cipher) -> str:
    """What is known of its security, and where the cipher is described."""
    known, source = sentence(cipher.security), f"Described from: {sentence(cipher.source)}"
    return f"## Security\n\n{_wrapped(known)}\n\n{_wrapped(source)}"


def registers(cipher: Cipher) -> str:
    """The picture of its registers, which is a file beside the page."""
    said = f"Registers and taps of {cipher.title}"
    return f"## Registers and taps\n\n![{said}]({cipher.name}.svg)"


def properties(cipher: Cipher) -> str:
    """What the properties of its core compare it with, at the default radix."""
    found = evidence(cipher, Architecture.choose(cipher))
    rows = [
        (one.property, one.against, one.what, one.method)
        for one in found
        if one.property != VECTORS
    ]
    table = as_markdown(Table(("property", "against", "compared with", "method"), rows))
    return f"## Properties\n\n{_wrapped(_PROPERTIES.format(cipher.name))}\n\n{table}"


def mutant_scores(name: str) -> str:
    """How many random changes of its core are caught; empty if none was tried."""
    measured = mutants.read_scores().get(name)
    if not measured:
        return ""
    said = _MUTANTS.format(measured.radix, name, measured.mutants, measured.seed)
    return f"## Mutants\n\n{_wrapped(said)}\n\n{as_markdown(mutants.of_cipher(measured))}"


def figures(name: str) -> str:
    """The figures of its cores, a table for each target, or how to measure some."""
    points = [*points_of(measured(name)), *points_of(measured(name), LAYOUT)]
    if not points:
        hint = f"headwater evaluate {name} --target ecp5-25k"
        return f"{FIGURES}\n\nThe package has none of this cipher. To measure some: `{hint}`."
    notes = figures_notes([point.record for point in points])
    targets = dict.fromkeys(str(point["target"]) for point in points)
    tables = (
        _of_target([point for point in points if point["target"] == target]) for target in targets
    )
    return "\n\n".join([FIGURES, *map(_wrapped, (_FLOW, *notes)), *tables])


def systems(name: str) -> str:
    """The figures of its cores behind a processor; empty if there are none."""
    found = systems_of(measured(name, "system"))
    if not found:
        return ""
    shared = _shared([system["options"] for system in found if not system.in_software])
    rows = [
        (
            system.access,
            system["cpu"],
            system["radix"],
            shown(system.cycles),
            system["core_cycles_per_128_bits"],
            shown(system.speed_up),
            named({name: value for name, value in system["options"].items() if name not in shared}),
        )
        for system in found
    ]
    said = (
        "Clock cycles in simulation of the whole system, until the words are in memory "
        "([behind a processor](../codesign.md))."
    )
    return (
        f"## Behind a processor\n\n{_wrapped(said)}\n\n"
        f"{_only(Table(_SYSTEM_COLUMNS, rows), _SYSTEM_COLUMNS)}"
    )


def measured(cipher: str, kind: str = "point") -> list[Result]:
    """What the reference has of a cipher: points, or systems."""
    entries = read_reference(FILE).entries(kind)
    return [entry.result for entry in entries if entry.words["cipher"] == cipher]


def sentence(text: str) -> str:
    """A text with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."


def _of_target(points: Sequence[Point]) -> str:
    """Where the points were measured, the choices that they share, and a table that tells the
    others."""
    choices = [{**point["options"], **point["flow"]} for point in points]
    shared = _shared(choices)
    records = [
        {**point.record, "options": {name: each[name] for name in each if name not in shared}}
        for point, each in zip(points, choices, strict=True)
    ]
    absent = dict.fromkeys(why for point in points for why in (point["absent"] or {}).values())
    said = f"On {targets_in_words(points)}, with {named(shared)}."
    said += f" Not measured: {'; '.join(absent)}." if absent else ""
    (table,) = figures_tables(records)
    return f"{_wrapped(said)}\n\n{_only(table, _COLUMNS)}"


def _shared(choices: Sequence[Mapping[str, object]]) -> Mapping[str, object]:
    """What several have chosen alike."""
    first, *others = choices or [{}]
    return {
        choice: value
        for choice, value in first.items()
        if all(each.get(choice) == value for each in others)
    }


def _only(table: Table, columns: Sequence[str]) -> str:
    """These columns of a table, as far as they say something, as Markdown."""
    said = [
        name
        for name, cells in zip(table.columns, zip(*table.rows, strict=True), strict=True)
        if any(cell not in (None, "") for cell in cells)
    ]
    return as_markdown(table.only([name for name in columns if name in said]))


def _wrapped(text: str) -> str:
    return fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
