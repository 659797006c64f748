# SPDX-License-Identifier: Apache-2.0
"""Cores in shares of all kinds: what they are chosen by, and what their signals are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from headwater.cipher.description import Cipher
from headwater.cipher.option import MASKING
from headwater.core.architecture import Architecture
from headwater.errors import unknown
from headwater.kinds.registry import facts_of, masked_part
from headwater.leakage.spec import Spec

_PARTS = ("", "datapath.", "controller.")
"""What stands before a name: nothing in a core of one module; the instance that has it in a core of
several, and in a netlist that was mapped so."""
_PORTS = {"loading": "load_ready", "running": "keystream_valid", "tagging": "tag_valid"}
"""Ports that show a register of the control, where it has no name of its own in a netlist."""


def masked_architecture(
    cipher: Cipher,
    masking: str,
    *,
    radix: int | None = None,
    load_width: int | None = None,
    options: Mapping[str, str] | None = None,
) -> Architecture:
    """The architecture of a core in shares.

    Parameters
    ----------
    masking
        ``first``: two shares.
    radix, load_width, options
        By default, those of the plain core; which are legal depends on the kind.

    Raises
    ------
    InputError
        If the cipher cannot be masked yet, or not so.
    """
    if masking != MASKING.values[-1]:
        raise unknown("masking", masking, MASKING.values[1:])
    architecture: Architecture = masked_part(cipher, "choice").masked_architecture(
        cipher, masking, radix=radix, load_width=load_width, options=options
    )
    return architecture


def masked_radices(cipher: Cipher) -> list[int]:
    """The powers of two among the radices of masked cores of a cipher; see `masked_architecture`
    for errors."""
    radices: list[int] = masked_part(cipher, "choice").masked_radices(cipher)
    return radices


def leakage_spec(cipher: Cipher, architecture: Architecture, wires: Collection[str]) -> Spec:
    """The specification of a core in shares, of its RTL or of a netlist, in which signals have the
    names ``wires``."""
    spec: Spec = masked_part(cipher, "roles").spec_of(facts_of(cipher, architecture), Names(wires))
    return spec


class Names:
    """Names in a netlist, by those in one module."""

    def __init__(self, wires: Collection[str]) -> None:
        self._wires = wires

    def __call__(self, name: str) -> str:
        """The name that a signal has."""
        return next(self.all_of(name), name)

    def all_of(self, name: str) -> Iterator[str]:
        """Every name of a signal, none if it is not there: parts may each have a copy of a
        register."""
        names = [f"{part}{name}" for part in _PARTS if f"{part}{name}" in self._wires]
        yield from names or {_PORTS.get(name, name)}.intersection(self._wires)
