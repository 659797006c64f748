# SPDX-License-Identifier: Apache-2.0
"""What a vector file holds: its vectors by algorithm, and the ciphers of the catalogue they fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from headwater.cipher.catalogue import CATALOGUE
from headwater.errors import InputError
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine
from headwater.verify.published.algorithms import catalogued
from headwater.verify.published.case import Case
from headwater.verify.published.formats import OWN, cases_of, format_of
from headwater.verify.published.source import Source
from headwater.verify.vector_files import checked_case


@dataclass(frozen=True)
class Holding:
    """The vectors of one algorithm in a file.

    Members
    -------
    format : str
    algorithm : str
        As the file names it; empty if it does not.
    ciphers : tuple of str
        Those of the catalogue that have the name; where the file names none, those whose model
        makes the first vector.
    count : int
    valid, invalid, acceptable : int
    key_bits, iv_bits : tuple of int
        Lengths that there are, ascending.
    """

    format: str
    algorithm: str
    ciphers: tuple[str, ...]
    count: int
    valid: int
    invalid: int
    acceptable: int
    key_bits: tuple[int, ...]
    iv_bits: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """The holding as plain data."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in vars(self).items()
        }


def holdings(source: Source) -> list[Holding]:
    """What the file holds, an entry for each algorithm in the order of the file."""
    shape = format_of(source)
    if shape is None:
        return [_own(source)]
    cases = cases_of(source, shape)
    return [
        _holding(shape.name, algorithm, [case for case in cases if case.algorithm == algorithm])
        for algorithm in dict.fromkeys(case.algorithm for case in cases)
    ]


def _holding(shape: str, algorithm: str, cases: Sequence[Case]) -> Holding:
    results = Counter(case.result for case in cases)
    whole = [case for case in cases if case.key]
    if algorithm:
        ciphers = tuple(filter(None, [catalogued(algorithm)]))
    else:
        ciphers = tuple(_fitting(next(case for case in cases if case.result == "valid")))
    return Holding(
        shape,
        algorithm,
        ciphers,
        len(cases),
        results["valid"],
        results["invalid"],
        results["acceptable"],
        _lengths([case.key for case in whole]),
        _lengths([case.iv for case in whole]),
    )


def _lengths(values: Sequence[bytes]) -> tuple[int, ...]:
    return tuple(sorted({8 * len(value) for value in values}))


def _fitting(case: Case) -> Iterator[str]:
    """The ciphers whose model makes a vector; one that reads the files of another, which is before
    it in the catalogue, is left out."""
    for cipher in CATALOGUE.values():
        if any(name in CATALOGUE for name in cipher.vector_names):
            continue
        try:
            parts = checked_case(case, cipher)
        except InputError:
            continue
        records = [check_vectors(part, ModelEngine(part.cipher)) for part in parts]
        if any(record.passed for record in records) and not any(one.failed for one in records):
            yield cipher.name


def _own(source: Source) -> Holding:
    """What a file of the project's own holds."""
    content = source.content
    try:
        entries, name = content["vectors"], str(content["cipher"])
        results = Counter(str(entry.get("result", "valid")) for entry in entries)
        keys = tuple(sorted({entry["key_bits"] for entry in entries if "key_bits" in entry}))
        ivs = tuple(sorted({entry["iv_bits"] for entry in entries if "iv_bits" in entry}))
    except KeyError as error:
        raise InputError(
            f"vector file {source.path} must have {error.args[0]!r}, but has none"
        ) from error
    except (TypeError, AttributeError) as error:
        raise InputError(
            f"vector file {source.path} is not of the vector format: {error}"
        ) from error
    known = catalogued(name)
    return Holding(
        OWN,
        name,
        (known,) if known else (),
        len(entries),
        results["valid"],
        results["invalid"],
        results["acceptable"],
        keys,
        ivs,
    )
