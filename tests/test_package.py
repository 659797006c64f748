# SPDX-License-Identifier: Apache-2.0
"""Packages: testbenches that bite, tools that accept what is generated, documents that are true."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from needs import needs_iverilog
from stored import result
from systemrdl import RDLCompiler
from systemrdl.node import AddrmapNode

import headwater as hw
from headwater.api import design
from headwater.cipher.keywords import identifiers
from headwater.cli.main import main
from headwater.errors import ToolError
from headwater.flow.fpga.cells import Cells
from headwater.flow.fpga.lattice import ECP5
from headwater.flow.process import run_tool
from headwater.flow.verilator import lint_files
from headwater.flow.yosys import run_yosys
from headwater.measure.store import open_store
from headwater.package.area import Area, Areas, areas_of

Capture = pytest.CaptureFixture[str]

IPS = {
    "axi4lite": ["trivium --radix 64", "phelix", "aes_ofb"],
    "wishbone": [
        "grain128aead --radix 8 --option direction=decrypt",
        "ascon_aead128",
        "mosquito --radix 4 --option direction=encrypt",
    ],
    "bus": ["grain128a-ae", "eea3", "vest4-ae", "nea4"],
    "dma": ["trivium --radix 8"],
    "custom": ["uia2", "grain128aead --radix 64", "nia4"],
    "custom3": ["zuc"],
    "fifo": ["chacha20", "sfinks --radix 4"],
    "axi4stream": [
        "trivium --radix 64 --data-width 8",
        "grain128aead --radix 8 --data-width 32",
        "eia3",
        "salsa20",
        "phelix --radix 64 --option direction=decrypt",
        "chacha20 --data-width 8 --key-by axi4lite",
        "grain128aead --radix 8 --data-width 32 --key-by axi4lite",
        "snow3g --packets plain",
        "chacha20 --packets plain --key-by axi4lite",
        "eia3 --packets plain --data-width 64",
        "ascon_aead128 --packets plain --key-by axi4lite",
    ],
}
"""Every kind of cipher, and every interface but the core's own ports."""
EACH = [(interface, words) for interface, several in IPS.items() for words in several]


def packaged(folder: Path, capsys: Capture, words: str, interface: str) -> list[Path]:
    """The files of a package."""
    given = ["generate", *words.split(), "--interface", interface, "--package", "-o", str(folder)]
    assert main(given) == 0
    return [Path(line) for line in capsys.readouterr().out.split()]


def simulated(folder: Path) -> str:
    """The verdict of the testbench of a whole IP."""
    (bench,) = folder.glob("*_tb.sv")
    sources = [path for path in folder.glob("*.v") if not path.stem.endswith("_tb")]
    run_tool(["iverilog", "-g2012", "-Wall", "-o", "bench.vvp", bench, *sources], cwd=folder)
    return run_tool(["vvp", "-n", "bench.vvp"], cwd=folder).splitlines()[0]


@needs_iverilog
@pytest.mark.parametrize(("interface", "words"), EACH, ids=[" ".join(each) for each in EACH])
def test_an_ip_passes_its_testbench(
    interface: str, words: str, tmp_path: Path, capsys: Capture
) -> None:
    packaged(tmp_path, capsys, words, interface)
    assert simulated(tmp_path).startswith("PASS: ")


@needs_iverilog
@pytest.mark.parametrize(
    ("interface", "words"),
    [
        ("bus", "trivium --radix 64 --name settings"),
        ("axi4lite", "grain128aead --radix 8 --name text_in"),
        ("dma", "trivium --radix 64 --name dma"),
        ("axi4stream", "trivium --radix 64 --name stream_session"),
        ("axi4stream", "zuc --key-by axi4lite --name axi4lite_port"),
    ],
)
def test_a_core_may_have_the_name_of_a_part(
    interface: str, words: str, tmp_path: Path, capsys: Capture
) -> None:
    packaged(tmp_path, capsys, words, interface)
    assert simulated(tmp_path).startswith("PASS: ")


