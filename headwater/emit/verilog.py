# SPDX-License-Identifier: Apache-2.0
"""Verilog of a core: one file, one module, the same bytes each time."""

from __future__ import annotations

import hashlib
import textwrap
from dataclasses import dataclass
from functools import lru_cache

from amaranth.back import rtlil
from amaranth.hdl import Signal
from amaranth.lib.wiring import In

from headwater import __version__, python_limits
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.core.function import FunctionCollection
from headwater.emit.circuit import Circuit, Wording
from headwater.emit.layout import LINE_LENGTH
from headwater.emit.netlist import Netlist, read_netlists
from headwater.emit.printer import print_module
from headwater.errors import InputError
from headwater.flow.folders import private_folder
from headwater.flow.yosys import run_yosys
from headwater.kinds.registry import build

_FIELD_WIDTH = 22

_PASSES = (
    "read_rtlil core.il",
    "proc -noopt",
    "opt_expr",
    "opt_merge",
    "opt_clean",
    "write_json core.json",
)


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
        """Hash of the text, under which results are stored."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def module_name(cipher: Cipher, architecture: Architecture) -> str:
    """The name of a core's module where nobody gives it another one."""
    return f"{cipher.name.replace('-', '_')}_r{architecture.radix}"


@lru_cache(maxsize=64)
@python_limits.for_circuits()
def generate(cipher: Cipher, architecture: Architecture, name: str | None = None) -> Verilog:
    """The Verilog of ``cipher`` at ``architecture``, as a module of this name (`module_name`)."""
    name = name or module_name(cipher, architecture)
    return verilog_of(cipher, build(cipher, architecture), name)


@python_limits.for_circuits()
def verilog_of(cipher: Cipher, core: Core, name: str) -> Verilog:
    """The Verilog of a core of ``cipher``, as a module of this name, which none of its signals must
    have. The core of a mode has another cipher in it."""
    circuit = circuit_of(core, name)
    if name in circuit.wording.order:
        raise InputError(f"core must have a name that none of its signals has, not {name!r}")
    module = print_module(circuit)
    return Verilog(name, f"{_header(cipher, core)}\n\n{module}", _ports(core))


def _ports(core: Core) -> tuple[Port, ...]:
    clocking = (Port("clk", "input", 1), Port("rst", "input", 1))
    return clocking + tuple(
        Port(signal.name, "input" if member.flow is In else "output", len(signal))
        for _, member, signal in core.signature.flatten(core)
        if isinstance(signal, Signal)
    )


def circuit_of(core: Core, name: str) -> Circuit:
    """The circuit of a core, as a module of this name."""
    signals = [value for _, _, value in core.signature.flatten(core) if isinstance(value, Signal)]
    # Constants are inputs of the netlist, so that they stay whole and keep their names.
    constants = list(core.constants.values())
    functions = FunctionCollection()
    ports = [*signals, *constants]
    text = rtlil.convert(core, name=name, platform=functions, ports=ports, emit_src=False)
    netlists = netlists_of(text + functions.as_rtlil())
    wording = Wording(
        ports=tuple(port.name for port in _ports(core)),
        state=tuple(register.name for register in core.secrets),
        order=_signals_of(text),
        notes=core.notes,
        constants={signal.name: signal.init for signal in constants},
        reset_at_once=core.resets_at_once,
    )
    return Circuit(netlists.pop(name), list(netlists.values()), wording)


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


def _header(cipher: Cipher, core: Core) -> str:
    architecture, facts = core.architecture, core.facts
    timing = (
        f"setup takes {facts.setup_cycles} cycles, "
        f"from the first load word taken to {facts.setup_ends}"
    )
    if facts.clear_cycles is not None:
        timing += f"; {facts.clear_effect} {facts.clear_cycles} cycles after `clear`"
    meanings = {option.name: option for option in cipher.choices}
    fields = {
        "Generator": f"Headwater {__version__}",
        "Cipher": f"{cipher.title}. {cipher.source}",
        "Architecture": f"radix {architecture.radix}, load width {architecture.load_width}",
        **{
            f"{name}={value}": meanings[name].meaning_of(value)
            for name, value in architecture.chosen
        },
        "Bit order": cipher.convention,
        **facts.port_meanings,
        "Timing": timing,
        "Description": f"SHA-256 {cipher.digest}",
    }
    return "\n".join(
        ["// SPDX-License-Identifier: Apache-2.0", *(_field(*field) for field in fields.items())]
    )


def _field(name: str, value: str) -> str:
    return textwrap.fill(
        f"{name + ': ':{_FIELD_WIDTH}}{value}",
        width=LINE_LENGTH,
        initial_indent="// ",
        subsequent_indent="//" + " " * (_FIELD_WIDTH + 1),
        break_long_words=False,
        break_on_hyphens=False,
    )
