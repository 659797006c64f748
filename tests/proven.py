# SPDX-License-Identifier: Apache-2.0
"""Properties of cores that are proven, for tests of many kinds."""

from __future__ import annotations

from collections.abc import Collection

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.verify.proof import prove


def assert_proven(cipher: Cipher, architecture: Architecture, names: Collection[str]) -> None:
    """That a core has these properties, and they are proven."""
    records = prove(cipher, architecture, only=names)
    assert {record.check for record in records} == {f"proof of {name}" for name in names}
    assert [line for record in records for line in record.failures] == []
