# SPDX-License-Identifier: Apache-2.0
"""The text of a Verilog module that connects other modules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from headwater.interface.module_port import BIT, ModulePort, given, span
from headwater.interface.parts import part_name, with_parts


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
    body : list of str
        Lines.
    parts : set of str
        The parts in `rtl` that it has an instance of.
    """

    name: str
    ports: list[ModulePort] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    parts: set[str] = field(default_factory=set)
    _declared: list[str] = field(default_factory=list)
    _loops: Counter[str] = field(default_factory=Counter)

    def port(self, direction: str, name: str, width: int = BIT) -> str:
        """Declare a port; gives its name."""
        port = ModulePort(direction, name, width)
        self.ports.append(port)
        self._declared.append(f"{direction:6} {port.wire}")
        return name

    def take(self, ports: Iterable[ModulePort]) -> None:
        """Declare ports, in columns."""
        for port in ports:
            self.ports.append(port)
            self._declared.append(port.declared)

    def wire(self, name: str, width: int = BIT, value: str = "") -> str:
        """Declare a wire, with its value if that is known already; gives its name."""
        declared = given(name, width).wire
        self.body.append(f"  {declared}{f' = {value}' if value else ''};")
        return name

    def wires(self, widths: Mapping[str, int], prefix: str = "") -> None:
        """Declare wires, in columns: names, before which a prefix stands, and widths."""
        self.body += [f"  wire {span(width):7} {prefix}{name};" for name, width in widths.items()]

    def wires_like(self, ports: Iterable[ModulePort]) -> None:
        """Declare wires like ports of another module."""
        self.body += [f"  {port.wire};" for port in ports]

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
        """Add an instance of a module, behind an empty line."""
        given = ", ".join(f".{key}({value})" for key, value in (parameters or {}).items())
        wired = ",\n".join(f"    .{key}({value})" for key, value in connections.items())
        self.space()
        self.body += [f"  {module} {f'#({given}) ' if given else ''}{name} (", wired, "  );"]

    def part(
        self, part: str, name: str, connections: Mapping[str, str],
        parameters: Mapping[str, object] | None = None,
    ) -> None:  # fmt: skip
        """Add an instance of a part in `rtl`, behind an empty line."""
        self.parts.add(part)
        self.instance(part_name(self.name, part), name, connections, parameters)

    def space(self) -> None:
        """Add an empty line, unless there is one."""
        if self.body[-1:] != [""]:
            self.body.append("")

    def unused(self, *names: str, label: str = "") -> None:
        """Say that nothing reads these wires, in a wire named by the first one or ``label``."""
        self.body.append(f"  wire unused_{label or names[0]} = &{{1'b0, {', '.join(names)}}};")

    def text(self, comment: str = "", parameters: str = "") -> str:
        """The whole module, under a comment."""
        listed = ",\n".join(f"  {each}" for each in self._declared)
        counter = ["  genvar i;"] if self._loops else []
        head = ["// SPDX-License-Identifier: Apache-2.0", *([comment] if comment else []), ""]
        opened = [f"module {self.name} {parameters}(", listed, ");"]
        return "\n".join([*head, *opened, *counter, *self.body, "endmodule", ""])

    def files(self, comment: str = "", parameters: str = "") -> dict[str, str]:
        """The module under a comment, and its parts, by name of the file."""
        return with_parts(self.name, self.text(comment, parameters), self.parts)
