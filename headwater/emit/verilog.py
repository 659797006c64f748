# SPDX-License-Identifier: Apache-2.0
"""Verilog of a core: one file, one module, the same bytes each time."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import starmap

from amaranth.hdl import Signal
from amaranth.lib.wiring import In

from headwater import python_limits
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.core.heading import digest, heading, origin
from headwater.emit.core_modules import CoreModules, core_modules
from headwater.emit.core_netlist import CoreNetlist, core_netlist
from headwater.emit.printer import print_module
from headwater.errors import InputError
from headwater.kinds.registry import build

_COMMENT = re.compile(r"//.*")

_INNER = "// verilator lint_{} DECLFILENAME\n"
"""Stands before and after modules that the file is not named after."""


@dataclass(frozen=True)
class Port:
    """One port of the module: ``direction`` is "input" or "output", ``width`` in bits."""

    name: str
    direction: str
    width: int


@dataclass(frozen=True)
class Verilog:
    """A generated file."""

    name: str
    """Name of its only module."""
    text: str
    """Its content."""
    ports: tuple[Port, ...]
    """The ports of the module, in order."""

    @property
    def sha256(self) -> str:
        """Hash of the text, as of the file that ``generate`` writes."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def circuit_sha256(self) -> str:
        """Hash of the circuit: of the text without comments, which name the version of this
        package, and whatever the white space. It tells design points apart."""
        words = _COMMENT.sub("", self.text).split()
        return hashlib.sha256(" ".join(words).encode()).hexdigest()


def module_name(cipher: Cipher, architecture: Architecture) -> str:
    """The name of a core's module where nobody gives it another one."""
    masked = "_masked" * architecture.is_masked
    return f"{cipher.name.replace('-', '_')}_r{architecture.radix}{masked}"


@lru_cache(maxsize=64)
@python_limits.for_circuits()
def generate(cipher: Cipher, architecture: Architecture, name: str | None = None) -> Verilog:
    """The Verilog of ``cipher`` at ``architecture``, as a module of this name (`module_name`)."""
    name = name or module_name(cipher, architecture)
    return verilog_of(cipher, build(cipher, architecture), name)


@python_limits.for_circuits()
def verilog_of(cipher: Cipher, core: Core, name: str) -> Verilog:
    """The Verilog of a core of ``cipher``, as a module of this name, which none of its signals must
    have. The core of a mode has another cipher in it. Where the datapath is a module of its own,
    the two modules that this one is made of follow it."""
    read, header = _read(core, name), _header(cipher, core)
    if core.architecture.has_datapath_apart:
        modules = core_modules(read, core.driving)
        inner = f"{modules.controller.text}\n{modules.datapath.text}"
        texts = [modules.core, f"{_INNER.format('off')}{inner}{_INNER.format('on')}"]
    else:
        texts = [print_module(read.circuit)]
    return Verilog(name, "\n".join([f"{header}\n", *texts]), _ports(core))


def datapath(cipher: Cipher, architecture: Architecture) -> Verilog:
    """The datapath alone of a core that has it as a module of its own."""
    header, divided = _apart(cipher, architecture)
    alone = divided.datapath
    return Verilog(alone.name, f"{header}\n\n{alone.text}", tuple(starmap(Port, alone.ports)))


def around_datapath(cipher: Cipher, architecture: Architecture) -> str:
    """The other two modules of such a core, which has the name `module_name`."""
    _, divided = _apart(cipher, architecture)
    return f"{divided.core}\n{divided.controller.text}"


def in_parts(cipher: Cipher, architecture: Architecture) -> tuple[str, tuple[str, ...]]:
    """The Verilog of a core of a cipher that ``divides``, with controller and datapath as modules
    of their own, whatever its options say, and the names of these."""
    _, divided = _apart(cipher, architecture)
    parts = (divided.controller, divided.datapath)
    return "\n".join([divided.core, *(one.text for one in parts)]), tuple(one.name for one in parts)


@lru_cache(maxsize=8)
@python_limits.for_circuits()
def _apart(cipher: Cipher, architecture: Architecture) -> tuple[str, CoreModules]:
    core = build(cipher, architecture)
    read = _read(core, module_name(cipher, architecture))
    return _header(cipher, core), core_modules(read, core.driving)


def _read(core: Core, name: str) -> CoreNetlist:
    read = core_netlist(core, name)
    if name in read.wording.order:
        raise InputError(f"core must have a name that none of its signals has, not {name!r}")
    return read


def _ports(core: Core) -> tuple[Port, ...]:
    clocking = (Port("clk", "input", 1), Port("rst", "input", 1))
    return clocking + tuple(
        Port(signal.name, "input" if member.flow is In else "output", len(signal))
        for _, member, signal in core.signature.flatten(core)
        if isinstance(signal, Signal)
    )


def _header(cipher: Cipher, core: Core) -> str:
    architecture, facts = core.architecture, core.facts
    timing = (
        f"setup takes {facts.setup_cycles} cycles, "
        f"from the first load word taken to {facts.setup_ends}"
    )
    if facts.clear_cycles is not None:
        timing += f"; {facts.clear_effect} {facts.clear_cycles} cycles after `clear`"
    return heading(
        {
            **origin(cipher, architecture),
            "Bit order": cipher.convention,
            **facts.port_meanings,
            "Timing": timing,
            **digest(cipher),
        }
    )
