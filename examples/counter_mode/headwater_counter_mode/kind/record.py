# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.kind import Kind
from headwater_counter_mode.kind.core import CounterModeCore
from headwater_counter_mode.kind.facts import CounterModeFacts
from headwater_counter_mode.kind.model import CounterModeModel

KIND = Kind(
    meaning="a block cipher in counter mode",
    facts=CounterModeFacts,
    core_class=lambda _: CounterModeCore,
    keystream=CounterModeModel,
)
