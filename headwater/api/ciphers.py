# SPDX-License-Identifier: Apache-2.0
"""The ciphers of the catalogue, to use and to build cores of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from headwater.api.core import Core
from headwater.api.operations import Operations
from headwater.api.random_bits import RandomBits
from headwater.cipher import outside
from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.description import Cipher as Description
from headwater.cipher.keywords import check_name_of_files
from headwater.cipher.tdma import count_of, iv_of_count
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.errors import InputError, between, unknown
from headwater.interface import INTERFACES
from headwater.interface.architecture import check_port, coprocessor_architecture
from headwater.interface.port import PORTS
from headwater.kinds.masking import masked_architecture
from headwater.kinds.stepped.prng.shape import LOCKUPS, RESETS, SEEDS, PrngShape
from headwater.report.picture import picture
from headwater.verify.fast_engine import FastEngine


class Cipher(Operations):
    """A cipher: its facts, its cores, and what it does with keys and texts, by the model or by the
    generated C where the model would take long.

    Attributes
    ----------
    description : headwater.cipher.description.Cipher
        What everything is derived from.
    """

    def __init__(self, description: Description) -> None:
        super().__init__(description, FastEngine)

    def __repr__(self) -> str:
        return f"<{self.description.title}>"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the registers and taps, where there are any."""
        return picture(self.description) or None

    @property
    def name(self) -> str:
        """The name in the catalogue."""
        return self.description.name

    @property
    def facts(self) -> dict[str, Any]:
        """The data sheet, that of the core of the default architecture included: title, source,
        security, lengths, conventions, registers, radices, cycles, ports."""
        return datasheet(self.description, Architecture.choose(self.description))

    def iv_of(self, **fields: int) -> bytes:
        """The IV that a mode of mobile telephony packs from its fields: ``count``, ``bearer`` or
        ``fresh``, and ``direction``. Of A5/1: from ``count``, 22 bits, or from ``tdma_frame``, the
        number of the TDMA frame that COUNT is made of."""
        if self.description.numbers_frames:
            return self._iv_of_frame(fields)
        wanted = dict(self.description.call_fields)
        if fields.keys() != wanted.keys():
            names = ", ".join(wanted) or "no fields: its IV is given as a whole"
            raise InputError(f"IV of {self.name} must be made of {names}")
        for name, value in fields.items():
            between(0, (1 << wanted[name]) - 1, name, value)
        return self.description.pack_iv(*(fields[name] for name in wanted))

    def _iv_of_frame(self, fields: Mapping[str, int]) -> bytes:
        if list(fields) not in (["count"], ["tdma_frame"]):
            raise InputError(f"IV of {self.name} must be made of count or tdma_frame")
        (number,) = fields.values()
        return iv_of_count(self.description, count_of(number) if "tdma_frame" in fields else number)

    def core(
        self,
        radix: int | None = None,
        *,
        load_width: int | None = None,
        interface: str = "stream",
        target: str | None = None,
        name: str | None = None,
        masking: str | None = None,
        **options: str | int,
    ) -> Core:
        """The core of one architecture; what is not chosen has its default.

        Parameters
        ----------
        radix
            Bits per clock cycle.
        load_width
            Key and IV bits per clock cycle.
        interface
            What the core is put behind: a name that ``headwater list interfaces`` prints.
        target
            What the core is for: a name that ``headwater list targets`` prints. Some options have
            another default on FPGAs.
        name
            What its module, those around it, macros and functions of C begin with; by default
            cipher and radix, as ``trivium_r64``.
        masking
            ``first``: key, state and keystream are in two shares; see docs/masking.md. Such a core
            has no interface around it yet.
        options
            As ``headwater list options CIPHER`` prints them: ``stall="none"``.
        """
        if interface not in INTERFACES:
            raise unknown("interface", interface, INTERFACES)
        if interface == "prng":
            raise InputError(
                "interface prng must be made by random_bits, not by core: its radix "
                "and load width follow from the number of bits"
            )
        if masking is not None and interface != "stream":
            raise InputError(
                f"interface of a masked core must be stream, not {interface!r}: none "
                "takes a key in shares yet"
            )
        values = {name: str(value) for name, value in options.items()}

        def chosen(values: Mapping[str, str]) -> Architecture:
            if masking is not None:
                return masked_architecture(
                    self.description, masking, radix=radix, load_width=load_width, options=values
                )
            if interface in PORTS:
                return coprocessor_architecture(self.description, radix, load_width, values)
            return Architecture.choose(
                self.description, radix=radix, load_width=load_width, options=values
            )

        architecture = _for_target(target, self.description, values, chosen)
        if interface in PORTS:
            check_port(self.description, architecture, PORTS[interface])
        return Core(self.description, architecture, interface, name)

    def random_bits(
        self,
        bits: int,
        *,
        instances: int | None = None,
        seed_width: int | None = None,
        reset: str = RESETS[0],
        state_port: bool = False,
        lockup: str = LOCKUPS[0],
        seed_by: str = SEEDS[0],
        name: str | None = None,
    ) -> RandomBits:
        """The cipher as a source of random bits for masking, of shift-register ciphers.

        Parameters
        ----------
        bits
            Bits per clock cycle, 1 to 1024.
        instances
            Cores side by side, each with its share of the bits; by default as few as can make them.
        seed_width
            Bits of a seed word: 32 or 64.
        reset
            ``sync``: at a clock edge. ``async``: it begins at once, and ends at a clock edge.
        state_port
            Whether the state can be read and written, so that a source can be suspended.
        lockup
            ``watch``: a state that is stuck at zero gets a one, and ``error`` tells of it.
            ``none``: nothing looks for it. ``words``: as ``watch``, when it has made words of
            zeros (Trivium and Bivium, 64 bits in each core at least).
        seed_by
            ``key``: a seed is key and IV. ``state``: it is every bit of the state, and no setup
            follows.
        name
            What its modules begin with; by default cipher and bits, as ``trivium_prng64``.
        """
        if name is not None:
            check_name_of_files("source", name)
        shape = PrngShape.choose(
            self.description,
            bits,
            instances=instances,
            reset=reset,
            seed_width=seed_width,
            state_port=state_port,
            lockup=lockup,
            seed_by=seed_by,
            name=name,
        )
        return RandomBits(shape)


