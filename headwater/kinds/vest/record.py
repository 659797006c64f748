# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.kind import Kind
from headwater.kinds.vest.authenticated import VestAeadCore
from headwater.kinds.vest.facts import VestFacts
from headwater.kinds.vest.keystream import VestCore
from headwater.kinds.vest.model import VestModel, process

KIND = Kind(
    meaning="nonlinear counters, a diffuser and a core of many functions",
    facts=VestFacts,
    core_class=lambda facts: VestAeadCore if facts.authenticates else VestCore,
    keystream=VestModel,
    process=process,
)
