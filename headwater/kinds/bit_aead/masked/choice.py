# SPDX-License-Identifier: Apache-2.0
"""The choice of a core in shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from headwater.cipher.description import Cipher
from headwater.cipher.option import DIRECTION, MASKING
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.stepped.masked.plan import check_radix, plan_of

_KEPT = ("stall", "clear", DIRECTION.name)
"""The options of a cipher that its masked core tells of."""


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
    legal = _legal_radices(cipher)
    radix = legal[0] if radix is None else radix
    check_radix(cipher, radix, legal)
    if load_width is not None:
        raise InputError(f"load width of a masked core is its radix, {radix}: leave it out")
    chosen = Architecture.choose(cipher, radix=radix, options=options)
    for name, value in chosen.chosen:
        if name not in _KEPT[1:] and value != cipher.defaults[name]:
            raise InputError(
                f"option {name} of a masked core of {cipher.name} must be "
                f"{cipher.defaults[name]}, not {value!r}"
            )
    if chosen.clear == "instant":
        raise InputError("option clear of a masked core must be shift or none, not 'instant'")
    kept = tuple((name, value) for name, value in chosen.chosen if name in _KEPT)
    return replace(chosen, load_width=radix, chosen=(*kept, (MASKING.name, masking)))


def masked_radices(cipher: Cipher) -> list[int]:
    """The radices of masked cores, which are powers of two."""
    return _legal_radices(cipher)


def _legal_radices(cipher: Cipher) -> list[int]:
    """The radices at which no step reads a bit that is made in the same cycle, and each phase of
    the setup is whole cycles.

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
    own = {
        name: plan.always
        for name, plan in plan_of(cipher, cipher.legal_radices()[0]).entering.items()
        if name != cipher.authenticator
    }
    output = plan_of(cipher, cipher.legal_radices()[0]).output
    for what, total in {"output": output, **own}.items():
        taps = (*total.stages, *(tap for one in total.products for tap in one.taps))
        if any(tap.register == cipher.authenticator for tap in taps):
            raise InputError(
                f"{what} of step of a masked core must read {cipher.authenticator} in the setup "
                f"alone, and that of {cipher.name} reads it in each step"
            )
