# SPDX-License-Identifier: Apache-2.0
"""What holds for every test."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from generated import pytest_configure, pytest_unconfigure  # noqa: F401
from needs import OSU018
from small_library import write_library
from small_technology import small_technology

from headwater.flow.guard import arm
from headwater.flow.layout.technology import Technology
from headwater.flow.liberty import Library, load_library
from headwater.measure.store import Store, open_store

# A run of tests may be killed, too.
arm()

pytest_plugins = ["durations", "limited", "pytester", "skipped"]


def pytest_collection_finish() -> None:
    """Garbage collection leaves out the collected tests."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def store_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test has a store of its own, leaves the user's alone, and has no reference."""
    path = tmp_path / "store" / "results.sqlite"
    monkeypatch.setenv("HEADWATER_STORE", str(path))
    monkeypatch.setenv("HEADWATER_REFERENCE", "none")
    return path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty one."""
    with open_store(tmp_path / "results.sqlite") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where tools work."""
    work = tmp_path / "work"
    work.mkdir()
    return work


@pytest.fixture
def tiny(tmp_path: Path) -> Library:
    """A library of few cells."""
    return load_library(write_library(tmp_path))


@pytest.fixture
def osu018() -> Library:
    """The library of the Debian package."""
    return load_library(OSU018)


@pytest.fixture
def technology(tmp_path: Path) -> Technology:
    """A technology of a few cells."""
    return small_technology(tmp_path)
