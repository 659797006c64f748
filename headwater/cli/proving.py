# SPDX-License-Identifier: Apache-2.0
"""Arguments of the verbs that check cores and files: one's own and those of others."""

from __future__ import annotations

import argparse
from pathlib import Path

from headwater.cli.arguments import (
    CIPHER,
    add_architectures,
    folder,
    new_file,
    number,
    quantity,
)
from headwater.cli.making import add_random_bits
from headwater.cli.masking import add_masking
from headwater.cli.measuring import add_store

Parser = argparse.ArgumentParser


def add_verify(verb: Parser) -> None:
    """Arguments of `verify`."""
    verb.add_argument("cipher", help=CIPHER)
    add_architectures(verb, "D[,D..]|all", "default: powers of two to the natural radix, or 8")
    verb.add_argument(
        "--vectors",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="instead of the package's own: files of its format, or as NIST, eSTREAM, Wycheproof "
        "and others publish them (docs/vector-files.md)",
    )
    verb.add_argument(
        "--engine",
        metavar="NAME",
        help="run the vectors in this one only: model; rtl, the generated Verilog; "
        "c, the generated C (default: all)",
    )
    add_masking(verb)
    _add_proofs(verb)
    _add_mutants(verb)
    add_random_bits(verb)
    _add_netlist(verb)


def _add_proofs(verb: Parser) -> None:
    verb.add_argument("--prove", action="store_true", help="prove the properties of each core")
    verb.add_argument(
        "--properties",
        action="store_true",
        help="instead: list the properties of a core, or of a source of random bits, "
        "with what each compares it with and how it is proven; --wide: in "
        "full",
    )
    verb.add_argument(
        "--traces",
        type=folder,
        metavar="DIR",
        help="with --prove or --mutants: write a run as VCD there for each property "
        "that is broken, by the core or a mutant; Verilator must see it broken, "
        "too",
    )
    verb.add_argument(
        "--jobs",
        type=number,
        metavar="N",
        help="with --prove or --each: proofs at a time (default 1)",
    )


def _add_mutants(verb: Parser) -> None:
    verb.add_argument(
        "--mutants",
        type=number,
        metavar="N",
        help="instead: change the core at random N times, and count how many of the "
        "wrong circuits proofs, vectors and testbench catch",
    )
    verb.add_argument(
        "--each",
        action="store_true",
        help="with --mutants: say instead of each property whether it is tested: how "
        "many of N mutants near what it reads it refutes alone",
    )
    verb.add_argument(
        "--seed", type=number, metavar="S", help="with --mutants: other changes (default 1)"
    )


def _add_netlist(verb: Parser) -> None:
    netlist = verb.add_argument_group("a netlist in standard cells, instead of vectors")
    netlist.add_argument(
        "--netlist",
        nargs="?",
        const="",
        metavar="FILE",
        help="compare it with the Verilog; no FILE: map anew",
    )
    netlist.add_argument("--target", metavar="T", help="its library, by name")
    netlist.add_argument("--liberty", metavar="FILE", help="its library, as a file")
    netlist.add_argument(
        "--clock-gating",
        metavar="NAME",
        help="of a new one: none (default), auto, latch, integrated",
    )


def add_vectors(verb: Parser) -> None:
    """Arguments of `vectors`."""
    verb.add_argument(
        "what",
        nargs="+",
        metavar="FILE|CIPHER",
        help="a vector file, to say what it holds; a prompt of ACVP and its expected "
        "results; or a cipher, whose model makes vectors",
    )
    verb.add_argument(
        "--as",
        dest="shape",
        metavar="FORMAT",
        help="write vectors: of a cipher as json, kat, hash-kat or estream "
        "(default json); of a file as json, the project's own format",
    )
    verb.add_argument(
        "--count", type=number, metavar="N", help="of a cipher: how many (default 16)"
    )
    verb.add_argument(
        "--cipher", metavar="NAME", help="of a file with --as: the cipher whose vectors are written"
    )
    verb.add_argument(
        "-o", "--output", type=new_file, metavar="FILE", help="write there, not to stdout"
    )


def add_leakage(verb: Parser) -> None:
    """Arguments of `leakage`."""
    verb.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE.v",
        help="Verilog of one module and those in it: RTL, or a netlist of library cells",
    )
    verb.add_argument(
        "--spec",
        required=True,
        type=Path,
        metavar="FILE.toml",
        help="what its signals are: shares, random bits, public ones",
    )
    verb.add_argument("--liberty", type=Path, metavar="FILE", help="the library of its cells")


def add_bench(verb: Parser) -> None:
    """Arguments of `bench`."""
    verb.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="Verilog, SystemVerilog or VHDL, in the order in which they are read",
    )
    verb.add_argument(
        "--cipher", metavar="CIPHER", help="what the core is said to be, of `headwater list`"
    )
    verb.add_argument(
        "--ports",
        type=Path,
        metavar="FILE.toml",
        help="what cannot be guessed of its module, its ports and how they are driven",
    )
    _add_public_cores(verb)
    _add_measuring(verb)
    add_store(verb)
    verb.add_argument(
        "--time-limit",
        type=quantity,
        metavar="S",
        help="seconds that a proof may take; one that takes longer leaves only its "
        "layer open (default: 120)",
    )


def _add_public_cores(verb: Parser) -> None:
    verb.add_argument(
        "--list",
        type=Path,
        metavar="FILE.toml",
        help="public cores instead: repositories, commits and ports",
    )
    verb.add_argument(
        "--sources",
        type=Path,
        metavar="DIR",
        help="with --list: a work tree of each repository, as OWNER/NAME",
    )
    verb.add_argument(
        "--only",
        default="",
        metavar="WORD",
        help="with --list: only the cores whose name has this word",
    )


def _add_measuring(verb: Parser) -> None:
    verb.add_argument(
        "--target",
        metavar="T[,T..]",
        help="also measure it there, as cores of ours are, and store what was "
        "measured; see: headwater list targets",
    )
    verb.add_argument(
        "--compare",
        action="store_true",
        help="also a table beside our nearest architectures on each target, which "
        "are measured where they are not stored",
    )
    verb.add_argument(
        "--name",
        default="",
        metavar="NAME",
        help="what it is called in tables; default: its module, or its last file",
    )
    verb.add_argument(
        "--jobs", default=1, type=number, metavar="N", help="points of ours at a time"
    )
