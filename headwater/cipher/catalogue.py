# SPDX-License-Identifier: Apache-2.0
"""Every cipher by name. A new cipher is one file beside this one and one line here."""

from __future__ import annotations

from headwater.cipher.description import ShiftRegisterCipher
from headwater.cipher.trivium import TRIVIUM
from headwater.errors import unknown

CATALOGUE: dict[str, ShiftRegisterCipher] = {cipher.name: cipher for cipher in (TRIVIUM,)}


def find(name: str) -> ShiftRegisterCipher:
    """The cipher of that name; an error that lists all names if there is none."""
    if name not in CATALOGUE:
        raise unknown("cipher", name, CATALOGUE)
    return CATALOGUE[name]
