# SPDX-License-Identifier: Apache-2.0
"""Vector files of every kind: what is read from them, what is refused, and what fails."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headwater import verify
from headwater.cipher.cases import KeystreamVector, KeyVector, MessageVector
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import HASHES, Cipher
from headwater.cipher.message import Message, Sealed
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.verify.check import check_vectors, skip_vectors
from headwater.verify.engine import ModelEngine
from headwater.verify.vector_files import VectorFile, own_files, read_file

EVERY_CIPHER = pytest.mark.parametrize("cipher", CATALOGUE.values(), ids=CATALOGUE)
FOLDER = Path(verify.__file__).with_name("vectors")
FILES = {path.stem: json.loads(path.read_text()) for path in FOLDER.glob("*.json")}
OWNER = {"e0_constrain": "e0"}
"""Ciphers of files that are not called after one."""


def file_with(tmp_path: Path, name: str, *entries: dict[str, Any], **fields: Any) -> Path:
    """A file like one of the package's own, with other entries."""
    path = tmp_path / "file.json"
    path.write_text(json.dumps(FILES[name] | {"vectors": entries} | fields))
    return path


def entry(name: str, **changes: Any) -> dict[str, Any]:
    """The first entry of one of the package's own files that is of the catalogue's cipher and has
    an answer, changed; None removes a field."""
    cipher = CATALOGUE[OWNER.get(name, name)]
    lengths = [one for one in cipher.parameters if one.default.isdigit()]
    chosen = {one.name: int(one.default) for one in lengths} | {"key_bits": cipher.key_bits}
    of_cipher = (
        one
        for one in FILES[name]["vectors"]
        if all(one.get(field, value) == value for field, value in chosen.items())
    )
    of_cipher = (one for one in of_cipher if one.get("output") != "")
    fields = next(of_cipher) | {"id": "one"} | changes
    return {field: value for field, value in fields.items() if value is not None}


def read(tmp_path: Path, name: str, *entries: dict[str, Any], **fields: Any) -> VectorFile:
    cipher = CATALOGUE[OWNER.get(name, name)]
    return read_file(file_with(tmp_path, name, *entries, **fields), cipher)


# --- the package's own files


@pytest.mark.parametrize(
    ("cipher", "files"),
    [
        ("trivium", {"trivium.json": ("trivium", 1027)}),
        ("grain_v1", {"grain_v1.json": ("grain_v1", 372)}),
        (
            "grain128a",
            {"grain128a.json": ("grain128a", 20), "grain128a-ae.json": ("grain128a-ae", 25)},
        ),
        ("grain128a-ae", {"grain128a-ae.json": ("grain128a-ae", 25)}),
        ("grain128aead", {"grain128aead.json": ("grain128aead", 210)}),
        ("grain128aeadv2", {"grain128aeadv2.json": ("grain128aeadv2", 210)}),
        ("mickey2", {"mickey2.json": ("mickey2", 55)}),
        ("mickey128", {"mickey128.json": ("mickey128", 1797)}),
        ("a51", {"a51.json": ("a51", 2 * 50)}),
        ("e0", {"e0.json": ("e0", 36), "e0_constrain.json": ("e0", 40)}),
    ],
)
def test_own_files(cipher: str, files: dict[str, tuple[str, int]]) -> None:
    read = [read_file(path, CATALOGUE[cipher]) for path in own_files(CATALOGUE[cipher])]
    found = {file.name: (file.cipher.name, len(file.vectors)) for file in read}
    assert found == files
    assert all(file.skipped == {} for file in read)


def test_every_file_belongs_to_a_cipher() -> None:
    named = {path.stem for cipher in CATALOGUE.values() for path in own_files(cipher)}
    assert named == set(FILES)


@EVERY_CIPHER
def test_names_of_vectors_are_unique(cipher: Cipher) -> None:
    for path in own_files(cipher):
        names = [vector.name for vector in read_file(path, cipher).vectors]
        assert len(set(names)) == len(names)


# --- what is read


def test_keystream_with_an_iv_that_is_not_whole_bytes(tmp_path: Path) -> None:
    given = entry("mickey2", iv="e0", iv_bits=3, offset_bits=5, keystream="abc0", keystream_bits=10)
    (vector,) = read(tmp_path, "mickey2", given).vectors
    assert vector == KeystreamVector(
        "one", bytes.fromhex(given["key"]), b"\xe0", 3, 5, 10, b"\xab\xc0"
    )


