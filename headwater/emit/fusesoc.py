# SPDX-License-Identifier: Apache-2.0
"""The core file (CAPI2) by which FuseSoC finds generated Verilog."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from headwater import __version__

_SYNTHESIS = ("tool: yosys", "arch: ecp5", "output_format: json")


def fusesoc_core(
    name: str, top: str, title: str, rtl: Sequence[str], testbenches: Mapping[str, str]
) -> str:
    """The text of ``{name}.core``: targets `default`, `lint`, `synth`, and those of testbenches.

    The library is ``headwater``, the title one line. All files are in the same folder.
    ``testbenches`` has the file of a testbench by the target that runs it; its module has the name
    of its file.
    """
    parts = [
        "CAPI=2:",
        f"name: headwater:cores:{name}:{__version__}",
        f"description: {json.dumps(title)}",
        "",
        "filesets:",
        *_fileset("rtl", rtl),
        *(
            line
            for target, file in testbenches.items()
            for line in _fileset(f"{target}_tb", [file])
        ),
        "",
        "targets:",
        *_target("default", ["rtl"], top),
        *_target("lint", ["rtl"], top, "lint", "tool: verilator"),
        *_target("synth", ["rtl"], top, "generic", *_SYNTHESIS),
    ]
    for target, file in testbenches.items():
        module = file.rpartition(".")[0]
        parts += _target(target, ["rtl", f"{target}_tb"], module, "sim", "tool: icarus",
                         "iverilog_options: [-g2012]")  # fmt: skip
    return "\n".join([*parts, ""])


def _fileset(name: str, files: Sequence[str]) -> list[str]:
    listed = [f"      - {file}" for file in files]
    system = all(file.endswith(".sv") for file in files)
    kind = "systemVerilogSource-2012" if system else "verilogSource-2001"
    return [f"  {name}:", "    files:", *listed, f"    file_type: {kind}"]


def _target(
    name: str, filesets: Sequence[str], top: str, flow: str = "", *options: str
) -> list[str]:
    lines = [f"  {name}:", f"    filesets: [{', '.join(filesets)}]", f"    toplevel: {top}"]
    if flow:
        lines += [f"    flow: {flow}", "    flow_options:", *(f"      {each}" for each in options)]
    return lines
