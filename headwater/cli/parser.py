# SPDX-License-Identifier: Apache-2.0
"""What the command line looks like."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from headwater import __version__
from headwater.bench.settings import CLOCK_GATING, OBJECTIVES
from headwater.cli.arguments import number, quantity
from headwater.errors import InputError, unknown

VERBS = {
    "list": "ciphers, targets, interfaces, or the options of a cipher",
    "show": "the data sheet of a cipher",
    "keystream": "keystream bits as hex",
    "encrypt": "encrypt a text, and print its tag where the cipher authenticates",
    "decrypt": "decrypt a text, if its tag matches where the cipher authenticates",
    "mac": "the tag of a message, in a mode that only authenticates",
    "generate": "write the Verilog of a core",
    "verify": "check model and Verilog against vectors; prove the core's promises",
    "evaluate": "measure design points: area, frequency, power, energy",
    "choose": "the core to take for what is asked for, and why the others lost",
    "reproduce": "a paper's printed tables beside today's figures, and whether its claims hold",
    "codesign": "cycles of a cipher behind a processor, by interface",
    "results": "list, show, export, diff or replicate what was measured",
    "report": "one HTML page with charts and tables of what is stored",
    "doctor": "what is installed, what is missing and how to get it",
}

RESULT_ACTIONS = {
    "list": "stored results, one line each",
    "show": "everything that is stored of one result",
    "export": "results as CSV, JSON or Parquet",
    "diff": "figures that differ between two stores by more than allowed; exit status 1 if any do",
    "replicate": "an archive to repeat one figure with the public tools alone",
}

_WITHOUT_VERB = ("-h", "--help", "--version")


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one sentence, as every other error does."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        raise InputError(f"{message}; see: {self.prog} --help")

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a whole command line. A word that is left over may be a key: it is not repeated."""
        first = words[0] if words else ""
        if first.startswith("-"):
            if first not in _WITHOUT_VERB:
                raise InputError("the first word must be a verb; see: headwater --help")
        elif first and first not in VERBS:
            raise unknown("verb", first, VERBS)
        given, rest = self.parse_known_args(words)
        if rest:
            names = [word.partition("=")[0] for word in rest if word.startswith("--")]
            what = f"no option {names[0]}" if names else "fewer words"
            raise InputError(f"{given.verb} has {what}; see: {self.prog} {given.verb} --help")
        return given


def build_parser() -> Parser:
    """The parser of the whole command line."""
    parser = Parser(prog="headwater", description="Stream ciphers in hardware.")
    parser.add_argument("--version", action="version", version=f"headwater {__version__}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    made = {name: verbs.add_parser(name, help=text, description=text, allow_abbrev=False)
            for name, text in VERBS.items()}  # fmt: skip
    for name, verb in made.items():
        if name != "results":
            verb.add_argument("--json", action="store_true", help="print JSON on stdout")
    _add_choose(made["choose"])
    _add_reproduce(made["reproduce"])
    _add_results(made["results"])
    _add_list(made["list"])
    _add_show(made["show"])
    _add_keystream(made["keystream"])
    _add_message(made["encrypt"])
    _add_message(made["decrypt"])
    made["encrypt"].add_argument("--tag-bits", type=number, metavar="N",
                                 help="length of the tag, where there are several (default: the "
                                 "longest)")  # fmt: skip
    made["decrypt"].add_argument("--tag", metavar="HEX", help="required where there is one")
    for name in ("encrypt", "decrypt", "mac"):
        _add_call(made[name])
    _add_mac(made["mac"])
    _add_generate(made["generate"])
    _add_verify(made["verify"])
    _add_evaluate(made["evaluate"])
    _add_report(made["report"])
    _add_codesign(made["codesign"])
    return parser


def _add_list(verb: Parser) -> None:
    verb.add_argument("what", nargs="?", default="ciphers",
                      help="ciphers, targets, interfaces or options")  # fmt: skip
    verb.add_argument("cipher", nargs="?", help="whose options")


