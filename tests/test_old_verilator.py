# SPDX-License-Identifier: Apache-2.0
"""What is delivered works in the Verilator that Debian 12 has."""

from __future__ import annotations

from pathlib import Path

import pytest
from needs import needs_debian_verilator
from old_verilator import printed_by_bench, warned
from test_strict import MEMBERS, generated

pytestmark = [needs_debian_verilator, pytest.mark.real]


@pytest.mark.parametrize(
    "words", ["grain128aead --interface bus", "mosquito --radix 1 --interface bus"]
)
def test_a_text_goes_in(words: str, tmp_path: Path) -> None:
    """It once read a bit of a parameter, which an unsized number was given, as zero: writes of key
    and IV then were text."""
    files = generated(f"{words} --package", tmp_path)
    (bench,) = [path for path in files if path.name.endswith("_tb.sv")]
    rtl = [path for path in files if not path.stem.endswith("_tb")]
    assert printed_by_bench(bench.stem, [*rtl, bench], tmp_path).startswith("PASS: ")


@pytest.mark.parametrize("name", [*MEMBERS.values(), "moustique"])
def test_no_core_has_a_warning(name: str, tmp_path: Path) -> None:
    (core,) = generated(name, tmp_path)
    assert warned(core.stem, [core]) == ""


def test_words_that_depend_on_themselves_are_marked(tmp_path: Path) -> None:
    (core,) = generated("mosquito", tmp_path)
    text = core.read_text()
    assert text.count("lint_off UNOPTFLAT") == text.count("lint_on UNOPTFLAT") == 1
    core.write_text(text.replace("  // verilator lint_off UNOPTFLAT\n", ""))
    assert "UNOPTFLAT" in warned(core.stem, [core])
