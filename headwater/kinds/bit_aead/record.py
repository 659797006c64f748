# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.bit_aead.core import BitAeadCore
from headwater.kinds.bit_aead.facts import BitAeadFacts
from headwater.kinds.bit_aead.model import process
from headwater.kinds.kind import Kind
from headwater.kinds.stepped.model import Model

KIND = Kind(
    meaning="shift registers whose output bits encrypt and authenticate in turn",
    facts=BitAeadFacts,
    masked="headwater.kinds.bit_aead.masked",
    core_class=lambda _: BitAeadCore,
    keystream=Model,
    process=process,
)
