# SPDX-License-Identifier: Apache-2.0
"""The text of a Verilog module that connects other modules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from headwater.interface.module_port import BIT, ModulePort, given, port_lines, wire_lines
from headwater.interface.parts import part_name, with_parts

_LICENCE = "// SPDX-License-Identifier: Apache-2.0"


def same(*names: str) -> dict[str, str]:
    """Connections of ports to wires of the same names."""
    return {name: name for name in names}


@dataclass
class ModuleText:
    """A module that is being written.

    Members
    -------
    name : str
    ports : list of ModulePort
    wires_of_own : list of ModulePort
        Its wires. They stand before the body, so that everything is declared before it is used.
    body : list of str
        Lines.
    parts : dict of str to dict
        The parts in `rtl` that it has an instance of, and what is filled into their text.
    """

    name: str
    ports: list[ModulePort] = field(default_factory=list)
    wires_of_own: list[ModulePort] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
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
        self.body.append(f"  assign {target} = {value};")

    def loop(self, count: int, target: str, source: str) -> None:
        """Assign ``count`` bits one by one: both sides are expressions of ``i``."""
        label = re.sub(r"\W.*", "", target)
        self.body += [
            "  generate",
            f"    for (i = 0; i < {count}; i = i + 1) begin : each_{label}_{self._loops[label]}",
            f"      assign {target} = {source};",
            "    end",
            "  endgenerate",
        ]
        self._loops[label] += 1

    def instance(
        self, module: str, name: str, connections: Mapping[str, str],
        parameters: Mapping[str, object] | None = None,
    ) -> None:  # fmt: skip
        """Add an instance of a module, between empty lines."""
        self.space()
        if parameters:
            self.body += [f"  {module} #(", _named(parameters), f"  ) {name} ("]
        else:
            self.body.append(f"  {module} {name} (")
        self.body += [_named(connections), "  );", ""]

    def part(
        self, part: str, name: str, connections: Mapping[str, str],
        parameters: Mapping[str, object] | None = None, values: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Add an instance of a part in `rtl`, between empty lines; ``values`` are filled into its
        text, which is the same for all its instances."""
        self.parts[part] = values or {}
        self.instance(part_name(self.name, part), name, connections, parameters)

    def space(self) -> None:
        """Add an empty line, unless there is one."""
        if self.body[-1:] != [""]:
            self.body.append("")

    def unused(self, *names: str, label: str = "") -> None:
        """Say that nothing reads these wires, in a wire named by the first one or ``label``."""
        self.body.append(f"  wire unused_{label or names[0]} = &{{1'b0, {', '.join(names)}}};")

    def text(self, comment: str = _LICENCE, parameters: str = "") -> str:
        """The whole module, under a comment."""
        counter = ["  genvar i;"] if self._loops else []
        opened = [f"module {self.name} {parameters}(", *port_lines(self.ports, self._titles), ");"]
        inner = "\n".join([*counter, *wire_lines(self.wires_of_own), "", *self.body]).rstrip()
        return "\n".join([comment, "", *opened, inner, "endmodule", ""])

    def files(self, comment: str, parameters: str = "") -> dict[str, str]:
        """The module under a comment, and its parts, by name of the file."""
        return with_parts(self.name, self.text(comment, parameters), self.parts)


def _named(connections: Mapping[str, object]) -> str:
    """Connections, or parameters, by name and one on a line."""
    return ",\n".join(f"    .{name}({value})" for name, value in connections.items())
