# SPDX-License-Identifier: Apache-2.0
"""The verb `hash`: digests of messages, by functions without a key."""

from __future__ import annotations

import argparse

from headwater.api.operations import check_hashes
from headwater.cipher.catalogue import find
from headwater.cli.arguments import secret_bytes
from headwater.cli.inputs import check_engine, operations_of, read_text
from headwater.cli.output import print_json


def run_hash(args: argparse.Namespace) -> int:
    """`headwater hash`"""
    cipher = find(args.cipher)
    check_hashes(cipher)
    check_engine(args)
    text, bits = read_text(args)
    custom = secret_bytes("customization", args.customization or "")
    digest = operations_of(cipher, args).hash(
        text,
        customization=custom,
        bits=bits,
        customization_bits=args.customization_bits,
        digest_bits=args.digest_bits,
    )
    if args.json:
        print_json(
            {
                "cipher": cipher.name,
                "engine": args.engine,
                "bits": 8 * len(text) if bits is None else bits,
                "digest": digest.hex(),
            }
        )
    else:
        print(f"digest {digest.hex()}")
    return 0
