# SPDX-License-Identifier: Apache-2.0
"""Tests of a package for cocotb and pytest, and the C model of the core that they need."""

from __future__ import annotations

from typing import Any

from headwater.emit.c_model import CModel, c_model
from headwater.interface.public_secret import public_secret
from headwater.package.design import Design
from headwater.package.driver import values_of
from headwater.package.ip import Ip
from headwater.package.templating import rendered

_SESSIONS, _FURTHER_CYCLES = 5, 100
_BUSES = {"": "request", "wishbone_port": "wishbone", "axi4lite_port": "axi4lite"}
"""The template of a master, by the module that translates its bus."""


def cocotb_files(design: Design) -> dict[str, str]:
    """The C model, the same in Python, and the tests: of the core, and of the whole where it has
    registers or instructions for text or keystream."""
    model = c_model(design.cipher, design.facts.architecture, f"{design.core}_model")
    values = {**_of_core(design, model), **_of_message(design)}
    files = {f"{model.name}.h": model.header, f"{model.name}.c": model.source}
    files[f"{model.name}.py"] = rendered("cocotb_model.py.jinja", **values)
    files[f"test_{design.core}.py"] = rendered("cocotb_core.py.jinja", **values)
    if isinstance(design.ip, Ip):
        whole = {**values, **_of_whole(design, design.ip)}
        files[f"test_{design.top}.py"] = rendered("cocotb_whole.py.jinja", **whole)
    return files


def _of_core(design: Design, model: CModel) -> dict[str, Any]:
    """What the templates need to know of the core and its model."""
    cycles = design.facts.setup_cycles + len(design.facts.load_words(*public_secret(design.cipher)))
    return {
        "title": design.cipher.title,
        "core": design.core,
        "model": model.name,
        "inputs": model.inputs,
        "outputs": model.outputs,
        "session": cycles + _FURTHER_CYCLES,
        "sessions": _SESSIONS,
        "inits": ", ".join(_argument(name, design) for name in model.parameters),
    }


def _argument(name: str, design: Design) -> str:
    """What a test gives for a parameter of the model's `init`."""
    cipher = design.cipher
    tag_bits = cipher.default_tag_bits if cipher.tag_lengths else 0
    known = {
        "key_bytes": "len(key)",
        "iv_bits": f"{cipher.iv_bits[-1]}",
        "block": "ctypes.c_uint64(0)",
        "tag_bits": f"{tag_bits}",
    }
    return known.get(name, name)


def _of_message(design: Design) -> dict[str, Any]:
    """What the templates need to know of the message."""
    cipher, streams = design.cipher, design.facts.streams
    return {
        "keystream": "keystream" in streams,
        "encrypts": "data_out" in streams,
        "tag_bytes": cipher.default_tag_bits // 8 if "tag" in streams else 0,
        "associated_data": cipher.takes_associated_data,
    }


def _of_whole(design: Design, ip: Ip) -> dict[str, Any]:
    """What the templates need to know of the driver and of the ports."""
    clock, reset = (port.name for port in ip.port.signals[:2])
    bus = "instructions" if ip.port.instruction else _BUSES[ip.port.bus.adapter]
    used = values_of(ip)
    iv, length = public_secret(ip.cipher)[1].hex(), f"{ip.cipher.iv_bits[-1]}"
    named = {"key": "key", "iv": "IV", "iv_bits": length}
    return {
        **used,
        "top": ip.top,
        "sources": list(design.rtl),
        "bus": bus,
        "clock": clock,
        "reset": reset,
        "released": int(reset.endswith("n")),
        "iv": iv,
        "iv_name": "IV" if iv else 'b""',
        "secrets": ", ".join(named[name] for name in used["secret_names"].split(", ")),
    }
