# SPDX-License-Identifier: Apache-2.0
"""The core of AES-128-OFB: one file for each width of the datapath."""

from __future__ import annotations

from headwater.core.architecture import Architecture
from headwater.kinds.aes_ofb.base import AesCore
from headwater.kinds.aes_ofb.block import BlockCore
from headwater.kinds.aes_ofb.byte import ByteCore
from headwater.kinds.aes_ofb.column import ColumnCore
from headwater.kinds.aes_ofb.description import AesOfb

_FORMS: dict[int, type[AesCore]] = {8: ByteCore, 32: ColumnCore, 128: BlockCore}


def core_class(_cipher: AesOfb, architecture: Architecture) -> type[AesCore]:
    """The class of core for the architecture's datapath width."""
    return _FORMS[architecture.radix]
