# SPDX-License-Identifier: Apache-2.0
"""The files of a core: its Verilog behind an interface, and what goes with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headwater.cipher.description import Cipher
from headwater.emit.fusesoc import fusesoc_core
from headwater.emit.testbench import testbench
from headwater.errors import InputError, unknown
from headwater.interface import INTERFACES
from headwater.interface.axi4stream import KEY_WAYS, axi4_stream
from headwater.interface.core_shape import check_output_ends, shape_of
from headwater.interface.module_port import ModulePort, bits_of_core, pins_of
from headwater.interface.packets import PACKETS, Packets
from headwater.interface.port import PORTS
from headwater.interface.shell import shell, top_name
from headwater.kinds.registry import facts_of
from headwater.measure.layers import read_layered
from headwater.measure.sessions import tested_sessions
from headwater.package.area import areas_of
from headwater.package.delivery import package_files
from headwater.package.design import Design as Packaged
from headwater.package.figures import figures_of
from headwater.package.ip import Ip
from headwater.package.key_ip import KeyIp
from headwater.package.litex import check_litex, litex_module

if TYPE_CHECKING:
    from headwater.api.core import Core

_TESTED_BITS, _TESTED_WORDS = 128, 40
"""Least length of what a testbench compares: beyond a block, and beyond any setup."""


@dataclass(frozen=True)
class Design:
    """Verilog by file name, the name of the top module and its ports, what has registers or
    instructions, and the packets that plain DMA engines send."""

    files: dict[str, str]
    top: str
    ports: tuple[ModulePort, ...]
    ip: Ip | KeyIp | None = None
    packets: Packets | None = None


def design(
    core: Core,
    data_width: int | None,
    key_by: str | None,
    packets: str | None,
    *,
    tested: bool,
    fusesoc: bool,
    packaged: bool,
    area: bool,
    litex: bool,
) -> Design:
    """A core with its interface, and the files that are asked for beside it; see `Core.design`."""
    if area and (core.interface == "stream" or not packaged):
        raise InputError("area must go with a package of an interface around the core")
    if litex:
        check_litex(core.interface)
    if packaged and not core.description.key_bits:
        raise InputError(
            f"package must be of a cipher with a key, not {core.description.name}: "
            "its drivers begin a session with one"
        )
    if packets == "plain":
        _check_plain(core.description)
    delivery = _with_interface(core, data_width, key_by, packets)
    files = {f"{core.name}_tb.v": testbench_of(core)} if tested or packaged else {}
    if packaged:
        files |= _package(core, delivery, area=area)
    elif fusesoc:
        files |= _core_file(core, delivery, list(files))
    if litex:
        title, sources = core.description.title, list(delivery.files)
        files |= litex_module(core.name, delivery.top, title, sources, delivery.ports)
    return replace(delivery, files=delivery.files | files)


def _with_interface(
    core: Core, data_width: int | None, key_by: str | None, packets: str | None
) -> Design:
    check_stream_choices(core.interface, data_width, key_by, packets)
    name, cipher, chosen = core.name, core.description, core.architecture
    if core.interface != "stream":
        chosen.check_one_session(f"behind {core.interface}")
    alone = {f"{name}.v": core.verilog()}
    if core.interface == "stream":
        return Design(alone, name, _ports_of(core))
    if core.interface == "axi4stream":
        check_output_ends(cipher)
        files = axi4_stream(
            name, cipher, chosen, data_width, key_by or "stream", packets or "marked"
        )
        by_registers = KeyIp(cipher, chosen, name, files) if files.registers else None
        return Design(alone | files.files, files.top, files.ports, by_registers, files.packets)
    port, shape = PORTS[core.interface], shape_of(cipher, chosen, name)
    top = top_name(shape, core.interface)
    ip = Ip(cipher, chosen, shape, core.interface, port, top)
    around = shell(shape, port, top, INTERFACES[core.interface])
    return Design(alone | around, top, port.signals, ip)


def _ports_of(core: Core) -> tuple[ModulePort, ...]:
    """The ports of a core that nothing is around."""
    return tuple(
        ModulePort(port.direction, port.name, bits_of_core(port.width))
        for port in core.generated.ports
    )


def _check_plain(cipher: Cipher) -> None:
    """Refuse ciphers whose packets nothing here makes well yet."""
    if not cipher.iv_bits[-1]:
        raise InputError(
            f"packets of {cipher.name} must be marked: plain ones begin with an IV, "
            "which it has not"
        )
    if cipher.kind == "message":
        raise InputError(
            f"packets of {cipher.name} must be marked: plain ones would have a path "
            "from a word's marks to its ready"
        )


def check_stream_choices(
    interface: str, data_width: int | None, key_by: str | None, packets: str | None
) -> None:
    """Refuse choices of AXI4-Stream for another interface, and unknown ways of the key or kinds of
    packets."""
    choices = (("data width", data_width), ("way of the key", key_by), ("packets", packets))
    chosen = [what for what, value in choices if value is not None]
    if chosen and interface != "axi4stream":
        raise InputError(f"{chosen[0]} must go with interface axi4stream, not {interface}")
    if key_by is not None and key_by not in KEY_WAYS:
        raise unknown("way of the key", key_by, KEY_WAYS)
    if packets is not None and packets not in PACKETS:
        raise unknown("kind of packets", packets, PACKETS)


def testbench_of(core: Core) -> str:
    """The testbench that is delivered with a core."""
    core.architecture.check_one_session("of a core with a testbench")
    words = max(_TESTED_WORDS, -(-_TESTED_BITS // core.architecture.radix))
    cipher, chosen = core.description, core.architecture
    return testbench(core.name, facts_of(cipher, chosen), tested_sessions(cipher, chosen, words))


def _core_file(core: Core, delivery: Design, benches: list[str]) -> dict[str, str]:
    title, sources = core.description.title, list(delivery.files)
    by_use = {"sim": benches[0]} if benches else {}
    return {
        f"{delivery.top}.core": fusesoc_core(
            delivery.top, title, sources, by_use, pins_of(delivery.ports)
        )
    }


def _package(core: Core, delivery: Design, *, area: bool) -> dict[str, str]:
    """The files of a package, the Verilog and the core's testbench excepted. Figures are those of
    the store."""
    cipher, chosen = core.description, core.architecture
    with read_layered() as store:
        points = figures_of(store, cipher.name, chosen)
    facts = facts_of(cipher, chosen)
    packaged = Packaged(
        cipher,
        facts,
        core.name,
        core.interface,
        delivery.top,
        delivery.files,
        delivery.ports,
        delivery.ip,
        delivery.packets,
    )
    areas = areas_of(delivery.files, delivery.top, core.name) if area else None
    return package_files(packaged, points, areas)
