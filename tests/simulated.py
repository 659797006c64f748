# SPDX-License-Identifier: Apache-2.0
"""The cores that `test_core_rtl_ciphers` simulates and, as they are there, checks for warnings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from emitted import covering, is_legal

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.stepped.description import SteppedCipher

CIPHERS = [
    cipher
    for cipher in CATALOGUE.values()
    if not cipher.name.startswith(("trivium", "achterbahn", "sfinks"))
    and isinstance(cipher, SteppedCipher)
]


def some_radices(cipher: Cipher) -> list[int]:
    """All of a short list; of a long one the narrow radices, and some around and beyond the
    natural one."""
    legal = cipher.legal_radices()
    if len(legal) < 20:
        return list(legal)
    natural = cipher.natural_radix
    wide = {natural - 1, natural, natural + 1, 2 * natural + 3, legal[-1]}
    return sorted({*range(1, 9), *wide} & set(legal))


def legal(cipher: Cipher, radix: int) -> int:
    """The radix, or the default one where it is not legal."""
    return radix if radix in cipher.legal_radices() else cipher.default_radix


def varied(cipher: Cipher, radix: int) -> list[dict[str, str]]:
    """Choices with every value of every option."""
    choices = [options for options in covering(cipher, radix) if "stall" not in options]
    choices += [{"stall": "none", "clear": "none"}, {"stall": "none", "clear": "instant"}]
    if isinstance(cipher, BitAead):
        retimed = {"form": "galois", "output": "split", "authenticator": "isolated"}
        choices += [retimed, {**retimed, "controller": "shift", "stall": "none"}]
    return [options for options in choices if is_legal(cipher, radix, options)]


OPTION_CASES = [
    pytest.param(cipher, radix, options, id=f"{cipher.name}-{radix}-{'-'.join(options.values())}")
    for cipher in CIPHERS
    for radix in dict.fromkeys(legal(cipher, radix) for radix in (1, 8))
    for options in varied(cipher, radix)
]

OPTION_CASES += [
    pytest.param(cipher, radix, {"form": "ahead"}, id=f"{cipher.name}-{radix}-ahead")
    for cipher in CIPHERS
    for radix in (2, 4, 16, 32)
    if is_legal(cipher, radix, {"form": "ahead"})
]

OPTION_CASES += [
    pytest.param(cipher, radix, options, id=f"{cipher.name}-{radix}-line-{'-'.join(options)}")
    for cipher in CIPHERS
    for radix in (16, 64)
    for options in ({"authenticator": "ahead"}, {"authenticator": "ahead", "stall": "none"})
    if isinstance(cipher, BitAead) and is_legal(cipher, radix, options)
]

RADIX_CASES = [
    pytest.param(cipher, radix, id=f"{cipher.name}-{radix}")
    for cipher in CIPHERS
    for radix in some_radices(cipher)
]


def simulated() -> Iterator[tuple[str, Architecture]]:
    """Name and architecture of each core."""
    for cipher, radix in (case.values for case in RADIX_CASES):
        yield cipher.name, Architecture.choose(cipher, radix=radix)
    for cipher, radix, options in (case.values for case in OPTION_CASES):
        yield cipher.name, Architecture.choose(cipher, radix=radix, options=options)
