# SPDX-License-Identifier: Apache-2.0
"""The modes of mobile telephony on the command line: the fields of the IV, and the verb `mac`."""

from __future__ import annotations

import argparse
from typing import Any

from headwater.api.operations import check_authenticates
from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.description import Cipher
from headwater.cli.arguments import secret_bytes
from headwater.cli.inputs import Secret, check_engine, operations_of, read_text
from headwater.cli.output import print_json
from headwater.errors import InputError, between

_CALL = ("count", "bearer", "fresh", "direction")
_INSTEAD = ("iv", "frame", "iv_bits", "key_length")


def run_mac(given: argparse.Namespace) -> int:
    """`headwater mac`"""
    mode = find(given.cipher)
    check_authenticates(mode)
    check_engine(given)
    secret = key_and_call(mode, given)
    text, bits = read_text(given)
    tag = operations_of(mode, given).mac(secret.key, secret.iv, text, bits=bits)
    if given.json:
        length = 8 * len(text) if bits is None else bits
        print_json({"cipher": mode.name, "engine": given.engine, "bits": length,
                    "tag": tag.hex()})  # fmt: skip
    else:
        print(f"tag {tag.hex()}")
    return 0


def key_and_call(mode: Cipher, given: argparse.Namespace) -> Secret:
    """The key, and the IV formed from COUNT, BEARER or FRESH, and DIRECTION."""
    wanted = [name for name, _ in mode.call_fields]
    for name in (*_INSTEAD, *_CALL):
        if name not in wanted and getattr(given, name, None) is not None:
            options = ", ".join(f"--{wanted_name}" for wanted_name in wanted)
            what = "an IV" if name == "iv" else f"--{name.replace('_', '-')}"
            raise InputError(f"{mode.name} takes {options}, not {what}")
    key = secret_bytes("key", given.key)
    values = [_value(name, bits, getattr(given, name)) for name, bits in mode.call_fields]
    iv = mode.pack_iv(*values)
    mode.input_bits(key, iv)
    return Secret(key, iv, None)


def _value(name: str, bits: int, given: Any) -> int:
    """The value of a field: hexadecimal where its length is whole bytes, else a number."""
    if bits % 8:
        most = (1 << bits) - 1
        if given is None:
            raise InputError(f"{name} must be given as a number from 0 to {most}")
        return between(0, most, name, given)
    data = secret_bytes(name, given)
    if 8 * len(data) != bits:
        raise InputError(
            f"{name} must be {bits} bits ({bits // 4} hex digits), not {8 * len(data)} bits"
        )
    return int.from_bytes(data, "big")


def refuse_call(cipher: Cipher, given: argparse.Namespace) -> None:
    """Refuse arguments that only telephony modes take."""
    for name in _CALL:
        if getattr(given, name) is not None:
            legal = [mode for mode, of in CATALOGUE.items() if of.call_fields]
            raise InputError(
                f"--{name} must be given for one of {', '.join(legal)} only, not for {cipher.name}"
            )
