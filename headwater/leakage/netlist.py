# SPDX-License-Identifier: Apache-2.0
"""A netlist of one clock, as gates and registers of one bit.

Yosys reads it, and nothing is optimised: a net that a designer left in is a net that a probe can
be put on. Cells of a library become the gates of their model in the liberty file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from headwater.errors import InputError, ToolError
from headwater.flow.folders import private_folder
from headwater.flow.gatesim import read_cells
from headwater.flow.liberty import load_library
from headwater.flow.process import written_json
from headwater.flow.yosys import run_yosys

Bit = int
"""The number of a net of one bit; `ZERO` and `ONE` are the constants."""

ZERO, ONE = 0, 1
_CONSTANTS = {"0": ZERO, "1": ONE, "x": ZERO, "z": ZERO}
_GATES = {
    f"$_{name}_": name
    for name in ("BUF", "NOT", "AND", "NAND", "OR", "NOR", "XOR", "XNOR", "ANDNOT", "ORNOT", "MUX")
}
_PINS = ("A", "B", "S")
_REGISTER = re.compile(r"\$_DFF(SR)?_([NP]+)[01]?_")
"""A flip-flop of Yosys; the letters are the polarities of its clock, and of its set and reset."""


@dataclass(frozen=True)
class Gate:
    """A gate: what it computes, and its nets. A ``MUX`` takes its second input if the third is
    one."""

    kind: str
    inputs: tuple[Bit, ...]
    output: Bit


@dataclass(frozen=True)
class Netlist:
    """One flat module."""

    top: str
    inputs: Mapping[str, tuple[Bit, ...]]
    """Ports, bit 0 of each word first; without the clock."""
    outputs: Mapping[str, tuple[Bit, ...]]
    clock: Bit | None
    """The port that clocks the registers; None if there is none."""
    wires: Mapping[str, Mapping[int, Bit]]
    """The bits of all that has a name of the design, by their indices."""
    gates: tuple[Gate, ...]
    """Each behind those that it reads."""
    registers: Mapping[Bit, Bit]
    """The net that each register takes its bit from, by the net that shows its bit."""
    resets: Mapping[Bit, int]
    """Nets that set or reset registers at once, and the value with which they do not."""
    names: Mapping[Bit, str] = field(repr=False)
    """What a net is called."""

    @property
    def sources(self) -> Iterator[Bit]:
        """The nets that no gate drives: bits of inputs, and registers."""
        yield from (bit for word in self.inputs.values() for bit in word)
        yield from self.registers

    def source_of(self, bit: Bit) -> Bit:
        """The net that a net follows through buffers and inverters."""
        while (gate := self._followers.get(bit)) is not None:
            bit = gate.inputs[0]
        return bit

    @cached_property
    def _followers(self) -> Mapping[Bit, Gate]:
        return _followers(self.gates)


def _followers(gates: Iterable[Gate]) -> dict[Bit, Gate]:
    return {gate.output: gate for gate in gates if gate.kind in ("BUF", "NOT")}


def read_netlist(
    files: Sequence[Path], top: str | None = None, liberty: Path | None = None
) -> Netlist:
    """The netlist in Verilog files.

    Parameters
    ----------
    top
        The module; the one that no other instantiates unless given.
    liberty
        The library of its cells; None for RTL.

    Raises
    ------
    InputError
        If it cannot be read, or has a latch, a combinational loop, registers of several clocks, or
        a net that nothing drives.
    """
    texts = [_text(path) for path in files]
    with private_folder() as folder:
        names = [f"source{number}.v" for number in range(len(texts))]
        for name, text in zip(names, texts, strict=True):
            (folder / name).write_text(text)
        library = [] if liberty is None else _models(liberty, folder)
        chosen = "-auto-top" if top is None else f"-top {_module_name(top)}"
        try:
            run_yosys(
                [
                    *library,
                    *(f"read_verilog -sv {name}" for name in names),
                    f"hierarchy -check {chosen}",
                    "proc -noopt",
                    "flatten -noscopeinfo",
                    "memory_collect",
                    "memory_map",
                    "techmap",
                    "simplemap",
                    "dffunmap",
                    "write_json flat.json",
                ],
                folder,
            )
        except ToolError as error:
            raise _unreadable(error, files) from error
        modules = written_json(folder / "flat.json")["modules"]
    (name,) = (name for name, module in modules.items() if "top" in module["attributes"])
    return _netlist(name, modules[name])


def _models(liberty: Path, folder: Path) -> list[str]:
    """Passes that read the cells of a library. The model of a flip-flop with two outputs has a
    register for each of them: they are made one."""
    return [*read_cells(load_library(liberty), folder), "opt_merge -share_all"]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise InputError(
            f"netlist must be a readable Verilog file, not {path}: {reason}"
        ) from error


def _module_name(top: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][\w$]*", top):
        raise InputError(f"top must be the name of a module, not {top!r}")
    return top


def _unreadable(error: ToolError, files: Sequence[Path]) -> InputError | ToolError:
    """Yosys's own reason, in a sentence; the error itself if it gives none."""
    reason = re.search(r"^(?:\S+: )?ERROR: (.*)$", str(error), re.MULTILINE)
    if reason is None:
        return error
    named = re.sub(
        r"source(\d+)\.v", lambda match: files[int(match[1])].name, reason[1].strip().rstrip(".!")
    )
    return InputError(f"netlist must be Verilog that Yosys can read, but it says: {named}")


