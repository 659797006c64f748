# SPDX-License-Identifier: Apache-2.0
"""Orders of names and nodes that a reader expects."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
_PIECES = re.compile(r"(\D*)(\d*)")


def natural(name: str) -> tuple[tuple[str, int], ...]:
    """A key that sorts names by the numbers in them: ``s2`` before ``s10``."""
    return tuple((word, int(number or -1)) for word, number in _PIECES.findall(name))


def after_needs(
    roots: Iterable[Node], needs: Callable[[Node], Iterable[Node]]
) -> tuple[list[Node], set[Node]]:
    """All nodes reachable from the roots, each after those it needs; and the nodes on cycles."""
    order: dict[Node, bool] = {}
    circular: set[Node] = set()
    for root in roots:
        path = [(root, iter(needs(root)))] if root not in order else []
        if path:
            order[root] = False
        done: list[Node] = []
        while path:
            node, rest = path[-1]
            other = next((one for one in rest if one not in order or not order[one]), None)
            if other is None:
                path.pop()
                done.append(node)
                del order[node]
                order[node] = True
            elif other in order:
                circular.add(other)
            else:
                order[other] = False
                path.append((other, iter(needs(other))))
    return list(order), circular
