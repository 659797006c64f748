# SPDX-License-Identifier: Apache-2.0
"""Optional packages that charts need."""

from __future__ import annotations

from importlib.util import find_spec

from headwater.errors import ToolError

INSTALL = "pip install 'headwater[report]'"

_NEEDED = {"altair": "altair", "vl-convert-python": "vl_convert"}
"""Packages, and their names in import statements."""


def require_packages() -> None:
    """Check that the packages for charts are installed; the error has the command that installs
    them."""
    missing = [name for name, module in _NEEDED.items() if find_spec(module) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise ToolError(f"{' and '.join(missing)} {verb} not installed; install with: {INSTALL}")
