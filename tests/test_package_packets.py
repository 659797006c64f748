# SPDX-License-Identifier: Apache-2.0
"""C drivers of cores that take packets of a plain DMA engine: they load the key, write fronts, and
read what a packet that came back says."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from delivered import c_bytes, program
from test_axi4stream_packets import header
from test_package_driver import MAIN

from headwater.cipher.catalogue import find
from headwater.core.architecture import Architecture
from headwater.flow.process import run_tool
from headwater.interface.axi4stream import axi4_stream
from headwater.interface.public_secret import public_secret
from headwater.package.key_ip import KeyIp
from headwater.package.packet_driver import packet_driver_files

CASES = {
    "trivium": ("", lambda iv: iv),
    "chacha20": (", 0x01020304", lambda iv: iv + bytes([4, 3, 2, 1])),
    "grain128aead": (", 5, 8 * 0x10203, 1", lambda iv: header(5, 0x10203, 1) + iv),
    "ascon_aead128": (", 0xfffffffe, 0, 0", lambda iv: header(0xFFFFFFFE, 0) + iv),
    "grain128a-ae": (", 8 * 20 + 3, 1", lambda iv: header(0, 21, 1, 5) + iv),
    "eia3": (", 0x7fffffff8ull, 0", lambda iv: header(0, 0xFFFFFFFF) + iv),
}
"""What a front is written from beside the IV, and what is in it, without the zeros at its end."""


def ip_of(name: str) -> KeyIp:
    """What is delivered of a cipher."""
    cipher = find(name)
    chosen = Architecture.choose(cipher)
    made = axi4_stream("it", cipher, chosen, key_by="axi4lite", packets="plain")
    return KeyIp(cipher, chosen, "it", made)


def printed(folder: Path, ip: KeyIp, body: str) -> list[str]:
    """The lines that a program with the driver prints."""
    assert ip.wrapped.packets
    main = MAIN.format(includes='#include "it.h"', body=body)
    made = program(folder, main, {"it": packet_driver_files(ip, ip.wrapped.packets)})
    return run_tool([made], cwd=folder).splitlines()


@pytest.mark.parametrize("name", CASES)
def test_key_and_front(name: str, tmp_path: Path) -> None:
    ip, (given, expected) = ip_of(name), CASES[name]
    key, iv = public_secret(ip.cipher)
    lines = printed(
        tmp_path,
        ip,
        f"""
    static const uint8_t key[] = {c_bytes(key)}, iv[] = {c_bytes(iv)};
    struct it device = {{.base = 0}};
    static uint8_t front[IT_FRONT_BYTES];
    for (unsigned i = 0; i < IT_FRONT_BYTES; ++i) front[i] = 0xa5;
    if (it_init(&device, key) || it_front(front, iv{given})) return 1;
    for (unsigned i = 0; i < IT_FRONT_BYTES; ++i) printf("%02x", front[i]);""",
    )
    *loads, front = lines
    pairs = [(int(place, 16), int(word, 16)) for place, word in map(str.split, loads)]
    words = struct.unpack(f"<{-(-len(key) // 4)}I", key + bytes(-len(key) % 4))
    assert pairs == [(0x08, len(key)), *((0x0C, word) for word in words)]
    written = expected(iv)
    assert front == (written + bytes(-len(written) % 16)).hex()


def test_a_front_that_is_not_legal_is_not_written(tmp_path: Path) -> None:
    ip = ip_of("grain128a-ae")
    _, iv = public_secret(ip.cipher)
    wrong = bytes([iv[0] & 0x7F]) + iv[1:]
    lines = printed(
        tmp_path,
        ip,
        f"""
    static const uint8_t iv[] = {c_bytes(iv)}, wrong[] = {c_bytes(wrong)};
    static uint8_t front[IT_FRONT_BYTES];
    printf("%d ", it_front(front, wrong, 8, 0));
    printf("%d %d\\n", it_front(front, iv, 0x7fffffff9ull, 0), front[4]);
    printf("%d\\n", it_front(front, iv, 8, 0));""",
    )
    assert lines == ["-3 -3 0", "0"]


def test_verdicts(tmp_path: Path) -> None:
    """Only a one is good; another tag is told from a packet that was wrong."""
    words = [1, 2, 4, 8, 16, 0, 3, 0x101, 0x01000001, 0x10002]
    body = "".join(
        f"{{ static const uint8_t status[] = {c_bytes(struct.pack('<I', word))};"
        ' printf("%d\\n", it_verdict(status)); }'
        for word in words
    )
    lines = printed(tmp_path, ip_of("grain128aead"), body)
    assert list(map(int, lines)) == [0, -4, *[-3] * 8]


def test_a_fixed_direction_has_no_choice() -> None:
    cipher = find("phelix")
    chosen = Architecture.choose(cipher, options={"direction": "decrypt"})
    made = axi4_stream("it", cipher, chosen, key_by="axi4lite", packets="plain")
    assert made.packets
    files = packet_driver_files(KeyIp(cipher, chosen, "it", made), made.packets)
    assert re.search(
        r"it_front\(uint8_t front\[32\], const uint8_t iv\[16\], uint32_t ad_bytes, "
        r"uint32_t text_bytes\)",
        files["it.h"],
    )
    assert "front[8] = 1;" in files["it.c"]