MUTANTS = {
    "another first word": ("bus", "trivium --radix 64", "", "z = t2 ^", "z = t2 |"),
    "clear leaves the key": (
        "bus",
        "trivium --radix 64",
        "port",
        "clear = writes &",
        "clear = 1'b0 & writes &",
    ),
    "load goes on": (
        "bus",
        "trivium --radix 64",
        "load_words",
        "wire restart = valid &",
        "wire restart = 1'b0 & valid &",
    ),
    "interrupts cannot be taken back": (
        "bus",
        "trivium --radix 64",
        "settings",
        "(happened & ~cleared)",
        "happened",
    ),
    "every tag is good": ("bus", "grain128aead --radix 8", "tag_check", "expected != word", "1'b0"),
    "decryption encrypts": (
        "bus",
        "grain128aead --radix 8",
        "settings",
        "decrypt <= decrypts",
        "decrypt <= 1'b0",
    ),
    "spare bits count": ("bus", "uia2", "text_in", "text_last ? {3'd0, text_spare} : 6'd0", "6'd0"),
    "a load cannot begin anew": (
        "axi4stream",
        "zuc --key-by axi4lite",
        "key_port",
        "assign abandon = starts &",
        "assign abandon = 1'b0 & starts &",
    ),
    "registers do not clear": (
        "axi4stream",
        "zuc --key-by axi4lite",
        "key_port",
        "assign clear = writes &",
        "assign clear = 1'b0 & writes &",
    ),
    "the tag that comes is not looked at": (
        "axi4stream",
        "grain128aead --radix 8 --packets plain",
        "packet_end",
        "receives & differs",
        "1'b0",
    ),
    "a key is dropped": (
        "axi4stream",
        "trivium --radix 64 --packets plain --key-by axi4lite",
        "packet_key",
        "whole <= ended",
        "whole <= 1'b0",
    ),
    "another beat": ("axi4stream", "trivium --radix 64", "", "z = t2 ^", "z = t2 |"),
    "DMA writes to one place": (
        "dma",
        "trivium --radix 64",
        "writer",
        "address + 30'd1",
        "address",
    ),
}


@needs_iverilog
@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_testbench_finds_what_is_wrong(mutant: str, tmp_path: Path, capsys: Capture) -> None:
    interface, words, part, before, after = MUTANTS[mutant]
    packaged(tmp_path, capsys, words, interface)
    pattern = f"*_{interface}_{part}.v" if part else f"{words.split()[0]}_r64.v"
    (path,) = tmp_path.glob(pattern)
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))
    with pytest.raises(ToolError, match="FAIL: "):
        simulated(tmp_path)


WORDS = {"text", "tag", "dma", "decrypt", "spare", "compares", "after", "both", "keeps", "counts"}


@pytest.mark.parametrize(
    ("words", "interface", "used"),
    [
        ("trivium --radix 64", "axi4lite", set()),
        ("zuc", "fifo", set()),
        ("trivium --radix 8", "dma", {"dma"}),
        ("zuc", "custom3", {"keeps"}),
        ("eia3", "bus", {"text", "tag", "spare", "compares", "counts"}),
        (
            "grain128aead --radix 8",
            "wishbone",
            {"text", "tag", "decrypt", "spare", "compares", "counts"},
        ),
    ],
)
def test_a_wrapper_has_nothing_that_its_core_does_not_use(
    words: str, interface: str, used: set[str], tmp_path: Path, capsys: Capture
) -> None:
    """No identifier in it begins with a word of what is not there."""
    paths = packaged(tmp_path, capsys, words, interface)
    rtl = [path for path in paths if path.suffix == ".v" and not path.stem.endswith("_tb")]
    core = min(rtl, key=lambda path: len(path.name))
    found = {
        part
        for path in rtl
        if path != core
        for name in identifiers(path.read_text())
        for part in name.removeprefix(core.stem).split("_")
    }
    assert found & WORDS == used
    for path in rtl:
        head = path.read_text().split("\nmodule ")[0].splitlines()
        assert head[0] == "// SPDX-License-Identifier: Apache-2.0"
        assert head[1].startswith("// Generator:            Headwater ")
        assert ("// Part of: " in "\n".join(head)) != ("// Cipher: " in "\n".join(head))


