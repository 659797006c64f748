# SPDX-License-Identifier: Apache-2.0
"""The verb keystream."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import nullcontext

from headwater.cipher.description import Cipher
from headwater.cli.arguments import refuse_others, secret_bytes
from headwater.cli.inputs import (
    check_engine,
    cipher_for_key,
    first_bit,
    key_and_iv,
    operations_of,
)
from headwater.cli.output import print_json
from headwater.cli.waiting import waiting_for
from headwater.errors import InputError, at_least
from headwater.kinds.reading import check_keystream
from headwater.verify.engine import NO_PORT, RtlEngine

_OF_KEYS = ("iv", "frame", "tdma_frame", "iv_bits", "counter", "key_length")
"""What goes with a key alone."""


def run_keystream(args: argparse.Namespace) -> int:
    """`headwater keystream`"""
    cipher = cipher_for_key(args)
    check_keystream(cipher)
    check_engine(args)
    offset = at_least(0, "offset", args.offset)
    pieces = _pieces(cipher, args, offset)
    if args.json:
        counted = {} if args.counter is None else {"counter": args.counter}
        print_json(
            {
                "cipher": cipher.name,
                "engine": args.engine,
                **counted,
                "offset_bits": offset,
                "keystream_bits": args.bits,
                "bit_order": cipher.bit_order,
                "keystream": b"".join(pieces).hex(),
            }
        )
        return 0
    with nullcontext() if sys.stdout.isatty() else waiting_for(f"{args.bits} bits of keystream"):
        for piece in pieces:
            sys.stdout.write(piece.hex())
    sys.stdout.write("\n")
    return 0


def _pieces(cipher: Cipher, args: argparse.Namespace, offset: int) -> Iterator[bytes]:
    """The keystream under key and IV, or from a state, in pieces."""
    operations = operations_of(cipher, args)
    if args.state is not None:
        refuse_others(args, "state", _OF_KEYS)
        if args.engine == RtlEngine.name:
            raise InputError(f"--state must come with another engine than rtl: {NO_PORT}")
        state = secret_bytes("state", args.state)
        return operations.keystream_pieces(None, None, args.bits, offset=offset, state=state)
    secret = key_and_iv(cipher, args)
    return operations.keystream_pieces(
        secret.key,
        secret.iv,
        args.bits,
        offset=first_bit(cipher, args) + offset,
        iv_bits=secret.iv_bits,
    )
