# SPDX-License-Identifier: Apache-2.0
"""The mode of KASUMI in mobile telephony that authenticates: UIA1, which is f9 of 3GPP TS 35.201.

Each block is added to the block made before, and encrypted; the sum of all blocks made, encrypted
under the key with ``MODIFIER`` added, gives the tag. The text of the standard was not at hand, as
`headwater.cipher.kasumi` says.
"""

from __future__ import annotations

from collections.abc import Mapping

from headwater.algebra.word import Wire, Word, all_ones, concatenate
from headwater.cipher.kasumi import KASUMI_F8
from headwater.cipher.kasumi_rounds import BLOCK_BITS, PIECE_BITS, ROUNDS, TURNED, one_round
from headwater.kinds.message.description import Pad, Part, Register, Repeat, Squeeze, Take
from headwater.kinds.message.integrity import MessageIntegrity

Words = Mapping[str, Word]

KEY_BITS = 128
HALF = BLOCK_BITS // 2
MODIFIER = 0xAAAA
"""What is added to each piece of the key for the last block."""


def first_block(left: Word, right: Word, block: Word) -> Words:
    """COUNT and FRESH are the first block."""
    return {"left": left ^ block[HALF:], "right": right ^ block[:HALF]}


def way(direction: Word, block: Word) -> Words:
    """DIRECTION is the first bit of the word behind them."""
    return {"direction": direction ^ block[-1]}


def absorb(left: Word, right: Word, block: Word) -> Words:
    """A block is added to the one that was made before."""
    return {"left": left ^ block[HALF:], "right": right ^ block[:HALF]}


def one_step(
    wire: Wire,
    k: Word,
    left: Word,
    right: Word,
    total: Word,
    number: Word,
    modified: Word,
    constants_2: Word,
    constants_3: Word,
    constants_4: Word,
    constants_7: Word,
) -> Words:
    """A round. Behind the last one of a block, the block is added to the sum of all; the pieces of
    the key turn by one place."""
    tables = {
        "constants_2": constants_2,
        "constants_3": constants_3,
        "constants_4": constants_4,
        "constants_7": constants_7,
    }
    bits = (modified if MODIFIER >> bit & 1 else modified & 0 for bit in range(PIECE_BITS))
    modifier = wire(concatenate(*bits), "modifier")
    pieces = [
        wire(k[place - PIECE_BITS : place] ^ modifier, f"k{number_of}_modified")
        for number_of, place in enumerate(range(KEY_BITS, 0, -PIECE_BITS), start=1)
    ]
    block = {"l": left, "r": right, "number": number}
    made = wire(one_round(wire, pieces, block, **tables), "made")
    ends = wire(all_ones(number), "ends")
    return {
        "k": concatenate(k[KEY_BITS - PIECE_BITS :], k[: KEY_BITS - PIECE_BITS]),
        "left": made[HALF:],
        "right": made[:HALF],
        "total": total ^ (made & ends.replicate(BLOCK_BITS)),
    }


def last_block(total: Word) -> Words:
    """The sum of all blocks is the last one that is encrypted."""
    return {"left": total[HALF:], "right": total[:HALF]}


def left_half(left: Word) -> Word:
    """The tag."""
    return left


def uia1_nonce(count: int, fresh: int, direction: int) -> bytes:
    """COUNT, FRESH, DIRECTION and 31 zeros."""
    return (count << 64 | fresh << 32 | direction << 31).to_bytes(12, "big")


_ENCRYPTED = (Repeat(ROUNDS, one_step),)

UIA1 = MessageIntegrity(
    name="uia1",
    title="UIA1 (f9): integrity with KASUMI",
    source=KASUMI_F8.source.replace("section 4", "section 5"),
    security=KASUMI_F8.security.replace("f8", "f9") + "; a forgery succeeds by chance with "
    "probability 2^-32",
    patents=KASUMI_F8.patents,
    convention=(
        "Key bytes are in transmission order. The IV is COUNT (32 bits), FRESH (32) and DIRECTION "
        "(1), most significant bit first, and zeros to the byte. The first bit of a message is the "
        "most significant bit of its first byte; its length is any number of bits, and unused bits "
        "of the last byte are zero. The core appends DIRECTION, a one and zeros to the message."
    ),
    formed_bits=96,
    form_iv=uia1_nonce,
    iv_rule="it is COUNT, FRESH, DIRECTION and 31 zeros",
    registers=(
        Register("k", KEY_BITS),
        Register("left", HALF),
        Register("right", HALF),
        Register("total", BLOCK_BITS),
        Register("direction", 1),
    ),
    start=(
        Take("key", KEY_BITS, into="k"),
        Take("nonce", BLOCK_BITS, enter=first_block),
        Take("nonce", 32, enter=way),
        *_ENCRYPTED,
    ),
    text=Part(
        rate=BLOCK_BITS,
        added=True,
        pad=Pad("always"),
        trailer="direction",
        at_least_one=True,
        enter=absorb,
        between=_ENCRYPTED,
        end=_ENCRYPTED,
    ),
    finish=(
        Repeat(ROUNDS, one_step, begin=last_block, controls=("modified",)),
        Squeeze(HALF, left_half),
    ),
    constants=TURNED,
)
