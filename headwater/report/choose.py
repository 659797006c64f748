# SPDX-License-Identifier: Apache-2.0
"""The choice of a design point: points that meet the wish, smallest first, and the reasons why
others lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.option import DATAPATH, MASKING
from headwater.foreign.record import MARK
from headwater.kinds.stepped.prng.shape import EXTRAS, usual_seed_width
from headwater.measure.effect import effective
from headwater.measure.record import (
    OF_DATAPATH,
    OF_RANDOM_BITS,
    Record,
    area_of,
    design_point_of,
    stage_of,
    unfit,
)
from headwater.measure.settings import SYNTHESIS, Settings
from headwater.measure.target import TARGETS, FpgaTarget
from headwater.report.units import area_in_words


@dataclass(frozen=True)
class Wish:
    """The wish of a user; None for a quantity that does not matter."""

    target: str
    bits_per_cycle: float | None = None
    """Least amount of keystream in a cycle."""
    throughput_mbps: float | None = None
    """Least amount of keystream in a second."""
    max_area: float | None = None
    """Largest area, in what the target counts: slices, logic cells, elements or GE."""
    max_energy_pj: float | None = None
    """Largest energy per bit in steady state."""
    max_setup_cycles: int | None = None
    """Longest setup, from the first key bit to the first keystream."""
    max_setup_ns: float | None = None
    key_bits: int | None = None
    """Least length of the key."""
    allow_broken: bool = False
    """Whether broken ciphers may win."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Values that options must have."""
    random_bits: int | None = None
    """Bits in each cycle of a source of random bits, which is then chosen instead of a core."""
    min_mhz: float | None = None
    """Least clock frequency."""

    @property
    def stage(self) -> str:
        """The stage of the records that take part."""
        if self.random_bits is not None:
            return SYNTHESIS + OF_RANDOM_BITS
        return SYNTHESIS + OF_DATAPATH if self._of_datapaths else SYNTHESIS

    @property
    def _of_datapaths(self) -> bool:
        return self.options.get(DATAPATH.name, DATAPATH.default) != DATAPATH.default

    @property
    def what(self) -> str:
        """What is chosen."""
        if self.random_bits is not None:
            return "sources"
        return "datapaths" if self._of_datapaths else "cores"


@dataclass(frozen=True)
class Candidate:
    """A design point and the reasons why it lost; the winner has none."""

    record: Record
    lost: str = ""
    fits: bool = True
    """Whether it meets the wish."""

    @property
    def area(self) -> float | None:
        """In the unit of the target."""
        return area_of(self.record)


def choose_among(records: Sequence[Record], wish: Wish) -> list[Candidate]:
    """The records of the wished target, the winner first if there is one.

    Points that meet the wish come first, in order of area; then the others, each with all its
    faults. Of several records of the same point, the last one counts. A core of several sessions
    is for who asks for them, as one keystream has a part of its rate.
    Layouts do not take part: their figures are of another kind. Neither do sources of random bits
    or datapaths alone among cores, nor the other way round, nor sources with another reset or a
    port of their state, nor cores in shares, whose key comes in another way.
    """
    latest = {design_point_of(record): record for record in taking_part(records, wish)}
    judged = [(record, faults(record, wish)) for record in latest.values()]
    fit = sorted((record for record, reasons in judged if not reasons), key=_rank)
    candidates = [Candidate(record, _behind(record, fit[0])) for record in fit]
    others = sorted(((record, reasons) for record, reasons in judged if reasons), key=_unfit_rank)
    return candidates + [
        Candidate(record, "; ".join(reasons), fits=False) for record, reasons in others
    ]


def taking_part(records: Iterable[Record], wish: Wish) -> Iterator[Record]:
    """The records of the target and stage that the wish is about."""
    for record in records:
        if (
            record["target"] == wish.target
            and stage_of(record) == wish.stage
            and record.get("random_bits") == wish.random_bits
            and not any(extra in record["options"] for extra in (*EXTRAS, MASKING.name))
        ):
            yield record


