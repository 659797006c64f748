# SPDX-License-Identifier: Apache-2.0
"""The data sheet of a cipher: what its description says and what follows from it."""

from __future__ import annotations

from typing import Any

from headwater.cipher.description import ShiftRegisterCipher
from headwater.core.architecture import Architecture
from headwater.core.facts import CoreFacts


def datasheet(cipher: ShiftRegisterCipher, architecture: Architecture) -> dict[str, Any]:
    """Facts of the cipher, and of its core at one architecture, as plain data."""
    output, feedback = cipher.equations
    variables = output.variables.union(*(equation.variables for equation in feedback.values()))
    facts = CoreFacts(cipher, architecture)
    return {
        "cipher": cipher.name,
        "title": cipher.title,
        "source": cipher.source,
        "security": cipher.security,
        "key_bits": cipher.key_bits,
        "iv_bits": list(cipher.iv_bits),
        "convention": cipher.convention,
        "state_bits": cipher.state_bits,
        "registers": {
            register.name: {
                "length": register.length,
                "taps": sorted(stage for name, stage in variables if name == register.name),
                "feedback_degree": feedback[register.name].degree,
            }
            for register in cipher.registers
        },
        "gates_per_bit": dict(cipher.gates),
        "blank_steps": cipher.blank_steps,
        "natural_radix": cipher.natural_radix,
        "legal_radices": list(range(1, cipher.max_radix + 1)),
        "radix": architecture.radix,
        "load_width": architecture.load_width,
        "options": architecture.options,
        "bits_per_cycle": architecture.radix,
        "setup_cycles": facts.setup_cycles,
        "setup_formula": "ceil((key_bits + iv_bits) / load_width) + floor(blank_steps / radix)",
        "clear_cycles": facts.clear_cycles,
        "load_order": facts.load_order,
        "keystream_order": facts.keystream_order,
    }
