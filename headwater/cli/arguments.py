# SPDX-License-Identifier: Apache-2.0
"""Conversion of command line arguments to values."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError, quoted
from headwater.kinds.masking import masked_architecture

if TYPE_CHECKING:
    from headwater.measure.sweep import Radices

CIPHER = "a name that `headwater list` prints"
CIPHERS = "names that `headwater list` prints"
LOAD_WIDTH = "key and IV bits per cycle; default: what suits the radix"
OPTION = "a choice that `headwater show CIPHER` explains; may be repeated"
"""What `--help` says of arguments of several verbs."""

STREAM = "-"
"""What stands for stdin or stdout where a file is expected."""

_DIGITS = 30
"""More than any number here needs; beyond 4300 Python refuses to convert them."""


def number(text: str) -> int:
    """A whole number in decimal digits."""
    if not re.fullmatch(r"-?[0-9]+", text):
        raise argparse.ArgumentTypeError(f"must be a whole number, not {quoted(text)}")
    if len(text) > _DIGITS:
        raise argparse.ArgumentTypeError(f"must have at most {_DIGITS} digits, not {len(text)}")
    return int(text)


def hex_digits(text: str) -> str:
    """The digits as they are given; for "-" those in the next line of stdin. What stands after that
    line is left there, as a text may follow."""
    if text != STREAM:
        return text
    return sys.stdin.buffer.readline().decode(errors="replace").strip()


def hex_of_file(name: str) -> str:
    """The digits in a file, without white space around them; "-" is stdin."""
    if name == STREAM:
        return hex_digits(name)
    try:
        return Path(name).read_text(errors="replace").strip()
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{name} cannot be read: {error.strerror}") from error


def quantity(text: str) -> float:
    """A decimal number."""
    try:
        return float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"must be a number, not {quoted(text)}") from error


def folder(name: str) -> Path:
    """A folder to write into. Refused are an empty name, which would be the folder one is in, and
    "-", which others take for stdout."""
    return _written(name, "folder")


def new_file(name: str) -> Path:
    """A file to write, with a name as that of a `folder`."""
    return _written(name, "file")


def _written(name: str, what: str) -> Path:
    if name in ("", STREAM):
        shown = quoted(name) if name else "an empty name"
        raise argparse.ArgumentTypeError(f"must be a {what}, not {shown}")
    return Path(name)


def secret_bytes(what: str, text: str | None) -> bytes:
    """Bytes from hex. An error message never contains the input."""
    if text is None:
        raise InputError(f"{what} must be given as hexadecimal digits")
    if not re.fullmatch(r"(?:[0-9a-fA-F]{2})*", text):
        raise InputError(f"{what} must be hexadecimal digits, two for each byte")
    return bytes.fromhex(text)


def options(words: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE arguments as a dictionary."""
    chosen: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError(f"option must be of the form NAME=VALUE, not {word!r}")
        if name in chosen:
            raise InputError(f"option {name} must be given once, not as {chosen[name]} and {value}")
        chosen[name] = value
    return chosen


def is_given(args: argparse.Namespace, name: str) -> bool:
    """Whether a command line has an option, even one with an empty value."""
    value = getattr(args, name, None)
    return value is not None and value is not False and value != []


ALL: Final = "all"


def names(what: str, text: str, every: Iterable[str]) -> list[str]:
    """Names with commas between, each once; "all" stands for every one."""
    if text == ALL:
        return list(every)
    distinct = list(dict.fromkeys(text.split(",")))
    if "" in distinct:
        raise InputError(f"{what} must be names with commas between, or all, not {text!r}")
    return distinct


def cipher_of(name: str, args: argparse.Namespace) -> Cipher:
    """The cipher of that name, with the parameters given as options."""
    return find(name).with_parameters(options(args.option))


def fixed_parameters(cipher: Cipher, args: argparse.Namespace) -> dict[str, str]:
    """The parameters of the cipher that are given as options."""
    names = {option.name for option in cipher.parameters}
    return {name: value for name, value in options(args.option).items() if name in names}


def architecture(
    cipher: Cipher, args: argparse.Namespace, radix: int | None = None
) -> Architecture:
    """The architecture that a command line selects."""
    if getattr(args, "masking", None) is not None:
        return masked_architecture(
            cipher,
            args.masking,
            radix=args.radix if radix is None else radix,
            load_width=args.load_width,
            options=options(args.option),
        )
    return Architecture.choose(
        cipher,
        radix=args.radix if radix is None else radix,
        load_width=args.load_width,
        options=options(args.option),
    )


