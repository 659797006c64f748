# SPDX-License-Identifier: Apache-2.0
"""Entry point of the `headwater` command.

Exit status: 0 done, 1 a check failed, 2 the command could not be carried out, 130 interrupted.
"""

from __future__ import annotations

import importlib
import io
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from headwater.cli.examples import FIRST_STEPS
from headwater.cli.parser import VERBS, build_parser
from headwater.errors import HeadwaterError, InputError


def main(words: Sequence[str] | None = None) -> int:
    """Run one command line; return the exit status."""
    words = sys.argv[1:] if words is None else words
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if threading.current_thread() is threading.main_thread():
        # Termination then stops running tools as Ctrl-C does.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not words:
        print(FIRST_STEPS)
        return 0
    try:
        given = build_parser().parse(_without_ciphers(words))
        # Imported only now: `doctor` must run without what other verbs need.
        module = importlib.import_module(f"headwater.cli.{VERBS[given.verb][0]}")
        status: int = getattr(module, f"run_{given.verb.replace('-', '_')}")(given)
        sys.stdout.flush()
        return status
    except HeadwaterError as error:
        print(f"headwater: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("headwater: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of stdout has closed it, as `| head` does; nothing can be printed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


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


if __name__ == "__main__":
    sys.exit(main())
