# SPDX-License-Identifier: Apache-2.0
"""What each property of a core compares it with, and how it is proven."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.kinds.registry import facts_of, kind_of, properties_of
from headwater.kinds.stepped.prng.properties import KNOWN, properties_of_source
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.verify.vector_files import own_files

VECTORS = "vectors"
"""What stands in the place of a property where the evidence is published vectors."""
CYCLES = "cycles"
"""The same where the evidence is a comparison with the model in simulation."""


_OF_A_SOURCE = "the registers of the control in each cycle of a setup, on which the others rest"


@dataclass(frozen=True)
class Evidence:
    """One property of a core, or its vectors; all members are words."""

    property: str
    against: str
    """See `headwater.prove.reading.Reading`."""
    what: str
    method: str
    meaning: str
    by_hand: str = ""
    """Why its proof has invariants that somebody wrote; empty if it has none."""


def evidence(cipher: Cipher, architecture: Architecture) -> list[Evidence]:
    """One for each property that a core of this architecture has, and one for the published
    vectors of its cipher, if it has any."""
    formed = kind_of(cipher).formed(cipher, architecture)
    facts = facts_of(cipher, architecture)
    rows = [
        Evidence(
            one.name,
            one.reading.against,
            one.reading.what,
            one.method(facts),
            one.meaning,
            one.by_hand,
        )
        for one in properties_of(formed, architecture)
    ]
    if own_files(cipher):
        rows.append(
            Evidence(
                VECTORS,
                "independent",
                "published values",
                "simulation, registers random at power-up",
                "what leaves the core is what others have published",
            )
        )
    return rows


def evidence_of_source(shape: PrngShape) -> list[Evidence]:
    """One for each property of a source of random bits, and one for the cycles that are compared
    with its model."""
    rows = [
        Evidence(
            one.name,
            "independent",
            f"{one.then}, where {one.when}",
            "induction on the delivered Verilog",
            one.meaning,
            _OF_A_SOURCE * (one.name == KNOWN),
        )
        for one in properties_of_source(shape)
    ]
    rows.append(
        Evidence(
            CYCLES,
            "description",
            "the model, cycle by cycle, in Verilog and in C",
            "simulation, enables and seeds random",
            "every port is as in the model",
        )
    )
    return rows
