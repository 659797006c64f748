# SPDX-License-Identifier: Apache-2.0
"""The core of a filtered LFSR."""

from __future__ import annotations

from headwater.core.architecture import Architecture
from headwater.kinds.filtered.description import FilteredLfsr
from headwater.kinds.filtered.message import FilteredAeadCore
from headwater.kinds.filtered.steps import FilteredSteps
from headwater.kinds.stepped.keystream import KeystreamCore


class FilteredCore(FilteredSteps, KeystreamCore):
    """A filtered LFSR whose output is keystream."""


def core_class(
    cipher: FilteredLfsr, _architecture: Architecture
) -> type[FilteredCore] | type[FilteredAeadCore]:
    """The class of the core, with or without authentication."""
    return FilteredAeadCore if cipher.authenticates else FilteredCore
