# SPDX-License-Identifier: Apache-2.0
"""Projects of Tiny Tapeout, as their own tests judge them: the Verilog, and a netlist of SKY130."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from command_line import Capture, refused
from needs import needs_iverilog, needs_pdk_root

from headwater.api.ciphers import cipher
from headwater.board.project import BoardProject
from headwater.board.tinytapeout import DENSITY, TILE_UM2, TILES, mapped, tiles_of
from headwater.errors import InputError
from headwater.flow.gatesim import read_cells
from headwater.flow.yosys import run_yosys
from headwater.measure.target import find

pytestmark = needs_pdk_root
EACH = {
    "trivium": "8",
    "grain128aeadv2": "1",
    "ascon_aead128": "32",
    "a51": "1",
    "aes_ofb": "8",
    "moustique": "1",
}
"""Ciphers of different kinds, and the radix of each."""


def project(name: str, radix: str) -> BoardProject:
    return cipher(name).core(int(radix)).on_board("tinytapeout")


def write(made: BoardProject, folder: Path) -> Path:
    """Write a project; gives the folder of its test."""
    for name, text in made.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder / "test"


def run(folder: Path, *words: str) -> str:
    """What `make` prints there."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["make", *words],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def sources(made: BoardProject) -> dict[str, str]:
    return {name: text for name, text in made.files.items() if name.startswith("src/")}


@needs_iverilog
@pytest.mark.real
@pytest.mark.parametrize("name", EACH)
def test_a_project_passes_its_own_test(name: str, tmp_path: Path) -> None:
    made = project(name, EACH[name])
    printed = run(write(made, tmp_path))
    assert "PASS=1 FAIL=0" in printed, printed
    stated = yaml.safe_load(made.files["info.yaml"])
    assert stated["project"]["top_module"] == made.top
    assert [f"src/{file}" for file in stated["project"]["source_files"]] == list(sources(made))
    assert set(stated["pinout"]) == {
        f"{port}[{bit}]" for port in ("ui", "uo", "uio") for bit in range(8)
    }


@needs_iverilog
@pytest.mark.real
def test_a_wrong_core_fails(tmp_path: Path) -> None:
    made = project("a51", "1")
    core = "src/a51_r1.v"
    made.files[core] = made.files[core].replace("keystream_payload = word", "keystream_payload = 0")
    assert "PASS=0 FAIL=1" in run(write(made, tmp_path))


@needs_iverilog
@pytest.mark.real
def test_a_netlist_of_sky130_passes_the_same_test(tmp_path: Path) -> None:
    """Mapped by Yosys, with the cells as the liberty file describes them."""
    made = project("a51", "1")
    test = write(made, tmp_path)
    netlist = mapped(sources(made), made.top).verilog
    assert "sky130_fd_sc_hd__" in netlist
    (test / "gate_level_netlist.v").write_text(netlist)
    library = find("sky130hd").library()
    run_yosys([*read_cells(library, test), "write_verilog -noattr cells.v"], test)
    words = ("GATES=yes", f"GATE_MODELS={test / 'cells.v'}", "GATE_ARGS=")
    assert "PASS=1 FAIL=0" in run(test, *words)


def test_tiles_follow_from_the_area() -> None:
    """One tile of 167 by 108 um has room for 10821.6 um2 of cells."""
    assert pytest.approx(10821.6) == TILE_UM2 * DENSITY
    sizes = {10821: "1x1", 10822: "1x2", 21643: "1x2", 21644: "2x2", 86573: "6x2", 173145: "8x2"}
    assert {area: tiles_of(area, "core") for area in sizes} == sizes
    assert all(int(size[0]) * int(size[2]) == tiles for size, tiles in TILES.items())
    with pytest.raises(InputError, match="must have at most 173146 um2 of cells, and core has 2"):
        tiles_of(200_000, "core")


@pytest.mark.real
def test_the_tiles_in_the_documents() -> None:
    """Each size follows from its area; one area is measured again."""
    text = (Path(__file__).parents[1] / "docs" / "boards.md").read_text()
    table = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \| (\dx\d) \|$", text, re.MULTILINE)
    assert len(table) > 15
    areas = {name: int(area) for name, _, area, _ in table}
    assert [tiles_of(area, "core") for area in areas.values()] == [row[3] for row in table]
    made = project("grain_v1", "1")
    assert round(mapped(sources(made), made.top).area_um2) == areas["grain_v1"]


def test_refused(capsys: Capture, tmp_path: Path) -> None:
    words = ("generate", "trivium", "--board", "tinytapeout", "-o", tmp_path / "build")
    refused(
        capsys,
        (*words, "--clock", "50"),
        "clock of tinytapeout must be left out, as it is chosen on the board",
    )
    refused(
        capsys,
        ("generate", "eia3", *words[2:]),
        "data_in of a core on tinytapeout must have at most 256 bits and 8 marks, not 32 and 33",
    )
    assert not (tmp_path / "build").exists()
