# SPDX-License-Identifier: Apache-2.0
"""Drivers depend on nothing that other programs left, and leave nothing where something failed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from delivered import c_bytes, ip_of, program
from poisoned import BITS, case_of, secret_of, sources_of, wrong_after_others

from headwater.flow.process import run_tool
from headwater.interface.public_secret import public_secret
from headwater.package.driver import driver_files
from headwater.package.ip import Ip

KINDS = {
    "trivium": 8,
    "grain128aead": 8,
    "sfinks": 4,
    "moustique": 4,
    "chacha20": 32,
    "aes_ofb": None,
    "phelix": 32,
    "ascon_aead128": 32,
    "vest4-ae": None,
    "eea3": None,
    "uia2": None,
    "nia4": None,
    "grain128a-ae": 32,
}
"""At least one cipher of every kind that has a driver, and its radix."""
INTERFACES = ("bus", "wishbone", "axi4lite", "custom", "custom3", "fifo", "dma")
EACH = [
    (name, interface)
    for name in KINDS
    for interface in INTERFACES
    if interface != "dma" or name in ("trivium", "chacha20", "aes_ofb")
]


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize(("name", "interface"), EACH, ids=[" ".join(each) for each in EACH])
def test_a_driver_depends_on_nothing_that_others_left(
    name: str, interface: str, bits: int, tmp_path: Path
) -> None:
    ip = ip_of(name, interface, KINDS[name])
    assert wrong_after_others(case_of(ip), sources_of(ip), tmp_path, bits) == ""


BROKEN = [
    ("grain128aead", "bus", "{0}_TEXT_SPARE, 0);", "{0}_IRQ_ENABLE, 0);"),
    ("grain128aead", "custom", "{0}_CONTROL, decrypts ?", "{0}_IRQ_ENABLE, decrypts ?"),
    ("nia4", "axi4lite", "set_register(device, {0}_TEXT_SPARE, 0);", ""),
    ("trivium", "bus", "device->left = 0;", ""),
    ("grain128aead", "bus", "device->begun = 0;", ""),
    ("uia2", "bus", "set_register(device, {0}_TEXT_SPARE, (uint32_t)", "(void)("),
]


@pytest.mark.parametrize(("name", "interface", "right", "wrong"), BROKEN)
def test_a_driver_that_depends_on_what_others_left_is_found(
    name: str, interface: str, right: str, wrong: str, tmp_path: Path
) -> None:
    ip = ip_of(name, interface, KINDS[name])
    changes = (text.replace("{0}", ip.name.upper()) for text in (right, wrong))
    assert wrong_after_others(case_of(ip), sources_of(ip), tmp_path, 64, *changes)


def _changed(ip: Ip, right: str, wrong: str) -> dict[str, str]:
    """The driver of an IP, in which the one text is the other."""
    files, upper = driver_files(ip), ip.name.upper()
    right, wrong = right.replace("{0}", upper), wrong.replace("{0}", upper)
    assert files[f"{ip.name}.c"].count(right) == 1
    return {name: text.replace(right, wrong) for name, text in files.items()}


def test_every_setting_is_written_by_init() -> None:
    """A setting that is added to the registers is not forgotten here."""
    left = {"STATUS", "IRQ_ENABLE", "IRQ_STATUS"}
    for name in KINDS:
        ip = ip_of(name)
        init = (
            driver_files(ip)[f"{ip.name}.c"].partition("static int begin(")[2].partition("\n}")[0]
        )
        settings = {one.name for one in ip.registers if one.access == "rw"} - left
        assert {one for one in settings if f"{ip.name.upper()}_{one}" in init} == settings


FAILING = """\
#include <stdio.h>
#include <string.h>
#include "{name}.h"
static unsigned used, most, limit = 1000, late;
static uint8_t out[64], tag[64];

