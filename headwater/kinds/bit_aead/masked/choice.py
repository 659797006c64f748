# SPDX-License-Identifier: Apache-2.0
"""The choice of a core in shares."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.cipher.description import Cipher
from headwater.cipher.option import DIRECTION
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.stepped.masked.choice import chosen_in_shares
from headwater.kinds.stepped.masked.plan import check_radix, plan_of

_FREE = ("clear", DIRECTION.name)
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
        ``clear`` and ``direction`` alone.
    """
    legal = masked_radices(cipher)
    radix = legal[0] if radix is None else radix
    check_radix(cipher, radix, legal)
    return chosen_in_shares(
        cipher, masking, radix, load_width, options, free=_FREE, fixed=("stall",)
    )


def masked_radices(cipher: Cipher) -> list[int]:
    """The radices of masked cores: those at which no step reads a bit that is made in the same
    cycle, and each phase of the setup is whole cycles.

    Raises
    ------
    InputError
        If the cipher cannot be masked yet; with the reason.
    """
    assert isinstance(cipher, BitAead)
    _check_step(cipher)
    return [
        radix
        for radix in cipher.legal_radices()
        if radix <= cipher.natural_radix and not any(one.steps % radix for one in cipher.phases)
    ]


def _check_step(cipher: BitAead) -> None:
    """Refuse a step that is more than a core in shares makes."""
    if cipher.rewrites or any(register.setup_only for register in cipher.registers):
        raise InputError(
            f"cipher of a masked core must have a setup that changes no register but by steps, "
            f"and none for its setup alone, and {cipher.name} has another one"
        )
    plan = plan_of(cipher, cipher.legal_radices()[0])
    sums = {"output": plan.output} | {name: one.always for name, one in plan.entering.items()}
    sums.pop(cipher.authenticator)
    for what, total in sums.items():
        taps = (*total.stages, *(tap for one in total.products for tap in one.taps))
        if any(tap.register == cipher.authenticator for tap in taps):
            raise InputError(
                f"{what} of step of a masked core must read {cipher.authenticator} in the setup "
                f"alone, and that of {cipher.name} reads it in each step"
            )
