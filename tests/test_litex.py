# SPDX-License-Identifier: Apache-2.0
"""The module for LiteX, in a SoC that LiteX itself makes, whose processor uses the C driver."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from command_line import Capture, refused
from delivered import c_bytes
from elftools.elf.elffile import ELFFile

from headwater.api.ciphers import cipher
from headwater.api.design import Design
from headwater.cipher.description import Cipher
from headwater.codesign.compiler import find_compiler
from headwater.flow.process import run_tool
from headwater.flow.testbench import compile_testbench
from headwater.package.litex import litex_module
from headwater.verify.vector_files import own_files, read_file

needs_litex = pytest.mark.skipif(
    not all(map(find_spec, ("litex", "pythondata_cpu_vexriscv"))),
    reason="needs LiteX: pip install litex pythondata-cpu-vexriscv",
)

START = """\
    .section .text.start, "ax"
    .globl _start
_start:
    la sp, 0x10002000
    call main
1:  j 1b
"""
LINK = """\
ENTRY(_start)
SECTIONS {
  . = 0;
  .text : { *(.text.start) *(.text*) *(.rodata*) *(.srodata*) }
  .data : { *(.data*) *(.sdata*) }
  . = 0x10000000;
  .bss (NOLOAD) : { *(.bss*) *(.sbss*) *(COMMON) }
  /DISCARD/ : { *(.comment) *(.riscv.attributes) *(.eh_frame*) *(.note*) }
}
"""
FIRMWARE = """\
#include <stdint.h>
static inline uint32_t csr_read_simple(unsigned long a) {{ return *(volatile uint32_t *)a; }}
static inline void csr_write_simple(unsigned long v, unsigned long a) {{
    *(volatile uint32_t *)a = v;
}}
#define CSR_ACCESSORS_DEFINED
#include "mem.h"
#include "csr.h"
#include "{name}.h"

void *memcpy(void *to, const void *from, size_t count) {{
    for (size_t i = 0; i < count; ++i) ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}}
void *memset(void *to, int value, size_t count) {{
    for (size_t i = 0; i < count; ++i) ((uint8_t *)to)[i] = (uint8_t)value;
    return to;
}}
static void tell(uint32_t place, int value) {{ told_word_write(place << 8 | (uint8_t)value); }}
static uint32_t pending(void) {{
    uint32_t lines;
    __asm__ volatile("csrw 0xBC0, %1\\n csrr %0, 0xFC0" : "=r"(lines) : "r"(-1));
    return lines;
}}

int main(void) {{
    static const uint8_t key[] = {key}, iv[] = {iv};
    static uint8_t out[64];
    struct {name} device = {{.base = {NAME}_BASE}};
    tell(1, {name}_probe(&device));
    {name}_ev_enable_write(1);
    tell(2, (int)pending());
{body}
    return 0;
}}
"""
KEYSTREAM = """\
    tell(3, {name}_init(&device, key, iv, 80));
    *(volatile uint32_t *)({NAME}_BASE + {NAME}_IRQ_ENABLE) = {NAME}_IRQ_ENABLE_WORD;
    for (int i = 0; i < 1000 && !pending(); ++i) continue;
    tell(4, (int)pending());
    tell(5, {name}_keystream(&device, out, 64));
    for (uint32_t i = 0; i < 64; ++i) tell(6 + i, out[i]);
    tell(0xffffff, 0);
"""
SEALED = """\
    static const uint8_t ad[] = {ad}, text[] = {text};
    static uint8_t tag[{NAME}_TAG_BYTES], opened[64];
    tell(3, {name}_seal(&device, key, iv, ad, {ad_bytes}, out, text, {bytes}, tag));
    *(volatile uint32_t *)({NAME}_BASE + {NAME}_IRQ_ENABLE) = 0;
    tell(4, (int)pending());
    tell(5, {name}_open(&device, key, iv, ad, {ad_bytes}, opened, out, {bytes}, tag));
    for (uint32_t i = 0; i < {bytes}; ++i) tell(6 + i, out[i]);
    for (uint32_t i = 0; i < sizeof tag; ++i) tell(6 + {bytes} + i, tag[i]);
    tag[0] ^= 1;
    tell(0x100, {name}_open(&device, key, iv, ad, {ad_bytes}, opened, out, {bytes}, tag) != 0);
    tell(0xffffff, 0);
