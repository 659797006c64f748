# SPDX-License-Identifier: Apache-2.0
"""MOSQUITO and MOUSTIQUE: architectures, engines and texts, for tests."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.cipher.mosquito import MOSQUITO, MOUSTIQUE
from headwater.core.architecture import Architecture
from headwater.kinds.registry import facts_of
from headwater.kinds.self_synchronising.facts import SelfSynchronisingFacts
from headwater.verify.engine import RtlEngine
from headwater.verify.vector_files import VectorFile, own_files, read_file

BOTH = (MOSQUITO, MOUSTIQUE)
FILES = {cipher.name: read_file(own_files(cipher)[0], cipher) for cipher in BOTH}
each = pytest.mark.parametrize("cipher", BOTH, ids=lambda cipher: cipher.name)

KEY, IV = bytes.fromhex("0123456789abcdef01234567"), bytes.fromhex("fedcba9876543210fedcba9876")


def architecture(cipher: Cipher, radix: int = 1, **options: str) -> Architecture:
    return Architecture.choose(cipher, radix=radix, options=options)


def facts(cipher: Cipher, radix: int = 1, **options: str) -> SelfSynchronisingFacts:
    found = facts_of(cipher, architecture(cipher, radix, **options))
    assert isinstance(found, SelfSynchronisingFacts)
    return found


def engine(cipher: Cipher, radix: int = 1, **options: str) -> RtlEngine:
    gaps = 0 if options.get("stall") == "none" else 250
    return RtlEngine(cipher, architecture(cipher, radix, **options), gaps_permille=gaps)


def some_vectors(cipher: Cipher, step: int) -> VectorFile:
    """Every so many vectors of the authors, and those about lengths, errors and lost bytes."""
    vectors = FILES[cipher.name].vectors
    kept = [
        vector
        for number, vector in enumerate(vectors)
        if number % step == 0 or re.match("resync|slip|iv|rand-len1", vector.name)
    ]
    return replace(FILES[cipher.name], vectors=tuple(kept))


def text_of(bits: int, seed: object = 0) -> bytes:
    string = random.Random(f"text {seed}").getrandbits(bits) if bits else 0
    return bitstring.to_bytes(string, bits, "msb_first")


def message(bits: int, seed: object = 0, decrypts: bool = False) -> Message:
    return Message(KEY, IV, b"", text_of(bits, seed), bits, decrypts)
