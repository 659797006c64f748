# SPDX-License-Identifier: Apache-2.0
"""The choice of a core for what is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from headwater.api.records import Records
from headwater.cipher import outside
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.errors import InputError, between, unknown
from headwater.kinds.stepped.prng.shape import MOST_RANDOM_BITS, pays_for_each_bit, splits
from headwater.measure import defaults
from headwater.measure.chosen import Chosen
from headwater.measure.layers import open_layered, read_layered
from headwater.measure.point import DesignPoint
from headwater.measure.present import present
from headwater.measure.record import Record, stage_of
from headwater.measure.run import evaluate_all
from headwater.measure.settings import SYNTHESIS, Settings
from headwater.measure.store import Store
from headwater.measure.target import TARGETS, find
from headwater.measure.workers import local_workers
from headwater.report.between import Estimate, estimates
from headwater.report.choose import (
    Candidate,
    Wish,
    choose_among,
    command,
    explanation,
    foreign_among,
)
from headwater.report.foreign import latest


@dataclass(frozen=True)
class Choice:
    """What was chosen for a wish, and why.

    Attributes
    ----------
    wish : headwater.report.choose.Wish
        What was asked for.
    candidates : list of headwater.report.choose.Candidate
        Every stored core of the target, with why it lost; what gives the wish stands first.
    failures : tuple of str
        Why cores could not be measured that were to be measured for this choice.
    estimates : list of headwater.report.between.Estimate
        Cores that were not measured, lie between two that were, and give the wish if their figures
        do, too; the smallest first. Only those that would be smaller than the winner.
    elsewhere : Choice or None
        Where nothing is stored of the target: the choice on the target of the same kind of which
        most is stored.
    foreign : tuple of headwater.report.choose.Candidate
        Stored cores of others that give the wish, smallest first. None of them wins.
    """

    wish: Wish
    candidates: list[Candidate]
    failures: tuple[str, ...] = ()
    estimates: list[Estimate] = field(default_factory=list)
    elsewhere: Choice | None = None
    foreign: tuple[Candidate, ...] = ()

    def __str__(self) -> str:
        return "\n".join(self.explanation)

    @property
    def winner(self) -> Record | None:
        """The record of the smallest core that gives the wish; None if no stored one does."""
        best = self.candidates[0] if self.candidates else None
        return best.record if best and best.fits else None

    @property
    def command(self) -> str | None:
        """The command that generates the winner."""
        return command(self.winner) if self.winner else None

    @property
    def lost(self) -> Records:
        """The records of the others; ``lost`` says why each is not the winner."""
        return Records({**one.record, "lost": one.lost} for one in self.candidates if one.lost)

    @property
    def explanation(self) -> list[str]:
        """Sentences: why the winner won, what the runner-up costs, how many others there are."""
        if self.elsewhere:
            other = self.elsewhere.wish.target
            told = f"Nothing is stored of {self.wish.target}. On {other}, which is another target:"
            return [told, *self.elsewhere.explanation]
        return explanation(self.candidates, self.wish)


def choose(
    target: str = defaults.TARGET,
    *,
    bits_per_cycle: float | None = None,
    throughput_mbps: float | None = None,
    max_area: float | None = None,
    max_energy_pj: float | None = None,
    max_setup_cycles: int | None = None,
    max_setup_ns: float | None = None,
    key_bits: int | None = None,
    allow_broken: bool = False,
    random_bits: int | None = None,
    min_mhz: float | None = None,
    measure: bool = False,
    jobs: int = 1,
    store: str | Path | None = None,
    **options: str | int,
) -> Choice:
    """The smallest stored core that gives what is asked for; at least one limit must be given.

    Parameters
    ----------
    target
        A name that ``headwater list targets`` prints.
    bits_per_cycle, throughput_mbps, key_bits
        At least so much.
    max_area
        In what the target counts: slices, logic cells, elements or GE.
    max_energy_pj
        Of a bit in steady state.
    max_setup_cycles, max_setup_ns
        From the first key bit to the first keystream.
    allow_broken
        Whether broken ciphers may win.
    random_bits
        A source of so many random bits in each cycle is chosen, instead of a core.
    min_mhz
        Least clock frequency.
    measure
        Whether a core of every cipher that may win is evaluated first, ``jobs`` at a time.
    options
        Values that the options of the core must have.
    """
    outside.add_installed()
    wish = checked(
        Wish(
            find(target).name,
            bits_per_cycle,
            throughput_mbps,
            max_area,
            max_energy_pj,
            max_setup_cycles,
            max_setup_ns,
            key_bits,
            allow_broken,
            {name: str(value) for name, value in options.items()},
            random_bits,
            min_mhz,
        )
    )
    path = Path(store) if store else None
    if not measure:
        with read_layered(path) as opened:
            return chosen(wish, opened)
    with open_layered(path) as opened, local_workers(jobs) as workers:
        outcomes = list(evaluate_all(contenders(wish), opened, workers))
        return chosen(wish, opened, [one.reason for one in outcomes if one.record is None])


_LIMITS = {
    "bits_per_cycle": "bits per cycle",
    "throughput_mbps": "throughput",
    "max_area": "max area",
    "max_energy_pj": "max energy",
    "max_setup_cycles": "max setup cycles",
    "max_setup_ns": "max setup ns",
    "key_bits": "key bits",
    "random_bits": "random bits",
    "min_mhz": "min MHz",
}


def checked(wish: Wish) -> Wish:
    """The wish, if it has a limit, each is more than nothing, and some cipher has its options."""
    limits = {what: getattr(wish, name) for name, what in _LIMITS.items()}
    if all(value is None for value in limits.values()):
        raise InputError("choose must be given a limit, such as a throughput or a largest area")
    for what, value in limits.items():
        if value is not None and not value > 0:
            raise InputError(f"{what} must be more than 0, not {value:g}")
    if wish.random_bits is not None:
        between(1, MOST_RANDOM_BITS, "random bits", wish.random_bits)
    legal: dict[str, dict[str, None]] = {}
    for cipher in CATALOGUE.values():
        for option in cipher.choices:
            legal.setdefault(option.name, {}).update(dict.fromkeys(option.values))
    for name, chosen_value in wish.options.items():
        if name not in legal:
            raise unknown("option", name, legal)
        if chosen_value not in legal[name]:
            raise unknown(f"option {name}", chosen_value, legal[name])
    return wish


def chosen(wish: Wish, store: Store, failures: Iterable[str] = ()) -> Choice:
    """The choice among all that is stored."""
    records = _records(wish.target, store)
    candidates = choose_among(records, wish)
    if not candidates:
        if wish.random_bits is None and (other := _most_like(wish.target, store)):
            there = chosen(replace(wish, target=other), store)
            return Choice(wish, [], tuple(failures), elsewhere=there)
        what = f"no source of {wish.random_bits} random bits" if wish.random_bits else "nothing"
        raise InputError(
            f"{what} is stored of target {wish.target}; measure it, or evaluate something there"
        )
    best = candidates[0].record if candidates[0].fits else None
    between = estimates(records, wish)
    if best:
        between = [one for one in between if one.area < (candidates[0].area or 0.0)]
    others = [one.record for one in latest(store.foreign(target=wish.target))]
    foreign = tuple(foreign_among(others, wish, best))
    return Choice(wish, candidates, tuple(failures), between, foreign=foreign)


def _records(target: str, store: Store) -> list[Record]:
    return [one.record for one in present(store.results(target=target), store)]


def _most_like(target: str, store: Store) -> str | None:
    """The target of the same kind, FPGA or cells, of which most cores are stored; None if none
    is."""
    kind = find(target).kind
    stored = {
        name: sum(stage_of(one) == SYNTHESIS for one in _records(name, store))
        for name, one in TARGETS.items()
        if one.kind == kind and name != target
    }
    best = max(stored, key=stored.__getitem__, default=None)
    return best if best and stored[best] else None


def contenders(wish: Wish) -> list[DesignPoint]:
    """For every cipher that may win, the core of the least radix that can give the wish; of sources
    of random bits, every split into cores that `splits` names."""
    target = find(wish.target)
    cores = _cores if wish.random_bits is None else _sources
    return [
        core.at(target, Settings())
        for cipher in CATALOGUE.values()
        if _may_win(cipher, wish)
        for core in cores(cipher, wish)
    ]


def unmeasured(wish: Wish, store: Store) -> list[DesignPoint]:
    """The cores, or sources of random bits, that `measure` would measure for the wish."""
    return [point for point in contenders(wish) if store.known(point) is None]


def _may_win(cipher: Cipher, wish: Wish) -> bool:
    return cipher.key_bits >= (wish.key_bits or 0) and (wish.allow_broken or not cipher.broken)


def _sources(cipher: Cipher, wish: Wish) -> Iterator[Chosen]:
    """None of a cipher that pays a core for each bit: a source of another one is smaller."""
    assert wish.random_bits is not None
    if pays_for_each_bit(cipher):
        return
    with suppress(InputError):  # The cipher cannot be a source of so many bits.
        yield from (Chosen.source(cipher, one) for one in splits(cipher, wish.random_bits))


def _cores(cipher: Cipher, wish: Wish) -> Iterator[Chosen]:
    """The least radix with enough bits per cycle; for a throughput also every doubling of it, since
    the frequency is not known."""
    if not cipher.has_keystream:
        return
    chosen = _fitting(cipher, wish.options)
    if chosen is None:
        return
    least = 0.0
    for radix in cipher.legal_radices():
        if least and radix < 2 * least:
            continue
        try:
            core = Chosen.choose(cipher, radix, None, chosen)
        except InputError:  # An option is not legal at this radix.
            continue
        if core.bits_per_cycle >= (wish.bits_per_cycle or 0):
            yield core
            least = radix
            if wish.throughput_mbps is None:
                return


def _fitting(cipher: Cipher, wished: Mapping[str, str]) -> dict[str, str] | None:
    """The requested options, if the cipher has them all."""
    legal = {option.name: option.values for option in cipher.choices}
    fits = all(value in legal.get(name, ()) for name, value in wished.items())
    return dict(wished) if fits else None