def test_message(tmp_path: Path) -> None:
    given = entry("grain128aead", ad="01", plaintext="0203", ciphertext="0405", tag="00" * 8)
    (vector,) = read(tmp_path, "grain128aead", given).vectors
    key, nonce = bytes.fromhex(given["key"]), bytes.fromhex(given["nonce"])
    encrypting = Message(key, nonce, b"\1", b"\2\3", 16)
    decrypting = Message(key, nonce, b"\1", b"\4\5", 16, decrypts=True)
    assert vector == MessageVector("one", encrypting, decrypting, bytes(8))


def test_message_that_is_not_whole_bytes(tmp_path: Path) -> None:
    given = entry("grain128a-ae", msg_bits=11, message="ffe0", ciphertext="0120")
    (vector,) = read(tmp_path, "grain128a-ae", given).vectors
    assert isinstance(vector, MessageVector)
    assert (vector.encrypting.text, vector.decrypting.text) == (b"\xff\xe0", b"\1\x20")
    assert (vector.encrypting.bits, vector.decrypting.bits) == (11, 11)
    assert vector.encrypting.associated_data == b""
    assert vector.iv_bits == 96


def test_bursts_of_a51(tmp_path: Path) -> None:
    given = entry("a51", frame=0x2A1B0C)
    down, up = read(tmp_path, "a51", given).vectors
    key, iv = bytes.fromhex(given["key"]), b"\x0c\x1b\x2a"
    assert down == KeystreamVector(
        "one downlink", key, iv, 22, 0, 114, bytes.fromhex(given["downlink"])
    )
    assert up == KeystreamVector(
        "one uplink", key, iv, 22, 114, 114, bytes.fromhex(given["uplink"])
    )


def test_e0_runs_with_the_constrained_key(tmp_path: Path) -> None:
    given = next(one for one in FILES["e0"]["vectors"] if one["key_length_bytes"] < 16)
    (vector,) = read(tmp_path, "e0", given).vectors
    assert isinstance(vector, KeystreamVector)
    assert vector.key.hex() == given["kc_prime"] != given["kc"]
    assert vector.iv.hex() == given["bd_addr"] + given["clock"]
    assert (vector.iv_bits, vector.offset, vector.bits) == (74, 0, given["keystream_bits"])


def test_constraint(tmp_path: Path) -> None:
    given = entry("e0_constrain")
    (vector,) = read(tmp_path, "e0_constrain", given).vectors
    assert isinstance(vector, KeyVector)
    assert (vector.name, vector.expected.hex()) == ("one", given["kc_prime"])
    assert vector.made() == vector.expected


def test_file_of_the_mode_with_authentication(tmp_path: Path) -> None:
    path = file_with(tmp_path, "grain128a-ae", entry("grain128a-ae"))
    file = read_file(path, CATALOGUE["grain128a"])
    assert file.cipher is CATALOGUE["grain128a-ae"]
    assert check_vectors(file, ModelEngine(file.cipher)).passed == 1


# --- what is refused

AE, V2, KC = "grain128a-ae", "grain128aeadv2", "e0_constrain"


def bits(field: str, number: int, size: int) -> str:
    return f"vector 'one' of PATH must have {number} {field} bits, not {size} bytes"


