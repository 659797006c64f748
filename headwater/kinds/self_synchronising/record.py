# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.kind import Kind
from headwater.kinds.self_synchronising.core import SelfSynchronisingCore
from headwater.kinds.self_synchronising.facts import SelfSynchronisingFacts
from headwater.kinds.self_synchronising.model import process

KIND = Kind(
    meaning="a keyed register that its own ciphertext feeds, and a pipeline",
    facts=SelfSynchronisingFacts,
    core_class=lambda _: SelfSynchronisingCore,
    process=process,
)
