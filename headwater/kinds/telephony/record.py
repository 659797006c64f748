# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.core.architecture import Architecture
from headwater.kinds.kind import Kind
from headwater.kinds.telephony.core import core_class
from headwater.kinds.telephony.description import TelephonyMode
from headwater.kinds.telephony.facts import TelephonyFacts
from headwater.kinds.telephony.model import process
from headwater.kinds.telephony.mutants import MUTANTS
from headwater.kinds.telephony.promises import PROMISES


def _facts(mode: TelephonyMode, architecture: Architecture) -> TelephonyFacts:
    return TelephonyFacts(mode.base.formed(architecture.options), architecture, mode)


KIND = Kind(
    meaning="the messages of mobile networks under the keystream of a cipher of words",
    facts=_facts,
    core_class=core_class,
    process=process,
    promises=PROMISES,
    mutants=MUTANTS,
)