def length(field: str, least: int, most: int, given: object) -> str:
    return (
        f"{field} of vector 'one' of PATH must be a whole number from {least} to {most}, "
        f"not {given!r}"
    )


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        # An IV and its length, which must go together.
        (
            "trivium",
            {"iv": "00000000"},
            "iv_bits of vector 'one' of PATH must be those of an IV of 4 bytes, not 80",
        ),
        (
            "trivium",
            {"iv_bits": 32},
            "iv_bits of vector 'one' of PATH must be those of an IV of 10 bytes, not 32",
        ),
        (
            "mickey2",
            {"iv": "e0", "iv_bits": 9},
            "iv_bits of vector 'one' of PATH must be those of an IV of 1 bytes, not 9",
        ),
        (
            "mickey2",
            {"iv": "e0", "iv_bits": 2},
            "vector 'one' of PATH: unused bits of the IV of mickey2 must be zero",
        ),
        (
            "trivium",
            {"key": "00" * 9},
            "vector 'one' of PATH: key of trivium must be 80 bits (20 hex digits), not 72 bits",
        ),
        (
            "trivium",
            {"iv_bits": "80"},
            ("iv_bits of vector 'one' of PATH must be a whole number of at least 0, not '80'"),
        ),
        (
            "trivium",
            {"key_bits": 80.0},
            ("key_bits of vector 'one' of PATH must be a whole number of at least 0, not 80.0"),
        ),
        # Messages.
        (V2, {"tag": "00" * 7}, bits("tag", 64, 7)),
        (V2, {"ciphertext": "00"}, bits("ciphertext", 0, 1)),
        (V2, {"plaintext": "00"}, bits("ciphertext", 8, 0)),
        (V2, {"ad": "0"}, "vector 'one' of PATH must hold hexadecimal bytes"),
        (
            V2,
            {"nonce": "00" * 11},
            "iv_bits of vector 'one' of PATH must be those of an IV of 11 bytes, not 96",
        ),
        (
            AE,
            {"msg_bits": 63, "message": "00" * 7 + "01", "ciphertext": "00" * 8},
            (
                "vector 'one' of PATH: text of 63 bits must be 8 bytes with unused bits zero, "
                "not 8 bytes"
            ),
        ),
        (
            AE,
            {"msg_bits": 63, "message": "00" * 8, "ciphertext": "00" * 7 + "01"},
            (
                "vector 'one' of PATH: text of 63 bits must be 8 bytes with unused bits zero, "
                "not 8 bytes"
            ),
        ),
        (AE, {"msg_bits": 65}, bits("message", 65, 8)),
        (
            AE,
            {"ad": "00"},
            "vector 'one' of PATH: associated data of grain128a-ae must be empty, not 1 bytes",
        ),
        (
            AE,
            {"iv": "7f" + "00" * 11},
            "vector 'one' of PATH: bit 0 of the IV of grain128a-ae must be 1, not 0",
        ),
        (
            V2,
            {"tag_bits": 32},
            (
                "vector 'one' of PATH: tag of grain128aeadv2 must be 64 bits (16 hex digits), "
                "not 32 bits"
            ),
        ),
        (V2, {"tag_bits": 64}, None),
        (
            V2,
            {"tag_bits": 64, "mac_bits": 32},
            "tag_bits of vector 'one' of PATH must be its mac_bits, 32, not 64",
        ),
        # A5/1.
        ("a51", {"frame": 1 << 22}, length("frame", 0, (1 << 22) - 1, 1 << 22)),
        ("a51", {"frame": -1}, length("frame", 0, (1 << 22) - 1, -1)),
        (
            "a51",
            {"key": "00"},
            "vector 'one' of PATH: key of a51 must be 64 bits (16 hex digits), not 8 bits",
        ),
        ("a51", {"uplink": "00" * 14}, bits("uplink", 114, 14)),
        # E0.
        ("e0", {"kc": "00" * 15}, bits("kc", 128, 15)),
        ("e0", {"bd_addr": "00" * 5, "clock": "00" * 5}, bits("bd_addr", 48, 5)),
        (
            "e0",
            {"clock": "00000004"},
            "vector 'one' of PATH: unused bits of the IV of e0 must be zero",
        ),
        ("e0", {"key_length_bytes": 17}, length("key_length_bytes", 1, 16, 17)),
        (
            "e0",
            {"kc_prime": "00" * 15 + "01"},
            "kc_prime of vector 'one' of PATH must be kc constrained to 16 bytes",
        ),
        ("e0", {"keystream_bits": 124}, None),
        ("e0", {"keystream_bits": 120}, bits("keystream", 120, 16)),
        (KC, {"key_length_bytes": 0}, length("key_length_bytes", 1, 16, 0)),
        (KC, {"kc_prime": "00"}, bits("kc_prime", 128, 1)),
        *[
            (
                name,
                {field: None},
                f"vector 'one' of PATH must have '{missing or field}', but has none",
            )
            for name, fields in {
                V2: ["key", "ad:", "plaintext:message", "nonce:iv", "ciphertext", "tag"],
                AE: ["iv", "message", "tag"],
                "a51": ["key", "frame", "downlink", "uplink"],
                "e0": [
                    "kc",
                    "bd_addr",
                    "clock",
                    "key_length_bytes",
                    "kc_prime",
                    "keystream",
                    "keystream_bits",
                ],
                KC: ["kc", "kc_prime", "key_length_bytes"],
            }.items()
            for field, _, missing in (field.partition(":") for field in fields)
            if field != "ad"
        ],
    ],
)
def test_entry_that_is_wrong(
    tmp_path: Path, name: str, changes: dict[str, Any], message: str | None
) -> None:
    given = entry(name, **changes)
    if message is None:
        assert len(read(tmp_path, name, given).vectors) == 1
        return
    path = tmp_path / "file.json"
    with pytest.raises(InputError) as caught:
        read(tmp_path, name, given)
    assert str(caught.value) == message.replace("PATH", str(path))


