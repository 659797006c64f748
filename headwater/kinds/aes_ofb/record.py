# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.aes_ofb.core import core_class
from headwater.kinds.aes_ofb.facts import AesFacts
from headwater.kinds.aes_ofb.model import FeedbackModel
from headwater.kinds.aes_ofb.mutants import MUTANTS
from headwater.kinds.aes_ofb.promises import PROMISES
from headwater.kinds.kind import Kind

KIND = Kind(
    meaning="a block cipher that encrypts its own output again and again",
    facts=AesFacts,
    core_class=core_class,
    keystream=FeedbackModel,
    promises=PROMISES,
    mutants=MUTANTS,
)
