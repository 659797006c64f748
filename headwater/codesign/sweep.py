# SPDX-License-Identifier: Apache-2.0
"""Many scenarios: every combination of some choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from headwater.cipher.description import Cipher
from headwater.codesign.processor import PROCESSORS
from headwater.codesign.scenario import INTERFACES, Scenario
from headwater.errors import InputError

ALL = "all"


def scenarios(
    ciphers: Sequence[Cipher],
    cpus: Sequence[str],
    interfaces: Sequence[str],
    wait_states: Sequence[int],
    radices: Sequence[int | None],
    *,
    driver: str = "blocking",
    stateless: bool = False,
    load_width: int | None = None,
    options: Mapping[str, str] | None = None,
    bytes: int = 1024,  # noqa: A002
    tell: Callable[[str], None] = lambda _reason: None,
) -> list[Scenario]:
    """Every legal combination. "all" stands for the possible processors or interfaces. An illegal
    combination of named ones is skipped and told, and so is a cipher without a legal one; it is an
    error if none is legal."""
    named = ALL not in (*cpus, *interfaces)
    chosen = []
    refused: list[tuple[Cipher, InputError]] = []
    for cipher, cpu, interface, waits, radix in product(
        ciphers,
        _expanded(cpus, PROCESSORS),
        _expanded(interfaces, INTERFACES),
        wait_states,
        radices,
    ):
        try:
            chosen.append(
                Scenario.choose(
                    cipher,
                    cpu=cpu,
                    interface=interface,
                    driver=driver,
                    wait_states=waits,
                    stateless=stateless,
                    radix=radix,
                    load_width=load_width,
                    options=options,
                    bytes=bytes,
                )
            )
        except InputError as error:
            refused.append((cipher, error))
    if not chosen and not refused:
        raise InputError("at least one cipher and one choice must be given, not none")
    if not chosen:
        raise refused[0][1]
    simulated = {scenario.cipher for scenario in chosen}
    reasons = [str(reason) for cipher, reason in refused if named or cipher not in simulated]
    for reason in dict.fromkeys(reasons):
        tell(f"skipped: {reason}")
    return list(dict.fromkeys(chosen))


def _expanded(names: Sequence[str], every: Mapping[str, object]) -> list[str]:
    return list(every) if ALL in names else list(names)
