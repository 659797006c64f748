# SPDX-License-Identifier: Apache-2.0
"""The choice of a core in shares."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.shares import choice_in_shares
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
    chosen = chosen_in_shares(cipher, masking, radix, load_width, options, free=_OPTIONS)
    plan = plan_of(cipher, radix)
    if chosen.stall == "none" and plan.waits:
        raise InputError(
            f"option stall of a masked core of {cipher.name} at radix {radix} must be stream, "
            f"not 'none': each step waits {plan.waits} cycles for its products"
        )
    return chosen


def chosen_in_shares(
    cipher: Cipher,
    masking: str,
    radix: int,
    load_width: int | None,
    options: Mapping[str, str] | None,
    *,
    free: Collection[str],
    fixed: Collection[str] = (),
) -> Architecture:
    """The architecture at a legal radix. Options that are not ``free`` must have their defaults; it
    tells of the free and the ``fixed`` ones."""
    if load_width is not None:
        raise InputError(f"load width of a masked core is its radix, {radix}: leave it out")
    chosen = Architecture.choose(cipher, radix=radix, options=options)
    for name, value in chosen.chosen:
        if name not in free and value != cipher.defaults[name]:
            raise InputError(
                f"option {name} of a masked core of {cipher.name} must be "
                f"{cipher.defaults[name]}, not {value!r}"
            )
    return choice_in_shares(replace(chosen, load_width=radix), masking, {*free, *fixed})


def masked_radices(cipher: Cipher) -> list[int]:
    """The powers of two among the radices of masked cores."""
    return [radix for radix in legal_radices(cipher) if radix.bit_count() == 1]
