# SPDX-License-Identifier: Apache-2.0
"""Completion in the shell: what can stand where the cursor is. A shell asks for it after

    eval "$(register-python-argcomplete headwater)"

Files are completed by the shell itself, wherever nothing is named here.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from types import ModuleType
from typing import TextIO

from argcomplete.finders import CompletionFinder

from headwater.board.boards import BOARDS, SHUTTLE
from headwater.cipher import outside
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cli.listing import LISTS
from headwater.codesign.processor import PROCESSORS
from headwater.codesign.scenario import DRIVERS
from headwater.codesign.scenario import INTERFACES as SYSTEM_INTERFACES
from headwater.errors import HeadwaterError
from headwater.interface import INTERFACES
from headwater.interface.axi4stream import DATA_WIDTHS, KEY_WAYS
from headwater.interface.buses import BUSES
from headwater.interface.packets import PACKETS
from headwater.measure.settings import CLOCK_GATING, HIERARCHIES, OBJECTIVES, RECIPES
from headwater.measure.target import TARGETS, found_here
from headwater.report.printed import papers

Values = Callable[[argparse.Namespace], Iterable[object]]


def complete(
    parser: argparse.ArgumentParser,
    leave: Callable[[int], object] = os._exit,
    output: TextIO | None = None,
) -> None:
    """Answer the shell, which has put the line into the environment, and end the process."""
    # A key that is read from stdin must not be waited for.
    sys.stdin = io.TextIOWrapper(io.BytesIO())
    outside.add_installed()
    _prepare(parser, "")
    CompletionFinder()(parser, exit_method=leave, output_stream=output)


def _prepare(parser: argparse.ArgumentParser, verb: str) -> None:
    """Attach to every argument what its values can be."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, one in action.choices.items():
                _prepare(one, verb or word)
            continue
        values = _VALUES.get((verb, action.dest)) or _VALUES.get(("", action.dest))
        if values:
            several = "[," in str(action.metavar)
            action.completer = _completer(values, several=several)  # type: ignore[attr-defined]


def _completer(values: Values, *, several: bool) -> Callable[..., list[str]]:
    """A function that argcomplete calls; ``several`` values may stand with commas between."""

    def completer(prefix: str, parsed_args: argparse.Namespace, **_rest: object) -> list[str]:
        before, comma, _ = prefix.rpartition(",") if several else ("", "", "")
        try:
            completions = [f"{before}{comma}{value}" for value in values(parsed_args)]
        except HeadwaterError:  # As when the cipher is not known.
            return []
        return [word for word in completions if word.startswith(prefix)]

    return completer


def _ciphers(_: argparse.Namespace) -> Iterable[str]:
    return CATALOGUE


def _cipher(args: argparse.Namespace) -> Cipher:
    """The cipher in the line; the first if there are several, or none yet."""
    named = getattr(args, "cipher", None) or getattr(args, "ciphers", None) or ""
    return CATALOGUE.get(named.partition(",")[0]) or next(iter(CATALOGUE.values()))


def _options(args: argparse.Namespace) -> Iterable[str]:
    return (f"{option.name}={value}" for option in _cipher(args).choices for value in option.values)


def _load_widths(args: argparse.Namespace) -> Iterable[int]:
    cipher = _cipher(args)
    radix = str(getattr(args, "radix", None) or "")
    return cipher.legal_load_widths(int(radix) if radix.isdigit() else cipher.default_radix)


def _targets(_: argparse.Namespace) -> Iterable[str]:
    return TARGETS


def _engines() -> ModuleType:
    """The engines; imported only here, because they need much that completion does not."""
    return import_module("headwater.verify.engines")


_VALUES: dict[tuple[str, str], Values] = {
    ("", "cipher"): _ciphers,
    ("", "ciphers"): lambda args: (*_ciphers(args), "all"),
    ("", "option"): _options,
    ("", "radix"): lambda args: _cipher(args).legal_radices(),
    ("", "load_width"): _load_widths,
    ("", "target"): _targets,
    ("evaluate", "target"): lambda _: (*found_here(), "all"),
    ("", "engine"): lambda _: _engines().ENGINES,
    ("verify", "engine"): lambda _: _engines().CHECKED,
    ("", "objective"): lambda _: OBJECTIVES,
    ("", "clock_gating"): lambda _: CLOCK_GATING,
    ("", "recipe"): lambda _: RECIPES,
    ("", "hierarchy"): lambda _: HIERARCHIES,
    ("list", "what"): lambda _: LISTS,
    ("generate", "interface"): lambda _: INTERFACES,
    ("generate", "board"): lambda _: (*BOARDS, SHUTTLE),
    ("generate", "data_width"): lambda _: DATA_WIDTHS,
    ("generate", "key_by"): lambda _: KEY_WAYS,
    ("generate", "packets"): lambda _: PACKETS,
    ("generate", "bus"): lambda _: BUSES,
    ("codesign", "interface"): lambda _: (*SYSTEM_INTERFACES, "all"),
    ("codesign", "cpu"): lambda _: (*PROCESSORS, "all"),
    ("codesign", "driver"): lambda _: DRIVERS,
    ("reproduce", "paper"): lambda _: (*papers(), "all"),
    ("reproduce", "slices"): _targets,
    ("reproduce", "fpga"): _targets,
    ("reproduce", "cells"): _targets,
}
"""What the value of an argument can be, by verb (empty for any) and name of the argument."""
