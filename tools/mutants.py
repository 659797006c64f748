# SPDX-License-Identifier: Apache-2.0
"""How many random changes of a core its evidence catches: measures the cores of docs/mutants.toml,
as far as they are not stored, and writes docs/mutants.jsonl.

    python tools/mutants.py             measures all of them
    python tools/mutants.py NAME...     measures these, and keeps the lines of the others

A line is written as soon as its core is measured. Then `python tools/data_sheets.py` shows it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from headwater.api.ciphers import cipher
from headwater.api.mutation import mutants
from headwater.report.table import Table
from headwater.verify.mutation_score import Score

DOCS = Path(__file__).parents[1] / "docs"
PLAN, FILE = DOCS / "mutants.toml", DOCS / "mutants.jsonl"

_ROW = ("against", "mutants", "equivalent", "caught", "no answer", "holes", "score %")
_TABLE = (
    "cipher",
    "radix",
    "mutants",
    "equivalent",
    "proofs %",
    "vectors %",
    "testbench %",
    "proofs and vectors %",
    "all %",
)


@dataclass(frozen=True)
class Measured:
    """What was measured of the core of a cipher."""

    cipher: str
    radix: int
    seed: int
    scores: tuple[Score, ...]

    @property
    def mutants(self) -> int:
        """How many there were."""
        return self.scores[-1].mutants

    @property
    def line(self) -> str:
        """Its line in the file."""
        return json.dumps(asdict(self))


def read_scores(file: Path = FILE) -> dict[str, Measured]:
    """The lines of the file, by cipher."""
    if not file.exists():
        return {}
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {line["cipher"]: _measured(**line) for line in lines}


def _measured(scores: Sequence[dict[str, Any]], **core: Any) -> Measured:
    """What a line of the file says."""
    return Measured(scores=tuple(Score(**one) for one in scores), **core)


def of_cipher(measured: Measured) -> Table:
    """A row for each hunter."""
    rows = [
        (
            one.hunters,
            one.mutants,
            one.equivalent,
            one.caught,
            one.no_answer,
            len(one.holes),
            one.percent,
        )
        for one in measured.scores
    ]
    return Table(_ROW, rows)


def of_all(measured: Iterable[Measured]) -> Table:
    """A row for each cipher."""
    rows = [
        (
            f"[{one.cipher}](ciphers/{one.cipher}.md)",
            one.radix,
            one.mutants,
            one.scores[-1].equivalent,
            *(score.percent for score in one.scores),
        )
        for one in measured
    ]
    return Table(_TABLE, rows)


def _tell(name: str, text: str) -> None:
    print(f"{name}: {text}", file=sys.stderr)


def main() -> int:
    """Measure, and write after each core."""
    plan = tomllib.loads(PLAN.read_text(encoding="utf-8"))
    planned: dict[str, int] = plan["mutants"]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(planned)}")
    names = parser.parse_args().names or list(planned)
    if unknown := [name for name in names if name not in planned]:
        parser.error(f"a name must be one of {', '.join(planned)}, not {unknown[0]!r}")
    measured = read_scores()
    for name in names:
        core = cipher(name).core()
        found = mutants(core, planned[name], seed=plan["seed"], tell=partial(_tell, name))
        measured[name] = Measured(name, core.architecture.radix, plan["seed"], tuple(found))
        text = "".join(f"{measured[each].line}\n" for each in planned if each in measured)
        FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
