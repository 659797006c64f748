# SPDX-License-Identifier: Apache-2.0
"""Comparison of vectors with what an engine makes: where they differ, and what would fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from headwater.algebra import bitstring
from headwater.cipher.cases import ForgedVector, KeystreamVector
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed
from headwater.cipher.whole_state import StateVector
from headwater.verify.engine import ModelEngine
from headwater.verify.likeness import Value, likeness, same_but, shifted, units
from headwater.verify.segments import Segment

_EXPLAINED = 3


@dataclass
class Comparison:
    """The comparisons of one file with one engine. Each gives a line, which is empty where there is
    no difference. It shows only content of the vector file.

    Members
    -------
    cipher : Cipher
    left : int
        For how many differences is to be looked for what fits. It takes seconds where nothing does.
    """

    cipher: Cipher
    left: int = _EXPLAINED

    def value(self, name: str, what: str, expected: bytes, ours: bytes) -> str:
        """A value that a cipher has beside its outputs."""
        of = Value(expected, 8 * len(expected), self.cipher.bit_order)
        return self._line(name, what, expected, ours, lambda: same_but(of, ours))

    def keystream(self, vector: KeystreamVector, ours: bytes) -> str:
        """A segment of keystream."""
        expected = Value(vector.keystream, vector.bits, self.cipher.bit_order)

        def made(cipher: Cipher, key: bytes, iv: bytes, offset: int, bits: int) -> bytes:
            return ModelEngine(cipher).run([Segment(key, iv, offset, bits, vector.iv_bits)])[0]

        def more(offset: int, bits: int) -> bytes:
            return made(self.cipher, vector.key, vector.iv, offset, bits)

        def run(cipher: Cipher, key: bytes, iv: bytes, bits: int) -> bytes:
            return made(cipher, key, iv, vector.offset, bits)

        def fits() -> str:
            return (
                same_but(expected, ours)
                or shifted(expected, vector.offset, more, units(self.cipher))
                or likeness(expected, self.cipher, vector.key, vector.iv, run)
            )

        return self._line(vector.name, "keystream", vector.keystream, ours, fits)

    def from_state(self, vector: StateVector, ours: bytes) -> str:
        """A segment of the keystream from a state on."""
        expected = Value(vector.keystream, vector.bits, self.cipher.bit_order)

        def more(offset: int, bits: int) -> bytes:
            segment = Segment.from_state(vector.state, offset, bits)
            return ModelEngine(self.cipher).run([segment])[0]

        def fits() -> str:
            return same_but(expected, ours) or shifted(
                expected, vector.offset, more, units(self.cipher)
            )

        what = "keystream of the state"
        return self._line(vector.name, what, vector.keystream, ours, fits)

    def text(self, name: str, what: str, expected: Message, of: Message, result: Sealed) -> str:
        """The text that a message ``of`` becomes."""
        order = self.cipher.bit_order
        other = Value(_sum(expected.text, of.text), expected.bits, order)

        def more(offset: int, bits: int) -> bytes:
            # What a text of zeros becomes is the keystream, if the cipher adds one.
            count = -(-(offset + bits) // 8)
            zeros = replace(of, text=bytes(count), bits=8 * count, decrypts=False)
            text = ModelEngine(self.cipher).process([zeros])[0].text
            return bitstring.to_bytes(bitstring.from_bytes(text, order) >> offset, bits, order)

        def moved() -> str:
            return shifted(other, 0, more, units(self.cipher)) if other.bits else ""

        return self._of_message(
            name,
            what,
            Value(expected.text, expected.bits, order),
            of,
            result.text,
            lambda sealed: sealed.text,
            moved,
        )

    def tag(self, name: str, what: str, expected: bytes, of: Message, result: Sealed) -> str:
        """The tag of a message."""
        value = Value(expected, 8 * len(expected), self.cipher.bit_order)
        return self._of_message(name, what, value, of, result.tag, lambda sealed: sealed.tag)

    def all_right(self, vector: ForgedVector) -> str:
        """What there is to say of a message that must be rejected if the model makes its text and
        tag, so that the file may be wrong."""
        sealed = ModelEngine(self.cipher).process([vector.message])[0]
        is_right = sealed.tag == vector.tag and sealed.text == vector.text
        return "; the model makes its text and tag, too: the file may be wrong" * is_right

    def _of_message(
        self,
        name: str,
        what: str,
        expected: Value,
        of: Message,
        ours: bytes,
        member: Callable[[Sealed], bytes],
        moved: Callable[[], str] = str,
    ) -> str:
        def run(cipher: Cipher, key: bytes, iv: bytes, _: int) -> bytes:
            return member(ModelEngine(cipher).process([replace(of, key=key, nonce=iv)])[0])

        def fits() -> str:
            return (
                same_but(expected, ours)
                or _of_keystream(moved())
                or likeness(expected, self.cipher, of.key, of.nonce, run)
            )

        return self._line(name, what, expected.data, ours, fits)

    def _line(
        self, name: str, what: str, expected: bytes, ours: bytes, fits: Callable[[], str]
    ) -> str:
        difference = _difference(name, what, expected, ours)
        if not difference or self.left == 0:
            return difference
        self.left -= 1
        explanation = fits()
        if not explanation:
            return difference
        ours_is = "that" if explanation.startswith("of ") else "the computed one"
        return f"{difference}; the given {what} is {ours_is} {explanation}"


def _sum(one: bytes, other: bytes) -> bytes:
    return bytes(left ^ right for left, right in zip(one, other, strict=True))


def _of_keystream(moved: str) -> str:
    return f"of a keystream {moved}" if moved else ""


def _difference(name: str, what: str, expected: bytes, ours: bytes) -> str:
    """The place where two values first differ."""
    if len(expected) != len(ours):
        return f"{name}: {what} must be {len(expected)} bytes, not {len(ours)}"
    for byte, (right, wrong) in enumerate(zip(expected, ours, strict=True)):
        if right != wrong:
            return f"{name}: byte {byte} of the {what} must be {right:02x}, not {wrong:02x}"
    return ""
