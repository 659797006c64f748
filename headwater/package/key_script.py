# SPDX-License-Identifier: Apache-2.0
"""What a testbench does with the registers of key and IV of a core on AXI4-Stream."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.codesign.shape import public_secret
from headwater.package.key_ip import KeyIp
from headwater.package.sessions import Session

_WORD_BYTES = 4
_ALL = 0xFFFFFFFF


def identity_checks(ip: KeyIp) -> list[str]:
    """Lines of Verilog: what the core says of itself."""
    checks = [_check(name, _ALL, value) for name, value in ip.identity.items()]
    return [*checks, _check("STATUS", _ALL, 0)]


def load_scripts(ip: KeyIp, sessions: Sequence[Session]) -> list[list[str]]:
    """For each session the lines of its load. The end of the first one interrupts; the second one
    is begun twice."""
    scripts = [_load(ip, session) for session in sessions]
    first, second, *others = scripts
    return [_interrupting(ip, first), [*second[:-1], *second], *others]


def _load(ip: KeyIp, session: Session) -> list[str]:
    _, iv = public_secret(ip.cipher)
    packet = ip.packet(session.key, iv)
    marks = ip.controls.get("DECRYPT", 0) if session.decrypts else 0
    words = [int.from_bytes(packet[place : place + _WORD_BYTES], "little")
             for place in range(0, len(packet), _WORD_BYTES)]  # fmt: skip
    return [
        *([_write("CONTROL", marks)] if ip.controls else []),
        _write("START", len(packet)),
        *(_write("LOAD", word) for word in words),
    ]


def _interrupting(ip: KeyIp, load: Sequence[str]) -> list[str]:
    """A load whose end interrupts; none of its words can be read."""
    loaded = {f"{register.name}_{field.name}": field.mask
              for register in ip.registers for field in register.fields}  # fmt: skip
    event = loaded["IRQ_STATUS_LOADED"]
    return [
        _write("IRQ_ENABLE", event), "check_irq(1'b0);",
        *load,
        f"wait_for(STATUS, {_word(loaded['STATUS_LOADED'])});",
        _check("LOAD", _ALL, 0),
        _check("IRQ_STATUS", event, event), "check_irq(1'b1);",
        _write("IRQ_STATUS", event),
        _check("IRQ_STATUS", event, 0), "check_irq(1'b0);",
    ]  # fmt: skip


def _write(register: str, word: int) -> str:
    return f"write({register}, {_word(word)});"


def _check(register: str, mask: int, expected: int) -> str:
    return f"check({register}, {_word(mask)}, {_word(expected)});"


def _word(value: int) -> str:
    return f"32'h{value:08x}"
