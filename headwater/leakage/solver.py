# SPDX-License-Identifier: Apache-2.0
"""Questions about functions that ABC's SAT solver answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from headwater.flow.abc import is_satisfiable
from headwater.flow.folders import private_folder
from headwater.leakage.terms import Function, Terms

_TIME_LIMIT_S = 20.0
_MOST_MONOMIALS = 20_000
"""So many are multiplied out before the solver is asked."""


def has_collision(
    terms: Terms, functions: Sequence[Function], changed: int, time_limit_s: float = _TIME_LIMIT_S
) -> bool:
    """Whether two assignments, which differ in variables of the set ``changed`` only, and do
    differ, give all functions the same values.

    Raises
    ------
    ToolStoppedError
        If the solver comes to no answer in time.
    """
    support = 0
    for function in functions:
        support |= terms.support(function)
    # A variable that nothing depends on may change freely.
    if changed & ~support:
        return True
    atoms = {variable.atom for variable in terms.members(changed)}
    lines = [
        ".model question",
        f".inputs {' '.join(_inputs(terms, support, atoms))}",
        ".outputs collision",
    ]
    for side in ("a", "b"):
        lines += _Printer(terms, atoms, side).lines(functions)
    differ = [_xor(f"c{atom}", f"a{atom}", f"b{atom}") for atom in sorted(atoms)]
    equal = [_xor(f"e{at}", f"af{at}", f"bf{at}") for at in range(len(functions))]
    lines += [line for several in (*differ, *equal) for line in several]
    lines += _nor("same", [f"c{atom}" for atom in sorted(atoms)])
    lines += _nor("collision", [*(f"e{at}" for at in range(len(functions))), "same"])
    with private_folder() as folder:
        return _solved(folder, [*lines, ".end"], time_limit_s)


def _solved(folder: Path, lines: Iterable[str], time_limit_s: float) -> bool:
    (folder / "question.blif").write_text("\n".join(lines) + "\n")
    return is_satisfiable(folder, "question.blif", time_limit_s)


def _inputs(terms: Terms, support: int, changed: set[int]) -> Iterator[str]:
    for variable in terms.members(support):
        if variable.atom in changed:
            yield from (f"a{variable.atom}", f"b{variable.atom}")
        else:
            yield f"v{variable.atom}"


def _xor(name: str, one: str, other: str) -> list[str]:
    return [f".names {one} {other} {name}", "10 1", "01 1"]


def _nor(name: str, inputs: Sequence[str]) -> list[str]:
    return [f".names {' '.join([*inputs, name])}", f"{'0' * len(inputs)} 1".strip()]


class _Printer:
    """Functions as gates in BLIF; names of variables that change begin with that of the side."""

    def __init__(self, terms: Terms, changed: set[int], side: str) -> None:
        self._terms, self._changed, self._side = terms, changed, side
        self._names: dict[Function, str] = {}
        self._lines: list[str] = []

    def lines(self, functions: Sequence[Function]) -> list[str]:
        """The gates; function number ``n`` is the net ``SIDEfn``."""
        for at, function in enumerate(functions):
            name = self._sum(function)
            self._lines += [f".names {name} {self._side}f{at}", "1 1"]
        return self._lines

    def _sum(self, function: Function) -> str:
        if function not in self._names:
            terms = [self._atom(atom) for atom in sorted(function) if atom]
            name = f"{self._side}zero{len(self._names)}"
            if terms:
                name = terms[0]
            else:
                self._lines.append(f".names {name}")
            for at, other in enumerate(terms[1:]):
                total = f"{self._side}s{len(self._names)}_{at}"
                self._lines += _xor(total, name, other)
                name = total
            if 0 in function:
                inverse = f"{self._side}n{len(self._names)}"
                self._lines += [f".names {name} {inverse}", "0 1"]
                name = inverse
            self._names[function] = name
        return self._names[function]

    def _atom(self, atom: int) -> str:
        pair = self._terms.factors(atom)
        if pair is None:
            return f"{self._side if atom in self._changed else 'v'}{atom}"
        name = f"{self._side}p{atom}"
        key = frozenset((atom, -1))
        if key not in self._names:
            first, second = map(self._sum, pair)
            self._names[key] = name
            self._lines += [f".names {first} {second} {name}", "11 1"]
        return name


def depends_on(
    terms: Terms, function: Function, several: int, values: Mapping[int, Function]
) -> bool:
    """Whether a function differs from itself with ``values`` in the place of variables, which are
    the set ``several``: for constants, whether it depends on any of them."""
    if not terms.support(function) & several:
        return False
    (fixed,) = terms.replaced([function], values)
    difference = function ^ fixed
    monomials = terms.monomials(difference, _MOST_MONOMIALS)
    if monomials is not None:
        return bool(monomials)
    support = list(terms.members(terms.support(difference)))
    lines = [
        ".model question",
        f".inputs {' '.join(f'v{variable.atom}' for variable in support)}",
        ".outputs af0",
        *_Printer(terms, set(), "a").lines([difference]),
        ".end",
    ]
    with private_folder() as folder:
        return _solved(folder, lines, _TIME_LIMIT_S)
