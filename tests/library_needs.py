# SPDX-License-Identifier: Apache-2.0
"""Libraries of standard cells for tests, and the marks of tests that need them."""

from __future__ import annotations

import os
import shutil

import pytest

from headwater.flow.liberty import Library
from headwater.measure.libraries import LIBRARIES
from headwater.measure.target import TARGETS, AsicTarget

PDK_ROOT = os.environ.get("HEADWATER_PDK_ROOT", "")
TOOLS = all(shutil.which(name) for name in ("sta", "iverilog"))


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip a test unless these libraries are found, and the tools are."""
    missing = [name for name in names if LIBRARIES[name].find() is None]
    reason = f"needs sta, iverilog and {', '.join(names)}"
    return pytest.mark.skipif(bool(missing) or not TOOLS, reason=reason)


def found(prefix: str = "") -> list[str]:
    names = [name for name in LIBRARIES if name.startswith(prefix)]
    return [name for name in names if LIBRARIES[name].find()]


def library(name: str) -> Library:
    target = TARGETS[name]
    assert isinstance(target, AsicTarget)
    return target.library()
