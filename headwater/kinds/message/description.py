# SPDX-License-Identifier: Apache-2.0
"""Ciphers whose text enters their state: a machine of registers and operations, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from math import gcd
from typing import Any, ClassVar, Literal, Self

from headwater.algebra.word import IntegerWord
from headwater.cipher.description import Cipher
from headwater.cipher.memory import Memory
from headwater.cipher.option import CLEARS_WORDS, CORE_OPTIONS, DIRECTION, Option
from headwater.errors import unknown
from headwater.kinds.message.calling import asked_for
from headwater.kinds.message.checks import check_machine
from headwater.kinds.message.dependence import chain_free_steps
from headwater.kinds.message.operations import (
    Do,
    Function,
    Operation,
    Pad,
    Part,
    Register,
    Repeat,
    Squeeze,
    Take,
)

__all__ = ["Do", "MessageCipher", "Pad", "Part", "Register", "Repeat", "Squeeze", "Take"]

WIDTHS = (32, 8, 16, 64, 128, 256)
"""Widths of words that streams can have; the first legal one is the default."""
LENGTHS = ("ad_bytes", "text_bytes")
"""What `end`, `middle` and `finish` may ask for: the bytes so far of both parts of a message."""

MOST_OUTPUT_BITS = 4096
"""The longest output that is asked for at once, in bits; a core goes on without end."""

STALL = Option(
    "stall",
    ("stream",),
    "stream: the core waits for its streams",
    "There is no other: what is done before a word of the message depends on the word.",
)
CLEAR = Option(
    "clear",
    ("shift", "instant", "none"),
    "shift: the state is zeroed in the cycle behind that of `clear`; instant: in that of `clear`; "
    "none: there is no `clear`",
    "A session begins with a state of zeros, so that shift is free but for the pin; instant costs "
    "a reset on every bit of state. Choose none only where no key must be erased.",
)


UNIT = Option(
    "unit",
    ("byte", "bit"),
    "byte: messages are whole bytes; bit: they are of any length in bits",
    "Marks and padding of single bits cost gates. Choose bit where strings may end within a byte.",
    unsaid=True,
)


@dataclass(frozen=True, kw_only=True)
class MessageCipher(Cipher):
    """A cipher that encrypts and authenticates messages of whole bytes in one pass, or
    authenticates them alone: a machine of registers, and what is done to them in which order.
    ``docs/message-machine.md`` is the whole language."""

    kind: ClassVar[str] = "message"
    own_fields: ClassVar[frozenset[str]] = frozenset({"first_bit_on_top"})

    registers: tuple[Register, ...]
    """``Register(name, bits)``; all are zero when a session begins."""
    memories: tuple[Memory, ...] = ()
    """Memories (`headwater.cipher.memory`), which functions ask for like registers."""
    start: tuple[Operation, ...]
    """From the first bit of the key to the first block. It begins with a `Take`; all bits of key,
    nonce and initial value are taken once."""
    initial: bytes = b""
    """An initial value: bytes that the load of every session has. A function without a key begins
    with them."""
    associated: Part | None = None
    """What associated data do; None: there are none. Without a key they are what else the function
    depends on, such as a customization string."""
    header: Callable[[int], bytes] | None = None
    """What precedes associated data, also where they are empty: bytes of their number of bits."""
    most_associated_bytes: int | None = None
    """The most bytes of associated data; None: nothing limits them."""
    middle: tuple[Operation, ...] = ()
    """What is done between associated data and text, even if both are empty."""
    text: Part
    """What the text does, and what it is added to. Without a ``keystream`` the text is
    authenticated and does not leave: the tag is all that there is."""
    finish: tuple[Operation, ...]
    """Behind the text, with each `Squeeze` of the tag."""
    output_bits: int = 0
    """If not zero, ``finish`` goes on from its first `Squeeze` again and again, for as long as
    words are taken. So many bits are given where no other number is asked for."""
    constants: Mapping[str, IntegerWord] = field(default_factory=dict, compare=False)
    """Words that functions may ask for by name: constants, tables (`table_word`)."""
    offered_radices: tuple[int, ...] = ()
    """Steps per cycle that are offered; each must divide the count of every `Repeat`. Default: all
    that do, up to 128."""
    length_bits: int = 61
    """Bits of the numbers of bytes that functions may ask for."""
    unit: Literal["byte", "bit"] = "byte"
    """What the lengths of associated data and text are counted in."""
    offered_units: tuple[str, ...] = ()
    """Those that are offered as the parameter ``unit``, where it is a choice."""

    def __post_init__(self) -> None:
        if self.associated is not None:
            object.__setattr__(self, "takes_associated_data", True)

    @property
    def parameters(self) -> tuple[Option, ...]:
        """What lengths are counted in, where it is a choice; default: this cipher's."""
        if not self.offered_units:
            return ()
        values = tuple(dict.fromkeys((self.unit, *self.offered_units)))
        return (replace(UNIT, values=values, unsaid=self.unit == UNIT.default),)

    def with_parameters(self, values: Mapping[str, str]) -> Self:
        """The cipher with lengths in this unit; other names are ignored."""
        for option in self.parameters:
            if (value := values.get(option.name, option.default)) not in option.values:
                raise unknown(f"option {option.name}", value, option.values)
            if value != self.unit:
                return replace(self, unit="bit" if value == "bit" else "byte")
        return self

    def for_lengths(self, *bits: int) -> Self:
        """The cipher with parameters for strings of these lengths in bits; the cipher itself if it
        has none for them."""
        whole = not any(one % 8 for one in bits)
        return self if whole or not self.parameters else self.with_parameters({"unit": "bit"})

    @property
    def text_unit(self) -> int:
        """Bits that the length of a text is a multiple of."""
        return 1 if self.unit == "bit" else 8

    @property
    def data_unit(self) -> int:
        """Bits that the length of associated data is a multiple of."""
        return self.text_unit

    @property
    def longest_data(self) -> int | None:
        """The most bytes of associated data."""
        return self.most_associated_bytes

    def prefix(self, associated_data: bytes, bits: int | None = None) -> bytes:
        """The header, then the associated data of so many bits; by default whole bytes."""
        length = 8 * len(associated_data) if bits is None else bits
        header = self.header(length) if self.header else b""
        return header + associated_data

    @property
    def nonce_bits(self) -> int:
        """Bits of the nonce that a load has."""
        return self.iv_bits[0]

    @property
    def load_rule(self) -> str:
        """How the nonce of a load follows from the IV; empty if it is the same."""
        return ""

    def loaded(self, key: bytes, nonce: bytes) -> tuple[bytes, bytes]:
        """Key and nonce as a load has them."""
        self.input_bits(key, nonce)
        return key, nonce

    @property
    def encrypts(self) -> bool:
        """Whether there is an output text."""
        return self.text.keystream is not None

    @property
    def service(self) -> str:
        """Whether a message is encrypted, too; without a key its digest is made."""
        if not self.encrypts:
            unkeyed = "xof" if self.output_bits else "hash"
            return "mac" if self.key_bits else unkeyed
        return "aead"

    @property
    def no_keystream(self) -> str:
        """Why there is no keystream: it depends on the text before, or there is none."""
        if not self.encrypts:
            return f"apart from its messages: it makes {'tags' if self.key_bits else 'digests'}"
        return "apart from its text, which it takes in: encrypt zeros to see one"

    @property
    def tag_lengths(self) -> tuple[int, ...]:
        """The bits that are squeezed; without an end any multiple of the unit, up to
        `MOST_OUTPUT_BITS`."""
        if self.output_bits:
            return tuple(range(self.text_unit, MOST_OUTPUT_BITS + 1, self.text_unit))
        return (sum(one.bits for one in self.finish if isinstance(one, Squeeze)),)

    @property
    def default_tag_bits(self) -> int:
        """The length of a tag that nobody gave."""
        return self.output_bits or self.tag_lengths[0]

    @property
    def options(self) -> tuple[Option, ...]:
        """How the core waits and clears, the width of its words, and its directions."""
        first, *others = self.legal_widths
        values = tuple(map(str, (first, *others)))
        width = Option(
            "width",
            values,
            "bits of a word of the message",
            "Wide words take fewer cycles, and more gates where a block is taken in several words. "
            "Choose the width of the bus.",
        )
        kept = tuple(one for one in CORE_OPTIONS if one.name not in ("stall", "clear"))
        clears = CLEARS_WORDS if self.memories else CLEAR
        return (STALL, clears, *kept, width, *([DIRECTION] if self.encrypts else []))

    @property
    def state_bits(self) -> int:
        """The bits of all registers."""
        return sum(register.bits for register in self.registers)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Associated data, if there are any, and the text."""
        return tuple(filter(None, (self.associated, self.text)))

    @property
    def operations(self) -> Iterator[Operation]:
        """Every operation."""
        yield from self.start
        for part in self.parts:
            yield from (*part.first, *part.between, *part.end)
        yield from (*self.middle, *self.finish)

    @property
    def functions(self) -> Iterator[Function]:
        """Every function."""
        for one in self.operations:
            functions: tuple[Function | None, ...]
            match one:
                case Take():
                    functions = (one.enter,)
                case Repeat():
                    functions = (one.begin, one.step)
                case Do() | Squeeze():
                    functions = (one.function,)
            yield from filter(None, functions)
        for part in self.parts:
            yield from filter(None, (part.enter, part.close, part.keystream))

    def number_bits(self, step: Function) -> int:
        """Bits of the number that a step may ask for."""
        repeats = (one for one in self.operations if isinstance(one, Repeat) and one.step is step)
        return max(1, *((one.first_number + one.count - 1).bit_length() for one in repeats))

    def controls_of(self, step: Function) -> tuple[str, ...]:
        """The names of the bits that a step may ask for."""
        repeats = (one for one in self.operations if isinstance(one, Repeat) and one.step is step)
        return tuple(dict.fromkeys(name for one in repeats for name in one.controls))

    @property
    def counted(self) -> tuple[str, ...]:
        """Those of `LENGTHS` that a function asks for."""
        return tuple(name for name in LENGTHS if any(name in asked_for(f) for f in self.functions))

    @property
    def legal_widths(self) -> tuple[int, ...]:
        """Widths of words that every part can be taken in."""
        return tuple(width for width in WIDTHS if all(_fits(part, width) for part in self.parts))

    def legal_radices(self) -> tuple[int, ...]:
        """Steps per cycle."""
        if self.offered_radices:
            return self.offered_radices
        steps = reduce(gcd, (one.count for one in self.operations if isinstance(one, Repeat)), 0)
        return tuple(one for one in range(1, 129) if steps % one == 0) if steps else (1,)

    @property
    def natural_radix(self) -> int:
        """Widest legal radix at which no step reads a bit that is made in the same cycle."""
        repeats = [one for one in self.operations if isinstance(one, Repeat)]
        longest = self.legal_radices()[-1]
        free = min((chain_free_steps(self, one, longest) for one in repeats), default=1)
        return max((one for one in self.legal_radices() if one <= free), default=1)

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:  # noqa: ARG002
        """Widths of words that every `Take` can be made in."""
        takes = [one for one in self.start if isinstance(one, Take)]
        return tuple(width for width in sorted(WIDTHS) if all(_takes(one, width) for one in takes))

    def default_load_width(self, radix: int) -> int:
        """The widest that is no wider than a word of the message."""
        legal = self.legal_load_widths(radix)
        return max((one for one in legal if one <= self.legal_widths[0]), default=legal[0])

    def check_functions(self) -> None:
        """Refuse a machine that cannot be read, or that is no machine."""
        check_machine(self)

    def sheet(self) -> dict[str, Any]:
        """Bits of a block of each part."""
        rates = {"associated_rate": self.associated.rate} if self.associated else {}
        return {**rates, "text_rate": self.text.rate}


def _fits(part: Part, width: int) -> bool:
    """Whether a part can be taken in words of a width: a block is a word; or several words, if they
    may enter one after another; or a word is several blocks, which stream."""
    if part.rate % width == 0:
        return part.added or part.rate == width
    return width % part.rate == 0 and part.streams and part.pad is None


def _takes(take: Take, width: int) -> bool:
    """Whether bits can be taken in words of a width: parts of a block, or several blocks."""
    size = take.block_bits or take.bits
    divides = not take.enter or size % width == 0 or width % size == 0
    return take.bits % width == 0 and divides
