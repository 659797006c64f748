# SPDX-License-Identifier: Apache-2.0
"""The core of a telephony mode."""

from __future__ import annotations

from headwater.core.architecture import Architecture
from headwater.kinds.telephony.confidentiality import ConfidentialityCore
from headwater.kinds.telephony.description import (
    Confidentiality,
    EvaluationIntegrity,
    TelephonyMode,
    WindowIntegrity,
)
from headwater.kinds.telephony.evaluation import EvaluationCore
from headwater.kinds.telephony.window import WindowCore


def core_class(
    mode: TelephonyMode, _architecture: Architecture
) -> type[ConfidentialityCore | WindowCore | EvaluationCore]:
    """The class of the core of a mode."""
    match mode:
        case Confidentiality():
            return ConfidentialityCore
        case WindowIntegrity():
            return WindowCore
        case EvaluationIntegrity():
            return EvaluationCore
    raise TypeError(f"{type(mode).__name__} has no core")
