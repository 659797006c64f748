# SPDX-License-Identifier: Apache-2.0
"""What the registers that tell one core from another hold."""

from __future__ import annotations

import hashlib
import json

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.interface.registers import MAP_VERSION


def identity_of(cipher: Cipher, architecture: Architecture) -> dict[str, int]:
    """The values of these registers, by their names."""
    options = json.dumps(architecture.options, sort_keys=True)
    return {
        "IDENTITY": int(cipher.digest[:8], 16),
        "PARAMETERS": architecture.load_width << 16 | architecture.radix,
        "VERSION": MAP_VERSION,
        "OPTIONS": int(hashlib.sha256(options.encode()).hexdigest()[:8], 16),
    }
