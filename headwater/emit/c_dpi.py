# SPDX-License-Identifier: Apache-2.0
"""A model in C for testbenches in SystemVerilog: a package that imports it, and its C side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headwater.emit.c_expression import LIMB, limbs_of
from headwater.emit.c_functions import CFunction
from headwater.emit.c_model import CModel
from headwater.templating import Templates

_RENDERED = Templates(Path(__file__).with_name("templates")).rendered

_NUMBERS = {
    "unsigned ": ("input int unsigned", "unsigned "),
    "uint64_t ": ("input longint unsigned", "unsigned long long "),
    "size_t ": ("input longint unsigned", "unsigned long long "),
}
"""The types of numbers in SystemVerilog and at its interface with C."""

_ARRAYS = {"const uint8_t *": "input", "uint8_t *": "output"}


@dataclass(frozen=True)
class _Import:
    """A function of the model: its parameters after the session, in SystemVerilog and in C, and
    what its C side gives to the model."""

    name: str
    in_verilog: str
    in_c: str
    given: str


def c_files(model: CModel) -> dict[str, str]:
    """The files by name: the model, and its wrapper for SystemVerilog."""
    return {f"{model.name}.h": model.header, f"{model.name}.c": model.source, **dpi_files(model)}


def dpi_files(model: CModel) -> dict[str, str]:
    """The files of the wrapper, by name."""
    values = {
        "name": model.name,
        "inputs": _limbs(model.inputs),
        "outputs": _limbs(model.outputs),
        "functions": [_import(one) for one in model.functions],
    }
    return {
        f"{model.name}_dpi.{suffix}": _RENDERED(f"c_dpi.{suffix}", **values)
        for suffix in ("sv", "c")
    }


def _limbs(ports: Mapping[str, int]) -> dict[str, str]:
    """The limbs of ports, and the member of the structure that each is."""
    return {
        name: member
        for port, width in ports.items()
        for name, member in (
            [(port, port)]
            if width <= LIMB
            else [(f"{port}_{limb}", f"{port}[{limb}]") for limb in range(limbs_of(width))]
        )
    }


def _import(function: CFunction) -> _Import:
    in_verilog, in_c, given = [""], [""], [""]
    for variable, kind in function.parameters.items():
        if kind in _ARRAYS:
            in_verilog.append(f"{_ARRAYS[kind]} byte unsigned {variable}[]")
            in_c.append(f"const svOpenArrayHandle {variable}")
            given.append(f"bytes_of({variable})")
        else:
            in_verilog.append(f"{_NUMBERS[kind][0]} {variable}")
            in_c.append(f"{_NUMBERS[kind][1]}{variable}")
            given.append(f"({kind.strip()}){variable}")
    return _Import(function.name, ", ".join(in_verilog), ", ".join(in_c), ", ".join(given))
