# SPDX-License-Identifier: Apache-2.0
"""`generate --c-model`: C files of a cipher instead of Verilog."""

from __future__ import annotations

import argparse

from headwater.cipher.description import Cipher
from headwater.cli.arguments import architecture
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_radix
from headwater.errors import InputError


def c_architecture(cipher: Cipher, given: argparse.Namespace) -> Architecture:
    """The architecture of a model in C: without a radix on the command line, one that fills its
    words."""
    return architecture(cipher, given, c_radix(cipher) if given.radix is None else None)


def check_alone(given: argparse.Namespace) -> None:
    """Refuse what goes with Verilog."""
    asked_for = {"interface": given.interface != "stream", "testbench": given.testbench,
                 "fusesoc": given.fusesoc, "target": given.target is not None}  # fmt: skip
    for name, taken in asked_for.items():
        if taken:
            raise InputError(f"--{name} must come without --c-model, which writes no Verilog")
