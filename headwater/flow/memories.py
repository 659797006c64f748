# SPDX-License-Identifier: Apache-2.0
"""A design without its large memories, which a chip has as macros, no cells.

Each module's large memories become one module below it, a black box; all other memories become
flip-flops when the design is mapped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headwater.flow.yosys import run_yosys

_LEAST_WORDS = 64
"""Words of the smallest memory that is taken to be a macro: more than registers or queues have."""
_BOX = "memories"
_DECLARED = re.compile(r"^\s*reg (?:\[(\d+):0\] )?\S+ +\[(\d+):0\];", re.MULTILINE)


@dataclass(frozen=True)
class Separated:
    """A design whose large memories are apart."""

    logic: str
    """Verilog of all else, and of the black boxes."""
    bits: int
    """Bits of the memories that are apart."""


def without_memories(
    sources: Mapping[str, str], top: str, folder: Path, options: Sequence[str] = ()
) -> Separated:
    """The Verilog below the module ``top`` without large memories; ``sources`` are its files by
    name, ``options`` those of the Verilog reader."""
    for name, text in sources.items():
        (folder / name).write_text(text)
    run_yosys(
        [
            " ".join(("read_verilog", *options, *sources)),
            f"hierarchy -check -top {top}",
            "proc",
            "opt_clean",
            # A register that a memory is read into is part of the memory.
            "memory_dff",
            "memory_collect",
            "opt_clean",
            f"select -set large t:$mem_v2 r:SIZE>={_LEAST_WORDS} %i",
            f'setattr -set submod "{_BOX}" @large',
            "submod",
            f"select *_{_BOX}",
            "write_verilog -noattr -selected memories.v",
            "select -clear",
            f"blackbox *_{_BOX}",
            "write_verilog -noattr logic.v",
            "write_verilog -blackboxes boxes.v",
        ],
        folder,
    )
    declared = _DECLARED.findall((folder / "memories.v").read_text())
    bits = sum((int(high or 0) + 1) * (int(last) + 1) for high, last in declared)
    logic = (folder / "boxes.v").read_text() + (folder / "logic.v").read_text()
    return Separated(logic, bits)
