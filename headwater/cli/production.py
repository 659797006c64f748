# SPDX-License-Identifier: Apache-2.0
"""The verbs that make something: keystream, generate."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from headwater.cipher.description import Cipher
from headwater.cli.arguments import architecture, at_least, cipher_of, options
from headwater.cli.inputs import check_engine, cipher_for_key, first_bit, key_and_iv, make_engine
from headwater.cli.output import print_json, say, write_whole
from headwater.codesign.scenario import coprocessor_architecture
from headwater.codesign.shape import coprocessor_files, shape_of
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError, unknown
from headwater.interface import INTERFACES
from headwater.interface.axi4stream import axi4_stream
from headwater.interface.shell import PORTS
from headwater.model.messages import Keystream, check_keystream
from headwater.verify.engine import Engine, ModelEngine, Segment

_PIECE_BITS = 1 << 20


def run_keystream(given: argparse.Namespace) -> int:
    """`headwater keystream`"""
    cipher = cipher_for_key(given)
    check_keystream(cipher)
    check_engine(given)
    secret = key_and_iv(cipher, given)
    bits, offset = at_least(1, "bits", given.bits), at_least(0, "offset", given.offset)
    first = first_bit(cipher, given) + offset
    segment = Segment(secret.key, secret.iv, first, bits, secret.iv_bits)
    pieces = _keystream(cipher, make_engine(cipher, given), segment)
    if given.json:
        counted = {} if given.counter is None else {"counter": given.counter}
        print_json({"cipher": cipher.name, "engine": given.engine, **counted, "offset_bits": offset,
                    "keystream_bits": bits, "bit_order": cipher.bit_order,
                    "keystream": b"".join(pieces).hex()})  # fmt: skip
        return 0
    for piece in pieces:
        sys.stdout.write(piece.hex())
    sys.stdout.write("\n")
    return 0


def _keystream(cipher: Cipher, engine: Engine, segment: Segment) -> Iterator[bytes]:
    """The segment in pieces of whole bytes, so that a long one of the model need not be held."""
    if not isinstance(engine, ModelEngine):
        yield from engine.run([segment])
        return
    stream = Keystream(cipher, key=segment.key, iv=segment.iv, iv_bits=segment.iv_bits)
    stream.skip(segment.offset)
    for done in range(0, segment.bits, _PIECE_BITS):
        yield stream.read(min(_PIECE_BITS, segment.bits - done))


_STREAMS = ("stream", "axi4stream")
"""Interfaces of the core's own streams: the others are a coprocessor's."""


def run_generate(given: argparse.Namespace) -> int:
    """`headwater generate`"""
    cipher = cipher_of(given.cipher, given)
    if given.interface not in INTERFACES:
        raise unknown("interface", given.interface, INTERFACES)
    stream = given.interface in _STREAMS
    chosen = architecture(cipher, given) if stream else _for_coprocessor(cipher, given)
    folder = Path(given.output)
    _check_writable(folder)
    if cipher.broken:
        say(f"headwater: {cipher.name} is {cipher.security}")
    verilog = generate(cipher, chosen)
    files = {f"{verilog.name}.v": verilog.text}
    if given.interface == "axi4stream":
        ports = [(port.name, port.direction, port.width) for port in verilog.ports]
        files[f"{verilog.name}_axi4stream.v"] = axi4_stream(verilog.name, ports)
    elif not stream:
        core = shape_of(cipher, chosen, verilog)
        files = coprocessor_files(core, verilog, PORTS[given.interface])
    paths = [folder / name for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        write_whole(path, text.encode())
    if given.json:
        print_json({"cipher": cipher.name, "radix": chosen.radix, "load_width": chosen.load_width,
                    "options": chosen.options, "interface": given.interface,
                    "module": verilog.name, "files": [str(path) for path in paths],
                    "rtl_sha256": verilog.sha256})  # fmt: skip
    else:
        print(*paths, sep="\n")
    return 0


def _for_coprocessor(cipher: Cipher, given: argparse.Namespace) -> Architecture:
    """The architecture of a core that a processor uses."""
    if given.interface == "dma" and not cipher.has_keystream:
        raise InputError(
            f"interface of {cipher.name}, which takes its text in, must not be dma, which only "
            "writes into memory"
        )
    return coprocessor_architecture(cipher, given.radix, given.load_width, options(given.option))


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
