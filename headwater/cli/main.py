# SPDX-License-Identifier: Apache-2.0
"""Entry point of the `headwater` command.

Exit status: 0 done, 1 a check failed, 2 the command could not be carried out, 130 interrupted.
A fault of Headwater itself is one sentence, too; $HEADWATER_TRACEBACK lets Python say where it
arose.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from headwater import interrupts
from headwater.errors import HeadwaterError, InputError, harmless, of_fault, of_file
from headwater.flow.guard import arm

_Verb = Callable[[argparse.Namespace], int]


def main(words: Sequence[str] | None = None) -> int:
    """Run one command line, that of this process unless given; return the exit status."""
    if words is not None:
        return _run(words)
    interrupts.end_at_once()
    arm()
    try:
        return _run(sys.argv[1:], interrupts.raise_once)
    except Exception as error:
        if os.environ.get("HEADWATER_TRACEBACK"):
            raise
        _print_no_more()
        _say(of_fault(error))
        return 2
    finally:
        # Whatever an interrupt became on its way here.
        if interrupts.came():
            interrupts.end(said=True)
        interrupts.ignore()


def _run(words: Sequence[str], begin: Callable[[], None] = lambda: None) -> int:
    """Run a command line; call ``begin`` when all is read and imported."""
    _open_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _carry_out(words, begin)
        sys.stdout.flush()
        return status
    except HeadwaterError as error:
        _say(str(error))
        return 2
    except KeyboardInterrupt:
        _print_no_more()
        _say("interrupted")
        return interrupts.STATUS
    except BrokenPipeError:
        # The reader of stdout has closed it, as `| head` does.
        _print_no_more()
        return 1
    except OSError as error:
        _print_no_more()
        _say(of_file(error))
        return 2


def _open_closed() -> None:
    """Where they were closed before the start, let stdin have nothing and what is printed go
    nowhere."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open()  # noqa: SIM115
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115


def _carry_out(words: Sequence[str], begin: Callable[[], None]) -> int:
    try:
        verb, args = _read(words)
    except SystemExit:
        return 0  # Help or version was printed.
    begin()
    return verb(args)


def _say(reason: str) -> None:
    # A word that fits no line is a name or a number that somebody made up.
    short = re.sub(r"(\S{60})\S{200,}", r"\1...", reason)
    with suppress(OSError):
        print(f"headwater: {harmless(short)}", file=sys.stderr, flush=True)


def _print_no_more() -> None:
    """Let the end of this process not fail, too, where stdout takes nothing."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _read(words: Sequence[str]) -> tuple[_Verb, argparse.Namespace]:
    """The function of the verb, and its arguments.

    All imports are made here: before, an interrupt could not be handled, and `doctor` must run
    without what other verbs need.
    """
    parser = importlib.import_module("headwater.cli.parser")
    if "_ARGCOMPLETE" in os.environ:
        importlib.import_module("headwater.cli.completion").complete(parser.build_parser())
    if not words:
        return _first_steps, argparse.Namespace()
    args = parser.build_parser().parse(_without_ciphers(words))
    module = importlib.import_module(f"headwater.cli.{parser.VERBS[args.verb][0]}")
    verb: _Verb = getattr(module, f"run_{args.verb.replace('-', '_')}")
    return verb, args


def _first_steps(_given: argparse.Namespace) -> int:
    print(importlib.import_module("headwater.cli.examples").FIRST_STEPS)
    return 0


def _without_ciphers(words: Sequence[str]) -> Sequence[str]:
    """Add the ciphers of installed packages and of ``--cipher-file`` to the catalogue; return the
    remaining arguments."""
    outside = importlib.import_module("headwater.cipher.outside")
    if words[:1] != ["doctor"]:
        outside.add_installed()
    rest = list(words)
    while rest and rest[0].partition("=")[0] == "--cipher-file":
        _, equals, path = rest.pop(0).partition("=")
        if not equals and not rest:
            raise InputError("--cipher-file must be followed by a file; see: headwater --help")
        outside.add_file(Path(path if equals else rest.pop(0)))
    return rest
