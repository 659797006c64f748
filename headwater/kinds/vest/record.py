# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from typing import Any

from headwater.core.architecture import Architecture
from headwater.kinds.kind import Kind
from headwater.kinds.vest.core import core_class
from headwater.kinds.vest.facts import VestFacts
from headwater.kinds.vest.model import VestModel, process
from headwater.kinds.vest.mutants import MUTANTS
from headwater.kinds.vest.promises import PROMISES


def _formed(cipher: Any, architecture: Architecture) -> Any:
    return cipher.with_parameters(architecture.options)


KIND = Kind(
    meaning="nonlinear counters, a diffuser and a core of many functions",
    facts=lambda cipher, made: VestFacts(_formed(cipher, made), made),
    core_class=core_class,
    formed=_formed,
    keystream=VestModel,
    process=process,
    promises=PROMISES,
    mutants=MUTANTS,
)
