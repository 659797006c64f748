# SPDX-License-Identifier: Apache-2.0
"""The grammar of the command line."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from headwater import __version__
from headwater.cli import enciphering, making, measuring, presenting, proving
from headwater.cli.examples import EXAMPLE, EXAMPLES
from headwater.cli.rows import add_format, add_rows
from headwater.errors import InputError, did_you_mean, unknown

VERBS = {
    "list": (
        "listing",
        "ciphers, services, targets, interfaces, boards, the options of a cipher, or S-boxes",
    ),
    "show": ("showing", "the data sheet of a cipher"),
    "keystream": ("production", "keystream bits as hex"),
    "encrypt": ("encryption", "encrypt a text, and print its tag where the cipher authenticates"),
    "decrypt": ("encryption", "decrypt a text, if its tag matches where the cipher authenticates"),
    "mac": ("telephony", "the tag of a message, in a mode that only authenticates"),
    "hash": ("hashing", "the digest of a message, by a function without a key"),
    "generate": ("generation", "write the Verilog of a core"),
    "verify": (
        "verification",
        "check model and Verilog against vectors; prove the core's properties",
    ),
    "vectors": ("vectors", "what a vector file holds; vectors of a cipher in public formats"),
    "bench": (
        "judging",
        "judge a core that somebody wrote: its vectors, its state, its step, its setup, its cost",
    ),
    "leakage": (
        "leakage",
        "prove of a masked netlist that no probe depends on a secret, or show one that does",
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

WITH_ROWS = ("list", "verify", "vectors", "evaluate", "optimize", "choose", "codesign")
"""The verbs that print one kind of rows."""

_ARGUMENTS: Mapping[str, Callable[[argparse.ArgumentParser], None]] = {
    "list": making.add_list,
    "show": making.add_show,
    "keystream": enciphering.add_keystream,
    "encrypt": enciphering.add_encrypt,
    "decrypt": enciphering.add_decrypt,
    "mac": enciphering.add_mac,
    "hash": enciphering.add_hash,
    "generate": making.add_generate,
    "verify": proving.add_verify,
    "vectors": proving.add_vectors,
    "bench": proving.add_bench,
    "leakage": proving.add_leakage,
    "evaluate": measuring.add_evaluate,
    "optimize": measuring.add_optimize,
    "choose": measuring.add_choose,
    "reproduce": presenting.add_reproduce,
    "study": presenting.add_study,
    "codesign": measuring.add_codesign,
    "results": presenting.add_results,
    "report": presenting.add_report,
    "new-cipher": making.add_new_cipher,
}
"""What adds the arguments of each verb that has some of its own."""

_WITHOUT_VERB = ("-h", "--help", "--version")


class _Help(argparse.HelpFormatter):
    """Help with an example that can be copied: on lines of its own, joined by backslashes."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        what, colon, example = text.partition(f"{EXAMPLE} ")
        if what or not colon:
            return super()._fill_text(text, width, indent)
        lines = textwrap.wrap(
            example,
            width - 2,
            initial_indent="  ",
            subsequent_indent="      ",
            break_long_words=False,
            break_on_hyphens=False,
        )
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
        parsed, rest = super().parse_known_args(args, namespace)
        if rest:
            if any(word.partition("=")[0] == "--cipher-file" for word in rest):
                raise InputError("--cipher-file must come before the verb, not behind it")
            names = [word.partition("=")[0] for word in rest if word.startswith("--")]
            what = f"no option {names[0]}{self._meant(names[0])}" if names else "fewer words"
            verb = self.prog.partition(" ")[2]
            raise InputError(f"{verb} has {what}; see: {self.prog} --help")
        return parsed, rest

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
    parser.add_argument(
        "--cipher-file",
        action="append",
        metavar="FILE",
        help="before the verb: a Python file, which is executed, with ciphers "
        "to add; may be repeated",
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    parsers = {
        name: verbs.add_parser(
            name, help=text, description=text, epilog=f"{EXAMPLE} {EXAMPLES[name]}"
        )
        for name, (_, text) in VERBS.items()
    }
    for name, verb in parsers.items():
        if name in WITH_ROWS:
            add_rows(verb)
        elif name in ("reproduce", "study", "doctor"):
            add_format(verb)
        elif name != "results":
            verb.add_argument("--json", action="store_true", help="print JSON on stdout")
        if add := _ARGUMENTS.get(name):
            add(verb)
    return parser
