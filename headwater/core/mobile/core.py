# SPDX-License-Identifier: Apache-2.0
"""Which core a mode of mobile telephony has."""

from __future__ import annotations

from headwater.cipher.mobile import (
    Confidentiality,
    EvaluationIntegrity,
    MobileMode,
    WindowIntegrity,
)
from headwater.core.mobile.confidentiality import ConfidentialityCore
from headwater.core.mobile.evaluation import EvaluationCore
from headwater.core.mobile.window import WindowCore


def kind_of(mode: MobileMode) -> type[ConfidentialityCore | WindowCore | EvaluationCore]:
    """What the core of a mode is."""
    match mode:
        case Confidentiality():
            return ConfidentialityCore
        case WindowIntegrity():
            return WindowCore
        case EvaluationIntegrity():
            return EvaluationCore
    raise TypeError(f"{type(mode).__name__} has no core")
