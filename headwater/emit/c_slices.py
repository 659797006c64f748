# SPDX-License-Identifier: Apache-2.0
"""Steps of many sessions at once as C: a word has one bit of each session, so that a step is what
it is in hardware, gate by gate, and a register that moves only changes its names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headwater.algebra.symbolic_word import SymbolicWord
from headwater.emit.c_expression import LIMB, Term, joined
from headwater.emit.c_words import Lines
from headwater.kinds.software import Part

_BYTE = 8


@dataclass(frozen=True)
class SlicedSteps:
    """Some steps, whose number divides 64 and is divided by 8.

    Members
    -------
    text : list of str
        The statements.
    outputs : list of str
        The keystream bit of each step.
    state : mapping of str to str
        The next value of each bit of the registers, in the order of the description.
    """

    text: list[str]
    outputs: list[str]
    state: Mapping[str, str]


class _Bit:
    """A bit of all sessions: a variable."""

    __slots__ = ("lines", "text")

    def __init__(self, lines: Lines, text: str) -> None:
        self.lines, self.text = lines, text

    def __xor__(self, other: _Bit) -> _Bit:
        return self._made(joined("^", [Term(self.text), Term(other.text)]))

    def __and__(self, other: _Bit) -> _Bit:
        return self._made(joined("&", [Term(self.text), Term(other.text)]))

    def __invert__(self) -> _Bit:
        return self._made(Term(f"~{self.text}", "~"))

    def _made(self, term: Term) -> _Bit:
        return _Bit(self.lines, self.lines.variable(term).text)


def pays(bits: int) -> bool:
    """Whether steps of so many bits are quicker side by side, and make up words of 64 bits: a step
    of a whole word is quick enough alone."""
    return bits < LIMB and LIMB % bits == 0


def sliced_steps(part: Part, name: str) -> SlicedSteps:
    """A step that gives ``output`` and its own inputs, read with bits; several of them where it
    gives less than a byte. Bits of registers are ``state[0]`` and so on."""
    lines = Lines(LIMB, name, f"{name}_lanes")
    lines.take("state")
    state, outputs = dict(_registers(part, lines)), list[object]()
    fixed = {one: SymbolicWord.of(word) for one, word in part.constants.items()}
    places = [f"state[{place}]" for place in range(sum(part.inputs.values()))]
    while len(outputs) < _BYTE:
        made = part.circuit(lambda word, name="": word, *state.values(), **fixed)  # noqa: ARG005
        outputs += made["output"].bits
        state = {one: made[one] for one in part.inputs}
    after = [_text(bit) for word in state.values() for bit in word.bits]
    given = [_text(bit) for bit in outputs]
    return SlicedSteps(lines.needed([*after, *given]), given, dict(zip(places, after, strict=True)))


def _registers(part: Part, lines: Lines) -> Iterator[tuple[str, SymbolicWord]]:
    first = 0
    for name, width in part.inputs.items():
        bits = (_Bit(lines, f"state[{place}]") for place in range(first, first + width))
        yield name, SymbolicWord(tuple(bits))
        first += width


def _text(bit: object) -> str:
    """A bit, which may be known."""
    if isinstance(bit, _Bit):
        return bit.text
    return "~zero" if bit else "zero"
