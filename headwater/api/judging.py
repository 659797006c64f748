# SPDX-License-Identifier: Apache-2.0
"""Cores that others wrote, judged and measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from headwater import python_limits
from headwater.bench.target import find as find_target
from headwater.cipher.catalogue import find
from headwater.errors import InputError
from headwater.foreign.costing import cost
from headwater.foreign.judging import LIMIT_S, judge
from headwater.foreign.settings import read_settings
from headwater.foreign.verdict import Verdict

_LONGEST_S = 86_400


@python_limits.for_circuits()
def judge_core(
    files: Sequence[str | Path], cipher: str, *, ports: str | Path | None = None,
    targets: Iterable[str] = (), limit_s: float = LIMIT_S,
    tell: Callable[[str], object] = lambda _: None,
) -> Verdict:  # fmt: skip
    """Whether a core is the cipher that it is said to be, and what it costs.

    Parameters
    ----------
    files
        Its Verilog, SystemVerilog or VHDL, in the order in which they are read.
    cipher
        The name of a cipher of registers of bits.
    ports
        A TOML file that says what cannot be guessed.
    targets
        Names of targets on which it is measured.
    limit_s
        Seconds that each proof may take.
    tell
        Is called with what is done next.

    Returns
    -------
    Verdict
        ``print(*verdict.lines(), sep="\\n")`` shows it, ``verdict.as_json()`` is plain data.

    Raises
    ------
    InputError
        If the sources, the settings or a name are not legal.
    ToolError
        If a tool is missing or fails.
    """
    if not files:
        raise InputError("sources must be at least one file")
    if not 0 < limit_s <= _LONGEST_S:
        raise InputError(f"time limit must be between 0 and {_LONGEST_S} seconds, not {limit_s!r}")
    chosen = [find_target(name) for name in targets]
    settings = read_settings(Path(ports) if ports is not None else None)
    paths = [Path(file) for file in files]
    verdict, core = judge(paths, find(cipher), settings, limit_s=limit_s, tell=tell)
    for target in chosen:
        tell(f"measuring on {target.name}")
        verdict.figures.append(cost(core.verilog, target, verdict.radix))
    return verdict
