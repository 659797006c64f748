# SPDX-License-Identifier: Apache-2.0
"""All files of a package beside the Verilog."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.emit.fusesoc import fusesoc_core
from headwater.interface.module_port import pins_of
from headwater.package.area import Areas
from headwater.package.cocotb_tests import cocotb_files
from headwater.package.component import component
from headwater.package.design import Design
from headwater.package.driver import driver_files, use_of
from headwater.package.ip import Ip
from headwater.package.key_driver import key_driver_files, key_use_of
from headwater.package.key_ip import KeyIp
from headwater.package.packet_driver import packet_driver_files, packet_use_of
from headwater.package.readme import constraints, readme
from headwater.package.register_map import register_map
from headwater.package.stream_testbench import stream_testbench
from headwater.package.testbench import bus_testbench
from headwater.package.timing import diagram, shown_load_words
from headwater.package.vhdl import vhdl_files
from headwater.report.points import Point


def package_files(
    design: Design, points: Sequence[Point], areas: Areas | None = None
) -> dict[str, str]:
    """The files of a package, the Verilog and the core's testbench excepted.

    Parameters
    ----------
    design
        What is put into it.
    points
        What was measured of the core.
    areas
        What core and interface take, if that was measured.
    """
    top, ip, facts = design.top, design.ip, design.facts
    files = _for_processor(ip) if isinstance(ip, Ip) else _for_streams(design)
    whole = f"{top}_tb.sv"
    benches = {"sim": whole} if whole in files else {}
    benches["sim_core" if benches else "sim"] = design.core_testbench
    clock = "aclk" if any(port.name == "aclk" for port in design.ports) else "clk"
    title = design.cipher.title
    on_bus = (
        None if ip is None or (isinstance(ip, Ip) and ip.port.instruction) else register_map(ip)
    )
    files |= {
        f"{top}.core": fusesoc_core(
            top, title, list(design.rtl), benches, pins_of(design.ports), constraints=f"{top}.sdc"
        ),
        **constraints(top, clock, points),
        **vhdl_files(top, title, design.ports),
        f"{top}_component.xml": component(top, title, design.ports, list(design.rtl), on_bus),
        design.timing_file: diagram(facts, shown_load_words(design.cipher, facts)),
    }
    files |= cocotb_files(design)
    named = [*design.rtl, design.core_testbench, *files]
    listed = [(name, _meaning(name, design)) for name in named]
    return files | {"README.md": readme(design, listed, points, areas, _use(design))}


def _for_processor(ip: Ip) -> dict[str, str]:
    """The driver, the register map and the testbench of the whole."""
    return {
        **driver_files(ip),
        **register_map(ip).files(),
        f"{ip.top}_tb.sv": bus_testbench(ip),
    }


def _for_streams(design: Design) -> dict[str, str]:
    """The testbench of the whole, where packets bring the text; where registers take the key also
    their driver and map."""
    if not any(port.name == "aclk" for port in design.ports):
        return {}
    key = design.ip if isinstance(design.ip, KeyIp) else None
    text = stream_testbench(design, key)
    by_registers = {**_key_driver(key, design), **register_map(key).files()} if key else {}
    return {**by_registers, f"{design.top}_tb.sv": text}


def _key_driver(ip: KeyIp, design: Design) -> dict[str, str]:
    return packet_driver_files(ip, design.packets) if design.packets else key_driver_files(ip)


def _use(design: Design) -> str:
    """How the driver is used; empty where there is none."""
    ip, packets = design.ip, design.packets
    if isinstance(ip, KeyIp):
        return packet_use_of(ip, packets) if packets else key_use_of(ip)
    return use_of(ip) if ip else ""


def _meaning(name: str, design: Design) -> str:
    """What a file is, in a few words."""
    top = design.top
    known = {
        f"{design.core}.v": "the core",
        f"{top}.v": "the module on top",
        design.core_testbench: "testbench of the core alone",
        f"{top}_tb.sv": "testbench of the whole, through its own ports",
        f"{top}.rdl": "the registers, in SystemRDL",
        f"{top}_registers.md": "the registers, to read",
        f"{top}.hjson": "the registers, in Hjson",
        f"{top}_component.vhd": "the module on top as a component of VHDL",
        f"{top}_example.vhd": "an instance of it in VHDL",
        f"{top}_component.xml": "ports, buses, registers and files, in IP-XACT",
        f"{top}.core": "the core file for FuseSoC",
        f"{top}.sdc": "constraints: the clock",
        f"{top}.xdc": "the same for Vivado",
        design.timing_file: "a timing diagram of the core, for WaveDrom",
        f"{design.core}_model.py": "the C model of the core as Python",
        f"test_{design.core}.py": "test of the core in cocotb, beside its C model",
        f"test_{top}.py": "test of the whole in cocotb, by the C driver"
        if isinstance(design.ip, Ip)
        else "test of the core in cocotb, beside its C model",
        **{f"{design.core}_model.{ending}": "the core in C" for ending in "ch"},
    }
    ending = {".h": "the C driver", ".c": "the C driver"}
    return known.get(name) or ending.get(name[-2:], "a part of the module on top")
