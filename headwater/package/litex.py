# SPDX-License-Identifier: Apache-2.0
"""A core on Wishbone as a module of LiteX."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.errors import InputError
from headwater.interface.module_port import ModulePort
from headwater.package.templating import rendered

INTERFACE = "wishbone"
"""The interface that LiteX takes."""

_CONNECTED = {
    "clk": 'ClockSignal("sys")',
    "rst": 'ResetSignal("sys")',
    "wb_cyc_i": "self.bus.cyc",
    "wb_stb_i": "self.bus.stb",
    "wb_we_i": "self.bus.we",
    "wb_adr_i": "self.bus.adr[:{adr}]",
    "wb_sel_i": "self.bus.sel",
    "wb_dat_i": "self.bus.dat_w",
    "wb_dat_o": "self.bus.dat_r",
    "wb_ack_o": "self.bus.ack",
    "wb_err_o": "self.bus.err",
    "irq": "self.ev.core.trigger",
}
"""What each port of the module on Wishbone is in LiteX."""


def litex_module(
    core: str, top: str, title: str, sources: Sequence[str], ports: Sequence[ModulePort]
) -> dict[str, str]:
    """The file ``{core}_litex.py``.

    Parameters
    ----------
    core, top
        The core's module, and the one on Wishbone.
    sources
        Names of the Verilog files beside it.
    ports
        Those of the module on Wishbone; addresses are of words.
    """
    (address,) = (port for port in ports if port.name == "wb_adr_i")
    connections = {
        f"{port.direction[0]}_{port.name}": _CONNECTED[port.name].format(adr=address.bits)
        for port in ports
    }
    text = rendered(
        "litex.py.jinja",
        core=core,
        top=top,
        title=title,
        sources=sources,
        module=f"{core}_litex",
        name="".join(word.capitalize() for word in core.split("_")),
        instance=core,
        base=f"{core.upper()}_BASE",
        size=4 << address.bits,
        connections=connections,
    )
    return {f"{core}_litex.py": text}


def check_litex(interface: str) -> None:
    """Refuse a module for LiteX of another interface than Wishbone."""
    if interface != INTERFACE:
        raise InputError(f"a module for LiteX must be of interface {INTERFACE}, not {interface}")
