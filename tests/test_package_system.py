# SPDX-License-Identifier: Apache-2.0
"""Generated drivers as firmware of a simulated processor, with the hardware that they are for."""

from __future__ import annotations

import struct

import pytest
from coprocessors import needs
from delivered import c_bytes, ip_of

from headwater.cipher.message import Message
from headwater.codesign.compiler import compile_program
from headwater.codesign.processor import find
from headwater.codesign.system import coprocessor_sources, run, simulator
from headwater.emit.verilog import generate
from headwater.interface.public_secret import public_secret
from headwater.kinds.reading import Keystream, process
from headwater.package.driver import driver_files
from headwater.package.ip import Ip

MAIN = """\
#include "bench.h"
#include "{name}.h"

static const uint8_t key[] = {key}, iv[] = {iv}, data[] = {data}, text[] = {text};

int main(void) {{
    static struct {name} device{base};
    uint8_t *out = (uint8_t *)OUTPUT;
{body}
    return 0;
}}
"""

KEYSTREAM = """\
    out[0] = (uint8_t){name}_probe(&device);
    out[1] = (uint8_t){name}_init(&device, key, iv{length});
    out[2] = (uint8_t){name}_keystream(&device, out + 4, 5);
    out[3] = (uint8_t){name}_keystream(&device, out + 9, 16);
    (void){name}_encrypt(&device, out + 25, text, sizeof text);
    (void)data;"""

SEALED = """\
    static uint8_t sealed[sizeof text], tag[{NAME}_TAG_BYTES];
    const size_t all = sizeof text, before = sizeof data;
    out[0] = (uint8_t){name}_probe(&device);
    out[1] = (uint8_t){name}_seal(&device, key, iv, data, before, sealed, text, all, tag);
    out[2] = (uint8_t){name}_open(&device, key, iv, data, before, out + 4, sealed, all, tag);
    tag[0] ^= 1;
    out[3] = (uint8_t){name}_open(&device, key, iv, data, before, out + 25, sealed, all, tag);
    tag[0] ^= 1;
    for (size_t i = 0; i < all; ++i) out[46 + i] = sealed[i];
    for (size_t i = 0; i < sizeof tag; ++i) out[67 + i] = tag[i];"""

TEXT, DATA = bytes(range(21)), bytes(range(200, 207))


def left_in_memory(ip: Ip, body: str, count: int) -> bytes:
    """The first bytes of the output of a program that uses the driver of an IP."""
    key, iv = public_secret(ip.cipher)
    base = "" if ip.port.instruction else " = {.base = 0x80000000}"
    length = f", {8 * len(iv)}" if "unsigned iv_bits" in driver_files(ip)[f"{ip.name}.h"] else ""
    named = body.format(name=ip.name, NAME=ip.name.upper(), length=length)
    main = MAIN.format(
        name=ip.name,
        key=c_bytes(key),
        iv=c_bytes(iv),
        data=c_bytes(DATA),
        text=c_bytes(TEXT),
        base=base,
        body=named,
    )
    processor = find("vexriscv")
    further = {**driver_files(ip), "main.c": main}
    program = compile_program(["main.c", f"{ip.name}.c"], processor.macros, further)
    verilog = generate(ip.cipher, ip.architecture).text
    system = simulator(processor, coprocessor_sources(ip.core, verilog, ip.port))
    words = run(system, {0: program}, -(-count // 4), cycles=1_000_000).words
    return struct.pack(f"<{len(words)}I", *words)[:count]


@needs("vexriscv")
@pytest.mark.parametrize(("name", "interface"), [("trivium", "bus"), ("zuc", "custom3")])
def test_keystream_in_pieces_that_are_no_words(name: str, interface: str) -> None:
    ip = ip_of(name, interface)
    left = left_in_memory(ip, KEYSTREAM, 25 + len(TEXT))
    key, iv = public_secret(ip.cipher)
    keystream = Keystream(ip.cipher, key=key, iv=iv).read(8 * (21 + len(TEXT)))
    mixed = bytes(one ^ other for one, other in zip(TEXT, keystream[21:], strict=True))
    assert left == bytes(4) + keystream[:21] + mixed


@needs("vexriscv")
@pytest.mark.parametrize("interface", ["bus", "custom"])
def test_a_message_is_sealed_and_opened_unless_its_tag_is_wrong(interface: str) -> None:
    ip = ip_of("grain128aead", interface, radix=16)
    left = left_in_memory(ip, SEALED, 75)
    made = process(ip.cipher, Message(*public_secret(ip.cipher), DATA, TEXT, 8 * len(TEXT)))
    forged = -4 & 0xFF
    assert left == bytes([0, 0, 0, forged]) + TEXT + bytes(len(TEXT)) + made.text + made.tag
