# SPDX-License-Identifier: Apache-2.0
"""A design as a component of IP-XACT (IEEE 1685-2014): ports, buses, registers and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from headwater import __version__
from headwater.interface.module_port import ModulePort
from headwater.package.register_map import RegisterMap
from headwater.package.templating import rendered

_SLAVE, _MASTER = "slave", "master"
_ADDRESSES = 256
"""Bytes of addresses that registers take."""
_TYPES = {
    "s_axi": ("AXI4-Lite", "amba.com", "AMBA4", "AXI4-Lite", "r0p0_0"),
    "axis": ("AXI4-Stream", "amba.com", "AMBA4", "AXI4Stream", "r0p0_1"),
    "wb": ("Wishbone", "opencores.org", "interface", "wishbone", "b4"),
}
"""What the ports of a bus begin with: its name, and that of its definition: vendor, library, name
and version. Ports of other buses belong to none here."""
_ACCESS = {
    "r": ("read-only", ""),
    "w": ("write-only", ""),
    "rw": ("read-write", ""),
    "1": ("read-write", "oneToClear"),
    "e": ("write-only", ""),
}
"""How software may use a field, and what a write does that is no plain one. That something else
happens by a read or a write (`modify`) is not told: readers of registers take that of external ones
alone, which IP-XACT does not know. Such fields are volatile."""


@dataclass(frozen=True)
class BusInterface:
    """The ports of a bus.

    Members
    -------
    name, mode : str
    definition : tuple of str
        See `_TYPES`.
    ports : mapping of str to str
        The logical name of each port.
    """

    name: str
    mode: str
    definition: tuple[str, ...]
    ports: Mapping[str, str]


def component(
    top: str,
    title: str,
    ports: Sequence[ModulePort],
    rtl: Sequence[str],
    registers: RegisterMap | None,
) -> str:
    """The text of ``{top}_component.xml``.

    Parameters
    ----------
    top, title
        The module on top, and what it is, in a line.
    ports
        Those of this module.
    rtl
        Names of the files of Verilog.
    registers
        Its registers; None if it has none that a bus reaches.
    """
    buses = list(_buses(ports))
    return rendered(
        "component.xml",
        top=top,
        title=title,
        version=__version__,
        ports=ports,
        rtl=rtl,
        buses=buses,
        registers=registers.rows if registers else (),
        size=_ADDRESSES,
        mapped=[bus.name for bus in buses if bus.ports.keys() & {"s_axi_araddr", "wb_adr_i"}],
        access=_ACCESS,
        escape=escape,
        constants=list(registers.identity) if registers else (),
    )


def _buses(ports: Sequence[ModulePort]) -> Iterator[BusInterface]:
    """The buses, in the order of their first ports."""
    buses: dict[str, list[str]] = {}
    for port in ports:
        prefix = _prefix(port.name)
        if prefix:
            buses.setdefault(prefix, []).append(port.name)
    for prefix, names in buses.items():
        kind = "axis" if "_axis_" in prefix else prefix.rstrip("_")
        mode = _MASTER if prefix.startswith("m_") else _SLAVE
        logical = {name: name.removeprefix(prefix).upper() for name in names}
        yield BusInterface(prefix.rstrip("_"), mode, _TYPES[kind], logical)


def _prefix(port: str) -> str:
    """What the names of all ports of the same bus begin with; empty for a port of none."""
    if "_axis_" in port:
        return port[: port.rindex("_") + 1]
    return next((f"{one}_" for one in _TYPES if port.startswith(f"{one}_")), "")
