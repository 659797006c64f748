# SPDX-License-Identifier: Apache-2.0
"""C drivers: they compile without a warning, side by side, and load what the model loads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from coprocessors import needs_compiler
from delivered import STRICT, c_bytes, ip_of, program, write_drivers

from headwater.codesign.compiler import find_compiler
from headwater.codesign.shape import public_secret
from headwater.errors import InputError
from headwater.flow.process import run_tool
from headwater.package.driver import driver_files
from headwater.package.ip import Ip

EIGHT = ("trivium", "grain128aead", "grain128a-ae", "zuc", "chacha20", "phelix", "uia2", "vest4-ae")
"""One of nearly every kind, both orders of bits, narrow and wide loads."""

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
    made = program(folder, MAIN.format(includes=includes, body=body), ips)
    *parts, _ = run_tool([made], cwd=folder).split("end\n")
    pairs = [map(str.split, part.splitlines()) for part in parts]
    return [[(int(address, 16), int(word, 16)) for address, word in part] for part in pairs]


def init(ip: Ip, key: bytes, iv: bytes, result: int = 0) -> str:
    """A call in C that loads key and IV; the program fails if it gives another result."""
    return (f"static const uint8_t {ip.name}_key[] = {c_bytes(key)};"
            f" static const uint8_t {ip.name}_iv[] = {c_bytes(iv)};"
            f" if ({ip.name}_init(&{ip.name}_device, {ip.name}_key, {ip.name}_iv) != {result})"
            " return 1;")  # fmt: skip


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


def test_an_iv_that_selects_another_mode_is_refused(tmp_path: Path) -> None:
    ip = ip_of("grain128a-ae")
    misused = -3
    (words,) = written(tmp_path, [ip], [init(ip, bytes(16), bytes(12), misused)])
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
    write_drivers(tmp_path, ips)
    compiler = find_compiler()
    run_tool([*compiler.command, *STRICT, "-c", *(f"{ip.name}.c" for ip in ips)], cwd=tmp_path)


def _other_header(length: int) -> bytes:
    return bytes([length & 255])


REFUSED = {
    "header of grain128aead before associated data must be its length in DER for C, "
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