@pytest.mark.parametrize(
    "words",
    [
        "trivium --radix 8",
        "trivium --radix 8 --key-by axi4lite",
        "trivium --radix 8 --packets plain",
        "ascon_aead128",
        "vest4-ae --key-by axi4lite",
        "salsa20 --packets plain --key-by axi4lite",
    ],
)
def test_a_wrapper_of_streams_has_no_wire_that_nothing_reads(
    words: str, tmp_path: Path, capsys: Capture
) -> None:
    """Lint finds one that is not said to be unused."""
    paths = packaged(tmp_path, capsys, words, "axi4stream")
    (top,) = (path for path in paths if path.name.endswith("_axi4stream.v"))
    text = top.read_text()
    assert "unused" not in text
    sources = {
        path.name: path.read_text()
        for path in paths
        if path.suffix == ".v" and not path.stem.endswith("_tb")
    }
    assert lint_files(top.stem, sources) == []
    sources[top.name] = text.replace("endmodule", "  wire late = aclk;\nendmodule")
    (warning,) = lint_files(top.stem, sources)
    assert "'late'" in warning


def test_the_core_file_tells_licence_and_languages(tmp_path: Path, capsys: Capture) -> None:
    packaged(tmp_path, capsys, "grain128aead --radix 8", "axi4lite")
    read = yaml.safe_load((tmp_path / "grain128aead_r8_axi4lite.core").read_text())
    assert read["license"] == "Apache-2.0"
    types = {name: one["file_type"] for name, one in read["filesets"].items()}
    assert types == {
        "rtl": "verilogSource-2001",
        "sim_tb": "systemVerilogSource-2012",
        "sim_core_tb": "systemVerilogSource-2012",
        "constraints": "SDC",
    }


def compiled(path: Path) -> AddrmapNode:
    compiler = RDLCompiler()
    compiler.compile_file(str(path))
    return compiler.elaborate().top


@pytest.mark.parametrize(
    ("words", "interface"), [("grain128aead --radix 8", "axi4lite"), ("trivium", "dma")]
)
def test_the_register_map_compiles(
    words: str, interface: str, tmp_path: Path, capsys: Capture
) -> None:
    packaged(tmp_path, capsys, words, interface)
    (path,) = tmp_path.glob("*.rdl")
    registers = {one.inst_name: one for one in compiled(path).registers(unroll=False)}
    headers = [path for path in tmp_path.glob("*.h") if not path.name.endswith("_model.h")]
    header = headers[0].read_text()
    page = next(tmp_path.glob("*_registers.md")).read_text()
    for name, register in registers.items():
        address = f"0x{register.raw_absolute_address:02x}"
        assert re.search(rf"_{name} +{address}u ", header), name
        assert f"| {address}{' to 0xfc' if name == 'TEXT' else ''} | {name} |" in page
    assert ("DMA_WORDS" in registers) == (interface == "dma")
    assert ("TAG_EXPECTED" in registers) == (interface == "axi4lite")
    loaded = registers["IRQ_STATUS"].get_child_by_name("LOADED")
    assert loaded.get_property("onwrite").name == "woclr"


def test_the_readme_lists_every_file_and_invents_no_figure(tmp_path: Path, capsys: Capture) -> None:
    paths = packaged(tmp_path, capsys, "vest4-ae", "wishbone")
    page = (tmp_path / "README.md").read_text()
    listed = re.findall(r"^\| `([^`]+\.\w+)` \| (?!input|output)", page, re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in paths if path.name != "README.md")
    assert "- Patents: EP 1820295 (Synaptic Laboratories) has been claimed on VEST" in page
    assert "- Security: broken" in page
    assert page.count("\n") < 130
    assert "wavedrom\n" not in page
    assert "Nothing is measured of this core" in page
    for ending in ("sdc", "xdc"):
        constraints = (tmp_path / f"vest4_ae_r4_wishbone.{ending}").read_text()
        assert "This period is a placeholder, not a measurement" in constraints
        assert "\ncreate_clock -name clk -period 10.0 [get_ports clk]\n" in constraints


def test_the_readme_lists_every_port(tmp_path: Path, capsys: Capture) -> None:
    """Also those behind which the core's Verilog has a comment."""
    core = hw.cipher("trivium").core(8)
    packaged(tmp_path, capsys, "trivium --radix 8", "stream")
    page = (tmp_path / "README.md").read_text()
    listed = re.findall(r"^\| `(\w+)` \| ((?:in|out)put) \| (\S+) \|$", page, re.MULTILINE)
    assert listed == [
        (port.name, port.direction, f"[{port.width - 1}:0]" * (port.width > 1) or "1")
        for port in core.generated.ports
    ]
    assert ("load_ready", "output", "1") in listed


