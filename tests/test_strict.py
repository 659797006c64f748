# SPDX-License-Identifier: Apache-2.0
"""All Verilog that is generated, read strictly: one member of each kind, and every interface."""

from __future__ import annotations

from pathlib import Path

import pytest
from strict import refused_by_slang, warned_as_2001

from headwater.cipher.catalogue import find
from headwater.cli.main import main
from headwater.errors import ToolError
from headwater.interface import INTERFACES
from headwater.kinds.registry import KINDS

MEMBERS = {
    "stepped": "trivium", "bit_aead": "grain128aeadv2", "block_stream": "chacha20",
    "word_aead": "phelix", "sponge": "ascon_aead128", "aes_ofb": "aes_ofb", "telephony": "nca5",
    "filtered": "sfinks-ae", "self_synchronising": "mosquito", "vest": "vest4-ae",
}  # fmt: skip
"""One of each kind."""
SOURCE = "trivium --interface prng --random-bits 1 --properties --testbench"
DESIGNS = [
    *(f"{cipher} --interface axi4stream --package" for cipher in MEMBERS.values()),
    *(f"{cipher} --interface custom3 --package" for cipher in MEMBERS.values() if cipher != "nca5"),
    *(f"trivium --interface {interface} --package" for interface in INTERFACES
      if interface != "prng"),
    *(f"grain128aeadv2 --interface {interface} --package"
      for interface in ("stream", "fifo", "bus", "wishbone", "axi4lite")),
    "grain128aeadv2 --interface axi4stream --data-width 8 --key-by axi4lite --package",
    "zuc --interface axi4stream --key-by axi4lite --package",
    "ascon_aead128 --interface fifo --package", "eia3 --interface axi4lite --package",
    *(f"{SOURCE}{bus}" for bus in ("", " --bus axi4lite", " --bus wishbone", " --bus request")),
]  # fmt: skip


def generated(words: str, folder: Path) -> list[Path]:
    """The Verilog of a design."""
    assert main(["generate", *words.split(), "-o", str(folder)]) == 0
    return sorted(path for path in folder.iterdir() if path.suffix in (".v", ".sv"))


def test_every_kind_and_interface_is_read() -> None:
    assert {find(name).kind for name in MEMBERS.values()} == set(KINDS) == set(MEMBERS)
    assert all(f"--interface {interface} " in " ".join(DESIGNS) for interface in INTERFACES)


@pytest.mark.parametrize("words", DESIGNS)
def test_names_are_declared_before_they_are_used(words: str, tmp_path: Path) -> None:
    files = generated(words, tmp_path)
    assert len(files) > 1
    assert refused_by_slang(files) == ""


@pytest.mark.parametrize(
    ("words", "declaration"),
    [("trivium --testbench", "wire pause;"),
     ("ascon_aead128 --interface axi4stream", "wire data_out_ready;"),
     ("trivium --interface custom", "reg late;")],
)  # fmt: skip
def test_a_name_that_is_declared_late_is_found(
    words: str, declaration: str, tmp_path: Path
) -> None:
    """The declaration moved to the end of its module."""
    files, moved = generated(words, tmp_path), 0
    for file in files:
        lines = file.read_text().splitlines()
        late = [line for line in lines if line.split("//")[0].split() == declaration.split()]
        moved += len(late)
        lines = [one for line in lines for one in (*(late if line == "endmodule" else ()), line)
                 if one not in late or line == "endmodule"]  # fmt: skip
        file.write_text("\n".join(lines) + "\n")
    assert moved == 1
    assert "used before its declaration" in refused_by_slang(files)


@pytest.mark.parametrize("words", [
    *(f"{cipher} --interface axi4stream" for cipher in MEMBERS.values()),
    "trivium --interface axi4lite", "trivium --interface dma", "zuc --interface custom3",
    "grain128aeadv2 --interface fifo", "ascon_aead128 --interface wishbone",
    "phelix --interface bus", "grain128aead --interface axi4stream --key-by axi4lite",
    "mosquito --interface stream",
])  # fmt: skip
def test_rtl_is_verilog_2001(words: str, tmp_path: Path) -> None:
    files = generated(words, tmp_path)
    (core,) = [file.stem for file in files if len(file.stem) == min(len(f.stem) for f in files)]
    interface = words.split()[2]
    top = core if interface == "stream" else f"{core}_{interface}"
    assert warned_as_2001(top, files) == ""


def test_a_function_of_verilog_2005_is_found(tmp_path: Path) -> None:
    (tmp_path / "one.v").write_text(
        "module one (input wire [$clog2(9)-1:0] a, output wire b);\n  assign b = ^a;\nendmodule\n"
    )
    with pytest.raises(ToolError, match="clog2"):
        warned_as_2001("one", [tmp_path / "one.v"])