def foreign_among(records: Sequence[Record], wish: Wish, winner: Record | None) -> list[Candidate]:
    """The cores that somebody wrote and that give the wish, smallest first: those in which nothing
    is wrong, and whose vectors pass or whose step is proven. None of them wins, as nothing here
    makes them. They have no options, and are no sources of random bits."""
    if wish.options or wish.random_bits is not None:
        return []
    fit = [one for one in records if one["passes"] and not faults(one, wish)]
    return [
        Candidate(one, f"foreign, {one[MARK]}: {_beside(one, winner)}", fits=False)
        for one in sorted(fit, key=_rank)
    ]


def _beside(record: Record, winner: Record | None) -> str:
    mine, best = area_of(record) or 0.0, (winner and area_of(winner)) or 0.0
    times = f", {mine / best:.2f} times the winner's" if best else ""
    return f"{area_in_words(record)}{times}"


def _rank(record: Record) -> tuple[float, float, float]:
    energy = record.get("energy_pj_per_bit") or 0.0
    return area_of(record) or 0.0, energy, -(record["throughput_mbps"] or 0.0)


def _unfit_rank(pair: tuple[Record, list[str]]) -> tuple[int, float]:
    record, faults = pair
    return len(faults), area_of(record) or 0.0


def _behind(record: Record, winner: Record) -> str:
    """Why a point that meets the wish is not the winner."""
    if record is winner:
        return ""
    mine, best = area_of(record) or 0.0, area_of(winner) or 0.0
    size = area_in_words(record)
    if mine == best:
        return f"as small as the winner ({size}), with more energy or less throughput"
    return f"{size}, {mine / best:.2f} times the winner's"


def fmax_of(record: Record) -> float | None:
    """The median of the clock frequency in MHz, where the target gives it."""
    return record["fmax_mhz"] and record["fmax_mhz"]["median"]


_Check = tuple[str, Callable[[Wish], Any], Callable[[Record], Any], bool]

_CHECKS: tuple[_Check, ...] = (
    ("bits per cycle", lambda wish: wish.bits_per_cycle, lambda it: it["bits_per_cycle"], True),
    ("Mbit/s", lambda wish: wish.throughput_mbps, lambda it: it["throughput_mbps"], True),
    ("MHz", lambda wish: wish.min_mhz, fmax_of, True),
    ("area", lambda wish: wish.max_area, area_of, False),
    ("pJ/bit", lambda wish: wish.max_energy_pj, lambda it: it.get("energy_pj_per_bit"), False),
    ("setup cycles", lambda wish: wish.max_setup_cycles, lambda it: it["setup_cycles"], False),
    ("setup ns", lambda wish: wish.max_setup_ns, lambda it: it["setup_ns"], False),
)


def faults(record: Record, wish: Wish) -> list[str]:
    """Every part of the wish that a point does not meet."""
    reason = unfit(record)
    reasons = [reason] if reason else []
    for what, wished, measured, at_least in _CHECKS:
        limit, value = wished(wish), measured(record)
        if limit is None:
            continue
        if value is None:
            reasons.append(f"{what} is not measured there")
        elif (value < limit) if at_least else (value > limit):
            reasons.append(f"{what} {value:g} {'<' if at_least else '>'} {limit:g}")
    return reasons + _cipher_faults(record, wish)


def _cipher_faults(record: Record, wish: Wish) -> list[str]:
    cipher = CATALOGUE.get(record["cipher"])
    reasons = []
    if cipher is None:
        return ["is not in the catalogue any more"]
    if wish.key_bits is not None and cipher.key_bits < wish.key_bits:
        reasons.append(f"key of {cipher.key_bits} < {wish.key_bits} bits")
    if cipher.broken and not wish.allow_broken:
        reasons.append("is broken")
    sessions = record["options"].get("streams")
    if sessions and "streams" not in wish.options:
        reasons.append(f"{sessions} sessions in turn share its rate (streams={sessions})")
    chosen = {**cipher.defaults, **record["options"]}
    reasons += [
        f"{name}={chosen[name]}" if name in chosen else f"has no option {name}"
        for name, value in wish.options.items()
        if chosen.get(name) != value
    ]
    return reasons


