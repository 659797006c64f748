# SPDX-License-Identifier: Apache-2.0
"""The text of a Verilog module that connects other modules. What nothing reads is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from headwater.interface.module_port import BIT, ModulePort, given, port_lines, wire_lines
from headwater.interface.parts import part_name, ports_of, with_parts

_Value = TypeVar("_Value")
_NAMES = re.compile(r"[A-Za-z_]\w*")
_LICENCE = "// SPDX-License-Identifier: Apache-2.0"


def same(*names: str) -> dict[str, str]:
    """Connections of ports to wires of the same names."""
    return {name: name for name in names}


@dataclass
class _Line:
    """A line of a module, or some: ``gives`` is the wire that they assign, if any."""

    text: str
    gives: str = ""

    @property
    def names(self) -> set[str]:
        """What they mention, but for what they assign."""
        return set(_NAMES.findall(self.text)) - {self.gives}


@dataclass
class _Instance:
    """An instance of a module, which may be a part in `rtl`."""

    module: str
    name: str
    connections: Mapping[str, str]
    parameters: Mapping[str, object]
    part: str

    gives = ""

    @property
    def text(self) -> str:
        """Lines."""
        opened = f"  {self.module} {self.name} ("
        if self.parameters:
            opened = f"  {self.module} #(\n{_named(self.parameters)}\n  ) {self.name} ("
        return f"{opened}\n{_named(self.connections)}\n  );"

    @property
    def names(self) -> set[str]:
        """What is connected."""
        return set(_NAMES.findall(" ".join(self.connections.values())))

    def limited(self, there: set[str]) -> _Instance:
        """Without connections and parameters that the module does not have."""
        return replace(
            self,
            connections=_those(self.connections, there),
            parameters=_those(self.parameters, there),
        )


@dataclass
class ModuleText:
    """A module that is being written.

    Members
    -------
    name : str
    ports : list of ModulePort
    wires_of_own : list of ModulePort
        Its wires. They stand before the body, so that everything is declared before it is used.
    body : list
        Lines and instances.
    parts : dict of str to dict
        The parts in `rtl` that it has an instance of, and what is filled into their text.
    """

    name: str
    ports: list[ModulePort] = field(default_factory=list)
    wires_of_own: list[ModulePort] = field(default_factory=list)
    body: list[_Line | _Instance] = field(default_factory=list)
    parts: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    _titles: dict[int, str] = field(default_factory=dict)
    _loops: Counter[str] = field(default_factory=Counter)

    def group(self, title: str) -> None:
        """Begin a group of ports under a comment."""
        self._titles[len(self.ports)] = title

    def port(self, direction: str, name: str, width: int = BIT) -> str:
        """Declare a port; gives its name."""
        self.take([ModulePort(direction, name, width)])
        return name

    def take(self, ports: Iterable[ModulePort], title: str = "") -> None:
        """Declare ports, as a group if there is a title."""
        if title:
            self.group(title)
        self.ports += ports

    def wire(self, name: str, width: int = BIT, value: str = "") -> str:
        """Declare a wire, and assign its value if that is known already; gives its name."""
        self.wires({name: width})
        if value:
            self.assign(name, value)
        return name

    def wires(self, widths: Mapping[str, int], prefix: str = "") -> None:
        """Declare wires: names, before which a prefix stands, and widths."""
        self.wires_like(given(f"{prefix}{name}", width) for name, width in widths.items())

    def wires_like(self, ports: Iterable[ModulePort]) -> None:
        """Declare wires like ports of another module."""
        self.wires_of_own += ports

    def assign(self, target: str, value: str) -> None:
        """Add an assignment."""
        self.body.append(_Line(f"  assign {target} = {value};", re.sub(r"\W.*", "", target)))

    def lines(self, *lines: str, gives: str = "") -> None:
        """Add lines of Verilog, which declare and make one word if there is its name."""
        self.body.append(_Line("\n".join(lines), gives))

    def loop(self, count: int, target: str, source: str) -> None:
        """Assign ``count`` bits one by one: both sides are expressions of ``i``."""
        label = re.sub(r"\W.*", "", target)
        self.body.append(
            _Line(
                "\n".join(
                    [
                        "  generate",
                        (
                            f"    for (i = 0; i < {count}; i = i + 1) begin : "
                            f"each_{label}_{self._loops[label]}"
                        ),
                        f"      assign {target} = {source};",
                        "    end",
                        "  endgenerate",
                    ]
                ),
                label,
            )
        )
        self._loops[label] += 1

    def instance(
        self,
        module: str,
        name: str,
        connections: Mapping[str, str],
        parameters: Mapping[str, object] | None = None,
        part: str = "",
    ) -> None:
        """Add an instance of a module, between empty lines."""
        self.space()
        self.body += [_Instance(module, name, connections, parameters or {}, part), _Line("")]

    def part(
        self,
        part: str,
        name: str,
        connections: Mapping[str, str],
        parameters: Mapping[str, object] | None = None,
        values: Mapping[str, Any] | None = None,
    ) -> None:
        """Add an instance of a part in `rtl`, between empty lines; ``values`` are filled into its
        text, which is the same for all its instances."""
        self.parts[part] = values or {}
        self.instance(part_name(self.name, part), name, connections, parameters, part)

    def space(self) -> None:
        """Add an empty line, unless there is one."""
        if self.body[-1:] != [_Line("")]:
            self.lines("")

    def unused(self, *names: str, label: str = "") -> None:
        """Say that nothing reads these wires, in a wire named by the first one or ``label``."""
        self.lines(f"  wire unused_{label or names[0]} = &{{1'b0, {', '.join(names)}}};")

    def text(self, comment: str = _LICENCE, parameters: str = "") -> str:
        """The whole module, under a comment."""
        counter = ["  genvar i;"] if self._loops else []
        opened = [f"module {self.name} {parameters}(", *port_lines(self.ports, self._titles), ");"]
        body = [one.text for one in self.body]
        inner = "\n".join([*counter, *wire_lines(self.wires_of_own), "", *body]).rstrip()
        return "\n".join([comment, "", *opened, inner, "endmodule", ""])

    def files(self, comment: str, parameters: str = "") -> dict[str, str]:
        """The module under a comment, and its parts, by name of the file."""
        self._leave_out()
        return with_parts(self.name, self.text(comment, parameters), self.parts)

    def _leave_out(self) -> None:
        """Leave out wires that nothing reads, and outputs of parts, of which no instance has a
        reader, with the inputs that make them. A part's template says which it can do without."""
        before, unread = None, set[str]()
        while before != (before := [one.text for one in self.body]):
            mentioned = Counter(name for one in self.body for name in one.names)
            driven = {one.gives for one in self.body} - {port.name for port in self.ports}
            wires = {wire.name for wire in self.wires_of_own}
            dead = {name for name in wires | driven if name and not mentioned[name]}
            self.body = [one for one in self.body if one.gives not in dead]
            self.wires_of_own = [wire for wire in self.wires_of_own if wire.name not in dead]
            unread = {name for name in wires - driven if mentioned[name] == 1}
            for part, values in self.parts.items():
                self._limit(part, values, unread)
        left = [name for name in sorted(unread) if not name.startswith("unused")]
        if left:
            self.lines(f"  wire unused = &{{1'b0, {', '.join(left)}}};")

    def _limit(self, part: str, values: Mapping[str, Any], unread: set[str]) -> None:
        """Leave out what a part need not have where these wires are not read."""
        instances = [one for one in self.body if isinstance(one, _Instance) and one.part == part]
        idle = [
            {port for port, wire in one.connections.items() if wire in unread} for one in instances
        ]
        known = values.get("unread", frozenset())
        self.parts[part] = {**values, "unread": known | set.intersection(*idle)}
        there = ports_of(part, self.parts[part])
        self.body = [one.limited(there) if one in instances else one for one in self.body]


def _those(values: Mapping[str, _Value], there: set[str]) -> dict[str, _Value]:
    return {name: value for name, value in values.items() if name in there}


def _named(connections: Mapping[str, object]) -> str:
    """Connections, or parameters, by name and one on a line."""
    return ",\n".join(f"    .{name}({value})" for name, value in connections.items())
