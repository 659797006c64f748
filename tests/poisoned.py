# SPDX-License-Identifier: Apache-2.0
"""Drivers on cores that other programs have used: their sessions as lines of C, and their run."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from delivered import c_bytes
from needs import needs_multilib

from headwater.cipher.message import Message
from headwater.codesign.system import coprocessor_sources
from headwater.emit.verilog import generate
from headwater.flow.models import Design, link_models
from headwater.flow.process import run_tool
from headwater.interface.public_secret import public_secret
from headwater.interface.registers import Register
from headwater.kinds.reading import Keystream, process
from headwater.package.driver import driver_files
from headwater.package.ip import Ip

BITS = [64, pytest.param(32, marks=needs_multilib)]
"""The computers that drivers are compiled for."""
_HERE = Path(__file__).parent
_TEXT_BYTES = (21, 0, 8, 3)
_DATA = bytes(range(200, 207))
_KEYSTREAM_BYTES, _BLOCK = 45, 3
_DMA_WORDS = 5
_WATCHED = ("-std=c99", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_HOOKS = {"READ": "bus_read", "WRITE": "bus_write"}
_POKED = ("STATUS", "LOAD_FIRST", "LOAD_NEXT", "TEXT", "TAG_EXPECTED", "DMA_ADDRESS", "DMA_WORDS")
_NOTHING = {
    "BASE": "0x80000000u",
    "ROUNDS": 24,
    "SET_BASE(device)": "(device).base = BASE",
    "INSTRUCTIONS": 0,
    "PAIRS": 0,
    "HAS_TEXT": 0,
    "HAS_DATA": 0,
    "HAS_TAG": 0,
    "HAS_DMA": 0,
    "LENGTH(word)": "(word)",
    **dict.fromkeys(_POKED, 0),
}
"""The macros of a core that has nothing but a load. ``LENGTH`` is the first word of a load."""


@dataclass(frozen=True)
class Case:
    """A driver, what its core has, and the lines of C that use it.

    Members
    -------
    name : str
        What every name of the driver begins with.
    driver : mapping of str to str
        Its files.
    known : mapping of str to object
        Macros for `poisoned.c`, beside `_NOTHING`.
    settings : sequence of (int, int)
        Address, and the bits that are legal, of registers that keep what is written.
    session : sequence of str
    """

    name: str
    driver: Mapping[str, str]
    known: Mapping[str, object]
    settings: Sequence[tuple[int, int]]
    session: Sequence[str]

    def header(self) -> str:
        """What `poisoned.c` includes."""
        upper = self.name.upper()
        hooks = {f"{upper}_{what}": hook for what, hook in _HOOKS.items()}
        macros = {**_NOTHING, "DRIVER": f"struct {self.name}", **hooks, **self.known}
        values = ", ".join(f"{{{address}, {mask}u}}" for address, mask in self.settings)
        return "\n".join(
            [
                *(f"#define {one} {value}" for one, value in macros.items()),
                f'#include "{self.name}.c"',
                "struct setting { unsigned offset; uint32_t mask; };",
                f"static const struct setting SETTINGS[] = {{{values}}};",
                "#define SAME(given, wanted, count) CHECK(memcmp(given, wanted, count) == 0)",
                f"static void session(struct {self.name} *device, unsigned number) {{",
                "    uint8_t out[128], tag[64];",
                "    memset(out, 0xa5, sizeof out), memset(tag, 0xa5, sizeof tag), (void)number;",
                *(f"    {line}" for line in self.session),
                "}",
                "",
            ]
        )


def wrong_after_others(
    case: Case, sources: Mapping[str, str], folder: Path, bits: int, *changes: str
) -> str:
    """What the driver, compiled for so many bits, gives otherwise than the model; else empty.

    ``sources`` are the Verilog of a module `cop`. The first text of ``changes`` in the driver is
    the second.
    """
    texts = {"case.h": case.header(), "main.c": (_HERE / "poisoned.c").read_text(), **case.driver}
    if changes:
        assert texts[f"{case.name}.c"].count(changes[0]) == 1
        texts[f"{case.name}.c"] = texts[f"{case.name}.c"].replace(*changes)
    for name, text in texts.items():
        (folder / name).write_text(text)
    run_tool(["gcc", f"-m{bits}", *_WATCHED, "main.c", "-o", "program"], cwd=folder)
    simulator = link_models(_HERE / "port_driver.cpp", Design("Vcop", "cop", sources))
    with subprocess.Popen([simulator], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as core:
        done = subprocess.run(
            [folder / "program"],
            stdin=core.stdout,
            stdout=core.stdin,
            text=True,
            stderr=subprocess.PIPE,
            check=False,
        )
        assert core.stdin is not None
        core.stdin.close()
    assert bool(done.stderr) == bool(done.returncode), done.stderr
    return done.stderr


def sources_of(ip: Ip) -> dict[str, str]:
    """The module `cop` with an IP in it."""
    return coprocessor_sources(ip.core, generate(ip.cipher, ip.architecture).text, ip.port)


def case_of(ip: Ip) -> Case:
    """An IP on registers or custom instructions."""
    addresses = {one.name: one.address for one in ip.registers}
    features = ip.core.features
    operands = "funct3, funct7, first, second"
    known = {
        "INSTRUCTIONS": int(ip.port.instruction),
        "PAIRS": int(ip.port.pairs),
        "LOAD_TRANSFERS": ip.core.load_transfers // (2 if ip.port.pairs else 1),
        "HAS_TEXT": int("text" in features),
        "HAS_DATA": int(ip.cipher.takes_associated_data),
        "HAS_TAG": int("tag" in features),
        "HAS_DMA": int(ip.port.dma),
        **{one: addresses[one] for one in _POKED if one in addresses},
        f"{ip.name.upper()}_INSTRUCTION(result, {operands})": f"result = instruction({operands})",
    }
    if ip.port.instruction:
        known["SET_BASE(device)"] = "(void)0"
    return Case(ip.name, driver_files(ip), known, settings_of(ip.registers), list(_session(ip)))


def settings_of(registers: Iterable[Register]) -> list[tuple[int, int]]:
    """Address, and the bits that are legal, of registers that keep what is written."""
    return [
        (one.address, sum(field.mask for field in one.fields))
        for one in registers
        if one.access == "rw" and one.name != "STATUS"
    ]


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
    yield [
        *_wanted("wanted", _keystream(ip, 0, _KEYSTREAM_BYTES)),
        f"CHECK({name}_init({given}) == 0);",
        f"CHECK({name}_keystream(device, out, 5) == 0);",
        f"CHECK({name}_encrypt(device, out + 5, wanted + 5, 3) == 0);",
        f"CHECK({name}_keystream(device, out + 8, {_KEYSTREAM_BYTES - 8}) == 0);",
        "for (int i = 5; i < 8; ++i) CHECK(out[i] == 0), out[i] = wanted[i];",
        "SAME(out, wanted, sizeof wanted);",
    ]
    if ip.cipher.seek_bits:
        skipped = ip.cipher.seek_bits // 8 * _BLOCK
        yield [
            *_wanted("wanted", _keystream(ip, skipped, _KEYSTREAM_BYTES)),
            f"CHECK({name}_init_at({given}, {_BLOCK}) == 0);",
            f"CHECK({name}_keystream(device, out, {_KEYSTREAM_BYTES}) == 0);",
            "SAME(out, wanted, sizeof wanted);",
        ]
    if ip.port.dma:
        yield [
            *_wanted("wanted", _keystream(ip, 4 * _DMA_WORDS, 4)),
            f"CHECK({name}_init({given}) == 0);",
            f"{name}_dma_start(device, 64, {_DMA_WORDS});",
            f'while ({name}_dma_busy(device)) (void)answer("dma 10 1f4");',
            f"CHECK({name}_keystream(device, out, 4) == 0);",
            "SAME(out, wanted, sizeof wanted);",
        ]


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
        arrays = [
            *_wanted("plain", given.text),
            *_wanted("sealed", sealed.text),
            *_wanted("wanted_tag", sealed.tag),
            *_wanted("data", data),
        ]
        size = str(given.bits if ip.in_bits else length)
        for lines in _of_message(ip, size, length, f"data, {len(data)}, "):
            yield [*arrays, "(void)plain, (void)sealed, (void)wanted_tag, (void)data;", *lines]


def _of_message(ip: Ip, size: str, length: int, data: str) -> Iterator[list[str]]:
    """The calls of one message in each direction, and with a wrong tag."""
    name, given = ip.name, secret_of(ip)
    data = data if ip.cipher.takes_associated_data else ""
    forged = [
        "uint8_t forged[sizeof wanted_tag];",
        "memcpy(forged, wanted_tag, sizeof forged), forged[sizeof forged - 1] ^= 1;",
    ]
    if "data_out" not in ip.core.streams:
        begin = f"CHECK({name}_init({given}) == 0);"
        yield [
            begin,
            f"CHECK({name}_mac(device, tag, plain, {size}) == 0);",
            "SAME(tag, wanted_tag, sizeof wanted_tag);",
        ]
        yield [begin, f"CHECK({name}_check_mac(device, wanted_tag, plain, {size}) == 0);"]
        yield [*forged, begin, f"CHECK({name}_check_mac(device, forged, plain, {size}) == -4);"]
        return
    if not ip.tag_bytes:
        yield [
            f"CHECK({name}_init({given}) == 0);",
            f"CHECK({name}_encrypt(device, out, plain, {size}) == 0);",
            f"SAME(out, sealed, {length});",
        ]
        if "decrypt" in ip.core.inputs:
            yield [
                f"CHECK({name}_init_decrypt({given}) == 0);",
                f"CHECK({name}_decrypt(device, out, sealed, {size}) == 0);",
                f"SAME(out, plain, {length});",
            ]
        return
    same_tag = "SAME(tag, wanted_tag, sizeof wanted_tag);"
    yield [
        f"CHECK({name}_seal({given}, {data}out, plain, {size}, tag) == 0);",
        f"SAME(out, sealed, {length});",
        same_tag,
    ]
    if data in ("", "data, 0, "):
        yield [
            f"CHECK({name}_init({given}) == 0);",
            f"CHECK({name}_encrypt(device, out, plain, {size}) == 0);",
            f"SAME(out, sealed, {length});",
            f"CHECK({name}_tag(device, tag) == 0);",
            same_tag,
        ]
    yield [
        f"CHECK({name}_open({given}, {data}out, sealed, {size}, wanted_tag) == 0);",
        f"SAME(out, plain, {length});",
    ]
    yield [
        *forged,
        f"CHECK({name}_open({given}, {data}out, sealed, {size}, forged) == -4);",
        f"for (int i = 0; i < {length}; ++i) CHECK(out[i] == 0);",
    ]


def _wanted(name: str, data: bytes) -> list[str]:
    return [f"static const uint8_t {name}[] = {c_bytes(data)};"]
