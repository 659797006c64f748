# SPDX-License-Identifier: Apache-2.0
"""The model: a description read with integers. The golden reference, and a fast keystream."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from headwater.algebra import bitstring
from headwater.cipher.description import Register, ShiftRegisterCipher


class Model:
    """The keystream of one cipher under one key and IV, from its first bit.

    Parameters
    ----------
    cipher
        The description.
    key, iv
        Byte strings in the cipher's convention; the lengths must be legal.

    Raises
    ------
    InputError
        If key or IV has no legal length.
    """

    def __init__(self, cipher: ShiftRegisterCipher, *, key: bytes, iv: bytes) -> None:
        self._cipher = cipher
        string = bitstring.split(cipher.load_string(key, iv), cipher.load_bits)
        self._state = [
            sum(bit << place for place, bit in enumerate(bits))
            for bits in cipher.loaded_state(string).values()
        ]
        self.skip(cipher.blank_steps)

    def skip(self, steps: int) -> None:
        """Run ``steps`` steps and forget their output."""
        for width in self._widths(steps):
            self._advance(width)

    def read(self, bits: int) -> bytes:
        """The next ``bits`` keystream bits, packed in the cipher's order, zeros to the byte."""
        data, pending, filled = bytearray(), 0, 0
        for width in self._widths(bits):
            pending |= self._advance(width) << filled
            filled += width
            whole = filled // 8
            data += bitstring.to_bytes(pending, 8 * whole, self._cipher.bit_order)
            pending, filled = pending >> 8 * whole, filled % 8
        return bytes(data) + bitstring.to_bytes(pending, filled, self._cipher.bit_order)

    def _widths(self, steps: int) -> Iterator[int]:
        """Steps cut into as many as may be done at once, whole bytes where that is possible."""
        natural = self._cipher.natural_radix
        width = natural - natural % 8 or natural
        for _ in range(steps // width):
            yield width
        if steps % width:
            yield steps % width

    def _advance(self, width: int) -> int:
        """Run ``width`` steps at once; their output, oldest bit at bit 0.

        Windows are not cut to width: the bits above it mean nothing and are masked at the end.
        """
        mask = (1 << width) - 1
        registers = self._cipher.registers
        windows = map(_window, registers, self._state)
        output, feedback = self._cipher.step(_identity, *windows)
        self._state = [
            value >> width | (feedback[register.name] & mask) << register.length - width
            for register, value in zip(registers, self._state, strict=True)
        ]
        return output & mask


def _identity(value: int) -> int:
    return value


def _window(register: Register, value: int) -> Callable[[int], int]:
    oldest = register.oldest
    if register.newest < oldest:
        return lambda stage: value >> oldest - stage
    return lambda stage: value >> stage - oldest
