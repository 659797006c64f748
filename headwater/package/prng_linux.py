# SPDX-License-Identifier: Apache-2.0
"""The Linux driver of a source of random bits with registers on a bus."""

from __future__ import annotations

from headwater.emit.prng_bus import bus_name, prng_identity
from headwater.interface.prng_registers import PRNG_REGISTERS
from headwater.interface.registers import WORD_BITS
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.package.prng_driver import prng_register_map
from headwater.package.templating import rendered

FOLDER = "linux"
"""Where the files are: the driver in C has the same name."""


def prng_linux_files(shape: PrngShape, bus: str, title: str) -> dict[str, str]:
    """A module for hw_random, its Kbuild file, and a node of the device tree: file name to text."""
    name = bus_name(shape, bus)
    values = {
        "name": name,
        "NAME": name.upper(),
        "top": name,
        "title": title,
        "compatible": f"headwater,{name.replace('_', '-')}",
        "register_rows": prng_register_map(shape, bus).rows,
        "identity": prng_identity(shape),
        "seed_words": shape.seed_words,
        "setup_cycles": shape.facts.setup_cycles,
        "span": PRNG_REGISTERS[-1].address + WORD_BITS // 8,
    }
    files = {
        f"{name}.{suffix}": rendered(f"prng_linux.{suffix}", **values) for suffix in ("c", "dtsi")
    }
    files["Kbuild"] = f"obj-m := {name}.o\n"
    return {f"{FOLDER}/{file}": text for file, text in files.items()}
