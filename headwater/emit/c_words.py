# SPDX-License-Identifier: Apache-2.0
"""A description read as C: each operation on words becomes an expression.

A word is one variable of 32 or 64 bits, or several of them, its *limbs*, the lowest first; unused
bits of the highest one are zero. What an operation reads more than once becomes a variable of its
own. No expression depends on a secret for what it does next: a choice is made by masks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from headwater.algebra.bitstring import bounds
from headwater.algebra.word import (
    IntegerWord,
    add,
    choose,
    concatenate,
    lookup,
)
from headwater.emit.c_expression import Term, joined, shifted
from headwater.emit.c_statements import local, wrapped

Sums = tuple[frozenset[tuple[str, int]], ...]
"""Of each bit of a word the bits that it is the sum of: a variable, and the place in it."""

Table = tuple[tuple[int, ...], int]
"""Numbers, and the bits of each."""

_NAME = re.compile(r"[A-Za-z_]\w*(\[\d+\])?")
_LEAST_ENTRY = 8
"""Bits of the narrowest entry of a table."""
_MANY = 3
"""Places from which on a bit goes there by a mask."""
_NUMBER = re.compile(r"0x[0-9a-f]+U(LL)?")


def names_in(*expressions: str) -> set[str]:
    """The names that expressions read."""
    return set(re.findall(r"[A-Za-z_]\w*", " ".join(expressions)))


@dataclass
class Lines:
    """The lines of a function.

    Members
    -------
    limb_bits : int
        32 or 64.
    prefix : str
        What the names of tables begin with.
    kind : str
        The type of a variable.
    tables : mapping
        The numbers of each table and their bits, by name.
    """

    limb_bits: int
    prefix: str
    kind: str
    tables: dict[str, Table] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _numbers: dict[str, int] = field(default_factory=dict)

    def take(self, name: str) -> None:
        """Keep a name for something else."""
        self._taken.add(name)

    def variable(self, term: Term, name: str = "") -> Term:
        """The term as a variable; the same expression again is the same variable."""
        if _NAME.fullmatch(term.text) or _NUMBER.fullmatch(term.text):
            return term
        if term.text not in self._names:
            self._names[term.text] = self._free(name or "part")
        return Term(self._names[term.text])

    def needed(self, results: Iterable[str]) -> list[str]:
        """The statements that expressions need, each in its lines, in order."""
        wanted = names_in(*results)
        kept: list[str] = []
        for expression, name in reversed(self._names.items()):
            if name in wanted:
                wanted |= names_in(expression)
                kept = wrapped(f"const {self.kind} {name} = {expression};", "") + kept
        return kept

    def _free(self, name: str) -> str:
        """This name, or with a number behind it one that is free."""
        number, chosen = self._numbers.get(name, 1), local(name)
        while chosen in self._taken:
            number += 1
            chosen = f"{name}_{number}"
        self._numbers[name] = number
        self._taken.add(chosen)
        return chosen

    def number(self, value: int) -> Term:
        """A constant of one limb."""
        return Term(f"0x{value:x}U{'LL' * (self.limb_bits == 64)}")

    def ones(self, width: int) -> Term:
        """So many ones."""
        return self.number((1 << width) - 1)

    def masked(self, term: Term, width: int) -> Term:
        """The lowest bits of a term."""
        return term if width == self.limb_bits else joined("&", [term, self.ones(width)])

    def table(self, entries: tuple[int, ...], bits: int) -> str:
        """The name of a table."""
        for name, known in self.tables.items():
            if known == (entries, bits):
                return name
        name = f"{self.prefix}_table_{len(self.tables)}"
        self.tables[name] = entries, bits
        return name

    def constant(self, word: IntegerWord) -> CWord:
        """A word of known value."""
        return CWord(self, (), word.width, word.value)


class CWord:
    """A word of ``width`` bits: its limbs, or its value where that is known."""

    __slots__ = ("_limbs", "_sums", "lines", "loose", "value", "width")

    def __init__(
        self,
        lines: Lines,
        limbs: Sequence[Term],
        width: int,
        value: int | None = None,
        sums: Sums | None = None,
        loose: Term | None = None,
    ) -> None:
        self.lines = lines
        self.loose = loose  # One limb with anything above the word.
        self._limbs = tuple(limbs)
        self.width = width
        self.value = value
        self._sums = sums

    @property
    def sums(self) -> Sums | None:
        """Each bit as a sum of bits of variables; None where it is something else."""
        if self._sums is not None or self.value is not None:
            return self._sums
        if not all(_NAME.fullmatch(term.text) for term in self._limbs):
            return None
        size = self.lines.limb_bits
        return tuple(
            frozenset({(self._limbs[bit // size].text, bit % size)}) for bit in range(self.width)
        )

    @property
    def limbs(self) -> tuple[Term, ...]:
        """The terms of the limbs, the lowest first."""
        if self.value is None:
            return self._limbs
        size, value = self.lines.limb_bits, self.value
        return tuple(
            self.lines.number(value >> low & (1 << min(size, self.width - low)) - 1)
            for low in range(0, self.width, size)
        )

    def named(self, name: str = "") -> CWord:
        """The word as variables."""
        if self.value is not None:
            return self
        count = len(self._limbs)
        names = [f"{name}_{place}" if count > 1 and name else name for place in range(count)]
        named = map(self.lines.variable, self._limbs, names)
        return self._with([*named], self.width)

    def __len__(self) -> int:
        return self.width

    def __getitem__(self, place: int | slice) -> CWord:
        low, high = bounds(place, self.width)
        if self.value is not None:
            return self.lines.constant(IntegerWord(self.value, self.width)[place])
        if (low, high) == (0, self.width):
            return self
        size, whole = self.lines.limb_bits, self.named()
        loose, limbs = None, []
        for at in range(low, high, size):
            loose, held = whole._window(at, min(size, high - at))
            width = min(size, high - at)
            limbs.append(self.lines.masked(loose, width) if width < held else loose)
        sums = whole.sums
        return CWord(
            self.lines,
            limbs,
            high - low,
            sums=sums and sums[low:high],
            loose=loose if len(limbs) == 1 else None,
        )

    def _window(self, low: int, width: int) -> tuple[Term, int]:
        """Bits of the word in one limb, with others above them, and how many there are; the limbs
        must be variables."""
        size = self.lines.limb_bits
        limb, place = divmod(low, size)
        term, kept = shifted(self._limbs[limb], -place), size - place
        if place and place + width > size:
            term, kept = joined("|", [term, shifted(self._limbs[limb + 1], kept)]), size
        return term, min(self.width - low, kept)

    def __xor__(self, other: CWord | int) -> CWord:
        return self._both("^", other)

    def __and__(self, other: CWord | int) -> CWord:
        return self._both("&", other)

    def __or__(self, other: CWord) -> CWord:
        return self._both("|", other)

    def _both(self, operator: str, other: CWord | int) -> CWord:
        if isinstance(other, int):
            other = self.lines.constant(IntegerWord(other, self.width))
        if self.value is not None:
            self, other = other, self
        if self.value is not None and other.value is not None:
            values = {
                "^": self.value ^ other.value,
                "&": self.value & other.value,
                "|": self.value | other.value,
            }
            return self.lines.constant(IntegerWord(values[operator], self.width))
        if other.value == 0:
            return other if operator == "&" else self
        if other.value == (1 << self.width) - 1 and operator != "^":
            return self if operator == "&" else other
        limbs = [
            joined(operator, [one, two]) for one, two in zip(self.limbs, other.limbs, strict=True)
        ]
        sums = self._added(other) if operator == "^" and self.width == 1 else None
        return CWord(self.lines, limbs, self.width, sums=sums)

    def _added(self, other: CWord) -> Sums | None:
        """The sum of two bits that are sums."""
        one, two = self.sums, other.sums
        return (one[0] ^ two[0],) if one and two else None

    def __invert__(self) -> CWord:
        return self ^ (1 << self.width) - 1

    def __lshift__(self, places: int) -> CWord:
        """The word above so many zero bits."""
        return concatenate(self.lines.constant(IntegerWord(0, places)), self)

    def replicate(self, count: int) -> CWord:
        """A one-bit word, ``count`` times."""
        if self.value is not None:
            return self.lines.constant(IntegerWord(self.value, 1).replicate(count))
        size, bit = self.lines.limb_bits, self.named()._limbs[0]
        mask = self.lines.variable(joined("-", [self.lines.number(0), bit]))
        widths = [min(size, count - low) for low in range(0, count, size)]
        return self._with([self.lines.masked(mask, width) for width in widths], count)

    def _with(self, limbs: Sequence[Term], width: int) -> CWord:
        return CWord(self.lines, limbs, width)


@concatenate.register
def _concatenate_c(lowest: CWord, *higher: CWord) -> CWord:
    lines, words = lowest.lines, (lowest, *higher)
    width = sum(word.width for word in words)
    if all(word.value is not None for word in words):
        value, low = 0, 0
        for word in words:
            value, low = value | (word.value or 0) << low, low + word.width
        return lines.constant(IntegerWord(value, width))
    size = lines.limb_bits
    sums = [word.sums for word in words if word.width == 1]
    if 4 < len(sums) == len(words) and width <= size and all(sums):
        return CWord(lines, [_placed(lines, [one[0] for one in sums if one])], width)
    limbs: list[list[Term]] = [[] for _ in range(-(-width // size))]
    begins = 0
    for word in words:
        if word.value != 0:
            _place(word, begins, limbs)
        begins += word.width
    return CWord(
        lines, [joined("|", terms) if terms else lines.number(0) for terms in limbs], width
    )


def _place(word: CWord, begins: int, limbs: list[list[Term]]) -> None:
    """Add a word to the limbs of a longer one, from this bit on."""
    size = word.lines.limb_bits
    for number, term in enumerate(word.limbs):
        low = begins + number * size
        limb, place = divmod(low, size)
        width = min(size, word.width - number * size)
        if place + width == size and word.loose is not None:
            term = word.loose  # What is above the word leaves at the top.
        if place + width > size:
            term = word.lines.variable(term)
            limbs[limb + 1].append(shifted(term, place - size))
        limbs[limb].append(shifted(term, place))


def _placed(lines: Lines, bits: Sequence[frozenset[tuple[str, int]]]) -> Term:
    """A word of these sums of bits, the lowest first. Bits that move alike move together; one that
    many bits need is added to all of them by a mask."""
    targets: dict[tuple[str, int], int] = {}
    for place, sources in enumerate(bits):
        for source in sources:
            targets[source] = targets.get(source, 0) | 1 << place
    terms, moves = [], dict[tuple[str, int], int]()
    for (name, place), mask in sorted(targets.items()):
        if mask.bit_count() >= _MANY:
            bit = joined("&", [shifted(Term(name), -place), lines.number(1)])
            terms.append(joined("&", [joined("-", [lines.number(0), bit]), lines.number(mask)]))
            continue
        for target in range(mask.bit_length()):
            if mask >> target & 1:
                moves[name, target - place] = moves.get((name, target - place), 0) | 1 << target
    terms += [
        joined("&", [shifted(Term(name), by), lines.number(mask)])
        for (name, by), mask in sorted(moves.items())
    ]
    return joined("^", terms)


@choose.register
def _choose_c(condition: CWord, chosen: CWord, otherwise: CWord) -> CWord:
    if condition.value is not None:
        return chosen if condition.value else otherwise
    other = otherwise.named()
    return other ^ ((chosen ^ other) & condition.replicate(len(chosen)))


@add.register
def _add_c(left: CWord, right: CWord | int) -> CWord:
    lines = left.lines
    if isinstance(right, int):
        right = lines.constant(IntegerWord(right, left.width))
    if left.value == 0 or right.value == 0:
        return right if left.value == 0 else left
    *totals, last = _totals(lines, left, right)
    used = left.width - len(totals) * lines.limb_bits
    return CWord(lines, [*totals, lines.masked(last, used)], left.width)


def _totals(lines: Lines, left: CWord, right: CWord) -> list[Term]:
    """The limbs of a sum, the highest with anything above the word. What a limb carries is its
    highest bit's majority, told from the sum without a comparison."""
    size, totals, carried = lines.limb_bits, list[Term](), list[Term]()
    if left.width > size:
        left, right = left.named(), right.named()
    for a, b in zip(left.limbs, right.limbs, strict=True):
        total = joined("+", [a, b, *carried])
        if size * (len(totals) + 1) < left.width:
            total = lines.variable(total)
            missing = joined("^", [total, lines.ones(size)])
            either = joined("&", [joined("|", [a, b]), missing])
            over = lines.variable(joined("|", [joined("&", [a, b]), either]))
            carried = [shifted(over, 1 - size)]
        totals.append(total)
    return totals


@lookup.register
def _lookup_c(index: CWord, table: CWord | IntegerWord) -> CWord:
    lines, value, count = index.lines, table.value, 1 << index.width
    assert value is not None, "a table must be a constant"
    bits = table.width // count
    size = min(lines.limb_bits, max(_LEAST_ENTRY, bits))
    limbs = -(-bits // size)
    values = tuple(
        value >> place * bits + low & (1 << min(size, bits - low)) - 1
        for place in range(count)
        for low in range(0, bits, size)
    )
    name, place = lines.table(values, size), index.named().limbs[0]
    first = place if limbs == 1 else joined("*", [place, lines.number(limbs)])
    # A narrow entry would be an int, which has no room for what is moved up.
    cast = f"({lines.kind})" if size < lines.limb_bits else ""
    return CWord(
        lines,
        [
            Term(f"{cast}{name}[{first.text}{f' + {limb}' if limb else ''}]")
            for limb in range(limbs)
        ],
        bits,
    )
