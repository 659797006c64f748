# SPDX-License-Identifier: Apache-2.0
"""Boolean expressions of liberty, against truth tables written by hand."""

from __future__ import annotations

import pytest

from headwater.errors import InputError
from headwater.flow.conditions import names_in, read_condition

# In each table A is the slowest pin and C the fastest: 000, 001, 010, ... 111.
TABLES = {
    "A": "00001111",
    "!A": "11110000",
    "A'": "11110000",
    "!A'": "00001111",
    "A''": "00001111",
    "!(A B)": "11111100",
    "(A + B)'": "11000000",
    "A & B": "00000011",
    "A*B C": "00000001",
    "A B' C": "00000100",
    "A!B": "00001100",
    "A | B": "00111111",
    "A+B*C": "00011111",
    "A*B+C": "01010111",
    "A^B": "00111100",
    "A ^ B ^ C": "01101001",
    # Exclusive or is tighter than AND, and inversion is tighter still.
    "A & B ^ C": "00000110",
    "A ^ B & C": "00010100",
    "A ^ B | C": "01111101",
    "!A ^ B": "11000011",
    "A ^ !B": "11000011",
    "(A & B) ^ C": "01010110",
    "(A * !B) + (!A * B)": "00111100",
    "1": "11111111",
    "0 + C": "01010101",
    "A & 1": "00001111",
}


@pytest.mark.parametrize(("text", "table"), TABLES.items())
def test_an_expression_has_its_truth_table(text: str, table: str) -> None:
    condition = read_condition(text)
    rows = [{"A": row >> 2 & 1, "B": row >> 1 & 1, "C": row & 1} for row in range(8)]
    assert "".join(str(condition(row)) for row in rows) == table


def test_names_are_those_of_pins() -> None:
    assert names_in("(D * !QN) + 1 & RESET_B'") == {"D", "QN", "RESET_B"}


@pytest.mark.parametrize(
    "text", ["", "A &", "& A", "(A", "A)", "A ! ", "A + + B", "'A", "A == B", "2 A", "A ? B : C"]
)
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^a condition must be an expression of liberty, not "):
        read_condition(text)
