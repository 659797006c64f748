# SPDX-License-Identifier: Apache-2.0
"""The verb `hash`: digests of messages, by functions without a key."""

from __future__ import annotations

import argparse

from headwater.api.operations import check_hashes
from headwater.cipher.catalogue import find
from headwater.cli.arguments import secret_bytes
from headwater.cli.inputs import check_engine, operations_of, read_text
from headwater.cli.output import print_json


def run_hash(given: argparse.Namespace) -> int:
    """`headwater hash`"""
    cipher = find(given.cipher)
    check_hashes(cipher)
    check_engine(given)
    text, bits = read_text(given)
    custom = secret_bytes("customization", given.customization or "")
    digest = operations_of(cipher, given).hash(
        text,
        customization=custom,
        bits=bits,
        customization_bits=given.customization_bits,
        digest_bits=given.digest_bits,
    )
    if given.json:
        print_json(
            {
                "cipher": cipher.name,
                "engine": given.engine,
                "bits": 8 * len(text) if bits is None else bits,
                "digest": digest.hex(),
            }
        )
    else:
        print(f"digest {digest.hex()}")
    return 0
