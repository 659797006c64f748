# SPDX-License-Identifier: Apache-2.0
"""The studies by name. The plan of each is the file of its name beside this one."""

from __future__ import annotations

from typing import Any

from headwater.errors import unknown
from headwater.report.study.cores import CoreStudy
from headwater.report.study.masked import MaskedStudy
from headwater.report.study.sources import SourceStudy
from headwater.report.study.study import Study
from headwater.report.study.variants import VariantStudy


def study_of(name: str) -> Study[Any]:
    """The study of that name; an error that lists all names if there is none."""
    if name not in STUDIES:
        raise unknown("study", name, STUDIES)
    return STUDIES[name]


_NO_GATES = "No variant has clock gates, as placement and layout have none."

_ALL: tuple[Study[Any], ...] = (
    SourceStudy(
        "masking-randomness",
        "Random bits for masked hardware",
        "What do so many random bits in each cycle cost, from which cipher, in how many cores?",
    ),
    CoreStudy(
        "authenticated-encryption",
        "Authenticated encryption",
        "What do a core and its messages cost, short and long ones, with which cipher?",
        figures=(
            *("LUT", "FF", "MHz", "Mbit/s", "setup cycles"),
            *("pJ/bit", "nJ/64 bit", "nJ/64 kbit"),
        ),
        note="Mbit/s and pJ/bit are of the text of a long message; the energy of a message of 64 "
        "bits or 64 kbit is that of the whole, with setup and tag. Options that are not named have "
        "their defaults.",
    ),
    CoreStudy(
        "throughput",
        "From small forms to fast ones",
        "How fast can a cipher be, at what area and energy?",
        figures=("LUT", "FF", "bits/cycle", "MHz", "Mbit/s", "setup cycles", "pJ/bit"),
        note="Figures are of the default form at each radix, and of the options that are named. "
        "Where streams=N, so many sessions take turns in one core, and Mbit/s are of all of them; "
        "each of them has its share. Of a cipher of messages Mbit/s and pJ/bit are of a long text.",
    ),
    VariantStudy(
        "energy",
        "Energy against bits per cycle",
        "Which number of bits per cycle takes the least energy for each bit?",
        figures=("GE", "pJ/bit", "glitches, % of dynamic power"),
        note=_NO_GATES,
        optimum="pJ/bit",
        published="Banik et al., Towards Low Energy Stream Ciphers (ToSC 2018), find the least "
        "energy of Trivium at 160 to 320 bits per cycle.",
    ),
    VariantStudy(
        "layouts",
        "Stages of standard cells",
        "What do wires and a clock tree change, estimated and routed?",
        figures=("GE", "MHz", "pJ/bit", "wire mm", "wire pF"),
        note=_NO_GATES,
    ),
    VariantStudy(
        "recipes",
        "Recipes of synthesis",
        "What does a portfolio of recipes gain over that of Yosys?",
        figures=("GE", "MHz", "smallest GE", "recipe"),
        note="All variants have clock gates.",
    ),
    MaskedStudy(
        "masked",
        "Cores in two shares",
        "What does first-order masking cost, with and without the source of its random bits?",
    ),
)

STUDIES = {one.name: one for one in _ALL}
