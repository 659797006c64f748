# SPDX-License-Identifier: Apache-2.0
"""Which part of a netlist works while a cipher runs, to tell its paths from those of the setup.

A register that had the same value at two times of a simulated run, does not depend on key, IV or
text, and would keep its value as long as there is no load, clear or reset and a text does not end
(by induction over all such registers together), is a constant of the running phase. Logic that
still has an influence on an output, or on what a text has an influence on, is the running logic;
all other logic belongs to the setup, or to the end of a text, alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.flow.gatesim import read_cells
from headwater.flow.liberty import Library
from headwater.flow.process import written_json
from headwater.flow.yosys import run_yosys

_AWAITS_LOAD = "load_ready"
_TEXT = "data_in_payload"
_PAYLOAD = "payload"
"""What names of ports end with whose bits are those of key, IV or text."""
_HELD_INPUTS = {"rst": 0, "clear": 0, "load_valid": 0, "data_in_last": 0, "data_in_keep": 1}
"""Input ports that do not change while a cipher runs, and the value of each of their bits: there
is no session to end or to begin, and the words of a text are whole and not the last."""


@dataclass(frozen=True)
class RunningLogic:
    """The running part of a netlist, in the form that the timer needs."""

    constants: dict[str, int]
    """Input ports, and output pins of registers ("instance/pin"), that do not change."""
    endpoints: tuple[str, ...]
    """Data pins of registers, and output ports, of the running logic."""


def running_logic(
    netlist: str,
    library: Library,
    top: str,
    steady: Mapping[tuple[str, str], int],
    folder: Path,
) -> RunningLogic | None:
    """The running part of a netlist; None if it cannot be found, because ``load_ready`` is no
    constant. ``steady`` are output pins that had one value at two times of a run, and the value."""
    (folder / "netlist.v").write_text(netlist)
    passes = [
        *read_cells(library, folder),
        "read_verilog netlist.v",
        f"hierarchy -check -top {top}",
        "write_json netlist.json",
        "flatten -noscopeinfo",
        "simplemap",
        "write_json flat.json",
    ]
    run_yosys(passes, folder)
    module, flat = (
        written_json(folder / name)["modules"][top] for name in ("netlist.json", "flat.json")
    )
    if _AWAITS_LOAD not in module["ports"]:
        return None
    return _Circuit(flat, module, library).running(steady)


_MOST_FREE = 12
"""Of so many nets, at most, all values are tried."""
_STATES = ("DFF", "LATCH")
_State = tuple[str, dict[str, Any]]
"""A register: its instance, and its connections."""


class _Circuit:
    """A netlist in gates of one bit, each of which knows the cell that it is a part of."""

    def __init__(
        self, flat: Mapping[str, Any], module: Mapping[str, Any], library: Library
    ) -> None:
        self._ports, self._nets = flat["ports"], flat["netnames"]
        self._cells = module["cells"]
        self._clock_pins = library.clock_pins
        self._states: list[_State] = []
        self._driver: dict[Any, tuple[str, dict[str, Any]]] = {}
        for name, cell in flat["cells"].items():
            wire = {pin: bits[0] for pin, bits in cell["connections"].items()}
            kind = cell["type"]
            if any(state in kind for state in _STATES):
                self._states.append((_instance(name), wire))
            else:
                self._driver[wire["Y"]] = (kind, wire)
        self._state_of = {wire["Q"]: (instance, wire) for instance, wire in self._states}

    def running(self, steady: Mapping[tuple[str, str], int]) -> RunningLogic | None:
        """The running part: ``steady`` are the pins that may be constant, with their values."""
        inputs = {name: v for name, v in _HELD_INPUTS.items() if name in self._ports}
        held = {bit: v for name, v in inputs.items() for bit in self._ports[name]["bits"]}
        pins = {self._pin(*pin): value for pin, value in steady.items() if pin[0]}
        control = self._state_of.keys() - self._reached_from(_PAYLOAD)
        guess = {bit: value for bit, value in self._values(pins).items() if bit in control}
        proven, known = self._proven(guess, held)
        if known.get(self._ports[_AWAITS_LOAD]["bits"][0]) is None:
            return None
        registers = {self._state_of[bit][0] for bit in self._cone(known) if bit in self._state_of}
        constant = {self._state_of[bit][0] for bit in proven} - registers
        return RunningLogic(
            constants=inputs
            | {
                f"{instance}/{pin}": value
                for (instance, pin), value in steady.items()
                if instance in constant
            },
            endpoints=(*self._data_pins(registers), *self._outputs(known)),
        )

    def _proven(
        self, guess: Mapping[Any, int], held: Mapping[Any, int]
    ) -> tuple[Mapping[Any, int], Mapping[Any, int | None]]:
        """The registers of the guess that stay constant together, and the nets whose value follows
        from them."""
        while True:
            known = self._propagated({**held, **guess})
            following = {bit: self._settled(self._state_of[bit][1]["D"], known) for bit in guess}
            wrong = [bit for bit, value in following.items() if value not in (None, guess[bit])]
            # What is unknown may follow once the wrong ones are gone.
            wrong = wrong or [bit for bit, value in following.items() if value is None]
            if not wrong:
                return guess, known
            guess = {bit: value for bit, value in guess.items() if bit not in wrong}

    def _settled(self, bit: Any, known: Mapping[Any, int | None]) -> int | None:
        """The value of a net if it is the same for all values of the nets without a known one; None
        if it is not, or if they are too many to try."""
        if known.get(bit) is not None:
            return known[bit]
        gates, free = self._unknown_cone(bit, known)
        if len(free) > _MOST_FREE:
            return None
        every = (1 << (1 << len(free))) - 1
        tables = {net: every // ((1 << (1 << place)) + 1) for place, net in enumerate(free)}
        for gate in gates:
            sources = [
                tables[net] if net in tables else every * (known[net] or 0)
                for net in self._sources(gate)
            ]
            tables[gate] = _table(self._driver[gate][0], sources, every)
        return {0: 0, every: 1}.get(tables[bit])

    def _unknown_cone(
        self, end: Any, known: Mapping[Any, int | None]
    ) -> tuple[list[Any], list[Any]]:
        """The gates without a known value that a net depends on, each behind those that it reads;
        and what they begin with."""
        gates: dict[Any, None] = {}
        free: dict[Any, None] = {}
        stack = [end]
        while stack:
            bit = stack[-1]
            sources = self._sources(bit)
            unknown = [net for net in sources if known.get(net) is None]
            missing = [net for net in unknown if net not in gates and net not in free]
            stack += missing
            if not missing:
                (gates if sources else free)[stack.pop()] = None
        return list(gates), list(free)

    def _reached_from(self, inputs: str) -> set[Any]:
        """The nets that depend on input ports whose name ends so."""
        users: dict[Any, list[Any]] = {}
        for target, (_, wire) in (*self._driver.items(), *self._state_of.items()):
            for pin, net in wire.items():
                if pin not in "YQ":
                    users.setdefault(net, []).append(target)
        waiting = [
            bit
            for name, port in self._ports.items()
            for bit in port["bits"]
            if port["direction"] == "input" and name.endswith(inputs)
        ]
        reached: set[Any] = set()
        while waiting:
            bit = waiting.pop()
            if bit not in reached:
                reached.add(bit)
                waiting += users.get(bit, [])
        return reached

    def _pin(self, instance: str, pin: str) -> Any:
        return self._nets[f"{instance}.{pin}"]["bits"][0]

    def _values(self, pins: Mapping[Any, int]) -> dict[Any, int]:
        """The values of nets that are known from those of pins, against the flow of signals: a pin
        may be the inverse of what its register keeps."""
        values = dict(pins)
        waiting = list(pins)
        while waiting:
            bit = waiting.pop()
            kind, wire = self._driver.get(bit, ("", {}))
            if kind in ("$_NOT_", "$_BUF_") and wire["A"] not in values:
                values[wire["A"]] = values[bit] ^ (kind == "$_NOT_")
                waiting.append(wire["A"])
        return values

    def _sources(self, bit: Any) -> list[Any]:
        """What the gate reads that drives a net; nothing if none does."""
        _, wire = self._driver.get(bit, ("", {}))
        return [net for pin, net in sorted(wire.items()) if pin != "Y"]

    def _propagated(self, fixed: Mapping[Any, int]) -> dict[Any, int | None]:
        """The values of nets that follow from the fixed ones; None for reached nets whose value
        does not follow."""
        known: dict[Any, int | None] = {"0": 0, "1": 1, **fixed}
        for start in self._driver:
            stack = [start]
            while stack:
                bit = stack[-1]
                if bit in known or bit not in self._driver:
                    known.setdefault(bit, None)
                    stack.pop()
                    continue
                sources = self._sources(bit)
                missing = [net for net in sources if net not in known]
                stack += missing
                if not missing:
                    known[bit] = _value(self._driver[bit][0], [known[net] for net in sources])
        return known

    def _cone(self, known: Mapping[Any, int | None]) -> set[Any]:
        """The nets that have an influence on an output port, or on what is made of a text."""
        waiting = [bit for _, bit in self._output_bits()]
        waiting += self._state_of.keys() & self._reached_from(_TEXT)
        cone: set[Any] = set()
        while waiting:
            bit = waiting.pop()
            if bit in cone or known.get(bit) is not None:
                continue
            cone.add(bit)
            _, wire = self._driver.get(bit) or self._state_of.get(bit) or ("", {})
            waiting += [net for pin, net in wire.items() if pin not in "YQ"]
        return cone

    def _output_bits(self) -> Iterable[tuple[str, Any]]:
        for name, port in self._ports.items():
            if port["direction"] == "output":
                wide = len(port["bits"]) > 1
                for place, bit in enumerate(port["bits"]):
                    yield (f"{name}[{place}]" if wide else name), bit

    def _outputs(self, known: Mapping[Any, int | None]) -> list[str]:
        return [name for name, bit in self._output_bits() if known.get(bit) is None]

    def _data_pins(self, instances: set[str]) -> list[str]:
        clock = self._ports["clk"]["bits"][0]
        return [
            f"{name}/{pin}"
            for name, cell in self._cells.items()
            if name in instances
            for pin, direction in cell["port_directions"].items()
            if direction == "input"
            and cell["connections"].get(pin)
            and (cell["type"], pin) not in self._clock_pins
            and self._pin(name, pin) not in (clock, "0", "1")
        ]


def _instance(name: str) -> str:
    """The cell that a gate of the flat netlist is in."""
    return name.removeprefix("$flatten").removeprefix("\\").partition(".")[0]


def _value(kind: str, values: list[int | None]) -> int | None:
    """The output of a gate if it follows from the known inputs; otherwise None."""
    every, free = 0b1111, (0b1010, 0b1100)
    tables = [
        every * value if value is not None else other
        for value, other in zip(values, free, strict=False)
    ]
    return {0: 0, every: 1}.get(_table(kind, tables, every))


def _table(kind: str, tables: list[int], every: int) -> int:
    """The outputs of a gate for many inputs at once, a bit for each."""
    if kind in ("$_NOT_", "$_BUF_"):
        return tables[0] if kind == "$_BUF_" else every ^ tables[0]
    left, right = tables
    if kind == "$_ANDNOT_":
        return left & (every ^ right)
    return {"$_AND_": left & right, "$_OR_": left | right, "$_XOR_": left ^ right}[kind]
