# SPDX-License-Identifier: Apache-2.0
"""What holds of Python while a circuit is made."""

from __future__ import annotations

import gc
import sys

import pytest

from headwater import python_limits


def nested(levels: int) -> int:
    return 1 + nested(levels - 1) if levels else 0


def test_a_circuit_may_be_nested_deeply_and_no_garbage_is_looked_for() -> None:
    before = sys.getrecursionlimit(), gc.isenabled()
    with pytest.raises(RecursionError):
        nested(20_000)
    with python_limits.for_circuits():
        assert nested(20_000) == 20_000
        assert not gc.isenabled()
        with python_limits.for_circuits():
            pass
        assert not gc.isenabled()
    assert (sys.getrecursionlimit(), gc.isenabled()) == before


def test_an_error_leaves_nothing_behind() -> None:
    before = sys.getrecursionlimit(), gc.isenabled()
    with pytest.raises(KeyError), python_limits.for_circuits():
        raise KeyError
    assert (sys.getrecursionlimit(), gc.isenabled()) == before
