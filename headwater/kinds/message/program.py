# SPDX-License-Identifier: Apache-2.0
"""The operations of a machine in a row: what the core's register ``phase`` counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from headwater.kinds.message.description import MessageCipher
from headwater.kinds.message.operations import Operation, Part, Repeat, Squeeze, Take


@dataclass(frozen=True)
class Section:
    """Where the operations of a part of a message are: numbers of phases."""

    part: Part
    choose: int
    """Where it is decided whether there is a block; where blocks enter, if that is not asked."""
    first: int
    between: int
    """Where the operations begin that are done before the first block, and before others."""
    enter: int
    """Where the words of a block enter."""
    end: int
    """Where the operations begin that are done behind the last block."""
    past: int
    """The phase behind the part."""


@dataclass
class Program:
    """Every phase: an operation, or None; and what follows it.

    Phase 0 waits for the first word of the load, which belongs to the `Take` of phase 1.
    """

    operations: list[Operation | None] = field(default_factory=list)
    following: list[int] = field(default_factory=list)
    """The phase behind each; that of a choice or of words is chosen by the section."""
    associated: Section | None = None
    text: Section = field(init=False)
    started: int = 0
    """The first phase in which the core runs."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """Those of associated data, if there are any, and of the text."""
        return tuple(filter(None, (self.associated, self.text)))

    @property
    def last_take(self) -> int:
        """The phase of the last words of the load."""
        return max(phase for phase, one in self.each() if isinstance(one, Take))

    def each(self) -> Iterator[tuple[int, Operation]]:
        """Every operation, with its phase."""
        yield from ((phase, one) for phase, one in enumerate(self.operations) if one is not None)

    def in_turn(self, first: int, behind: int) -> Iterator[tuple[int, Operation]]:
        """The operations from a phase on, until another one."""
        while first != behind:
            one = self.operations[first]
            assert one is not None
            yield first, one
            first = self.following[first]


def program_of(cipher: MessageCipher) -> Program:
    """The phases of a machine."""
    program = Program()
    _append(program, [None, *cipher.start])
    program.started = len(program.operations)
    if cipher.associated is not None:
        program.associated = _section(program, cipher.associated)
    _append(program, cipher.middle)
    program.text = _section(program, cipher.text)
    first = _append(program, cipher.finish)
    if cipher.output_bits:
        program.following[-1] = first + first_squeeze(cipher.finish)
    return program


def first_squeeze(operations: Sequence[Operation]) -> int:
    """The number of the first one that gives bits."""
    return next(place for place, one in enumerate(operations) if isinstance(one, Squeeze))


def _append(program: Program, operations: Sequence[Operation | None]) -> int:
    """Append operations that follow each other; the phase of the first."""
    first = len(program.operations)
    program.operations += operations
    program.following += range(first + 1, first + 1 + len(operations))
    return first


def _section(program: Program, part: Part) -> Section:
    """Append the phases of a part. What is the same before every block stands there once."""
    if part.streams:
        enter = _append(program, [None])
        end = _append(program, part.end)
        return Section(part, enter, enter, enter, enter, end, end + len(part.end))
    if part.trailer:
        return _certain_section(program, part)
    choose = _append(program, [None])
    first = _append(program, part.first)
    between = first if part.between == part.first else _append(program, part.between)
    enter = _append(program, [None])
    for begin, operations in ((first, part.first), (between, part.between)):
        if operations:
            program.following[begin + len(operations) - 1] = enter
    end = _append(program, part.end)
    return Section(
        part,
        choose,
        first if part.first else enter,
        between if part.between else enter,
        enter,
        end,
        end + len(part.end),
    )


def _certain_section(program: Program, part: Part) -> Section:
    """The same for a part that always has a block, which its trailer is in: nothing is chosen."""
    first = _append(program, part.first)
    enter = _append(program, [None])
    between = _append(program, part.between)
    if part.between:
        program.following[-1] = enter
    end = _append(program, part.end)
    again = between if part.between else enter
    return Section(part, enter, first, again, enter, end, end + len(part.end))


def cycles_of(one: Operation, radix: int, load_width: int, tag_width: int) -> int:
    """Cycles of an operation, if every word is there and taken at once."""
    match one:
        case Take():
            return one.bits // load_width
        case Repeat():
            return one.count // radix
        case Squeeze():
            return one.bits // tag_width
    return 1
