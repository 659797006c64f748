# SPDX-License-Identifier: Apache-2.0
"""Promises of cores that are proven, for tests of many kinds."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pytest

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.kinds.registry import mutants_of
from headwater.verify.proof import prove


def assert_proven(cipher: Cipher, architecture: Architecture, names: Collection[str]) -> None:
    """That a core keeps these promises, and that there are mutants of each, all of them refuted."""
    broken = set()

    def noted(promise: str, cipher: Cipher, architecture: Architecture) -> Iterator[Core]:
        for mutant in mutants_of(promise, cipher, architecture):
            broken.add(promise)
            yield mutant

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("headwater.verify.proof.mutants_of", noted)
        records = prove(cipher, architecture, only=names)
    assert {record.check for record in records} == {f"proof of {name}" for name in names}
    assert [line for record in records for line in record.failures] == []
    assert broken == set(names)
