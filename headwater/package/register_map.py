# SPDX-License-Identifier: Apache-2.0
"""The registers of a design as SystemRDL, as Hjson and as a Markdown page, from the same data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from headwater.interface.registers import MAP_VERSION, TEXT_MARKS, WORD_BITS, Field, Register
from headwater.package.ip import Ip
from headwater.package.key_ip import KeyIp
from headwater.package.templating import rendered

_WORDS = {"1": "r, 1 clears", "e": "w, any value"}
"""What a reader of the map is told of an access, where this is not its short name."""
_HJSON_ACCESS = {"r": "ro", "w": "wo", "rw": "rw", "1": "rw1c", "e": "wo"}


@dataclass(frozen=True)
class Row:
    """A field as a reader of the map sees it.

    Members
    -------
    name, meaning : str
    high, low : int
        Its bits.
    access : str
        "r", "w", "rw", or as in `headwater.interface.registers.Field`.
    reset : int or None
        Its value after reset; None where it is an event or a word that goes through.
    """

    name: str
    meaning: str
    high: int
    low: int
    access: str
    reset: int | None

    @property
    def bits(self) -> str:
        """The bits in words."""
        return _bits(self.high, self.low)

    @property
    def mask(self) -> int:
        """The bits as they stand in the register."""
        return (2 << self.high) - (1 << self.low)

    @property
    def told(self) -> str:
        """The access in words."""
        return _WORDS.get(self.access, self.access)


@dataclass(frozen=True)
class RegisterMap:
    """The registers of a design.

    Members
    -------
    top : str
        The module that has them.
    title : str
        What it is, in a line.
    registers : sequence of Register
        By ascending address.
    identity : mapping of str to int
        The values of registers that never change, by name.
    resets : mapping of str to int
        The values of other registers after reset, where they are not zero.
    own : sequence of str
        The registers that have custom instructions of their own; empty on a bus.
    """

    top: str
    title: str
    registers: Sequence[Register]
    identity: Mapping[str, int]
    resets: Mapping[str, int] = field(default_factory=dict)
    own: Sequence[str] = ()

    @property
    def rows(self) -> list[tuple[Register, list[Row]]]:
        """The registers with their fields."""
        values = {**self.identity, **self.resets}
        return [(one, rows_of(one, values)) for one in self.registers]

    def files(self) -> dict[str, str]:
        """``{top}.rdl``, ``{top}_registers.md``, and ``{top}.hjson``, as OpenTitan's regtool reads
        it; it is YAML, too."""
        return {
            f"{self.top}.rdl": self._rendered("registers.rdl"),
            f"{self.top}_registers.md": self._rendered("registers.md"),
            f"{self.top}.hjson": self._rendered("registers.hjson"),
        }

    def _rendered(self, template: str) -> str:
        return rendered(
            template,
            top=self.top,
            title=self.title,
            constants=list(self.identity),
            text_marks=_marks(),
            own=self.own,
            version=MAP_VERSION,
            quoted=json.dumps,
            access=_HJSON_ACCESS,
            registers=self.rows,
        )


def register_map(ip: Ip | KeyIp) -> RegisterMap:
    """The registers of an IP."""
    own = []
    if isinstance(ip, Ip) and ip.port.instruction:
        own = [one.name for one in ip.registers if one not in ip.by_number]
    return RegisterMap(ip.top, ip.cipher.title, ip.registers, ip.identity, own=own)


def _marks() -> list[tuple[str, str, str]]:
    """Bits of the address, name and meaning of each mark of a word of text."""
    shift = 2
    marked = [(entry, entry.value << shift) for entry in TEXT_MARKS]
    return [
        (
            _bits(value.bit_length() - 1, (value & -value).bit_length() - 1),
            entry.name,
            entry.meaning,
        )
        for entry, value in marked
    ]


def _bits(high: int, low: int) -> str:
    return str(low) if high == low else f"{high}:{low}"


def rows_of(register: Register, values: Mapping[str, int]) -> list[Row]:
    """The fields of a register; one for the whole of a register without fields."""
    value = values.get(register.name)
    fields = register.fields or (Field("VALUE", 0, WORD_BITS, register.meaning),)
    return [
        Row(
            field.name,
            field.meaning,
            field.low + field.width - 1,
            field.low,
            field.access or register.access,
            _reset(register, field, value),
        )
        for field in fields
    ]


def _reset(register: Register, field: Field, value: int | None) -> int | None:
    if value is not None:
        return (value & field.mask) >> field.low
    return 0 if register.fields else None
