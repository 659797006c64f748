# SPDX-License-Identifier: Apache-2.0
"""The choices that turn a description into one core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from headwater.cipher.description import ShiftRegisterCipher
from headwater.errors import InputError, unknown


@dataclass(frozen=True)
class Option:
    """One named choice, with its legal values; the first is the default."""

    name: str
    values: tuple[str, ...]
    meaning: str

    @property
    def default(self) -> str:
        """The value taken when none is given."""
        return self.values[0]


CORE_OPTIONS = (
    Option(
        "stall",
        ("stream", "none"),
        "stream: the keystream waits for its reader; none: a free-running core, a word every cycle",
    ),
    Option(
        "clear",
        ("shift", "instant", "none"),
        "how `clear` zeroes the state: shift zeros in, reset every bit in one cycle, not offered",
    ),
)
"""The options that every core has, because they decide its area."""


@dataclass(frozen=True)
class Architecture:
    """Radix, load width and options of one core; always legal for its cipher.

    Members
    -------
    radix : int
        Keystream bits per clock cycle, ``d``.
    load_width : int
        Key and IV bits taken per clock cycle, ``k``.
    stall, clear : str
        Values of the core's options.
    """

    radix: int
    load_width: int
    stall: str
    clear: str

    @classmethod
    def choose(
        cls,
        cipher: ShiftRegisterCipher,
        *,
        radix: int = 1,
        load_width: int | None = None,
        options: Mapping[str, str] | None = None,
    ) -> Architecture:
        """Check the choices against the cipher and fill in defaults.

        The default load width is the radix, or all of key and IV where the radix is wider: then
        the registers shift by the same distance in both phases.

        Raises
        ------
        InputError
            If a choice is not legal; the message names the legal ones.
        """
        if not 1 <= radix <= cipher.max_radix:
            raise InputError(
                f"radix of {cipher.name} must be between 1 and {cipher.max_radix}, not {radix!r}"
            )
        if load_width is None:
            load_width = min(radix, cipher.load_bits)
        if not 1 <= load_width <= cipher.load_bits:
            raise InputError(
                f"load width of {cipher.name} must be between 1 and {cipher.load_bits}, "
                f"not {load_width!r}"
            )
        chosen = {option.name: option.default for option in CORE_OPTIONS}
        legal = {option.name: option.values for option in CORE_OPTIONS}
        for name, value in (options or {}).items():
            if name not in legal:
                raise unknown(f"option of {cipher.name}", name, legal)
            if value not in legal[name]:
                raise unknown(f"option {name}", value, legal[name])
            chosen[name] = value
        return cls(radix=radix, load_width=load_width, **chosen)

    @property
    def options(self) -> dict[str, str]:
        """The options and their values, as reports print them."""
        return {"stall": self.stall, "clear": self.clear}

    def load_words(self, cipher: ShiftRegisterCipher, load_string: int) -> list[int]:
        """A load string cut into the words that the core takes, filled up before its first bit."""
        count = cipher.load_cycles(self.load_width)
        filled = load_string << count * self.load_width - cipher.load_bits
        mask = (1 << self.load_width) - 1
        return [filled >> number * self.load_width & mask for number in range(count)]

    def __str__(self) -> str:
        chosen = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"radix {self.radix}, load width {self.load_width}, {chosen}"