def _for_target(
    target: str | None,
    cipher: Description,
    values: Mapping[str, str],
    chosen: Callable[[Mapping[str, str]], Architecture],
) -> Architecture:
    if target is None:
        return chosen(values)
    # Here, since it brings what runs tools: without a target a core is made sooner.
    from headwater.measure.chosen import made_for
    from headwater.measure.target import find

    return made_for(find(target), cipher, values, chosen)


def cipher(name: str, **parameters: str | int) -> Cipher:
    """The cipher of that name; ``parameters`` are choices that change its output, such as
    ``rounds=12`` of Salsa20."""
    outside.add_installed()
    description = find(name)
    legal = {option.name: option.values for option in description.parameters}
    values = {parameter: str(value) for parameter, value in parameters.items()}
    for parameter, value in values.items():
        if parameter not in legal:
            raise unknown(f"parameter of {name}", parameter, legal)
        if value not in legal[parameter]:
            raise unknown(f"parameter {parameter}", value, legal[parameter])
    return Cipher(description.with_parameters(values))


def ciphers() -> list[Cipher]:
    """Every cipher of the catalogue; the unbroken ones first."""
    outside.add_installed()
    return [Cipher(one) for one in sorted(CATALOGUE.values(), key=lambda one: one.broken)]


def add_cipher_file(path: str | Path) -> None:
    """Add the ciphers of a Python file, which is executed, to the catalogue."""
    outside.add_file(Path(path))
