# SPDX-License-Identifier: Apache-2.0
"""Ciphers that encrypt with every other output bit and authenticate with the others (Grain).

After the setup, output bit 2i encrypts bit i of the message and output bit 2i + 1 enters the
authenticator: an accumulator and a shift register, each as long as the tag. For every message bit
that is one, the shift register is added to the accumulator before it moves. A final one is appended
to the message; then the accumulator is the tag.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from headwater.algebra.polynomial import Polynomial
from headwater.cipher.description import Bits
from headwater.cipher.option import DIRECTION, Option
from headwater.errors import InputError
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.transformations.ahead import AHEAD

AUTHENTICATOR = Option(
    "authenticator",
    ("isolated", "direct", AHEAD),
    "isolated: output bits enter the authenticator through a register, a cycle later; direct: "
    "at once; ahead: as isolated, and sums of the shift register's bits that the accumulator "
    "needs are made a cycle before",
    "isolated costs registers for the bits of message and output, and a hold on the shift "
    "register; direct puts output and authenticator on one path, which then limits the clock. "
    "Choose direct for the last gates of area, or to compare with the published core. ahead costs "
    "a register for almost every bit of the tag, and needs words long enough that their product "
    "is split. Choose it on an FPGA, where registers are there anyway.",
    best_on_fpga=AHEAD,
)
SHORTEST_AHEAD = 8
"""Message bits of the shortest word whose product with the shift register is split
(`core.toeplitz`), and so needs sums of its bits."""
CONTROLLER = Option(
    "controller",
    ("counter", "shift"),
    "counter: a counter counts the setup; shift: a clock divider moves a one through its phases",
    "shift costs a clock divider and a shift register in place of the counter. Choose it to "
    "compare with the published core, or if it measures better.",
)


def no_header(associated_data_bytes: int) -> bytes:  # noqa: ARG001
    """No header before the associated data."""
    return b""


@dataclass(frozen=True, kw_only=True)
class AuthenticatingCipher(SteppedCipher):
    """A cipher with an accumulator and a shift register for authentication."""

    own_options: ClassVar[tuple[Option, ...]] = ()
    """No datapath apart: of what follows a message, control and state are not told apart."""

    tag_bits: int
    """Length of the tag; zero without authentication."""
    authenticator: str
    """The register of ``2 * tag_bits`` stages that holds accumulator (older half) and shift
    register. The step function moves it during the setup only."""
    header: Callable[[int], bytes] = no_header
    """``header(n)``: authenticated bytes that precede ``n`` bytes of associated data."""

    @property
    def authenticates(self) -> bool:
        """Whether messages get a tag."""
        return self.tag_bits > 0

    @property
    def service(self) -> str:
        """With authentication "aead", otherwise "keystream"."""
        return "aead" if self.authenticates else "keystream"

    @property
    def tag_lengths(self) -> tuple[int, ...]:
        """One length with authentication, none without."""
        return (self.tag_bits,) if self.authenticates else ()

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the base class; with authentication also the directions of a message."""
        return (*super().options, DIRECTION) if self.authenticates else super().options

    def tag_fills(self, radix: int) -> bool:
        """Whether the tag is whole words at a radix, or less than one."""
        return radix >= self.tag_bits or not self.tag_bits % radix

    def prefix(self, associated_data: bytes, bits: int | None = None) -> bytes:  # noqa: ARG002
        """What is authenticated before the text: the header, then the associated data."""
        return self.header(len(associated_data)) + associated_data

    def sheet(self) -> dict[str, Any]:
        """Entries of the data sheet, with the header before associated data."""
        header = {"header": (self.header.__doc__ or "").strip()}
        return super().sheet() | ({} if self.header is no_header else header)


@dataclass(frozen=True, kw_only=True)
class BitAead(AuthenticatingCipher, ShiftRegisterCipher):
    """A shift-register cipher that authenticates with every other output bit.

    Keystream bit 2i encrypts bit i of the text, bit 2i + 1 authenticates. All radices are powers of
    two, up to twice the natural one, at which the setup ends with a cycle and the tag with a word.
    ``step`` moves the authenticator during the setup only; afterwards the core does. A phase of
    ``2 * tag_bits`` steps fills it.
    """

    kind: ClassVar[str] = "bit_aead"

    refill: Callable[..., Bits]
    """``refill(output, authenticator, **controls)``: what enters the authenticator during the
    setup, as ``step`` gives it."""
    takes_associated_data: bool = True

    @property
    def beside(self) -> Mapping[str, Callable[..., Bits]]:
        """The authenticator."""
        return {self.authenticator: self.refill}

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the base classes, and how a message is authenticated."""
        return (*super().options, AUTHENTICATOR, CONTROLLER)

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Also refuses sums ahead where the accumulator has none."""
        super().check_choices(radix, load_width, options)
        least = self.steps_per_bit * SHORTEST_AHEAD
        if options.get(AUTHENTICATOR.name) == AHEAD and radix < least:
            raise InputError(
                f"radix of {self.name} with authenticator=ahead must be at least {least}, "
                f"not {radix}"
            )

    def check_functions(self) -> None:
        """Also refuses a setup that is too short to fill the authenticator, and a ``refill`` that
        differs from the step."""
        super().check_functions()
        self._check_refill()
        stages = 2 * self.tag_bits
        if self.blank_steps < stages:
            raise InputError(
                f"phases of {self.name} must have {stages} steps at least, which fill the "
                f"authenticator, not {self.blank_steps}"
            )

    def _check_refill(self) -> None:
        output, entering = self.feedback
        name, controls = self.authenticator, self.controls
        refilled = self.refill(
            output,
            lambda stage: Polynomial.variable(name, stage),
            **{control: Polynomial.variable(control, 0) for control in controls},
        )
        if refilled != entering[name]:
            raise InputError(
                f"refill of {self.name} must give {name} what its step gives it in the setup"
            )

    steps_per_bit = 2
    """Two: every other output bit enters the authenticator."""

    def legal_radices(self) -> tuple[int, ...]:
        """Powers of two up to twice the natural radix: words then begin with an encrypting bit. The
        setup ends with a cycle, and the tag with a word."""
        widest = 2 * self.natural_radix
        powers = (1 << power for power in range(widest.bit_length()))
        return tuple(
            radix for radix in powers if not self.blank_steps % radix and self.tag_fills(radix)
        )

    @property
    def further_radices(self) -> range:
        """None."""
        return range(0)
