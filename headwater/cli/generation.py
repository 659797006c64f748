# SPDX-License-Identifier: Apache-2.0
"""The verb generate: Verilog of a core, alone or on a bus, with optional further files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headwater.api.ciphers import Cipher
from headwater.api.core import Core
from headwater.api.design import check_stream_choices
from headwater.cli.arguments import cipher_of, options
from headwater.cli.c_model import c_architecture, check_alone
from headwater.cli.output import print_json, warn
from headwater.cli.written import Written
from headwater.emit.c_dpi import c_files
from headwater.errors import InputError


def run_generate(given: argparse.Namespace) -> int:
    """`headwater generate`"""
    cipher = Cipher(cipher_of(given.cipher, given))
    if given.c_model:
        return _run_c_model(cipher, given)
    check_stream_choices(given.interface, given.data_width, given.key_by)
    core = cipher.core(
        given.radix, load_width=given.load_width, interface=given.interface,
        **options(given.option),
    )  # fmt: skip
    folder = _checked_folder(core, given)
    made = core.design(
        data_width=given.data_width, key_by=given.key_by,
        testbench=given.testbench, fusesoc=given.fusesoc, package=given.package, area=given.area,
    )  # fmt: skip
    written = {"interface": given.interface, "module": core.name, "top": made.top}
    hashes = {"rtl_sha256": core.generated.sha256}
    return _write(made.files, folder, core, given, written, hashes)


def _run_c_model(cipher: Cipher, given: argparse.Namespace) -> int:
    """`headwater generate --c-model`"""
    check_alone(given)
    core = Core(cipher.description, c_architecture(cipher.description, given))
    folder, model = _checked_folder(core, given), core.c_model()
    return _write(c_files(model), folder, core, given, {"module": model.name}, {})


def _checked_folder(core: Core, given: argparse.Namespace) -> Path:
    """The folder to write into; says if the cipher is broken."""
    if not given.output:
        raise InputError("output must be a folder, not an empty name")
    folder = Path(given.output)
    _check_writable(folder)
    if core.description.broken:
        warn(f"{core.description.name} is {core.description.security}")
    return folder


def _write(
    files: Mapping[str, str], folder: Path, core: Core, given: argparse.Namespace,
    written: Mapping[str, Any], hashes: Mapping[str, str],
) -> int:  # fmt: skip
    """Write the files, and print their paths, or what was ``written`` as JSON."""
    cipher, chosen = core.description, core.architecture
    whose = f"{cipher.name} {cipher.digest}, {chosen}"
    Written(folder).write(files, core=whose, force=given.force)
    paths = [str(folder / name) for name in files]
    if given.json:
        print_json({"cipher": cipher.name, "radix": chosen.radix, "load_width": chosen.load_width,
                    "options": chosen.options, **written, "files": paths, **hashes})  # fmt: skip
    else:
        print(*paths, sep="\n")
    return 0


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
