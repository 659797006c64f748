# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.aes_ofb.block import BlockCore
from headwater.kinds.aes_ofb.byte import ByteCore
from headwater.kinds.aes_ofb.column import ColumnCore
from headwater.kinds.aes_ofb.core import AesCore
from headwater.kinds.aes_ofb.facts import AesFacts
from headwater.kinds.aes_ofb.model import FeedbackModel
from headwater.kinds.kind import Kind

_CORES: dict[int, type[AesCore]] = {8: ByteCore, 32: ColumnCore, 128: BlockCore}
"""By width of the datapath."""

KIND = Kind(
    meaning="a block cipher that encrypts its own output again and again",
    facts=AesFacts,
    core_class=lambda facts: _CORES[facts.architecture.radix],
    keystream=FeedbackModel,
)
