# SPDX-License-Identifier: Apache-2.0
"""The shape of a cipher's core, as the shell of a coprocessor needs it."""

from __future__ import annotations

from pathlib import Path

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog
from headwater.errors import InputError
from headwater.interface.core_shape import CoreShape
from headwater.interface.registers import c_header
from headwater.interface.shell import Port, parts_of, shell
from headwater.kinds.registry import facts_of

Secret = tuple[bytes, bytes]
"""A key and an IV."""


def public_secret(cipher: Cipher) -> Secret:
    """The key and IV of every measurement, as long as the core takes them. They are no secret: no
    two bytes of them are alike."""
    bits = cipher.iv_bits[-1]
    length = -(-bits // 8)
    key = bytes((0xC3 + 41 * place) % 256 for place in range(cipher.key_bits // 8))
    iv = bytearray((0x5A + 29 * place) % 256 for place in range(length))
    if bits % 8:
        lowest = (cipher.input_order or cipher.bit_order) == "lsb_first"
        iv[-1] &= (1 << bits % 8) - 1 if lowest else 0xFF << -bits % 8 & 0xFF
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
        takes_text=not cipher.has_keystream,
    )


def driver_settings(core: CoreShape, port: Port) -> dict[str, int]:
    """Macros of the C drivers."""
    return {
        "COP_INSTRUCTIONS": int(port.instruction),
        "COP_PAIRS": int(port.pairs),
        "COP_FIFO": int(port.fifo),
        "COP_DMA": int(port.dma),
        "COP_TRANSFER_WORDS": max(1, core.output.width // 32),
        "COP_POLLED_WORDS": 4 if port.fifo else _polled_words(core.output.width),
    }


def _polled_words(width: int) -> int:
    """Words of 32 bits that are ready when the core offers a word of ``width`` bits: 1, 2, 4 or
    16."""
    return max(words for words in (1, 2, 4, 16) if words == 1 or 32 * words <= width)


def coprocessor_files(core: CoreShape, verilog: Verilog, port: Port) -> dict[str, str]:
    """All files of a coprocessor for a system: Verilog and C drivers."""
    settings = driver_settings(core, port) | {"COP_LOAD_WORDS": core.load_transfers}
    driver = Path(__file__).with_name("firmware") / "coprocessor.h"
    top = shell(core, port)
    return {
        f"{verilog.name}.v": verilog.text,
        "coprocessor.v": f"// SPDX-License-Identifier: Apache-2.0\n\n{top}",
        **parts_of(top),
        driver.name: driver.read_text(),
        "coprocessor_map.h": c_header(settings),
    }
