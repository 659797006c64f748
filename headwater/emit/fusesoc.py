# SPDX-License-Identifier: Apache-2.0
"""The core file (CAPI2) by which FuseSoC finds generated Verilog."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headwater import __version__
from headwater.templating import Templates

_SYSTEM = "systemVerilogSource-2012"
"""Also of every testbench: $fatal is not in Verilog-2001."""


@dataclass(frozen=True)
class _Part:
    """What a bitstream is made for: arguments of nextpnr, and how many pins it has."""

    title: str
    arguments: str
    pins: int


_LARGEST = _Part("LFE5U-85F in CABGA756", "--85k, --package, CABGA756, --speed, '6'", 365)
"""The ECP5 with the most pins."""

_RENDERED = Templates(Path(__file__).with_name("templates")).rendered


def fusesoc_core(
    top: str,
    title: str,
    rtl: Sequence[str],
    testbenches: Mapping[str, str],
    pins: int,
    waivers: str = "",
    constraints: str = "",
) -> str:
    """The text of ``{top}.core``: targets `default`, `lint`, `synth`, and those of testbenches.

    The library is ``headwater``, the title one line. All files are in the same folder.
    ``testbenches`` has the file of a testbench by the target that runs it; its module has the name
    of its file. With a file of ``waivers`` there is a target `style`, which runs Verible. `synth`
    makes a bitstream if a part has as many ``pins`` as the module; ``constraints`` is the file with
    its clock.
    """
    filesets = {"rtl": rtl, **{f"{target}_tb": [file] for target, file in testbenches.items()}}
    types = {
        fileset: _file_type(files) if fileset == "rtl" else _SYSTEM
        for fileset, files in filesets.items()
    }
    modules = {target: Path(file).stem for target, file in testbenches.items()}
    return _RENDERED(
        "fusesoc.core",
        top=top,
        version=__version__,
        title=json.dumps(title),
        filesets=filesets,
        file_type=types,
        modules=modules,
        waivers=waivers,
        constraints=constraints,
        part=_LARGEST if pins <= _LARGEST.pins else None,
    )


def _file_type(files: Sequence[str]) -> str:
    system = any(file.endswith(".sv") for file in files)
    return _SYSTEM if system else "verilogSource-2001"
