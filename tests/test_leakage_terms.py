# SPDX-License-Identifier: Apache-2.0
"""Functions of the checker of leakage: what it writes shorter has the truth table that it had."""

from __future__ import annotations

from random import Random

import pytest

from headwater.leakage.exact import Budget
from headwater.leakage.independence import dependence
from headwater.leakage.rows import rows_of
from headwater.leakage.terms import ONE, ZERO, Function, Kind, Terms

_NAMES = "abcde"
_EVERY = (1 << (1 << len(_NAMES))) - 1


def _variables(terms: Terms) -> list[tuple[Function, int]]:
    """Variables, each with its truth table."""
    atoms = [terms.atom_of(terms.variable(name, Kind.RANDOM, 0)) for name in _NAMES]
    cases = range(1 << len(_NAMES))
    return [
        (atom, sum((case >> place & 1) << case for case in cases))
        for place, atom in enumerate(atoms)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_random_gates_have_their_truth_tables(seed: int) -> None:
    random, terms = Random(seed), Terms(2)
    known = [*_variables(terms), (ONE, _EVERY)]
    order = {next(iter(atom)): place for place, (atom, _) in enumerate(known[: len(_NAMES)])}
    for _ in range(60):
        (one, table), (other, second) = random.sample(known, 2)
        if random.random() < 0.5:
            known.append((one ^ other, table ^ second))
        else:
            known.append((terms.both(one, other), table & second))
    tables = terms.tables((function for function, _ in known), order, len(_NAMES))
    assert tables == [table for _, table in known]


def test_sum_of_nand_gates_is_a_sum() -> None:
    terms = Terms(2)
    a, b, c, *_ = (function for function, _ in _variables(terms))
    for one, other in ((a, b), (a ^ b, c), (a ^ b, b ^ c), (terms.both(a, b), c)):
        nand = terms.both(one, other) ^ ONE
        left, right = terms.both(one, nand) ^ ONE, terms.both(other, nand) ^ ONE
        assert terms.both(left, right) ^ ONE == one ^ other


def test_two_sums_that_exclude_each_other_have_no_product() -> None:
    terms = Terms(2)
    a, b, c, d, _ = (function for function, _ in _variables(terms))
    one, other = a ^ b, c ^ d
    first = terms.both(one, other ^ ONE)
    assert terms.both(first, terms.both(other, one ^ ONE)) == ZERO


def test_secret_that_is_seen_with_a_share_alone() -> None:
    """One share of x, in two functions, written with the secret and the other share."""
    terms = Terms(2)
    share = terms.atom_of(terms.group("x", 0)[1])
    secret = terms.atom_of(terms.variable("x", Kind.SECRET, 0))
    random = terms.atom_of(terms.variable("r", Kind.RANDOM, 0))
    seen = [share ^ secret, terms.both(share ^ secret, random)]
    assert (
        dependence(terms, rows_of((str(at), one) for at, one in enumerate(seen)), Budget()) is None
    )
    told = [*seen, share]
    assert dependence(terms, rows_of((str(at), one) for at, one in enumerate(told)), Budget())


def test_a_product_with_a_long_chain_of_gates() -> None:
    """Each gate gives one input without the one before: a product with the last goes through all
    of them, and must end."""
    terms = Terms(2)
    inputs = [terms.atom_of(terms.variable(f"x{n}", Kind.PUBLIC, 0)) for n in range(2000)]
    chain = inputs[0]
    for one in inputs[1:-1]:
        chain = one ^ terms.both(one, chain)
    assert terms.support(terms.both(chain, inputs[-1] ^ inputs[0])) == (1 << len(inputs)) - 1
