# SPDX-License-Identifier: Apache-2.0
"""Printing: data on stdout, everything else on stderr."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from headwater.errors import harmless


def print_json(data: Any) -> None:
    """Data as JSON on stdout."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    # JSON leaves some of the control characters that a terminal obeys.
    print(re.sub(r"[\x7f-\x9f]", lambda found: f"\\u{ord(found[0]):04x}", text))


def print_files(files: Iterable[Path], *, as_json: bool) -> None:
    """The files that were written on stdout, a line each or as JSON."""
    names = [str(file) for file in files]
    if as_json:
        print_json(names)
    else:
        print(*names, sep="\n")


def warn(text: str) -> None:
    """Print a line on stderr at once that says who prints it, as something is not as asked for."""
    say(f"headwater: {text}")


def say(text: str) -> None:
    """Print a line on stderr at once; control characters in it do nothing."""
    print(harmless(text), file=sys.stderr, flush=True)


def in_words(seconds: float) -> str:
    """A duration for a person: "40 s", "12 min", "3.5 h"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
