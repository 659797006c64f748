# SPDX-License-Identifier: Apache-2.0
"""What the data sheet of VEST says beside that of every cipher."""

from __future__ import annotations

from typing import Any

from headwater.cipher.vest import PATENT
from headwater.kinds.vest.description import VestCipher
from headwater.kinds.vest.facts import VestFacts


def vest_parts(cipher: VestCipher) -> dict[str, Any]:
    """What holds of the parts of a state at any architecture."""
    tables = cipher.tables
    return {
        "patent": PATENT,
        "registers": {
            "counters": {"length": sum(kind.width for kind in tables.counters),
                         "registers": len(tables.counters)},
            "diffuser": {"length": len(tables.diffuser)},
            "core": {"length": tables.core_bits, "functions": len(tables.rows)},
        },
    }  # fmt: skip


def vest_timing(facts: VestFacts) -> dict[str, Any]:
    """What the core of an architecture needs where only the IV is new."""
    cycles = facts.new_iv_cycles
    return {} if cycles is None else {"new_iv_cycles": cycles}
