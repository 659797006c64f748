# SPDX-License-Identifier: Apache-2.0
"""How long the proofs of a core take: measures the core of the default choices of each cipher, and
writes docs/proofs.jsonl.

    python tools/proof_times.py             measures all of them
    python tools/proof_times.py NAME...     measures these, and keeps the lines of the others

Processor time, tools included, is measured, as it depends little on what else a computer does. A
line is written as soon as its core is measured. Then `python tools/data_sheets.py` shows the
longest. The exit status is 1 if a proof fails.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.report.table import Table
from headwater.verify.proof import prove

FILE = Path(__file__).parents[1] / "docs" / "proofs.jsonl"
_SHOWN = 10
_COLUMNS = ("cipher", "radix", "properties", "processor s")


@dataclass(frozen=True)
class Measured:
    """What was measured of the core of a cipher."""

    cipher: str
    radix: int
    properties: int
    processor_s: float


def measured(name: str) -> Measured:
    """Prove the properties of the default core of a cipher."""
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher)
    begun = _processor_s()
    records = prove(cipher, architecture)
    taken = round(_processor_s() - begun, 1)
    for record in records:
        for failure in record.failures:
            raise SystemExit(f"{name}: {record.check}: {failure}")
    return Measured(name, architecture.radix, len(records), taken)


def _processor_s() -> float:
    """Of this process and of those that it waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def read_times(file: Path = FILE) -> dict[str, Measured]:
    """The lines of the file, by cipher."""
    if not file.exists():
        return {}
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {line["cipher"]: Measured(**line) for line in lines}


def longest(times: Iterable[Measured]) -> Table:
    """A row for each core that takes longest."""
    ordered = sorted(times, key=lambda one: one.processor_s, reverse=True)
    rows = [
        (f"[{one.cipher}](ciphers/{one.cipher}.md)", one.radix, one.properties, one.processor_s)
        for one in ordered[:_SHOWN]
    ]
    return Table(_COLUMNS, rows)


def main() -> int:
    """Measure, and write after each core."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a cipher of the catalogue")
    names = parser.parse_args().names or list(CATALOGUE)
    if unknown := [name for name in names if name not in CATALOGUE]:
        parser.error(f"a name must be one of {', '.join(CATALOGUE)}, not {unknown[0]!r}")
    times = read_times()
    for name in names:
        times[name] = measured(name)
        lines = (json.dumps(asdict(times[each])) for each in CATALOGUE if each in times)
        FILE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{name}: {times[name].processor_s} s of processor time", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
