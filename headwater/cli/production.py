# SPDX-License-Identifier: Apache-2.0
"""The verbs that make something: keystream, generate."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from headwater.cipher.catalogue import find
from headwater.cipher.description import ShiftRegisterCipher
from headwater.cli.arguments import architecture, at_least, secret_bytes
from headwater.cli.output import print_json
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError, unknown
from headwater.interface import INTERFACES
from headwater.model import Model
from headwater.verify.engine import RtlEngine, Segment

_ENGINES = ("model", "rtl")
_PIECE_BITS = 1 << 20


def run_keystream(given: argparse.Namespace) -> int:
    """`headwater keystream`"""
    cipher = find(given.cipher)
    if given.engine not in _ENGINES:
        raise unknown("engine", given.engine, _ENGINES)
    chosen = architecture(cipher, given)
    key, iv = secret_bytes("key", given.key), secret_bytes("IV", given.iv)
    cipher.load_string(key, iv)
    bits, offset = at_least(1, "bits", given.bits), at_least(0, "offset", given.offset)
    pieces = _keystream(cipher, chosen, given.engine, Segment(key, iv, offset, bits))
    if given.json:
        print_json({"cipher": cipher.name, "engine": given.engine, "offset_bits": offset,
                    "keystream_bits": bits, "bit_order": cipher.bit_order,
                    "keystream": b"".join(pieces).hex()})  # fmt: skip
        return 0
    for piece in pieces:
        sys.stdout.write(piece.hex())
    sys.stdout.write("\n")
    return 0


def _keystream(
    cipher: ShiftRegisterCipher, chosen: Architecture, engine: str, segment: Segment
) -> Iterator[bytes]:
    """The segment in pieces of whole bytes, so that a long one need not be held."""
    if engine == "rtl":
        yield from RtlEngine(cipher, chosen).run([segment])
        return
    model = Model(cipher, key=segment.key, iv=segment.iv)
    model.skip(segment.offset)
    for done in range(0, segment.bits, _PIECE_BITS):
        yield model.read(min(_PIECE_BITS, segment.bits - done))


def run_generate(given: argparse.Namespace) -> int:
    """`headwater generate`"""
    cipher = find(given.cipher)
    if given.interface not in INTERFACES:
        raise unknown("interface", given.interface, INTERFACES)
    chosen = architecture(cipher, given)
    folder = Path(given.output)
    _check_writable(folder)
    verilog = generate(cipher, chosen)
    path = folder / f"{verilog.name}.v"
    _write(path, verilog.text)
    if given.json:
        print_json({"cipher": cipher.name, "radix": chosen.radix, "load_width": chosen.load_width,
                    "options": chosen.options, "interface": given.interface,
                    "module": verilog.name, "files": [str(path)],
                    "rtl_sha256": verilog.sha256})  # fmt: skip
    else:
        print(path)
    return 0


def _check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be written into before anything is made."""
    try:
        existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    except OSError as error:
        raise InputError(f"output folder cannot be used: {error.strerror}") from error
    if not existing.is_dir():
        raise InputError(f"output must be a folder, not the file {existing}")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise InputError(f"output folder {folder} must be writable, but {existing} is not")


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all: under another name first, in the same folder."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
