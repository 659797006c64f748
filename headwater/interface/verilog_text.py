# SPDX-License-Identifier: Apache-2.0
"""The text of a Verilog module that connects other modules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


def bits(width: int) -> str:
    """The range of a vector; nothing for a single bit, whose width is 0."""
    return f"[{width - 1}:0] " if width else ""


@dataclass
class ModuleText:
    """A module that is being written.

    Members
    -------
    name : str
    ports : list of str
        Declarations.
    body : list of str
        Lines.
    """

    name: str
    ports: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)

    def port(self, direction: str, name: str, width: int = 0) -> str:
        """Declare a port; gives its name."""
        self.ports.append(f"{direction:6} wire {bits(width)}{name}")
        return name

    def wire(self, name: str, width: int = 0, value: str = "") -> str:
        """Declare a wire, with its value if that is known already; gives its name."""
        self.body.append(f"  wire {bits(width)}{name}{f' = {value}' if value else ''};")
        return name

    def assign(self, target: str, value: str) -> None:
        """Add an assignment."""
        self.body.append(f"  assign {target} = {value};")

    def loop(self, count: int, target: str, source: str) -> None:
        """Assign ``count`` bits one by one: both sides are expressions of ``i``."""
        label = re.sub(r"\W.*", "", target)
        number = sum(f": each_{label}_" in line for line in self.body)
        self.body += [
            "  generate",
            f"    for (i = 0; i < {count}; i = i + 1) begin : each_{label}_{number}",
            f"      assign {target} = {source};",
            "    end",
            "  endgenerate",
        ]

    def instance(
        self, module: str, name: str, connections: Mapping[str, str],
        parameters: Mapping[str, int | str] | None = None,
    ) -> None:  # fmt: skip
        """Add an instance of a module."""
        given = ", ".join(f".{key}({value})" for key, value in (parameters or {}).items())
        wired = ",\n".join(f"    .{key}({value})" for key, value in connections.items())
        self.body += ["", f"  {module} {f'#({given}) ' if given else ''}{name} (", wired, "  );"]

    def unused(self, *names: str) -> None:
        """Say that nothing reads these wires."""
        self.body.append(f"  wire unused_{names[0]} = &{{1'b0, {', '.join(names)}}};")

    def text(self, comment: str = "", parameters: str = "") -> str:
        """The whole module, under a comment."""
        listed = ",\n".join(f"  {each}" for each in self.ports)
        counter = ["  genvar i;"] if any("(i = 0;" in line for line in self.body) else []
        head = ["// SPDX-License-Identifier: Apache-2.0", *([comment] if comment else []), ""]
        opened = [f"module {self.name} {parameters}(", listed, ");"]
        return "\n".join([*head, *opened, *counter, *self.body, "endmodule", ""])
