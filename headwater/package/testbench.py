# SPDX-License-Identifier: Apache-2.0
"""A self-checking testbench for an IP as it is delivered, through its own ports."""

from __future__ import annotations

from headwater.interface.registers import INSTRUCTIONS
from headwater.package.ip import Ip
from headwater.package.script import script_of
from headwater.package.stream_testbench import CYCLE_LIMIT
from headwater.package.templating import rendered

_BUSES = {"": "request", "wishbone_port": "wishbone", "axi4lite_port": "axi4lite"}
"""The template of the tasks that use a bus, by the module that translates it."""


def bus_testbench(ip: Ip) -> str:
    """The module ``{top}_tb`` in SystemVerilog. It prints "PASS"; or "FAIL" and why, and ends with
    ``$fatal``."""
    ports = ip.port.signals
    clock, reset = ports[0].name, ports[1].name
    active_low = reset.endswith("n")
    return rendered(
        "testbench.sv",
        top=ip.top,
        ports=ports,
        clock=clock,
        reset=reset,
        initial=int(not active_low),
        released=f"1'b{int(active_low)}",
        bus="instructions" if ip.port.instruction else _BUSES[ip.port.bus.adapter],
        dma=ip.port.dma,
        pairs=ip.port.pairs,
        registers=ip.registers,
        funct3={entry.name: entry.value for entry in INSTRUCTIONS},
        script=script_of(ip),
        cycle_limit=CYCLE_LIMIT,
    )
