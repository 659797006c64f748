# SPDX-License-Identifier: Apache-2.0
"""Verilog expressions as trees, and their text.

Every expression has its self-determined width, so that no context can change its meaning.
Parentheses stand wherever two different operators meet.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headwater.emit.layout import Token, glued, text_of

_ASSOCIATIVE = ("&", "^", "|", "+", "&&", "||")
_HEX_DIGIT_BITS = 4
_COMPARISONS = ("==", "!=")


@dataclass(frozen=True)
class Expression(ABC):
    """A value of ``width`` bits."""

    width: int

    @property
    def is_atom(self) -> bool:
        """Whether the expression never needs parentheses."""
        return True

    @abstractmethod
    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """The text in tokens, inside ``depth`` brackets."""

    def __str__(self) -> str:
        return text_of(self.tokens())


@dataclass(frozen=True)
class Constant(Expression):
    """A number."""

    value: int

    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """One token: binary for a bit, hexadecimal for a word, with all digits except for zero."""
        if self.width == 1:
            yield Token(f"1'b{self.value}", depth)
            return
        digits = -(-self.width // _HEX_DIGIT_BITS) if self.value else 1
        yield Token(f"{self.width}'h{self.value:0{digits}x}", depth)


@dataclass(frozen=True)
class Name(Expression):
    """A whole signal, or a named constant."""

    name: str

    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """One token."""
        yield Token(self.name, depth)


@dataclass(frozen=True)
class Part(Expression):
    """Bits of a signal, from ``low`` on."""

    name: str
    low: int

    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """One token."""
        high = self.low + self.width - 1
        place = f"{self.low}" if self.width == 1 else f"{high}:{self.low}"
        yield Token(f"{self.name}[{place}]", depth)


@dataclass(frozen=True)
class Entry(Expression):
    """Bits of a table, from a computed index on."""

    table: str
    place: Expression

    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """The table's name, then the index."""
        yield from glued(f"{self.table}[", self.place.tokens(depth + 1), f" +: {self.width}]")


@dataclass(frozen=True)
class Stored(Expression):
    """Bits of a word of a memory, from ``low`` on; a word has ``bits`` bits."""

    memory: str
    place: Expression
    low: int
    bits: int

    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """The memory's name, the address, then the bits if these are not all."""
        high = self.low + self.width - 1
        part = f"[{self.low}]" if self.width == 1 else f"[{high}:{self.low}]"
        end = "]" if self.width == self.bits else f"]{part}"
        yield from glued(f"{self.memory}[", self.place.tokens(depth + 1), end)


@dataclass(frozen=True)
class Joined(Expression):
    """A concatenation, the highest word first."""

    parts: tuple[Expression, ...]

    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """All parts in braces."""
        yield from glued("{", _listed(self.parts, depth + 1), "}")


@dataclass(frozen=True)
class Repeated(Expression):
    """A replication."""

    value: Expression

    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """The value in two pairs of braces."""
        count = self.width // self.value.width
        yield from glued(f"{{{count}{{", self.value.tokens(depth + 1), "}}")


@dataclass(frozen=True)
class Call(Expression):
    """A function call."""

    function: str
    arguments: tuple[Expression, ...]

    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """The function's name, then the arguments in parentheses."""
        yield from glued(f"{self.function}(", _listed(self.arguments, depth + 1), ")")


@dataclass(frozen=True)
class Prefixed(Expression):
    """A unary operator: ``~ ! & | ^``."""

    operator: str
    operand: Expression

    @property
    def is_atom(self) -> bool:
        """True for an inversion, which binds closest; a reduction looks like a binary operator."""
        return self.operator in ("~", "!")

    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """The operator, then the word."""
        bare = self.operand.is_atom and not isinstance(self.operand, Prefixed)
        if bare:
            yield from glued(self.operator, self.operand.tokens(depth))
        else:
            yield from glued(f"{self.operator}(", self.operand.tokens(depth + 1), ")")


@dataclass(frozen=True)
class Operation(Expression):
    """A binary operator; several operands where the order of evaluation is free."""

    operator: str
    operands: tuple[Expression, ...]

    is_atom = False

    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """All operands with the operator between them."""
        for place, operand in enumerate(self.operands):
            if place:
                yield Token(self.operator, depth, breaks=False)
            yield from self._operand(operand, depth)

    def _operand(self, operand: Expression, depth: int) -> Iterator[Token]:
        bare = operand.is_atom
        if self.operator in ("&&", "||") and isinstance(operand, Operation):
            bare = operand.operator in _COMPARISONS
        if bare:
            return operand.tokens(depth)
        return _bracketed(operand, depth)


def operation(operator: str, width: int, *operands: Expression) -> Operation:
    """An operation; operands with the same operator are merged into it."""
    row: list[Expression] = []
    for operand in operands:
        same = isinstance(operand, Operation) and operand.operator == operator
        if same and operator in _ASSOCIATIVE:
            assert isinstance(operand, Operation)
            row += operand.operands
        else:
            row.append(operand)
    return Operation(width, operator, tuple(row))


@dataclass(frozen=True)
class Choice(Expression):
    """One word where the condition holds, else the other."""

    condition: Expression
    chosen: Expression
    otherwise: Expression

    is_atom = False

    def tokens(self, depth: int = 0) -> Iterator[Token]:
        """Condition, chosen word, and the alternative, which may be another choice."""
        yield from _protected(self.condition, depth)
        yield Token("?", depth, breaks=False)
        yield from _protected(self.chosen, depth)
        yield Token(":", depth, breaks=False)
        other = self.otherwise
        yield from other.tokens(depth) if isinstance(other, Choice) else _protected(other, depth)


def inverted(value: Expression) -> Expression:
    """The complement of a value; for a comparison the opposite comparison."""
    if isinstance(value, Operation) and value.operator in _COMPARISONS:
        other = _COMPARISONS[value.operator == _COMPARISONS[0]]
        return Operation(1, other, value.operands)
    if isinstance(value, Prefixed) and value.operator == "~":
        return value.operand
    return Prefixed(value.width, "~", value)


def as_condition(value: Expression) -> Expression:
    """A bit with logical operators in place of bitwise ones."""
    logical = {"&": "&&", "|": "||"}
    if isinstance(value, Operation) and value.operator in logical:
        return operation(logical[value.operator], 1, *map(as_condition, value.operands))
    if isinstance(value, Prefixed) and value.operator == "~":
        return Prefixed(1, "!", as_condition(value.operand))
    return value


def _protected(value: Expression, depth: int) -> Iterator[Token]:
    return value.tokens(depth) if value.is_atom else _bracketed(value, depth)


def _bracketed(value: Expression, depth: int) -> Iterator[Token]:
    return glued("(", value.tokens(depth + 1), ")")


def _listed(values: Sequence[Expression], depth: int) -> Iterator[Token]:
    for place, value in enumerate(values):
        yield from glued("", value.tokens(depth), "," if place < len(values) - 1 else "")


def parts_of(expression: Expression) -> Iterator[Expression]:
    """An expression and all that it is made of."""
    yield expression
    for value in vars(expression).values():
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Expression):
                yield from parts_of(one)


def names_in(expression: Expression) -> Iterator[str]:
    """The signals, constants and memories that an expression reads."""
    for part in parts_of(expression):
        if isinstance(part, Entry):
            yield part.table
        elif isinstance(part, Stored):
            yield part.memory
        elif isinstance(part, Name | Part):
            yield part.name
