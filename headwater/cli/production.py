# SPDX-License-Identifier: Apache-2.0
"""The verb keystream."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext

from headwater.cli.inputs import (
    check_engine,
    cipher_for_key,
    first_bit,
    key_and_iv,
    operations_of,
)
from headwater.cli.output import print_json
from headwater.cli.waiting import waiting_for
from headwater.errors import at_least
from headwater.kinds.reading import check_keystream


def run_keystream(given: argparse.Namespace) -> int:
    """`headwater keystream`"""
    cipher = cipher_for_key(given)
    check_keystream(cipher)
    check_engine(given)
    secret = key_and_iv(cipher, given)
    offset = at_least(0, "offset", given.offset)
    pieces = operations_of(cipher, given).keystream_pieces(
        secret.key, secret.iv, given.bits, offset=first_bit(cipher, given) + offset,
        iv_bits=secret.iv_bits,
    )  # fmt: skip
    if given.json:
        counted = {} if given.counter is None else {"counter": given.counter}
        print_json({"cipher": cipher.name, "engine": given.engine, **counted, "offset_bits": offset,
                    "keystream_bits": given.bits, "bit_order": cipher.bit_order,
                    "keystream": b"".join(pieces).hex()})  # fmt: skip
        return 0
    with nullcontext() if sys.stdout.isatty() else waiting_for(f"{given.bits} bits of keystream"):
        for piece in pieces:
            sys.stdout.write(piece.hex())
    sys.stdout.write("\n")
    return 0
