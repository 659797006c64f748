# SPDX-License-Identifier: Apache-2.0
"""When each bit of a self-synchronising core is known after a clear: zeros that enter replace the
content of the key and then of the cipher.

The core is simulated with bits that are known or unknown. The known bits of a cycle follow from
those of the cycle before, so induction proves them for any number of cycles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import unnamed
from headwater.kinds.self_synchronising.description import SelfSynchronisingCipher, following_cells
from headwater.kinds.self_synchronising.facts import SelfSynchronisingFacts


@dataclass(frozen=True)
class Known:
    """A bit that is zero, one, or unknown."""

    value: int | None

    def __xor__(self, other: Known) -> Known:
        if self.value is None or other.value is None:
            return UNKNOWN
        return Known(self.value ^ other.value)

    def __and__(self, other: Known) -> Known:
        if 0 in (self.value, other.value):
            return Known(0)
        return UNKNOWN if None in (self.value, other.value) else Known(1)

    def __invert__(self) -> Known:
        return UNKNOWN if self.value is None else Known(1 - self.value)


UNKNOWN = Known(None)

Contents = dict[str, list[Known]]
"""The bits of each register of the core by name."""


def emptying(facts: SelfSynchronisingFacts) -> Iterator[Contents]:
    """The known bits in each cycle after a clear while nothing is loaded, until all are known."""
    cipher, radix = facts.cipher, facts.architecture.radix
    now: Contents = {
        "key": [UNKNOWN] * cipher.key_bits,
        "c": [UNKNOWN] * radix,
        "q": [UNKNOWN] * len(cipher.cells),
        "line": [UNKNOWN] * facts.line_bits,
        **({"hold": [UNKNOWN] * radix} if facts.waits else {}),
    }
    for section in facts.sections[:-1]:
        for place in range(radix):
            now[facts.numbered(section[-1].name, place)] = [UNKNOWN] * section[-1].length
    yield now
    while any(bit is UNKNOWN for bits in now.values() for bit in bits):
        now = _after(facts, cipher, now)
        yield now


def _after(
    facts: SelfSynchronisingFacts, cipher: SelfSynchronisingCipher, now: Contents
) -> Contents:
    """The known bits one cycle later."""
    radix, last = facts.architecture.radix, len(facts.sections) - 1
    after: Contents = {"key": now["key"][radix:] + [Known(0)] * radix, "c": [Known(0)] * radix}
    cells = now["q"]
    bits: list[Known] = []
    for place in range(radix):
        read = dict(enumerate([now["c"][place], *cells]))
        word = SymbolicWord(tuple(read.values()))
        for number, section in enumerate(facts.sections):
            for stage in section:
                word = stage.made(unnamed, word)
            if number < last:
                name = facts.numbered(section[-1].name, place)
                after[name] = list(word.bits)
                word = SymbolicWord(tuple(now[name]))
        bits += word.bits
        following = following_cells(cipher.cells, read, now["key"].__getitem__, unnamed)
        cells = [following[address + 1] for address in range(len(following))]
    window = [*now["line"], *bits]
    after |= {"q": cells, "line": window[radix:]}
    if facts.waits:
        after["hold"] = window[:radix]
    return after
