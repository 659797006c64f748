# SPDX-License-Identifier: Apache-2.0
"""What tests of the command line share: how it is called, and Trivium's first vector."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from headwater import verify as verify_package
from headwater.cipher.trivium import TRIVIUM
from headwater.cli.main import main

VECTORS = {
    path.stem: json.loads(path.read_text())["vectors"]
    for path in Path(verify_package.__file__).with_name("vectors").glob("*.json")
}

# Trivium, eSTREAM set 1, vector 0.
KEY = "80000000000000000000"
IV = "00000000000000000000"
FIRST_BYTES = "38eb86ff730d7a9c"
KEYSTREAM = ("keystream", "trivium", "--key", KEY, "--iv", IV)

OPTIONS = [option.name for option in TRIVIUM.choices]
DEFAULTS = {option.name: option.default for option in TRIVIUM.choices if not option.unsaid}

Capture = pytest.CaptureFixture[str]


def succeed(capsys: Capture, *words: str | Path) -> str:
    """Run a command line that must succeed without a word on stderr; gives stdout."""
    status = main([str(word) for word in words])
    printed = capsys.readouterr()
    assert (status, printed.err) == (0, "")
    return printed.out


def as_process(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "headwater", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def vector(**changes: Any) -> dict[str, Any]:
    return {
        "id": "first",
        "key": KEY,
        "iv": IV,
        "key_bits": 80,
        "iv_bits": 80,
        "offset_bits": 0,
        "keystream": FIRST_BYTES,
        "keystream_bits": 64,
        **changes,
    }


def write_vectors(path: Path, *vectors: dict[str, Any], **changes: Any) -> Path:
    content = {"cipher": "trivium", "kind": "keystream", "bit_order": "lsb_first"}
    path.write_text(json.dumps({**content, "vectors": vectors, **changes}))
    return path


def refused(capsys: Capture, words: tuple[str | Path, ...], message: str) -> None:
    """One sentence on stderr, status 2, nothing on stdout."""
    status = main([str(word) for word in words])
    printed = capsys.readouterr()
    assert printed.err == f"headwater: {message}\n"
    assert (status, printed.out) == (2, "")