def _add_show(verb: Parser) -> None:
    verb.add_argument("cipher")
    _add_architecture(verb)


def _add_keystream(verb: Parser) -> None:
    verb.add_argument("cipher")
    _add_secret(verb)
    verb.add_argument("--bits", required=True, type=number, metavar="N")
    verb.add_argument("--offset", default=0, type=number, metavar="N", help="bits to skip first")
    _add_engine(verb)


def _add_message(verb: Parser) -> None:
    verb.add_argument("cipher")
    _add_secret(verb)
    verb.add_argument("--ad", metavar="HEX", help="associated data: authenticated, not encrypted")
    verb.add_argument("--out", dest="output", metavar="FILE",
                      help="write the other text there as raw bytes")  # fmt: skip
    _add_text(verb)
    _add_engine(verb)


def _add_mac(verb: Parser) -> None:
    verb.add_argument("cipher")
    verb.add_argument("--key", required=True, metavar="HEX")
    _add_text(verb)
    _add_engine(verb)


def _add_call(verb: Parser) -> None:
    """What a mobile network knows of a message."""
    modes = verb.add_argument_group("modes of mobile telephony, instead of an IV")
    modes.add_argument("--count", metavar="HEX", help="COUNT, 8 hex digits")
    modes.add_argument("--bearer", type=number, metavar="N", help="BEARER, 0 to 31")
    modes.add_argument("--fresh", metavar="HEX", help="uia2: FRESH, 8 hex digits, for BEARER")
    modes.add_argument("--direction", type=number, metavar="0|1", help="DIRECTION")


def _add_text(verb: Parser) -> None:
    text = verb.add_mutually_exclusive_group(required=True)
    text.add_argument("--in", dest="input", metavar="FILE", help="the text as raw bytes")
    text.add_argument("--text", metavar="HEX", help="the text")
    verb.add_argument("--bits", type=number, metavar="N",
                      help="length of a text that is not whole bytes")  # fmt: skip


def _add_secret(verb: Parser) -> None:
    verb.add_argument("--key", required=True, metavar="HEX")
    iv = verb.add_mutually_exclusive_group()
    iv.add_argument("--iv", metavar="HEX")
    iv.add_argument("--nonce", dest="iv", metavar="HEX", help="another word for IV")
    iv.add_argument("--frame", type=number, metavar="N", help="a51: frame number, as the IV")
    verb.add_argument("--iv-bits", type=number, metavar="N",
                      help="length of an IV that is not whole bytes")  # fmt: skip
    verb.add_argument("--counter", type=number, metavar="N",
                      help="salsa20, chacha20: number of the first block (default 0)")  # fmt: skip
    verb.add_argument("--key-length", type=number, metavar="BYTES",
                      help="e0: effective length of the key (default 16)")  # fmt: skip


def _add_engine(verb: Parser) -> None:
    verb.add_argument("--engine", default="model", help="model, or rtl: the generated Verilog")
    _add_architecture(verb)


def _add_generate(verb: Parser) -> None:
    verb.add_argument("cipher")
    _add_architecture(verb)
    verb.add_argument("--interface", default="stream", metavar="NAME")
    verb.add_argument("-o", "--output", required=True, metavar="DIR", help="folder to write into")


def _add_verify(verb: Parser) -> None:
    verb.add_argument("cipher")
    verb.add_argument(
        "--radix", metavar="D[,D..]|all", help="default: powers of two to the natural radix, or 8"
    )
    verb.add_argument("--load-width", type=number, metavar="K")
    verb.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    verb.add_argument(
        "--vectors", nargs="+", action="extend", metavar="FILE", help="instead of the package's own"
    )
    verb.add_argument("--prove", action="store_true", help="prove the promises of each core")
    netlist = verb.add_argument_group("a netlist in standard cells, instead of vectors")
    netlist.add_argument("--netlist", nargs="?", const="", metavar="FILE",
                         help="compare it with the Verilog; no FILE: map anew")  # fmt: skip
    netlist.add_argument("--target", metavar="T", help="its library, by name")
    netlist.add_argument("--liberty", metavar="FILE", help="its library, as a file")
    netlist.add_argument("--clock-gating", default="none", metavar="NAME",
                         help="of a new one: none, latch, integrated")  # fmt: skip


