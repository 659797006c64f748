# SPDX-License-Identifier: Apache-2.0
"""The architecture of a core in a coprocessor."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.interface.port import Port
from headwater.interface.registers import WORD_BITS
from headwater.kinds.registry import facts_of

_POSSIBLE = {
    "stall": ("stream",),
    "clear": ("shift", "instant"),
    "keyed_state": ("", "dropped"),
    "streams": ("1",),
}
"""Values of options that a coprocessor can serve; empty for a cipher without the option."""


def coprocessor_architecture(
    cipher: Cipher,
    radix: int | None,
    load_width: int | None,
    options: Mapping[str, str] | None,
) -> Architecture:
    """An architecture that fits into a coprocessor; its load width is 32 if this is legal, and the
    load then unrolls no more steps than the running core.

    Raises
    ------
    InputError
        If a choice is not legal in a coprocessor.
    """
    architecture = _first_legal(
        cipher, _default_radix(cipher) if radix is None else radix, load_width, options
    )
    for name, values in _POSSIBLE.items():
        if architecture[name] not in values:
            raise InputError(
                f"option {name} in a coprocessor must be {' or '.join(filter(None, values))}, "
                f"not {architecture[name]}"
            )
    return architecture


def check_port(cipher: Cipher, architecture: Architecture, port: Port) -> None:
    """Refuse a port that cannot serve a core."""
    if port.dma and "data_in" in facts_of(cipher, architecture).streams:
        raise InputError(
            f"interface of {cipher.name}, which takes its text in, must not be dma, which only "
            "writes into memory"
        )
    streams = facts_of(cipher, architecture).streams
    data = streams.get("data_in")
    if data is not None and data.ad_bits > WORD_BITS:
        raise InputError(
            f"{_narrower(cipher, architecture)}: words of software reach {data.width} bits of the "
            "core one by one, and associated data and text share none of these"
        )
    words = streams.get("keystream")
    if port.results > 1 and (words is None or words.width % (port.results * WORD_BITS)):
        raise InputError(
            f"keystream words of {cipher.name} must be a multiple of {port.results * WORD_BITS} "
            f"bits for a read with {port.results} results"
        )


def _narrower(cipher: Cipher, architecture: Architecture) -> str:
    """What must be chosen so that a word of text fits a word of software."""
    what, chosen, legal = "radix", str(architecture.radix), list(cipher.legal_radices())
    for option in cipher.options:
        if option.name == "width":
            what, chosen, legal = "option width", architecture["width"], [*map(int, option.values)]
    fitting = sorted(value for value in legal if value <= WORD_BITS)
    if not fitting:
        return f"{cipher.name} must have interface stream or axi4stream, not a processor's"
    values = " or ".join(map(str, fitting))
    return f"{what} of {cipher.name} behind a processor must be {values}, not {chosen}"


def _default_radix(cipher: Cipher) -> int:
    """The widest radix up to the natural one at which no bit of a 32-bit word waits for another
    word of the core; the cipher's own default where it has no keystream, or numbered blocks."""
    if cipher.seek_bits is not None or not cipher.has_keystream:
        return cipher.default_radix
    legal = cipher.legal_radices()
    fitting = [each for each in legal if each <= cipher.natural_radix and _fits(cipher, each)]
    return max(fitting, default=legal[0])


def _fits(cipher: Cipher, radix: int) -> bool:
    """Whether the words of the core divide words of 32 bits, or are multiples of them."""
    width = max(1, radix // cipher.steps_per_bit)
    return WORD_BITS % width == 0 or width % WORD_BITS == 0


def _loads_well(cipher: Cipher, architecture: Architecture) -> bool:
    """Whether words of this width bring the longest IV, and do not make the core longer: where they
    enter by steps, a load cycle must have no more steps than another."""
    facts = facts_of(cipher, architecture)
    if facts.unfit(cipher.iv_bits[-1]):
        return False
    by_steps = getattr(cipher, "load_phases", ())
    timeline = getattr(facts, "timeline", None) if by_steps else None
    return timeline is None or timeline.load_steps_per_cycle <= timeline.steps_per_cycle


def _first_legal(
    cipher: Cipher,
    radix: int,
    load_width: int | None,
    options: Mapping[str, str] | None,
) -> Architecture:
    if load_width is None:
        try:
            architecture = Architecture.choose(
                cipher, radix=radix, load_width=WORD_BITS, options=options
            )
        except InputError:
            architecture = None
        if architecture and _loads_well(cipher, architecture):
            return architecture
    return Architecture.choose(cipher, radix=radix, load_width=load_width, options=options)
