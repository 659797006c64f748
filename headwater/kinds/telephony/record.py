# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from typing import Any

from headwater.cipher.message import Message, Sealed
from headwater.core.architecture import Architecture
from headwater.kinds.aes.counter import COUNTER_CORES
from headwater.kinds.aes.line_words import line_class
from headwater.kinds.aes.mac import mac_class
from headwater.kinds.aes.pipeline import MarkedPipeline
from headwater.kinds.kind import Kind
from headwater.kinds.telephony.aead import AeadCore
from headwater.kinds.telephony.block_facts import (
    BlockModeFacts,
    CalledFacts,
    LineModeFacts,
    MacModeFacts,
)
from headwater.kinds.telephony.confidentiality import ConfidentialityCore
from headwater.kinds.telephony.core import OverBlocks, OverWords, TelephonyCore
from headwater.kinds.telephony.description import (
    BlockConfidentiality,
    BlockIntegrity128,
    BlockMode,
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
from headwater.kinds.telephony.windows_behind import WindowsBehind
from headwater.kinds.telephony.windows_behind_core import WindowsBehindCore

_Facts = TelephonyFacts | BlockModeFacts | CalledFacts

_MODES: dict[type[Any], type[TelephonyCore]] = {
    Confidentiality: ConfidentialityCore,
    WindowIntegrity: WindowCore,
    EvaluationIntegrity: EvaluationCore,
    WindowsBehind: WindowsBehindCore,
    WordCiphering: ConfidentialityCore,
    WordIntegrity: HashingCore,
    WordAead: AeadCore,
    BlockConfidentiality: ConfidentialityCore,
    BlockCiphering: ConfidentialityCore,
    BlockIntegrity: HashingCore,
    BlockAead: AeadCore,
}
"""The half of a core that is the mode's."""


def _core_class(facts: _Facts) -> type[Any]:
    """The class of the core of a mode."""
    if isinstance(facts, MacModeFacts):
        return mac_class(facts)
    mode = type(facts.mode)
    if isinstance(facts, LineModeFacts):
        return line_class(facts, _MODES[mode], OverBlocks)
    halves: tuple[type[Any], ...] = (_MODES[mode],)
    if isinstance(facts, BlockModeFacts):
        one_round = COUNTER_CORES[facts.architecture.radix]
        halves += (OverBlocks, MarkedPipeline if facts.is_pipelined else one_round)
    elif not issubclass(_MODES[mode], OverWords):
        halves += (OverWords,)
    return type(halves[0].__name__, halves, {})


def _facts(mode: WordMode | BlockMode | ModeOfBlocks, architecture: Architecture) -> _Facts:
    if isinstance(mode, ModeOfBlocks):
        return BlockModeFacts(mode, architecture)
    if isinstance(mode, BlockIntegrity128):
        return MacModeFacts(mode.base, architecture, mode)
    if isinstance(mode, BlockMode):
        return LineModeFacts(mode.base, architecture, mode)
    base = mode.base.formed(architecture.options)
    if isinstance(mode, WordHashing):
        return HashFacts(base, architecture, mode)
    return TelephonyFacts(base, architecture, mode)


def _processed(mode: TelephonyMode | WindowsBehind | Mode256, message: Message) -> Sealed:
    if isinstance(mode, Mode256):
        return process_256(mode, message)
    return process(mode, message)


KIND = Kind(
    meaning="the messages of mobile networks under the keystream of a cipher",
    facts=_facts,
    core_class=_core_class,
    process=_processed,
)
