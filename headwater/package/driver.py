# SPDX-License-Identifier: Apache-2.0
"""The C driver of a core on registers or custom instructions: it takes bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from headwater.cipher.description import Cipher
from headwater.errors import InputError
from headwater.interface.length_header import has_length_header
from headwater.interface.load_code import load_code, load_parameters
from headwater.interface.load_probing import load_table
from headwater.interface.load_table import LoadTable
from headwater.interface.registers import INSTRUCTIONS, TEXT_MARKS, WORD_BITS
from headwater.package.ip import Ip
from headwater.package.register_map import register_map
from headwater.package.secret import secret_values
from headwater.package.templating import rendered

_WORD_BYTES = WORD_BITS // 8

_FUNCT3 = {entry.name: entry.value for entry in INSTRUCTIONS}
_MARK = {entry.name: entry.value for entry in TEXT_MARKS}


def driver_files(ip: Ip) -> dict[str, str]:
    """The driver: file name to text."""
    table = _table_of(ip)
    values = {**_values(ip, table), **_of_load(ip, table), "top": ip.top, "pad": " " * 8}
    return {f"{ip.name}.{suffix}": rendered(f"driver.{suffix}", **values) for suffix in "hc"}


def use_of(ip: Ip) -> str:
    """A few lines of C that use the driver."""
    return rendered("driver_use.c", **values_of(ip))


def values_of(ip: Ip) -> dict[str, Any]:
    """What templates need to know of the functions that the driver has."""
    return _values(ip, _table_of(ip))


def _values(ip: Ip, table: LoadTable) -> dict[str, Any]:
    """What the templates need to know, apart from the load."""
    return {
        **secret_values(ip.cipher, table.iv_bits),
        **_of_message(ip),
        **_of_interface(ip),
        "NAME": ip.name.upper(),
        "name": ip.name,
    }


def _table_of(ip: Ip) -> LoadTable:
    """The load with a key of full length, and with those lengths of the IV whose load has as many
    words as the hardware counts."""
    table = load_table(ip.cipher, ip.architecture)
    longest = ip.core.load_words * table.stream.width
    parts = []
    for part in table.parts:
        taken = [bits for bits in part.iv_bits if part.bits.at(bits) == longest]
        if taken:
            lengths = range(taken[0], taken[-1] + 1, part.iv_bits.step)
            parts.append(replace(part, iv_bits=lengths))
    return replace(table, key_bits=table.key_bits[-1:], parts=tuple(parts))


def _of_message(ip: Ip) -> dict[str, Any]:
    """What the templates need to know of the message."""
    cipher, streams = ip.cipher, ip.core.streams
    return {
        "tag_bytes": _tag_bytes(ip),
        "keystream": ip.gives_keystream,
        "encrypts": "data_out" in streams,
        "directions": "decrypt" in ip.core.inputs,
        "encrypting": "encrypt" in ip.architecture.directions,
        "decrypting": "decrypt" in ip.architecture.directions,
        "associated_data": cipher.takes_associated_data and not ip.gives_keystream,
        "header": has_length_header(cipher),
        "unit": "bits" if ip.in_bits else "bytes",
        "unit_rule": " Its length is in bits; spare bits of the last byte are zero." * ip.in_bits,
        "message_parameters": _message_parameters(cipher),
        "ahead": 0 if ip.gives_keystream else ip.core.words_ahead,
        "turned": "turned(word)" if ip.turns_bytes else "word",
        "reversed": ip.turns_bytes,
        "top_first": ip.top_first,
        "last": _MARK["LAST"],
        "associated": _MARK["DATA"],
    }


def _of_load(ip: Ip, table: LoadTable) -> dict[str, Any]:
    """What the templates need to know of the load."""
    width, fitting = table.stream.width, max(1, WORD_BITS // table.stream.width)
    values = {"tag_bits": f"{8 * ip.tag_bytes}"}
    last = f"{fitting - 1} - number % {fitting}"
    return {
        "load_code": load_code(ip.name, table, limb_bits=WORD_BITS),
        "load_arguments": ", ".join(values.get(name, name) for name in load_parameters(table)),
        "load_words": ip.core.load_transfers,
        "load_width": width,
        "load_parts": -(-width // WORD_BITS),
        "load_fitting": fitting,
        "load_top_first": table.stream.top_first,
        "load_place": last if table.stream.top_first else f"number % {fitting}",
    }


def _of_interface(ip: Ip) -> dict[str, Any]:
    """What the templates need to know of registers and instructions."""
    return {
        "register_rows": register_map(ip).rows,
        "instruction": ip.port.instruction,
        "pairs": ip.port.pairs,
        "dma": ip.port.dma,
        "identity": ip.identity,
        "read_registers": [one.name for one in ip.by_number if "r" in one.access],
        "written_registers": [one.name for one in ip.by_number if "w" in one.access],
        "instructions": list(_instructions(ip)),
        "put_marks": _put_marks(ip),
    }


def _instructions(ip: Ip) -> Iterator[tuple[str, int, int]]:
    """The instructions that the driver uses: name of the function, funct3, funct7."""
    yield "status_instruction", _FUNCT3["STATUS"], 0
    yield "get_instruction", _FUNCT3["GET"], 0
    yield "clear_instruction", _FUNCT3["CLEAR"], 0
    yield "load_first_instruction", _FUNCT3["LOAD"], 0
    if ip.port.pairs:
        yield "load_next_instruction", _FUNCT3["LOAD"], 1
    if ip.tag_bytes and not ip.gives_keystream and "decrypt" in ip.architecture.directions:
        yield "check_instruction", _FUNCT3["CHECK"], 0
    for marks in _put_marks(ip):
        yield f"put_instruction_{marks}", _FUNCT3["PUT"], marks
    for one in ip.by_number:
        yield f"register_{one.name.lower()}", _FUNCT3["REGISTER"], one.address // 4


def _put_marks(ip: Ip) -> list[int]:
    """The marks of words of text that the driver puts: full ones, last ones, associated data."""
    if ip.gives_keystream:
        return []
    last = [_MARK["LAST"] | count for count in range(_WORD_BYTES + 1)]
    data = [_MARK["DATA"] | count for count in range(1, _WORD_BYTES + 1)]
    return [_WORD_BYTES, *(data if ip.cipher.takes_associated_data else ()), *last]


def _tag_bytes(ip: Ip) -> int:
    """Length of the tag; zero without one."""
    tag = 0 if ip.gives_keystream else ip.tag_bytes
    if tag % _WORD_BYTES:
        raise InputError(
            f"tag of {ip.cipher.name} must be whole words of 32 bits for a driver, "
            f"not {8 * tag} bits"
        )
    return tag


def _message_parameters(cipher: Cipher) -> str:
    """The parameters of a message that is sealed or opened at once."""
    data = "const uint8_t *data, size_t data_bytes, " if cipher.takes_associated_data else ""
    return f"{data}uint8_t *out, const uint8_t *in, size_t bytes"
