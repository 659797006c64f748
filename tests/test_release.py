# SPDX-License-Identifier: Apache-2.0
"""What is published: the wheel works without the checkout, and a release says what is new."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
import yaml
from command_line import FIRST_BYTES, KEYSTREAM

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tools"))

from release_notes import CHANGELOG, notes, project_version  # noqa: E402

LOG = """# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-01

- New.

## [0.1.0]

- Old.

[0.2.0]: https://example.org
"""


def test_release_notes() -> None:
    assert notes(LOG, "0.2.0") == "- New."
    assert notes(LOG, "0.1.0") == "- Old."
    assert "### Added" in notes(CHANGELOG.read_text(), project_version())


@pytest.mark.parametrize("version", ["0.3.0", "0x2.0", "Unreleased"])
def test_release_without_notes_is_refused(version: str) -> None:
    with pytest.raises(SystemExit, match="must have a section"):
        notes(LOG, version)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from what is tracked, or would be: nothing else of the folder gets in."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, source],
        check=True,
        cwd=folder,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.slow
def test_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("headwater/")}
    files = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "headwater").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == files


@pytest.mark.slow
def test_wheel_works_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """In an environment of its own. What it depends on is taken from this one, to save time."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "clean"], check=True)
    python = tmp_path / "clean" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", wheel], check=True)
    (packages,) = (tmp_path / "clean").glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))

    def printed(*words: str) -> str:
        command = [python.with_name("headwater"), *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={})
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = "import headwater.cli; print(headwater.__file__)"
    found = subprocess.run(
        [python, "-c", where], capture_output=True, text=True, cwd=tmp_path, env={}, check=True
    ).stdout
    assert found.startswith(str(tmp_path))
    assert "trivium" in printed("list")
    assert "registers" in printed("show", "trivium")
    assert printed(*KEYSTREAM, "--bits", "64") == f"{FIRST_BYTES}\n"
    assert "vectors" in printed("verify", "trivium", "--engine", "model")
    assert printed("--version") == f"headwater {project_version()}\n"


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda one: one.name
)
def test_workflows_and_templates_name_what_exists(path: Path) -> None:
    text = path.read_text()
    assert isinstance(yaml.safe_load(text), dict)
    for name in re.findall(r"(?:tools|\.ci)/[\w.]+", text):
        assert (ROOT / name).is_file()


def test_image_has_what_the_demo_needs() -> None:
    wanted = re.findall(r"^  \[([^]]+)\]=", (ROOT / "tools/install.sh").read_text(), re.MULTILINE)
    image = (ROOT / "Dockerfile").read_text().split()
    assert len(wanted) >= 5
    assert set(wanted) <= set(image)
