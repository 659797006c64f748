# SPDX-License-Identifier: Apache-2.0
"""The modes of mobile telephony on the command line: the fields of the IV, and the verb `mac`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from headwater.api.operations import check_authenticates
from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.description import Cipher
from headwater.cipher.message import check_tag_bits
from headwater.cli.arguments import fixed_parameters, option_of, secret_bytes
from headwater.cli.inputs import Secret, check_engine, cipher_for_key, operations_of, read_text
from headwater.cli.output import print_json, say
from headwater.errors import InputError, between

_CALL = ("count", "bearer", "fresh", "direction", "extra")
_INSTEAD = ("iv", "frame", "tdma_frame", "iv_bits", "key_length")


def run_mac(given: argparse.Namespace) -> int:
    """`headwater mac`"""
    check_authenticates(find(given.cipher))
    mode = _for_tag(cipher_for_key(given), given)
    check_engine(given)
    secret = _secret(mode, given)
    text, bits = read_text(given)
    tag = operations_of(mode, given).mac(
        secret.key, secret.iv, text, bits=bits, tag_bits=given.tag_bits
    )
    if given.json:
        length = 8 * len(text) if bits is None else bits
        print_json({"cipher": mode.name, "engine": given.engine, "bits": length, "tag": tag.hex()})
    else:
        print(f"tag {tag.hex()}")
    return 0


def _secret(mode: Cipher, given: argparse.Namespace) -> Secret:
    """Key and IV of a mode that authenticates."""
    if not mode.iv_bits[-1]:
        refuse_call(mode, given)
        if given.iv is not None:
            raise InputError(f"{mode.name} takes no IV")
        return Secret(secret_bytes("key", given.key), b"", None)
    return key_and_call(mode, given) if mode.call_fields else key_and_formed_iv(mode, given)


def _for_tag(mode: Cipher, given: argparse.Namespace) -> Cipher:
    """The mode with tags of the length that is asked for, unless an option tells the length."""
    told = "mac_bits" in fixed_parameters(mode, given)
    return mode if told or given.tag_bits is None else mode.for_tag(given.tag_bits)


def key_and_call(mode: Cipher, given: argparse.Namespace) -> Secret:
    """The key, and the IV formed from COUNT, BEARER or FRESH, and DIRECTION."""
    _refuse_others(mode, [name for name, _ in mode.call_fields], given)
    key = secret_bytes("key", given.key)
    values = [_value(name, bits, getattr(given, name)) for name, bits in mode.call_fields]
    iv = mode.pack_iv(*values)
    mode.input_bits(key, iv)
    return Secret(key, iv, None)


def _refuse_others(mode: Cipher, wanted: Sequence[str], given: argparse.Namespace) -> None:
    """Refuse what does not go with the fields that an IV is formed of."""
    for name in (*_INSTEAD, *_CALL):
        if name not in wanted and getattr(given, name, None) is not None:
            options = ", ".join(map(option_of, wanted))
            what = "an IV" if name == "iv" else option_of(name)
            raise InputError(f"{mode.name} takes {options}, not {what}")


def key_and_formed_iv(mode: Cipher, given: argparse.Namespace) -> Secret:
    """Key and IV of a mode that takes a whole IV: the given one, or one that is formed of COUNT,
    BEARER and DIRECTION. How it is formed is not certain, so the user is told."""
    if given.iv is not None or not mode.formed_fields:
        _refuse_both(mode, given)
        refuse_call(mode, given)
        iv = secret_bytes("IV", given.iv)
    else:
        _refuse_others(mode, [name for name, _ in mode.formed_fields], given)
        iv = _formed_iv(mode, given)
        say(
            f"IV {iv.hex()}: formed of COUNT, BEARER, DIRECTION and the length of the tag as "
            "public vectors suggest; compare it with the specification of 3GPP"
        )
    key = secret_bytes("key", given.key)
    mode.input_bits(key, iv)
    compare_first_byte(mode, iv, given)
    return Secret(key, iv, None)


def compare_first_byte(mode: Cipher, iv: bytes, given: argparse.Namespace) -> None:
    """Tell of a whole IV whose first byte is that of another mode, or of another length of the tag:
    the keystream of one would then be the key of the other."""
    if not mode.formed_fields:
        return
    bits = _tag_bits(mode, given)
    expected = mode.formed_iv(bits, *(0 for _ in mode.formed_fields))[0]
    if iv[0] != expected:
        what = f"a tag of {bits} bits" if bits else "ciphering"
        say(
            f"byte 0 of the IV is {iv[0]:02x}; public vectors have {expected:02x} there for {what}"
            ": compare it with the specification of 3GPP"
        )


def _refuse_both(mode: Cipher, given: argparse.Namespace) -> None:
    """Refuse a whole IV beside the fields of which one is formed."""
    for name, _ in mode.formed_fields:
        if getattr(given, name) is not None:
            fields = ", ".join(option_of(field) for field, _ in mode.formed_fields)
            raise InputError(
                f"{mode.name} takes an IV or {fields}, not an IV with {option_of(name)}"
            )


def _formed_iv(mode: Cipher, given: argparse.Namespace) -> bytes:
    values = []
    for name, bits in mode.formed_fields:
        field = getattr(given, name)
        if name == "extra" and field is None:
            field = bits // 4 * "0"
        values.append(_value(name, bits, field))
    return mode.formed_iv(_tag_bits(mode, given), *values)


def _tag_bits(mode: Cipher, given: argparse.Namespace) -> int:
    """The length of the tag: that of the given one, the one asked for, or the longest."""
    if not mode.tag_lengths:
        return 0
    tag = getattr(given, "tag", None)
    asked = getattr(given, "tag_bits", None) if tag is None else 8 * len(secret_bytes("tag", tag))
    bits = mode.default_tag_bits if asked is None else asked
    check_tag_bits(mode, bits)
    return bits


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
    formed = dict(cipher.formed_fields)
    for name in _CALL:
        if getattr(given, name) is not None:
            if name in formed:
                raise InputError(f"{option_of(name)} must come without --iv, which is the whole IV")
            legal = [
                mode
                for mode, of in CATALOGUE.items()
                if name in dict((*of.call_fields, *of.formed_fields))
            ]
            raise InputError(
                f"{option_of(name)} must be given for one of {', '.join(legal)} only, "
                f"not for {cipher.name}"
            )
