# SPDX-License-Identifier: Apache-2.0
"""The model of VEST: all functions of the core are evaluated at once.

The core is an integer. For each four bits of it, tables give the contribution to the inputs of all
functions, to what is added to them, and to the output; the counters have tables, too. The
functions' own tables stand side by side, bit by bit; all inputs select from them at once. Functions
are in the order of the places that they write. Against the description read round by round this is
300 (VEST-4) to 1,000 times (VEST-32) as fast; the tests compare both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import getitem, xor
from typing import Any

from headwater.algebra import bitstring
from headwater.cipher import vest
from headwater.cipher.message import Message, Sealed, tag_bits_of
from headwater.cipher.vest_tables import CounterKind, Tables, tables
from headwater.kinds.buffered import BufferedKeystream
from headwater.kinds.vest.description import VestAead, VestCipher

_INPUTS = 5
_COUNTER_BITS = 11
_COUNTER_MASK = (1 << _COUNTER_BITS) - 1


class VestState:
    """A state and its operations."""

    def __init__(self, size: int) -> None:
        self._lookup = _lookups(size)
        self.counters = [0] * len(tables(size).counters)
        self.diffuser = 0
        self.core = 0

    def round(self, entering: int = 0, seal: int = 0) -> int:
        """One round with its input; returns the output before it."""
        lookup, diffuser = self._lookup, self.diffuser
        looked_up = list(map(getitem, lookup.counters, self.counters))
        self.diffuser = lookup.diffuser[diffuser] ^ reduce(xor, looked_up) >> _COUNTER_BITS
        self.counters = [value & _COUNTER_MASK for value in looked_up]
        read = reduce(xor, map(getitem, lookup.core, f"{self.core:0{len(lookup.core)}x}"))
        self.core = lookup.functions(read) ^ lookup.added[diffuser]
        if entering or seal:
            for number in range(len(self.counters)):
                self.counters[number] ^= (entering >> number & 1) << 1 | seal >> number & 1
        return read >> lookup.output_place

    def absorb(self, data: bytes) -> None:
        """One round for each byte of input."""
        for byte in data:
            self.round(byte)

    def seal(self, constant: int) -> None:
        """The rounds that end an input, with a constant."""
        self.round(seal=constant)
        for _ in range(vest.SEAL_ROUNDS - 1):
            self.round()

    def take_key(self, key: bytes, constant: int) -> None:
        """The setup of a new state with a key."""
        bits = bitstring.split(bitstring.from_bytes(key, "lsb_first"), 8 * len(key))
        for number in range(len(bits)):
            self.round(vest.key_window(bits, number))
        self.absorb(key)
        self.seal(constant)

    def take_iv(self, iv: bytes) -> None:
        """The setup of a keyed state with an IV; nothing if the IV is empty."""
        if iv:
            self.absorb(iv)
            self.seal(vest.SEAL_IV)


class VestModel(BufferedKeystream):
    """The keystream of one cipher under one key and IV, from its first bit; see
    `headwater.kinds.reading.Keystream`. ``seal`` is the constant that ends the setup with the
    key."""

    def __init__(
        self,
        cipher: VestCipher,
        *,
        key: bytes,
        iv: bytes,
        iv_bits: int | None = None,
        seal: int = vest.SEAL_KEY,
    ) -> None:
        super().__init__(cipher, cipher.size)
        cipher.input_bits(key, iv, iv_bits)
        self.state = VestState(cipher.size)
        self.state.take_key(key, seal)
        self.state.take_iv(iv)

    def _next_word(self) -> int:
        return self.state.round()


def process(cipher: VestAead, message: Message) -> Sealed:
    """The output text of a message, and its tag, from two states: the cipher's and the MAC's."""
    secret: dict[str, Any] = {"key": message.key, "iv": message.nonce}
    keystream = VestModel(cipher, **secret).read(8 * len(message.text))
    other = bytes(one ^ mask for one, mask in zip(message.text, keystream, strict=True))
    mac = VestModel(cipher, **secret, seal=vest.SEAL_MAC_KEY)
    mac.state.absorb(message.associated_data)
    mac.state.absorb(other if message.decrypts else message.text)
    mac.state.seal(vest.SEAL_MESSAGE)
    return Sealed(other, mac.read(tag_bits_of(cipher, message)))


@dataclass(frozen=True)
class _Lookups:
    """The tables for a round of one size."""

    counters: list[list[int]]
    """For each value of each counter its next value, with its contribution to the diffuser
    above."""
    diffuser: list[int]
    """For each value of the diffuser its next value without the counters."""
    added: list[int]
    """For each value of the diffuser its contribution to the core."""
    core: list[dict[str, int]]
    """For each hexadecimal digit of the core its contributions, side by side: the five inputs of
    all functions, what is added to them, the output. Small tables stay in a processor's cache."""
    leaves: list[tuple[int, int]]
    """Entries of all functions' tables for both values of the first input, as the first and their
    difference; the second input is the highest bit of their number."""
    width: int
    """Bits of the core; ``mask`` has that many ones."""
    output_place: int
    """The place of the output in the contributions."""
    mask: int

    def functions(self, read: int) -> int:
        """The results of the core's functions, plus the bits that they are added to."""
        width, mask = self.width, self.mask
        chosen = read & mask
        values = [low ^ (chosen & difference) for low, difference in self.leaves]
        for count in (8, 4, 2, 1):
            read >>= width
            chosen = read & mask
            values = [
                values[place] ^ (chosen & (values[place] ^ values[place + count]))
                for place in range(count)
            ]
        return values[0] ^ (read >> width & mask)


