# SPDX-License-Identifier: Apache-2.0
"""Cores in shares, and what two provers say of their Verilog, or of a changed one."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.kinds.masking import leakage_spec, masked_architecture
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.masked.facts import MaskedFacts
from headwater.leakage.cuts import with_cuts
from headwater.leakage.netlist import Netlist, read_netlist
from headwater.leakage.verdict import Verdict, verdict_of
from headwater.verify.masked_message import step_faults

_KREYVIUM = Path(__file__).parents[1] / "examples/kreyvium/headwater_kreyvium/kreyvium.py"

Core = tuple[Cipher, Architecture]


def masked(name: str, radix: int, **options: str) -> Core:
    """A core in two shares."""
    found = run_path(str(_KREYVIUM))["KREYVIUM"] if name == "kreyvium" else CATALOGUE[name]
    return found, masked_architecture(found, "first", radix=radix, options=options)


def facts(core: Core) -> MaskedFacts:
    """Its facts."""
    found = facts_of(*core)
    assert isinstance(found, MaskedFacts)
    return found


def netlist(text: str, folder: Path) -> Netlist:
    """Verilog of a core as gates."""
    (folder / "core.v").write_text(text)
    return read_netlist([folder / "core.v"])


def leakage(core: Core, text: str, folder: Path) -> Verdict:
    """What the checker of leakage says of it."""
    gates = netlist(text, folder)
    return verdict_of(gates, leakage_spec(*core, gates.wires))


def faults(core: Core, text: str, folder: Path) -> list[str]:
    """How it differs from the description."""
    gates = netlist(text, folder)
    return list(step_faults(facts(core), with_cuts(gates, leakage_spec(*core, gates.wires))))


def verilog(core: Core) -> str:
    """Its Verilog."""
    return generate(*core).text


def replaced(text: str, old: str, new: str) -> str:
    """A text with one of its parts, which it must have, replaced everywhere."""
    assert old in text
    return text.replace(old, new)


def without_register(text: str, name: str) -> str:
    """Verilog in which a register is a wire of what it took."""
    taken = re.search(rf"\n +{name} <= ([^;]*);", text)
    declared = re.search(rf"\n  reg (\[.*?\] )?{name};.*", text)
    assert taken
    assert declared
    moved = text.replace(taken[0], "")
    wire = f"\n  wire {declared[1] or ''}{name};"
    return moved.replace(declared[0], wire).replace(
        "endmodule", f"  assign {name} = {taken[1]};\nendmodule"
    )
