# SPDX-License-Identifier: Apache-2.0
"""The verb keystream."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from headwater.cipher.description import Cipher
from headwater.cli.arguments import at_least
from headwater.cli.inputs import check_engine, cipher_for_key, first_bit, key_and_iv, make_engine
from headwater.cli.output import print_json
from headwater.kinds.reading import Keystream, check_keystream
from headwater.verify.engine import Engine, ModelEngine, Segment

_PIECE_BITS = 1 << 20


def run_keystream(given: argparse.Namespace) -> int:
    """`headwater keystream`"""
    cipher = cipher_for_key(given)
    check_keystream(cipher)
    check_engine(given)
    secret = key_and_iv(cipher, given)
    bits, offset = at_least(1, "bits", given.bits), at_least(0, "offset", given.offset)
    first = first_bit(cipher, given) + offset
    segment = Segment(secret.key, secret.iv, first, bits, secret.iv_bits)
    pieces = _keystream(cipher, make_engine(cipher, given), segment)
    if given.json:
        counted = {} if given.counter is None else {"counter": given.counter}
        print_json({"cipher": cipher.name, "engine": given.engine, **counted, "offset_bits": offset,
                    "keystream_bits": bits, "bit_order": cipher.bit_order,
                    "keystream": b"".join(pieces).hex()})  # fmt: skip
        return 0
    for piece in pieces:
        sys.stdout.write(piece.hex())
    sys.stdout.write("\n")
    return 0


def _keystream(cipher: Cipher, engine: Engine, segment: Segment) -> Iterator[bytes]:
    """The segment in pieces of whole bytes, so that a long one need not be in memory."""
    if not isinstance(engine, ModelEngine):
        yield from engine.run([segment])
        return
    stream = Keystream(cipher, key=segment.key, iv=segment.iv, iv_bits=segment.iv_bits)
    stream.skip(segment.offset)
    for done in range(0, segment.bits, _PIECE_BITS):
        yield stream.read(min(_PIECE_BITS, segment.bits - done))
