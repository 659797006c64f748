# SPDX-License-Identifier: Apache-2.0
"""The choice of a core in shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from headwater.cipher.description import Cipher
from headwater.cipher.option import MASKING
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.stepped.masked.plan import check_radix, legal_radices, plan_of
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

_OPTIONS = ("stall", "clear", "datapath")
"""The options of a cipher that its masked core has, too."""


def masked_architecture(
    cipher: Cipher,
    masking: str,
    *,
    radix: int | None = None,
    load_width: int | None = None,
    options: Mapping[str, str] | None = None,
) -> Architecture:
    """The architecture of a core in shares; an error names what is not legal.

    Parameters
    ----------
    radix
        Steps at once; by default one. Load words have as many bits, of each share.
    load_width
        Must be left out.
    options
        ``stall``, ``clear`` and ``datapath`` alone.
    """
    legal = legal_radices(cipher)
    radix = cipher.legal_radices()[0] if radix is None else radix
    check_radix(cipher, radix, legal)
    assert isinstance(cipher, ShiftRegisterCipher)
    plan = plan_of(cipher, radix)
    if load_width is not None:
        raise InputError(f"load width of a masked core is its radix, {plan.radix}: leave it out")
    chosen = Architecture.choose(cipher, radix=plan.radix, options=options)
    for name, value in chosen.chosen:
        if name not in _OPTIONS and value != cipher.defaults[name]:
            raise InputError(
                f"option {name} of a masked core must be {cipher.defaults[name]}, not {value!r}"
            )
    if chosen.clear == "instant":
        raise InputError("option clear of a masked core must be shift or none, not 'instant'")
    if chosen.stall == "none" and plan.waits:
        raise InputError(
            f"option stall of a masked core of {cipher.name} at radix {plan.radix} must be stream, "
            f"not 'none': each step waits {plan.waits} cycles for its products"
        )
    kept = tuple((name, value) for name, value in chosen.chosen if name in _OPTIONS)
    return replace(chosen, load_width=plan.radix, chosen=(*kept, (MASKING.name, masking)))


def masked_radices(cipher: Cipher) -> list[int]:
    """The powers of two among the radices of masked cores."""
    return [radix for radix in legal_radices(cipher) if radix.bit_count() == 1]
