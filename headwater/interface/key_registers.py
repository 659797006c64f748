# SPDX-License-Identifier: Apache-2.0
"""The registers that take key and IV where the text is on AXI4-Stream.

Registers that a coprocessor has as well have the same addresses and fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from headwater.interface.register_verilog import (
    constants,
    read_value,
    word_addresses,
    written_fields,
)
from headwater.interface.registers import PATIENCE, REGISTERS, Field, Register

_OF_COPROCESSOR = {one.name: one for one in REGISTERS}
_INTERRUPTS = (
    Field("LOADED", 1, 1, "a load has become complete", access="1"),
    Field("DONE", 3, 1, "a message is over", access="1"),
)

KEY_REGISTERS = (
    Register(
        "STATUS",
        0x04,
        "rw",
        "the status; written, with whatever value: clears",
        (
            Field("LATE", 8, 1, "a word of a load waited too long and was dropped", access="r"),
            Field("BUSY", 9, 1, "a load has begun, or a message is not over", access="r"),
            Field("LOADED", 10, 1, "the core has key and IV", access="r"),
            Field("CLEAR", 31, 1, "forgets key, state and text", access="e"),
        ),
    ),
    Register("START", 0x08, "w", "begins a load: the number of its bytes"),
    Register("LOAD", 0x0C, "w", "the next four bytes of key and IV, the first one lowest"),
    Register(
        "CONTROL",
        0x18,
        "rw",
        "belongs to the load that is begun next",
        (
            Field("DECRYPT", 0, 1, "whether text is ciphertext"),
            Field("SAME_KEY", 1, 1, "whether the load is of an IV alone"),
        ),
    ),
    Register(
        "IRQ_ENABLE",
        0x1C,
        "rw",
        "which bits of IRQ_STATUS interrupt",
        tuple(replace(one, access="") for one in _INTERRUPTS),
    ),
    Register("IRQ_STATUS", 0x20, "rw", "what has happened", _INTERRUPTS),
    *(_OF_COPROCESSOR[name] for name in ("IDENTITY", "PARAMETERS", "VERSION", "OPTIONS")),
)
"""By ascending address."""

_USERS = {"decrypt": "DECRYPT", "same_key": "SAME_KEY"}


_KEPT = {
    "BUSY": "a key has begun, or a packet is not over",
    "LOADED": "there is a key",
    "START": "begins a key: the number of its bytes",
    "LOAD": "the next four bytes of the key, the first one lowest",
}
"""Meanings where the key alone is written, and kept for several packets."""
_EVENTS = {"LOADED": "a key has become complete", "DONE": "a packet is over"}


def key_registers(users: tuple[str, ...], *, kept: bool = False) -> tuple[Register, ...]:
    """The registers of a core whose loads are marked with ``users``, bit by bit; ``kept`` says that
    a load is of a key alone."""
    named = {_USERS[user]: bit for bit, user in enumerate(users)}
    registers = tuple(map(_of_kept_key, KEY_REGISTERS)) if kept else KEY_REGISTERS
    return tuple(
        replace(
            one,
            fields=tuple(
                replace(field, low=named[field.name]) for field in one.fields if field.name in named
            ),
        )
        if one.name == "CONTROL"
        else one
        for one in registers
        if one.name != "CONTROL" or users
    )


def _of_kept_key(register: Register) -> Register:
    meanings = _EVENTS if register.name.startswith("IRQ") else _KEPT
    fields = (
        replace(field, meaning=meanings.get(field.name, field.meaning)) for field in register.fields
    )
    return replace(
        register, meaning=_KEPT.get(register.name, register.meaning), fields=tuple(fields)
    )


def key_port_values(users: tuple[str, ...], identity: Mapping[str, int]) -> dict[str, Any]:
    """What is filled into the Verilog of these registers."""
    registers = key_registers(users)
    events = {"LOADED": 0, "DONE": 1}
    fields = {
        "STATUS": {"LATE": "late", "BUSY": "busy", "LOADED": "loaded"},
        "CONTROL": {_USERS[user]: f"control[{bit}]" for bit, user in enumerate(users)},
        "IRQ_ENABLE": {name: f"enabled[{bit}]" for name, bit in events.items()},
        "IRQ_STATUS": {name: f"happened[{bit}]" for name, bit in events.items()},
    }
    return {
        "patience": PATIENCE,
        "controls": len(users),
        "addresses": word_addresses(registers),
        "field": written_fields(registers, "bus_wdata"),
        "read": {
            one.name: read_value(one, fields[one.name]) for one in registers if one.name in fields
        }
        | constants(identity),
    }
