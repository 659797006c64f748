# SPDX-License-Identifier: Apache-2.0
"""The choice of a core of a sponge in shares."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.shares import choice_in_shares
from headwater.errors import InputError
from headwater.kinds.sponge.description import SLICES


def masked_architecture(
    cipher: Cipher,
    masking: str,
    *,
    radix: int | None = None,
    load_width: int | None = None,
    options: Mapping[str, str] | None = None,
) -> Architecture:
    """The architecture of a core in shares; an error names what is not legal. Its options are those
    of the plain core, but one round at a time alone, and no ``clear=instant``, which leaves no
    uniform sharing."""
    chosen = Architecture.choose(cipher, radix=radix, load_width=load_width, options=options)
    if chosen.radix not in (legal := masked_radices(cipher)):
        raise InputError(
            f"radix of a masked core of {cipher.name} must be {' or '.join(map(str, legal))}, not "
            f"{chosen.radix}"
        )
    if chosen["unroll"] != "1":
        raise InputError(f"option unroll of a masked core must be 1, not {chosen['unroll']!r}")
    return choice_in_shares(chosen, masking)


def masked_radices(cipher: Cipher) -> list[int]:
    """The radices of masked cores: those that move whole words."""
    return [radix for radix in cipher.legal_radices() if radix not in SLICES]
