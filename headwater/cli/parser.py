# SPDX-License-Identifier: Apache-2.0
"""The grammar of the command line."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from headwater import __version__
from headwater.cli import measuring
from headwater.cli.arguments import (
    CIPHER,
    LOAD_WIDTH,
    OPTION,
    add_reset_and_state_port,
    folder,
    hex_digits,
    hex_of_file,
    number,
)
from headwater.cli.examples import EXAMPLE, EXAMPLES
from headwater.cli.rows import add_format, add_rows
from headwater.errors import InputError, did_you_mean, unknown

VERBS = {
    "list": ("listing", "ciphers, targets, interfaces, the options of a cipher, or S-boxes"),
    "show": ("showing", "the data sheet of a cipher"),
    "keystream": ("production", "keystream bits as hex"),
    "encrypt": ("encryption", "encrypt a text, and print its tag where the cipher authenticates"),
    "decrypt": ("encryption", "decrypt a text, if its tag matches where the cipher authenticates"),
    "mac": ("telephony", "the tag of a message, in a mode that only authenticates"),
    "generate": ("generation", "write the Verilog of a core"),
    "verify": (
        "verification",
        "check model and Verilog against vectors; prove the core's promises",
    ),
    "evaluate": ("evaluation", "measure design points: area, frequency, power, energy"),
    "optimize": ("optimization", "the options of a core that suit an objective best, by measuring"),
    "choose": ("choosing", "the core to take for what is asked for, and why the others lost"),
    "reproduce": (
        "reproduction",
        "a paper's printed tables beside today's figures, and whether its claims hold",
    ),
    "study": ("studying", "many design points that answer one question, as tables and charts"),
    "codesign": ("codesign", "cycles of a cipher behind a processor, by interface"),
    "results": ("results", "list, show, export, diff or replicate what was measured"),
    "report": ("reporting", "one HTML page with charts and tables of what is stored"),
    "new-cipher": (
        "starting",
        "write a file with a small cipher that works, to begin a description with",
    ),
    "doctor": ("doctor", "what is installed, what is missing and how to get it"),
}
"""Module and purpose of each verb; its function is run_VERB."""

WITH_ROWS = ("list", "verify", "evaluate", "optimize", "choose", "codesign")
"""The verbs that print one kind of rows."""

_WITHOUT_VERB = ("-h", "--help", "--version")


class _Help(argparse.HelpFormatter):
    """Help with an example that can be copied: on lines of its own, joined by backslashes."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        what, colon, example = text.partition(f"{EXAMPLE} ")
        if what or not colon:
            return super()._fill_text(text, width, indent)
        lines = textwrap.wrap(example, width - 2, initial_indent="  ", subsequent_indent="      ",
                              break_long_words=False, break_on_hyphens=False)  # fmt: skip
        return f"{EXAMPLE}\n" + " \\\n".join(lines)


