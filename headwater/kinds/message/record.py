# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.kind import Kind
from headwater.kinds.message.core import MessageCore
from headwater.kinds.message.facts import MessageFacts
from headwater.kinds.message.model import process

KIND = Kind(
    meaning="a machine of registers and operations that takes its text in and gives a tag",
    facts=MessageFacts,
    core_class=lambda _: MessageCore,
    process=process,
)
