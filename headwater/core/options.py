# SPDX-License-Identifier: Apache-2.0
"""The named choices of an architecture, and which of them a cipher declares."""

from __future__ import annotations

from headwater.cipher.description import Cipher
from headwater.cipher.option import DIRECTION, Option
from headwater.cipher.sfinks import Sfinks
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.telephony.description import TelephonyMode

CORE_OPTIONS = (
    Option(
        "stall",
        ("stream", "none"),
        "stream: the core waits for its streams; none: free-running, a word every cycle",
    ),
    Option(
        "clear",
        ("shift", "instant", "none"),
        "how `clear` zeroes the state: shift zeros in, reset every bit in one cycle, not offered",
    ),
)
"""The options that every core has, because they decide its area."""

_WAITING = Option(
    "stall", ("stream",), "the core waits for its streams; no free-running one is offered"
)

FORM = Option(
    "form",
    ("fibonacci", "galois"),
    "fibonacci: feedback enters at one end; galois: in parts at several stages, for speed",
)
OUTPUT = Option(
    "output",
    ("plain", "split"),
    "plain: the output is one sum; split: it is fed back in parts, and comes out of a pipeline",
)
AUTHENTICATOR = Option(
    "authenticator",
    ("direct", "isolated"),
    "direct: output bits enter the authenticator at once; isolated: from a register, a cycle later",
)
CONTROLLER = Option(
    "controller",
    ("counter", "shift"),
    "counter: one counts the setup; shift: a clock divider moves a one through its phases",
)


def options_of(cipher: Cipher) -> tuple[Option, ...]:
    """The options that a cipher declares."""
    options: tuple[Option, ...] = CORE_OPTIONS
    if isinstance(cipher, TelephonyMode):
        options = (_WAITING, *CORE_OPTIONS[1:])
    if isinstance(cipher, ShiftRegisterCipher):
        options += (FORM,)
        options += (OUTPUT,) if cipher.feeds_output_back else ()
    if isinstance(cipher, BitAead):
        options += (DIRECTION, AUTHENTICATOR, CONTROLLER)
    if isinstance(cipher, Sfinks) and cipher.authenticates:
        options += (DIRECTION,)
    return options + cipher.options + cipher.parameters