@cache
def _lookups(size: int) -> _Lookups:
    table = tables(size)
    words = [
        sum((row.function >> entry & 1) << row.destination for row in table.rows)
        for entry in range(1 << _INPUTS)
    ]
    contributions = _contributions(table)
    return _Lookups(
        counters=[
            [
                _after(kind, value) | _to_diffuser(table, number, value) << _COUNTER_BITS
                for value in range(1 << kind.width)
            ]
            for number, kind in enumerate(table.counters)
        ],
        diffuser=[_shifted(table, value) for value in range(1 << len(table.diffuser))],
        added=_sums([1 << row.destination for row in table.rows[: len(table.diffuser)]]),
        core=[
            dict(zip("0123456789abcdef", _sums(contributions[at : at + 4]), strict=False))
            for at in reversed(range(0, table.core_bits, 4))
        ],
        leaves=[
            (words[entry], words[entry] ^ words[entry + 1]) for entry in map(_entry, range(16))
        ],
        width=table.core_bits,
        output_place=(_INPUTS + 1) * table.core_bits,
        mask=(1 << table.core_bits) - 1,
    )


def _entry(leaf: int) -> int:
    """The even table entry that is at this place of the leaves."""
    return sum((leaf >> 3 - place & 1) << place + 1 for place in range(4))


def _after(kind: CounterKind, value: int) -> int:
    """The counter's value after a round."""
    index = sum((value >> tap & 1) << place for place, tap in enumerate(vest.COUNTER_TAPS))
    newest = (kind.function >> index ^ value >> kind.width - 1) & 1
    return value << 1 & (1 << kind.width) - 1 | newest


def _to_diffuser(table: Tables, number: int, value: int) -> int:
    """A counter's contribution to the diffuser."""
    bits = (number in bit.counters for bit in table.diffuser)
    return sum(bit << place for place, bit in enumerate(bits)) if value & 2 else 0


def _shifted(table: Tables, value: int) -> int:
    return sum(
        (value >> bit.source & 1 ^ bit.inverted) << place
        for place, bit in enumerate(table.diffuser)
    )


def _contributions(table: Tables) -> list[int]:
    """The contributions of each bit of the core."""
    width = table.core_bits
    of_bit = [0] * width
    for number, row in enumerate(table.rows):
        for place, source in enumerate(row.sources):
            of_bit[source] ^= 1 << place * width + row.destination
        if number >= _INPUTS:
            of_bit[number] ^= 1 << _INPUTS * width + row.destination
    for place, taps in enumerate(table.taps):
        for tap in taps:
            of_bit[tap] ^= 1 << (_INPUTS + 1) * width + place
    return of_bit


def _sums(of_bit: Sequence[int]) -> list[int]:
    """For each value of some bits, the sum of the contributions of those that are one."""
    sums = [0]
    for value in of_bit:
        sums += [value ^ before for before in sums]
    return sums
