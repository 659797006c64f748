# SPDX-License-Identifier: Apache-2.0
"""Systems of a processor and a core, simulated cycle by cycle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from headwater.api.ciphers import Cipher, cipher
from headwater.api.records import Records
from headwater.codesign.cells import InCells, with_area
from headwater.codesign.run import measure
from headwater.codesign.scenario import Scenario
from headwater.codesign.sweep import scenarios
from headwater.errors import HeadwaterError, InputError
from headwater.measure.layers import open_layered
from headwater.measure.record import Record
from headwater.measure.store import Store
from headwater.measure.target import TARGETS, AsicTarget, find

Several = str | Sequence[str]
"""One name or several."""


def codesign(
    ciphers: str | Cipher | Sequence[str | Cipher],
    radix: int | Sequence[int] | None = None,
    *,
    cpu: Several = "vexriscv",
    interface: Several = "custom",
    wait_states: int | Sequence[int] = Scenario.wait_states,
    driver: str = Scenario.driver,
    stateless: bool = False,
    load_width: int | None = None,
    bytes: int = Scenario.bytes,  # noqa: A002
    target: str | None = None,
    again: bool = False,
    store: str | Path | None = None,
    **options: str | int,
) -> Records:
    """Count the cycles of every combination of ciphers, processors and interfaces, beside those of
    software; what is stored is not simulated again.

    Parameters
    ----------
    ciphers
        One or several.
    radix
        Of the cores; by default the widest that comes free, or 32.
    cpu, interface
        Names, or ``"all"``: ``vexriscv``, ``ibex``, ``picorv32``; ``custom``, ``custom3``,
        ``custom2x2``, ``fifo``, ``bus``, ``wishbone``, ``axi4lite``, ``dma``.
    wait_states
        Cycles more for each access to the core over the bus.
    driver
        ``blocking``, ``four``, ``simple`` or ``polling``.
    stateless
        Whether every block is asked for with key, nonce and number, where blocks have numbers.
    bytes
        Of the message that is timed with its key setup.
    target
        A standard-cell library, by name: records then have the area of each part in it.
    again
        Whether stored systems are simulated, too.
    """
    named = [ciphers] if isinstance(ciphers, str | Cipher) else ciphers
    skipped: list[str] = []
    chosen = scenarios(
        [(cipher(one) if isinstance(one, str) else one).description for one in named],
        [cpu] if isinstance(cpu, str) else cpu,
        [interface] if isinstance(interface, str) else interface,
        [wait_states] if isinstance(wait_states, int) else wait_states,
        [radix] if radix is None or isinstance(radix, int) else radix,
        driver=driver,
        stateless=stateless,
        load_width=load_width,
        options={name: str(value) for name, value in options.items()},
        bytes=bytes,
        tell=skipped.append,
    )
    with open_layered(Path(store) if store else None) as opened:
        systems = simulated(chosen, opened, again=again, target=library_of(target))
    return Records(systems, [*skipped, *systems.failures])


def library_of(name: str | None) -> AsicTarget | None:
    """The standard-cell library of that name; an error if it is another target."""
    library = find(name) if name else None
    if library is None or isinstance(library, AsicTarget):
        return library
    legal = ", ".join(one.name for one in TARGETS.values() if isinstance(one, AsicTarget))
    raise InputError(f"target of codesign must be one of {legal}, not {name!r}")


def simulated(
    chosen: Sequence[Scenario | InCells],
    store: Store,
    *,
    again: bool = False,
    told: Callable[[str], None] = lambda _: None,
    target: AsicTarget | None = None,
) -> Records:
    """The records of scenarios, with their area if they are in cells or if there is a ``target``.
    One that fails stops no other. ``told`` is called before each of several."""
    done: list[Record] = []
    failures = []
    for place, one in enumerate(chosen, start=1):
        if len(chosen) > 1:
            told(f"{place} of {len(chosen)}: {one}")
        scenario, cells = (one.scenario, one.target) if isinstance(one, InCells) else (one, target)
        try:
            measured = measure(scenario, store, again=again)
            done.append(
                with_area(scenario, measured, cells, store, again=again) if cells else measured
            )
        except HeadwaterError as error:
            failures.append(f"{one}: {error}")
    return Records(done, failures)
