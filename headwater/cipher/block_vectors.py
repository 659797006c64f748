# SPDX-License-Identifier: Apache-2.0
"""Vectors of a block cipher that is described with each block fed back (OFB): the first block of
the keystream is the IV encrypted once."""

from __future__ import annotations

from typing import Any

from headwater.cipher.cases import KeystreamVector

KIND = "block-cipher"
"""The kind of file whose entries are such vectors."""


def read_blocks(entry: Any, cipher: Any) -> list[KeystreamVector]:
    """Blocks of ``cipher.iv_bits[0]`` bits, of which each was encrypted once, or so many times in a
    row."""
    block_bits = cipher.iv_bits[0]
    key, blocks = entry.data("key"), _cut(entry, "plaintext", block_bits)
    outputs = _cut(entry, "ciphertext", block_bits, len(blocks))
    offset = block_bits * (entry.number_or("iterations", 1, 1) - 1)
    with entry.named():
        cipher.input_bits(key, blocks[0])
    names = [f"{entry.name} {number}" for number in range(1, len(blocks) + 1)]
    return [
        KeystreamVector(name, key, block, block_bits, offset, block_bits, expected)
        for name, block, expected in zip(
            names if len(blocks) > 1 else [entry.name], blocks, outputs, strict=True
        )
    ]


def _cut(entry: Any, field: str, block_bits: int, count: int | None = None) -> list[bytes]:
    """The blocks of a field: at least one, as many as there must be."""
    size = block_bits // 8
    blocks = max(1, len(entry.data(field)) // size) if count is None else count
    data = entry.packed(field, blocks * block_bits)
    return [data[place : place + size] for place in range(0, len(data), size)]
