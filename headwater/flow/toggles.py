# SPDX-License-Identifier: Apache-2.0
"""How often each net toggles, counted from a waveform (a VCD file)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BufferedIOBase
from typing import Any, cast

from vcd.reader import TokenKind, VarDecl, tokenize


def count_toggles(dump: BufferedIOBase, marks: Sequence[int]) -> list[dict[str, int]]:
    """Toggles of every net bit between each mark and the next, from a VCD file.

    A bit is called "name[place]", where place 0 is the vector's last bit whatever its index.

    Parameters
    ----------
    dump
        The open file, binary, of one module.
    marks
        Times, of which the last is not after the last change; changes at a mark belong to the
        interval that it begins.
    """
    counters: dict[str, _Toggles] = {}
    names: dict[str, VarDecl] = {}
    intervals: list[dict[str, int]] = []
    waiting = list(marks)
    for token in tokenize(dump):
        kind, data = token.kind, cast(Any, token.data)
        if kind is TokenKind.CHANGE_SCALAR or kind is TokenKind.CHANGE_VECTOR:
            counters[data.id_code].change(data.value, count=0 < len(waiting) < len(marks))
        elif kind is TokenKind.CHANGE_TIME:
            while waiting and data >= waiting[0]:
                if len(waiting) < len(marks):
                    intervals.append(_harvest(names, counters))
                waiting.pop(0)
        elif kind is TokenKind.VAR:
            # Nets that are connected share one code, and one counter.
            names[data.reference] = data
            counters[data.id_code] = _Toggles(data.size)
    return intervals


class _Toggles:
    """Toggles of each bit of one net, counted for all bits at once.

    The counts are kept as bit planes: bit ``n`` of plane ``p`` has weight ``2**p`` in the count of
    net bit ``n``. Adding a mask is then a few operations on integers, however wide the net.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._value = self._known = 0
        self._planes: list[int] = []

    def change(self, new: int | str, *, count: bool) -> None:
        """Take a new value: a number, or binary digits of which some may be x or z."""
        if isinstance(new, int):
            value, known = new, (1 << self.width) - 1
        else:
            digits = new.rjust(self.width, new[0] if new[0] in "xz" else "0")
            value = int("".join("01"[digit == "1"] for digit in digits), 2)
            known = int("".join("01"[digit in "01"] for digit in digits), 2)
        carry = (value ^ self._value) & known & self._known if count else 0
        self._value, self._known = value, known
        for place, plane in enumerate(self._planes):
            if not carry:
                return
            self._planes[place], carry = plane ^ carry, plane & carry
        if carry:
            self._planes.append(carry)

    def take(self) -> list[int]:
        """The counts, bit 0 first; they start again at zero."""
        counts = [
            sum((plane >> bit & 1) << place for place, plane in enumerate(self._planes))
            for bit in range(self.width)
        ]
        self._planes = []
        return counts


def _harvest(names: Mapping[str, VarDecl], counters: Mapping[str, _Toggles]) -> dict[str, int]:
    counts = {code: toggles.take() for code, toggles in counters.items()}
    return {
        f"{name}[{bit}]": count
        for name, declared in names.items()
        for bit, count in enumerate(counts[declared.id_code])
    }
