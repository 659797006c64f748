# SPDX-License-Identifier: Apache-2.0
"""What is promised to those who check the artifact: commands, locked packages, citation."""

from __future__ import annotations

import re
import shlex
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from headwater.cli.main import main
from headwater.cli.parser import build_parser

ROOT = Path(__file__).parents[1]
ARTIFACT = (ROOT / "ARTIFACT.md").read_text(encoding="utf-8")
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ headwater (.*)$", ARTIFACT, re.MULTILINE)
LOCKED = dict(re.findall(r"^([a-z0-9-]+)==([^ ]+) \\$", LOCK, re.MULTILINE))


def test_each_claim_has_its_command() -> None:
    claims = re.findall(r"^\*\*[CRV]\d\. ", ARTIFACT, re.MULTILINE)
    assert len(COMMANDS) == len(claims) - 1  # The last one is a target of make.


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_are_ones(command: str) -> None:
    build_parser().parse(shlex.split(command))


@pytest.mark.parametrize(
    "command",
    [one for one in COMMANDS if one.endswith(("grain --stored", "--dry-run", "ecp5-25k"))],
)
def test_what_takes_seconds_needs_no_tool(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEADWATER_REFERENCE")
    for name in ("HEADWATER_PDK_ROOT", "PDK_ROOT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "")
    assert main(shlex.split(command)) == 0


def test_locked_packages_are_those_that_the_package_wants() -> None:
    assert LOCKED
    wanted = [Requirement(one) for one in requires("headwater") or ()]
    chosen = [
        one
        for one in wanted
        if one.marker is None
        or any(one.marker.evaluate({"extra": extra}) for extra in ("codesign", "fpga", "report"))
    ]
    for one in chosen:
        assert one.specifier.contains(LOCKED[one.name.lower()]), one.name


def test_every_locked_file_has_its_hash_and_no_place() -> None:
    entries = re.split(r"^(?=[a-z0-9])", LOCK, flags=re.MULTILINE)
    assert all("--hash=sha256:" in entry for entry in entries if "==" in entry)
    assert not re.search(r"https?:|--index|--find-links", LOCK)


def test_citation_is_of_this_package() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for line in ("cff-version: 1.2.0", "license: Apache-2.0", "type: software"):
        assert line in citation.splitlines()
