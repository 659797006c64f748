# SPDX-License-Identifier: Apache-2.0
"""The tree of wire that joins the pins of a net, where no router has drawn it.

Pins are taken in the order of their distance to the tree, and each is joined to the nearest point
of it. A piece of the tree between two points may bend anywhere in the rectangle between them, so
it passes through any point there without being longer. The trees are near the shortest ones with
horizontal and vertical pieces; those of two and three pins are the shortest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from headwater.flow.layout.floorplan import Point


@dataclass
class Tree:
    """A tree: its points, first those that it joins and then those where it branches, and the
    parent of each but the root."""

    points: list[Point]
    parents: dict[int, int] = field(default_factory=dict)

    def piece(self, child: int) -> tuple[int, int]:
        """The horizontal and the vertical length of the piece that leads to a point."""
        (x, y), (above_x, above_y) = self.points[child], self.points[self.parents[child]]
        return abs(x - above_x), abs(y - above_y)

    def children(self) -> dict[int, list[int]]:
        """The points behind each point."""
        children: dict[int, list[int]] = {}
        for child, parent in self.parents.items():
            children.setdefault(parent, []).append(child)
        return children

    @property
    def length(self) -> int:
        """Length of all pieces."""
        return sum(sum(self.piece(child)) for child in self.parents)


def steiner_tree(points: Sequence[Point]) -> Tree:
    """A short tree from the first point to all others."""
    tree = Tree(list(points))
    left = {place: _apart(points[0], point) for place, point in enumerate(points) if place}
    while left:
        nearest = min(left, key=lambda place: (left[place], place))
        del left[nearest]
        added = _join(tree, nearest)
        for place in left:
            for child in added:
                point = _through(tree, child, points[place])
                left[place] = min(left[place], _apart(point, points[place]))
    return tree


def _join(tree: Tree, place: int) -> list[int]:
    """Join a point to the tree; gives the points whose piece is new."""
    point = tree.points[place]
    if not tree.parents:
        tree.parents[place] = 0
        return [place]
    _, child = min((_apart(_through(tree, child, point), point), child) for child in tree.parents)
    meeting = _through(tree, child, point)
    for end in (child, tree.parents[child]):
        if tree.points[end] == meeting:
            tree.parents[place] = end
            return [place]
    branch = len(tree.points)
    tree.points.append(meeting)
    tree.parents[branch] = tree.parents[child]
    tree.parents[child] = tree.parents[place] = branch
    return [place, branch, child]


def _through(tree: Tree, child: int, point: Point) -> Point:
    """The point of a piece that is nearest to a point."""
    ends = tree.points[child], tree.points[tree.parents[child]]
    x, y = (sorted((*along, own))[1] for *along, own in zip(*ends, point, strict=True))
    return x, y


def _apart(one: Point, other: Point) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
