# SPDX-License-Identifier: Apache-2.0
"""The registers that take key and IV where the text is on AXI4-Stream.

Registers that a coprocessor has as well have the same addresses and fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from headwater.interface.identity import identity_parameters
from headwater.interface.registers import REGISTERS, Field, Register

_OF_COPROCESSOR = {one.name: one for one in REGISTERS}
_INTERRUPTS = (
    Field("LOADED", 1, 1, "a load has become complete", access="1"),
    Field("DONE", 3, 1, "a message is over", access="1"),
)

KEY_REGISTERS = (
    Register("STATUS", 0x04, "rw", "the status; written: forgets key, state and text", (
        Field("LATE", 8, 1, "a word of a load waited too long and was dropped"),
        Field("BUSY", 9, 1, "a load has begun, or a message is not over"),
        Field("LOADED", 10, 1, "the core has key and IV"),
    )),
    Register("START", 0x08, "w", "begins a load: the number of its bytes"),
    Register("LOAD", 0x0C, "w", "the next four bytes of key and IV, the first one lowest"),
    Register("CONTROL", 0x18, "rw", "belongs to the load that is begun next", (
        Field("DECRYPT", 0, 1, "whether text is ciphertext"),
        Field("SAME_KEY", 1, 1, "whether the load is of an IV alone"),
    )),
    Register("IRQ_ENABLE", 0x1C, "rw", "which bits of IRQ_STATUS interrupt", _INTERRUPTS),
    Register("IRQ_STATUS", 0x20, "rw", "what has happened", _INTERRUPTS),
    *(_OF_COPROCESSOR[name] for name in ("IDENTITY", "PARAMETERS", "VERSION", "OPTIONS")),
)  # fmt: skip
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
        replace(one, fields=tuple(
            replace(field, low=named[field.name]) for field in one.fields if field.name in named
        )) if one.name == "CONTROL" else one
        for one in registers
        if one.name != "CONTROL" or users
    )  # fmt: skip


def _of_kept_key(register: Register) -> Register:
    meanings = _EVENTS if register.name.startswith("IRQ") else _KEPT
    fields = (replace(field, meaning=meanings.get(field.name, field.meaning))
              for field in register.fields)  # fmt: skip
    return replace(register, meaning=_KEPT.get(register.name, register.meaning),
                   fields=tuple(fields))  # fmt: skip


def key_parameters(identity: Mapping[str, int]) -> dict[str, int | str]:
    """Verilog parameters: the word addresses, and the values of registers that say what this is."""
    addresses = {one.name: one.address >> 2 for one in KEY_REGISTERS}
    return {**addresses, **identity_parameters(identity)}
