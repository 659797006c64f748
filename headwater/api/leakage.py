# SPDX-License-Identifier: Apache-2.0
"""What probes on a masked netlist tell of its secrets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from headwater.leakage.verdict import Verdict, check_leakage

__all__ = ["Verdict", "leakage"]


def leakage(
    files: str | Path | Sequence[str | Path],
    spec: str | Path,
    *,
    liberty: str | Path | None = None,
) -> Verdict:
    """Decide whether a masked netlist is secure against one probe, with glitches and transitions,
    in every cycle.

    Parameters
    ----------
    files
        Verilog of one module and those in it: RTL, or a netlist of library cells.
    spec
        The TOML file that says what its signals are.
    liberty
        The library of its cells.

    Raises
    ------
    InputError
        If a file cannot be read, or they do not fit together.
    """
    several = [files] if isinstance(files, str | Path) else files
    library = None if liberty is None else Path(liberty)
    return check_leakage([Path(file) for file in several], Path(spec), library)
