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


def run_mac(args: argparse.Namespace) -> int:
    """`headwater mac`"""
    check_authenticates(find(args.cipher))
    mode = _for_tag(cipher_for_key(args), args)
    check_engine(args)
    secret = _secret(mode, args)
    text, bits = read_text(args)
    tag = operations_of(mode, args).mac(
        secret.key, secret.iv, text, bits=bits, tag_bits=args.tag_bits
    )
    if args.json:
        length = 8 * len(text) if bits is None else bits
        print_json({"cipher": mode.name, "engine": args.engine, "bits": length, "tag": tag.hex()})
    else:
        print(f"tag {tag.hex()}")
    return 0


def _secret(mode: Cipher, args: argparse.Namespace) -> Secret:
    """Key and IV of a mode that authenticates."""
    if not mode.iv_bits[-1]:
        refuse_call(mode, args)
        if args.iv is not None:
            raise InputError(f"{mode.name} takes no IV")
        return Secret(secret_bytes("key", args.key), b"", None)
    return key_and_call(mode, args) if mode.call_fields else key_and_formed_iv(mode, args)


def _for_tag(mode: Cipher, args: argparse.Namespace) -> Cipher:
    """The mode with tags of the length that is asked for, unless an option tells the length."""
    told = "mac_bits" in fixed_parameters(mode, args)
    return mode if told or args.tag_bits is None else mode.for_tag(args.tag_bits)


def key_and_call(mode: Cipher, args: argparse.Namespace) -> Secret:
    """The key, and the IV formed from COUNT, BEARER or FRESH, and DIRECTION."""
    _refuse_others(mode, [name for name, _ in mode.call_fields], args)
    key = secret_bytes("key", args.key)
    values = [_value(name, bits, getattr(args, name)) for name, bits in mode.call_fields]
    iv = mode.pack_iv(*values)
    mode.input_bits(key, iv)
    return Secret(key, iv, None)


def _refuse_others(mode: Cipher, wanted: Sequence[str], args: argparse.Namespace) -> None:
    """Refuse what does not go with the fields that an IV is formed of."""
    for name in (*_INSTEAD, *_CALL):
        if name not in wanted and getattr(args, name, None) is not None:
            options = ", ".join(map(option_of, wanted))
            what = "an IV" if name == "iv" else option_of(name)
            raise InputError(f"{mode.name} takes {options}, not {what}")


def key_and_formed_iv(mode: Cipher, args: argparse.Namespace) -> Secret:
    """Key and IV of a mode that takes a whole IV: the given one, or one that is formed of COUNT,
    BEARER and DIRECTION. How it is formed is not certain, so the user is told."""
    if args.iv is not None or not mode.formed_fields:
        _refuse_both(mode, args)
        refuse_call(mode, args)
        iv = secret_bytes("IV", args.iv)
    else:
        _refuse_others(mode, [name for name, _ in mode.formed_fields], args)
        iv = _formed_iv(mode, args)
        say(
            f"IV {iv.hex()}: formed of COUNT, BEARER, DIRECTION and the length of the tag as "
            "public vectors suggest; compare it with the specification of 3GPP"
        )
    key = secret_bytes("key", args.key)
    mode.input_bits(key, iv)
    compare_first_byte(mode, iv, args)
    return Secret(key, iv, None)


def compare_first_byte(mode: Cipher, iv: bytes, args: argparse.Namespace) -> None:
    """Tell of a whole IV whose first byte is that of another mode, or of another length of the tag:
    the keystream of one would then be the key of the other."""
    if not mode.formed_fields:
        return
    bits = _tag_bits(mode, args)
    expected = mode.formed_iv(bits, *(0 for _ in mode.formed_fields))[0]
    if iv[0] != expected:
        what = f"a tag of {bits} bits" if bits else "ciphering"
        say(
            f"byte 0 of the IV is {iv[0]:02x}; public vectors have {expected:02x} there for {what}"
            ": compare it with the specification of 3GPP"
        )


def _refuse_both(mode: Cipher, args: argparse.Namespace) -> None:
    """Refuse a whole IV beside the fields of which one is formed."""
    for name, _ in mode.formed_fields:
        if getattr(args, name) is not None:
            fields = ", ".join(option_of(field) for field, _ in mode.formed_fields)
            raise InputError(
                f"{mode.name} takes an IV or {fields}, not an IV with {option_of(name)}"
            )


def _formed_iv(mode: Cipher, args: argparse.Namespace) -> bytes:
    values = []
    for name, bits in mode.formed_fields:
        field = getattr(args, name)
        if name == "extra" and field is None:
            field = bits // 4 * "0"
        values.append(_value(name, bits, field))
    return mode.formed_iv(_tag_bits(mode, args), *values)


def _tag_bits(mode: Cipher, args: argparse.Namespace) -> int:
    """The length of the tag: that of the given one, the one asked for, or the longest."""
    if not mode.tag_lengths:
        return 0
    tag = getattr(args, "tag", None)
    asked = getattr(args, "tag_bits", None) if tag is None else 8 * len(secret_bytes("tag", tag))
    bits = mode.default_tag_bits if asked is None else asked
    check_tag_bits(mode, bits)
    return bits


def _value(name: str, bits: int, args: Any) -> int:
    """The value of a field: hexadecimal where its length is whole bytes, else a number."""
    if bits % 8:
        most = (1 << bits) - 1
        if args is None:
            raise InputError(f"{name} must be given as a number from 0 to {most}")
        return between(0, most, name, args)
    data = secret_bytes(name, args)
    if 8 * len(data) != bits:
        raise InputError(
            f"{name} must be {bits} bits ({bits // 4} hex digits), not {8 * len(data)} bits"
        )
    return int.from_bytes(data, "big")


def refuse_call(cipher: Cipher, args: argparse.Namespace) -> None:
    """Refuse arguments that only telephony modes take."""
    formed = dict(cipher.formed_fields)
    for name in _CALL:
        if getattr(args, name) is not None:
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