def _netlist(top: str, module: Mapping[str, Any]) -> Netlist:
    names = _names(module)
    wires = {
        name: {
            net["offset"] + at if "offset" in net else at: _bit(bit)
            for at, bit in enumerate(net["bits"])
        }
        for name, net in module["netnames"].items()
        if not net["hide_name"]
    }
    ports = module["ports"]
    both = next((name for name, port in ports.items() if port["direction"] == "inout"), None)
    if both is not None:
        raise InputError(f"port {both} must be an input or an output, not both")
    gates, registers, clocks, resets = _cells(module, names)
    words = {name: tuple(map(_bit, port["bits"])) for name, port in ports.items()}
    clock = _clock(clocks, gates, words, names)
    inputs = {
        name: word
        for name, word in words.items()
        if ports[name]["direction"] == "input" and word != (clock,)
    }
    outputs = {name: word for name, word in words.items() if ports[name]["direction"] == "output"}
    start = {ZERO, ONE, *registers, *(bit for word in inputs.values() for bit in word)}
    # The clock's own buffers compute nothing that a probe is about.
    ordered = _ordered([gate for gate in gates if clock not in gate.inputs], start, names)
    named = {**_unnamed(ordered, registers, names), **names}
    netlist = Netlist(top, inputs, outputs, clock, wires, ordered, registers, resets, named)
    _check_driven(netlist)
    return netlist


def _names(module: Mapping[str, Any]) -> dict[Bit, str]:
    """A name for each net that the design names: that of a port if it is one, else the
    shortest."""
    ports = module["ports"]
    names: dict[Bit, tuple[Any, ...]] = {}
    for name, net in module["netnames"].items():
        for at, bit in enumerate(net["bits"]):
            shown = f"{name}[{at + net.get('offset', 0)}]" if len(net["bits"]) > 1 else name
            key = (name not in ports, len(shown), shown)
            if (
                not net["hide_name"]
                and isinstance(bit, int)
                and (bit not in names or key < names[bit])
            ):
                names[bit] = key
    return {bit: key[-1] for bit, key in names.items()}


def _unnamed(
    gates: Sequence[Gate], registers: Mapping[Bit, Bit], names: Mapping[Bit, str]
) -> dict[Bit, str]:
    """Names for the other nets, by what they lead to: ``next(NAME)`` is what a register takes, and
    ``logic N of NAME`` what a gate gives to one of that name."""
    titles: dict[Bit, str] = {}
    for shown, source in registers.items():
        if source not in names:
            titles.setdefault(source, f"next({names.get(shown, 'a register')})")
    leads: dict[Bit, str] = {**titles, **names}
    count: dict[str, int] = {}
    for gate in reversed(gates):
        place = leads.get(gate.output, "what nothing reads")
        if gate.output not in names and gate.output not in titles:
            count[place] = count.get(place, 0) + 1
            titles[gate.output] = f"logic {count[place]} of {place}"
        for bit in gate.inputs:
            leads.setdefault(bit, place)
    return titles


def _bit(bit: int | str) -> Bit:
    return bit if isinstance(bit, int) else _CONSTANTS[bit]


