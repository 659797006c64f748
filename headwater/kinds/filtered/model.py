# SPDX-License-Identifier: Apache-2.0
"""The model of SFINKS: the setup step by step, then many steps at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from headwater.algebra import bitstring
from headwater.algebra.large_tower import inversion_parts, read_parts
from headwater.algebra.word import unnamed
from headwater.cipher.message import Message, Sealed
from headwater.cipher.sfinks import (
    DELAY,
    FEEDBACK,
    FIELD,
    FILTER,
    INITIALISATION,
    INJECTED,
    LENGTH,
    TAG_BITS,
    Sfinks,
)
from headwater.kinds.bit_aead.model import accumulate

_CHUNK = 4096
"""Steps made at once."""

_MANY = 1 << 16
"""Bits from which it is worth while to make the circuit of the inversion."""

_FEEDBACK_MASK = sum(1 << cell for cell in FEEDBACK)
_AT_ONCE = LENGTH - max(FEEDBACK)
_TAG_MASK = (1 << TAG_BITS) - 1


class FilteredModel:
    """The output under one key and IV, from its first bit; as `stepped.model.Model` gives.

    The output of a step is a function of the LFSR six steps before; so once set up, the LFSR runs
    six steps ahead of the pipeline, in long pieces. Inverses of a few are looked up; where there
    are many, the inversion's circuit takes all steps of a piece side by side.

    Members
    -------
    register, accumulator : int
        R and T after the setup, as strings: the oldest bit is bit 0.
    """

    def __init__(
        self, cipher: Sfinks, *, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> None:
        self._cipher = cipher
        self._outputs = (0, 1) if cipher.authenticates else (0,)
        bits = cipher.loaded_state(*cipher.input_bits(key, iv, iv_bits))["s"]
        self.lfsr = sum(bit << cell for cell, bit in enumerate(bits))
        self.words, self.masks = [0] * DELAY, [0] * DELAY
        register = accumulator = 0
        for _ in range(INITIALISATION):
            accumulator ^= register
            register = register << 1 & _TAG_MASK | self.words[0] >> 1 & 1
            self._initialise()
        self.register = bitstring.reverse(register, TAG_BITS)
        self.accumulator = bitstring.reverse(accumulator, TAG_BITS)
        # What is still in the pipelines comes out first.
        self._ready = [
            sum((word >> output & 1) << place for place, word in enumerate(self.words[1:]))
            for output in self._outputs
        ]
        self._ready[0] ^= sum(mask << place for place, mask in enumerate(self.masks[1:]))
        self._left = DELAY - 1
        self._circuit = False
        self._state = self.lfsr

    def _initialise(self) -> None:
        """One step of the setup."""
        entering = (self.lfsr & _FEEDBACK_MASK).bit_count() & 1
        state, word = self.lfsr >> 1 | entering << LENGTH - 1, self.words[0]
        for bit, cell in enumerate(INJECTED):
            state ^= (word >> bit & 1) << cell
        x = sum((state >> cell & 1) << bit for bit, cell in enumerate(FILTER))
        self.lfsr = state
        self.words = [*self.words[1:], inverses()[x]]
        self.masks = [*self.masks[1:], state & 1]

    def skip(self, bits: int) -> None:
        """Pass over keystream bits."""
        self._circuit |= bits >= _MANY
        while bits:
            piece = min(bits, _CHUNK)
            self.outputs(piece)
            bits -= piece

    def read(self, bits: int) -> bytes:
        """The next keystream bits, packed in the cipher's order, zeros to the byte."""
        return bitstring.to_bytes(self.outputs(bits)[0], bits, self._cipher.bit_order)

    def outputs(self, bits: int) -> list[int]:
        """Strings of so many bits: the keystream, and with authentication what enters R."""
        parts: list[list[int]] = []
        filled, places = 0, []
        while filled < bits:
            if not self._left:
                self._advance(many=bits - filled >= _MANY)
            taken = min(self._left, bits - filled)
            mask = (1 << taken) - 1
            parts.append([ready & mask for ready in self._ready])
            places.append(filled)
            self._ready = [ready >> taken for ready in self._ready]
            self._left -= taken
            filled += taken
        return [
            sum(part[number] << place for part, place in zip(parts, places, strict=True))
            for number in range(len(self._outputs))
        ]

    def _advance(self, *, many: bool) -> None:
        """The outputs of the next steps."""
        line = self._line(_CHUNK) >> 1  # The step comes before the output.
        mask = (1 << _CHUNK) - 1
        inputs = [line >> cell & mask for cell in FILTER]
        if many or self._circuit:
            self._circuit = True
            self._ready = read_parts(inversion_parts(self._outputs), inputs, unnamed, "")
        else:
            self._ready = _looked_up(inputs, self._outputs)
        self._ready[0] ^= line & mask
        self._left = _CHUNK
        self._state = line >> _CHUNK - 1

    def _line(self, steps: int) -> int:
        """The LFSR and what enters it in so many steps, as one string."""
        state, pieces, made = self._state, [], 0
        while made < steps:
            entering = 0
            for cell in FEEDBACK:
                entering ^= state >> cell
            entering &= (1 << _AT_ONCE) - 1
            pieces.append(entering)
            state = state >> _AT_ONCE | entering << LENGTH - _AT_ONCE
            made += _AT_ONCE
        line = sum(piece << LENGTH + _AT_ONCE * place for place, piece in enumerate(pieces))
        return (line | self._state) & (1 << LENGTH + steps) - 1


def process(cipher: Sfinks, message: Message) -> Sealed:
    """One output bit of each step encrypts, another authenticates; 64 more encrypt the tag."""
    model = FilteredModel(cipher, key=message.key, iv=message.nonce)
    order, bits = cipher.bit_order, message.bits
    skipped = 8 * len(message.associated_data)
    total = skipped + bits
    encrypting, authenticating = model.outputs(total)
    text = bitstring.from_bytes(message.text, order)
    other = text ^ encrypting >> skipped
    string = bitstring.from_bytes(message.associated_data, order)
    string |= (other if message.decrypts else text) << skipped
    content = model.accumulator | model.register << TAG_BITS
    tag = accumulate(TAG_BITS, content, string, authenticating, total)
    tag ^= model.outputs(TAG_BITS)[0]
    return Sealed(bitstring.to_bytes(other, bits, order), bitstring.to_bytes(tag, TAG_BITS, order))


def _looked_up(inputs: Sequence[int], outputs: Sequence[int]) -> list[int]:
    """Some bits of the inverses, all steps side by side, of the bits of what is inverted."""
    table = inverses()
    digits = [f"{word:0{_CHUNK}b}" for word in reversed(inputs)]
    found = [table[int("".join(bits), 2)] for bits in zip(*digits, strict=True)]
    return [int("".join("01"[word >> output & 1] for word in found), 2) for output in outputs]


@cache
def inverses() -> list[int]:
    """The inverse of each element: powers of x, which is primitive, have opposite exponents."""
    powers, element = [], 1
    for _ in range(FIELD.size - 1):
        powers.append(element)
        element = FIELD.multiply(2, element)
    found = [0] * FIELD.size
    for exponent, power in enumerate(powers):
        found[power] = powers[-exponent]
    return found
