# SPDX-License-Identifier: Apache-2.0
"""The netlist of a core, with what is said of its signals."""

from __future__ import annotations

from dataclasses import dataclass

from amaranth.back import rtlil
from amaranth.hdl import Signal

from headwater.core.component import Core
from headwater.core.function import FunctionCollection
from headwater.emit.circuit import Circuit, Wording
from headwater.emit.netlist import Netlist, read_netlists
from headwater.flow.folders import private_folder
from headwater.flow.yosys import run_yosys

_PASSES = (
    "read_rtlil core.il",
    "proc -noopt",
    "opt_expr",
    "opt_merge",
    "opt_clean",
    "write_json core.json",
)


@dataclass(frozen=True)
class CoreNetlist:
    """The module of a core, the modules without registers that it instantiates, and the wording of
    its signals."""

    netlist: Netlist
    functions: list[Netlist]
    wording: Wording

    @property
    def circuit(self) -> Circuit:
        """The core as it is printed."""
        return Circuit(self.netlist, self.functions, self.wording)


def core_netlist(core: Core, name: str) -> CoreNetlist:
    """The netlist of a core, as a module of this name."""
    signals = [value for _, _, value in core.signature.flatten(core) if isinstance(value, Signal)]
    # Constants are inputs of the netlist, so that they stay whole and keep their names.
    constants = list(core.constants.values())
    functions = FunctionCollection()
    ports = [*signals, *constants]
    text = rtlil.convert(core, name=name, platform=functions, ports=ports, emit_src=False)
    netlists = netlists_of(text + functions.as_rtlil())
    wording = Wording(
        ports=("clk", "rst", *(signal.name for signal in signals)),
        state=tuple(register.name for register in core.secrets),
        order=_signals_of(text),
        notes=core.notes,
        constants={signal.name: signal.init for signal in constants},
        reset_at_once=core.resets_at_once,
        last=core.assigned_last,
    )
    return CoreNetlist(netlists.pop(name), list(netlists.values()), wording)


def _signals_of(text: str) -> tuple[str, ...]:
    """The signals of a module in RTLIL, in the order in which the core has made use of them."""
    wires = (line.split() for line in text.splitlines() if line.startswith("  wire "))
    return tuple(words[-1].removeprefix("\\") for words in wires)


def netlists_of(text: str) -> dict[str, Netlist]:
    """The modules of a design in RTLIL, by name, without processes."""
    with private_folder() as folder:
        (folder / "core.il").write_text(text)
        run_yosys(_PASSES, folder)
        return read_netlists(folder / "core.json")
