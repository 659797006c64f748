# SPDX-License-Identifier: Apache-2.0
"""The verb generate: Verilog of a core, alone, on a bus or on a board, with further files."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from headwater.api.ciphers import Cipher
from headwater.api.core import Core
from headwater.api.design import check_stream_choices
from headwater.cli.arguments import cipher_of, only_with, only_without, options
from headwater.cli.c_model import c_architecture, check_alone
from headwater.cli.masking import refuse_with_masking
from headwater.cli.output import print_json, warn
from headwater.cli.prng import PRNG, described, random_bits_of, refuse_without_random_bits
from headwater.cli.written import Written
from headwater.emit.c_dpi import c_files
from headwater.errors import InputError
from headwater.files import check_folder

_BESIDE_BOARD = (
    "testbench",
    "fusesoc",
    "litex",
    "c_model",
    "parallel",
    "package",
    "area",
    "data_width",
    "key_by",
    "packets",
    "masking",
)
"""What says how another folder is made."""


def run_generate(given: argparse.Namespace) -> int:
    """`headwater generate`"""
    if given.board is not None:
        return _run_board(given)
    only_with(given, "--board", ["clock"])
    if given.interface == PRNG:
        return _run_prng(given)
    refuse_without_random_bits(given)
    cipher = Cipher(cipher_of(given.cipher, given))
    if given.c_model and given.masking is None:
        return _run_c_model(cipher, given)
    only_with(given, "--c-model", ["parallel"])
    if given.masking is not None:
        refuse_with_masking(given)
    check_stream_choices(given.interface, given.data_width, given.key_by, given.packets)
    core = cipher.core(
        given.radix,
        load_width=given.load_width,
        interface=given.interface,
        target=given.target,
        name=given.name,
        masking=given.masking,
        **options(given.option),
    )
    _check(core, given)
    made = core.design(
        data_width=given.data_width,
        key_by=given.key_by,
        packets=given.packets,
        testbench=given.testbench,
        fusesoc=given.fusesoc,
        package=given.package,
        area=given.area,
        litex=given.litex,
    )
    written = {"interface": given.interface, "module": core.name, "top": made.top}
    hashes = {"rtl_sha256": core.generated.sha256}
    return _write(made.files, core, given, written, hashes)


def _run_c_model(cipher: Cipher, given: argparse.Namespace) -> int:
    """`headwater generate --c-model`"""
    check_alone(given)
    core = Core(cipher.description, c_architecture(cipher.description, given), name=given.name)
    _check(core, given)
    model = core.c_model(given.parallel)
    what = "C model" if given.parallel is None else f"C model, {given.parallel} side by side"
    return _write(c_files(model), core, given, {"module": model.name}, {}, what)


def _run_board(given: argparse.Namespace) -> int:
    """`headwater generate --board`"""
    only_without(given, "--board, which makes a project of its own", _BESIDE_BOARD)
    if given.interface != "stream":
        raise InputError(f"interface of a core on a board must be stream, not {given.interface}")
    refuse_without_random_bits(given)
    core = Cipher(cipher_of(given.cipher, given)).core(
        given.radix,
        load_width=given.load_width,
        target=given.target,
        name=given.name,
        **options(given.option),
    )
    _check(core, given)
    made = core.on_board(given.board, given.clock)
    written = {
        "board": given.board,
        "module": core.name,
        "top": made.top,
        "vector": made.vector.name,
        "published": made.vector.published,
    }
    return _write(made.files, core, given, written, {}, f"board {given.board}, {given.clock}")


def _run_prng(given: argparse.Namespace) -> int:
    """`headwater generate --interface prng`"""
    only_without(given, "--interface prng, whose C is a model by cycles", ["parallel"])
    only_without(given, "--interface prng: sources are the same for every target", ["target"])
    made = random_bits_of(given)
    core = Core(made.shape.cipher, made.shape.architecture, PRNG)
    _check(core, given)
    written = {"interface": PRNG, "top": made.top(given.bus), "bus": given.bus, **described(made)}
    files = made.files(
        testbench=given.testbench,
        fusesoc=given.fusesoc,
        bus=given.bus,
        properties=given.properties,
        c_model=given.c_model,
    )
    return _write(files, core, given, written, {}, f"{made.shape.choices}")


def _check(core: Core, given: argparse.Namespace) -> None:
    """Refuse a folder that cannot be written into; say if the cipher is broken."""
    check_folder(given.output)
    if core.description.broken:
        warn(f"{core.description.name} is {core.description.security}")


def _write(
    files: Mapping[str, str],
    core: Core,
    given: argparse.Namespace,
    written: Mapping[str, Any],
    hashes: Mapping[str, str],
    further: str = "",
) -> int:
    """Write the files, and print their paths, or what was ``written`` as JSON. ``further`` tells
    what they depend on beside the core."""
    cipher, chosen = core.description, core.architecture
    whose = " ".join(filter(None, (f"{cipher.name} {cipher.digest}, {chosen}", further)))
    Written(given.output).write(files, core=whose, force=given.force)
    paths = [str(given.output / name) for name in files]
    if given.json:
        print_json(
            {
                "cipher": cipher.name,
                "radix": chosen.radix,
                "load_width": chosen.load_width,
                "options": chosen.options,
                **written,
                "files": paths,
                **hashes,
            }
        )
    else:
        print(*paths, sep="\n")
    return 0
