# SPDX-License-Identifier: Apache-2.0
"""The contract of every core: so many cycles behind `clear`, as its data sheet says, no register
tells of the key any more."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import or_

import pytest
from contract import FEW_CORES, Core, Session, run, session
from emitted import registers_of

from headwater.core.facts import Facts
from headwater.emit.verilog import Port, Verilog

ZERO = Facts.clear_effect.fget  # type: ignore[attr-defined]


def showing_registers(made: Verilog) -> Verilog:
    """The core with all its registers as one more output."""
    names = registers_of(made.text)
    port = Port("all_registers", "output", sum(names.values()))
    text = made.text.replace("\n);", f",\n  output wire [{port.width - 1}:0] {port.name}\n);", 1)
    assigned = f"  assign {port.name} = {{{', '.join(names)}}};\n"
    body, end, rest = text.partition("endmodule")
    return replace(made, text=body + assigned + end + rest, ports=(*made.ports, port))


def contents(core: Core, given: list[Session], idle: int, end: list[str]) -> list[int]:
    """The registers behind an unfinished session, for each of some keys. What lies at the load
    while nothing is offered is no load word."""
    word = "f" * (core.facts.streams["load"].width // 4) or "1"
    shown = [
        [one.loading(), f"idle {idle}", f"input load_payload {word}", *end, "show all_registers"]
        for one in given
    ]
    parts = run(core, *shown, verilog=showing_registers(core.verilog))
    return [int(part.printed[-1], 16) for part in parts]


def differing(found: list[int]) -> int:
    """The bits that are not the same in all."""
    return reduce(or_, (found[0] ^ one for one in found))


@FEW_CORES
def test_no_register_tells_of_the_key_after_clear(core: Core) -> None:
    """Behind the load and behind the setup; what differs from key to key becomes zero."""
    cycles = core.facts.clear_cycles
    if cycles is None:
        pytest.skip("it has no clear")
    given = [session(core, seed) for seed in range(6)]
    for idle in (0, core.facts.setup_cycles - len(given[0].load)):
        secret = differing(contents(core, given, idle, []))
        left = contents(core, given, idle, ["clear", f"idle {cycles - 1}"])
        assert secret.bit_count() >= core.cipher.key_bits // 2
        assert differing(left) == 0
        if core.facts.clear_effect == ZERO(core.facts):
            assert left[0] & secret == 0
