# SPDX-License-Identifier: Apache-2.0
"""How often each net toggles, counted from a waveform (a VCD file)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedIOBase

_TIME, _VECTOR, _DIRECTIVE = b"#b$"
_BITS = {ord("0"): 0, ord("1"): 1}


@dataclass(frozen=True)
class _Net:
    """A declared net: its code in the file, and its number of bits."""

    code: bytes
    width: int


def count_toggles(dump: BufferedIOBase, marks: Sequence[int]) -> list[dict[str, int]]:
    """Toggles of every net bit between each mark and the next, from an open VCD file of one module.

    A bit is called "name[place]", where place 0 is the vector's last bit whatever its index. A
    change from or to an unknown value is no toggle. Marks are times, none after the last change;
    changes at a mark belong to the interval that begins there.
    """
    words = (word for line in dump for word in line.split())
    names = _declarations(words)
    # Nets that are connected share one code, and one counter.
    counters = {net.code: [0] * net.width for net in names.values()}
    values = {net.code: "x" * net.width for net in names.values()}
    scalars: dict[bytes, int | None] = dict.fromkeys(counters)
    intervals: list[dict[str, int]] = []
    waiting, counts = list(marks), False
    for word in words:
        kind = word[0]
        if kind == _TIME:
            while waiting and int(word[1:]) >= waiting[0]:
                if len(waiting) < len(marks):
                    intervals.append(_harvest(names, counters))
                for counter in counters.values():
                    counter[:] = [0] * len(counter)
                waiting.pop(0)
            counts = bool(waiting)
        elif kind == _VECTOR:
            code = next(words)
            values[code] = _count(counters[code], values[code], word[1:].decode())
        elif kind != _DIRECTIVE:
            code, bit = word[1:], _BITS.get(kind)
            before = scalars[code]
            if counts and before is not None and bit is not None and bit != before:
                counters[code][0] += 1
            scalars[code] = bit
        elif word == b"$comment":
            _skip(words)
    return intervals


def values_at(dump: BufferedIOBase, time: int) -> dict[str, int]:
    """The value of every net bit just before a time, named as in `count_toggles`; nets with an
    unknown value are left out."""
    words = (word for line in dump for word in line.split())
    names = _declarations(words)
    bits: dict[bytes, str] = {}
    for word in words:
        kind = word[0]
        if kind == _TIME and int(word[1:]) >= time:
            break
        if kind == _VECTOR:
            bits[next(words)] = word[1:].decode()
        elif kind not in (_TIME, _DIRECTIVE):
            bits[word[1:]] = chr(kind)
        elif word == b"$comment":
            _skip(words)
    return {
        f"{name}[{place}]": int(bit)
        for name, net in names.items()
        for place, bit in enumerate(reversed(_widened(bits.get(net.code, "x"), net.width)))
        if bit in "01"
    }


def _widened(digits: str, width: int) -> str:
    return digits.rjust(width, digits[0] if digits[0] in "xz" else "0")


def _declarations(words: Iterator[bytes]) -> dict[str, _Net]:
    """The nets by name, from the head of the file."""
    names: dict[str, _Net] = {}
    for word in words:
        if word == b"$var":
            _, width, code, name = (next(words) for _ in range(4))
            names[name.decode()] = _Net(code, int(width))
        elif word == b"$enddefinitions":
            break
    return names


def _skip(words: Iterator[bytes]) -> None:
    for word in words:
        if word == b"$end":
            return


def _count(counter: list[int], before: str, digits: str) -> str:
    """Count the toggles of a vector; returns its new value, extended to the full width."""
    now = _widened(digits, len(before))
    for place, (old, new) in enumerate(zip(reversed(before), reversed(now), strict=True)):
        counter[place] += old + new in ("01", "10")
    return now


def _harvest(names: Mapping[str, _Net], counters: Mapping[bytes, Sequence[int]]) -> dict[str, int]:
    return {
        f"{name}[{place}]": count
        for name, net in names.items()
        for place, count in enumerate(counters[net.code])
    }
