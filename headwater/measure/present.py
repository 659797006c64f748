# SPDX-License-Identifier: Apache-2.0
"""Which stored results are of the ciphers that there are now.

The description of a cipher from outside changes under the same name while it is designed. What was
measured of another description stays in the store, but is no figure of the cipher.
"""

from __future__ import annotations

from headwater.cipher.catalogue import find
from headwater.cipher.outside import is_from_outside
from headwater.errors import HeadwaterError
from headwater.measure.record import Record
from headwater.measure.replicate import point_of
from headwater.measure.store import Result, Store
from headwater.measure.target import TARGETS


def present(results: list[Result], store: Store) -> list[Result]:
    """The results without those of other descriptions of ciphers from outside, which are to be
    evaluated again."""
    return [one for one in results if _is_present(one, store)]


def present_systems(results: list[Result]) -> list[Result]:
    """The same of systems, which are to be simulated again."""
    return [
        one
        for one in results
        if not is_from_outside(one.record["cipher"]) or _is_described(one.record)
    ]


def _is_described(record: Record) -> bool:
    """Whether a record is of the description that its cipher has now."""
    return bool(record.get("description") == find(record["cipher"]).digest)


def _is_present(result: Result, store: Store) -> bool:
    record = result.record
    if not is_from_outside(record["cipher"]) or record["target"] not in TARGETS:
        return True
    if "description" in record:
        return _is_described(record)
    try:  # A record without: of the reference, or an older one.
        known = store.known(point_of(record, TARGETS[record["target"]]))
    except HeadwaterError:  # The cipher has no such options any more, or a library is not here.
        return False
    return known is not None and known.id == result.id
