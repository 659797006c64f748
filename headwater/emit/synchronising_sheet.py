# SPDX-License-Identifier: Apache-2.0
"""What the data sheet of a self-synchronising cipher says of its memory and its flip-flops."""

from __future__ import annotations

from typing import Any

from headwater.kinds.self_synchronising.description import SelfSynchronisingCipher
from headwater.kinds.self_synchronising.facts import SelfSynchronisingFacts


def synchronisation(cipher: SelfSynchronisingCipher) -> dict[str, Any]:
    """What holds of the cipher at any architecture."""
    nearest, farthest = cipher.memory
    return {
        "registers": {register.name: {"length": register.length} for register in cipher.registers},
        "gates_per_bit": dict(cipher.gates),
        "memory": f"a keystream bit is made of the ciphertext bits {nearest} to {farthest} places "
        f"before it: a wrong ciphertext bit disturbs its own place and those {nearest} to "
        f"{farthest} places on, and after lost bits {farthest} right ones are enough",
        "setup_steps": farthest,
    }


def flip_flops(facts: SelfSynchronisingFacts) -> dict[str, Any]:
    """Those of the core, by what they are for."""
    counted = {name: count for name, count in facts.flip_flops.items() if count}
    return {"flip_flops": {"all": sum(counted.values()), **counted}}
