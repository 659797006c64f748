# SPDX-License-Identifier: Apache-2.0
"""The choices that turn a description into one core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headwater.cipher.description import Cipher
from headwater.cipher.option import Option
from headwater.cipher.sfinks import DELAY, Sfinks, setup_rate
from headwater.core.options import options_of
from headwater.errors import InputError, unknown
from headwater.kinds.self_synchronising.description import SelfSynchronisingCipher
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.retiming import Retiming, retiming
from headwater.kinds.stepped.word_cipher import WordCipher


@dataclass(frozen=True)
class Architecture:
    """Radix, load width and options of one core; always legal for its cipher.

    Members
    -------
    radix : int
        Steps per clock cycle, ``d``: keystream bits, or twice as many where every other output
        bit authenticates.
    load_width : int
        Key and IV bits taken per clock cycle, ``k``.
    chosen : tuple of (str, str)
        The options that the cipher declares, by name, and their values.
    """

    radix: int
    load_width: int
    chosen: tuple[tuple[str, str], ...]

    @classmethod
    def choose(
        cls,
        cipher: Cipher,
        *,
        radix: int | None = None,
        load_width: int | None = None,
        options: Mapping[str, str] | None = None,
    ) -> Architecture:
        """Check the choices against the cipher and fill in defaults.

        Raises
        ------
        InputError
            If a choice is not legal; the message names the legal ones.
        """
        legal = cipher.legal_radices()
        radix = cipher.default_radix if radix is None else radix
        if not isinstance(radix, int) or radix not in legal:
            raise InputError(f"radix of {cipher.name} must be {_range(legal)}, not {radix!r}")
        if load_width is None:
            load_width = cipher.default_load_width(radix)
        widths = cipher.legal_load_widths(radix)
        if load_width not in widths:
            raise InputError(
                f"load width of {cipher.name} must be {_range(widths)}, not {load_width!r}"
            )
        declared = options_of(cipher)
        if isinstance(cipher, ClockedCipher):
            _refuse_steps_ahead(cipher, radix, load_width // cipher.lane_count)
        chosen = {option.name: option.default for option in declared}
        for name, value in (options or {}).items():
            if name not in chosen:
                raise unknown(f"option of {cipher.name}", name, chosen)
            chosen[name] = _legal(declared, name, value)
        made = cls(radix, load_width, tuple(chosen.items()))
        if isinstance(cipher, WordCipher):
            _refuse_wide_load(cipher, made)
        if isinstance(cipher, SelfSynchronisingCipher):
            _refuse_layers(cipher, made)
        if isinstance(cipher, Sfinks):
            _refuse_late_inverses(cipher.name, made)
        if isinstance(cipher, SteppedCipher):
            retiming(cipher, radix, made["form"], made["output"])
        return made

    def __getitem__(self, option: str) -> str:
        """Value of an option; its default where the cipher does not declare it."""
        return self.options.get(option, _NEUTRAL.get(option, ""))

    @property
    def options(self) -> dict[str, str]:
        """The options and their values, as reports print them."""
        return dict(self.chosen)

    @property
    def stall(self) -> str:
        """What the core does when its reader is not ready."""
        return self["stall"]

    @property
    def clear(self) -> str:
        """How the state is zeroed."""
        return self["clear"]

    def retiming(self, cipher: SteppedCipher) -> Retiming | None:
        """How the feedback is moved; None for the plain form."""
        return retiming(cipher, self.radix, self["form"], self["output"])

    def __str__(self) -> str:
        chosen = " ".join(f"{name}={value}" for name, value in self.chosen)
        return f"radix {self.radix}, load width {self.load_width}, {chosen}"


_NEUTRAL = {"form": "fibonacci", "output": "plain", "authenticator": "direct",
            "controller": "counter"}  # fmt: skip


def _refuse_wide_load(cipher: WordCipher, made: Architecture) -> None:
    """How the step is made may limit the steps of a load in one cycle."""
    widths = cipher.formed(made.options).legal_load_widths(made.radix)
    if made.load_width not in widths:
        chosen = " ".join(f"{choice.name}={made[choice.name]}" for choice in cipher.choices)
        raise InputError(
            f"load width of {cipher.name} with {chosen} must be {_range(widths)}, "
            f"not {made.load_width!r}"
        )


def _refuse_layers(cipher: SelfSynchronisingCipher, made: Architecture) -> None:
    """The radix limits the registers between the stages of a pipeline."""
    legal = cipher.legal_layers(made.radix)
    if int(made["layers"]) not in legal:
        raise InputError(
            f"option layers of {cipher.name} at radix {made.radix} must be {_range(legal)}, "
            f"not {made['layers']}"
        )


def _refuse_late_inverses(name: str, made: Architecture) -> None:
    """An inverse must be there when the LFSR needs it."""
    rate, stages = setup_rate(made.radix, made["setup"]), int(made["stages"])
    most = 1 + DELAY // rate
    if stages > most:
        legal = "1" if most == 1 else f"between 1 and {most}"
        raise InputError(
            f"option stages of {name} with {rate} steps of the setup in a cycle must be {legal}, "
            f"not {stages}"
        )


def _refuse_steps_ahead(cipher: ClockedCipher, radix: int, load_steps: int) -> None:
    """Registers that are moved whole are not read more than one step ahead of the state: the logic
    would be that of so many steps more."""
    left = cipher.blank_steps % radix
    slow = load_steps < radix and left % load_steps == 0
    if left > 1 and not slow:
        raise InputError(
            f"load width of {cipher.name} at radix {radix} must divide the {left} of its "
            f"{cipher.blank_steps} blank steps that are left over, not {load_steps!r}"
        )


def _legal(declared: Sequence[Option], name: str, value: str) -> str:
    values = next(option.values for option in declared if option.name == name)
    if value not in values:
        raise unknown(f"option {name}", value, values)
    return value


def _range(numbers: Sequence[int]) -> str:
    first, last = numbers[0], numbers[-1]
    if first == last:
        return str(first)
    if numbers == tuple(range(first, last + 1)):
        return f"between {first} and {last}"
    if len(numbers) > 2 and numbers == tuple(range(first, last + 1, first)):
        return f"a multiple of {first} between {first} and {last}"
    return "one of " + ", ".join(map(str, numbers))