static void use(void) {{
    late |= used++ >= limit;
    if (used > most) most = used;
}}
uint32_t bus_read(uintptr_t address) {{
    if (address == {UPPER}_STATUS) return late ? {UPPER}_STATUS_LATE : {good}u;
    if (address == 0) use();
    return 0x5a5a5a5au;
}}
void bus_write(uintptr_t address, uint32_t word) {{
    (void)word;
    if (address == {UPPER}_STATUS) late = used = 0;
    if (address >= {waiting}u) use();
}}
static int zero(const uint8_t *bytes, size_t count) {{
    for (size_t i = 0; i < count; ++i) if (bytes[i]) return 0;
    return bytes[count] == 0xa5;
}}
static int call(struct {name} *device) {{
    static const uint8_t key[] = {key}, iv[] = {iv}, in[16] = {{1}};
    memset(out, 0xa5, sizeof out), memset(tag, 0xa5, sizeof tag);
    (void)tag, (void)in;
{lines}
}}
int main(void) {{
    static struct {name} device;
    if (call(&device) != 0) return 1;
    for (limit = most; limit--;) {{
        int result = call(&device);
        printf("%d %d %d\\n", result, zero(out, {out}), zero(tag, {tag}));
    }}
    return 0;
}}
"""


def _calls(ip: Ip) -> Iterator[tuple[str, int, int]]:
    """What gives bytes: lines of C, how many bytes of text, and how many of the tag."""
    name, given = ip.name, secret_of(ip)
    begin = f"return {name}_init({given}) ? 1 :"
    data = "in, 7, " if ip.cipher.takes_associated_data else ""
    if ip.gives_keystream:
        yield f"{begin} {name}_keystream(device, out, 13);", 13, 0
        yield f"{begin} {name}_encrypt(device, out, in, 13);", 13, 0
    elif "data_out" not in ip.core.streams:
        yield f"{begin} {name}_mac(device, tag, in, {128 if ip.in_bits else 16});", 0, ip.tag_bytes
    elif not ip.tag_bytes:
        yield f"{begin} {name}_encrypt(device, out, in, {128 if ip.in_bits else 16});", 16, 0
    else:
        yield f"return {name}_seal({given}, {data}out, in, 13, tag);", 13, ip.tag_bytes
        yield f"return {name}_open({given}, {data}out, in, 13, in);", 13, 0


def _failures(ip: Ip, folder: Path, driver: dict[str, str]) -> set[str]:
    """Result, and whether text and tag are zero, of all calls of a core that does not answer from
    some time on, whatever time that is."""
    key, iv = public_secret(ip.cipher)
    bits = {
        field.name: field.mask
        for one in ip.registers
        if one.name == "STATUS"
        for field in one.fields
    }
    addresses = {one.name: one.address for one in ip.registers}
    told = set()
    for lines, out, tag in _calls(ip):
        main = FAILING.format(
            name=ip.name,
            UPPER=ip.name.upper(),
            key=c_bytes(key),
            iv=c_bytes(iv),
            lines=lines,
            good=bits.get("TAG_OK", 0),
            out=out,
            tag=tag,
            waiting=addresses.get("TAG_EXPECTED", addresses.get("TEXT", 0xFF)),
        )
        printed = run_tool([program(folder, main, {ip.name: driver})], cwd=folder).splitlines()
        assert len(printed) > 2
        told |= set(printed)
    return told


@pytest.mark.parametrize("name", KINDS)
def test_nothing_is_left_where_a_core_does_not_answer(name: str, tmp_path: Path) -> None:
    ip = ip_of(name, radix=KINDS[name])
    assert _failures(ip, tmp_path, driver_files(ip)) == {"-1 1 1"}


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("trivium", "if (result != {0}_OK) wipe(out, bytes);", "(void)out, (void)bytes;"),
        ("grain128aead", "(void)ended(result, tag, 8);", ""),
        (
            "uia2",
            "return ended(answered(device), tag, 4);",
            "return ended(answered(device), tag, 0);",
        ),
    ],
)
def test_what_is_left_is_found(name: str, right: str, wrong: str, tmp_path: Path) -> None:
    ip = ip_of(name, radix=KINDS[name])
    assert _failures(ip, tmp_path, _changed(ip, right, wrong)) != {"-1 1 1"}


def test_nothing_is_left_in_the_other_direction(tmp_path: Path) -> None:
    ip = ip_of("grain128aead")
    line = (
        "    int begun = {0}_init{1}(device, key, iv), result = {0}_{2}(device, out, in, 13);\n"
        "    return begun == 0 && result == -3 && zero(out, 13) ? 0 : 1;"
    )
    for begin, call in (("", "decrypt"), ("_decrypt", "encrypt")):
        main = FAILING.format(
            name=ip.name,
            UPPER=ip.name.upper(),
            key=c_bytes(bytes(16)),
            iv=c_bytes(bytes(12)),
            lines=line.format(ip.name, begin, call),
            good=0,
            out=0,
            tag=0,
            waiting=0xFF,
        )
        run_tool([program(tmp_path, main, {ip.name: driver_files(ip)})], cwd=tmp_path)
