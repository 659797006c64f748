# SPDX-License-Identifier: Apache-2.0
"""Nets of logic that are named as public: whatever makes them, they have any value from now on.

Such a net is an input from then on. So a controller of many states counts as the few bits by which
it drives the shares.
"""

from __future__ import annotations

from dataclasses import replace

from headwater.errors import InputError
from headwater.leakage.cones import Cones
from headwater.leakage.netlist import Bit, Netlist
from headwater.leakage.spec import Reader, Roles, Spec


def with_cuts(netlist: Netlist, spec: Spec) -> Netlist:
    """The netlist with the nets that are made by logic, and named as control, public or constant,
    as inputs."""
    reader, sources = Reader(netlist), set(netlist.sources)
    cut: dict[Bit, str] = {}
    for name in (*spec.control, *spec.public, *spec.constant):
        for bit in reader.bits(name).values():
            if netlist.source_of(bit) not in sources and bit != netlist.clock:
                cut[bit] = netlist.names[bit]
    if not cut:
        return netlist
    return replace(
        netlist,
        inputs={**netlist.inputs, **{name: (bit,) for bit, name in cut.items()}},
        gates=tuple(gate for gate in netlist.gates if gate.output not in cut),
    )


def check_cuts(whole: Netlist, cut: Netlist, roles: Roles) -> None:
    """Refuse a net that was made an input and that something else than public bits makes."""
    before, public = Cones(whole), roles.public | {*roles.control, *roles.constant}
    sources = set(whole.sources)
    for bit in set(cut.sources) - sources:
        secret = next((one for one in before.members(before.of[bit]) if one not in public), None)
        if secret is not None:
            raise InputError(
                f"{whole.names[bit]} must be made of public bits alone, not of "
                f"{whole.names[secret]}"
            )