def radices(cipher: Cipher, text: str) -> list[int]:
    """Radices from "D,D,..." or "all"."""
    if text == ALL:
        return list(cipher.legal_radices())
    return list(dict.fromkeys(numbers("radix", text, also=", or all")))


def swept_radices(text: str | None) -> Radices:
    """What a sweep takes for the radices of a command line."""
    if text is None:
        return None
    return ALL if text == ALL else numbers("radix", text, also=", or all")


def asked_radices(cipher: Cipher, args: argparse.Namespace) -> list[int]:
    """The radices of a command line; the default one if it has none."""
    return [cipher.default_radix] if args.radix is None else radices(cipher, args.radix)


def numbers(what: str, text: str, also: str = "") -> list[int]:
    """Whole numbers with commas between; a refusal names what is legal ``also``."""
    words = text.split(",")
    if not all(re.fullmatch(rf"[0-9]{{1,{_DIGITS}}}", word) for word in words):
        raise InputError(
            f"{what} must be whole numbers with commas between{also}, not {quoted(text)}"
        )
    return [int(word) for word in words]


def option_of(name: str) -> str:
    """An option as it is typed, from its name among the arguments."""
    return f"--{name.replace('_', '-')}"


def only_with(args: argparse.Namespace, what: str, names: Iterable[str]) -> None:
    """Refuse options that must come with something, which is not there."""
    for name in names:
        if is_given(args, name):
            raise InputError(f"{option_of(name)} must come with {what}")


def only_without(args: argparse.Namespace, what: str, names: Iterable[str]) -> None:
    """Refuse options that must come without something, which is there."""
    for name in names:
        if is_given(args, name):
            raise InputError(f"{option_of(name)} must come without {what}")


def refuse_others(args: argparse.Namespace, asked: str, without: Iterable[str]) -> None:
    """Refuse options that do not go with the one that is asked for."""
    for name in without:
        if is_given(args, name):
            raise InputError(f"{option_of(asked)} must come without {option_of(name)}")


def only_core(
    args: argparse.Namespace, asked: str, without: Iterable[str]
) -> tuple[Cipher, Architecture]:
    """The one core that an option of a verb is about, which these other options do not go with."""
    refuse_others(args, asked, without)
    cipher = cipher_of(args.cipher, args)
    legal = asked_radices(cipher, args)
    if len(legal) > 1:
        raise InputError(f"{option_of(asked)} must come with one radix, not {len(legal)}")
    return cipher, architecture(cipher, args, legal[0])


def add_ways_of_a_source(prng: argparse._ArgumentGroup) -> None:
    """Arguments of a source of random bits that `generate`, `verify` and `evaluate` share."""
    prng.add_argument(
        "--reset",
        metavar="WAY",
        help="sync (default), at a clock edge; async: it begins at once, and ends at a clock edge",
    )
    prng.add_argument(
        "--state-port",
        action="store_true",
        help="the state can be read and written, so that the source can be "
        "suspended; whoever reads it knows all bits to come",
    )
    prng.add_argument(
        "--lockup",
        metavar="WAY",
        help="watch (default): a state that is stuck at zero gets a one, and `error` "
        "tells of it; none: nothing looks for it, which is smaller; words: as watch, "
        "when it has made words of zeros, which is smaller than watch and faster "
        "(Trivium and Bivium, 64 bits a core at least)",
    )
    prng.add_argument(
        "--seed-by",
        metavar="WHAT",
        help="key (default): a seed is key and IV; state: it is every bit of the "
        "state, and no setup follows",
    )


def add_architecture(verb: argparse.ArgumentParser) -> None:
    """Arguments that choose one core of a cipher."""
    verb.add_argument(
        "--radix",
        type=number,
        metavar="D",
        help="bits per cycle; default: the least, in whole words",
    )
    _add_choices(verb)


def add_architectures(verb: argparse.ArgumentParser, radices: str, meaning: str) -> None:
    """Arguments that choose cores of several radices."""
    verb.add_argument("--radix", metavar=radices, help=meaning)
    _add_choices(verb)


def _add_choices(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--load-width", type=number, metavar="K", help=LOAD_WIDTH)
    verb.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=OPTION)
