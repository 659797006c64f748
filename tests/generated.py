# SPDX-License-Identifier: Apache-2.0
"""The Verilog of each core of the catalogue is made once in a run of the tests.

Many tests ask for the same core, and making its Verilog takes most of the time of some. The first
that asks makes it, and leaves it in a folder that the processes of this run share and that ends
with it. `conftest` imports this module before any that generates Verilog.
"""

from __future__ import annotations

import os
import pickle
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit import verilog
from headwater.emit.verilog import Verilog

_FOLDER = "HEADWATER_TESTS_VERILOG"
_make = verilog.generate


class _Sharing:
    """Whether cores are taken from the folder, and put into it."""

    on = True


@lru_cache(maxsize=64)
def _shared(cipher: Cipher, architecture: Architecture) -> Verilog:
    whole = f"{cipher.name} {architecture!r}"
    path = Path(os.environ[_FOLDER]) / sha256(whole.encode()).hexdigest()
    if not path.exists():
        unfinished = path.with_name(f"{path.name}.{os.getpid()}")
        unfinished.write_bytes(pickle.dumps(_make(cipher, architecture)))
        unfinished.rename(path)
    found: Verilog = pickle.loads(path.read_bytes())
    return found


def generate(cipher: Cipher, architecture: Architecture, name: str | None = None) -> Verilog:
    """What `headwater.emit.verilog.generate` gives."""
    if name:
        return _make(cipher, architecture, name)
    return (_shared if _Sharing.on and _is_of_the_catalogue(cipher, architecture) else _make)(
        cipher, architecture
    )


def _is_of_the_catalogue(cipher: Cipher, architecture: Architecture) -> bool:
    known = CATALOGUE.get(cipher.name)
    return known is not None and (
        cipher is known or cipher == known.with_parameters(architecture.options)
    )


@contextmanager
def afresh() -> Iterator[None]:
    """What is generated here is made anew, and nobody else gets it: for cores that are broken."""
    _make.cache_clear()
    _Sharing.on = False
    try:
        yield
    finally:
        _Sharing.on = True
        _make.cache_clear()


verilog.generate = generate


def pytest_configure(config: pytest.Config) -> None:
    """The processes that share the tests inherit the folder from the first."""
    if not hasattr(config, "workerinput"):
        os.environ[_FOLDER] = tempfile.mkdtemp(prefix="headwater-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(_FOLDER))
