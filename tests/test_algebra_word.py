# SPDX-License-Identifier: Apache-2.0
"""Words of bits: their readings with integers, with symbols and as a function are one."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from headwater.algebra.gates import GateCounter
from headwater.algebra.polynomial import Polynomial
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import (
    IntegerWord,
    add,
    choose,
    concatenate,
    lookup,
    rotate_left,
    table_word,
    unnamed,
)
from headwater.algebra.written import Function, written

WIDTHS = (1, 2, 5, 8)
"""Of the operands of a random expression."""

LAST = 0b10010110
"""The last operand where it is a constant."""

Expression = Callable[[list[Any]], Any]


def random_expression(source: random.Random, width: int, depth: int) -> Expression:
    """A random expression of that width, to be read with any kind of word."""
    if not depth:
        places = [place for place, wide in enumerate(WIDTHS) if wide >= width]
        if places:
            place = source.choice(places)
            low = source.randint(0, WIDTHS[place] - width)
            return lambda words: words[place][low : low + width]
        return lambda words: concatenate(*[words[0]] * width)

    def part(of_width: int) -> Expression:
        return random_expression(source, of_width, depth - 1)

    constant = source.getrandbits(width)
    one, other, bit, wider = part(width), part(width), part(1), part(width + 3)
    low = source.randint(0, 3)
    table = source.getrandbits(4 * width)
    higher = part(width - 1) if width > 1 else None
    return source.choice(
        [
            lambda words: one(words) ^ other(words),
            lambda words: one(words) & other(words),
            lambda words: one(words) | other(words),
            lambda words: ~one(words),
            lambda words: one(words) ^ constant,
            lambda words: one(words) & constant,
            lambda words: choose(bit(words), one(words), other(words)),
            lambda words: bit(words).replicate(width),
            lambda words: wider(words)[low : low + width],
            lambda words: (one(words) << low)[:width],
            lambda words: add(one(words), other(words)),
            lambda words: rotate_left(one(words), min(low, width)),
            lambda words: lookup(
                concatenate(bit(words), bit(words)), IntegerWord(table, 4 * width)
            ),
            lambda words: (
                concatenate(wider(words)[2], higher(words)) if higher else wider(words)[low]
            ),
            lambda words: wider(words)[-1].replicate(width),
        ]
    )


def as_integers(values: list[int]) -> list[IntegerWord]:
    return [IntegerWord(value, width) for value, width in zip(values, WIDTHS, strict=True)]


def as_constants(values: list[int]) -> list[SymbolicWord]:
    return [
        SymbolicWord(tuple(value >> place & 1 for place in range(width)))
        for value, width in zip(values, WIDTHS, strict=True)
    ]


def as_symbols() -> list[SymbolicWord]:
    return [
        SymbolicWord(tuple(Polynomial.variable(f"w{number}", place) for place in range(width)))
        for number, width in enumerate(WIDTHS)
    ]


def as_function(expression: Expression) -> Function:
    """The function of an expression, whose last word is a constant."""
    widths = {f"w{number}": width for number, width in enumerate(WIDTHS[:-2])}
    return written(
        lambda *words, other, last: [expression([*words, other, last]), words[1]],
        widths,
        {"other": WIDTHS[-2]},
        {"last": IntegerWord(LAST, WIDTHS[-1])},
    )


def worth(bit: Any, values: list[int]) -> int:
    """A bit that is a constant or a polynomial, where the words have these values."""
    if isinstance(bit, int):
        return bit
    return (
        sum(
            all(values[int(name[1:])] >> place & 1 for name, place in monomial)
            for monomial in bit.monomials
        )
        % 2
    )


def number(word: SymbolicWord, values: list[int]) -> int:
    return sum(worth(bit, values) << place for place, bit in enumerate(word.bits))


@pytest.mark.parametrize("seed", range(200))
def test_all_readings_agree(seed: int) -> None:
    source = random.Random(seed)
    width = source.choice((1, 3, 6))
    expression = random_expression(source, width, depth=3)
    symbolic, function = expression(as_symbols()), as_function(expression)
    assert len(symbolic) == width
    for _ in range(5):
        values = [source.getrandbits(wide) for wide in WIDTHS]
        known = expression(as_integers(values))
        assert (len(known), known.width) == (width, width)
        assert 0 <= known.value < 1 << width
        assert number(expression(as_constants(values)), values) == known.value
        assert number(symbolic, values) == known.value
        *varied, _ = values
        fixed = expression(as_integers([*varied, LAST]))
        assert function(*varied) == (fixed.value, values[1])


def word(digits: str) -> IntegerWord:
    """A word written with its lowest bit first."""
    return IntegerWord(int(digits[::-1], 2), len(digits))


def digits(word: IntegerWord) -> str:
    return f"{word.value:0{word.width}b}"[::-1]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (concatenate(word("10"), word("011"), word("1")), "100111"),
        (word("10011")[0], "1"),
        (word("10011")[1], "0"),
        (word("10011")[1:4], "001"),
        (word("10011")[3:], "11"),
        (word("101") << 2, "00101"),
        (~word("1001"), "0110"),
        (word("1100") ^ word("1010"), "0110"),
        (word("1100") & word("1010"), "1000"),
        (word("1100") | word("1010"), "1110"),
        (word("1100") ^ 1, "0100"),
        (word("1100") & 2, "0100"),
        (word("1").replicate(3), "111"),
        (word("0").replicate(3), "000"),
        (choose(word("1"), word("10"), word("01")), "10"),
        (choose(word("0"), word("10"), word("01")), "01"),
        (add(word("1100"), word("1011")), "0000"),
        (add(word("1100"), word("1000")), "0010"),
        (rotate_left(word("10011"), 0), "10011"),
        (rotate_left(word("10011"), 1), "11001"),
        (rotate_left(word("10011"), 3), "01110"),
        (rotate_left(word("10011"), 5), "10011"),
        (rotate_left(word("10011"), -1), "00111"),
        (lookup(word("01"), table_word((1, 2, 4, 7), 4)), "0010"),
        (lookup(word("11"), table_word((1, 2, 4, 7), 4)), "1110"),
    ],
)
def test_operation(result: IntegerWord, expected: str) -> None:
    assert digits(result) == expected


def test_constants_cost_no_gate() -> None:
    counter = GateCounter()
    bits = SymbolicWord(tuple(counter.bit() for _ in range(4)))
    _ = bits & 0b0101
    _ = bits ^ 0
    assert counter.gates == {}
    _ = bits ^ 0b0011
    assert counter.gates == {"not": 2}
    _ = bits ^ bits
    assert counter.gates == {"not": 2, "xor": 4}


def test_gates_of_an_adder() -> None:
    counter = GateCounter()
    bits = SymbolicWord(tuple(counter.bit() for _ in range(4)))
    assert len(add(bits, bits)) == 4
    # A half adder first, a sum without a carry last.
    assert counter.gates == {"xor": 2 * 4 - 1 + 2, "and": 2 * 4 - 3}


def test_lookup_reads_a_table_of_symbols() -> None:
    table = SymbolicWord((0, 1, 1, 1))
    assert lookup(SymbolicWord((1,)), table).bits == (1, 1)
    assert lookup(SymbolicWord((0,)), table).bits == (0, 1)


def test_a_function_makes_what_its_results_need_and_the_same_once() -> None:
    """An operation that nothing needs would fail: the table has no such entry."""
    made: list[Any] = []

    def circuit(word: Any) -> list[Any]:
        made.extend([lookup(word, IntegerWord(0b10, 2)), word ^ 1, word ^ 1])
        return made[1:]

    assert written(circuit, {"word": 1}, {}, {})(2) == (3, 3)
    assert made[1].name == made[2].name


def test_unnamed() -> None:
    assert unnamed(3) == unnamed(3, "three") == 3


def test_what_is_no_word() -> None:
    with pytest.raises(TypeError, match=r"^no words of type str are known$"):
        add("a", "b")
    with pytest.raises(TypeError, match=r"^no words of type str are known$"):
        lookup("a", "b")
    with pytest.raises(TypeError, match=r"^no words of type str are known$"):
        concatenate("a", "b")
    with pytest.raises(TypeError, match=r"^no words of type int are known$"):
        choose(1, 2, 3)
