# SPDX-License-Identifier: Apache-2.0
"""`generate --c-model`: C files of a cipher instead of Verilog."""

from __future__ import annotations

import argparse

from headwater.cipher.description import Cipher
from headwater.cli.arguments import architecture, is_given, only_without
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_radix

_OF_VERILOG = (
    "testbench",
    "fusesoc",
    "litex",
    "target",
    "package",
    "area",
    "data_width",
    "key_by",
    "packets",
)


def c_architecture(cipher: Cipher, args: argparse.Namespace) -> Architecture:
    """The architecture of a model in C: without a radix on the command line, one that fills its
    words."""
    if args.radix is not None:
        return architecture(cipher, args)
    return architecture(cipher, args, c_radix(cipher, of_state=is_given(args, "state")))


def check_alone(args: argparse.Namespace) -> None:
    """Refuse what goes with Verilog."""
    around = () if args.interface == "stream" else ("interface",)
    only_without(args, "--c-model, which writes no Verilog", (*around, *_OF_VERILOG))
