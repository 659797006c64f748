# SPDX-License-Identifier: Apache-2.0
"""The specification of a core in shares as a file of `headwater leakage`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from headwater.cipher.description import Cipher
from headwater.core.heading import digest, generator
from headwater.leakage.spec import Spec


def spec_text(cipher: Cipher, spec: Spec) -> str:
    """A specification as a file of `headwater leakage`."""
    head = [f"# {name}: {value}" for name, value in (generator() | digest(cipher)).items()]
    values = spec.model_dump(exclude_defaults=True)
    tables = {name: value for name, value in values.items() if isinstance(value, Mapping)}
    plain = [f"{name} = {_toml(value)}" for name, value in values.items() if name not in tables]
    inner = [
        line
        for name, table in tables.items()
        for line in (
            "",
            f"[{name}]",
            *(f"{json.dumps(key)} = {_toml(value)}" for key, value in table.items()),
        )
    ]
    return "\n".join(["# SPDX-License-Identifier: Apache-2.0", *head, *plain, *inner, ""])


def _toml(value: Any) -> str:
    """A list of texts, or a number: JSON writes both as TOML does."""
    return json.dumps(value)
