# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.filtered.core import FilteredCore
from headwater.kinds.filtered.facts import FilteredFacts
from headwater.kinds.filtered.message import FilteredAeadCore
from headwater.kinds.filtered.model import FilteredModel, process
from headwater.kinds.kind import Kind

KIND = Kind(
    meaning="a filtered LFSR whose output comes out of a pipeline",
    facts=FilteredFacts,
    core_class=lambda facts: FilteredAeadCore if facts.cipher.authenticates else FilteredCore,
    keystream=FilteredModel,
    process=process,
)
