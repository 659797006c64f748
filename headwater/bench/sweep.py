# SPDX-License-Identifier: Apache-2.0
"""Sweeps: every legal combination of ciphers, radices and targets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TypeVar

from headwater.bench.point import DesignPoint
from headwater.bench.settings import Settings
from headwater.bench.target import Target
from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError

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
    settings: Settings = field(default_factory=Settings)

    def points(self, tell: Callable[[str], None]) -> list[DesignPoint]:
        """The legal design points, each once; an illegal one of several is told of."""
        cores = legal_of([core for name in self.ciphers for core in self._cores(name)], tell)
        points = [DesignPoint(cipher, made, where, self.settings)
                  for cipher, made in cores for where in self.targets]  # fmt: skip
        return list(dict.fromkeys(points))

    def _cores(self, name: str) -> Iterator[tuple[str, Callable[[], tuple[Cipher, Architecture]]]]:
        cipher = find(name)
        radices = self.radices or (cipher.default_radix,)
        for radix in cipher.legal_radices() if radices == "all" else radices:
            yield f"{name} at radix {radix}", partial(self._core, cipher, int(radix))

    def _core(self, cipher: Cipher, radix: int) -> tuple[Cipher, Architecture]:
        made = Architecture.choose(
            cipher, radix=radix, load_width=self.load_width, options=self.options
        )
        return cipher.with_parameters(self.options), made


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
