# SPDX-License-Identifier: Apache-2.0
"""The documents as a site: what is generated for it, and that its guides run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Capture

import headwater as hw
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.trivium import TRIVIUM
from headwater.cli.main import main
from headwater.cli.parser import VERBS

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tools"))

import cipher_page  # noqa: E402
import site_pages  # noqa: E402

START = (ROOT / "docs" / "start.md").read_text()
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.py"))


@pytest.mark.parametrize(
    ("text", "document", "site", "expected"),
    [
        ("[a](docs/cores.md#loading)", "README.md", "index.md", "[a](cores.md#loading)"),
        ("![a](docs/figures/b.svg)", "README.md", "index.md", "![a](figures/b.svg)"),
        ("[a](headwater/cipher/a51.py) b", "README.md", "index.md", "a b"),
        ("[a](../CONTRIBUTING.md)", "docs/cores.md", "cores.md", "[a](CONTRIBUTING.md)"),
        ("[a](../cores.md)", "docs/ciphers/a51.md", "ciphers/a51.md", "[a](../cores.md)"),
        ("[a](https://b) [c](#d)", "README.md", "index.md", "[a](https://b) [c](#d)"),
    ],
)
def test_links(text: str, document: str, site: str, expected: str) -> None:
    assert site_pages.with_links(text, document, site) == expected


def test_page_of_a_cipher() -> None:
    charts = site_pages.cipher_charts("trivium")
    assert [chart.name for chart in charts] == [
        "area-throughput",
        "area-throughput-cells",
        "energy-radix",
    ]
    page = site_pages.cipher_page(hw.cipher("trivium"), charts)
    assert page.startswith("# Trivium\n")
    assert re.findall("^## (.*)", page, re.MULTILINE) == [
        "Data sheet",
        "Security",
        "Registers and taps",
        "Properties",
        "Measured figures",
        "Behind a processor",
        "Verilog at radix 1",
    ]
    assert "## Measured figures\n\n![Area against throughput, FPGA](trivium-area-" in page
    assert "module trivium_r1" in page
    assert page.endswith("endmodule\n```\n")


def test_long_verilog_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_pages, "_SHORT", 50)
    page = site_pages.cipher_page(hw.cipher("trivium"), [])
    assert "## Verilog at radix 1\n\nIts ports; it has " in page
    assert page.endswith("  input  wire          clear\n);\n```\n")


def test_every_option_is_explained() -> None:
    page = site_pages.options()
    for cipher in CATALOGUE.values():
        for option in cipher.choices:
            assert f"## `{option.name}`" in page
            assert option.advice in page


def test_every_command_is_listed() -> None:
    page = site_pages.commands()
    assert re.findall("^## headwater (.*)", page, re.MULTILINE) == list(VERBS)
    assert "### headwater results export" in page
    assert "| `--target` |" in page
    assert "| `cipher` | a name that" in page
    without_meaning = re.findall(r"^\| (.*) \|  \|$", page, re.MULTILINE)
    assert without_meaning == []


def test_every_public_name_is_in_the_reference() -> None:
    found = re.findall(r"^::: ([\w.]+)$", site_pages.python(), re.MULTILINE)
    assert {name.rpartition(".")[2] for name in found} == set(hw.__all__) - {"__version__"}
    assert "heading: hw.cipher\n" in site_pages.python()


def test_format_of_vectors_is_a_page() -> None:
    page = site_pages.vectors()
    assert page.startswith("# Vector files\n")
    assert '"vectors": [' in page


def test_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """Its commands print what stands there, and its Python runs."""
    monkeypatch.chdir(tmp_path)
    console = "".join(re.findall(r"```console\n(.*?)```", START, re.DOTALL))
    commands = re.findall(r"^\$ headwater (.*)\n((?:[^$].*\n)*)", console, re.MULTILINE)
    assert len(commands) == 4
    for command, shown in commands:
        assert main(shlex.split(command)) == 0
        printed = capsys.readouterr().out
        assert printed == shown or not shown
    (program,) = re.findall(r"```python\n(.*?)```", START, re.DOTALL)
    exec(compile(program, "start.md", "exec"), {})
    assert "module trivium_r8" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)
def test_guides_run(guide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As scripts, in processes of their own: one adds a cipher to the catalogue. A reader of them
    has the results that come with the package."""
    pytest.importorskip("pandas")
    monkeypatch.delenv("HEADWATER_REFERENCE")
    run = subprocess.run([sys.executable, guide], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_a_notebook_shows_the_registers() -> None:
    assert "<svg" in (hw.cipher("trivium")._repr_svg_() or "")
    assert hw.cipher("salsa20")._repr_svg_() is None


def test_a_data_sheet_is_a_table() -> None:
    """An entry with several lines is one row."""
    header, line, *rows = cipher_page.sheet(TRIVIUM).splitlines()
    assert (header, line, rows[0]) == ("| entry | value |", "| --- | --- |", "| cipher | trivium |")
    (choices,) = [row for row in rows if row.startswith("| choices |")]
    names = [option.name for option in TRIVIUM.choices]
    lines = choices.removeprefix("| choices | ").split("<br>")
    assert [line.partition("=")[0] for line in lines] == names
    assert lines[0].startswith("stall=stream \\| none. ")
    page = site_pages.cipher_page(hw.cipher("trivium"), [])
    assert "| load steps | 160 |" in page
    assert "```text\ncipher:" not in page
