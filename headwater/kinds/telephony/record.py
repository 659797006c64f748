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
)
from headwater.kinds.telephony.evaluation import EvaluationCore
from headwater.kinds.telephony.facts import TelephonyFacts
from headwater.kinds.telephony.mode_256 import Mode256
from headwater.kinds.telephony.model import process
from headwater.kinds.telephony.model_256 import process_256
from headwater.kinds.telephony.window import WindowCore

_CORES: dict[type[Any], type[Any]] = {
    Confidentiality: ConfidentialityCore,
    WindowIntegrity: WindowCore,
    EvaluationIntegrity: EvaluationCore,
}


def _facts(mode: TelephonyMode, architecture: Architecture) -> TelephonyFacts:
    return TelephonyFacts(mode.base.formed(architecture.options), architecture, mode)


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
