# SPDX-License-Identifier: Apache-2.0
"""A named choice with its legal values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """One named choice, with its legal values; the first is the default."""

    name: str
    values: tuple[str, ...]
    meaning: str

    @property
    def default(self) -> str:
        """The value taken when none is given."""
        return self.values[0]


DIRECTION = Option(
    "direction",
    ("both", "encrypt", "decrypt"),
    "what the core can do with a message; both: as the input `decrypt` says",
)
"""The directions of a message that a core has."""

CORE_OPTIONS = (
    Option(
        "stall",
        ("stream", "none"),
        "stream: the core waits for its streams; none: free-running, a word every cycle",
    ),
    Option(
        "clear",
        ("shift", "instant", "none"),
        "how `clear` zeroes the state: shift zeros in, reset every bit in one cycle, not offered",
    ),
)
"""The options that every core has, because they decide its area."""
