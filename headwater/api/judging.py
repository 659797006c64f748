# SPDX-License-Identifier: Apache-2.0
"""Cores that others wrote, judged and measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from headwater import python_limits
from headwater.cipher import outside
from headwater.cipher.catalogue import find
from headwater.errors import HeadwaterError, InputError, ToolError
from headwater.flow.folders import private_folder
from headwater.foreign.costing import cost
from headwater.foreign.judging import LIMIT_S, judge
from headwater.foreign.listing import read_list
from headwater.foreign.nearest import joined, nearest, nearest_radix
from headwater.foreign.reading import ForeignCore
from headwater.foreign.record import identity, record_of
from headwater.foreign.settings import Settings, read_settings
from headwater.foreign.verdict import Verdict
from headwater.measure.layers import LayeredStore, open_layered
from headwater.measure.run import evaluate_all
from headwater.measure.store import Result, now
from headwater.measure.target import Target
from headwater.measure.target import find as find_target
from headwater.measure.workers import local_workers

_LONGEST_S = 86_400


@python_limits.for_circuits()
def bench(
    files: Sequence[str | Path],
    cipher: str,
    *,
    ports: str | Path | Settings | None = None,
    name: str = "",
    must_judge: bool = True,
    targets: Iterable[str] = (),
    compare: bool = False,
    limit_s: float = LIMIT_S,
    jobs: int = 1,
    store: str | Path | None = None,
    tell: Callable[[str], object] = lambda _: None,
) -> Verdict:
    """Whether a core is the cipher that it is said to be, and what it costs.

    Parameters
    ----------
    files
        Its Verilog, SystemVerilog or VHDL, in the order in which they are read.
    cipher
        The name of a cipher.
    ports
        A TOML file that says what cannot be guessed, or what one says.
    must_judge
        Whether it is an error if the sources can be read, but not judged; otherwise they are
        measured alone.
    name
        What it is called in tables; by default its module, or its last file.
    targets
        Names of targets on which it is measured. What was measured is kept in the store.
    compare
        Whether our nearest architectures are measured there, ``jobs`` at a time, where they are not
        stored.
    limit_s
        Seconds that each proof may take.
    store
        A file; by default ``$HEADWATER_STORE``, or the one in the user's data folder.
    tell
        Is called with what is done next.

    Returns
    -------
    Verdict
        ``print(*verdict.lines(), sep="\\n")`` shows it, ``verdict.as_json()`` is plain data;
        ``figures`` has its record on each target, ``beside`` those of ours.

    Raises
    ------
    InputError
        If the sources, the settings or a name are not legal, or if no core of ours has its radix.
    ToolError
        If a tool is missing or fails.
    """
    chosen = [find_target(name) for name in targets]
    _check(files, chosen, compare, limit_s)
    outside.add_installed()
    settings = (
        ports
        if isinstance(ports, Settings)
        else read_settings(None if ports is None else Path(ports))
    )
    paths = [Path(file) for file in files]
    verdict, core = judge(
        paths, find(cipher), settings, name=name, limit_s=limit_s, must=must_judge, tell=tell
    )
    if not chosen:
        return verdict
    with open_layered(Path(store) if store else None) as opened:
        for target in chosen:
            tell(f"measuring on {target.name}")
            _measure(verdict, core, settings, target, opened)
            if compare:
                _compare(verdict, target, opened, jobs, tell)
    return verdict


def _check(
    files: Sequence[str | Path], targets: Sequence[Target], compare: bool, limit_s: float
) -> None:
    if not files:
        raise InputError("sources must be at least one file")
    if not 0 < limit_s <= _LONGEST_S:
        raise InputError(f"time limit must be between 0 and {_LONGEST_S} seconds, not {limit_s!r}")
    if compare and not targets:
        raise InputError("a comparison must be on a target, and none is named")


def bench_list(
    listed: str | Path,
    trees: str | Path,
    *,
    only: str = "",
    tell: Callable[[str], object] = lambda _: None,
    **others: Any,
) -> Iterator[tuple[str, Verdict | HeadwaterError]]:
    """`bench` of each public core of a list, at each of its widths: its name, and what came of it.

    Parameters
    ----------
    listed
        A file as `headwater.foreign.listing.read_list` takes it.
    trees
        A folder with a work tree of each repository, as OWNER/NAME.
    only
        Only the cores whose name has this word.
    others
        What `bench` takes, too. What can be read but not judged is measured alone.
    """
    for one in read_list(Path(listed), Path(trees)):
        if only not in one.name:
            continue
        tell(one.name)
        try:
            with private_folder() as folder:
                yield (
                    one.name,
                    bench(
                        one.sources(folder),
                        one.cipher,
                        ports=one.settings,
                        name=one.name,
                        must_judge=False,
                        tell=tell,
                        **others,
                    ),
                )
        except HeadwaterError as error:
            yield one.name, error


def _measure(
    verdict: Verdict, core: ForeignCore, settings: Settings, target: Target, store: LayeredStore
) -> None:
    """Add the record of the core on a target to its verdict, and keep it: what costs the core has
    is not measured again where it is known."""
    cipher, begin = find(verdict.cipher), time.monotonic()
    key = identity(verdict, core, cipher, settings, target)
    known = store.find_foreign(key)
    figures = known.record if known else cost(core.verilog, target)
    record = record_of(verdict, core, settings, target, figures)
    seconds = known.seconds if known else time.monotonic() - begin
    if known is None or known.record != record:
        store.keep_foreign(Result(key, record, seconds, now()))
    verdict.figures.append(record)


def _compare(
    verdict: Verdict, target: Target, store: LayeredStore, jobs: int, tell: Callable[[str], object]
) -> None:
    """Add the records of our nearest architectures on a target."""
    cipher, rate = find(verdict.cipher), verdict.bits_per_cycle
    if rate is None:
        raise InputError("a comparison must be of a core whose bits per cycle are known")
    radix = verdict.radix or nearest_radix(cipher, rate)
    points = nearest(cipher, radix, verdict.lacks or (), target)
    tell(f"looking up or measuring {len(points)} points of ours on {target.name}")
    with local_workers(jobs) as workers:
        outcomes = {one.point: one for one in evaluate_all(points, store, workers)}
    for point in points:
        if outcomes[point].record is None:
            raise ToolError(f"{point} could not be measured: {outcomes[point].reason}")
    verdict.beside += joined([one for point in points if (one := outcomes[point].record)])