def _add_evaluate(verb: Parser) -> None:
    verb.add_argument("ciphers", nargs="?", metavar="CIPHER[,CIPHER..]")
    verb.add_argument("--plan", type=Path, metavar="FILE", help="a TOML file of design points")
    verb.add_argument("--radix", metavar="D[,D..]|all")
    verb.add_argument("--load-width", type=number, metavar="K")
    verb.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    verb.add_argument("--target", metavar="T[,T..]", help="default: ecp5-25k, or only --liberty")
    verb.add_argument("--liberty", action="append", default=[], metavar="FILE",
                      help="a standard-cell library as a further target")  # fmt: skip
    verb.add_argument("--seeds", type=number, metavar="N",
                      help="place-and-route runs (default 5)")  # fmt: skip
    verb.add_argument("--objective", metavar="NAME",
                      help=f"{', '.join(OBJECTIVES)} (default balanced)")  # fmt: skip
    verb.add_argument("--clock-mhz", type=quantity, metavar="MHZ",
                      help="the clock that power is given at (default 100)")  # fmt: skip
    verb.add_argument("--clock-gating", metavar="NAME",
                      help=f"{', '.join(CLOCK_GATING)} (default none)")  # fmt: skip
    verb.add_argument("--pareto", action="store_true",
                      help="mark the points that no other beats")  # fmt: skip
    verb.add_argument("--jobs", default=1, type=number, metavar="N", help="points at a time")
    verb.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster that works instead")
    verb.add_argument("--time-limit", default=1800.0, type=quantity, metavar="SECONDS",
                      help="of one run of a tool (default 1800)")  # fmt: skip
    verb.add_argument("--dry-run", action="store_true", help="only name the points")
    verb.add_argument("--again", action="store_true", help="measure what is stored, too")
    _add_store(verb)


def _add_codesign(verb: Parser) -> None:
    verb.add_argument("ciphers", metavar="CIPHER[,CIPHER..]")
    verb.add_argument("--cpu", default="vexriscv", metavar="NAME[,..]|all",
                      help="vexriscv (default), ibex, picorv32")  # fmt: skip
    verb.add_argument("--interface", default="custom", metavar="NAME[,..]|all",
                      help="custom (default), custom3, fifo, bus, dma")  # fmt: skip
    verb.add_argument("--driver", default="blocking", metavar="NAME",
                      help="blocking (default), simple, polling")  # fmt: skip
    verb.add_argument(
        "--wait-states",
        default="0",
        metavar="N[,N..]",
        help="cycles more for each access to the coprocessor on the bus (default 0)",
    )
    verb.add_argument(
        "--stateless",
        action="store_true",
        help="salsa20, chacha20: ask for every block with key, nonce and number",
    )
    verb.add_argument(
        "--bytes",
        default=1024,
        type=number,
        metavar="N",
        help="of the message that is timed with its key setup (default 1024)",
    )
    verb.add_argument("--radix", metavar="D[,D..]",
                      help="default: the widest that comes free, or 32")  # fmt: skip
    verb.add_argument("--load-width", type=number, metavar="K")
    verb.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    verb.add_argument("--again", action="store_true", help="simulate what is stored, too")
    _add_store(verb)


def _add_store(verb: Parser) -> None:
    verb.add_argument("--store", type=Path, metavar="FILE",
                      help="where results are kept (default: $HEADWATER_STORE, or a file in the "
                      "user's data folder)")  # fmt: skip