class Parser(argparse.ArgumentParser):
    """A parser that reports an error as one sentence."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=_Help, allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """Refuse the command line with this message."""
        raise InputError(f"{message}; see: {self.prog} --help")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        # The inherited one does not guess what was meant.
        if action.choices is not None and value not in action.choices:
            raise unknown(action.dest, value, action.choices)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse what this parser knows, and refuse anything else. A superfluous word may be a key:
        it is not printed."""
        given, rest = super().parse_known_args(args, namespace)
        if rest:
            names = [word.partition("=")[0] for word in rest if word.startswith("--")]
            what = f"no option {names[0]}{self._meant(names[0])}" if names else "fewer words"
            verb = self.prog.partition(" ")[2]
            raise InputError(f"{verb} has {what}; see: {self.prog} --help")
        return given, rest

    def _meant(self, option: str) -> str:
        return did_you_mean(option, self._option_string_actions)

    def _print_message(self, message: str, file: Any = None) -> None:
        # The inherited one is silent where nothing can be written, such as on a full disk.
        print(message, end="", file=file)

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a whole command line."""
        if words and words[0].startswith("-") and words[0] not in _WITHOUT_VERB:
            raise InputError("the first word must be a verb; see: headwater --help")
        return self.parse_args(words)


def build_parser() -> Parser:
    """The parser of the whole command line."""
    parser = Parser(prog="headwater", description="Stream ciphers in hardware.")
    parser.add_argument("--version", action="version", version=f"headwater {__version__}")
    parser.add_argument("--cipher-file", action="append", metavar="FILE",
                        help="before the verb: a Python file, which is executed, with ciphers "
                        "to add; may be repeated")  # fmt: skip
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    made = {name: verbs.add_parser(name, help=text, description=text,
                                   epilog=f"{EXAMPLE} {EXAMPLES[name]}")
            for name, (_, text) in VERBS.items()}  # fmt: skip
    for name, verb in made.items():
        if name in WITH_ROWS:
            add_rows(verb)
        elif name in ("reproduce", "study", "doctor"):
            add_format(verb)
        elif name != "results":
            verb.add_argument("--json", action="store_true", help="print JSON on stdout")
    measuring.add_optimize(made["optimize"])
    measuring.add_choose(made["choose"])
    measuring.add_reproduce(made["reproduce"])
    measuring.add_study(made["study"])
    measuring.add_results(made["results"])
    _add_list(made["list"])
    _add_show(made["show"])
    _add_keystream(made["keystream"])
    _add_message(made["encrypt"])
    _add_message(made["decrypt"])
    _add_tag_bits(made["encrypt"])
    made["decrypt"].add_argument("--tag", metavar="HEX", help="required where there is one")
    for name in ("encrypt", "decrypt", "mac"):
        _add_call(made[name])
    _add_mac(made["mac"])
    _add_generate(made["generate"])
    _add_verify(made["verify"])
    _add_new_cipher(made["new-cipher"])
    measuring.add_evaluate(made["evaluate"])
    measuring.add_report(made["report"])
    measuring.add_codesign(made["codesign"])
    return parser


def _add_list(verb: Parser) -> None:
    verb.add_argument("what", nargs="?", default="ciphers",
                      help="ciphers, targets, interfaces, options or sboxes")  # fmt: skip
    verb.add_argument("cipher", nargs="?", help="whose options")


def _add_show(verb: Parser) -> None:
    verb.add_argument("cipher", help=CIPHER)
    verb.add_argument("--picture", type=Path, metavar="FILE.svg",
                      help="draw its registers and taps there instead")  # fmt: skip
    _add_architecture(verb)


def _add_keystream(verb: Parser) -> None:
    verb.add_argument("cipher", help=CIPHER)
    _add_secret(verb)
    verb.add_argument("--bits", required=True, type=number, metavar="N",
                      help="how many bits of keystream")  # fmt: skip
    verb.add_argument("--offset", default=0, type=number, metavar="N", help="bits to skip first")
    _add_engine(verb)


def _add_message(verb: Parser) -> None:
    verb.add_argument("cipher", help=CIPHER)
    _add_secret(verb)
    verb.add_argument("--ad", metavar="HEX", help="associated data: authenticated, not encrypted")
    verb.add_argument("--out", dest="output", metavar="FILE",
                      help="write the other text there as raw bytes")  # fmt: skip
    _add_text(verb)
    _add_engine(verb)


def _add_mac(verb: Parser) -> None:
    verb.add_argument("cipher", help=CIPHER)
    _add_key(verb)
    verb.add_argument("--iv", type=hex_digits, metavar="HEX|-",
                      help="of modes that take a whole IV")  # fmt: skip
    _add_tag_bits(verb)
    _add_text(verb)
    _add_engine(verb)


def _add_tag_bits(verb: Parser) -> None:
    verb.add_argument("--tag-bits", type=number, metavar="N",
                      help="length of the tag, where there are several (default: the "
                      "longest)")  # fmt: skip


def _add_call(verb: Parser) -> None:
    """Arguments of a telephony message: COUNT, BEARER or FRESH, DIRECTION."""
    modes = verb.add_argument_group("modes of mobile telephony, instead of an IV")
    modes.add_argument("--count", metavar="HEX", help="COUNT, 8 hex digits")
    modes.add_argument("--bearer", type=number, metavar="N", help="BEARER, 0 to 31")
    modes.add_argument("--fresh", metavar="HEX", help="uia2: FRESH, 8 hex digits, for BEARER")
    modes.add_argument("--direction", type=number, metavar="0|1", help="DIRECTION")
    modes.add_argument("--extra", metavar="HEX",
                       help="256-bit modes of 5G: bytes 2 to 7 of the IV (default 0)")  # fmt: skip


def _add_text(verb: Parser) -> None:
    text = verb.add_mutually_exclusive_group(required=True)
    text.add_argument("--in", dest="input", metavar="FILE", help="the text as raw bytes")
    text.add_argument("--text", metavar="HEX", help="the text")
    verb.add_argument("--bits", type=number, metavar="N",
                      help="length of a text that is not whole bytes")  # fmt: skip


def _add_key(verb: Parser) -> None:
    key = verb.add_mutually_exclusive_group(required=True)
    key.add_argument("--key", type=hex_digits, metavar="HEX|-",
                     help="hexadecimal digits; -: the next line of stdin")  # fmt: skip
    key.add_argument("--key-file", dest="key", type=hex_of_file, metavar="FILE",
                     help="a file with the hexadecimal digits, which no list of processes "
                     "shows")  # fmt: skip


def _add_secret(verb: Parser) -> None:
    _add_key(verb)
    iv = verb.add_mutually_exclusive_group()
    iv.add_argument("--iv", type=hex_digits, metavar="HEX", help="as --key")
    iv.add_argument("--iv-file", dest="iv", type=hex_of_file, metavar="FILE",
                    help="as --key-file")  # fmt: skip
    iv.add_argument("--nonce", dest="iv", type=hex_digits, metavar="HEX",
                    help="another word for IV")  # fmt: skip
    iv.add_argument("--frame", type=number, metavar="N", help="a51: frame number, as the IV")
    verb.add_argument("--iv-bits", type=number, metavar="N",
                      help="length of an IV that is not whole bytes")  # fmt: skip
    verb.add_argument("--counter", type=number, metavar="N",
                      help="salsa20, chacha20: number of the first block (default 0)")  # fmt: skip
    verb.add_argument("--key-length", type=number, metavar="BYTES",
                      help="e0: effective length of the key (default 16)")  # fmt: skip


def _add_engine(verb: Parser) -> None:
    verb.add_argument(
        "--engine",
        default="fast",
        help="fast (default): the model, or c where the model would take long; model; rtl, the "
        "generated Verilog; c, the generated C",
    )
    _add_architecture(verb)


def _add_generate(verb: Parser) -> None:
    verb.add_argument("cipher", help=CIPHER)
    _add_architecture(verb)
    verb.add_argument("--interface", default="stream", metavar="NAME",
                      help="see: headwater list interfaces. Behind a processor's interface the "
                      "default radix is the widest that comes free and whose words divide 32 bits "
                      "or are multiples of them, as software reads words of 32 bits; the default "
                      "load width is 32 where this is legal")  # fmt: skip
    verb.add_argument("--data-width", type=number, metavar="BITS",
                      help="axi4stream: bits of tdata: 8, 16, 32, 64 or 128; "
                      "default: the least that hold the core's word")  # fmt: skip
    verb.add_argument("--key-by", metavar="WAY",
                      help="axi4stream: how key and IV come: stream (default), or axi4lite: "
                      "registers")  # fmt: skip
    prng = _add_random_bits(verb)
    prng.add_argument("--bus", metavar="NAME",
                      help="also registers for software around it, with their map: axi4lite, "
                      "wishbone, request")  # fmt: skip
    prng.add_argument("--properties", action="store_true",
                      help="also assertions in SystemVerilog, and the script of SymbiYosys that "
                      "proves them")  # fmt: skip
    verb.add_argument("--force", action="store_true",
                      help="replace files that were not generated for the same core, or were "
                      "changed")  # fmt: skip
    verb.add_argument("--testbench", action="store_true",
                      help="also a Verilog testbench that checks the core by itself")  # fmt: skip
    verb.add_argument("--fusesoc", action="store_true", help="also a core file for FuseSoC")
    verb.add_argument("--c-model", action="store_true",
                      help="instead of Verilog a C99 model, with a wrapper for SystemVerilog "
                      "(default radix: the widest natural one of at most 64); of interface prng: "
                      "also a C99 model of the whole source, cycle by cycle")  # fmt: skip
    verb.add_argument("--package", action="store_true",
                      help="also all that an integrator needs: C driver with header, register map, "
                      "testbenches, core file, constraints, README")  # fmt: skip
    verb.add_argument("--area", action="store_true",
                      help="with --package: map it for ECP5, so that its README says what the "
                      "interface adds to the core; takes up to a minute")  # fmt: skip
    verb.add_argument("-o", "--output", required=True, type=folder, metavar="DIR",
                      help="folder to write into")  # fmt: skip


def _add_verify(verb: Parser) -> None:
    verb.add_argument("cipher", help=CIPHER)
    measuring.add_architectures(
        verb, "D[,D..]|all", "default: powers of two to the natural radix, or 8"
    )
    verb.add_argument(
        "--vectors", nargs="+", action="extend", metavar="FILE", help="instead of the package's own"
    )
    verb.add_argument("--engine", metavar="NAME",
                      help="run the vectors in this one only: model; rtl, the generated Verilog; "
                      "c, the generated C (default: all)")  # fmt: skip
    verb.add_argument("--prove", action="store_true", help="prove the promises of each core")
    verb.add_argument("--promises", action="store_true",
                      help="instead: list the promises of a core, or of a source of random bits, "
                      "with what each compares it with and how it is proven; --wide: in "
                      "full")  # fmt: skip
    verb.add_argument("--traces", type=folder, metavar="DIR",
                      help="with --prove or --mutants: write a run as VCD there for each promise "
                      "that is broken, by the core or a mutant; Verilator must see it broken, "
                      "too")  # fmt: skip
    verb.add_argument("--jobs", type=number, metavar="N",
                      help="with --prove: proofs at a time (default 1)")  # fmt: skip
    verb.add_argument("--mutants", type=number, metavar="N",
                      help="instead: change the core at random N times, and count how many of the "
                      "wrong circuits proofs, vectors and testbench catch")  # fmt: skip
    verb.add_argument("--seed", type=number, metavar="S",
                      help="with --mutants: other changes (default 1)")  # fmt: skip
    _add_random_bits(verb)
    netlist = verb.add_argument_group("a netlist in standard cells, instead of vectors")
    netlist.add_argument("--netlist", nargs="?", const="", metavar="FILE",
                         help="compare it with the Verilog; no FILE: map anew")  # fmt: skip
    netlist.add_argument("--target", metavar="T", help="its library, by name")
    netlist.add_argument("--liberty", metavar="FILE", help="its library, as a file")
    netlist.add_argument("--clock-gating", metavar="NAME",
                         help="of a new one: none (default), auto, latch, integrated")  # fmt: skip


def _add_random_bits(verb: Parser) -> argparse._ArgumentGroup:
    """Arguments of a source of random bits; gives their group."""
    prng = verb.add_argument_group("a source of random bits, instead of a core")
    prng.add_argument("--random-bits", type=number, metavar="N",
                      help="bits per cycle, 1 to 1024; generate: of interface prng")  # fmt: skip
    prng.add_argument("--instances", type=number, metavar="K",
                      help="cores side by side (default: as few as can make the bits)")  # fmt: skip
    prng.add_argument("--seed-width", type=number, metavar="BITS",
                      help="of a seed word: 32 or 64 (default: 64 where a core makes more than 32 "
                      "bits)")  # fmt: skip
    add_reset_and_state_port(prng)
    return prng


def _add_new_cipher(verb: Parser) -> None:
    verb.add_argument("name", help="of the cipher: small letters, digits and _")
    verb.add_argument("-o", "--output", default=Path(), type=folder, metavar="DIR",
                      help="folder to write into (default: this one)")  # fmt: skip


def _add_architecture(verb: Parser) -> None:
    verb.add_argument(
        "--radix",
        type=number,
        metavar="D",
        help="bits per cycle; default: the least, in whole words",
    )
    verb.add_argument("--load-width", type=number, metavar="K",
                      help=LOAD_WIDTH)  # fmt: skip
    verb.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=OPTION)
