# SPDX-License-Identifier: Apache-2.0
"""What comes out of a core beside what must, where words are taken as they come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from headwater.foreign.interface import Interface
from headwater.foreign.lwc import ORDER, data_words
from headwater.foreign.messages import Sample, columns
from headwater.foreign.search import ORDERS, ordered
from headwater.foreign.streams import Player, Strings, Way

_WAIT = 2000
"""Cycles in which the next word must come."""
_PER_BIT = 4
"""Cycles that a bit of a string may take."""


@dataclass(frozen=True)
class Source:
    """Where words come out."""

    port: str
    valid: str
    """Empty: a word in each cycle."""
    rises: bool
    """Whether a word comes where ``valid`` rises, and not in each cycle in which it is one."""


@dataclass(frozen=True)
class Taking:
    """How words come out, by what must come: text and tag may differ. What is not said is looked
    for."""

    sources: Mapping[str, Source] = field(default_factory=dict)
    orders: Mapping[str, str] = field(default_factory=dict)
    """Of the bits in a word."""


@dataclass(frozen=True)
class Entry:
    """A way in which strings enter a core."""

    interface: Interface
    orders: Mapping[str, str]

    @property
    def way(self) -> Way:
        """For the player."""
        return Way(self.interface.streams, self.orders)


@dataclass(frozen=True)
class Trial:
    """What came out of a core beside what must."""

    group: Sequence[Sample]
    entry: Entry
    taking: Taking
    right: int
    """Bits from the beginning that are right in all runs."""
    bits: int
    """Bits that came."""
    text_cycles: tuple[int, ...]
    """When the words of keystream or ciphertext came, from the end of the session's phases on."""
    text_width: int
    """Bits of such a word."""
    wrong: str
    """The first wrong word, its string and port; empty if none of those that came is wrong."""

    @property
    def whole(self) -> int:
        """Bits that must come."""
        return self.group[0].expected_bits

    @property
    def is_right(self) -> bool:
        """Whether something came, and all of it is right."""
        return 0 < self.bits == self.right


class Play:
    """A core driven with the vectors of a group, which are of the same lengths, in some ways side
    by side, as far as someone looks at what comes out.

    Parameters
    ----------
    group
        The vectors.
    entries
        The ways, all with the same counts.
    """

    def __init__(self, group: Sequence[Sample], entries: Sequence[Entry]) -> None:
        self.group, self.entries = group, entries
        self._netlist = entries[0].interface.netlist
        self._seen: list[list[int]] = []
        self._mask = (1 << len(group)) - 1
        self.expected = {
            name: columns([one.expected[name] for one in group]) if content else []
            for name, content in group[0].expected.items()
        }

    @cached_property
    def _outputs(self) -> Iterator[list[int]]:
        first, interface = self.group[0], self.entries[0].interface
        most = sum(map(len, (*first.strings.values(), *first.expected.values())))
        before = sum(phase.cycles or 0 for phase in interface.phases)
        player = Player(
            self._netlist,
            interface.steady,
            interface.phases,
            [one.way for one in self.entries],
            strings_of(self.group),
            len(self.group),
        )
        return player.play(before + _WAIT + _PER_BIT * 8 * most, idle=_WAIT)

    @property
    def gate_cycles(self) -> int:
        """Gates times cycles that were simulated."""
        return self._netlist.gate_count * len(self._seen)

    def _cycles(self) -> Iterator[list[int]]:
        at = 0
        while True:
            if at == len(self._seen):
                outputs = next(self._outputs, None)
                if outputs is None:
                    return
                self._seen.append(outputs)
            yield self._seen[at]
            at += 1

    def width(self, source: Source) -> int:
        """Bits of a word."""
        return self._netlist.ports[source.port][1]

    def words(self, entry: int, source: Source) -> Iterator[tuple[int, list[int]]]:
        """The words that come in one of the ways: the cycle, and the bits in their order."""
        words = self._words(entry, source)
        packets = self.entries[entry].interface.packets
        return data_words(words, self._mask) if packets else words

    def _words(self, entry: int, source: Source) -> Iterator[tuple[int, list[int]]]:
        shift, mask = entry * len(self.group), self._mask
        where = {bit: place for place, bit in enumerate(self._netlist.output_bits)}
        places = [where[source.port, bit] for bit in range(self.width(source))]
        named = source.valid.removeprefix("!")
        level = 0 if named != source.valid else mask
        widths = range(self._netlist.ports[named][1] if named else 0)
        valids = [where[named, bit] for bit in widths]
        before = True
        for cycle, outputs in enumerate(self._cycles()):
            one = not valids or any(outputs[place] >> shift & mask == level for place in valids)
            if one and not (source.rises and before):
                yield cycle, [outputs[place] >> shift & mask for place in places]
            before = one


