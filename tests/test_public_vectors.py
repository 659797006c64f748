# SPDX-License-Identifier: Apache-2.0
"""Vector files as their owners publish them: what is read, what is counted, what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import Capture

from headwater.cipher.cases import DigestVector, ForgedVector
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.verify.c_engine import CEngine
from headwater.verify.check import check_vectors, combined
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.published.formats import format_of
from headwater.verify.published.source import LARGEST_BYTES, load
from headwater.verify.record import Record
from headwater.verify.vector_files import read_files

FOLDER = Path(__file__).with_name("public_vectors")
NOT_WHOLE = "a text that is not whole bytes"
FILES: tuple[tuple[str, str, str, int, Mapping[str, int]], ...] = (
    ("ascon_kat.txt", "kat", "ascon_aead128", 5, {}),
    (
        "ascon_wycheproof.json",
        "wycheproof",
        "ascon_aead128",
        5,
        {"acceptable: either answer is right": 1},
    ),
    (
        "ascon_acvp.json",
        "acvp",
        "ascon_aead128",
        2,
        {"a nonce that is masked with a second key": 1, NOT_WHOLE: 1, "64-bit tag": 2},
    ),
    ("ascon_hash_acvp.json", "acvp", "ascon_hash256", 5, {}),
    ("grain_v1_estream.txt", "estream", "grain_v1", 10, {}),
    ("mickey128_estream.txt", "estream", "mickey128", 10, {}),
    ("aes_ofb_mmt.rsp", "rsp", "aes_ofb", 4, {}),
    ("aes_ecb_mmt.rsp", "rsp", "aes", 10, {}),
    ("aes_ecb_mct.rsp", "rsp", "aes", 1, {}),
    (
        "eea3_ipsec_mb.json",
        "wycheproof",
        "eea3",
        2,
        {"an IV that no count, bearer, direction give": 1},
    ),
    ("eea3_ipsec_mb.json", "wycheproof", "zuc", 3, {}),
    ("uea2_ipsec_mb.json", "wycheproof", "uea2", 1, {}),
    ("uea2_ipsec_mb.json", "wycheproof", "snow3g", 1, {}),
    ("uia2_ipsec_mb.json", "wycheproof", "uia2", 1, {}),
    ("chacha20_named.txt", "named", "chacha20", 2, {"of aes-256-gcm": 1}),
)
"""File, format, cipher that is asked for, vectors that pass, and reasons of the skipped ones."""


def model_record(path: Path | list[Path], cipher: str) -> Record:
    """What the model makes of files that are one."""
    paths = path if isinstance(path, list) else [path]
    (parts,) = read_files(paths, CATALOGUE[cipher], {})
    return combined([check_vectors(part, ModelEngine(part.cipher)) for part in parts])


@pytest.mark.parametrize(("name", "shape", "cipher", "passed", "skipped"), FILES)
def test_file_of_each_format(
    name: str, shape: str, cipher: str, passed: int, skipped: Mapping[str, int]
) -> None:
    path = FOLDER / name
    found = format_of(load(path))
    assert found is not None
    assert found.name == shape
    record = model_record(path, cipher)
    assert (record.passed, record.failures) == (passed, ())
    assert dict(record.skip_reasons) == skipped


def test_prompt_and_expected_results_are_one_file() -> None:
    """In either order; a vector of another length of key and a Monte Carlo test are counted."""
    paths = [FOLDER / "aes_ofb_prompt.json", FOLDER / "aes_ofb_expected.json"]
    for given in (paths, paths[::-1]):
        record = model_record(given, "aes_ofb")
        assert (record.passed, record.failures) == (2, ())
        assert record.file == "aes_ofb_prompt.json"
        assert dict(record.skip_reasons) == {"256-bit key": 1, "a test of type MCT": 1}


PAIRS: tuple[tuple[str, str, int, Mapping[str, int]], ...] = (
    ("ascon_modes", "ascon_aead128_modes", 8, {}),
    (
        "ascon_modes",
        "ascon_aead128",
        0,
        {
            "a nonce that is masked with a second key": 1,
            NOT_WHOLE: 3,
            "33-bit tag": 1,
            "127-bit tag": 1,
            "associated data that is not whole bytes": 2,
        },
    ),
    ("ascon_cxof", "ascon_cxof128", 6, {}),
    ("aes_ecb", "aes", 7, {}),
)
"""Names of pairs, cipher that is asked for, vectors that pass, and reasons of the skipped ones."""


@pytest.mark.parametrize(("name", "cipher", "passed", "skipped"), PAIRS)
def test_pairs(name: str, cipher: str, passed: int, skipped: Mapping[str, int]) -> None:
    """Bit strings, short tags and masked nonces, of which two are forged; single blocks under keys
    of three lengths, and several blocks at once."""
    record = model_record(
        [FOLDER / f"{name}_{half}.json" for half in ("prompt", "expected")], cipher
    )
    assert (record.passed, record.failures) == (passed, ())
    assert dict(record.skip_reasons) == skipped


def test_bit_strings_in_verilog_and_c() -> None:
    """Each engine rejects the forged ones, one of which differs in the last bit of an odd tag."""
    cipher = "ascon_aead128_modes"
    paths = [FOLDER / "ascon_modes_prompt.json", FOLDER / "ascon_modes_expected.json"]
    (part,) = read_files(paths, CATALOGUE[cipher], {})[0]
    assert sum(isinstance(one, ForgedVector) for one in part.vectors) == 2
    for engine, one in engines(cipher, 64):
        record = check_vectors(part, engine, one)
        assert (record.passed, record.failures) == (len(part.vectors), ())


@pytest.mark.parametrize(
    "name",
    [
        "aes_ofb_prompt.json",
        "aes_ofb_expected.json",
        "ascon_cxof_prompt.json",
        "ascon_cxof_expected.json",
    ],
)
def test_half_of_a_pair_is_refused(name: str) -> None:
    message = "a prompt and its expected results must be given together"
    cipher = "aes_ofb" if name.startswith("aes") else "ascon_cxof128"
    with pytest.raises(InputError, match=rf"line \d+: .*: {message}$"):
        model_record(FOLDER / name, cipher)


# --- every engine


def engines(cipher: str, radix: int) -> list[tuple[Any, Architecture]]:
    one = Architecture.choose(CATALOGUE[cipher], radix=radix)
    return [(kind(CATALOGUE[cipher], one), one) for kind in (RtlEngine, CEngine)]


@pytest.mark.parametrize(
    ("name", "cipher", "radix"),
    [
        ("ascon_wycheproof.json", "ascon_aead128", 64),
        ("grain_v1_estream.txt", "grain_v1", 16),
        ("uia2_ipsec_mb.json", "uia2", 32),
    ],
)
def test_file_in_verilog_and_c(name: str, cipher: str, radix: int) -> None:
    """Those that must pass pass, and those that must be rejected are, in Verilog and C."""
    (part,) = read_files([FOLDER / name], CATALOGUE[cipher], {})[0]
    for engine, one in engines(cipher, radix):
        record = check_vectors(part, engine, one)
        assert (record.passed, record.failures) == (len(part.vectors), ())
    if cipher != "ascon_aead128":
        return
    # The same files with a right vector that is called forged: each engine accepts it, and fails.
    (right, *forged) = part.vectors
    assert [type(one) for one in forged] == [ForgedVector] * 4
    called = ForgedVector("right", right.decrypting, right.tag, right.encrypting.text)  # type: ignore[union-attr]
    wrong = replace(part, vectors=(*forged, called))
    line = (
        "right: the message must be rejected, but its tag is accepted; the model makes its "
        "text and tag, too: the file may be wrong"
    )
    for engine, one in [(ModelEngine(CATALOGUE[cipher]), None), *engines(cipher, radix)]:
        record = check_vectors(wrong, engine, one)
        assert (record.passed, record.failures) == (4, (line,))


def test_a_wrong_digest_is_found() -> None:
    path = FOLDER / "grain_v1_estream.txt"
    (part,) = read_files([path], CATALOGUE["grain_v1"], {})[0]
    digests = [one for one in part.vectors if isinstance(one, DigestVector)]
    assert [one.count for one in digests] == [512, 512]
    changed = [replace(one, digest=bytes([one.digest[0] ^ 1]) + one.digest[1:]) for one in digests]
    record = check_vectors(replace(part, vectors=tuple(changed)), ModelEngine(part.cipher))
    assert record.passed == 0
    assert record.failures[0] == (
        "set 1, vector 0, xor-digest: byte 0 of the xor-digest must be 50, not 51"
    )


def test_errors_that_openssl_names_are_rejections(tmp_path: Path) -> None:
    """The vector is the fifth of the file of known answers, with a tag of zeros and without."""
    blocks = (FOLDER / "ascon_kat.txt").read_text().strip().split("\n\n")
    fields = dict(line.split(" = ") for line in blocks[-1].splitlines())
    end = len(fields["PT"])
    lines = [
        "Cipher = ascon-aead128",
        f"Key = {fields['Key']}",
        f"IV = {fields['Nonce']}",
        f"AAD = {fields['AD']}",
        f"Plaintext = {fields['PT']}",
        f"Ciphertext = {fields['CT'][:end]}",
    ]
    right = "\n".join([*lines, f"Tag = {fields['CT'][end:]}", "", ""])
    forged = "\n".join(
        [*lines, f"Tag = {'00' * 16}", "Operation = DECRYPT", "Result = CIPHERFINAL_ERROR", ""]
    )
    path = tmp_path / "evp.txt"
    path.write_text(right + forged)
    record = model_record(path, "ascon_aead128")
    assert (record.passed, record.failures) == (2, ())
    path.write_text(right + forged.replace("\nResult = CIPHERFINAL_ERROR", ""))
    assert model_record(path, "ascon_aead128").failed == 1


def test_the_command_runs_a_public_file_in_every_engine(capsys: Capture) -> None:
    path = FOLDER / "grain_v1_estream.txt"
    assert main(["verify", "grain_v1", "--radix", "16", "--vectors", str(path), "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    found = {
        record["engine"]: record["passed"] for record in records if record["check"] == "vectors"
    }
    assert found == {"model": 10, "rtl": 10, "c": 10}


# --- files that are odd, and files that are wrong


@pytest.mark.parametrize("name", [name for name, *_ in FILES])
def test_line_ends_and_byte_order_mark_change_nothing(tmp_path: Path, name: str) -> None:
    cipher = next(cipher for file, _, cipher, *_ in FILES if file == name)
    data = (FOLDER / name).read_bytes().replace(b"\r\n", b"\n")
    path = tmp_path / "other.dat"
    expected = read_files([FOLDER / name], CATALOGUE[cipher], {})[0]
    for changed in (data, data.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + data):
        path.write_bytes(changed)
        found = read_files([path], CATALOGUE[cipher], {})[0]
        assert [part.vectors for part in found] == [part.vectors for part in expected]


WRONG: tuple[tuple[str, str, str, str, str], ...] = (
    (
        "ascon_kat.txt",
        "ascon_aead128",
        "Key = 00",
        "Key = ",
        "line 1: key of ascon_aead128 must be 128 bits (32 hex digits), not 120 bits",
    ),
    (
        "ascon_kat.txt",
        "ascon_aead128",
        "Nonce = 10",
        "Nonce = 1",
        "line 3: Nonce must be pairs of hexadecimal digits",
    ),
    (
        "ascon_kat.txt",
        "ascon_aead128",
        "AD = \n",
        "",
        "line 1: a vector must have count, key, nonce, pt, ad, ct, but has no ad",
    ),
    (
        "ascon_kat.txt",
        "ascon_aead128",
        "AD = \n",
        "AD = \nSalt = 00\n",
        "line 6: name must be one of count, key, nonce, pt, ad, ct, not 'Salt'",
    ),
    (
        "ascon_kat.txt",
        "ascon_aead128",
        "PT = \n",
        "PT = \nPT = \n",
        "line 5: PT must be there once in a vector",
    ),
    (
        "ascon_kat.txt",
        "ascon_aead128",
        "PT = \n",
        "PT = " + "00" * 16 + "\n",
        "line 6: CT must be longer than PT by a tag, not 16 bytes for 16",
    ),
    (
        "ascon_kat.txt",
        "ascon_aead128",
        "PT = \n",
        "PT = 00\n",
        "line 1: tag of ascon_aead128 must be 128 bits (32 hex digits), not 120 bits",
    ),
    (
        "ascon_kat.txt",
        "ascon_aead128",
        "Count = 2",
        "Count = 1",
        "line 8: the name of a vector must be one that no other has, not 'Count 1'",
    ),
    (
        "ascon_kat.txt",
        "ascon_aead128",
        "\n\nCount = 2",
        "\nwhat\n\nCount = 2",
        "line 7: a line must be NAME = value, or digits that continue one",
    ),
    (
        "ascon_wycheproof.json",
        "ascon_aead128",
        '"numberOfTests": 6',
        '"numberOfTests": 7',
        "line 4: numberOfTests must be 6, as there are so many, not 7",
    ),
    (
        "ascon_wycheproof.json",
        "ascon_aead128",
        '"keySize": 128',
        '"keySize": 256',
        "line 15: key must be 256 bits, as the file states, not 128",
    ),
    (
        "ascon_wycheproof.json",
        "ascon_aead128",
        '"tagSize": 128',
        '"tagSize": 64',
        "line 15: tag must be 64 bits, as the file states, not 128",
    ),
    (
        "ascon_wycheproof.json",
        "ascon_aead128",
        '"tcId": 2',
        '"tcId": 1',
        "line 15: tcId must be a whole number that no other test has, not 1",
    ),
    (
        "ascon_wycheproof.json",
        "ascon_aead128",
        '"comment": ""',
        '"salt": ""',
        (
            "line 15: member of a test must be one of tcId, comment, flags, key, iv, nonce, aad, "
            "msg, ct, tag, result, not 'salt' (did you mean 'result'?)"
        ),
    ),
    (
        "ascon_wycheproof.json",
        "ascon_aead128",
        '"result": "valid"',
        '"result": "vaild"',
        (
            "line 15: result must be one of valid, invalid, acceptable, not 'vaild' (did you mean "
            "'valid'?)"
        ),
    ),
    (
        "ascon_wycheproof.json",
        "ascon_aead128",
        '"tests": [',
        '"tests": [1, ',
        "line 13: 'tests' must be a list of objects",
    ),
    (
        "ascon_wycheproof.json",
        "ascon_aead128",
        '"key": "00',
        '"key": "',
        "line 15: key must be 128 bits, as the file states, not 120",
    ),
    (
        "ascon_acvp.json",
        "ascon_aead128",
        '"adLen": 112',
        '"adLen": 120',
        "line 19: ad must be 120 bits, as the file states, not 112",
    ),
    (
        "grain_v1_estream.txt",
        "grain_v1",
        "key = 8000",
        "key = 80",
        "line 13: key must be 80 bits, as the file states, not 72",
    ),
    (
        "grain_v1_estream.txt",
        "grain_v1",
        "stream[0..63]",
        "stream[0..65]",
        "line 15: stream[0..65] must be 66 bytes, not 64",
    ),
    (
        "grain_v1_estream.txt",
        "grain_v1",
        "xor-digest =",
        "xor-digest ",
        "line 12: a vector must have a key, an IV and an xor-digest, but has no xor-digest",
    ),
    (
        "grain_v1_estream.txt",
        "grain_v1",
        "End of test vectors\n",
        "",
        ("line 58: the last line must be 'End of test vectors': the file may have been cut short"),
    ),
    (
        "grain_v1_estream.txt",
        "grain_v1",
        "IV size: 64",
        "IV size: 80",
        "line 14: IV must be 80 bits, as the file states, not 64",
    ),
    (
        "aes_ofb_mmt.rsp",
        "aes_ofb",
        "Key Length : 128",
        "Key Length : 256",
        "line 9: KEY must be 256 bits, as the file states, not 128",
    ),
    (
        "aes_ofb_mmt.rsp",
        "aes_ofb",
        "PLAINTEXT = 00",
        "PLAINTEXT = ",
        "line 12: CIPHERTEXT must be 120 bits, as the file states, not 128",
    ),
    (
        "chacha20_named.txt",
        "chacha20",
        "Counter = 1",
        "Counter = one",
        "line 14: Counter must be a whole number, not 'one'",
    ),
    (
        "chacha20_named.txt",
        "chacha20",
        "Plaintext = 00",
        "Keystream = 00",
        (
            "line 4: a vector of chacha20 must have keystream or output and text or digest, not "
            "keystream and output"
        ),
    ),
    (
        "chacha20_named.txt",
        "chacha20",
        "Cipher = chacha20\n",
        "Cipher = chacha20\nTag = 00\n",
        (
            "line 4: a vector of chacha20 must have keystream or output and text or digest, not "
            "output and tag and text"
        ),
    ),
    (
        "chacha20_named.txt",
        "chacha20",
        "Key = 00",
        "Key = ",
        "line 4: key of chacha20 must be 256 bits (64 hex digits), not 248 bits",
    ),
)
"""File, cipher, what is replaced in it by what, and what is said."""


@pytest.mark.parametrize(("name", "cipher", "old", "new", "message"), WRONG)
def test_file_that_is_wrong(
    tmp_path: Path, name: str, cipher: str, old: str, new: str, message: str
) -> None:
    text = (FOLDER / name).read_bytes().decode().replace("\r\n", "\n")
    assert old in text
    path = tmp_path / name
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=f"^{re.escape(f'vector file {path}, {message}')}$"):
        read_files([path], CATALOGUE[cipher], {})


@pytest.mark.parametrize("name", [name for name, *_ in FILES])
def test_truncated_file(tmp_path: Path, name: str) -> None:
    """Wherever a file ends within its last vector, it is refused, or its other vectors are whole
    ones."""
    cipher = next(cipher for file, _, cipher, *_ in FILES if file == name)
    text = (FOLDER / name).read_bytes().decode().rstrip()
    whole = {
        vector
        for part in read_files([FOLDER / name], CATALOGUE[cipher], {})[0]
        for vector in part.vectors
    }
    path, refused = tmp_path / name, 0
    for count in range(len(text) - 400, len(text), 17):
        path.write_text(text[:count])
        try:
            parts = read_files([path], CATALOGUE[cipher], {})[0]
        except InputError:
            refused += 1
        else:
            assert {vector for part in parts for vector in part.vectors} <= whole
    assert refused


def test_file_of_other_ciphers() -> None:
    path = FOLDER / "grain_v1_estream.txt"
    message = f"vector file {path} must have vectors of trivium, not Grain-v1"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_files([path], CATALOGUE["trivium"], {})


def test_file_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    with path.open("wb") as file:
        file.truncate(100 << 20)
    message = f"vector file {path} must be of at most {LARGEST_BYTES >> 20} MiB, not 100"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        load(path)


@pytest.mark.parametrize("text", ["", "\n", "what is this\n", "# nothing\n"])
def test_text_of_no_format(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file.txt"
    path.write_text(text)
    with pytest.raises(
        InputError,
        match=r"must be of one of the formats headwater, acvp, .* but "
        r"begins like none$",
    ):
        format_of(load(path))


def test_own_file_with_results(tmp_path: Path) -> None:
    """The project's own format has the same word for what must be rejected."""
    content = json.loads((FOLDER / "ascon_wycheproof.json").read_text())
    first = content["testGroups"][0]["tests"][0]
    entry = {
        "id": "one",
        "key": first["key"],
        "nonce": first["iv"],
        "key_bits": 128,
        "ad": first["aad"],
        "plaintext": first["msg"],
        "ciphertext": first["ct"],
        "tag": "00" * 16,
        "result": "invalid",
    }
    own = {"cipher": "ascon_aead128", "kind": "aead", "bit_order": "lsb_first"}
    path = tmp_path / "own.json"
    path.write_text(json.dumps({**own, "vectors": [entry]}))
    assert model_record(path, "ascon_aead128").passed == 1
    path.write_text(json.dumps({**own, "vectors": [{**entry, "result": "wrong"}]}))
    with pytest.raises(InputError, match=r"^result of vector 'one' of .* must be one of valid"):
        model_record(path, "ascon_aead128")
