# SPDX-License-Identifier: Apache-2.0
"""C drivers: they compile without a warning, side by side, and load what the model loads."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from coprocessors import needs_compiler
from delivered import STRICT, c_bytes, ip_of, program, write_drivers
from needs import needs_multilib

from headwater.cipher.catalogue import find
from headwater.codesign.compiler import find_compiler
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.flow.process import run_tool
from headwater.interface.axi4stream import axi4_stream
from headwater.interface.core_shape import shape_of
from headwater.interface.public_secret import public_secret
from headwater.package.driver import driver_files
from headwater.package.ip import Ip
from headwater.package.key_driver import key_driver_files
from headwater.package.key_ip import KeyIp

EIGHT = ("trivium", "grain128aead", "grain128a-ae", "zuc", "chacha20", "phelix", "uia2", "vest4-ae")
"""One of nearly every kind, both orders of bits, narrow and wide loads."""

MISUSED = -3

MAIN = """\
#include <stdio.h>
{includes}
uint32_t bus_read(uintptr_t address) {{ return (void)address, 0; }}
void bus_write(uintptr_t address, uint32_t word) {{ printf("%x %x\\n", (unsigned)address, word); }}

int main(void) {{
{body}
    return 0;
}}
"""


def written(folder: Path, ips: Sequence[Ip], calls: Sequence[str]) -> list[list[tuple[int, int]]]:
    """What each call on a device, and whatever else, writes: addresses and words."""
    body = "".join(
        f'    static struct {ip.name} {ip.name}_device;\n    {call}\n    puts("end");\n'
        for ip, call in zip(ips, calls, strict=True)
    )
    includes = "\n".join(f'#include "{ip.name}.h"' for ip in ips)
    main = MAIN.format(includes=includes, body=body)
    made = program(folder, main, {ip.name: driver_files(ip) for ip in ips})
    *parts, _ = run_tool([made], cwd=folder).split("end\n")
    pairs = [map(str.split, part.splitlines()) for part in parts]
    return [[(int(address, 16), int(word, 16)) for address, word in part] for part in pairs]


def init(ip: Ip, key: bytes, iv: bytes, result: int = 0) -> str:
    """A call in C that loads key and IV; the program fails if it gives another result."""
    bits = f", {8 * len(iv)}" if "unsigned iv_bits" in driver_files(ip)[f"{ip.name}.h"] else ""
    return (
        f"static const uint8_t {ip.name}_key[] = {c_bytes(key)};"
        f" static const uint8_t {ip.name}_iv[] = {c_bytes(iv)};"
        f" if ({ip.name}_init(&{ip.name}_device, {ip.name}_key, {ip.name}_iv{bits})"
        f" != {result}) return 1;"
    )


def loads(ip: Ip, words: list[tuple[int, int]]) -> list[int]:
    """The words of the load among those that were written."""
    address = {one.name: one.address for one in ip.registers}
    load = [one for one in words if one[0] in (address["LOAD_FIRST"], address["LOAD_NEXT"])]
    assert [place for place, _ in load] == (
        [address["LOAD_FIRST"]] + [address["LOAD_NEXT"]] * (len(load) - 1) if load else []
    )
    return [word for _, word in load]


def test_eight_drivers_in_one_program_load_what_the_model_loads(tmp_path: Path) -> None:
    ips = [ip_of(name) for name in EIGHT]
    calls = [init(ip, *public_secret(ip.cipher)) for ip in ips]
    for ip, words in zip(ips, written(tmp_path, ips, calls), strict=True):
        expected = ip.facts.load_words(*public_secret(ip.cipher))
        assert loads(ip, words) == ip.core.packed_load(expected), ip.name


def test_a_block_may_be_the_first(tmp_path: Path) -> None:
    ip = ip_of("salsa20")
    key, iv = public_secret(ip.cipher)
    call = (
        init(ip, key, iv).replace("_init(", "_init_at(").replace("_iv) !=", "_iv, 1ull << 33) !=")
    )
    (words,) = written(tmp_path, [ip], [call])
    assert loads(ip, words) == ip.core.packed_load(ip.facts.load_words(key, iv, block=1 << 33))


@pytest.mark.parametrize(("name", "length"), [("trivium", 8), ("moustique", 0), ("zkcrypt", 12)])
def test_an_iv_may_be_shorter_where_its_load_is_not(name: str, length: int, tmp_path: Path) -> None:
    ip = ip_of(name)
    key, iv = public_secret(ip.cipher)
    (words,) = written(tmp_path, [ip], [init(ip, key, iv[:length])])
    assert loads(ip, words) == ip.core.packed_load(ip.facts.load_words(key, iv[:length]))
    (words,) = written(tmp_path, [ip], [init(ip, key, iv[:1], MISUSED if length else 0)])
    assert bool(loads(ip, words)) == (length == 0)


def test_a_load_of_another_length_is_not_offered() -> None:
    """The hardware counts the words of a whole load."""
    assert "iv_bits" not in driver_files(ip_of("mickey2"))["mickey2_r1.h"]


@pytest.mark.parametrize(("name", "length"), [("chacha20", 12), ("e0", 11), ("vest4", 5)])
def test_key_and_iv_for_a_core_on_streams(name: str, length: int, tmp_path: Path) -> None:
    """A packet of bytes: its length, then four bytes in each word."""
    cipher = find(name)
    architecture = Architecture.choose(cipher)
    wrapped = axi4_stream(name, cipher, architecture, key_by="axi4lite")
    ip = KeyIp(cipher, architecture, name, wrapped)
    key, iv = public_secret(cipher)
    bits = f", {8 * length}" if name == "vest4" else ""
    main = MAIN.format(
        includes=f'#include "{name}.h"',
        body=f"""
    static const uint8_t key[] = {c_bytes(key)}, iv[] = {c_bytes(iv)};
    struct {name} device = {{.base = 0}};
    if ({name}_init(&device, key, iv{bits}) != 0) return 1;""",
    )
    made = program(tmp_path, main, {name: key_driver_files(ip)})
    pairs = [line.split() for line in run_tool([made], cwd=tmp_path).splitlines()]
    packet = key + iv[:length] + bytes(ip.block_bytes)
    words = struct.unpack(f"<{-(-len(packet) // 4)}I", packet + bytes(-len(packet) % 4))
    assert [(int(place, 16), int(word, 16)) for place, word in pairs] == [
        (0x08, len(packet)),
        *((0x0C, word) for word in words),
    ]


def test_an_iv_that_selects_another_mode_is_refused(tmp_path: Path) -> None:
    ip = ip_of("grain128a-ae")
    (words,) = written(tmp_path, [ip], [init(ip, bytes(16), bytes(12), MISUSED)])
    assert loads(ip, words) == []


@pytest.mark.parametrize("radix", [1, 64])
def test_words_of_text_are_those_of_the_interface(radix: int, tmp_path: Path) -> None:
    """Associated data of every length begins with its length in DER and fills whole words."""
    ip = ip_of("grain128aead", radix=radix)
    data = bytes(range(200)) + bytes(100)
    lengths = (0, 1, 3, 127, 128, 300)
    body = f"static const uint8_t data[] = {c_bytes(data)};" + "".join(
        f'{ip.name}_associated_data(&{ip.name}_device, data, {length}); puts("0 0");'
        for length in lengths
    )
    (words,) = written(tmp_path, [ip], [body])
    expected = []
    for length in lengths:
        prefix = ip.cipher.prefix(data[:length])
        for place in range(0, len(prefix), 4):
            part = prefix[place : place + 4]
            expected.append((0x80 + 4 * (8 | len(part)), ip.word(part)))
        expected.append((0, 0))
    assert words == expected


@needs_compiler
@pytest.mark.parametrize("interface", ["axi4lite", "custom", "custom3", "dma"])
def test_drivers_compile_for_a_small_processor(interface: str, tmp_path: Path) -> None:
    names = ("trivium", "chacha20") if interface == "dma" else EIGHT
    ips = [ip_of(name, interface) for name in names]
    write_drivers(tmp_path, {ip.name: driver_files(ip) for ip in ips})
    compiler = find_compiler()
    run_tool([*compiler.command, *STRICT, "-c", *(f"{ip.name}.c" for ip in ips)], cwd=tmp_path)


@needs_multilib
def test_drivers_compile_for_32_bits(tmp_path: Path) -> None:
    ips = [ip_of(name) for name in EIGHT]
    write_drivers(tmp_path, {ip.name: driver_files(ip) for ip in ips})
    run_tool(["gcc", "-m32", *STRICT, "-c", *(f"{ip.name}.c" for ip in ips)], cwd=tmp_path)


@needs_compiler
@pytest.mark.parametrize("interface", ["axi4lite", "custom"])
def test_driver_of_one_direction_has_its_functions_alone(interface: str, tmp_path: Path) -> None:
    compiler, ip = find_compiler(), ip_of("grain128aead", interface)
    functions = {"encrypt": {"encrypt", "tag", "seal"}, "decrypt": {"decrypt", "check_tag", "open"}}
    for direction, own in functions.items():
        chosen = Architecture.choose(
            ip.cipher, radix=ip.architecture.radix, options={"direction": direction}
        )
        core = shape_of(ip.cipher, chosen, ip.name)
        files = driver_files(replace(ip, architecture=chosen, core=core))
        write_drivers(tmp_path, {ip.name: files})
        run_tool([*compiler.command, *STRICT, "-c", f"{ip.name}.c"], cwd=tmp_path)
        offered = set(re.findall(rf"^int {ip.name}_(\w+)\(", files[f"{ip.name}.h"], re.MULTILINE))
        assert offered & set.union(*functions.values()) == own


def _other_header(length: int) -> bytes:
    return bytes([length & 255])


REFUSED = {
    "header of grain128aead before associated data must be its length, in DER or in bits, "
    "but is another one": {"header": _other_header},
    "tag of grain128aead must be whole words of 32 bits for a driver, not 72 bits": {
        "tag_bits": 72
    },
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_no_driver_knows_is_refused(said: str) -> None:
    ip = ip_of("grain128aead")
    with pytest.raises(InputError, match=f"^{said}$"):
        driver_files(replace(ip, cipher=replace(ip.cipher, **REFUSED[said])))
