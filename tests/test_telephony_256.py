# SPDX-License-Identifier: Apache-2.0
"""The 256-bit modes of 5G: AES-256, IVs that are formed, and the command line."""

from __future__ import annotations

import pytest
from command_line import VECTORS, Capture, refused, succeed

from headwater.cipher.aes256 import encrypt, round_keys
from headwater.cipher.telephony_256 import MODES_256, hash_value
from headwater.cli.main import main
from headwater.errors import InputError
from headwater.kinds.telephony.mode_256 import Mode256

ALL = {mode.name: mode for mode in MODES_256}
EVERY_MODE = pytest.mark.parametrize("name", ALL)


def test_aes_256_of_the_standard() -> None:
    """FIPS 197, appendix C.3."""
    block = encrypt(round_keys(bytes(range(32))), bytes.fromhex("00112233445566778899aabbccddeeff"))
    assert block.hex() == "8ea2b7ca516745bfeafc49904b496089"


def test_hash_of_nothing_is_the_last_key() -> None:
    h, q, p = (bytes([number]) * 16 for number in (1, 2, 3))
    assert hash_value(h, q, p, b"", b"") == p
    assert hash_value(h, q, p, bytes(16), b"") != p, "the length counts"


# --- IVs


@EVERY_MODE
def test_formed_iv_is_that_of_every_vector(name: str) -> None:
    mode = ALL[name]
    assert isinstance(mode, Mode256)
    for entry in VECTORS[name]:
        count, extra = int(entry["count"], 16), int(entry["extra"], 16)
        tag_bits = entry.get("mac_bits", entry.get("tag_bits", 0))
        formed = mode.formed_iv(tag_bits, count, entry["bearer"], entry["direction"], extra)
        assert formed.hex() == entry.get("iv", entry.get("nonce")), entry["id"]


def test_last_bytes_of_the_iv_count_blocks_of_aes() -> None:
    iv = bytes(15) + b"\1"
    ALL["nea4"].input_bits(bytes(32), iv)
    with pytest.raises(InputError, match=r"^the last 4 bytes of the IV of nea5 must be zero$"):
        ALL["nea5"].input_bits(bytes(32), iv)


def test_bit_that_marks_keys_of_the_hash_is_zero_in_the_iv() -> None:
    iv = b"\1" + bytes(15)
    ALL["nca4"].input_bits(bytes(32), iv)
    message = "bit 0 of the first byte of the IV of nca5 must be zero"
    with pytest.raises(InputError, match=f"^{message}$"):
        ALL["nca5"].input_bits(bytes(32), iv)


# --- the command line


def test_every_verb_on_messages(capsys: Capture) -> None:
    entry = next(one for one in VECTORS["nca4"] if one["tag_bits"] == 96 and one["ad"])
    load = ("nca4", "--key", entry["key"], "--nonce", entry["nonce"], "--ad", entry["ad"])
    made = succeed(capsys, "encrypt", *load, "--text", entry["plaintext"], "--tag-bits", "96")
    assert made == f"ciphertext {entry['ciphertext']}\ntag {entry['tag']}\n"
    opened = succeed(capsys, "decrypt", *load, "--text", entry["ciphertext"], "--tag", entry["tag"])
    assert opened == f"plaintext {entry['plaintext']}\n"
    entry = VECTORS["nia6"][-1]
    words = ("--iv", entry["iv"], "--tag-bits", str(entry["mac_bits"]), "--text", entry["message"])
    assert succeed(capsys, "mac", "nia6", "--key", entry["key"], *words) == f"tag {entry['mac']}\n"


