# SPDX-License-Identifier: Apache-2.0
"""Arguments of the verbs that show and make cores, and begin a description."""

from __future__ import annotations

import argparse
from pathlib import Path

from headwater.cli.arguments import (
    CIPHER,
    add_architecture,
    add_ways_of_a_source,
    folder,
    new_file,
    number,
)
from headwater.cli.masking import add_masking
from headwater.cli.starting_files import DEFAULT, KINDS

Parser = argparse.ArgumentParser


def add_list(verb: Parser) -> None:
    """Arguments of `list`."""
    verb.add_argument(
        "what",
        nargs="?",
        default="ciphers",
        help="ciphers, services, targets, interfaces, boards, options or sboxes",
    )
    verb.add_argument("cipher", nargs="?", help="whose options")


def add_show(verb: Parser) -> None:
    """Arguments of `show`."""
    verb.add_argument("cipher", help=CIPHER)
    verb.add_argument(
        "--picture",
        type=new_file,
        metavar="FILE.svg",
        help="draw its registers and taps there instead",
    )
    add_architecture(verb)
    add_masking(verb)


def add_generate(verb: Parser) -> None:
    """Arguments of `generate`."""
    verb.add_argument("cipher", help=CIPHER)
    add_architecture(verb)
    add_masking(verb)
    verb.add_argument(
        "--target",
        metavar="T",
        help="what the core is for, of `headwater list targets`: some options have "
        "another default on FPGAs, which `evaluate` takes as well",
    )
    _add_interface(verb)
    verb.add_argument(
        "--name",
        metavar="NAME",
        help="what modules, files, macros and C functions begin with, so that cores "
        "of one cipher that differ in options fit into one design; default: cipher "
        "and radix",
    )
    _add_source(verb)
    verb.add_argument(
        "--force",
        action="store_true",
        help="replace files that were not generated for the same core, or were changed",
    )
    _add_board(verb)
    _add_beside(verb)
    verb.add_argument(
        "-o", "--output", required=True, type=folder, metavar="DIR", help="folder to write into"
    )


def _add_interface(verb: Parser) -> None:
    """How the core is reached."""
    verb.add_argument(
        "--interface",
        default="stream",
        metavar="NAME",
        help="see: headwater list interfaces. Behind a processor's interface the "
        "default radix is the widest that comes free and whose words divide 32 bits "
        "or are multiples of them, as software reads words of 32 bits; the default "
        "load width is 32 where this is legal and does not unroll the "
        "load",
    )
    verb.add_argument(
        "--data-width",
        type=number,
        metavar="BITS",
        help="axi4stream: bits of tdata: 8, 16, 32, 64 or 128; "
        "default: the least that hold the core's word",
    )
    verb.add_argument(
        "--key-by",
        metavar="WAY",
        help="axi4stream: how key and IV come: stream (default), or axi4lite: registers",
    )
    verb.add_argument(
        "--packets",
        metavar="KIND",
        help="axi4stream: marked (default): tuser marks associated data, and where a "
        "keystream without end begins; plain: tlast and tkeep alone, as any DMA "
        "engine sends them, with IV and lengths in front of the text; a text goes "
        "into every cipher",
    )


def _add_source(verb: Parser) -> None:
    """A source of random bits in place of a core."""
    prng = add_random_bits(verb)
    prng.add_argument(
        "--bus",
        metavar="NAME",
        help="also registers for software around it, with their map: axi4lite, wishbone, request",
    )
    prng.add_argument(
        "--linux",
        action="store_true",
        help="with --bus: also a driver for Linux' hw_random, with a node of the device tree",
    )
    prng.add_argument(
        "--properties",
        action="store_true",
        help="also assertions in SystemVerilog, and the script of SymbiYosys that proves them",
    )


def _add_board(verb: Parser) -> None:
    """A whole project in place of the core alone."""
    on_board = verb.add_argument_group("a project for a board, with the core in it")
    on_board.add_argument(
        "--board",
        metavar="NAME",
        help="see: headwater list boards. A bitstream that checks a published "
        "vector and tells of it on a serial line and an LED; tinytapeout: a "
        "project of that shuttle",
    )
    on_board.add_argument(
        "--clock",
        type=number,
        metavar="MHZ",
        help="of the core: that of the board's oscillator (default), or one that the PLL makes",
    )


def _add_beside(verb: Parser) -> None:
    """Files beside the Verilog."""
    verb.add_argument(
        "--testbench",
        action="store_true",
        help="also a Verilog testbench that checks the core by itself",
    )
    verb.add_argument("--fusesoc", action="store_true", help="also a core file for FuseSoC")
    verb.add_argument(
        "--litex", action="store_true", help="also a module of LiteX, with --interface wishbone"
    )
    verb.add_argument(
        "--c-model",
        action="store_true",
        help="instead of Verilog a C99 model, with a wrapper for SystemVerilog "
        "(default radix: the widest natural one of at most 64); of interface prng: "
        "also a C99 model of the whole source, cycle by cycle",
    )
    verb.add_argument(
        "--parallel",
        type=number,
        metavar="N",
        help="with --c-model: so many sessions side by side in its function for several of them; "
        "default: as many as the vectors hold that the compiler is told of",
    )
    verb.add_argument(
        "--package",
        action="store_true",
        help="also all that an integrator needs: C driver with header, register map, "
        "testbenches, core file, constraints, README",
    )
    verb.add_argument(
        "--area",
        action="store_true",
        help="with --package: map it for ECP5, so that its README says what the "
        "interface adds to the core; takes up to a minute",
    )


def add_random_bits(verb: Parser) -> argparse._ArgumentGroup:
    """Arguments of a source of random bits; gives their group."""
    prng = verb.add_argument_group("a source of random bits, instead of a core")
    prng.add_argument(
        "--random-bits",
        type=number,
        metavar="N",
        help="bits per cycle, 1 to 1024; generate: of interface prng",
    )
    prng.add_argument(
        "--instances",
        type=number,
        metavar="K",
        help="cores side by side (default: as few as can make the bits)",
    )
    prng.add_argument(
        "--seed-width",
        type=number,
        metavar="BITS",
        help="of a seed word: 32 or 64 (default: 64 where a core makes more than 32 bits)",
    )
    add_ways_of_a_source(prng)
    return prng


def add_new_cipher(verb: Parser) -> None:
    """Arguments of `new-cipher`."""
    verb.add_argument("name", help="of the cipher: small letters, digits and _")
    verb.add_argument(
        "--kind",
        default=DEFAULT,
        metavar="KIND",
        help=f"what it is made of: {', '.join(KINDS)} (default: {DEFAULT})",
    )
    verb.add_argument(
        "-o",
        "--output",
        default=Path(),
        type=folder,
        metavar="DIR",
        help="folder to write into (default: this one)",
    )
