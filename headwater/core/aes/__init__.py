# SPDX-License-Identifier: Apache-2.0
"""Cores of AES-128-OFB: one file for each width of the datapath."""

from __future__ import annotations

from headwater.cipher.aes_ofb import AesOfb
from headwater.core.aes.base import AesCore
from headwater.core.aes.block import BlockCore
from headwater.core.aes.byte import ByteCore
from headwater.core.aes.column import ColumnCore
from headwater.core.aes.facts import AesFacts
from headwater.core.architecture import Architecture

__all__ = ["AesCore", "AesFacts", "build_aes", "form_of"]

_FORMS: dict[int, type[AesCore]] = {8: ByteCore, 32: ColumnCore, 128: BlockCore}


def form_of(architecture: Architecture) -> type[AesCore]:
    """The kind of core that has the datapath's width."""
    return _FORMS[architecture.radix]


def build_aes(cipher: AesOfb, architecture: Architecture) -> AesCore:
    """The core of the datapath's width."""
    return form_of(architecture)(cipher, architecture)
