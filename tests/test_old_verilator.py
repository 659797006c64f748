# SPDX-License-Identifier: Apache-2.0
"""Cores in the Verilator that Debian 12 has, with every warning."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from needs import needs_debian_verilator

from headwater.cli.main import main
from headwater.errors import ToolError

sys.path.append(str(Path(__file__).parents[1] / "tools"))

from matrix_rows import MEMBERS
from matrix_verilator import VERILATORS

pytestmark = [needs_debian_verilator, pytest.mark.real]


def core_of(words: str, folder: Path) -> Path:
    """The file of a core."""
    assert main(["generate", *words.split(), "-o", str(folder)]) == 0
    (core,) = folder.glob("*.v")
    return core


def lint(core: Path) -> None:
    """Raises `ToolError` with a warning."""
    VERILATORS[0].lint(core.stem, [core.name], "1364-2001", core.parent)


@pytest.mark.parametrize("words", [*MEMBERS, "grain128aeadv2", "chacha20", "moustique"])
def test_no_core_has_a_warning(words: str, tmp_path: Path) -> None:
    lint(core_of(words, tmp_path))


def test_words_that_depend_on_themselves_are_marked(tmp_path: Path) -> None:
    core = core_of("mosquito", tmp_path)
    text = core.read_text()
    assert text.count("lint_off UNOPTFLAT") == text.count("lint_on UNOPTFLAT") == 1
    core.write_text(text.replace("  // verilator lint_off UNOPTFLAT\n", ""))
    with pytest.raises(ToolError, match="UNOPTFLAT"):
        lint(core)