"""
BENCH = """\
`timescale 1ns / 1ps
module bench;
  reg clk = 1'b0;
  wire [31:0] told;
  reg [31:0] last = 32'd0;
  always #5 clk = !clk;
  soc soc (.sys_clk(clk), .told(told));
  always @(posedge clk) begin
    last <= told;
    if (told != last) begin
      $display("%h", told);
      if (told[31:8] == 24'hffffff) $finish;
    end
  end
  initial begin
    repeat (400000) @(posedge clk);
    $display("late");
    $finish;
  end
endmodule
"""


def made(name: str) -> tuple[Design, str]:
    """What is delivered, and the name of the core."""
    core = cipher(name).core(interface="wishbone")
    return core.design(package=True, litex=True), core.name


def name_of_class(core: str) -> str:
    return "".join(word.capitalize() for word in core.split("_"))


def litex(folder: Path, core: str, *rom: Path) -> None:
    """Let LiteX make the SoC."""
    program = Path(__file__).with_name("litex_soc.py")
    words = [folder, f"{core}_litex", name_of_class(core), "vexriscv", *rom]
    done = subprocess.run(
        [sys.executable, program, *words],
        capture_output=True,
        text=True,
        env=os.environ,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def firmware(folder: Path, core: str, text: str) -> Path:
    """The program as bytes of the ROM."""
    for name, content in {"start.S": START, "link.ld": LINK, "main.c": text}.items():
        (folder / name).write_text(content)
    (folder / "system.h").write_text("")
    (folder / "generated").mkdir()
    (folder / "generated" / "soc.h").write_text("")
    flags = [
        "-O2",
        "-ffreestanding",
        "-nostdlib",
        "-static",
        "-Wall",
        "-fno-pic",
        "-I.",
        "-T",
        "link.ld",
        "-ffunction-sections",
        "-fno-tree-loop-distribute-patterns",
    ]
    command = [*find_compiler().command, *flags, "start.S", "main.c", f"{core}.c", "-o", "rom.elf"]
    run_tool(command, cwd=folder)
    with (folder / "rom.elf").open("rb") as file:
        segments = [one for one in ELFFile(file).iter_segments("PT_LOAD") if one["p_filesz"]]
        assert [one["p_paddr"] for one in segments] == [0]
        (folder / "rom.bin").write_bytes(segments[0].data() + bytes(4))
    return folder / "rom.bin"


def told(design: Design, core: str, text: str, folder: Path) -> dict[int, int]:
    """What the program tells, by place."""
    for name, content in design.files.items():
        (folder / name).write_text(content)
    litex(folder, core)
    litex(folder, core, firmware(folder, core, text))
    sources = json.loads((folder / "soc.json").read_text())["sources"]
    files = {Path(name).name: Path(name).read_text() for name in sources}
    files |= {"soc.v": (folder / "soc.v").read_text(), "bench.v": BENCH}
    run = compile_testbench("bench", files, folder)
    lines = [line for line in run_tool([run], cwd=folder).splitlines() if len(line) == 8]
    return {int(line, 16) >> 8: int(line, 16) & 0xFF for line in lines}


def vectors_of(described: Cipher) -> Iterator[Any]:
    for path in own_files(described):
        yield from read_file(path, described).vectors


@needs_litex
@pytest.mark.real
def test_keystream_in_a_soc(tmp_path: Path) -> None:
    """64 bytes of a published keystream, and the interrupt, which the processor sees."""
    design, core = made("trivium")
    vector = next(vectors_of(cipher("trivium").description))
    values = {
        "name": core,
        "NAME": core.upper(),
        "key": c_bytes(vector.key),
        "iv": c_bytes(vector.iv),
    }
    text = FIRMWARE.format(**values, body=KEYSTREAM.format(**values))
    got = told(design, core, text, tmp_path)
    assert [got[place] for place in (1, 2, 3, 4, 5)] == [0, 0, 0, 1, 0]
    assert bytes(got[6 + place] for place in range(64)) == vector.keystream[:64]


@needs_litex
@pytest.mark.real
def test_a_message_in_a_soc(tmp_path: Path) -> None:
    """A published message is sealed and opened, and refused with another tag."""
    design, core = made("ascon_aead128")
    vector = next(
        one
        for one in vectors_of(cipher("ascon_aead128").description)
        if one.encrypting.bits == 128 and one.encrypting.associated_data
    )
    sent = vector.encrypting
    values = {
        "name": core,
        "NAME": core.upper(),
        "key": c_bytes(sent.key),
        "iv": c_bytes(sent.nonce),
        "ad": c_bytes(sent.associated_data),
        "text": c_bytes(sent.text),
        "ad_bytes": len(sent.associated_data),
        "bytes": len(sent.text),
    }
    text = FIRMWARE.format(**values, body=SEALED.format(**values))
    got = told(design, core, text, tmp_path)
    assert [got[place] for place in (1, 2, 3, 4, 5, 0x100)] == [0, 0, 0, 0, 0, 1]
    expected = vector.decrypting.text + vector.tag
    assert bytes(got[6 + place] for place in range(len(expected))) == expected


def test_the_module_is_python_and_connects_every_port() -> None:
    design, core = made("trivium")
    text = design.files[f"{core}_litex.py"]
    (klass,) = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    assert klass.name == name_of_class(core)
    assert all(f"_{port.name}=" in text for port in design.ports)
    assert all(name in text for name in design.files if name.endswith(".v") and "_tb" not in name)


def test_a_port_that_litex_does_not_know_is_no_module() -> None:
    design, core = made("trivium")
    ports = [
        port._replace(name="wb_tga_i") if port.name == "irq" else port for port in design.ports
    ]
    with pytest.raises(KeyError, match="wb_tga_i"):
        litex_module(core, design.top, "Trivium", [], ports)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "a module for LiteX must be of interface wishbone, not stream"),
        (
            ("--interface", "axi4lite"),
            "a module for LiteX must be of interface wishbone, not axi4lite",
        ),
        (("--c-model",), "--litex must come without --c-model, which writes no Verilog"),
        (
            ("--board", "ulx3s"),
            "--litex must come without --board, which makes a project of its own",
        ),
        (
            ("--interface", "prng", "--random-bits", "8"),
            "--litex must come without --random-bits; a module of LiteX is of a core",
        ),
    ],
)
def test_refused(words: tuple[str, ...], message: str, capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "build"
    refused(capsys, ("generate", "trivium", "--litex", *words, "-o", folder), message)
    assert not folder.exists()
