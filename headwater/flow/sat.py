# SPDX-License-Identifier: Apache-2.0
"""Proofs by Yosys's SAT solver, on RTLIL with assertions and assumptions in it."""

from __future__ import annotations

from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.yosys import run_yosys

_PREPARE = (
    "read_rtlil spec.il",
    "proc",
    "flatten",
    # Only registers of the watching circuit start from their initial values; the core may start in
    # any state.
    "setattr -unset init w:* w:spec_* %d",
    # Map to gates of one bit, so that equal parts of the two readings are merged.
    "memory_map",
    "opt -full -purge",
    "simplemap",
    "opt -full -purge",
    "chformal -lower",
)

_NO_RUN = "SAT solving finished - no model found."


class NoRunError(ToolError):
    """The assumptions of a check exclude every run, so that whatever it says is empty."""


def holds(rtlil: str, folder: Path, *, cycles: int, by_induction: bool = False) -> bool:
    """Whether no assertion in a design can fail.

    Parameters
    ----------
    rtlil
        One top module; registers named ``spec_...`` keep their initial values, all others start
        with any content.
    cycles
        Number of cycles that a run is followed.
    by_induction
        Whether to prove the property for runs of any length. Then only the base case of the
        induction is followed, for as many cycles as the induction needs; it is an error if the
        induction does not come to an end within them.

    Raises
    ------
    NoRunError
        If no run of ``cycles`` cycles meets the assumptions.
    ToolError
        If the solver comes to no answer.
    """
    (folder / "spec.il").write_text(rtlil)
    how = f"-tempinduct -maxsteps {cycles}" if by_induction else f"-seq {cycles}"
    log = run_yosys(
        [*_PREPARE, f"sat -set-assumes -seq {cycles}", f"sat -prove-asserts -set-assumes {how}"],
        folder,
    )
    if _NO_RUN in log:
        raise NoRunError(f"the assumptions exclude every run of {cycles} cycles")
    if "SUCCESS!" in log:
        return True
    if "FAIL!" in log:
        return False
    tail = "\n".join(log.strip().splitlines()[-8:])
    raise ToolError(f"the SAT solver came to no answer within {cycles} cycles:\n{tail}")
