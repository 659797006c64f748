# SPDX-License-Identifier: Apache-2.0
"""AES in CMAC, and 128-EIA2: worked values, lengths, cycles, proofs, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from proven import assert_proven

from headwater.cipher.aes import AES_CMAC
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.message import Message
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.kinds.aes import mac
from headwater.kinds.aes.model import BlockCipher, _doubled
from headwater.kinds.reading import process
from headwater.kinds.registry import facts_of, properties_of
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine
from headwater.verify.proof import prove
from headwater.verify.vector_files import read_file

KEY = "2b7e151628aed2a6abf7158809cf4f3c"
TEXT = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411"


def tag_of(text: str, bits: int, tag_bits: int = 128) -> str:
    data = bytes.fromhex(text)
    message = Message(bytes.fromhex(KEY), b"", b"", data, bits, tag_bits=tag_bits)
    return process(AES_CMAC, message).tag.hex()


def test_subkeys_of_sp_800_38b() -> None:
    """Appendix D.1."""
    block_of_zeros = BlockCipher(bytes.fromhex(KEY)).encrypt_number(0)
    k1 = _doubled(block_of_zeros)
    assert f"{block_of_zeros:032x}" == "7df76b0c1ab899b33e42f047b91b546f"
    assert f"{k1:032x}" == "fbeed618357133667c85e08f7236a8de"
    assert f"{_doubled(k1):032x}" == "f7ddac306ae266ccf90bc11ee46d513b"


def test_tags_of_sp_800_38b() -> None:
    """Appendix D.1 in the edition of 2005: no bit, a block, and two blocks and a half."""
    assert tag_of("", 0) == "bb1d6929e95937287fa37d129b756746"
    assert tag_of(TEXT[:32], 128) == "070a16b46b4d4144f79bdd9dd04a287c"
    assert tag_of(TEXT, 320) == "dfa66747de9ae63030ca32611497c827"


def test_a_tag_is_the_first_bits() -> None:
    whole = int(tag_of(TEXT, 320), 16)
    for bits in (1, 7, 8, 31, 64, 127):
        expected = whole >> 128 - bits << -bits % 8
        assert int(tag_of(TEXT, 320, bits), 16) == expected


def test_lengths_of_bits_differ() -> None:
    """Zeros behind a message are another message."""
    assert len({tag_of("00" * -(-bits // 8), bits) for bits in range(130)}) == 130


def test_the_mode_is_the_tag_of_head_and_message() -> None:
    """TS 33.401, annex C.2.1."""
    key = bytes.fromhex("2bd6459f82c5b300952c49104881ff48")
    head, text = bytes.fromhex("38a6f056c0000000"), bytes.fromhex("3332346263393840")
    whole = process(AES_CMAC, Message(key, b"", b"", head + text, 64 + 58, tag_bits=32))
    assert whole.tag.hex() == "118c6eb8"


@pytest.mark.parametrize("engine", ["model", "rtl", "c"])
def test_command(capsys: pytest.CaptureFixture[str], engine: str) -> None:
    words = [
        "mac",
        "eia2",
        "--key",
        "2bd6459f82c5b300952c49104881ff48",
        "--count",
        "38a6f056",
        "--bearer",
        "24",
        "--direction",
        "0",
        "--text",
        "3332346263393840",
        "--bits",
        "58",
    ]
    assert main([*words, "--engine", engine]) == 0
    assert capsys.readouterr().out == "tag 118c6eb8\n"
    words = ["mac", "aes_cmac", "--key", KEY, "--text", TEXT, "--tag-bits", "31"]
    assert main([*words, "--engine", engine]) == 0
    assert capsys.readouterr().out == "tag dfa66746\n"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("mac", "aes_cmac", "--key", KEY, "--iv", "00", "--text", "00"), "aes_cmac takes no IV"),
        (
            ("mac", "aes_cmac", "--key", KEY, "--text", "00", "--tag-bits", "129"),
            "tag of aes_cmac must be 1 to 128 bits, not 129 bits",
        ),
        (
            ("mac", "aes_cmac", "--key", "00" * 8, "--text", "00"),
            (
                "key of aes_cmac must be 128 bits (32 hex digits) or 192 bits (48 hex digits) or "
                "256 bits (64 hex digits), not 64 bits"
            ),
        ),
        (
            ("encrypt", "aes_cmac", "--key", KEY, "--iv", "", "--text", "00"),
            "aes_cmac does not encrypt: use mac",
        ),
        (
            ("keystream", "aes_cmac", "--key", KEY, "--iv", "", "--bits", "8"),
            "aes_cmac has no keystream apart from its messages: it makes tags",
        ),
        (
            (
                "mac",
                "eia2",
                "--key",
                KEY,
                "--count",
                "00000000",
                "--bearer",
                "32",
                "--direction",
                "0",
                "--text",
                "00",
            ),
            "bearer must be between 0 and 31, not 32",
        ),
    ],
)
def test_command_lines_that_are_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], error: str
) -> None:
    assert main(list(words)) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"headwater: {error}\n")


@pytest.mark.parametrize("radix", [8, 32, 128])
def test_cycles(radix: int) -> None:
    """A single block waits for L; of several the first enters behind L at once."""
    mode, period = CATALOGUE["eia2"], 10 * (128 // radix)
    facts = facts_of(mode, Architecture.choose(mode, radix=radix))
    assert [facts.message_cycles(bits) for bits in (0, 64, 65, 192, 193)] == [
        3 * period + 1,
        3 * period + 1,
        3 * period + 1,
        3 * period + 1,
        4 * period + 1,
    ]
    sheet = datasheet(mode, facts.architecture)
    values = {"key_bits": 128, "load_width": facts.architecture.load_width}
    assert eval(sheet["setup_formula"], {}, values) == facts.setup_cycles == sheet["setup_cycles"]


OF_MACS = {
    "setup",
    "load",
    "round",
    "message",
    "blocks",
    "tag",
    "session",
    "hold",
    "silence",
    "clear",
    "sbox",
}


@pytest.mark.parametrize(
    ("name", "radix", "options", "asserted"),
    [
        ("eia2", 128, {}, {"setup", "message", "blocks", "tag", "load"}),
        ("aes_cmac", 8, {"key_bits": "192"}, {"blocks", "setup"}),
    ],
)
def test_properties(name: str, radix: int, options: dict[str, str], asserted: set[str]) -> None:
    cipher = CATALOGUE[name]
    made = Architecture.choose(cipher, radix=radix, options=options)
    assert {one.name for one in properties_of(cipher, made)} == OF_MACS
    assert_proven(cipher, made, asserted)


@pytest.mark.parametrize("radix", [8, 128])
def test_another_subkey_is_found(monkeypatch: pytest.MonkeyPatch, radix: int) -> None:
    monkeypatch.setattr(mac, "TWICE", 0x8D)
    mode = CATALOGUE["eia2"]
    (record,) = prove(mode, Architecture.choose(mode, radix=radix), only=["blocks"])
    assert (record.passed, record.failed) == (0, 1)


def test_a_public_file(tmp_path: Path) -> None:
    """Project Wycheproof, aes_cmac_test.json, tests 22 and 309: a bit of the tag is flipped, and a
    key has another length. Both must be rejected; a right tag that is called wrong is not."""
    forged = {
        "tcId": 22,
        "key": bytes(range(16)).hex(),
        "msg": "",
        "tag": "96dd6e5a882cbd564c39ae7d1c5a31aa",
        "result": "invalid",
    }
    short = {
        "tcId": 309,
        "key": "a88e385af7185148",
        "msg": "dc63b7ef08096e4f",
        "tag": "",
        "result": "invalid",
    }
    right = forged | {"tag": "97dd6e5a882cbd564c39ae7d1c5a31aa"}
    for tests, failed in (([forged, short], 0), ([right, short], 1)):
        groups = [
            {"keySize": size, "tagSize": 128, "tests": [test]}
            for size, test in zip((128, 64), tests, strict=True)
        ]
        content = {"algorithm": "AES-CMAC", "numberOfTests": 2, "testGroups": groups}
        path = tmp_path / "cmac.json"
        path.write_text(json.dumps(content))
        file = read_file(path, AES_CMAC)
        record = check_vectors(file, ModelEngine(file.cipher))
        assert (record.passed, record.failed, record.skipped) == (2 - failed, failed, 0)
