# SPDX-License-Identifier: Apache-2.0
"""Sweeps: every legal combination of ciphers, radices and targets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Literal, TypeVar

from headwater.bench.point import DesignPoint
from headwater.bench.settings import Settings
from headwater.bench.target import Target
from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.stepped.prng.shape import PrngShape

T = TypeVar("T")
Radices = Sequence[int] | Literal["all"] | None
"""Bits per cycle; None for the default radix of each cipher."""


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
    settings: Settings = field(default_factory=Settings)

    def points(self, tell: Callable[[str], None]) -> list[DesignPoint]:
        """The legal design points, each once; an illegal one of several is told of."""
        cores = legal_of([core for name in self.ciphers for core in self._cores(name)], tell)
        points = [DesignPoint(cipher, made, where, self.settings)
                  for cipher, made in cores for where in self.targets]  # fmt: skip
        return list(dict.fromkeys(points))

    def _cores(self, name: str) -> Iterator[tuple[str, Callable[[], tuple[Cipher, Architecture]]]]:
        cipher = find(name)
        for bits, instances in product(self.random_bits, self.instances or (None,)):
            told = f" from {instances} instances" if instances else ""
            yield (f"{bits} random bits of {name}{told}",
                   partial(self._source, cipher, bits, instances))  # fmt: skip
        if self.random_bits:
            return
        radices = self.radices or (cipher.default_radix,)
        for radix in cipher.legal_radices() if radices == "all" else radices:
            yield f"{name} at radix {radix}", partial(self._core, cipher, int(radix))

    def _core(self, cipher: Cipher, radix: int) -> tuple[Cipher, Architecture]:
        made = Architecture.choose(
            cipher, radix=radix, load_width=self.load_width, options=self.options
        )
        return cipher.with_parameters(self.options), made

    def _source(
        self, cipher: Cipher, random_bits: int, instances: int | None
    ) -> tuple[Cipher, Architecture]:
        chosen = cipher.with_parameters(self.options)
        source = PrngShape.choose(
            chosen, random_bits, instances=instances, seed_width=self.seed_width
        )
        return chosen, source.choices


def legal_of(makers: Sequence[tuple[str, Callable[[], T]]], tell: Callable[[str], None]) -> list[T]:
    """What the makers make. One of several that makes nothing legal is skipped with a line; it is
    an error if none does."""
    made, refused = [], []
    for what, make in makers:
        try:
            made.append(make())
        except InputError as error:
            if len(makers) == 1:
                raise
            refused.append((what, error))
    if not made:
        raise refused[0][1]
    for what, reason in refused:
        tell(f"skipped {what}: {reason}")
    return made
