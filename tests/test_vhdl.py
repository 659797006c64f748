# SPDX-License-Identifier: Apache-2.0
"""A package in a design of VHDL: GHDL reads the component, and its example does what the core does.

GHDL turns the example into Verilog, in which the component stays without content; Icarus simulates
this with the Verilog of the package under its testbench.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from needs import needs_ghdl, needs_iverilog

from headwater.cli.main import main
from headwater.errors import ToolError
from headwater.flow.process import run_tool
from headwater.interface.module_port import ModulePort
from headwater.package.vhdl import vhdl_files

DESIGNS = [
    "trivium --radix 8 --interface stream",
    "trivium --interface axi4lite",
    "grain128aead --radix 8 --interface wishbone",
    "eia3 --interface axi4stream",
    "trivium --interface dma",
    "mosquito --interface custom3",
]


def packaged(words: str, folder: Path) -> str:
    """The module on top of a package."""
    assert main(["generate", *words.split(), "--package", "-o", str(folder)]) == 0
    (path,) = folder.glob("*_example.vhd")
    return path.name.removesuffix("_example.vhd")


def analysed(top: str, folder: Path) -> None:
    """Let GHDL read component and example; raises ToolError if it refuses them."""
    for file in (f"{top}_component.vhd", f"{top}_example.vhd"):
        run_tool(["ghdl", "-a", "--std=93", file], cwd=folder, merged=True)


@needs_ghdl
@needs_iverilog
@pytest.mark.parametrize("words", DESIGNS)
def test_the_example_does_what_the_core_does(words: str, tmp_path: Path) -> None:
    top = packaged(words, tmp_path)
    assert verdict(top, tmp_path).startswith("PASS: ")


def verdict(top: str, folder: Path) -> str:
    """The verdict of the testbench of the whole, which has the example in place of the module."""
    analysed(top, folder)
    (entity,) = re.findall(r"^entity (\S+) is$", (folder / f"{top}_example.vhd").read_text(), re.M)
    made = run_tool(["ghdl", "--synth", "--std=93", "--out=verilog", entity], cwd=folder)
    empty, made = made.split("endmodule\n", 1)
    assert re.findall(r"^module (\S+)", empty, re.MULTILINE)
    (module,) = re.findall(r"^module (\S+)", made, re.MULTILINE)
    (folder / "example.v").write_text(made)
    whole = [*folder.glob("*_tb.sv"), *folder.glob(f"{top}_tb.v")]
    text = whole[0].read_text()
    assert len(re.findall(rf"^  {top} \w+ \($", text, re.MULTILINE)) == 1
    (folder / "bench.sv").write_text(
        re.sub(rf"^  {top} (\w+) \($", rf"  {module} \1 (", text, flags=re.MULTILINE)
    )
    rtl = [path for path in folder.glob("*.v") if not path.stem.endswith("_tb")]
    run_tool(["iverilog", "-g2012", "-o", "bench.vvp", "bench.sv", *rtl], cwd=folder)
    return run_tool(["vvp", "-n", "bench.vvp"], cwd=folder).splitlines()[0]


@needs_ghdl
@needs_iverilog
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("load_payload => load_payload", "load_payload => keystream_payload"),
        ("keystream_ready => keystream_ready", "keystream_ready => '1'"),
    ],
)
def test_a_wrong_example_is_found(before: str, after: str, tmp_path: Path) -> None:
    top = packaged("trivium --radix 8 --interface stream", tmp_path)
    path = tmp_path / f"{top}_example.vhd"
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))
    with pytest.raises(ToolError):
        verdict(top, tmp_path)


@needs_ghdl
@pytest.mark.parametrize(
    "words", ["trivium --name signal --interface stream", "trivium --name my__core --interface bus"]
)
def test_a_core_may_have_a_name_that_vhdl_does_not_know(words: str, tmp_path: Path) -> None:
    analysed(packaged(words, tmp_path), tmp_path)


@needs_ghdl
@pytest.mark.parametrize("port", ["two__underscores", "end_", "process", "_begin"])
def test_names_that_vhdl_does_not_know_are_marked(port: str, tmp_path: Path) -> None:
    ports = [
        ModulePort("input", "clk"),
        ModulePort("input", port, 1),
        ModulePort("output", "word", 6, low=2),
    ]
    for name, text in vhdl_files("top", "Title", ports).items():
        assert f"\\{port}\\ : in std_logic_vector(0 downto 0)" in text
        assert "word : out std_logic_vector(7 downto 2)" in text
        (tmp_path / name).write_text(text)
    analysed("top", tmp_path)
    plain = (tmp_path / "top_component.vhd").read_text().replace(f"\\{port}\\", port)
    (tmp_path / "top_component.vhd").write_text(plain)
    with pytest.raises(ToolError):
        analysed("top", tmp_path)
