# SPDX-License-Identifier: Apache-2.0
"""Boolean expressions of liberty: the conditions that energies hold under.

From the tightest: inversion (``!A`` or ``A'``), ``^``, AND (``&``, ``*`` or nothing between), OR
(``|`` or ``+``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from headwater.errors import InputError

Values = Mapping[str, int]
"""The value of each pin."""

Condition = Callable[[Values], int]
"""An expression: one where it holds, else zero."""

_TOKEN = re.compile(r"\s*(\w+|[!&*|+^()'])")


def read_condition(text: str) -> Condition:
    """The condition that an expression states.

    Raises:
        InputError: it is not an expression of liberty.
    """
    tokens = _TOKEN.findall(text)
    if _TOKEN.sub("", text).strip():
        raise _refused(text)
    try:
        condition = _either(tokens)
    except IndexError:
        raise _refused(text) from None
    if tokens:
        raise _refused(text)
    return condition


def names_in(text: str) -> set[str]:
    """The pins that an expression reads."""
    return set(re.findall(r"[A-Za-z_]\w*", text))


def _refused(text: str) -> InputError:
    return InputError(f"a condition must be an expression of liberty, not {text!r}")


def _either(tokens: list[str]) -> Condition:
    left = _both(tokens)
    while tokens and tokens[0] in "|+":
        tokens.pop(0)
        left = _joined(left, _both(tokens), lambda a, b: a | b)
    return left


def _both(tokens: list[str]) -> Condition:
    left = _unlike(tokens)
    while tokens and tokens[0] not in "|+)":
        if tokens[0] in "&*":
            tokens.pop(0)
        left = _joined(left, _unlike(tokens), lambda a, b: a & b)
    return left


def _unlike(tokens: list[str]) -> Condition:
    left = _single(tokens)
    while tokens and tokens[0] == "^":
        tokens.pop(0)
        left = _joined(left, _single(tokens), lambda a, b: a ^ b)
    return left


def _single(tokens: list[str]) -> Condition:
    token = tokens.pop(0)
    if token == "!":
        return _inverted(_single(tokens))
    if token == "(":
        term = _either(tokens)
        if tokens.pop(0) != ")":
            raise IndexError
    elif token in ("0", "1"):
        term = _constant(int(token))
    elif token[0].isalpha() or token[0] == "_":
        term = _pin(token)
    else:
        raise IndexError
    while tokens and tokens[0] == "'":
        tokens.pop(0)
        term = _inverted(term)
    return term


def _joined(left: Condition, right: Condition, operate: Callable[[int, int], int]) -> Condition:
    return lambda values: operate(left(values), right(values))


def _inverted(inner: Condition) -> Condition:
    return lambda values: 1 - inner(values)


def _constant(value: int) -> Condition:
    return lambda _: value


def _pin(name: str) -> Condition:
    return lambda values: values[name]
