# SPDX-License-Identifier: Apache-2.0
"""The verbs that work on messages: encrypt, decrypt."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from headwater.api.operations import Operations, check_encrypts
from headwater.cipher.description import HASHES, Cipher
from headwater.cli.arguments import STREAM, secret_bytes
from headwater.cli.inputs import (
    Secret,
    check_engine,
    cipher_for_key,
    first_bit,
    is_file,
    key_and_iv,
    opened_text,
    operations_of,
    read_text,
)
from headwater.cli.output import print_json, warn
from headwater.cli.telephony import (
    compare_first_byte,
    key_and_call,
    key_and_formed_iv,
    refuse_call,
)
from headwater.cli.waiting import waiting_for
from headwater.errors import InputError, TagError
from headwater.files import check_file, write_pieces

_NO_PLACE_FOR_A_TAG = "--out must be a file where a tag is printed, not -"


def run_encrypt(args: argparse.Namespace) -> int:
    """`headwater encrypt`"""
    operations, task = _task(args)
    if args.tag_bits is None and _is_streamed(operations, task, args):
        return _stream(operations, task, args)
    task["text"], task["bits"] = read_text(args)
    with waiting_for(f"encrypting {len(task['text'])} bytes"):
        sealed = operations.encrypt(**task, ad_bits=args.ad_bits, tag_bits=args.tag_bits)
    if sealed.tag and args.output == STREAM:  # The IV may have selected the mode with a tag.
        raise InputError(_NO_PLACE_FOR_A_TAG)
    _give(args, task, {"ciphertext": sealed.text, **({"tag": sealed.tag} if sealed.tag else {})})
    return 0


def run_decrypt(args: argparse.Namespace) -> int:
    """`headwater decrypt`: prints nothing unless the tag, if there is one, matches."""
    operations, task = _task(args)
    if args.tag is None and _is_streamed(operations, task, args):
        return _stream(operations, task, args)
    task["text"], task["bits"] = read_text(args)
    tag = None if args.tag is None else secret_bytes("tag", args.tag)
    try:
        with waiting_for(f"decrypting {len(task['text'])} bytes"):
            text = operations.decrypt(**task, ad_bits=args.ad_bits, tag=tag, tag_bits=args.tag_bits)
    except TagError as error:
        warn(str(error))
        return 1
    _give(args, task, {"plaintext": text})
    return 0


def _task(args: argparse.Namespace) -> tuple[Operations, dict[str, Any]]:
    """What carries out the command, and its arguments but the text."""
    cipher = cipher_for_key(args)
    check_engine(args)
    _check_output(cipher, args)
    secret = _secret(cipher, args)
    ad = None if args.ad is None else secret_bytes("associated data", args.ad)
    task = {
        "key": secret.key,
        "nonce": secret.iv,
        "iv_bits": secret.iv_bits,
        "ad": ad,
        "offset": first_bit(cipher, args),
    }
    return operations_of(cipher, args), task


def _is_streamed(operations: Operations, task: dict[str, Any], args: argparse.Namespace) -> bool:
    """Whether the text need not be in memory: it is a file of known length, of whole bytes, from
    which another one is written, and keystream alone is added."""
    if args.output is None or args.bits is not None or task["ad"] is not None:
        return False
    return is_file(args) and operations.adds_keystream(task["key"], task["nonce"], task["iv_bits"])


def _stream(operations: Operations, task: dict[str, Any], args: argparse.Namespace) -> int:
    """Write the other text piece by piece."""
    with opened_text(args) as (text, count):
        doing = f"{args.verb}ing {count} bytes"
        pieces = operations.with_keystream(
            task["key"], task["nonce"], text, count, offset=task["offset"], iv_bits=task["iv_bits"]
        )
        with waiting_for(doing):
            _write(args.output, pieces)
    if args.json:
        print_json({"cipher": args.cipher, "engine": args.engine, "bits": 8 * count})
    return 0


def _check_output(cipher: Cipher, args: argparse.Namespace) -> None:
    """Refuse a place that the text cannot be written to, before anything takes time."""
    if args.output is None:
        return
    if args.output != STREAM:
        check_file(Path(args.output))
    elif args.json:
        raise InputError("--out must be a file where --json prints the rest, not -")
    elif args.verb == "encrypt" and cipher.tag_lengths:
        raise InputError(_NO_PLACE_FOR_A_TAG)


def _secret(cipher: Cipher, args: argparse.Namespace) -> Secret:
    """Key and IV; a telephony mode forms the IV from its message fields."""
    if cipher.service in HASHES:
        check_encrypts(cipher)
    if cipher.call_fields:
        check_encrypts(cipher)
        return key_and_call(cipher, args)
    if cipher.formed_fields and args.iv is None:
        check_encrypts(cipher)
        return key_and_formed_iv(cipher, args)
    refuse_call(cipher, args)
    secret = key_and_iv(cipher, args)
    compare_first_byte(cipher, secret.iv, args)
    return secret


def _give(args: argparse.Namespace, task: dict[str, Any], outputs: dict[str, bytes]) -> None:
    """Write or print the text that was made; print its tag, if there is one."""
    if args.output is not None:
        _write(args.output, [outputs.pop(next(iter(outputs)))])
    facts = {name: value.hex() for name, value in outputs.items()}
    if args.json:
        bits = 8 * len(task["text"]) if task["bits"] is None else task["bits"]
        print_json({"cipher": args.cipher, "engine": args.engine, "bits": bits, **facts})
        return
    for what, value in facts.items():
        print(f"{what} {value}".rstrip())


def _write(place: str, pieces: Iterable[bytes]) -> None:
    if place == STREAM:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.flush()
    else:
        write_pieces(Path(place), pieces)
