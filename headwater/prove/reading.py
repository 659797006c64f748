# SPDX-License-Identifier: Apache-2.0
"""What a property compares a core with: how much of the comparison is code that the core is made
of.

A property that reads the description once more finds what generation, unrolling and sharing do
wrong, but not what the description has wrong: that is left to equations that are written apart, and
to published vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal


@dataclass(frozen=True)
class Reading:
    """The other side of a comparison.

    Members
    -------
    against
        ``description``: the description's own equations, read again in another way; ``gates``:
        another path through the gates of the core; ``independent``: equations, laws or counts
        that are written for the property, with no code of core and description.
    what
        What it is, in words.
    """

    against: Literal["description", "gates", "independent"]
    what: str


described: Callable[[str], Reading] = partial(Reading, "description")
other_gates: Callable[[str], Reading] = partial(Reading, "gates")
independent: Callable[[str], Reading] = partial(Reading, "independent")