def _cells(
    module: Mapping[str, Any], names: Mapping[Bit, str]
) -> tuple[list[Gate], dict[Bit, Bit], dict[Bit, int], dict[Bit, int]]:
    """Gates, registers, the nets that clock them with the edge (1 rises), and nets that reset."""
    gates, registers = [], {}
    clocks: dict[Bit, int] = {}
    resets: dict[Bit, int] = {}
    for cell in module["cells"].values():
        kind = cell["type"]
        pins = {pin: _bit(bits[0]) for pin, bits in cell["connections"].items() if bits}
        if kind in _GATES:
            read = tuple(pins[pin] for pin in _PINS if pin in pins)
            gates.append(Gate(_GATES[kind], read, pins["Y"]))
        elif register := _REGISTER.fullmatch(kind):
            registers[pins["Q"]] = pins["D"]
            edges = [int(letter == "P") for letter in register[2]]
            _add(clocks, pins["C"], edges[0], names, "clock")
            for pin, level in zip("SR" if register[1] else "R", edges[1:], strict=False):
                _add(resets, pins[pin], 1 - level, names, "reset")
        else:
            raise _refused(kind, names.get(pins.get("Q", pins.get("Y", -1)), "a net"))
    return gates, registers, clocks, resets


def _refused(kind: str, name: str) -> InputError:
    if "LATCH" in kind or "_SR_" in kind:
        return InputError(
            f"netlist must have registers that a clock edge sets, but {name} is a latch"
        )
    if kind.startswith("$_"):
        return InputError(
            f"netlist must be of gates and plain registers, but {name} is driven by {kind}"
        )
    return InputError(
        f"netlist must have a model of each cell, but {kind.lstrip(chr(92))} has "
        "none: is its library given with --liberty?"
    )


def _add(levels: dict[Bit, int], bit: Bit, level: int, names: Mapping[Bit, str], what: str) -> None:
    if levels.setdefault(bit, level) != level:
        raise InputError(
            f"a {what} must act with one level or edge, but {names[bit]} acts with both"
        )


def _clock(
    clocks: Mapping[Bit, int],
    gates: Iterable[Gate],
    words: Mapping[str, tuple[Bit, ...]],
    names: Mapping[Bit, str],
) -> Bit | None:
    """The port that clocks all registers; None if there is no register."""
    followers = _followers(gates)
    ports = {word[0] for word in words.values() if len(word) == 1}
    domains: dict[tuple[Bit, int], Bit] = {}
    for bit, edge in clocks.items():
        at = bit
        while at in followers:
            edge ^= followers[at].kind == "NOT"
            at = followers[at].inputs[0]
        if at not in ports:
            raise InputError(
                "registers must be clocked by a port, through buffers alone, but "
                f"{names.get(bit, 'a constant')} clocks some"
            )
        domains[at, edge] = bit
    if len(domains) > 1:
        listed = " and ".join(
            sorted(
                f"the {'rising' if edge else 'falling'} edge of {names[bit]}"
                for bit, edge in domains
            )
        )
        raise InputError(f"registers must have one clock, not {listed}")
    return next(iter(domains))[0] if domains else None


def _ordered(
    gates: Sequence[Gate], known: Iterable[Bit], names: Mapping[Bit, str]
) -> tuple[Gate, ...]:
    """The gates, each behind those that it reads."""
    driver = {gate.output: gate for gate in gates}
    done = set(known)
    order: list[Gate] = []
    for gate in gates:
        open_: set[Bit] = set()
        stack = [gate.output]
        while stack:
            bit = stack[-1]
            if bit in done or bit not in driver:
                stack.pop()
            elif bit in open_:
                stack.pop()
                open_.discard(bit)
                done.add(bit)
                order.append(driver[bit])
            else:
                open_.add(bit)
                waiting = [one for one in driver[bit].inputs if one not in done]
                if around := open_.intersection(waiting):
                    name = min(names.get(one, "a net without a name") for one in around)
                    raise InputError(
                        f"netlist must have no combinational loop, but {name} is in one"
                    )
                stack.extend(waiting)
    return tuple(order)


def _check_driven(netlist: Netlist) -> None:
    driven = {ZERO, ONE, *netlist.sources, *(gate.output for gate in netlist.gates), netlist.clock}
    read = [bit for gate in netlist.gates for bit in gate.inputs]
    read += [*netlist.registers.values(), *netlist.resets]
    read += [bit for word in netlist.outputs.values() for bit in word]
    for bit in read:
        if bit not in driven:
            name = netlist.names.get(bit, "a net")
            raise InputError(f"each net that is read must be driven, and {name} is not")
