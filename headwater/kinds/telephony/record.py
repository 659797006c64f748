# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from typing import Any

from headwater.cipher.message import Message, Sealed
from headwater.core.architecture import Architecture
from headwater.kinds.aes_ofb.counter import COUNTER_CORES
from headwater.kinds.aes_ofb.pipeline import PipelinedCounter
from headwater.kinds.kind import Kind
from headwater.kinds.telephony.aead import AeadCore
from headwater.kinds.telephony.block_facts import BlockModeFacts
from headwater.kinds.telephony.confidentiality import ConfidentialityCore
from headwater.kinds.telephony.core import OverBlocks, OverWords, TelephonyCore
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
from headwater.kinds.telephony.hashing import HashingCore
from headwater.kinds.telephony.mode_256 import (
    BlockAead,
    BlockCiphering,
    BlockIntegrity,
    Mode256,
    ModeOfBlocks,
    WordAead,
    WordCiphering,
    WordHashing,
    WordIntegrity,
)
from headwater.kinds.telephony.model import process
from headwater.kinds.telephony.model_256 import process_256
from headwater.kinds.telephony.window import WindowCore

_MODES: dict[type[Any], type[TelephonyCore]] = {
    Confidentiality: ConfidentialityCore,
    WindowIntegrity: WindowCore,
    EvaluationIntegrity: EvaluationCore,
    WordCiphering: ConfidentialityCore,
    WordIntegrity: HashingCore,
    WordAead: AeadCore,
    BlockCiphering: ConfidentialityCore,
    BlockIntegrity: HashingCore,
    BlockAead: AeadCore,
}
"""The half of a core that is the mode's."""


def _core_class(facts: TelephonyFacts | BlockModeFacts) -> type[TelephonyCore]:
    """The class of the core of a mode."""
    mode = type(facts.mode)
    halves: tuple[type[Any], ...] = (_MODES[mode],)
    if isinstance(facts, BlockModeFacts):
        one_round = COUNTER_CORES[facts.architecture.radix]
        halves += (OverBlocks, PipelinedCounter if facts.is_pipelined else one_round)
    elif not issubclass(_MODES[mode], OverWords):
        halves += (OverWords,)
    return type(halves[0].__name__, halves, {})


def _facts(
    mode: WordMode | ModeOfBlocks, architecture: Architecture
) -> TelephonyFacts | BlockModeFacts:
    if isinstance(mode, ModeOfBlocks):
        return BlockModeFacts(mode, architecture)
    base = mode.base.formed(architecture.options)
    if isinstance(mode, WordHashing):
        return HashFacts(base, architecture, mode)
    return TelephonyFacts(base, architecture, mode)


def _processed(mode: TelephonyMode | Mode256, message: Message) -> Sealed:
    if isinstance(mode, Mode256):
        return process_256(mode, message)
    return process(mode, message)


KIND = Kind(
    meaning="the messages of mobile networks under the keystream of a cipher",
    facts=_facts,
    core_class=_core_class,
    process=_processed,
)
