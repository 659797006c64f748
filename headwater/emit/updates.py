# SPDX-License-Identifier: Apache-2.0
"""The next values of registers: resets and holds as ``if`` and ``else``, found in the multiplexers
at their inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

from headwater.emit.netlist import ONE, ZERO, Bit, Bits, Netlist


@dataclass(frozen=True)
class Condition:
    """A bit or its complement."""

    bit: Bit
    inverted: bool = False


@dataclass(frozen=True)
class Branch:
    """A choice between two updates."""

    conditions: tuple[tuple[Condition, ...], ...]
    """A conjunction of groups; of each group at least one condition must hold."""
    then: Tree
    otherwise: Tree


Tree = Branch | Bits | None
"""A word that is taken, a choice between two such, or none: the register keeps what it has."""

Shape = tuple[tuple[tuple[Condition, ...], ...], "Shape", "Shape"] | bool


@dataclass(frozen=True)
class Update:
    """The next value of a register or of a part of it."""

    register: str
    low: int
    """First bit of the part."""
    width: int
    tree: Tree


class Updates:
    """Reads the updates of registers from a netlist. A multiplexer that drives ``named`` bits stays
    a wire."""

    def __init__(self, netlist: Netlist, named: Iterable[Bit]) -> None:
        self._drivers = netlist.drivers
        self._named = frozenset(named)

    def of(self, register: str, held: Bits) -> list[Update]:
        """The updates of one register, in parts where these have different conditions."""
        loaded = tuple(
            cell.inputs["D"][place] for cell, place in map(self._drivers.__getitem__, held)
        )
        if self._selector(loaded, held) is not None:
            return [Update(register, 0, len(held), self._tree(loaded, held))]
        parts = []
        places = range(len(held))
        for _, run in groupby(places, lambda n: self._selector(loaded[n : n + 1], held[n : n + 1])):
            first, *rest = run
            part = slice(first, first + len(rest) + 1)
            parts.append(
                Update(register, first, len(rest) + 1, self._tree(loaded[part], held[part]))
            )
        if any(isinstance(part.tree, Branch) for part in parts):
            return parts
        return [Update(register, 0, len(held), loaded)]

    def _selector(self, loaded: Bits, held: Bits) -> Bit | None:
        """The bit that selects the next value of all bits; none if the bits have no common one."""
        found = set()
        for new, old in zip(loaded, held, strict=True):
            if new in (ZERO, ONE, old):
                continue
            cell, _ = self._drivers.get(new, (None, 0))
            if cell is None or cell.kind != "$mux" or new in self._named:
                return None
            found.add(cell.inputs["S"][0])
        return found.pop() if len(found) == 1 else None

    def _inputs(self, loaded: Bits, held: Bits, port: str) -> Bits:
        """The word at one input of the multiplexers."""
        word = []
        for new, old in zip(loaded, held, strict=True):
            if new in (ZERO, ONE, old):
                word.append(new)
            else:
                cell, place = self._drivers[new]
                word.append(cell.inputs[port][place])
        return tuple(word)

    def _tree(self, loaded: Bits, held: Bits, *, resets: bool = True) -> Tree:
        """The tree of a part's next value; a constant value is a reset (``resets``) while only
        resets came before."""
        if loaded == held:
            return None
        selector = self._selector(loaded, held)
        if selector is None:
            return loaded
        then, otherwise = (self._inputs(loaded, held, port) for port in ("B", "A"))
        resets = resets and set(then) <= {ZERO, ONE}
        then_tree = self._tree(then, held, resets=False)
        other_tree = self._tree(otherwise, held, resets=resets)
        if not resets and not _holds(then_tree) and not _holds(other_tree):
            return loaded
        if then_tree is None:
            return _both(Condition(selector, inverted=True), other_tree)
        if other_tree is None:
            return _both(Condition(selector), then_tree)
        if isinstance(other_tree, Branch) and other_tree.then == then_tree:
            first, *others = other_tree.conditions
            if not others:
                either = (Condition(selector), *first)
                return Branch((either,), then_tree, other_tree.otherwise)
        return Branch(((Condition(selector),),), then_tree, other_tree)


def _both(condition: Condition, then: Tree) -> Branch:
    """A branch that holds the value otherwise; two nested ones are merged."""
    if isinstance(then, Branch) and then.otherwise is None:
        return Branch(((condition,), *then.conditions), then.then, None)
    return Branch(((condition,),), then, None)


def _holds(tree: Tree) -> bool:
    """Whether the register keeps its value in some case."""
    if isinstance(tree, Branch):
        return _holds(tree.then) or _holds(tree.otherwise)
    return tree is None


def with_reset_apart(update: Update, reset: Bit) -> Update:
    """An update whose first condition is the reset alone, if it is reset: the next condition with
    the same value becomes one of its own."""
    tree = update.tree
    if not isinstance(tree, Branch) or tree.conditions[0][0] != Condition(reset):
        return update
    (first, *others), *further = tree.conditions
    assert not further, f"the reset of {update.register} must be its first condition"
    rest = Branch((tuple(others),), tree.then, tree.otherwise) if others else tree.otherwise
    return replace(update, tree=Branch(((first,),), tree.then, rest))


def is_reset(group: Sequence[Update], reset: Bit) -> bool:
    """Whether the first condition of a group is the reset alone."""
    tree = group[0].tree
    return isinstance(tree, Branch) and tree.conditions == ((Condition(reset),),)


def _shape(tree: Tree) -> Shape:
    """The conditions without the values."""
    if isinstance(tree, Branch):
        return tree.conditions, _shape(tree.then), _shape(tree.otherwise)
    return tree is None


def grouped(updates: Iterable[Update]) -> list[list[Update]]:
    """Updates grouped by their conditions, in the order of the first of each."""
    groups: dict[Shape, list[Update]] = {}
    for update in updates:
        groups.setdefault(_shape(update.tree), []).append(update)
    return list(groups.values())


def words_read(group: list[Update]) -> Iterator[tuple[str, Bits]]:
    """All words that a group reads, with the reading register; conditions once."""
    yield from _conditions(group[0].register, group[0].tree)
    for update in group:
        yield from ((update.register, word) for word in _taken(update.tree))


def _conditions(register: str, tree: Tree) -> Iterator[tuple[str, Bits]]:
    if isinstance(tree, Branch):
        for condition in chain(*tree.conditions):
            yield register, (condition.bit,)
        yield from _conditions(register, tree.then)
        yield from _conditions(register, tree.otherwise)


def _taken(tree: Tree) -> Iterator[Bits]:
    if isinstance(tree, Branch):
        yield from _taken(tree.then)
        yield from _taken(tree.otherwise)
    elif tree is not None:
        yield tree
