# SPDX-License-Identifier: Apache-2.0
"""The C driver of a source of random bits with registers on a bus."""

from __future__ import annotations

import textwrap

from headwater.emit.prng import seed_order
from headwater.emit.prng_bus import bus_name, prng_identity
from headwater.interface.prng_registers import PRNG_REGISTERS, after_reset
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.package.register_map import RegisterMap
from headwater.package.templating import rendered

_TOLD = 97
"""Width of what the head of the driver tells of a seed."""
_LOOKS = 1000
"""How often a driver looks for what the source has to do at least."""


def prng_register_map(shape: PrngShape, bus: str) -> RegisterMap:
    """The registers of a source on a bus."""
    title = f"{shape.amount} in each cycle, from {shape.cipher.title}"
    return RegisterMap(
        bus_name(shape, bus),
        title,
        PRNG_REGISTERS,
        prng_identity(shape),
        after_reset(shape.seed_words),
    )


def prng_driver_files(shape: PrngShape, bus: str, title: str) -> dict[str, str]:
    """The driver: file name to text."""
    name, setup = bus_name(shape, bus), shape.facts.setup_cycles
    values = {
        "name": name,
        "NAME": name.upper(),
        "top": name,
        "title": title,
        "register_rows": prng_register_map(shape, bus).rows,
        "identity": prng_identity(shape),
        "seed_order": _told_order(shape),
        "seed_words": shape.seed_words,
        "setup_cycles": setup,
        "patience": max(setup, _LOOKS),
    }
    return {f"{name}.{suffix}": rendered(f"prng_driver.{suffix}", **values) for suffix in "hc"}


def _told_order(shape: PrngShape) -> list[str]:
    """What the words of a seed hold, in lines, where they are a whole state."""
    if shape.seed_by != "state":
        return []
    return textwrap.wrap(f"A whole seed is the whole state. {seed_order(shape)}", _TOLD)
