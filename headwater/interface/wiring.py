# SPDX-License-Identifier: Apache-2.0
"""Verilog declarations and instances, from names and widths."""

from __future__ import annotations

from collections.abc import Mapping


def wires(widths: Mapping[str, int], prefix: str = "") -> list[str]:
    """Declarations of wires."""
    return [
        f"  wire {f'[{width - 1}:0]' if width > 1 else '':7} {prefix}{name};"
        for name, width in widths.items()
    ]


def instance(
    module: str, name: str, parameters: Mapping[str, object], connections: Mapping[str, str]
) -> list[str]:
    """An instance of a module, and an empty line."""
    given = ", ".join(f".{key}({value})" for key, value in parameters.items())
    lines = [f"  {module} #({given}) {name} (" if given else f"  {module} {name} ("]
    wired = [f"    .{key}({value})" for key, value in connections.items()]
    return [*lines, ",\n".join(wired), "  );", ""]


def same(*names: str) -> dict[str, str]:
    """Connections of ports to wires of the same names."""
    return {name: name for name in names}
