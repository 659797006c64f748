# SPDX-License-Identifier: Apache-2.0
"""A kind from outside: the example, its proofs, what its sources count for, and wrong packages."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "counter_mode"
PACKAGE = "headwater_counter_mode"
FILE = Path(PACKAGE) / "speck.py"


def copied(folder: Path) -> dict[str, str]:
    """The environment of a user who has installed a copy of the example."""
    folder.mkdir()
    shutil.copytree(EXAMPLE / PACKAGE, folder / PACKAGE)
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    metadata = folder / f"{PACKAGE}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    (metadata / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
            for group, entries in project["entry-points"].items()
        )
    )
    before = os.environ.get("PYTHONPATH")
    path = os.pathsep.join(filter(None, (str(folder), before)))
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def run(environment: dict[str, str], *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def printed(environment: dict[str, str], *words: str | Path) -> str:
    done = run(environment, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_vectors_and_proofs(tmp_path: Path) -> None:
    """The vector is that of the paper's block cipher: the IV is the plaintext, the first block of
    keystream the ciphertext."""
    words = ("-m", "headwater", "verify", "speck64_ctr", "--prove", "--json")
    records = json.loads(printed(copied(tmp_path / "site"), *words))
    assert not [one for one in records if one["failed"] or one["skipped"] or not one["passed"]]
    engines = [one["engine"] for one in records if one["check"] == "vectors"]
    assert engines == ["model", "rtl", "c"]
    proofs = {one["check"] for one in records if one["check"].startswith("proof")}
    assert len(proofs) == 8


COUNTED = """
from headwater_counter_mode.kind.model import CounterModeModel
from headwater_counter_mode.speck import SPECK64_CTR

key, iv = bytes(range(16)), bytes([254] + 7 * [255])
words = CounterModeModel(SPECK64_CTR, key=key, iv=iv).read(64 * 4)
blocks = [CounterModeModel(SPECK64_CTR, key=key, iv=start.to_bytes(8, "little")).read(64)
          for start in (2**64 - 2, 2**64 - 1, 0, 1)]
assert words == b"".join(blocks)
"""


def test_the_counter_goes_round(tmp_path: Path) -> None:
    printed(copied(tmp_path / "site"), "-c", COUNTED)


IDENTITIES = """
from headwater.measure.identity import rtl_identity
from headwater.core.architecture import Architecture
from headwater.kinds.registry import kind, kind_of, kinds
from headwater_counter_mode.speck import SPECK64_CTR

assert kinds()["counter_mode"] == "headwater_counter_mode.kind"
assert kind("counter_mode") is kind_of(SPECK64_CTR)
print(SPECK64_CTR.digest, rtl_identity(SPECK64_CTR, Architecture.choose(SPECK64_CTR)))
"""


def test_hashes_cover_the_sources_of_the_kind(tmp_path: Path) -> None:
    """The description's hash covers the class and the round, that of the Verilog also the core."""
    environment = copied(tmp_path / "site")
    first = printed(environment, "-c", IDENTITIES).split()
    assert printed(environment, "-c", IDENTITIES).split() == first
    place = tmp_path / "site" / PACKAGE
    changes = {
        "kind/core.py": (False, True),
        "kind/description.py": (True, True),
        "speck.py": (True, True),
        "kind/properties.py": (False, False),
    }
    for name, changed in changes.items():
        text = (place / name).read_text()
        (place / name).write_text(f"{text}\nCHANGED = 1\n")
        found = printed(environment, "-c", IDENTITIES).split()
        assert tuple(one != other for one, other in zip(found, first, strict=True)) == changed, name
        (place / name).write_text(text)


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        (
            "record.py",
            "KIND = 1\n",
            "headwater_counter_mode.kind.record must offer its kind as KIND, not 1",
        ),
        (
            "record.py",
            None,
            (
                "kind of a description must be a package with record.py beside the class that "
                "names the kind, not headwater_counter_mode.kind"
            ),
        ),
    ],
)
def test_wrong_packages(tmp_path: Path, file: str, text: str | None, expected: str) -> None:
    environment = copied(tmp_path / "site")
    place = tmp_path / "site" / PACKAGE / "kind" / file
    if text is None:
        place.unlink()
    else:
        place.write_text(text)
    done = run(environment, "-m", "headwater", "generate", "speck64_ctr", "-o", tmp_path / "build")
    assert done.returncode == 2, done.stderr
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "build").exists()
