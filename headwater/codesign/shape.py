# SPDX-License-Identifier: Apache-2.0
"""The shape of a cipher's core, as the shell of a coprocessor needs it."""

from __future__ import annotations

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.interface.core_shape import CoreShape
from headwater.interface.identity import identity_of
from headwater.interface.registers import WORD_BITS
from headwater.interface.shell import Port
from headwater.kinds.registry import facts_of

Secret = tuple[bytes, bytes]
"""A key and an IV."""


def public_secret(cipher: Cipher, iv_bits: int | None = None) -> Secret:
    """The key and IV of every measurement, as long as the core takes them if nothing else is said.
    They are no secret: no two bytes of them are alike."""
    bits = cipher.iv_bits[-1] if iv_bits is None else iv_bits
    length = -(-bits // 8)
    key = bytes((0xC3 + 41 * place) % 256 for place in range(cipher.key_bits // 8))
    order = cipher.input_order or cipher.bit_order
    counted = bytes((0x5A + 29 * place) % 256 for place in range(length))
    string = bitstring.from_bytes(counted, order) & (1 << bits) - 1
    iv = bytearray(bitstring.to_bytes(cipher.fitting_iv(string), bits, order))
    try:
        cipher.input_bits(key, bytes(iv), bits)
    except InputError:
        iv[0] ^= 0x80  # The first bit selects a mode, and must have its other value.
        cipher.input_bits(key, bytes(iv), bits)
    return key, bytes(iv)


def shape_of(cipher: Cipher, architecture: Architecture, module: str) -> CoreShape:
    """The shape of the core in a Verilog module. Its load has a key and an IV of full length."""
    facts = facts_of(cipher, architecture)
    return CoreShape(
        module=module,
        streams=facts.streams,
        inputs=tuple(facts.inputs),
        load_words=len(facts.load_words(*public_secret(cipher))),
        tag_bits=_tag_bits(cipher),
        identity=identity_of(cipher, architecture),
    )


def _tag_bits(cipher: Cipher) -> int:
    """The length of a tag where it is fixed, otherwise 0.

    Raises
    ------
    InputError
        If it is not whole words.
    """
    if len(cipher.tag_lengths) != 1:
        return 0
    (bits,) = cipher.tag_lengths
    if bits % WORD_BITS:
        raise InputError(
            f"tag of {cipher.name} in a coprocessor must be a multiple of {WORD_BITS} bits, "
            f"not {bits}"
        )
    return bits


def driver_settings(core: CoreShape, port: Port) -> dict[str, int]:
    """Macros of the C drivers."""
    return {
        "COP_INSTRUCTIONS": int(port.instruction),
        "COP_PAIRS": int(port.pairs),
        "COP_RESULTS": port.results,
        "COP_FIFO": int(port.fifo),
        "COP_DMA": int(port.dma),
        **(_text_settings(core) if core.takes_text else {}),
        "COP_POLLED_WORDS": 4 if port.fifo else _polled_words(core.output_width),
    }


def _text_settings(core: CoreShape) -> dict[str, int]:
    """Words that enter the core at once; words that go in before the first of these comes out."""
    together = max(1, core.streams["data_in"].width // WORD_BITS)
    return {"COP_TRANSFER_WORDS": together, "COP_LAG_WORDS": core.words_ahead - together}


def _polled_words(width: int) -> int:
    """Words of 32 bits that are ready when the core offers a word of ``width`` bits: 1, 2, 4 or
    16."""
    return max(words for words in (1, 2, 4, 16) if words == 1 or 32 * words <= width)
