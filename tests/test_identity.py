# SPDX-License-Identifier: Apache-2.0
"""Hashes of descriptions and figures cover what these depend on, and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headwater import sources
from headwater.cipher import digest
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.kinds.registry import facts_of, kind_of
from headwater.measure import identity
from headwater.measure.point import DesignPoint
from headwater.measure.target import find


@pytest.fixture(autouse=True)
def _nothing_is_remembered() -> None:
    for cached in (sources.imported, digest.without_prose, identity._sources):
        cached.cache_clear()


def edited(monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str) -> None:
    """Let a file of the package read as if a line of it were another one."""
    whole = sources.text(sources.PACKAGE / name)
    assert whole.count(old) >= 1, f"{name} has no {old!r}"

    def text(path: Path) -> str:
        found = path.read_text(encoding="utf-8")
        return found.replace(old, new, 1) if path == sources.PACKAGE / name else found

    monkeypatch.setattr(sources, "text", text)
    identity._sources.cache_clear()


def fresh(name: str) -> Cipher:
    """A cipher whose hash was never asked for."""
    return replace(CATALOGUE[name])


@pytest.mark.parametrize(
    ("cipher", "file", "old", "new"),
    [
        ("trivium", "cipher/trivium.py", "a(66)", "a(65)"),
        ("trivium", "cipher/trivium.py", "4 * 288", "5 * 288"),
        ("zuc", "cipher/zuc_sboxes.py", "0x3E", "0x3F"),
        ("eea3", "cipher/zuc_sboxes.py", "0x3E", "0x3F"),
        ("snow3g", "cipher/snow3g_sbox.py", "0x25", "0x26"),
        ("aes_ofb", "algebra/sbox.py", "0x63", "0x62"),
        ("vest4", "cipher/vest_tables.json", "1", "2"),
        ("mosquito", "kinds/self_synchronising/description.py", "(0, *iv)", "(1, *iv)"),
    ],
)
def test_digest_changes_with_what_the_description_is_made_of(
    monkeypatch: pytest.MonkeyPatch, cipher: str, file: str, old: str, new: str
) -> None:
    before = fresh(cipher).digest
    edited(monkeypatch, file, old, new)
    assert fresh(cipher).digest != before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("One clock (section 2.1)", "One clock"),
        ("unbroken at its", "holds at its"),
        ("Least significant bit first, as", "As"),
        ("from __future__", "# a comment\nfrom __future__"),
    ],
)
def test_digest_is_of_no_prose(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    before = fresh("trivium").digest
    edited(monkeypatch, "cipher/trivium.py", old, new)
    assert fresh("trivium").digest == before


def test_digests_of_ciphers_differ() -> None:
    digests = {cipher.digest for cipher in CATALOGUE.values()}
    assert len(digests) == len(CATALOGUE)


def figures_identity() -> str:
    cipher = fresh("trivium")
    at = DesignPoint(cipher, Architecture.choose(cipher), find("ecp5-25k"))
    return identity.point_identity(at, "rtl")


def rtl_identity() -> str:
    cipher = fresh("trivium")
    return identity.rtl_identity(cipher, Architecture.choose(cipher))


@pytest.mark.parametrize(
    "file",
    [
        "measure/fpga.py",
        "measure/stimulus.py",
        "flow/fpga/lattice.py",
        "kinds/stepped/facts.py",
        "kinds/stepped/model.py",
        "verify/transfer.py",
    ],
)
def test_identity_of_figures_covers_the_code_that_makes_them(
    monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    before = figures_identity()
    edited(monkeypatch, file, "annotations", "annotations ")
    assert figures_identity() != before


@pytest.mark.parametrize("file", ["emit/verilog.py", "core/naming.py", "kinds/stepped/core.py"])
def test_identity_of_verilog_covers_the_code_that_writes_it(
    monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    before = rtl_identity()
    edited(monkeypatch, file, "annotations", "annotations ")
    assert rtl_identity() != before


@pytest.mark.parametrize("name", CATALOGUE)
def test_identities_cover_all_that_makes_a_core_and_its_model(name: str) -> None:
    """Also where a kind has several classes of cores, facts and models."""
    cipher, kind = CATALOGUE[name], kind_of(CATALOGUE[name])
    architecture = Architecture.choose(cipher)
    facts = facts_of(cipher, architecture)
    making = covered(identity._made_by(cipher, architecture))
    assert files_of(kind.core_class(facts), type(facts)) <= making
    models = [made for made in (kind.keystream, kind.process) if made]
    measuring = covered(identity._measured_with(cipher))
    assert files_of(type(facts)) <= measuring
    assert {file for file in files_of(*models) if file.stem != "record"} <= measuring


def covered(starts: Sequence[str]) -> set[Path]:
    """The files that a hash covers which begins with these."""
    return sources.closure(sources.PACKAGE / start for start in starts)


def files_of(*made: Any) -> set[Path]:
    """The files of classes, with those that they inherit from, and of functions."""
    parts = [part for one in made for part in getattr(one, "__mro__", (one,))]
    named = (getattr(sys.modules[part.__module__], "__file__", None) for part in parts)
    paths = (Path(name).resolve() for name in named if name)
    return {path for path in paths if path.is_relative_to(sources.PACKAGE)}


def test_identities_are_not_of_what_only_shows_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    before = figures_identity(), rtl_identity()
    edited(monkeypatch, "report/table.py", "annotations", "annotations ")
    assert (figures_identity(), rtl_identity()) == before
