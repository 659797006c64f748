# SPDX-License-Identifier: Apache-2.0
"""Poly1305: the value of a polynomial modulo 2^130 - 5, digit by digit of its point.

Y. Nir, A. Langley, "ChaCha20 and Poly1305 for IETF protocols", RFC 8439 (2018), section 2.5.

The accumulator is multiplied by the point r from its highest digit on. Sum and carries are kept
apart, so that a digit costs no carry chain. What rises above bit 129 comes back five times, because
2^130 = 5. Why no bit is lost: see `WIDTH`.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater.algebra.word import Wire, Word, add, all_ones, choose, concatenate
from headwater.kinds.message.description import (
    Do,
    MessageCipher,
    Part,
    Register,
    Repeat,
    Squeeze,
    Take,
)

Words = dict[str, Word]

BLOCK_BITS = 128
DEGREE = 130
DIGIT = 4
"""Bits of the point that a step multiplies by."""
STEPS = BLOCK_BITS // DIGIT
"""Steps of a block."""
FACTOR_BITS = DEGREE + 1
"""Bits of accumulator and block together: less than 2^130 + 315 + 2^129."""
PART = 48
"""Bits of a long sum that are added at once."""
WIDTH = DEGREE + 6
"""Bits of sum and carries. In a step both move up by a digit: without what rises above bit 129 they
are less than 2^131, and what comes back is less than 2^14. A digit of the factor adds less than
15 * 2^131. Together that is less than 2^136, and so are sum and carries, which are not negative."""

_CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF


def clamped(point: Word) -> Word:
    """The point r of 16 bytes of the key (section 2.5.1)."""
    return point & _CLAMP


def extended(word: Word, width: int) -> Word:
    """The word with zeros above it."""
    missing = width - len(word)
    return concatenate(word, *([word[:1] & 0] * missing))


def multiplied(
    wire: Wire, total: Word, carries: Word, factor: Word, digit: Word
) -> tuple[Word, Word]:
    """Sum and carries after one more digit of the point."""
    kept = DEGREE - DIGIT
    rows = [
        extended((factor & digit[bit].replicate(len(factor))) << bit, WIDTH) for bit in range(DIGIT)
    ]
    for number in (total, _doubled(carries)):
        above = number[kept:]
        rows += [
            extended(number[:kept] << DIGIT, WIDTH),
            extended(above, WIDTH),
            extended(above << 2, WIDTH),
        ]
    return in_two(wire, rows)


def in_two(wire: Wire, rows: Sequence[Word]) -> tuple[Word, Word]:
    """Sum and carries of several numbers, which together are less than 2^WIDTH: three numbers
    become two, again and again, those that were made last at the end."""
    waiting = list(rows)
    while True:
        one, two, three, *waiting = waiting
        either = wire(one ^ two, "either")
        total = wire(either ^ three, "sums")
        carries = wire(((one & two) | (three & either))[:-1], "carried")
        if not waiting:
            return total, carries
        waiting += [total, _doubled(carries)]


def _doubled(carries: Word) -> Word:
    """Carries as a number: each bit counts as much as the next higher one of the sum."""
    return concatenate(carries[0] & 0, carries)


def turned(point: Word) -> Word:
    """The point with its next digit on top: all steps of a block turn it back."""
    return concatenate(point[-DIGIT:], point[:-DIGIT])


def summed(wire: Wire, left: Word, right: Word, name: str) -> Word:
    """The sum of two long words of equal width, modulo 2^width, in parts of `PART` bits."""
    parts: list[Word] = []
    carry = left[0] & 0
    for low in range(0, len(left), PART):
        one, two = left[low : low + PART], right[low : low + PART]
        wide = len(one) + (low + PART < len(left))
        part = add(add(extended(one, wide), extended(two, wide)), extended(carry, wide))
        part = wire(part, f"{name}_{low}")
        parts.append(part[: len(one)])
        carry = part[-1]
    return concatenate(*parts)


def reduced(wire: Wire, total: Word, carries: Word) -> Word:
    """The accumulator of `FACTOR_BITS` bits, less than 2^130 + 315; it may exceed the modulus."""
    value = summed(wire, total, _doubled(carries), "value")
    above = extended(value[DEGREE:], 9)
    fivefold = wire(add(above, (above << 2)[:9]), "fivefold")
    low = extended(value[:DEGREE], FACTOR_BITS)
    return summed(wire, low, extended(fivefold, FACTOR_BITS), "accumulator")


def absorbed(wire: Wire, accumulator: Word, block: Word) -> Word:
    """The factor of the next multiplication: accumulator and a block of 129 bits."""
    return summed(wire, accumulator, extended(block, FACTOR_BITS), "next_factor")


def tag_of(wire: Wire, accumulator: Word, pad: Word) -> Word:
    """The tag: the accumulator less than 2^130 - 5, and the pad s, modulo 2^128. It is the
    accumulator and 5 where these reach 2^130."""
    low, wide = accumulator[:BLOCK_BITS], BLOCK_BITS + 1
    five = concatenate(~(low[0] & 0), low[0] & 0, ~(low[0] & 0))
    more = summed(wire, extended(low, wide), extended(five, wide), "more")
    reaches = wire(accumulator[-1] | (accumulator[-2] & accumulator[-3] & more[-1]), "reaches")
    return summed(wire, wire(choose(reaches, more[:-1], low), "least"), pad, "padded")


# --- the machine


def clamp(point: Word) -> Words:
    """The point of the first half of the key."""
    return {"point": clamped(point)}


def enter(block_of_text: Word, block: Word) -> Words:
    """Bytes of a block."""
    return {"block_of_text": concatenate(block_of_text[:-1] ^ block, block_of_text[-1])}


def close(block_of_text: Word, count: Word) -> Words:
    """A one behind the last byte, whose places are 0 to 16."""
    bytes_ = [block_of_text[place : place + 8] for place in range(0, len(block_of_text), 8)]
    ends = [all_ones(~(count ^ place)) for place in range(len(bytes_))]
    marked = [concatenate(byte[0] | end, byte[1:]) for byte, end in zip(bytes_, ends, strict=True)]
    return {"block_of_text": concatenate(*marked)}


def absorb(wire: Wire, block_of_text: Word, total: Word, carries: Word) -> Words:
    """The block is added to the accumulator."""
    return {
        "factor": absorbed(wire, reduced(wire, total, carries), block_of_text),
        "block_of_text": block_of_text & 0,
        "total": total & 0,
        "carries": carries & 0,
    }


def multiply(wire: Wire, point: Word, factor: Word, total: Word, carries: Word) -> Words:
    """A digit of the point, from the highest one on."""
    total, carries = multiplied(wire, total, carries, factor, point[-DIGIT:])
    return {"total": total, "carries": carries, "point": turned(point)}


def resolve(wire: Wire, total: Word, carries: Word) -> Words:
    """The accumulator behind the last block."""
    return {"factor": reduced(wire, total, carries)}


def seal(wire: Wire, factor: Word, pad: Word) -> Words:
    """The tag of the accumulator."""
    return {"factor": extended(tag_of(wire, factor, pad), len(factor))}


def tag(factor: Word) -> Word:
    """The tag."""
    return factor[:BLOCK_BITS]


REGISTERS = (
    Register("point", BLOCK_BITS),
    Register("pad", BLOCK_BITS),
    Register("factor", FACTOR_BITS),
    Register("total", WIDTH),
    Register("carries", WIDTH - 1),
)
"""Those of the multiplier."""
END = (Do(resolve), Do(seal), Squeeze(BLOCK_BITS, tag))
"""From the last product to the tag."""
_BLOCK = (Do(absorb), Repeat(STEPS, multiply))

POLY1305 = MessageCipher(
    name="poly1305",
    title="Poly1305 (RFC 8439)",
    source="Y. Nir, A. Langley, ChaCha20 and Poly1305 for IETF protocols, RFC 8439, 2018",
    security="for one message under a key: two give the key away. A forgery of a text of n blocks "
    "then succeeds with probability 8 n / 2^106 at most",
    key_bits=2 * BLOCK_BITS,
    iv_bits=(0,),
    bit_order="lsb_first",
    convention="key, message and tag are byte strings as in the RFC: the first 16 bytes of the key "
    "are r, before it is clamped, the others s; numbers are little-endian",
    registers=(Register("block_of_text", BLOCK_BITS + 1), *REGISTERS),
    start=(Take("key", BLOCK_BITS, into="point"), Take("key", BLOCK_BITS, into="pad"), Do(clamp)),
    text=Part(rate=BLOCK_BITS, added=True, enter=enter, close=close, between=_BLOCK, end=_BLOCK),
    finish=END,
)
