# SPDX-License-Identifier: Apache-2.0
"""The C driver of a core on registers or custom instructions: it takes bytes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from headwater.cipher.description import Cipher
from headwater.errors import InputError
from headwater.interface.core_shape import WORD_BITS
from headwater.interface.length_header import has_length_header
from headwater.interface.load_code import load_code, load_parameters
from headwater.interface.load_table import load_table
from headwater.interface.registers import INSTRUCTIONS, TEXT_MARKS
from headwater.package.ip import Ip
from headwater.package.templating import rendered

_WORD_BYTES = 4
_COMMENT_WIDTH = 96

_FUNCT3 = {entry.name: entry.value for entry in INSTRUCTIONS}
_MARK = {entry.name: entry.value for entry in TEXT_MARKS}
_INSTRUCTION_OF_ITS_OWN = ("DATA", "STATUS", "LOAD_FIRST", "LOAD_NEXT", "TAG_EXPECTED", "TEXT")
"""Registers that software behind custom instructions reaches by another one than REGISTER."""


def driver_files(ip: Ip) -> dict[str, str]:
    """The driver: file name to text."""
    values = {
        **_of_cipher(ip), **_of_load(ip), **_of_interface(ip),
        "NAME": ip.name.upper(), "name": ip.name, "top": ip.top, "pad": " " * 8,
    }  # fmt: skip
    return {f"{ip.name}.{suffix}": rendered(f"driver.{suffix}", **values) for suffix in "hc"}


def use_of(ip: Ip) -> str:
    """A few lines of C that use the driver."""
    values = {**_of_cipher(ip), **_of_interface(ip), "NAME": ip.name.upper(), "name": ip.name}
    return rendered("driver_use.c", **values)


def _of_cipher(ip: Ip) -> dict[str, Any]:
    """What the templates need to know of key, IV and message."""
    cipher, streams = ip.cipher, ip.core.streams
    seeks = cipher.seek_bits or 0
    bits = cipher.iv_bits[-1]
    return {
        "title": cipher.title,
        "convention": textwrap.wrap(cipher.convention, _COMMENT_WIDTH),
        "key_bytes": cipher.key_bits // 8,
        "iv_bytes": -(-bits // 8),
        "call_parameters": ", ".join(f"uint32_t {name}" for name, _ in cipher.call_fields),
        "call_names": ", ".join(name for name, _ in cipher.call_fields),
        "call_fields": list(_placed_fields(cipher)),
        "iv_rule": f" {_first_bit_rule(cipher)}" if cipher.first_iv_bit is not None else "",
        "block_bytes": seeks // 8,
        "tag_bytes": _tag_bytes(ip),
        "keystream": ip.gives_keystream,
        "encrypts": "data_out" in streams,
        "directions": "decrypt" in ip.core.inputs,
        "associated_data": cipher.takes_associated_data and not ip.gives_keystream,
        "header": has_length_header(cipher),
        "unit": "bits" if ip.in_bits else "bytes",
        "unit_rule": " Its length is in bits; spare bits of the last byte are zero." * ip.in_bits,
        "message_parameters": _message_parameters(cipher),
        "ahead": 0 if ip.gives_keystream else ip.core.words_ahead,
        "turned": "turned(word)" if ip.turns_bytes else "word",
        "reversed": ip.turns_bytes,
        "top_first": ip.core.load.top_first,
        "last": _MARK["LAST"],
        "associated": _MARK["DATA"],
    }


def _of_load(ip: Ip) -> dict[str, Any]:
    """What the templates need to know of the load: of key, IV and tag as long as they may be."""
    table = load_table(ip.cipher, ip.architecture)
    bits, part = ip.cipher.iv_bits[-1], table.parts[-1]
    table = replace(table, key_bits=table.key_bits[-1:],
                    parts=(replace(part, iv_bits=range(bits, bits + 1)),))  # fmt: skip
    width, fitting = table.stream.width, max(1, WORD_BITS // table.stream.width)
    given = {"tag_bits": f"{8 * ip.tag_bytes}"}
    last = f"{fitting - 1} - number % {fitting}"
    return {
        "load_code": load_code(ip.name, table, limb_bits=WORD_BITS),
        "load_arguments": ", ".join(given.get(name, name) for name in load_parameters(table)),
        "load_words": ip.core.load_transfers,
        "load_width": width,
        "load_parts": -(-width // WORD_BITS),
        "load_fitting": fitting,
        "load_place": last if table.stream.top_first else f"number % {fitting}",
    }


def _of_interface(ip: Ip) -> dict[str, Any]:
    """What the templates need to know of registers and instructions."""
    by_instruction = [one for one in ip.registers if one.name not in _INSTRUCTION_OF_ITS_OWN]
    return {
        "registers": ip.registers,
        "instruction": ip.port.instruction,
        "pairs": ip.port.pairs,
        "dma": ip.port.dma,
        "identity": ip.identity,
        "read_registers": [one.name for one in by_instruction if "r" in one.access],
        "written_registers": [one.name for one in by_instruction if "w" in one.access],
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
    if ip.tag_bytes and not ip.gives_keystream:
        yield "check_instruction", _FUNCT3["CHECK"], 0
    for marks in _put_marks(ip):
        yield f"put_instruction_{marks}", _FUNCT3["PUT"], marks
    for one in ip.registers:
        if one.name not in _INSTRUCTION_OF_ITS_OWN:
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
        raise InputError(f"tag of {ip.cipher.name} must be whole words of 32 bits for a driver, "
                         f"not {8 * tag} bits")  # fmt: skip
    return tag


def _message_parameters(cipher: Cipher) -> str:
    """The parameters of a message that is sealed or opened at once."""
    data = "const uint8_t *data, size_t data_bytes, " if cipher.takes_associated_data else ""
    return f"{data}uint8_t *out, const uint8_t *in, size_t bytes"


def _first_bit_rule(cipher: Cipher) -> str:
    """A sentence on the bit of the IV that selects the mode."""
    bit = "highest" if (cipher.input_order or cipher.bit_order) == "msb_first" else "lowest"
    return f"The {bit} bit of the first byte of the IV must be {cipher.first_iv_bit}."


def _placed_fields(cipher: Cipher) -> Iterator[tuple[int, str]]:
    """The bytes of the IV and what the fields of a call put into each, as C expressions."""
    end = 8 * -(-sum(bits for _, bits in cipher.call_fields) // 8)
    for name, bits in cipher.call_fields:
        end -= bits
        value = name if bits == 32 else f"({name} & 0x{(1 << bits) - 1:x}u)"
        total = 8 * -(-cipher.iv_bits[-1] // 8)
        for byte in range(total // 8):
            shift = end - (total - 8 * (byte + 1))
            if -bits < shift < 8:
                moved = f" << {shift}" if shift > 0 else f" >> {-shift}" if shift else ""
                yield byte, f"{value}{moved}"