def strings_of(group: Sequence[Sample]) -> Strings:
    """What enters, with a run for each vector of a group."""
    return {
        name: columns([one.strings[name] for one in group]) if content else []
        for name, content in group[0].strings.items()
    }


@dataclass(frozen=True)
class _Came:
    """Words that came in the place of a string."""

    source: Source
    order: str
    right: int
    bits: int
    cycles: tuple[int, ...]

    def rank(self, expected: int) -> tuple[bool, bool, int]:
        return self.right == expected, self.bits > 0, self.right


def tried(play: Play, entry: int, sources: Sequence[Source], known: Taking) -> Trial:
    """Compare the words that come in one way with the expected strings; each begins with a new
    word, of the same source or, where that is not known, of another port."""
    chosen: dict[str, Source] = {}
    orders: dict[str, str] = {}
    words: dict[Source, Iterator[tuple[int, list[int]]]] = {}
    right, bits, wrong = 0, 0, ""
    cycles: tuple[int, ...] = ()
    width = 0
    for name, expected in play.expected.items():
        if not expected:
            continue
        several = [known.sources[name]] if name in known.sources else _candidates(sources, chosen)
        came: list[_Came] = []
        for source in several:
            if source not in words or source not in chosen.values():
                words[source] = play.words(entry, source)
            came.append(_came(play, words[source], source, expected, known.orders.get(name)))
            if came[-1].right == len(expected):
                break
        best = max(came, key=lambda one: one.rank(len(expected)))
        chosen[name], orders[name] = best.source, best.order
        right, bits = right + best.right, bits + best.bits
        if name != "tag":
            cycles, width = best.cycles, play.width(best.source)
        if best.right < best.bits:
            place, port = best.right // play.width(best.source), best.source.port
            wrong = f"word {place} of {name}, at {port},"
        if best.right < len(expected):
            break
    taking = Taking({**known.sources, **chosen}, {**known.orders, **orders})
    return Trial(play.group, play.entries[entry], taking, right, bits, cycles, width, wrong)


def _candidates(sources: Sequence[Source], chosen: Mapping[str, Source]) -> list[Source]:
    """Where a string may come: of the first source, or behind other strings where the last of them
    came, or at a port of its own."""
    if not chosen:
        return [*sources[:1]]
    last = [*chosen.values()][-1]
    return [last, *(one for one in sources if one.port != last.port)]


def _came(
    play: Play,
    words: Iterator[tuple[int, list[int]]],
    source: Source,
    expected: Sequence[int],
    known: str | None,
) -> _Came:
    width = play.width(source)
    came = [*islice(words, 1)]
    known = ORDER if play.entries[0].interface.packets else known
    ways = [known] if known else [*ORDERS]
    if came and width >= 8 and len(ways) > 1:
        # Most words are wrong, and their first one tells it.
        good = {one: _right_bits(_string(came, width, one), expected) for one in ways}
        ways = [one for one in ways if good[one] == max(good.values())]
    came += islice(words, -(-len(expected) // width) - len(came))
    good = {one: _right_bits(_string(came, width, one), expected) for one in ways}
    way = max(good, key=lambda way: good[way])
    length = min(len(expected), width * len(came))
    return _Came(source, way, good[way], length, tuple(cycle for cycle, _ in came))


def _string(words: Sequence[tuple[int, list[int]]], width: int, order: str) -> list[int]:
    """Words as a string, the first bit first."""
    if width >= 8:
        return [bit for _, word in words for bit in ordered(word, order)]
    string = [bit for _, word in words for bit in word]
    return ordered(string, "bits") if order in ("bits", "last") else string


def _right_bits(string: Sequence[int], expected: Sequence[int]) -> int:
    """How many bits are right before the first wrong one."""
    pairs = zip(string, expected, strict=False)
    return next(
        (place for place, (one, other) in enumerate(pairs) if one != other),
        min(len(string), len(expected)),
    )
