# SPDX-License-Identifier: Apache-2.0
"""Vector files whose keystream begins from a whole state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import write_vectors

import headwater as hw
from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.verify.c_engine import CEngine
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.record import Record
from headwater.verify.vector_files import read_file

PUBLISHED = Path(__file__).with_name("bivium_state.json")

# Made with another model; the step was compared with a public primitive of Trivium and Bivium.
STATE = "082a30c132b5723c5a4cf4743b3c7c32d580f74f1713a"
KEYSTREAM = "12c1218799302627b0d061d41c38dce08a9a55824973f6c5b2190d145cf08f2d"
ENTRY = {"id": "one", "state": STATE, "keystream": KEYSTREAM, "keystream_bits": 256}
BIVIUM = CATALOGUE["bivium"]


def written(tmp_path: Path, cipher: str = "bivium_state", **changes: Any) -> Path:
    order = "msb_first" if cipher == "a51" else "lsb_first"
    return write_vectors(
        tmp_path / "file.json",
        ENTRY | changes,
        cipher=cipher,
        kind="seeded-keystream",
        bit_order=order,
    )


def checked(tmp_path: Path, **changes: Any) -> Record:
    return check_vectors(read_file(written(tmp_path, **changes), BIVIUM), ModelEngine(BIVIUM))


def test_keystream_of_a_state(tmp_path: Path) -> None:
    assert checked(tmp_path).passed == 1
    (line,) = checked(tmp_path, keystream=f"{KEYSTREAM[:-2]}2c").failures
    assert line == "one: byte 31 of the keystream of the state must be 2c, not 2d"


def test_a_segment_behind_an_offset(tmp_path: Path) -> None:
    cut = {"keystream": KEYSTREAM[8:], "keystream_bits": 224}
    assert checked(tmp_path, **cut, offset_bits=32).passed == 1
    (line,) = checked(tmp_path, **cut).failures
    assert line.endswith("is the computed one beginning 32 bits too late")


def test_a_number_whatever_the_order_of_bits(tmp_path: Path) -> None:
    """The registers of A5/1 as numbers, R1 lowest."""
    number = 0x4B002 | 0x23817F << 19 | 0x4754BC << 41
    entry = {
        "state": f"{number:016x}",
        "keystream": "cba25576175d3b1c7b2f29a8c1b600",
        "keystream_bits": 114,
    }
    file = read_file(written(tmp_path, "a51", **entry), CATALOGUE["a51"])
    assert check_vectors(file, ModelEngine(CATALOGUE["a51"])).passed == 1


def test_engines() -> None:
    """All of the file in model and C; a core and C with other registers say why not."""
    file = read_file(PUBLISHED, BIVIUM)
    assert check_vectors(file, ModelEngine(BIVIUM)).passed == 18
    for radix, passed in ((59, 18), (64, 0)):
        architecture = Architecture.choose(BIVIUM, radix=radix)
        record = check_vectors(file, CEngine(BIVIUM, architecture), architecture)
        assert (record.passed, record.skipped, record.failed) == (passed, 18 - passed, 0)
    architecture = Architecture.choose(BIVIUM)
    record = check_vectors(file, RtlEngine(BIVIUM, architecture), architecture)
    assert record.skip_reasons == {"a core has no port for its state": 18}


def test_verify_chooses_a_radix_for_c() -> None:
    checks = hw.verify("bivium", vectors=[PUBLISHED], engine="c")
    assert checks.passed
    (record,) = checks
    assert record.architecture is not None
    assert (record.passed, record.architecture.radix) == (18, 59)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"state": STATE[1:]}, "must be a number in 45 hexadecimal digits"),
        ({"state": "x" * 45}, "must be a number in 45 hexadecimal digits"),
        ({"state": 5}, "must be a number in 45 hexadecimal digits"),
        ({"state": "2" + STATE[1:]}, "must be a number of 177 bits"),
    ],
)
def test_damaged_states(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = written(tmp_path, **changes)
    with pytest.raises(InputError) as caught:
        read_file(path, BIVIUM)
    assert str(caught.value) == f"state of vector 'one' of {path} {message}"


def test_a_cipher_without_such_vectors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^kind of vectors for zuc must be one of keystream, not"):
        read_file(written(tmp_path, "zuc"), CATALOGUE["zuc"])


def test_the_file_says_where_it_is_from() -> None:
    content = json.loads(PUBLISHED.read_text())
    assert all("OpenTitan" in vector["origin"] for vector in content["vectors"])
