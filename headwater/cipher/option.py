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

    def meaning_of(self, value: str) -> str:
        """What one value means: its part of the meaning, if that has a part for each value."""
        parts = (part.split(": ", 1) for part in self.meaning.split("; ") if ": " in part)
        return dict(parts).get(value, self.meaning)


DIRECTION = Option(
    "direction",
    ("both", "encrypt", "decrypt"),
    "both: the input `decrypt` says whether a message is ciphertext; encrypt: messages are "
    "encrypted; decrypt: messages are decrypted",
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
        "shift: `clear` shifts zeros into the state; instant: `clear` zeroes every bit of state in "
        "one cycle; none: there is no `clear`",
    ),
)
"""The options that every core has, because they decide its area."""
