# SPDX-License-Identifier: Apache-2.0
"""The register map of an IP as SystemRDL and as a Markdown page, from the same data."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.interface.registers import TEXT_MARKS, Field, Register
from headwater.package.ip import Ip
from headwater.package.key_ip import KeyIp
from headwater.package.templating import rendered

_WORD_BITS = 32


@dataclass(frozen=True)
class Row:
    """A field as a reader of the map sees it.

    Members
    -------
    name, meaning : str
    high, low : int
        Its bits.
    access : str
        "r", "w", "rw", or "r, 1 clears".
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


def register_map_files(ip: Ip | KeyIp) -> dict[str, str]:
    """``{top}.rdl`` and ``{top}_registers.md``."""
    values = {
        "top": ip.top,
        "title": ip.cipher.title,
        "constants": list(ip.identity),
        "text_marks": _marks(),
        "registers": [(one, _rows(ip, one)) for one in ip.registers],
    }
    return {f"{ip.top}.rdl": rendered("registers.rdl", **values),
            f"{ip.top}_registers.md": rendered("registers.md", **values)}  # fmt: skip


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


def _rows(ip: Ip | KeyIp, register: Register) -> list[Row]:
    """The fields of a register; one for the whole of a register without fields."""
    value = ip.identity.get(register.name)
    fields = register.fields or (Field("VALUE", 0, _WORD_BITS, register.meaning),)
    return [
        Row(field.name, field.meaning, field.low + field.width - 1, field.low,
            _access(register, field), _reset(register, field, value))
        for field in fields
    ]  # fmt: skip


def _access(register: Register, field: Field) -> str:
    access = field.access or register.access
    return "r, 1 clears" if access == "1" else access


def _reset(register: Register, field: Field, value: int | None) -> int | None:
    if value is not None:
        return (value & field.mask) >> field.low
    return 0 if register.fields else None