def _add_choose(verb: Parser) -> None:
    for name, kind, unit, text in (
        ("bits-per-cycle", quantity, "N", "at least so many keystream bits in a cycle"),
        ("throughput", quantity, "MBPS", "at least so many Mbit/s"),
        ("max-area", quantity, "A", "LUTs or GE"),
        ("max-energy", quantity, "PJ", "pJ per bit"),
        ("max-setup-cycles", number, "N", "from the first key bit to the first keystream"),
        ("max-setup-ns", quantity, "NS", "the same in time"),
        ("key-bits", number, "N", "length of the key, at least"),
    ):
        verb.add_argument(f"--{name}", type=kind, metavar=unit, help=text)
    verb.add_argument("--target", default="ecp5-25k", metavar="T", help="(default ecp5-25k)")
    verb.add_argument("--unbroken", action="store_true", help="no broken ciphers")
    verb.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                      help="that the core must have")  # fmt: skip
    verb.add_argument("--measure", action="store_true",
                      help="evaluate a core of every cipher that may win, too")  # fmt: skip
    verb.add_argument("--jobs", default=1, type=number, metavar="N", help="points at a time")
    _add_store(verb)


def _add_reproduce(verb: Parser) -> None:
    verb.add_argument("paper", help="its name, how that begins, or all")
    verb.add_argument("--table", metavar="T", help="only this one")
    verb.add_argument("--stored", action="store_true", help="measure nothing that is not stored")
    verb.add_argument("--slices", default="spartan3", metavar="T",
                      help="target that area in slices is of (default spartan3)")  # fmt: skip
    verb.add_argument("--fpga", default="ecp5-25k", metavar="T",
                      help="target that FPGA frequencies are of (default ecp5-25k)")  # fmt: skip
    verb.add_argument("--cells", default="osu018", metavar="T",
                      help="target that figures in cells are of (default osu018)")  # fmt: skip
    verb.add_argument("--jobs", default=1, type=number, metavar="N", help="points at a time")
    verb.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster that works instead")
    _add_store(verb)


def _add_report(verb: Parser) -> None:
    verb.add_argument("-o", "--output", type=Path, metavar="FILE.html",
                      help="the page (default report.html, or with --figures none)")  # fmt: skip
    verb.add_argument("--figures", type=Path, metavar="DIR",
                      help="write every chart there as SVG and PNG")  # fmt: skip
    verb.add_argument("--target", metavar="T[,T..]", help="only what was measured there")
    _add_store(verb)


def _add_results(verb: Parser) -> None:
    actions = verb.add_subparsers(dest="action", required=True, metavar="ACTION")
    made = {name: actions.add_parser(name, help=text, description=text, allow_abbrev=False)
            for name, text in RESULT_ACTIONS.items()}  # fmt: skip
    for name, action in made.items():
        action.add_argument("--json", action="store_true", help="print JSON on stdout")
        if name != "diff":
            _add_store(action)
    for name in ("list", "export"):
        made[name].add_argument("--cipher", metavar="NAME")
        made[name].add_argument("--target", metavar="NAME")
    made["list"].add_argument("--failed", action="store_true", help="what could not be measured")
    made["export"].add_argument("-o", "--output", required=True, type=Path, metavar="FILE",
                                help="FILE.csv, FILE.json or FILE.parquet")  # fmt: skip
    for name in ("show", "replicate"):
        made[name].add_argument("id", help="as `list` prints it, or as much as is unmistakable")
    made["replicate"].add_argument("-o", "--output", required=True, type=Path,
                                   metavar="FILE.tar.gz")  # fmt: skip
    made["replicate"].add_argument("--liberty", type=Path, metavar="FILE",
                                   help="the library, if its target has no name")  # fmt: skip
    for name in ("before", "after"):
        made["diff"].add_argument(name, type=Path, help="a store, or a JSON file of records")
    made["diff"].add_argument(
        "--tolerance", action="append", default=[], metavar="NAME=PERCENT",
        help="how much a figure may differ (default: not at all); `all` is a name, too",
    )  # fmt: skip


def _add_architecture(verb: Parser) -> None:
    verb.add_argument(
        "--radix", type=number, metavar="D", help="bits per cycle; default: the least"
    )
    verb.add_argument("--load-width", type=number, metavar="K",
                      help="key and IV bits per cycle; default: the radix")  # fmt: skip
    verb.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
