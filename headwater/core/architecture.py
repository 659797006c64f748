# SPDX-License-Identifier: Apache-2.0
"""The choices that turn a description into one core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from headwater.cipher.description import Cipher
from headwater.cipher.option import MASKING
from headwater.errors import InputError, describe_numbers, unknown


@dataclass(frozen=True)
class Architecture:
    """Radix, load width and options of one core; always legal for its cipher."""

    radix: int
    """Steps per clock cycle: keystream bits, or twice the message bits where every other output bit
    authenticates."""
    load_width: int
    """Key and IV bits taken per clock cycle."""
    chosen: tuple[tuple[str, str], ...]
    """Name and value of each option that the cipher declares, but for defaults that are unsaid."""

    @classmethod
    def choose(
        cls,
        cipher: Cipher,
        *,
        radix: int | None = None,
        load_width: int | None = None,
        options: Mapping[str, str] | None = None,
    ) -> Architecture:
        """Check the choices against the cipher and fill in defaults; an error names the legal
        choices."""
        legal = (*cipher.legal_radices(), *cipher.further_radices)
        radix = cipher.default_radix if radix is None else radix
        if not isinstance(radix, int) or radix not in legal:
            raise InputError(
                f"radix of {cipher.name} must be {describe_numbers(legal)}, not {radix!r}"
            )
        if load_width is None:
            load_width = cipher.default_load_width(radix)
        widths = cipher.legal_load_widths(radix)
        if load_width not in widths:
            raise InputError(
                f"load width of {cipher.name} must be {describe_numbers(widths)}, "
                f"not {load_width!r}"
            )
        legal_values = {option.name: option.values for option in cipher.choices}
        chosen = cipher.defaults
        for name, value in (options or {}).items():
            if name not in chosen:
                raise unknown(f"option of {cipher.name}", name, chosen)
            if value not in legal_values[name]:
                raise unknown(f"option {name}", value, legal_values[name])
            chosen[name] = value
        cipher.check_choices(radix, load_width, chosen)
        unsaid = {(option.name, option.default) for option in cipher.choices if option.unsaid}
        said = tuple(choice for choice in chosen.items() if choice not in unsaid)
        return cls(radix, load_width, said)

    def __getitem__(self, option: str) -> str:
        """Value of an option; its default where the cipher does not declare it."""
        return self.options.get(option, _NEUTRAL.get(option, ""))

    @property
    def options(self) -> dict[str, str]:
        """Name and value of each option, as reports print them."""
        return dict(self.chosen)

    @property
    def stall(self) -> str:
        """What the core does when its reader is not ready."""
        return self["stall"]

    @property
    def clear(self) -> str:
        """How the state is zeroed."""
        return self["clear"]

    @property
    def streams(self) -> int:
        """Sessions that take turns in the core."""
        return int(self["streams"])

    @property
    def is_masked(self) -> bool:
        """Whether key, state and keystream are in shares."""
        return self[MASKING.name] != MASKING.default

    @property
    def has_datapath_apart(self) -> bool:
        """Whether the datapath is a module of its own, which figures are of."""
        return self["datapath"] == "apart"

    @property
    def directions(self) -> tuple[str, ...]:
        """What the core does with a message: ``encrypt``, ``decrypt`` or both."""
        only = self["direction"]
        return (only,) if only in ("encrypt", "decrypt") else ("encrypt", "decrypt")

    def check_one_session(self, where: str) -> None:
        """Refuse sessions in turn ``where`` nothing tells them apart."""
        if self.streams > 1:
            raise InputError(f"option streams {where} must be 1, not {self.streams}")

    @property
    def plain(self) -> Architecture:
        """The same for one session."""
        return replace(self, chosen=tuple(one for one in self.chosen if one[0] != "streams"))

    def __str__(self) -> str:
        chosen = " ".join(f"{name}={value}" for name, value in self.chosen)
        return f"radix {self.radix}, load width {self.load_width}, {chosen}"


_NEUTRAL = {
    "form": "fibonacci",
    "delay": "registers",
    "output": "plain",
    "authenticator": "direct",
    "controller": "counter",
    "streams": "1",
    "rounds": "1",
    "datapath": "inside",
    "zeroing": "reset",
    "addition": "own",
    "unit": "byte",
    MASKING.name: MASKING.default,
}
