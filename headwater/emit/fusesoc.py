# SPDX-License-Identifier: Apache-2.0
"""The core file (CAPI2) by which FuseSoC finds generated Verilog."""

from __future__ import annotations

import json
from collections.abc import Sequence

from headwater import __version__


def fusesoc_core(name: str, top: str, title: str, rtl: Sequence[str], testbench: str = "") -> str:
    """The text of ``{name}.core``: targets `default`, `lint`, and `sim` where there is a testbench.

    The library is ``headwater``, the title one line. The files are in the same folder; the
    testbench's module has the name of its file.
    """
    parts = [
        "CAPI=2:",
        f"name: headwater:cores:{name}:{__version__}",
        f"description: {json.dumps(title)}",
        "",
        "filesets:",
        *_fileset("rtl", rtl),
        *(_fileset("tb", [testbench]) if testbench else []),
        "",
        "targets:",
        *_target("default", ["rtl"], top),
        *_target("lint", ["rtl"], top, "lint", "tool: verilator"),
    ]
    if testbench:
        module = testbench.removesuffix(".v")
        parts += _target("sim", ["rtl", "tb"], module, "sim", "tool: icarus")
    return "\n".join([*parts, ""])


def _fileset(name: str, files: Sequence[str]) -> list[str]:
    listed = [f"      - {file}" for file in files]
    return [f"  {name}:", "    files:", *listed, "    file_type: verilogSource-2001"]


def _target(
    name: str, filesets: Sequence[str], top: str, flow: str = "", option: str = ""
) -> list[str]:
    lines = [f"  {name}:", f"    filesets: [{', '.join(filesets)}]", f"    toplevel: {top}"]
    if flow:
        lines += [f"    flow: {flow}", "    flow_options:", f"      {option}"]
    return lines
