# SPDX-License-Identifier: Apache-2.0
"""What a testbench does with the registers of key and IV of a core on AXI4-Stream."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.package.calls import WORD_BYTES, check, masks_of, wait_for, write
from headwater.package.key_ip import KeyIp
from headwater.package.sessions import StreamSession, packet_of


def identity_checks(ip: KeyIp) -> list[str]:
    """Lines of Verilog: what the core says of itself."""
    checks = [check(name, value) for name, value in ip.identity.items()]
    return [*checks, check("STATUS", 0)]


def load_scripts(ip: KeyIp, sessions: Sequence[StreamSession]) -> list[list[str]]:
    """For each session the lines of its load. The end of the first one interrupts; the second one
    is begun twice."""
    scripts = [_load(ip, session) for session in sessions]
    first, second, *others = scripts
    return [_interrupting(ip, first), [*second[:-1], *second], *others]


def _load(ip: KeyIp, session: StreamSession) -> list[str]:
    packet = session.key if ip.wrapped.packets else packet_of(ip.cipher, session)
    marks = ip.controls.get("DECRYPT", 0) if session.decrypts else 0
    words = [
        int.from_bytes(packet[place : place + WORD_BYTES], "little")
        for place in range(0, len(packet), WORD_BYTES)
    ]
    return [
        *([write("CONTROL", marks)] if ip.controls else []),
        write("START", len(packet)),
        *(write("LOAD", word) for word in words),
    ]


def _interrupting(ip: KeyIp, load: Sequence[str]) -> list[str]:
    """A load whose end interrupts; none of its words can be read."""
    bits = masks_of(ip.registers)
    event = bits["IRQ_STATUS_LOADED"]
    return [
        write("IRQ_ENABLE", event),
        "check_irq(1'b0);",
        *load,
        wait_for("STATUS", bits["STATUS_LOADED"]),
        check("LOAD", 0),
        check("IRQ_STATUS", event, event),
        "check_irq(1'b1);",
        write("IRQ_STATUS", event),
        check("IRQ_STATUS", 0, event),
        "check_irq(1'b0);",
    ]
