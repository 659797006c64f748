# SPDX-License-Identifier: Apache-2.0
"""The process that checks the promises of one changed core; see `headwater.flow.mutation`.

It reads ``checks.json`` and ``prepared.il`` in its folder and writes ``outcomes.json``. Promises
follow each other in one process: most changes are found by one of the first.
"""

from __future__ import annotations

import json
from pathlib import Path

from pyosys import libyosys

from headwater.flow.mutation import EMPTY, KEPT, REFUTED, UNKNOWN
from headwater.flow.sat import KEEP_ASSUMPTIONS, MAP, NO_RUN


def main() -> None:
    """Check the promises."""
    given = json.loads(Path("checks.json").read_text())
    checks = _Checks(given["mutation"], given["cycles"])
    outcomes = {}
    for name in given["cycles"]:
        outcomes[name] = checks.outcome(name)
        if given["mutation"] and outcomes[name] == REFUTED:
            break
    Path("outcomes.json").write_text(json.dumps(outcomes))


class _Checks:
    def __init__(self, mutation: str | None, cycles: dict[str, int]) -> None:
        self._cycles = cycles
        self._mutated = mutation is not None
        self._design = libyosys.Design()
        self._run("read_rtlil prepared.il")
        if mutation:
            self._run(mutation)
        self._run("design -save changed")

    def _run(self, command: str) -> None:
        libyosys.run_pass(command, self._design)

    def _told(self, command: str) -> str:
        """What a pass prints."""
        self._run(f"tee -q -o told.log {command}")
        return Path("told.log").read_text()

    def outcome(self, name: str) -> str:
        """Whether a promise is kept from any state."""
        cycles = self._cycles[name]
        self._run("design -load changed")
        self._run(f"delete spec/c:watch_* spec/c:watch_{name} %d")
        for command in ("hierarchy -top spec", "flatten", *MAP):
            self._run(command)
        told = self._told(f"sat -prove-asserts -set-assumes -seq {cycles}")
        if "FAIL!" in told:
            return REFUTED
        if "SUCCESS!" not in told:
            return UNKNOWN
        if self._mutated:
            return KEPT
        for command in KEEP_ASSUMPTIONS:
            self._run(command)
        return EMPTY if NO_RUN in self._told(f"sat -set-assumes -seq {cycles}") else KEPT


if __name__ == "__main__":
    main()
