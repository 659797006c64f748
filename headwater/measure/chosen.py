# SPDX-License-Identifier: Apache-2.0
"""What is chosen of a core, whatever its target: options that are not chosen may have another
default on FPGAs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.masking import masked_architecture
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings
from headwater.measure.target import FpgaTarget, Target

Make = Callable[[Mapping[str, str]], Architecture]
"""Makes an architecture of options; an error if they are not legal."""


def made_for(
    target: Target, cipher: Cipher, options: Mapping[str, str], make: Make
) -> Architecture:
    """What ``make`` makes of the options and of the target's own defaults."""
    return _on_fpga(cipher, options, make) if isinstance(target, FpgaTarget) else make(options)


def _on_fpga(cipher: Cipher, options: Mapping[str, str], make: Make) -> Architecture:
    """The defaults of FPGAs are taken, each where it is legal."""
    architecture, chosen = make(options), dict(options)
    for name, value in cipher.best_on_fpga.items():
        if name not in options:
            with suppress(InputError):
                architecture = make({**chosen, name: value})
                chosen[name] = value
    return architecture


@dataclass(frozen=True)
class Chosen:
    """A cipher and the architecture that one choice stands for, in cells and on an FPGA."""

    cipher: Cipher
    in_cells: Architecture
    on_fpga: Architecture

    @classmethod
    def choose(
        cls, cipher: Cipher, radix: int | None, load_width: int | None, options: Mapping[str, str]
    ) -> Chosen:
        """What a choice stands for; an error if it is not legal."""

        def made(values: Mapping[str, str]) -> Architecture:
            return Architecture.choose(cipher, radix=radix, load_width=load_width, options=values)

        on_fpga = _on_fpga(cipher, options, made)
        return cls(cipher.with_parameters(options), made(options), on_fpga)

    @classmethod
    def masked(
        cls, cipher: Cipher, radix: int | None, options: Mapping[str, str], masking: str
    ) -> Chosen:
        """A core in shares; an error if it is not legal."""
        architecture = masked_architecture(cipher, masking, radix=radix, options=options)
        return cls(cipher.with_parameters(options), architecture, architecture)

    @classmethod
    def source(cls, cipher: Cipher, shape: PrngShape) -> Chosen:
        """A source of random bits of a cipher."""
        return cls(cipher, shape.choices, shape.choices)

    @property
    def bits_per_cycle(self) -> float:
        """Bits of keystream, or of an authenticated message, in each clock cycle: on every target
        the same."""
        return facts_of(self.cipher, self.in_cells).bits_per_cycle

    def at(self, target: Target, settings: Settings) -> DesignPoint:
        """The design point on a target."""
        architecture = self.on_fpga if isinstance(target, FpgaTarget) else self.in_cells
        return DesignPoint(self.cipher, architecture, target, settings)
