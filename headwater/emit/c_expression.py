# SPDX-License-Identifier: Apache-2.0
"""Expressions as C.

A word of up to 64 bits is a ``uint64_t`` whose unused bits are zero; a wider one is an array of
them, its *limbs*, the lowest first. `CExpressions.limb` prints any part of an expression that fits
one limb. It follows the part down the tree, so that wide words need no function of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import singledispatchmethod

from headwater.emit import expression
from headwater.emit.expression import Expression

LIMB = 64
"""Bits of a limb."""

_BITWISE = ("&", "|", "^")
_ARITHMETIC = ("+", "-")
_TRUTH = ("==", "!=", "&&", "||")


def limbs_of(width: int) -> int:
    """Limbs of a word."""
    return -(-width // LIMB)


def limb_parts(width: int) -> Iterator[tuple[int, int]]:
    """The first bit and the width of what each limb of a word holds."""
    for low in range(0, width, LIMB):
        yield low, min(LIMB, width - low)


def number(value: int) -> str:
    """A constant of 64 bits."""
    return f"0x{value:x}ULL"


@dataclass(frozen=True)
class Signal:
    """What a name stands for in C.

    Members
    -------
    text : str
        A variable, a member of a structure, or a constant.
    width : int
    lowest : int
        The number in expressions of the bit that is bit 0 in C.
    """

    text: str
    width: int
    lowest: int = 0

    def limb(self, place: int) -> str:
        """One of its limbs."""
        return self.text if self.width <= LIMB else f"{self.text}[{place}]"


@dataclass(frozen=True)
class Term:
    """A piece of C; ``operator`` is its outermost one, empty where it needs no parentheses."""

    text: str
    operator: str = ""

    def inside(self, operator: str) -> str:
        """The text as an operand."""
        bare = not self.operator or (self.operator == operator and operator in _BITWISE)
        return self.text if bare else f"({self.text})"


def joined(operator: str, terms: list[Term]) -> Term:
    """Terms with an operator between them."""
    if len(terms) == 1:
        return terms[0]
    return Term(f" {operator} ".join(term.inside(operator) for term in terms), operator)


def shifted(term: Term, places: int) -> Term:
    """A term moved up, or down for a negative number."""
    if not places:
        return term
    operator = "<<" if places > 0 else ">>"
    return Term(f"{term.inside(operator)} {operator} {abs(places)}", operator)


def _masked(term: Term, width: int) -> Term:
    """The lowest bits of a term."""
    if width == LIMB:
        return term
    return Term(f"{term.inside('&')} & {number((1 << width) - 1)}", "&")


def _as_word(truth: Term) -> Term:
    return Term(f"(uint64_t)({truth.text})")


class CExpressions:
    """Prints expressions as C.

    Parameters
    ----------
    name
        What the names of functions begin with.
    signals
        Every name that expressions read.
    tables
        The constants that are used as tables, with the bits of an entry.
    """

    def __init__(self, name: str, signals: Mapping[str, Signal], tables: Mapping[str, int]) -> None:
        self._name = name
        self._signals = signals
        self._tables = tables

    def word(self, value: Expression) -> Term:
        """A whole word of at most a limb."""
        assert value.width <= LIMB, f"a word must have at most {LIMB} bits, not {value.width}"
        return self.limb(value, 0, value.width)

    def limbs(self, value: Expression) -> list[Term]:
        """The limbs of a word of any width."""
        return [self.limb(value, low, width) for low, width in limb_parts(value.width)]

    def condition(self, value: Expression) -> Term:
        """A bit where only its truth counts."""
        if isinstance(value, expression.Operation) and value.operator in ("&&", "||"):
            return joined(value.operator, [self.condition(one) for one in value.operands])
        if isinstance(value, expression.Operation) and value.operator in ("==", "!="):
            return self._comparison(value)
        if (
            isinstance(value, expression.Prefixed)
            and value.operator in ("!", "~")
            and value.width == 1
        ):
            return Term(f"!{self.condition(value.operand).inside('!')}", "!")
        if isinstance(value, expression.Prefixed) and value.operator in ("&", "|"):
            return self._reduction(value)
        return self.word(value)

    def _comparison(self, value: expression.Operation) -> Term:
        left, right = (self.limbs(operand) for operand in value.operands)
        pairs = [
            Term(
                f"{one.inside(value.operator)} {value.operator} {two.inside(value.operator)}",
                value.operator,
            )
            for one, two in zip(left, right, strict=True)
        ]
        return joined("&&" if value.operator == "==" else "||", pairs)

    def _reduction(self, value: expression.Prefixed) -> Term:
        width = value.operand.width
        terms = []
        for term, (_, bits) in zip(self.limbs(value.operand), limb_parts(width), strict=True):
            if value.operator == "|":
                terms.append(Term(f"{term.inside('!=')} != 0", "!="))
            else:
                terms.append(Term(f"{term.inside('==')} == {number((1 << bits) - 1)}", "=="))
        return joined("||" if value.operator == "|" else "&&", terms)

    @singledispatchmethod
    def limb(self, value: Expression, low: int, width: int) -> Term:  # noqa: ARG002
        """Bits ``low`` and up of an expression, ``width`` of them, in a ``uint64_t``."""
        raise AssertionError(f"no C is known for {type(value).__name__}")

    @limb.register
    def _(self, value: expression.Constant, low: int, width: int) -> Term:
        return Term(number(value.value >> low & (1 << width) - 1))

    @limb.register
    def _(self, value: expression.Name, low: int, width: int) -> Term:
        return self._window(self._signals[value.name], low, width)

    @limb.register
    def _(self, value: expression.Part, low: int, width: int) -> Term:
        signal = self._signals[value.name]
        return self._window(signal, value.low - signal.lowest + low, width)

    def _window(self, signal: Signal, low: int, width: int) -> Term:
        """Bits of a signal, from one limb or two."""
        limb, place = divmod(low, LIMB)
        term = shifted(Term(signal.limb(limb)), -place)
        if place + width > LIMB:
            upper = shifted(Term(signal.limb(limb + 1)), LIMB - place)
            term = joined("|", [term, upper])
        end = min(signal.width - low, LIMB - place if place + width <= LIMB else LIMB)
        return term if end <= width else _masked(term, width)

    @limb.register
    def _(self, value: expression.Joined, low: int, width: int) -> Term:
        return self._side_by_side(reversed(value.parts), low, width)

    @limb.register
    def _(self, value: expression.Repeated, low: int, width: int) -> Term:
        if value.value.width > 1:
            times = value.width // value.value.width
            return self._side_by_side(iter([value.value] * times), low, width)
        bit = self.word(value.value)
        return bit if width == 1 else _masked(Term(f"0 - {bit.inside('-')}", "-"), width)

    def _side_by_side(self, parts: Iterator[Expression], low: int, width: int) -> Term:
        """Bits of words side by side, given from the lowest up."""
        begins, terms = 0, []
        for part in parts:
            ends = begins + part.width
            first, last = max(begins, low), min(ends, low + width)
            zero = isinstance(part, expression.Constant) and not part.value
            if first < last and not zero:
                term = self.limb(part, first - begins, last - first)
                terms.append(shifted(term, first - low))
            begins = ends
        return joined("|", terms) if terms else Term(number(0))

    @limb.register
    def _(self, value: expression.Operation, low: int, width: int) -> Term:
        if value.operator in _BITWISE:
            return joined(value.operator, [self.limb(one, low, width) for one in value.operands])
        if value.operator in _TRUTH:
            return _as_word(self.condition(value))
        assert value.operator in _ARITHMETIC, value.operator
        if value.width > LIMB:
            return self._of_sum(value, low, width)
        whole = joined(value.operator, [self.word(one) for one in value.operands])
        carries = low + width < LIMB
        return _masked(shifted(whole, -low), width) if carries else shifted(whole, -low)

    def _of_sum(self, value: expression.Operation, low: int, width: int) -> Term:
        """Bits of a sum or a difference of several limbs, from one limb of it or two."""
        limb, place = divmod(low, LIMB)
        term = shifted(self._sum(value, limb, carry=False), -place)
        if place + width > LIMB:
            upper = shifted(self._sum(value, limb + 1, carry=False), LIMB - place)
            term = joined("|", [term, upper])
        return _masked(term, width)

    def _sum(self, value: expression.Operation, limb: int, *, carry: bool) -> Term:
        """A limb of a sum with anything above the word, or what the limb carries. A difference adds
        the complement, and one."""
        *others, last = value.operands
        first = replace(value, operands=tuple(others)) if len(others) > 1 else others[0]
        terms = [self._aligned(one, limb) for one in (first, last)]
        if value.operator == "-":
            terms[1] = Term(f"~{terms[1].inside('~')}", "~")
        below = Term(number(value.operator == "-"))
        terms.append(self._sum(value, limb - 1, carry=True) if limb else below)
        if carry:
            return Term(f"{self._name}_carry({', '.join(term.text for term in terms)})")
        return joined("+", terms)

    def _aligned(self, value: Expression, limb: int) -> Term:
        """A limb of a word; zeros stand above the word."""
        low = limb * LIMB
        left = min(LIMB, value.width - low)
        return self.limb(value, low, left) if left > 0 else Term(number(0))

    @limb.register
    def _(self, value: expression.Prefixed, low: int, width: int) -> Term:
        if value.operator == "~":
            term = self.limb(value.operand, low, width)
            return Term(f"{term.inside('^')} ^ {number((1 << width) - 1)}", "^")
        if value.operator == "^":
            folded = joined("^", self.limbs(value.operand))
            return Term(f"{self._name}_parity({folded.text})")
        return _as_word(self.condition(value))

    @limb.register
    def _(self, value: expression.Choice, low: int, width: int) -> Term:
        condition = self.condition(value.condition).inside("?")
        arms = [self.limb(one, low, width).inside("?") for one in (value.chosen, value.otherwise)]
        choice = Term(f"{condition} ? {arms[0]} : {arms[1]}", "?")
        # Of two constants compilers do not see that they fit.
        constant = all(
            isinstance(one, expression.Constant) for one in (value.chosen, value.otherwise)
        )
        return _as_word(choice) if constant else choice

    @limb.register
    def _(self, value: expression.Call, low: int, width: int) -> Term:
        arguments = ", ".join(self.word(argument).text for argument in value.arguments)
        term = shifted(Term(f"{self._name}_{value.function}({arguments})"), -low)
        assert value.width <= LIMB, "the result of a function must fit one limb"
        return term if low + width == value.width else _masked(term, width)

    @limb.register
    def _(self, value: expression.Stored, low: int, width: int) -> Term:
        memory = self._signals[value.memory].text
        first = value.low + low
        term = shifted(Term(f"{memory}[{self.word(value.place).text}]"), -first)
        return term if first + width == value.bits else _masked(term, width)

    @limb.register
    def _(self, value: expression.Entry, low: int, width: int) -> Term:
        """Bits of a table's entry. It begins at a multiple of its size, which is a power of two, so
        that a small one is within a limb and a large one has limbs of its own."""
        table, entry_bits = self._signals[value.table], self._tables[value.table]
        assert value.width <= entry_bits, "an entry must not reach into the next one"
        here = LIMB - low % LIMB
        if width > here:
            upper = self.limb(value, low + here, width - here)
            return joined("|", [self.limb(value, low, here), shifted(upper, here)])
        place = self.word(value.place).text
        limb, shift = table.text, f"({place})"
        if table.width > LIMB:
            further = f" + {low // LIMB}" if low >= LIMB else ""
            limb, shift = f"{table.text}[({place}) / {LIMB}{further}]", f"({place}) % {LIMB}"
        term = Term(limb) if entry_bits >= LIMB else Term(f"{limb} >> {shift}", ">>")
        term = shifted(term, -(low % LIMB))
        term = _masked(term, width)
        if 1 << value.place.width <= LIMB * limbs_of(table.width):
            return term
        return Term(f"({place}) < {table.width} ? {term.inside('?')} : {number(0)}", "?")
