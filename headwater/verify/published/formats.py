# SPDX-License-Identifier: Apache-2.0
"""The formats of public vector files, and which one a file has: by its content, not its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from headwater.errors import InputError
from headwater.verify.published import acvp, estream, hash_kat, kat, named, rsp, wycheproof
from headwater.verify.published.case import Case
from headwater.verify.published.source import Source

OWN = "headwater"
"""The project's own format, JSON with the members cipher and kind."""


@dataclass(frozen=True)
class Format:
    """A format of vector files.

    Members
    -------
    name : str
    fits : Callable
        ``fits(source)``: whether a file has the format.
    read : Callable
        ``read(source)``: its vectors.
    """

    name: str
    fits: Callable[[Source], bool]
    read: Callable[[Source], Iterator[Case]]


FORMATS = (
    Format("acvp", acvp.fits, acvp.read),
    Format("wycheproof", wycheproof.fits, wycheproof.read),
    Format("estream", estream.fits, estream.read),
    Format("rsp", rsp.fits, rsp.read),
    Format("kat", kat.fits, kat.read),
    Format("hash-kat", hash_kat.fits, hash_kat.read),
    Format("named", named.fits, named.read),
)
"""Every format but the project's own; the first one that fits is taken."""


def format_of(source: Source) -> Format | None:
    """The format of a file; None where it is the project's own."""
    for one in FORMATS:
        if one.fits(source):
            return one
    if source.content is None:
        raise InputError(
            f"vector file {source.path} must be of one of the formats {OWN}, "
            f"{', '.join(one.name for one in FORMATS)}, but begins like none"
        )
    return None


def cases_of(source: Source, shape: Format) -> list[Case]:
    """All vectors of a file, none of which has the name of another."""
    try:
        if source.content is None and not source.text.endswith("\n"):
            lines = 1 + source.text.count("\n")
            raise InputError(
                f"line {lines}: the last line must end as the others do: the file may "
                "have been cut short"
            )
        cases = list(shape.read(source))
    except InputError as error:
        raise InputError(f"vector file {source.path}, {error}") from error
    if not cases:
        raise InputError(f"vector file {source.path} must hold a vector, but holds none")
    seen: set[str] = set()
    for case in cases:
        if case.name in seen:
            raise InputError(
                f"vector file {source.path}, line {case.line}: the name of a vector "
                f"must be one that no other has, not {case.name!r}"
            )
        seen.add(case.name)
    return cases
