# SPDX-License-Identifier: Apache-2.0
"""my_cipher: a starting point. It works, but it is no cipher: replace all that REPLACE marks.

REPLACE: the document, with author, title and year, and how it numbers cells and stages.
"""

from __future__ import annotations

from typing import Any

from headwater.kinds.self_synchronising.description import Cell, SelfSynchronisingCipher, Stage

CELLS = 24


# REPLACE: what a cell becomes, of the key bit and of the cells that it reads.
def first(before: Any, key: Any) -> Any:
    """The cells next to the ciphertext."""
    return before ^ key


def inner(before: Any, key: Any, further: Any, last: Any) -> Any:
    """All other cells."""
    return before ^ key ^ (further & ~last)


# REPLACE: the stages behind the cells, each of the one before.
def mixed(wire: Any, word: Any) -> Any:
    """Of the keyed register, bit n being address n."""
    return wire(word[21:25] ^ word[12:16] ^ (word[16:20] & word[8:12]), "mixed_in")


def made(wire: Any, word: Any) -> Any:
    """The bit of keystream."""
    return wire(word[0] ^ word[1] ^ (word[2] & word[3]), "z_in")


# REPLACE: which cells there are and what each reads; address 0 is the ciphertext bit.
def cell(address: int) -> Cell:
    """The cell at an address."""
    before = address - 1 if address <= 22 else address - 3
    if address < 4:
        return Cell(address, f"q{address}", first, (before,), address - 1)
    return Cell(address, f"q{address}", inner, (before, before - 1, before - 3), address - 1)


MY_CIPHER = SelfSynchronisingCipher(
    name="my_cipher",
    # REPLACE: what it is called in prose, where it is from, and what is known of its security. A
    # line that begins with "broken" or "not for use" makes every verb say so.
    title="my_cipher",
    source="nobody: the starting file of headwater new-cipher",
    security="not for use: a starting point, not a cipher",
    # REPLACE: lengths in bits. Several legal lengths of the IV stand in ascending order.
    key_bits=CELLS,
    iv_bits=(0, 8, 16, 24),
    # REPLACE: "lsb_first" or "msb_first", for key, IV and keystream, and the same in words.
    bit_order="msb_first",
    convention="Bit i is bit 7 - (i mod 8) of byte i // 8.",
    # REPLACE: the keyed register, the pipeline behind it, and how many steps a cycle may make.
    cells=tuple(map(cell, range(1, CELLS + 1))),
    stages=(Stage("p", 4, mixed), Stage("z", 1, made)),
    radices=(1, 2),
)

CIPHERS = (MY_CIPHER,)
