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


def run_generate(args: argparse.Namespace) -> int:
    """`headwater generate`"""
    if args.board is not None:
        return _run_board(args)
    only_with(args, "--board", ["clock"])
    if args.interface == PRNG:
        return _run_prng(args)
    refuse_without_random_bits(args)
    cipher = Cipher(cipher_of(args.cipher, args))
    if args.c_model and args.masking is None:
        return _run_c_model(cipher, args)
    only_with(args, "--c-model", ["parallel"])
    if args.masking is not None:
        refuse_with_masking(args)
    check_stream_choices(args.interface, args.data_width, args.key_by, args.packets)
    core = cipher.core(
        args.radix,
        load_width=args.load_width,
        interface=args.interface,
        target=args.target,
        name=args.name,
        masking=args.masking,
        **options(args.option),
    )
    _check(core, args)
    delivery = core.design(
        data_width=args.data_width,
        key_by=args.key_by,
        packets=args.packets,
        testbench=args.testbench,
        fusesoc=args.fusesoc,
        package=args.package,
        area=args.area,
        litex=args.litex,
    )
    written = {"interface": args.interface, "module": core.name, "top": delivery.top}
    hashes = {"rtl_sha256": core.generated.sha256}
    return _write(delivery.files, core, args, written, hashes)


def _run_c_model(cipher: Cipher, args: argparse.Namespace) -> int:
    """`headwater generate --c-model`"""
    check_alone(args)
    core = Core(cipher.description, c_architecture(cipher.description, args), name=args.name)
    _check(core, args)
    model = core.c_model(args.parallel)
    what = "C model" if args.parallel is None else f"C model, {args.parallel} side by side"
    return _write(c_files(model), core, args, {"module": model.name}, {}, what)


def _run_board(args: argparse.Namespace) -> int:
    """`headwater generate --board`"""
    only_without(args, "--board, which makes a project of its own", _BESIDE_BOARD)
    if args.interface != "stream":
        raise InputError(f"interface of a core on a board must be stream, not {args.interface}")
    refuse_without_random_bits(args)
    core = Cipher(cipher_of(args.cipher, args)).core(
        args.radix,
        load_width=args.load_width,
        target=args.target,
        name=args.name,
        **options(args.option),
    )
    _check(core, args)
    project = core.on_board(args.board, args.clock)
    written = {
        "board": args.board,
        "module": core.name,
        "top": project.top,
        "vector": project.vector.name,
        "published": project.vector.published,
    }
    return _write(project.files, core, args, written, {}, f"board {args.board}, {args.clock}")


def _run_prng(args: argparse.Namespace) -> int:
    """`headwater generate --interface prng`"""
    only_without(args, "--interface prng, whose C is a model by cycles", ["parallel"])
    only_without(args, "--interface prng: sources are the same for every target", ["target"])
    if args.bus is None:
        only_with(args, "--bus, whose registers it drives", ["linux"])
    source = random_bits_of(args)
    core = Core(source.shape.cipher, source.shape.architecture, PRNG)
    _check(core, args)
    written = {"interface": PRNG, "top": source.top(args.bus), "bus": args.bus, **described(source)}
    files = source.files(
        testbench=args.testbench,
        fusesoc=args.fusesoc,
        bus=args.bus,
        properties=args.properties,
        c_model=args.c_model,
        linux=args.linux,
    )
    return _write(files, core, args, written, {}, f"{source.shape.choices}")


def _check(core: Core, args: argparse.Namespace) -> None:
    """Refuse a folder that cannot be written into; say if the cipher is broken."""
    check_folder(args.output)
    if core.description.broken:
        warn(f"{core.description.name} is {core.description.security}")


def _write(
    files: Mapping[str, str],
    core: Core,
    args: argparse.Namespace,
    written: Mapping[str, Any],
    hashes: Mapping[str, str],
    further: str = "",
) -> int:
    """Write the files, and print their paths, or what was ``written`` as JSON. ``further`` tells
    what they depend on beside the core."""
    cipher, chosen = core.description, core.architecture
    whose = " ".join(filter(None, (f"{cipher.name} {cipher.digest}, {chosen}", further)))
    Written(args.output).write(files, core=whose, force=args.force)
    paths = [str(args.output / name) for name in files]
    if args.json:
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
