# SPDX-License-Identifier: Apache-2.0
"""What holds for every test."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def store_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test has a store of its own, and leaves the user's alone."""
    path = tmp_path / "store" / "results.sqlite"
    monkeypatch.setenv("HEADWATER_STORE", str(path))
    return path