@pytest.mark.parametrize(
    ("cipher", "name", "message"),
    [
        (
            "grain128a-ae",
            "grain128a",
            "vector file PATH must be of cipher grain128a-ae, not 'grain128a'",
        ),
        (
            "grain128a",
            "trivium",
            "vector file PATH must be of cipher grain128a or grain128a-ae, not 'trivium'",
        ),
        ("e0", "a51", "vector file PATH must be of cipher e0 or e0_constrain, not 'a51'"),
        (
            "trivium",
            "e0_constrain",
            "vector file PATH must be of cipher trivium, not 'e0_constrain'",
        ),
    ],
)
def test_file_of_another_cipher(tmp_path: Path, cipher: str, name: str, message: str) -> None:
    path = file_with(tmp_path, name)
    with pytest.raises(InputError, match=f"^{re.escape(message.replace('PATH', str(path)))}$"):
        read_file(path, CATALOGUE[cipher])


@pytest.mark.parametrize(
    ("name", "kind", "legal"),
    [
        ("trivium", "aead", "keystream, seeded-keystream"),
        ("grain128aead", "keystream", "aead"),
        ("a51", "e0", "keystream, a51, seeded-keystream"),
        ("e0", "a51", "keystream, e0, key-constraint, seeded-keystream"),
    ],
)
def test_kind_of_another_cipher(tmp_path: Path, name: str, kind: str, legal: str) -> None:
    cipher = OWNER.get(name, name)
    message = f"kind of vectors for {cipher} must be one of {legal}, not {kind!r}"
    with pytest.raises(InputError) as caught:
        read(tmp_path, name, kind=kind)
    assert str(caught.value).partition(" (did you")[0] == message


@EVERY_CIPHER
def test_bit_order_of_another_cipher(tmp_path: Path, cipher: Cipher) -> None:
    other = "lsb_first" if cipher.bit_order == "msb_first" else "msb_first"
    path = file_with(tmp_path, own_files(cipher)[0].stem, bit_order=other)
    message = f"bit order of vector file {path} must be {cipher.bit_order}, not {other!r}"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_file(path, cipher)


@pytest.mark.parametrize("name", ["grain_v1", "grain128aead", "a51"])
def test_entries_of_other_variants_are_skipped(tmp_path: Path, name: str) -> None:
    others = [entry(name, id="a", key_bits=256), entry(name, id="b", iv_bits=200)]
    file = read(tmp_path, name, *others)
    assert (file.vectors, file.skipped) == ((), {"a": "256-bit key", "b": "200-bit IV"})


