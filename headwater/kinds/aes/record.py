# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from typing import Any

from headwater.core.architecture import Architecture
from headwater.kinds.aes.bit import BitCore
from headwater.kinds.aes.bit_facts import BitFacts
from headwater.kinds.aes.block import BlockCore
from headwater.kinds.aes.byte import ByteCore
from headwater.kinds.aes.column import ColumnCore
from headwater.kinds.aes.core import AesCircuit
from headwater.kinds.aes.description import AesMac, AesMode, AesOfb
from headwater.kinds.aes.facts import AesFacts, LineFacts
from headwater.kinds.aes.line_words import line_class
from headwater.kinds.aes.mac import mac_class
from headwater.kinds.aes.mac_facts import MacFacts
from headwater.kinds.aes.model import authenticated, keystream_of
from headwater.kinds.kind import Kind

_CORES: dict[int, type[AesCircuit]] = {1: BitCore, 8: ByteCore, 32: ColumnCore, 128: BlockCore}
"""Those of AES-128-OFB by width of the datapath."""


def _facts(cipher: AesOfb | AesMode | AesMac, architecture: Architecture) -> AesFacts:
    if isinstance(cipher, AesMac):
        return MacFacts(cipher, architecture)
    if isinstance(cipher, AesMode):
        return LineFacts(cipher, architecture)
    return (BitFacts if architecture.radix == 1 else AesFacts)(cipher, architecture)


def _core_class(facts: AesFacts) -> type[Any]:
    """The class of the core of a mode."""
    if isinstance(facts, MacFacts):
        return mac_class(facts)
    if isinstance(facts, LineFacts):
        return line_class(facts)
    return _CORES[facts.architecture.radix]


KIND = Kind(
    meaning="a block cipher that makes keystream of a counter or its output, or tags of messages",
    facts=_facts,
    core_class=_core_class,
    keystream=keystream_of,
    process=authenticated,
)
