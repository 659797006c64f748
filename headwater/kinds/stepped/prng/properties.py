# SPDX-License-Identifier: Apache-2.0
"""The properties of a source of random bits: assertions on its ports and registers in
SystemVerilog.

They are written on the signals of `emit/templates/prng_properties.sv`, so that users' tools read
the very text that is proven here.
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater.kinds.stepped.prng.shape import PrngShape


@dataclass(frozen=True)
class SourceProperty:
    """An assertion at each clock edge.

    Members
    -------
    name : str
        Its label.
    meaning : str
        What it says.
    when, then : str
        Verilog expressions: ``then`` must hold in each cycle in which ``when`` does.
    of_setup : bool
        Whether it is about the progress of the setup. A source that breaks it is caught within
        three cycles from some point of the setup; one that breaks another property, from some
        content of the registers.
    """

    name: str
    meaning: str
    when: str
    then: str
    of_setup: bool = False


def properties(
    parts: int, *, state_port: bool = False, watched: bool = True, by_words: bool = False
) -> tuple[SourceProperty, ...]:
    """All of a source whose seed words have so many parts, with a port of the state or not, and
    watched for a state that is stuck at zero or not, this ``by_words`` or not. ``was_write``,
    ``was_resume`` and ``before_resume`` are zero without a port, and ``was_emptied`` where a reset
    and a restart leave the state as it is."""
    of_faults = (_OF_WORDS if by_words else _OF_FAULTS) if watched else ()
    of_port = _of_state_port(watched=watched) if state_port else ()
    return (
        _of_setup(parts) + _of_every_cycle(watched=watched, by_words=by_words) + of_faults + of_port
    )


def properties_of_source(shape: PrngShape) -> tuple[SourceProperty, ...]:
    """All of a source."""
    return properties(
        shape.parts,
        state_port=shape.state_port,
        watched=shape.watched,
        by_words=shape.by_words,
    )


def _of_setup(parts: int) -> tuple[SourceProperty, ...]:
    """Those of the control, from the first seed word on."""
    return (
        SourceProperty(
            KNOWN,
            "the registers of the control are in step with the setup; the induction of the "
            "others rests on this",
            "followed",
            "in_step",
            of_setup=True,
        ),
        SourceProperty(
            "seeded",
            "no bits are offered before a whole seed was taken and the setup is over",
            "followed && prng_valid",
            "!seeding && over",
            of_setup=True,
        ),
        SourceProperty(
            "in_time",
            "bits are offered from the cycle on in which the setup must be over",
            "followed && over",
            "prng_valid",
            of_setup=True,
        ),
        SourceProperty(
            "stays",
            "offered bits stay offered until a reset or restart",
            "followed && spec_age >= 1 && was_valid && !ended",
            "prng_valid",
            of_setup=True,
        ),
        SourceProperty(
            "reseeds",
            f"while bits are offered, a seed word is taken within {parts} cycle{'s' * (parts > 1)}",
            "followed && refuses",
            f"spec_refused + 16'd1 < {parts}",
            of_setup=True,
        ),
    )


def _of_every_cycle(*, watched: bool, by_words: bool) -> tuple[SourceProperty, ...]:
    """Those of resets and bits."""
    no_error, says = (" && !error", ", and there is no error") if watched else ("", "")
    moves, unless = ("before_zero == 0 && ", ", if it was not locked up") if watched else ("", "")
    if by_words:
        moves, unless = "!error && !ended && ", ", if there is no error"
    return (
        SourceProperty(
            "restarts",
            f"after a reset or restart nothing is offered{says}",
            "spec_age >= 1 && ended",
            f"!prng_valid{no_error}",
        ),
        SourceProperty(
            "deaf",
            "no seed word is taken in a restart, or while a reset acts at once",
            "closed",
            "!seed_ready",
        ),
        SourceProperty(
            "holds",
            "the bits stay as they are until they are asked for",
            "spec_age >= 1 && &was_offered && !was_en && !was_write",
            "prng == was_prng",
        ),
        SourceProperty(
            "rests",
            f"no bit of the state moves without en and seed word{unless}",
            f"spec_age == 2 && &was_offered && !was_en && !was_seed_valid && {moves}!was_emptied",
            "&unmoved",
        ),
    )


_OF_FAULTS = (
    SourceProperty(
        "leaves",
        "registers locked up at zero are not zero two cycles later",
        "followed && spec_age == 2 && !ended && !was_write && !before_resume",
        "(zero & before_zero & was_offers) == 0",
        of_setup=True,
    ),
    SourceProperty(
        "tells",
        "registers locked up at zero cause an error two cycles later",
        "spec_age == 2 && (before_zero & was_offers) != 0 && !ended && !before_resume",
        "error",
    ),
    SourceProperty(
        "truthful",
        "nothing else causes an error",
        "spec_age == 2 && error && !was_error && !was_resume",
        "(before_zero & was_offers) != 0",
    ),
    SourceProperty(
        "warns",
        "an error stays until a reset or restart",
        "spec_age >= 1 && was_error && !ended",
        "error",
    ),
)
"""Those of a state that is stuck at zero."""

_WARNS = _OF_FAULTS[-1]

_OF_WORDS = (
    SourceProperty(
        "leaves",
        "registers locked up at zero that have made three words are not zero two cycles later",
        "followed && spec_age == 2 && !ended && !before_ended",
        "(zero & was_zero & before_full) == 0",
        of_setup=True,
    ),
    SourceProperty(
        "tells",
        "registers locked up at zero cause an error two cycles after they have made three words",
        "followed && spec_age == 2 && before_full != 0 && !ended && !before_ended",
        "error",
        of_setup=True,
    ),
    SourceProperty(
        "truthful",
        "nothing but two words of zeros in a row causes an error",
        "followed && spec_age == 2 && error && !was_error",
        "before_gone != 0",
        of_setup=True,
    ),
    _WARNS,
)
"""The same where the words of a state of zeros are watched."""


def _of_state_port(*, watched: bool) -> tuple[SourceProperty, ...]:
    """Those of the port of the state."""
    error, and_error = (" && (error || !was_state_in[1])", " and error") if watched else ("", "")
    return (
        SourceProperty(
            "reads",
            "each word that is asked for is that of the registers",
            "1'b1",
            "state_out == asked",
        ),
        SourceProperty(
            "writes",
            "a word that was written is in the registers",
            "spec_age >= 1 && was_write",
            "((written ^ was_state_in) & written_mask) == 0",
        ),
        SourceProperty(
            "resumes",
            f"bits{and_error} are there in the cycle after the last word is written",
            "spec_age >= 1 && was_resume && !ended",
            f"prng_valid{error}",
        ),
    )


KNOWN = "known"
"""The invariant that the induction of every other property may use."""