def test_nesting_without_end(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text("[" * 100_000)
    with pytest.raises(InputError, match=rf"^vector file {re.escape(str(path))} must be JSON: "):
        read_file(path, CATALOGUE["trivium"])


# --- what fails


def failures(tmp_path: Path, name: str, **changes: Any) -> tuple[str, ...]:
    file = read(tmp_path, name, entry(name, **changes))
    record = check_vectors(file, ModelEngine(file.cipher))
    assert record.passed + record.failed == len(file.vectors)
    return record.failures


def wrong(data: str, byte: int) -> tuple[str, str]:
    """The data with one byte changed, and the words that tell of it."""
    found = bytearray.fromhex(data)
    right = found[byte]
    found[byte] ^= 0x10
    return found.hex(), f"must be {found[byte]:02x}, not {right:02x}"


@pytest.mark.parametrize(
    ("name", "number", "field", "byte", "what"),
    [
        ("grain_v1", 0, "keystream", 5, "one: byte 5 of the keystream"),
        ("a51", 0, "downlink", 0, "one downlink: byte 0 of the keystream"),
        ("a51", 0, "uplink", 13, "one uplink: byte 13 of the keystream"),
        ("e0", 0, "keystream", 15, "one: byte 15 of the keystream"),
        ("grain128aead", -1, "tag", 7, "one: byte 7 of the tag when encrypting"),
        ("grain128aeadv2", -1, "ciphertext", 2, "one: byte 2 of the ciphertext"),
        ("grain128a-ae", 0, "tag", 0, "one: byte 0 of the tag when encrypting"),
    ],
)
def test_corrupted_vector_fails_where_it_is(
    tmp_path: Path, name: str, number: int, field: str, byte: int, what: str
) -> None:
    given = FILES[name]["vectors"][number] | {"id": "one"}
    given[field], words = wrong(given[field], byte)
    file = read(tmp_path, name, given)
    record = check_vectors(file, ModelEngine(file.cipher))
    assert record.failures == (f"{what} {words}",)
    assert (record.passed, record.failed) == (len(file.vectors) - 1, 1)


def test_corrupted_constraint_fails_and_tells_no_key(tmp_path: Path) -> None:
    given = entry(KC)
    (line,) = failures(tmp_path, KC, kc_prime="00" * 16)
    assert line == f"one: the key constrained to {given['key_length_bytes']} bytes is another"


@pytest.mark.parametrize(
    "name", [name for name in FILES if name != "e0" and OWNER.get(name, name) in CATALOGUE]
)
def test_vector_with_another_key_fails(tmp_path: Path, name: str) -> None:
    given = entry(name)
    if name in CATALOGUE and CATALOGUE[name].service in HASHES:
        (line,) = failures(tmp_path, name, output=given["output"][:-2] + "55")
        assert "of the tag must be 55" in line
        return
    field = "kc" if name == KC else "key" if given["key"] else "nonce"
    key = bytearray.fromhex(given[field])
    key[0] ^= 0x80
    assert len(failures(tmp_path, name, **{field: key.hex()})) == (
        2 if name in ("a51", "a53") else 1
    )


class Distorted(ModelEngine):
    """An engine of which one thing is wrong."""

    def __init__(self, cipher: Cipher, decrypts: bool, **changes: bytes) -> None:
        super().__init__(cipher)
        self._decrypts = decrypts
        self._changes = changes

    def process(self, messages: Sequence[Message]) -> list[Sealed]:
        return [
            replace(sealed, **self._changes) if message.decrypts == self._decrypts else sealed
            for message, sealed in zip(messages, super().process(messages), strict=True)
        ]


@pytest.mark.parametrize(
    ("decrypts", "changes", "line"),
    [
        (False, {"text": bytes(3)}, "one: byte 0 of the ciphertext must be c7, not 00"),
        (True, {"text": bytes(3)}, "one: byte 0 of the plaintext must be 0e, not 00"),
        (False, {"tag": bytes(8)}, "one: byte 0 of the tag when encrypting must be 9a, not 00"),
        (True, {"tag": bytes(8)}, "one: byte 0 of the tag when decrypting must be 9a, not 00"),
        (True, {"tag": b""}, "one: tag when decrypting must be 8 bytes, not 0"),
        (True, {"text": bytes(2)}, "one: plaintext must be 3 bytes, not 2"),
    ],
)
def test_messages_are_checked_in_both_directions(
    tmp_path: Path, decrypts: bool, changes: dict[str, bytes], line: str
) -> None:
    given = FILES[V2]["vectors"][-1] | {"id": "one"}
    file = read(tmp_path, V2, given)
    assert check_vectors(file, Distorted(file.cipher, decrypts)).failures == ()
    assert check_vectors(file, Distorted(file.cipher, decrypts, **changes)).failures == (line,)


# --- what an engine cannot take


class OtherEngine(ModelEngine):
    """Stands for the Verilog: not the model by its name, though it is."""

    name = "rtl"


def test_constraint_is_checked_in_the_model_only(tmp_path: Path) -> None:
    file = read(tmp_path, KC, entry(KC), entry(KC, id="two"))
    assert check_vectors(file, ModelEngine(file.cipher)).passed == 2
    record = check_vectors(file, OtherEngine(file.cipher))
    assert (record.passed, record.failed, record.skipped) == (0, 0, 2)
    assert record.skip_reasons == {"the key is made before the load": 2}


@pytest.mark.parametrize(("width", "passed"), [(1, 55), (2, 51), (5, 44), (7, 4), (80, 43)])
def test_load_that_is_no_whole_words_is_skipped(width: int, passed: int) -> None:
    cipher = CATALOGUE["mickey2"]
    (path,) = own_files(cipher)
    architecture = Architecture.choose(cipher, load_width=width)
    record = check_vectors(read_file(path, cipher), OtherEngine(cipher), architecture)
    assert (record.passed, record.skipped, record.failures) == (passed, 55 - passed, ())
    assert all(str(width) in reason for reason in record.skip_reasons)
    assert len(record.skip_reasons) == (1 if passed < 55 else 0)


def test_file_that_no_architecture_takes(tmp_path: Path) -> None:
    others = [entry(V2, id=name) for name in ("two", "three")]
    file = read(tmp_path, V2, entry(V2, key_bits=80), *others)
    architecture = Architecture.choose(file.cipher)
    record = skip_vectors(file, "rtl", architecture, "some reason")
    assert (record.check, record.engine, record.file) == ("vectors", "rtl", "file.json")
    assert (record.passed, record.failed, record.skipped) == (0, 0, 3)
    assert record.skip_reasons == {"80-bit key": 1, "some reason": 2}