def unusual(record: Record) -> dict[str, str]:
    """Options and settings of a record that are not those which `evaluate` takes by itself on its
    target: what tells rows of one cipher and radix apart."""
    target, cipher = TARGETS.get(record["target"]), CATALOGUE.get(record["cipher"])
    usual = dict(cipher.defaults) if cipher else {}
    if cipher and isinstance(target, FpgaTarget):
        usual |= cipher.best_on_fpga
    flow = effective(Settings(), target).as_json() if target else {}
    options = {
        name: value
        for name, value in record["options"].items()
        if name in usual and value != usual[name]
    }
    settings = {
        name: str(value) for name, value in record["flow"].items() if value != flow.get(name)
    }
    return options | settings


def explanation(candidates: Sequence[Candidate], wish: Wish) -> list[str]:
    """Why the winner won, what the runner-up costs more, and what the others miss."""
    fit = [one for one in candidates if one.fits]
    asked = _asked(wish)
    if not fit:
        nearest = candidates[0]
        return [
            f"Nothing that is stored of {wish.target} gives {asked}.",
            f"Nearest: {_named(nearest.record)}: {nearest.lost}.",
        ]
    winner = fit[0]
    best = (
        f"{_named(winner.record)} is the smallest of {len(fit)} stored {wish.what} on {wish.target}"
    )
    told = [f"{best} that give {asked}: {_size(winner.record)}."]
    if len(fit) > 1:
        told.append(f"Runner-up: {_named(fit[1].record)}: {fit[1].lost}.")
    if len(fit) < len(candidates):
        told.append(f"{len(candidates) - len(fit)} other stored {wish.what} do not give it.")
    return told


def _named(record: Record) -> str:
    cores = record.get("instances")
    several = f", {cores} {'core' if cores == 1 else 'cores'}" if cores else ""
    return f"{record['cipher']}{several} at radix {record['radix']}"


def _size(record: Record) -> str:
    rate = record["throughput_mbps"]
    size = area_in_words(record)
    return f"{size}, {rate:g} Mbit/s" if rate is not None else size


def _asked(wish: Wish) -> str:
    """The wish in words."""
    bits = wish.random_bits
    asked = [f"{bits} random bits in each cycle"] if bits else []
    asked += [
        f"{what} {'>=' if at_least else '<='} {wished(wish):g}"
        for what, wished, _, at_least in _CHECKS
        if wished(wish) is not None
    ]
    asked += [f"a key of {wish.key_bits} bits or more"] if wish.key_bits is not None else []
    asked += [f"{name}={value}" for name, value in wish.options.items()]
    asked += [] if wish.allow_broken else ["a cipher that is not broken"]
    return ", ".join(asked)


def command(record: Record) -> str:
    """The command that generates the core or source of a record."""
    if "random_bits" in record:
        seed_width = int(record["options"]["seed_width"])
        usual = seed_width == usual_seed_width(record["radix"])
        return (
            f"headwater generate {record['cipher']} --interface prng --random-bits "
            f"{record['random_bits']} --instances {record['instances']}"
            f"{'' if usual else f' --seed-width {seed_width}'} -o build"
        )
    cipher = CATALOGUE[record["cipher"]]
    defaults = cipher.defaults
    chosen = "".join(
        f" --option {name}={value}"
        for name, value in record["options"].items()
        if defaults.get(name) != value
    )
    return (
        f"headwater generate {cipher.name} --radix {record['radix']} "
        f"--load-width {record['load_width']}{chosen} -o build"
    )
