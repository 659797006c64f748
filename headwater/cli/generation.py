# SPDX-License-Identifier: Apache-2.0
"""The verb generate: Verilog of a core, alone or on a bus, with optional further files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headwater.bench.stimulus import stimulus
from headwater.cipher.description import Cipher
from headwater.cli.arguments import architecture, cipher_of, options
from headwater.cli.c_model import c_architecture, c_files, check_alone
from headwater.cli.output import print_json, say
from headwater.cli.packaging import packaged
from headwater.cli.written import Written
from headwater.codesign.architecture import check_port, coprocessor_architecture
from headwater.codesign.shape import shape_of
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_model
from headwater.emit.fusesoc import fusesoc_core
from headwater.emit.testbench import testbench
from headwater.emit.verilog import Verilog, generate
from headwater.errors import InputError, unknown
from headwater.interface import INTERFACES
from headwater.interface.axi4stream import KEY_WAYS, axi4_stream
from headwater.interface.shell import PORTS, shell, top_name
from headwater.kinds.registry import facts_of

_STREAMS = ("stream", "axi4stream")
"""Interfaces of the core's own streams: the others are a coprocessor's."""

_TESTED_BITS, _TESTED_WORDS = 128, 20
"""Least length of what a testbench compares: beyond a block, and beyond any setup."""


@dataclass(frozen=True)
class _Design:
    """Generated files by name, and the name of the top module."""

    files: dict[str, str]
    top: str


def run_generate(given: argparse.Namespace) -> int:
    """`headwater generate`"""
    cipher = cipher_of(given.cipher, given)
    if given.c_model:
        return _run_c_model(cipher, given)
    if given.interface not in INTERFACES:
        raise unknown("interface", given.interface, INTERFACES)
    _check_stream_choices(given)
    stream = given.interface in _STREAMS
    chosen = architecture(cipher, given) if stream else _for_coprocessor(cipher, given)
    folder = _checked_folder(cipher, given)
    verilog = generate(cipher, chosen)
    design = _design(cipher, chosen, verilog, given)
    files = design.files | _beside(cipher, chosen, verilog, design, given)
    paths = _write(files, folder, cipher, chosen, force=given.force)
    if given.json:
        print_json({"cipher": cipher.name, "radix": chosen.radix, "load_width": chosen.load_width,
                    "options": chosen.options, "interface": given.interface,
                    "module": verilog.name, "top": design.top,
                    "files": [str(path) for path in paths],
                    "rtl_sha256": verilog.sha256})  # fmt: skip
    else:
        print(*paths, sep="\n")
    return 0


def _run_c_model(cipher: Cipher, given: argparse.Namespace) -> int:
    """`headwater generate --c-model`"""
    check_alone(given)
    chosen, folder = c_architecture(cipher, given), _checked_folder(cipher, given)
    model = c_model(cipher, chosen)
    paths = _write(c_files(model), folder, cipher, chosen, force=given.force)
    if given.json:
        print_json({"cipher": cipher.name, "radix": chosen.radix, "load_width": chosen.load_width,
                    "options": chosen.options, "module": model.name,
                    "files": [str(path) for path in paths]})  # fmt: skip
    else:
        print(*paths, sep="\n")
    return 0


def _checked_folder(cipher: Cipher, given: argparse.Namespace) -> Path:
    """The folder to write into; says if the cipher is broken."""
    if not given.output:
        raise InputError("output must be a folder, not an empty name")
    folder = Path(given.output)
    _check_writable(folder)
    if cipher.broken:
        say(f"headwater: {cipher.name} is {cipher.security}")
    return folder


def _write(
    files: Mapping[str, str], folder: Path, cipher: Cipher, chosen: Architecture, *, force: bool
) -> list[Path]:
    """The paths of the files, which are written."""
    Written(folder).write(files, core=f"{cipher.name} {cipher.digest}, {chosen}", force=force)
    return [folder / name for name in files]


def _check_stream_choices(given: argparse.Namespace) -> None:
    """Refuse choices of AXI4-Stream for another interface, and unknown ways of the key."""
    chosen = [
        option
        for option, value in (("--data-width", given.data_width), ("--key-by", given.key_by))
        if value is not None
    ]
    if chosen and given.interface != "axi4stream":
        raise InputError(f"{chosen[0]} must go with --interface axi4stream, not {given.interface}")
    if given.key_by is not None and given.key_by not in KEY_WAYS:
        raise unknown("way of the key", given.key_by, KEY_WAYS)


def _design(
    cipher: Cipher, chosen: Architecture, verilog: Verilog, given: argparse.Namespace
) -> _Design:
    """The core with its interface."""
    alone = {f"{verilog.name}.v": verilog.text}
    interface = given.interface
    if interface == "stream":
        return _Design(alone, verilog.name)
    if interface == "axi4stream":
        made = axi4_stream(verilog.name, cipher, chosen, given.data_width, given.key_by or "stream")
        return _Design(alone | made.files, made.top)
    core = shape_of(cipher, chosen, verilog.name)
    top = top_name(core, interface)
    return _Design(alone | shell(core, PORTS[interface], top), top)


def _beside(
    cipher: Cipher, chosen: Architecture, verilog: Verilog, design: _Design,
    given: argparse.Namespace,
) -> dict[str, str]:  # fmt: skip
    """The files that are requested beside the Verilog."""
    files = {}
    bench = f"{verilog.name}_tb.v" if given.testbench or given.package else ""
    if bench:
        words = max(_TESTED_WORDS, -(-_TESTED_BITS // chosen.radix))
        made = stimulus(cipher, chosen, words)
        files[bench] = testbench(verilog.name, facts_of(cipher, chosen), made.by_stream)
    if given.package:
        return files | packaged(cipher, chosen, verilog.name, given.interface, design.top,
                                design.files)  # fmt: skip
    if given.fusesoc:
        name, benches = design.top, {"sim": bench} if bench else {}
        files[f"{name}.core"] = fusesoc_core(name, name, cipher.title, list(design.files), benches)
    return files


def _for_coprocessor(cipher: Cipher, given: argparse.Namespace) -> Architecture:
    """The architecture of a core for a coprocessor."""
    chosen = coprocessor_architecture(cipher, given.radix, given.load_width, options(given.option))
    check_port(cipher, chosen, PORTS[given.interface])
    return chosen


def _check_writable(folder: Path) -> None:
    """Refuse a folder that is not writable before anything is generated."""
    try:
        existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    except OSError as error:
        raise InputError(f"output folder cannot be used: {error.strerror}") from error
    if not existing.is_dir():
        raise InputError(f"output must be a folder, not the file {existing}")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise InputError(f"output folder {folder} must be writable, but {existing} is not")