@pytest.mark.parametrize(
    ("core", "interface", "behind"),
    [
        ("vest4", "bus", 288),
        ("vest4-ae", "custom3", 289),
        ("vest4", "stream", None),
        ("vest4 --option iv_bits=512", "bus", None),
    ],
)
def test_the_readme_tells_the_setup_of_the_load_that_an_interface_makes(
    tmp_path: Path, capsys: Capture, core: str, interface: str, behind: int | None
) -> None:
    """Interfaces load the longest IV; by default figures of VEST are of one with 64 bits."""
    packaged(tmp_path, capsys, core, interface)
    page = (tmp_path / "README.md").read_text()
    told = re.findall(r"every load has an IV of 512 bits, which takes (\d+) cycles", page)
    assert told == ([] if behind is None else [str(behind)])


def test_registers_of_instructions_say_how_they_are_reached(
    tmp_path: Path, capsys: Capture
) -> None:
    packaged(tmp_path, capsys, "trivium", "custom")
    page = (tmp_path / "trivium_r64_custom_registers.md").read_text()
    assert "DATA, STATUS, LOAD_FIRST, LOAD_NEXT have instructions of their own." in page


def test_figures_are_those_of_the_store(tmp_path: Path, capsys: Capture) -> None:
    """Only of the same core: radix, load width and options."""
    with open_store() as store:
        store.keep(result("1234567890ab", radix=8, load_width=32, fmax_mhz={"median": 160.0}))
        store.keep(result("ba0987654321", radix=8, load_width=16, fmax_mhz={"median": 150.0}))
    packaged(tmp_path, capsys, "trivium --radix 8 --load-width 32", "axi4lite")
    page = (tmp_path / "README.md").read_text()
    assert "| ecp5-25k | 5 | slice | 160.0 |" in page
    assert "1234567890ab" in page
    assert "ba0987654321" not in page
    for ending in ("sdc", "xdc"):
        constraints = (tmp_path / f"trivium_r8_axi4lite.{ending}").read_text()
        assert "placeholder" not in constraints
        assert "\ncreate_clock -name aclk -period 6.25 [get_ports aclk]\n" in constraints


def test_what_an_interface_adds_is_the_whole_without_its_core(tmp_path: Path) -> None:
    made = hw.cipher("trivium").core(1, interface="bus").design()
    family = replace(ECP5, ways={"balanced": ECP5.ways["balanced"]})
    (area,) = areas_of(made.files, made.top, "trivium_r1", family).ways
    assert area.core.ff > area.wrapper.ff > 0
    assert area.wrapper.lut > 0
    (tmp_path / "all.v").write_text("\n".join(made.files.values()))
    log = run_yosys(
        [
            "read_verilog all.v",
            "blackbox trivium_r1",
            f"{area.command} -top {made.top}",
            "flatten",
            "select -count t:TRELLIS_FF",
        ],
        tmp_path,
    )
    assert f"\n{area.wrapper.ff} objects." in log


def test_the_readme_has_measured_areas(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    area = Area("best", "synth_it", Cells(lut=1111, ff=222), Cells(lut=333, ff=44))
    monkeypatch.setattr(design, "areas_of", lambda *_: Areas("ECP5", "Yosys 1", (area,)))
    packaged(tmp_path, capsys, "trivium --area", "bus")
    page = (tmp_path / "README.md").read_text()
    assert "| best | `synth_it` | 1111 | 333 | 222 | 44 |" in page
    packaged(tmp_path, capsys, "trivium", "bus")
    assert "The area of the interface is not measured" in (tmp_path / "README.md").read_text()


def test_an_area_needs_an_interface(tmp_path: Path, capsys: Capture) -> None:
    for words in (("--package",), ("--interface", "bus")):
        assert main(["generate", "trivium", *words, "--area", "-o", str(tmp_path)]) == 2
        assert "area must go with a package of an interface" in capsys.readouterr().err
