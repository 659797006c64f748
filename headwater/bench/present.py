# SPDX-License-Identifier: Apache-2.0
"""Which stored results are of the ciphers that there are now.

The description of a cipher from outside changes under the same name while it is designed. What was
measured of another description stays in the store, but is no figure of the cipher.
"""

from __future__ import annotations

from headwater.bench.replicate import point_of
from headwater.bench.store import Result, Store
from headwater.bench.target import TARGETS
from headwater.cipher.catalogue import find
from headwater.cipher.outside import is_from_outside
from headwater.errors import InputError


def present(results: list[Result], store: Store) -> list[Result]:
    """The results without those of other descriptions of ciphers from outside, which are to be
    evaluated again."""
    return [one for one in results if _is_present(one, store)]


def present_systems(results: list[Result]) -> list[Result]:
    """The same of systems, which are to be simulated again."""
    return [one for one in results if not is_from_outside(one.record["cipher"])
            or one.record.get("description") == find(one.record["cipher"]).digest]  # fmt: skip


def _is_present(result: Result, store: Store) -> bool:
    record = result.record
    if not is_from_outside(record["cipher"]) or record["target"] not in TARGETS:
        return True
    try:
        known = store.known(point_of(record, TARGETS[record["target"]]))
    except InputError:  # The cipher has no such options any more.
        return False
    return known is not None and known.id == result.id
