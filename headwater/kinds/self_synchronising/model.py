# SPDX-License-Identifier: Apache-2.0
"""The model of self-synchronising ciphers: the description read with strings over time.

A bit is an integer whose bit t is the value t steps from now. Cells read only cells before them, so
one reading follows all cells over any number of steps for which the ciphertext is known: all steps
when decrypting; when encrypting as many as the distance of the nearest ciphertext bit that a
keystream bit depends on. Against the description read step by step this decrypts some thousand
times and encrypts about ten times as fast; the tests compare both.
"""

from __future__ import annotations

from headwater.algebra import bitstring
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import unnamed
from headwater.cipher.message import Message, Sealed
from headwater.kinds.self_synchronising.description import SelfSynchronisingCipher, Stage

_MOST_AT_ONCE = 4096


class _String:
    """A bit over time: bit n of ``ones`` is that of clock n."""

    __slots__ = ("ones",)

    def __init__(self, ones: int) -> None:
        self.ones = ones

    def __xor__(self, other: _String) -> _String:
        return _String(self.ones ^ other.ones)

    def __and__(self, other: _String) -> _String:
        return _String(self.ones & other.ones)

    def __invert__(self) -> _String:
        return _String(~self.ones)


def _made(stage: Stage, strings: list[int]) -> list[int]:
    """What a stage makes of the bits of the one before it, all of them over time."""
    after = stage.made(unnamed, SymbolicWord(tuple(map(_String, strings))))
    return [bit.ones if isinstance(bit, _String) else -bit for bit in after.bits]


class SelfSynchronisingModel:
    """One cipher under one key, from the setup with an IV on; see
    `headwater.kinds.reading.Keystream`."""

    def __init__(self, cipher: SelfSynchronisingCipher, *, key: bytes, iv: bytes) -> None:
        self._cipher = cipher
        key_bits, iv_bits = cipher.input_bits(key, iv)
        self._key = [-bit for bit in key_bits]
        self._state = {register.name: [0] * register.length for register in cipher.registers}
        self._nearest, _ = cipher.memory
        self._ready = 0  # Keystream to come, as far as the ciphertext so far tells it.
        lead_in = cipher.lead_in(iv_bits)
        self._follow(sum(bit << place for place, bit in enumerate(lead_in)), len(lead_in))

    def content(self, register: str) -> int:
        """The present content of a register, its first place in bit 0."""
        return sum(bit << place for place, bit in enumerate(self._state[register]))

    def decrypt(self, ciphertext: int, bits: int) -> int:
        """The plaintext of the next bits; the first bit is bit 0 of both."""
        text = 0
        for first in range(0, bits, _MOST_AT_ONCE):
            count = min(_MOST_AT_ONCE, bits - first)
            piece = ciphertext >> first & (1 << count) - 1
            text |= (piece ^ self._follow(piece, count)) << first
        return text

    def encrypt(self, plaintext: int, bits: int) -> int:
        """The ciphertext of the next bits; the first bit is bit 0 of both."""
        digits = f"{plaintext & (1 << bits) - 1:0{bits}b}"[::-1]
        outputs = []
        for first in range(0, bits, self._nearest):
            piece = digits[first : first + self._nearest]
            count = len(piece)
            ciphertext = int(piece[::-1], 2) ^ self._ready & (1 << count) - 1
            self._follow(ciphertext, count)
            outputs.append(f"{ciphertext:0{count}b}"[::-1])
        return int("".join(outputs)[::-1] or "0", 2)

    def _follow(self, ciphertext: int, steps: int) -> int:
        """Let ciphertext enter; return the keystream of these steps. Strings are computed further,
        as far as no later ciphertext matters; higher bits have no meaning."""
        cipher, state, key = self._cipher, self._state, self._key
        mask = (1 << steps + self._nearest) - 1
        entering = state["c"][0] | ciphertext << 1
        cells = [entering] * (1 + len(cipher.cells))
        for cell in cipher.cells:
            after = cell.following(cells.__getitem__, key.__getitem__)
            cells[cell.address] = state["q"][cell.address - 1] | (after & mask) << 1
        strings = {"c": [entering], "q": cells[1:]}
        bits = cells
        for stage in cipher.stages:
            pairs = zip(state[stage.name], _made(stage, bits), strict=True)
            bits = [now | (after & mask) << 1 for now, after in pairs]
            strings[stage.name] = bits
        self._state = {name: [bit >> steps & 1 for bit in bits] for name, bits in strings.items()}
        (keystream,) = bits
        self._ready = keystream >> steps
        return keystream & (1 << steps) - 1


def process(cipher: SelfSynchronisingCipher, message: Message) -> Sealed:
    """The output text of a message; there are no tags."""
    model = SelfSynchronisingModel(cipher, key=message.key, iv=message.nonce)
    string = bitstring.from_bytes(message.text, cipher.bit_order)
    bits = message.bits
    other = model.decrypt(string, bits) if message.decrypts else model.encrypt(string, bits)
    return Sealed(bitstring.to_bytes(other, bits, cipher.bit_order), b"")
