# SPDX-License-Identifier: Apache-2.0
"""The result of one check, as `verify --json` prints it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from headwater.core.architecture import Architecture


@dataclass(frozen=True)
class Record:
    """The outcome of one check of one engine at one architecture."""

    check: str
    """``vectors``, ``lint``, ``cycles`` of a source of random bits, or what was proven, such as
    ``proof of NAME``."""
    engine: str
    """``model``, ``rtl``, ``c``, ``verilator`` or ``sat``."""
    file: str | None = None
    """The vector file."""
    architecture: Architecture | None = None
    """None for the model, which has none."""
    passed: int = 0
    """Number of cases that passed."""
    failures: tuple[str, ...] = ()
    """One line per failed case."""
    skip_reasons: Mapping[str, int] = field(default_factory=Counter)
    """Number of skipped cases by reason."""
    method: str | None = None
    """How a property was proven, or refuted."""

    @property
    def failed(self) -> int:
        """How many cases failed."""
        return len(self.failures)

    @property
    def skipped(self) -> int:
        """How many cases were not run."""
        return sum(self.skip_reasons.values())

    def as_json(self, cipher: str) -> dict[str, Any]:
        """The record as plain data."""
        where = self.architecture
        return {
            "cipher": cipher,
            "check": self.check,
            "engine": self.engine,
            "file": self.file,
            "radix": where.radix if where else None,
            "load_width": where.load_width if where else None,
            "options": where.options if where else None,
            "passed": self.passed,
            "failed": self.failed,
            "skipped": self.skipped,
            "failures": list(self.failures),
            "skip_reasons": dict(self.skip_reasons),
            "method": self.method,
        }
