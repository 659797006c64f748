# SPDX-License-Identifier: Apache-2.0
"""The table of a core's load, found by asking for the load words of chosen inputs.

Each part of the map is read from the words of all zeros and of single ones, and compared with those
of random inputs. So it holds for every cipher, also for one from outside.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache

from headwater.algebra import bitstring
from headwater.algebra.bitstring import BitOrder
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.facts import Facts
from headwater.errors import InputError
from headwater.interface.load_table import (
    BLOCK,
    IV,
    KEY,
    KEY_BYTES,
    ONE,
    TAG_BITS,
    Line,
    LoadTable,
    Part,
    Run,
)
from headwater.kinds.registry import facts_of, kind_of

_CHECKS = 6
"""Random inputs for each length of the IV that a table is compared with."""

_NOTHING: Mapping[str, int] = {KEY: 0, IV: 0, BLOCK: 0, TAG_BITS: 0, KEY_BYTES: 0}


@lru_cache
def load_table(cipher: Cipher, architecture: Architecture) -> LoadTable:
    """The table of a core.

    Raises
    ------
    InputError
        If the load is not an affine map of its inputs.
    """
    facts = facts_of(cipher, architecture)
    cipher = kind_of(cipher).formed(cipher, architecture)
    prober = _Prober(cipher, facts)
    lengths = [bits for bits in cipher.iv_bits if not facts.unfit(bits)]
    parts = []
    while lengths:
        part = _longest_part(prober, lengths)
        parts.append(part)
        lengths = lengths[len(part.iv_bits) :]
    depends = any(run.source == TAG_BITS for part in parts for run in part.runs)
    return LoadTable(
        stream=facts.streams["load"],
        order=prober.order,
        key_bits=(*cipher.shorter_keys, cipher.key_bits),
        first_iv_bit=cipher.first_iv_bit,
        zero_iv_bits=cipher.zero_iv_bits,
        block_bits=cipher.counter_bits if cipher.seek_bits else 0,
        tag_lengths=cipher.tag_lengths if depends else (),
        parts=tuple(parts),
    )


def _longest_part(prober: _Prober, lengths: Sequence[int]) -> Part:
    """The part that begins with the first of these lengths and holds for as many as possible."""
    first = prober.part(lengths[0])
    prober.check(first, lengths[0])
    part = _joined(first, prober.part(lengths[1])) if len(lengths) > 1 else None
    if part is None:
        return first
    step, end = lengths[1] - lengths[0], 0
    while end < len(lengths) and lengths[end] == lengths[0] + end * step:
        if not prober.agrees(part, lengths[end]):
            break
        end += 1
    if end < 2:
        return first
    return Part(range(lengths[0], lengths[end - 1] + 1, step), part.bits, part.runs)


def _joined(one: Part, other: Part) -> Part | None:
    """The part whose numbers are those of two on straight lines; None if their runs differ."""
    left, right = one.iv_bits[0], other.iv_bits[0]

    def line(low: Line, high: Line) -> Line:
        slope = (high.base - low.base) // (right - left)
        return Line(low.base - slope * left, slope)

    if len(one.runs) != len(other.runs):
        return None
    runs = []
    for low, high in zip(one.runs, other.runs, strict=True):
        if (low.source, low.step) != (high.source, high.step):
            return None
        runs.append(
            Run(
                line(low.target, high.target),
                low.source,
                line(low.first, high.first),
                line(low.count, high.count),
                low.step,
            )
        )
    return Part(one.iv_bits, line(one.bits, other.bits), tuple(runs))


class _Prober:
    """Asks for the load words of chosen inputs.

    Members
    -------
    order : str
        How bytes of key and IV hold their bits.
    """

    def __init__(self, cipher: Cipher, facts: Facts) -> None:
        self._cipher, self._facts = cipher, facts
        self._stream = facts.streams["load"]
        self.order: BitOrder = cipher.input_order or cipher.bit_order
        self._random = random.Random(1)

    def _sizes(self, iv_bits: int) -> dict[str, int]:
        """The inputs that are probed, and the bits of each."""
        cipher = self._cipher
        sizes = {KEY: cipher.key_bits, IV: iv_bits}
        if cipher.seek_bits:
            sizes[BLOCK] = cipher.counter_bits
        if len(cipher.tag_lengths) > 1:
            sizes[TAG_BITS] = cipher.tag_lengths[-1].bit_length()
        return sizes

    def load(self, iv_bits: int, inputs: Mapping[str, int]) -> tuple[int, int]:
        """The load string of some inputs, and its length."""
        values = {**_NOTHING, **inputs}
        iv_string = self._cipher.fitting_iv(values[IV]) if iv_bits else values[IV]
        key = bitstring.to_bytes(values[KEY], 8 * values[KEY_BYTES], self.order)
        iv = bitstring.to_bytes(iv_string, iv_bits, self.order)
        if self._cipher.tag_lengths:
            words = self._facts.message_load(key, iv, values[TAG_BITS])
        else:
            words = self._facts.load_words(key, iv, iv_bits, block=values[BLOCK])
        width, turned = self._stream.width, self._stream.turned
        string = sum(turned(word) << width * number for number, word in enumerate(words))
        return string, width * len(words)

    def part(self, iv_bits: int) -> Part:
        """The map for one length of the IV."""
        key_bytes = self._cipher.key_bits // 8
        zero, bits = self.load(iv_bits, {KEY_BYTES: key_bytes})
        changes = {
            (source, index): zero
            ^ self.load(iv_bits, {KEY_BYTES: key_bytes, source: 1 << index})[0]
            for source, size in self._sizes(iv_bits).items()
            for index in range(size)
        } | self._changes_by_length(iv_bits)
        for (source, index), change in changes.items():
            if source == KEY_BYTES and key_bytes >> index & 1:
                zero ^= change
        pairs = {(place, *bit) for bit, change in changes.items() for place in _ones(change)}
        pairs |= {(place, ONE, place) for place in _ones(zero)}
        return Part(range(iv_bits, iv_bits + 1), Line(bits), tuple(_runs(pairs)))

    def _changes_by_length(self, iv_bits: int) -> dict[tuple[str, int], int]:
        """What each bit of the key's length in bytes changes, if there are several lengths. Where
        single ones of these are no lengths, none is taken to change anything."""
        if 0 not in self._cipher.shorter_keys:
            return {}
        empty, _ = self.load(iv_bits, {})
        places = range((self._cipher.key_bits // 8).bit_length())
        return {
            (KEY_BYTES, place): empty ^ self.load(iv_bits, {KEY_BYTES: 1 << place})[0]
            for place in places
        }

    def agrees(self, part: Part, iv_bits: int) -> bool:
        """Whether a part gives the load string of random inputs."""
        for _ in range(_CHECKS):
            inputs = {
                source: self._random.getrandbits(size) if size else 0
                for source, size in self._sizes(iv_bits).items()
            }
            key_bits = self._random.choice((*self._cipher.shorter_keys, self._cipher.key_bits))
            inputs |= {KEY: inputs[KEY] & (1 << key_bits) - 1, KEY_BYTES: key_bits // 8}
            string, bits = self.load(iv_bits, inputs)
            if part.bits.at(iv_bits) != bits or part.string(iv_bits, inputs) != string:
                return False
        return True

    def check(self, part: Part, iv_bits: int) -> None:
        """Refuse a load that is not affine."""
        if not self.agrees(part, iv_bits):
            raise InputError(
                f"load of {self._cipher.name} must be an affine map of the bits of key and IV, "
                "but is not"
            )


def _ones(string: int) -> list[int]:
    """The places of the ones in a bit string."""
    return [place for place, digit in enumerate(reversed(f"{string:b}")) if digit == "1"]


def _runs(pairs: set[tuple[int, str, int]]) -> list[Run]:
    """Places of the load string with the input bits there, as few runs as a greedy choice finds."""
    runs = []
    left = set(pairs)
    for place, source, index in sorted(pairs, key=lambda pair: (pair[1], pair[0], pair[2])):
        if (place, source, index) not in left:
            continue
        rows = {step: _row(left, place, source, index, step) for step in (1, -1)}
        step = max(rows, key=lambda step: len(rows[step]))
        left -= set(rows[step])
        constant = source == ONE
        runs.append(
            Run(
                Line(place),
                source,
                Line(0 if constant else index),
                Line(len(rows[step])),
                0 if constant else step,
            )
        )
    return runs


def _row(
    left: set[tuple[int, str, int]], place: int, source: str, index: int, step: int
) -> list[tuple[int, str, int]]:
    """The pairs that follow one in the load string and in the input."""
    row = []
    while (place, source, index) in left:
        row.append((place, source, index))
        place, index = place + 1, index + step
    return row
