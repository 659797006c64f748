# SPDX-License-Identifier: Apache-2.0
"""The modes of mobile telephony on the command line: what is known of a message; the verb `mac`."""

from __future__ import annotations

import argparse

from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.cli.arguments import between, secret_bytes
from headwater.cli.inputs import Secret, check_engine, make_engine, read_text
from headwater.cli.output import print_json
from headwater.errors import InputError
from headwater.kinds.telephony.description import COUNT_BITS, Integrity, TelephonyMode

_CALL = ("count", "bearer", "fresh", "direction")
_INSTEAD = ("iv", "frame", "iv_bits", "key_length")


def run_mac(given: argparse.Namespace) -> int:
    """`headwater mac`"""
    mode = find(given.cipher)
    if not isinstance(mode, Integrity):
        legal = [name for name, cipher in CATALOGUE.items() if isinstance(cipher, Integrity)]
        raise InputError(f"cipher of mac must be one of {', '.join(legal)}, not {mode.name!r}")
    check_engine(given)
    secret = key_and_call(mode, given)
    text, bits = read_text(mode, given)
    message = Message(secret.key, secret.iv, b"", text, bits)
    (made,) = make_engine(mode, given).process([message])
    if given.json:
        print_json({"cipher": mode.name, "engine": given.engine, "bits": bits,
                    "tag": made.tag.hex()})  # fmt: skip
    else:
        print(f"tag {made.tag.hex()}")
    return 0


def check_encrypts(mode: TelephonyMode) -> None:
    """Refuse to encrypt with a mode that only authenticates."""
    if isinstance(mode, Integrity):
        raise InputError(f"{mode.name} does not encrypt: use headwater mac {mode.name}")


def key_and_call(mode: TelephonyMode, given: argparse.Namespace) -> Secret:
    """The key, and as IV what is known of a message."""
    other = "fresh" if mode.second == "bearer" else "bearer"
    for name in (*_INSTEAD, other):
        if getattr(given, name, None) is not None:
            options = ", ".join(f"--{wanted}" for wanted in _CALL if wanted != other)
            what = "an IV" if name == "iv" else f"--{name.replace('_', '-')}"
            raise InputError(f"{mode.name} takes {options}, not {what}")
    key = secret_bytes("key", given.key)
    count = _hex_number("count", given.count)
    if mode.second == "fresh":
        second = _hex_number("fresh", given.fresh)
    else:
        second = _number("bearer", given.bearer, (1 << mode.second_bits) - 1)
    iv = mode.pack_iv(count, second, _number("direction", given.direction, 1))
    mode.input_bits(key, iv)
    return Secret(key, iv, None)


def refuse_call(cipher: Cipher, given: argparse.Namespace) -> None:
    """Refuse what only modes of mobile telephony take."""
    for name in _CALL:
        if getattr(given, name) is not None:
            legal = [mode for mode, of in CATALOGUE.items() if isinstance(of, TelephonyMode)]
            raise InputError(
                f"--{name} must be given for one of {', '.join(legal)} only, not for {cipher.name}"
            )


def _hex_number(what: str, text: str | None) -> int:
    data = secret_bytes(what, text)
    if 8 * len(data) != COUNT_BITS:
        raise InputError(
            f"{what} must be {COUNT_BITS} bits ({COUNT_BITS // 4} hex digits), "
            f"not {8 * len(data)} bits"
        )
    return int.from_bytes(data, "big")


def _number(what: str, value: int | None, most: int) -> int:
    if value is None:
        raise InputError(f"{what} must be given as a number from 0 to {most}")
    return between(0, most, what, value)
