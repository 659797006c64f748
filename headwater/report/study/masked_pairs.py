# SPDX-License-Identifier: Apache-2.0
"""A core in shares beside the plain core of the same radix and the source of its random bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from headwater.kinds.stepped.prng.shape import source_of
from headwater.measure.facts import facts_at
from headwater.report.study.study import Cell


@dataclass(frozen=True)
class Pair:
    """Three design points on one target."""

    masked: Cell
    plain: Cell
    source: Cell | None
    """None where the core takes no fresh bits."""

    @property
    def core(self) -> tuple[str, int]:
        """Cipher and radix."""
        return self.masked.cipher, self.masked.point.architecture.radix

    @property
    def facts(self) -> Any:
        """Timing and bits of the core in shares."""
        return facts_at(self.masked.point.cipher, self.masked.point.architecture)

    @property
    def fresh_bits(self) -> int:
        """In each cycle."""
        return _fresh_bits(self.masked)

    @property
    def fresh_bits_per_bit(self) -> float:
        """Of each bit of keystream or text: in the cycles that it takes."""
        return float(self.fresh_bits / self.facts.bits_per_cycle)

    @property
    def ratio(self) -> float | None:
        """The area in shares, in areas of the plain core."""
        return self._ratio(0.0)

    @property
    def source_ge(self) -> float | None:
        """The area of the source in GE; zero where there is none, None if it was not measured."""
        return _figure(self.source, "ge") if self.source else 0.0

    @property
    def ratio_with_source(self) -> float | None:
        """The area in shares and that of the source, in areas of the plain core."""
        return self._ratio(self.source_ge)

    @property
    def energy_with_source(self) -> float | None:
        """Energy of a bit in pJ: of the core in shares, and of the fresh bits for it."""
        energy = _figure(self.masked, "energy_pj_per_bit")
        of_fresh = _figure(self.source, "energy_pj_per_bit") if self.source else 0.0
        if energy is None or of_fresh is None:
            return None
        return float(f"{energy + of_fresh * self.fresh_bits_per_bit:.4g}")

    @property
    def verdict(self) -> str:
        """Of the checker of leakage, on the netlist that was measured."""
        if self.masked.record is None:
            return "not measured"
        return self.masked.record["leakage"] or "not checked"

    def _ratio(self, more: float | None) -> float | None:
        plain, masked = _figure(self.plain, "ge"), _figure(self.masked, "ge")
        if plain is None or masked is None or more is None:
            return None
        return round((masked + more) / plain, 2)


def pairs_of(cells: Sequence[Cell]) -> list[Pair]:
    """A pair for each core in shares of a study, which has all three points of it."""
    beside: dict[tuple[object, ...], Cell] = {}
    masked = []
    for cell in cells:
        source = source_of(cell.point.cipher, cell.point.architecture)
        if cell.point.architecture.is_masked:
            masked.append(cell)
        else:
            beside[(source.random_bits, cell.target) if source else _core(cell)] = cell
    return [
        Pair(cell, beside[_core(cell)], beside[bits, cell.target] if bits else None)
        for cell in masked
        for bits in [_fresh_bits(cell)]
    ]


def _core(cell: Cell) -> tuple[object, ...]:
    return cell.point.cipher.name, cell.point.architecture.radix, cell.target


def _fresh_bits(cell: Cell) -> int:
    facts: Any = facts_at(cell.point.cipher, cell.point.architecture)
    return int(facts.fresh_bits)


def _figure(cell: Cell, name: str) -> float | None:
    return cell.record[name] if cell.record else None
