# SPDX-License-Identifier: Apache-2.0
"""Sweeps: every legal combination of ciphers, radices and targets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TypeVar

from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.errors import InputError
from headwater.kinds.masking import masked_radices
from headwater.kinds.stepped.prng.shape import LOCKUPS, RESETS, SEEDS, PrngShape, splits
from headwater.measure.chosen import Chosen
from headwater.measure.effect import check_effect
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings
from headwater.measure.target import Target

T = TypeVar("T")
Radices = Sequence[int] | Literal["all"] | None
"""Bits per cycle; None for the default radix of each cipher."""
SPLITS: Literal["splits"] = "splits"
ENDS: Literal["ends"] = "ends"
Instances = Sequence[int] | Literal["splits", "ends"]
"""Cores side by side in a source of random bits; `SPLITS` for every number to choose among, `ENDS`
for the least and the most of them, none for as few as can make the bits."""


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Design points that differ in cipher, radix and target."""

    ciphers: Sequence[str]
    radices: Radices = None
    targets: Sequence[Target]
    load_width: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    random_bits: Sequence[int] = ()
    """Sources of so many random bits, instead of cores."""
    instances: Sequence[int] = ()
    """Cores side by side in such a source; none given: as few as can make the bits."""
    seed_width: int | None = None
    reset: str | None = None
    """Of such a source: `sync` or `async`."""
    state_port: bool = False
    """Whether the state of such a source can be read and written."""
    lockup: str | None = None
    """Of such a source: `watch` or `none`."""
    seed_by: str | None = None
    """Of such a source: `key` or `state`."""
    masking: str | None = None
    """`first` for cores in two shares."""
    settings: Settings = field(default_factory=Settings)

    def points(self, tell: Callable[[str], None]) -> list[DesignPoint]:
        """The legal design points, each once; an illegal one of several is told of. Settings are
        refused that do nothing on any target."""
        check_effect(self.settings.chosen, self.targets)
        cores = legal_of([core for name in self.ciphers for core in self._cores(name)], tell)
        points = [core.at(where, self.settings) for core in cores for where in self.targets]
        return list(dict.fromkeys(points))

    def _cores(self, name: str) -> Iterator[tuple[str, Callable[[], Chosen]]]:
        cipher = find(name)
        if self.random_bits:
            chosen = cipher.with_parameters(self.options)
            yield from sources(
                chosen,
                self.random_bits,
                self.instances,
                seed_width=self.seed_width,
                reset=self.reset,
                state_port=self.state_port,
                lockup=self.lockup,
                seed_by=self.seed_by,
            )
            return
        if self.masking is not None:
            yield from self._masked_cores(cipher, self.masking)
            return
        radices = self.radices or (cipher.default_radix,)
        for radix in cipher.legal_radices() if radices == "all" else radices:
            choose = partial(Chosen.choose, cipher, int(radix), self.load_width, self.options)
            yield f"{name} at radix {radix}", choose

    def _masked_cores(
        self, cipher: Cipher, masking: str
    ) -> Iterator[tuple[str, Callable[[], Chosen]]]:
        radices = self.radices or (None,)
        for radix in masked_radices(cipher) if radices == "all" else radices:
            choose = partial(Chosen.masked, cipher, radix and int(radix), self.options, masking)
            yield f"{cipher.name} in shares at radix {radix or 'of default'}", choose


def sources(
    cipher: Cipher,
    random_bits: Sequence[int],
    instances: Instances,
    *,
    seed_width: int | None = None,
    reset: str | None = None,
    state_port: bool = False,
    lockup: str | None = None,
    seed_by: str | None = None,
) -> Iterator[tuple[str, Callable[[], Chosen]]]:
    """What each source of random bits of a cipher is called, and what makes it if it is legal."""

    def source(bits: int, count: int | None) -> Chosen:
        return Chosen.source(
            cipher,
            PrngShape.choose(
                cipher,
                bits,
                instances=count,
                seed_width=seed_width,
                reset=reset or RESETS[0],
                state_port=state_port,
                lockup=lockup or LOCKUPS[0],
                seed_by=seed_by or SEEDS[0],
            ),
        )

    for bits in random_bits:
        for count in _counts(cipher, bits, instances):
            told = f" from {count} instances" if count else ""
            yield f"{bits} random bits of {cipher.name}{told}", partial(source, bits, count)


def _counts(cipher: Cipher, random_bits: int, instances: Instances) -> Sequence[int | None]:
    if instances not in (SPLITS, ENDS):
        return instances or (None,)
    with suppress(InputError):
        every = [one.instances for one in splits(cipher, random_bits)]
        return every if instances == SPLITS else list(dict.fromkeys((every[0], every[-1])))
    return (None,)  # Whoever makes the source is told why there is none.


def legal_of(makers: Sequence[tuple[str, Callable[[], T]]], tell: Callable[[str], None]) -> list[T]:
    """What the makers make. One of several that makes nothing legal is skipped with a line; it is
    an error if none does, or if there are no makers."""
    legal, refused = [], []
    for what, make in makers:
        try:
            legal.append(make())
        except InputError as error:
            if len(makers) == 1:
                raise
            refused.append((what, error))
    if not makers:
        raise InputError("at least one cipher and one choice must be given, not none")
    if not legal:
        raise refused[0][1]
    for what, reason in refused:
        tell(f"skipped {what}: {reason}")
    return legal
