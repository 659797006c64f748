# SPDX-License-Identifier: Apache-2.0
"""Vectors whose keystream begins from a whole state."""

from __future__ import annotations

from pathlib import Path

from command_line import write_vectors

from headwater.cipher.catalogue import CATALOGUE
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine
from headwater.verify.record import Record
from headwater.verify.vector_files import read_file

# Made with another model; the step was compared with a public primitive of Trivium and Bivium.
STATE = "082a30c132b5723c5a4cf4743b3c7c32d580f74f1713a"
KEYSTREAM = "12c1218799302627b0d061d41c38dce08a9a55824973f6c5b2190d145cf08f2d"


def checked(tmp_path: Path, keystream: str) -> Record:
    entry = {"id": "one", "state": STATE, "keystream": keystream, "keystream_bits": 256}
    path = write_vectors(
        tmp_path / "file.json", entry, cipher="bivium_state", kind="seeded-keystream"
    )
    bivium = CATALOGUE["bivium"]
    return check_vectors(read_file(path, bivium), ModelEngine(bivium))


def test_keystream_of_a_state(tmp_path: Path) -> None:
    assert checked(tmp_path, KEYSTREAM).passed == 1
    (line,) = checked(tmp_path, f"{KEYSTREAM[:-2]}2c").failures
    assert line == "one: byte 31 of the keystream of the state must be 2c, not 2d"
