# SPDX-License-Identifier: Apache-2.0
"""Drivers on cores that other programs have used: each session as a line of C, and its run."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from delivered import c_bytes

from headwater.cipher.message import Message
from headwater.codesign.system import coprocessor_sources
from headwater.emit.verilog import generate
from headwater.flow.models import Design, link_models
from headwater.flow.process import run_tool
from headwater.interface.public_secret import public_secret
from headwater.kinds.reading import Keystream, process
from headwater.package.driver import driver_files
from headwater.package.ip import Ip

_HERE = Path(__file__).parent
_ROUNDS = 24
_TEXT_BYTES = (21, 0, 8, 3)
_DATA = bytes(range(200, 207))
_KEYSTREAM_BYTES, _BLOCK = 45, 3
_DMA_WORDS = 5
_WATCHED = ("-std=c99", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_HOOKS = {"READ": "bus_read", "WRITE": "bus_write"}


def wrong_after_others(ip: Ip, folder: Path, bits: int, *, driver: Mapping[str, str]) -> str:
    """What the driver, compiled for so many bits, gives otherwise than the model; else empty."""
    program = _compiled(ip, folder, bits, driver)
    verilog = generate(ip.cipher, ip.architecture).text
    sources = coprocessor_sources(ip.core, verilog, ip.port)
    simulator = link_models(_HERE / "port_driver.cpp", Design("Vcop", "cop", sources))
    with subprocess.Popen([simulator], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as core:
        done = subprocess.run([program], stdin=core.stdout, stdout=core.stdin, text=True,
                              stderr=subprocess.PIPE, check=False)  # fmt: skip
        assert core.stdin is not None
        core.stdin.close()
    assert bool(done.stderr) == bool(done.returncode), done.stderr
    return done.stderr


def _compiled(ip: Ip, folder: Path, bits: int, driver: Mapping[str, str]) -> Path:
    """The program, in which the driver reaches the core through `poisoned.c`."""
    texts = {**driver, "case.h": case_of(ip), "main.c": (_HERE / "poisoned.c").read_text()}
    for name, text in texts.items():
        (folder / name).write_text(text)
    run_tool(["gcc", f"-m{bits}", *_WATCHED, "main.c", "-o", f"program{bits}"], cwd=folder)
    return folder / f"program{bits}"


def case_of(ip: Ip) -> str:
    """What `poisoned.c` includes: the driver, what the core has, and its sessions."""
    name, upper = ip.name, ip.name.upper()
    features = ip.core.features
    addresses = {one.name: one.address for one in ip.registers}
    settings = [(one.address, sum(field.mask for field in one.fields)) for one in ip.registers
                if one.access == "rw" and one.name != "STATUS"]  # fmt: skip
    known = {
        "DRIVER": f"struct {name}",
        "BASE": "0x80000000u",
        "ROUNDS": _ROUNDS,
        "INSTRUCTIONS": int(ip.port.instruction),
        "PAIRS": int(ip.port.pairs),
        "LOAD_TRANSFERS": ip.core.load_transfers // (2 if ip.port.pairs else 1),
        "HAS_TEXT": int("text" in features),
        "HAS_DATA": int(ip.cipher.takes_associated_data),
        "HAS_TAG": int("tag" in features),
        "HAS_DMA": int(ip.port.dma),
        "SET_BASE(device)": "(void)0" if ip.port.instruction else "(device).base = BASE",
        **{one: addresses.get(one, 0) for one in ("STATUS", "LOAD_FIRST", "LOAD_NEXT", "TEXT",
           "TAG_EXPECTED", "DMA_ADDRESS", "DMA_WORDS")},
        **{f"{upper}_{what}": hook for what, hook in _HOOKS.items()},
        f"{upper}_INSTRUCTION(result, funct3, funct7, first, second)":
            "result = instruction(funct3, funct7, first, second)",
    }  # fmt: skip
    values = ", ".join(f"{{{address}, {mask}u}}" for address, mask in settings)
    return "\n".join([
        *(f"#define {one} {value}" for one, value in known.items()),
        f'#include "{name}.c"',
        f"static const struct {{ unsigned offset; uint32_t mask; }} SETTINGS[] = {{{values}}};",
        "#define SAME(given, wanted, count) CHECK(memcmp(given, wanted, count) == 0)",
        f"static void session(struct {name} *device, unsigned number) {{",
        "    uint8_t out[128], tag[64];",
        "    memset(out, 0xa5, sizeof out), memset(tag, 0xa5, sizeof tag);",
        *(f"    {line}" for line in _session(ip)),
        "}", "",
    ])  # fmt: skip


def _session(ip: Ip) -> Iterator[str]:
    """The lines of C that use the driver as its header says, and compare with the model."""
    key, iv = public_secret(ip.cipher)
    yield f"static const uint8_t key[] = {c_bytes(key)}, iv[] = {c_bytes(iv)};"
    sessions = list(_keystreams(ip) if ip.gives_keystream else _messages(ip))
    for number, lines in enumerate(sessions):
        yield f"if (number % {len(sessions)} == {number}) {{"
        yield from (f"    {line}" for line in lines)
        yield "}"


def secret_of(ip: Ip) -> str:
    """The arguments of functions that take key and IV: the arrays `key` and `iv`."""
    several = "unsigned iv_bits" in driver_files(ip)[f"{ip.name}.h"]
    return "device, key, iv" + f", {ip.cipher.iv_bits[-1]}" * several


def _keystreams(ip: Ip) -> Iterator[list[str]]:
    """Sessions of a core that gives keystream."""
    name, given = ip.name, secret_of(ip)
    yield [*_wanted("wanted", _keystream(ip, 0, _KEYSTREAM_BYTES)),
           f"CHECK({name}_init({given}) == 0);",
           f"CHECK({name}_keystream(device, out, 5) == 0);",
           f"CHECK({name}_encrypt(device, out + 5, wanted + 5, 3) == 0);",
           f"CHECK({name}_keystream(device, out + 8, {_KEYSTREAM_BYTES - 8}) == 0);",
           "for (int i = 5; i < 8; ++i) CHECK(out[i] == 0), out[i] = wanted[i];",
           "SAME(out, wanted, sizeof wanted);"]  # fmt: skip
    if ip.cipher.seek_bits:
        skipped = ip.cipher.seek_bits // 8 * _BLOCK
        yield [*_wanted("wanted", _keystream(ip, skipped, _KEYSTREAM_BYTES)),
               f"CHECK({name}_init_at({given}, {_BLOCK}) == 0);",
               f"CHECK({name}_keystream(device, out, {_KEYSTREAM_BYTES}) == 0);",
               "SAME(out, wanted, sizeof wanted);"]  # fmt: skip
    if ip.port.dma:
        yield [*_wanted("wanted", _keystream(ip, 4 * _DMA_WORDS, 4)),
               f"CHECK({name}_init({given}) == 0);",
               f"{name}_dma_start(device, 64, {_DMA_WORDS});",
               f'while ({name}_dma_busy(device)) (void)answer("dma 10 1f4");',
               f"CHECK({name}_keystream(device, out, 4) == 0);",
               "SAME(out, wanted, sizeof wanted);"]  # fmt: skip


def _keystream(ip: Ip, skipped: int, count: int) -> bytes:
    key, iv = public_secret(ip.cipher)
    keystream = Keystream(ip.cipher, key=key, iv=iv, iv_bits=ip.cipher.iv_bits[-1])
    return keystream.read(8 * (skipped + count))[skipped:]


def _messages(ip: Ip) -> Iterator[list[str]]:
    """Sessions of a core that takes a text."""
    for length in _TEXT_BYTES:
        spare = 3 if ip.in_bits and length else 0
        data = _DATA[: length % 8] if ip.cipher.takes_associated_data else b""
        text = bytearray(range(1, length + 1))
        if spare:
            text[-1] &= 0xFF << spare & 0xFF
        given = Message(*public_secret(ip.cipher), data, bytes(text), 8 * length - spare)
        sealed = process(ip.cipher, given)
        arrays = [*_wanted("plain", given.text), *_wanted("sealed", sealed.text),
                  *_wanted("wanted_tag", sealed.tag), *_wanted("data", data)]  # fmt: skip
        size = str(given.bits if ip.in_bits else length)
        for lines in _of_message(ip, size, length, f"data, {len(data)}, "):
            yield [*arrays, "(void)plain, (void)sealed, (void)wanted_tag, (void)data;", *lines]


def _of_message(ip: Ip, size: str, length: int, data: str) -> Iterator[list[str]]:
    """The calls of one message in each direction, and with a wrong tag."""
    name, given = ip.name, secret_of(ip)
    data = data if ip.cipher.takes_associated_data else ""
    forged = ["uint8_t forged[sizeof wanted_tag];",
              "memcpy(forged, wanted_tag, sizeof forged), forged[sizeof forged - 1] ^= 1;"]
    if "data_out" not in ip.core.streams:
        begin = f"CHECK({name}_init({given}) == 0);"
        yield [begin, f"CHECK({name}_mac(device, tag, plain, {size}) == 0);",
               "SAME(tag, wanted_tag, sizeof wanted_tag);"]  # fmt: skip
        yield [begin, f"CHECK({name}_check_mac(device, wanted_tag, plain, {size}) == 0);"]
        yield [*forged, begin, f"CHECK({name}_check_mac(device, forged, plain, {size}) == -4);"]
        return
    if not ip.tag_bytes:
        yield [f"CHECK({name}_init({given}) == 0);",
               f"CHECK({name}_encrypt(device, out, plain, {size}) == 0);",
               f"SAME(out, sealed, {length});"]  # fmt: skip
        if "decrypt" in ip.core.inputs:
            yield [f"CHECK({name}_init_decrypt({given}) == 0);",
                   f"CHECK({name}_decrypt(device, out, sealed, {size}) == 0);",
                   f"SAME(out, plain, {length});"]  # fmt: skip
        return
    yield [f"CHECK({name}_seal({given}, {data}out, plain, {size}, tag) == 0);",
           f"SAME(out, sealed, {length});", "SAME(tag, wanted_tag, sizeof wanted_tag);"]  # fmt: skip
    if data in ("", "data, 0, "):
        yield [f"CHECK({name}_init({given}) == 0);",
               f"CHECK({name}_encrypt(device, out, plain, {size}) == 0);",
               f"SAME(out, sealed, {length});", f"CHECK({name}_tag(device, tag) == 0);",
               "SAME(tag, wanted_tag, sizeof wanted_tag);"]  # fmt: skip
    yield [f"CHECK({name}_open({given}, {data}out, sealed, {size}, wanted_tag) == 0);",
           f"SAME(out, plain, {length});"]  # fmt: skip
    yield [*forged, f"CHECK({name}_open({given}, {data}out, sealed, {size}, forged) == -4);",
           f"for (int i = 0; i < {length}; ++i) CHECK(out[i] == 0);"]  # fmt: skip


def _wanted(name: str, data: bytes) -> list[str]:
    return [f"static const uint8_t {name}[] = {c_bytes(data)};"]
