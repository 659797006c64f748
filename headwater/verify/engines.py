# SPDX-License-Identifier: Apache-2.0
"""The engines by name: what runs a cipher on vectors, keys and texts."""

from __future__ import annotations

from headwater.verify.c_engine import CEngine
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.fast_engine import FastEngine

GENERATED: dict[str, type[RtlEngine | CEngine]] = {
    RtlEngine.name: RtlEngine,
    CEngine.name: CEngine,
}
"""The engines that run what is generated."""

CHECKED = (ModelEngine.name, *GENERATED)
"""The engines whose vectors are checked."""

ENGINES = (FastEngine.name, *CHECKED)
"""Every engine: what ``--engine`` of a verb with keys and texts can be."""