def test_the_user_is_told_that_an_iv_was_formed(capsys: Capture) -> None:
    entry = next(one for one in VECTORS["nia5"] if one["mac_bits"] == 40)
    call = (
        "--count",
        entry["count"],
        "--bearer",
        str(entry["bearer"]),
        "--direction",
        str(entry["direction"]),
        "--extra",
        entry["extra"],
    )
    words = ("--key", entry["key"], *call, "--text", entry["message"], "--tag-bits", "40")
    assert main(["mac", "nia5", *words]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"tag {entry['mac']}\n"
    assert printed.err.startswith(f"IV {entry['iv']}: formed of COUNT, BEARER, DIRECTION")
    assert "compare it with the specification of 3GPP" in printed.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("mac", "nia5", "--iv", "60" + 15 * "00", "--tag-bits", "96"), None),
        (("mac", "nia5", "--iv", "60" + 15 * "00"), ("60", "80", "a tag of 128 bits")),
        (("encrypt", "nca4", "--nonce", "84" + 15 * "00"), None),
        (
            ("encrypt", "nca4", "--nonce", "84" + 15 * "00", "--tag-bits", "64"),
            ("84", "44", "a tag of 64 bits"),
        ),
        (("encrypt", "nea5", "--iv", 16 * "00"), None),
        (("encrypt", "nea5", "--iv", "60" + 15 * "00"), ("60", "00", "ciphering")),
    ],
)
def test_the_user_is_told_that_the_iv_is_of_another_mode_or_length_of_the_tag(
    capsys: Capture, words: tuple[str, ...], told: tuple[str, str, str] | None
) -> None:
    assert main([*words, "--key", 32 * "00", "--text", "00"]) == 0
    printed = capsys.readouterr()
    expected = "byte 0 of the IV is {}; public vectors have {} there for {}: compare "
    if told:
        assert " ".join(printed.err.split()).startswith(expected.format(*told))
    else:
        assert printed.err == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("keystream", "nea5", "--key", "00", "--iv", "00", "--bits", "8"),
            "nea5 has no keystream apart from its messages: use encrypt of a text of zeros",
        ),
        (
            ("generate", "nia5", "--option", "digit=32", "-o", "NOWHERE"),
            "option digit of nia5 at radix 8 must be one of 8, 1, not '32'",
        ),
        (
            ("encrypt", "nea5", "--key", "00" * 32, "--iv", "00" * 15 + "01", "--text", "00"),
            "the last 4 bytes of the IV of nea5 must be zero",
        ),
        (
            ("keystream", "nea6", "--key", "00", "--iv", "00", "--bits", "8"),
            "nea6 has no keystream apart from its messages: use that of zuc256",
        ),
        (
            (
                "encrypt",
                "nea4",
                "--key",
                "00" * 32,
                "--iv",
                "00" * 16,
                "--text",
                "0000",
                "--bits",
                "12",
            ),
            "text of nea4 must be whole bytes, not 12 bits",
        ),
        (
            (
                "mac",
                "nia4",
                "--key",
                "00" * 32,
                "--iv",
                "00" * 16,
                "--text",
                "00",
                "--tag-bits",
                "33",
            ),
            "tag of nia4 must be 32 to 128 bits in whole bytes, not 33 bits",
        ),
        (
            (
                "mac",
                "nia5",
                "--key",
                "00" * 32,
                "--iv",
                "00" * 16,
                "--text",
                "00",
                "--count",
                "00000001",
            ),
            "nia5 takes an IV or --count, --bearer, --direction, --extra, not an IV with --count",
        ),
        (
            (
                "encrypt",
                "nea4",
                "--key",
                "00" * 32,
                "--iv",
                "00" * 16,
                "--text",
                "00",
                "--count",
                "00000001",
            ),
            "--count must come without --iv, which is the whole IV",
        ),
        (
            (
                "encrypt",
                "trivium",
                "--key",
                "00" * 10,
                "--iv",
                "00" * 10,
                "--text",
                "00",
                "--extra",
                "00",
            ),
            (
                "--extra must be given for one of nea4, nia4, nca4, nea5, nia5, nca5, nea6, nia6, "
                "nca6 only, not for trivium"
            ),
        ),
    ],
)
def test_what_is_refused(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    refused(capsys, words, message)
