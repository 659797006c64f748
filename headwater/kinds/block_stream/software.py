# SPDX-License-Identifier: Apache-2.0
"""The function of a block, for software that makes several blocks at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from headwater.algebra.word import Wire, Word
from headwater.core.architecture import Architecture
from headwater.kinds.block_stream.description import WORD_BITS, BlockStreamCipher
from headwater.kinds.registry import kind_of
from headwater.kinds.software import Part, Software

OPERANDS = ("a", "b", "c", "d")
"""The words of a quarter round, in order."""


def software(cipher: BlockStreamCipher, architecture: Architecture) -> Software:
    """The quarter round, and where its words and those of the first matrix come from."""
    formed: BlockStreamCipher = kind_of(cipher).formed(cipher, architecture)
    quarter = Part(dict.fromkeys(OPERANDS, WORD_BITS), partial(_quarter, formed.quarter_round))
    counts = {"key": formed.key_bits, "iv": formed.iv_bits[-1], "block": formed.counter_bits}
    key, nonce, counter = (
        [(name, place) for place in range(bits // WORD_BITS)] for name, bits in counts.items()
    )
    derivation = formed.begin_key(key, nonce, _constant) if formed.derivation else []
    if derivation:
        key = formed.derived([("derived", place) for place in range(len(derivation))])
    return Software(
        "blocks",
        {"quarter": quarter},
        {
            "rounds": formed.rounds,
            "kinds_of_round": (formed.first_round, formed.second_round),
            "derivation": derivation,
            "matrix": formed.begin(key, nonce, counter, _constant),
            "counter_bits": formed.counter_bits,
        },
    )


def _constant(value: int) -> tuple[str, int]:
    return "constant", value


def _quarter(
    circuit: Callable[..., tuple[Word, ...]], wire: Wire, *words: Word
) -> Mapping[str, Word]:
    return dict(zip(OPERANDS, circuit(wire, *words), strict=True))
