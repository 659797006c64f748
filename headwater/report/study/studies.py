# SPDX-License-Identifier: Apache-2.0
"""The studies by name. The plan of each is the file of its name beside this one."""

from __future__ import annotations

from typing import Any

from headwater.errors import unknown
from headwater.report.study.messages import MessageStudy
from headwater.report.study.sources import SourceStudy
from headwater.report.study.study import Study


def study_of(name: str) -> Study[Any]:
    """The study of that name; an error that lists all names if there is none."""
    if name not in STUDIES:
        raise unknown("study", name, STUDIES)
    return STUDIES[name]


_ALL: tuple[Study[Any], ...] = (
    SourceStudy(
        "masking-randomness",
        "Random bits for masked hardware",
        "What do so many random bits in each cycle cost, from which cipher, in how many cores?",
    ),
    MessageStudy(
        "authenticated-encryption",
        "Authenticated encryption",
        "What do a core and its messages cost, short and long ones, with which cipher?",
    ),
)

STUDIES = {one.name: one for one in _ALL}
