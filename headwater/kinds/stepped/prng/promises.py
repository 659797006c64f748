# SPDX-License-Identifier: Apache-2.0
"""What a source of random bits promises: assertions on its ports and registers in SystemVerilog.

They are written on the signals of `emit/templates/prng_properties.sv`, so that users' tools read
the very text that is proven here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Promise:
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
        three cycles from some point of the setup; one that breaks another promise, from some
        content of the registers.
    """

    name: str
    meaning: str
    when: str
    then: str
    of_setup: bool = False


def promises(parts: int, *, state_port: bool = False) -> tuple[Promise, ...]:
    """All of a source whose seed words have so many parts, with a port of the state or not.
    ``was_write``, ``was_resume`` and ``before_resume`` are zero without one, and ``was_emptied``
    where a reset and a restart leave the state as it is."""
    return _of_setup(parts) + _OF_EVERY_CYCLE + (_OF_STATE_PORT if state_port else ())


def _of_setup(parts: int) -> tuple[Promise, ...]:
    """Those of the control, from the first seed word on."""
    return (
        Promise(
            KNOWN, "the registers of the control are in step with the setup; the induction of the "
            "others rests on this",
            "followed", "in_step", of_setup=True,
        ),
        Promise(
            "seeded", "no bits are offered before a whole seed was taken and the setup is over",
            "followed && prng_valid", "!seeding && over", of_setup=True,
        ),
        Promise(
            "in_time", "bits are offered from the cycle on in which the setup must be over",
            "followed && over", "prng_valid", of_setup=True,
        ),
        Promise(
            "stays", "offered bits stay offered until a reset or restart",
            "followed && spec_age >= 1 && was_valid && !ended", "prng_valid", of_setup=True,
        ),
        Promise(
            "reseeds", f"while bits are offered, a seed word is taken within {parts} "
            f"cycle{'s' * (parts > 1)}",
            "followed && refuses", f"spec_refused + 16'd1 < {parts}", of_setup=True,
        ),
    )  # fmt: skip


_OF_EVERY_CYCLE = (
    Promise(
        "restarts", "after a reset or restart nothing is offered, and there is no error",
        "spec_age >= 1 && ended", "!prng_valid && !error",
    ),
    Promise(
        "deaf", "no seed word is taken in a restart, or while a reset acts at once",
        "closed", "!seed_ready",
    ),
    Promise(
        "holds", "the bits stay as they are until they are asked for",
        "spec_age >= 1 && &was_offered && !was_en && !was_write", "prng == was_prng",
    ),
    Promise(
        "rests", "no bit of the state moves without en and seed word, if it was not locked up",
        "spec_age == 2 && &was_offered && !was_en && !was_seed_valid && before_zero == 0 && "
        "!was_emptied",
        "&unmoved",
    ),
    Promise(
        "leaves", "registers locked up at zero are not zero two cycles later",
        "followed && spec_age == 2 && !ended && !was_write && !before_resume",
        "(zero & before_zero & was_offers) == 0",
        of_setup=True,
    ),
    Promise(
        "tells", "registers locked up at zero cause an error two cycles later",
        "spec_age == 2 && (before_zero & was_offers) != 0 && !ended && !before_resume", "error",
    ),
    Promise(
        "truthful", "nothing else causes an error",
        "spec_age == 2 && error && !was_error && !was_resume",
        "(before_zero & was_offers) != 0",
    ),
    Promise(
        "warns", "an error stays until a reset or restart",
        "spec_age >= 1 && was_error && !ended", "error",
    ),
)  # fmt: skip
"""Those of resets, bits and faults."""


_OF_STATE_PORT = (
    Promise(
        "reads", "each word that is asked for is that of the registers",
        "1'b1", "state_out == asked",
    ),
    Promise(
        "writes", "a word that was written is in the registers",
        "spec_age >= 1 && was_write",
        "((written ^ was_state_in) & written_mask) == 0",
    ),
    Promise(
        "resumes", "bits and error are there in the cycle after the last word is written",
        "spec_age >= 1 && was_resume && !ended", "prng_valid && (error || !was_state_in[1])",
    ),
)  # fmt: skip

KNOWN = "known"
"""The invariant that the induction of every other promise may use."""
