# SPDX-License-Identifier: Apache-2.0
"""Does `headwater bench` find state and step of our own cores, of which nothing is told?

    python benchmarks/judged_own.py [NAME ..]

The Verilog of each cipher's default core is judged as anyone's is: nothing is told but the cipher's
name. A row says what came of each layer, the processor time, and the first reason why a layer is
not "yes". docs/judged-own.txt keeps what it prints. The exit status is 1 if a core is called wrong.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from pathlib import Path

from headwater.cipher.catalogue import CATALOGUE, find
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import HeadwaterError
from headwater.flow.folders import private_folder
from headwater.foreign.judging import judge
from headwater.foreign.settings import Settings
from headwater.foreign.verdict import LAYERS, NO, OPEN, YES

COLUMNS = ("cipher", "radix", *LAYERS, "CPU s", "why not")
_WIDTHS = (22, 6, 12, 12, 12, 12, 7, 0)


def main() -> int:
    """Print a row for each cipher."""
    wrong = False
    print(_row(COLUMNS))
    for name in sys.argv[1:] or CATALOGUE:
        row = _judged(name)
        wrong |= NO in row
        print(_row(row), flush=True)
    return int(wrong)


def _judged(name: str) -> tuple[str, ...]:
    cipher, begin = find(name), _seconds()
    architecture = Architecture.choose(cipher)
    with private_folder() as folder:
        file = Path(folder) / "core.v"
        file.write_text(generate(cipher, architecture).text)
        try:
            verdict, _ = judge([file], cipher, Settings())
        except HeadwaterError as error:
            results = [OPEN] * len(LAYERS)
            why = str(error).splitlines()[0].partition(", of ")[0]
        else:
            results = [verdict.result(layer) for layer in LAYERS]
            why = next((one.text for one in verdict.layers if one.result != YES), "")
    used = _seconds() - begin
    return name, str(architecture.radix), *results, f"{used:.0f}", why


def _seconds() -> float:
    """Processor time of this process and of those that it started."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _row(cells: tuple[str, ...]) -> str:
    return "".join(_padded(zip(cells, _WIDTHS, strict=True))).rstrip()


def _padded(cells: Iterator[tuple[str, int]]) -> Iterator[str]:
    for text, width in cells:
        yield text.ljust(width)


if __name__ == "__main__":
    sys.exit(main())
