# SPDX-License-Identifier: Apache-2.0
"""A source of random bits as portable C99, clock cycle by clock cycle: its core, printed from the
circuit of the Verilog, once or several times, and what the module on top does around it."""

from __future__ import annotations

from pathlib import Path

from headwater.emit.c_core import CCore
from headwater.emit.c_expression import LIMB, limbs_of, number
from headwater.emit.core_netlist import core_netlist
from headwater.emit.prng import core_name, described, top_name
from headwater.kinds.stepped.prng.core import PrngCore
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.templating import Templates

_RENDERED = Templates(Path(__file__).with_name("templates")).rendered


def prng_c_files(shape: PrngShape) -> dict[str, str]:
    """The header ``TOP.h`` and the file ``TOP.c``. ``TOP_step`` makes a clock cycle."""
    top = top_name(shape)
    core = CCore(core_name(shape), core_netlist(PrngCore(shape.facts), core_name(shape)).circuit)
    values = described(shape) | {
        "TOP": top.upper(),
        "structures": core.structures(),
        "definition": core.definition(),
        "limbs_of": limbs_of,
        "ones": _ones,
        "array": _array,
    }
    return {f"{top}{end}": _RENDERED(f"prng_c{end}", **values) for end in (".h", ".c")}


def _array(width: int) -> str:
    """The size of a member of so many bits."""
    return f"[{limbs_of(width)}]" if width > LIMB else ""


def _ones(width: int) -> str:
    """A mask of the lowest bits."""
    return number((1 << width) - 1)
