# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from typing import Any

from headwater.cipher.message import Message, Sealed
from headwater.core.architecture import Architecture
from headwater.kinds.kind import Kind
from headwater.kinds.telephony.confidentiality import ConfidentialityCore
from headwater.kinds.telephony.description import (
    Confidentiality,
    EvaluationIntegrity,
    TelephonyMode,
    WindowIntegrity,
    WordMode,
)
from headwater.kinds.telephony.evaluation import EvaluationCore
from headwater.kinds.telephony.facts import TelephonyFacts
from headwater.kinds.telephony.hash_facts import HashFacts
from headwater.kinds.telephony.hashing import AeadCore, HashingCore
from headwater.kinds.telephony.mode_256 import (
    Mode256,
    WordAead,
    WordCiphering,
    WordHashing,
    WordIntegrity,
)
from headwater.kinds.telephony.model import process
from headwater.kinds.telephony.model_256 import process_256
from headwater.kinds.telephony.window import WindowCore

_CORES: dict[type[Any], type[Any]] = {
    Confidentiality: ConfidentialityCore,
    WindowIntegrity: WindowCore,
    EvaluationIntegrity: EvaluationCore,
    WordCiphering: ConfidentialityCore,
    WordIntegrity: HashingCore,
    WordAead: AeadCore,
}


def _facts(mode: WordMode, architecture: Architecture) -> TelephonyFacts:
    base = mode.base.formed(architecture.options)
    if isinstance(mode, WordHashing):
        return HashFacts(base, architecture, mode)
    return TelephonyFacts(base, architecture, mode)


def _processed(mode: TelephonyMode | Mode256, message: Message) -> Sealed:
    if isinstance(mode, Mode256):
        return process_256(mode, message)
    return process(mode, message)


KIND = Kind(
    meaning="the messages of mobile networks under the keystream of a cipher of words",
    facts=_facts,
    core_class=lambda facts: _CORES[type(facts.mode)],
    process=_processed,
)
