# SPDX-License-Identifier: Apache-2.0
"""The verb `list`: ciphers, services, targets, interfaces, boards, options, and S-boxes."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from headwater.board.boards import BOARDS, SHUTTLE, board
from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.description import Cipher
from headwater.cli.rows import check_columns, print_rows
from headwater.errors import InputError, unknown
from headwater.interface import INTERFACES
from headwater.report.table import Table

LISTS = ("ciphers", "services", "targets", "interfaces", "boards", "options", "sboxes")

_STATUS_WIDTH = 34
"""Room for the status in a table of 80 columns."""
_FEW = 2
"""As many lengths are named one by one."""

_SHOWN = {
    "ciphers": ("cipher", "key", "IV", "status"),
    "options": ("option", "values", "default", "meaning"),
    "targets": ("target", "kind", "found", "title"),
    "sboxes": ("sbox", "form", "gates", "and", "depth", "right", "meaning"),
}
"""The columns that fit a terminal, of lists that have more."""


def run_list(args: argparse.Namespace) -> int:
    """`headwater list`"""
    if args.what not in LISTS:
        raise unknown("list", args.what, LISTS)
    if args.cipher is not None and args.what != "options":
        raise InputError(f"list {args.what} takes no cipher, not {args.cipher!r}")
    data = _listed(args.what, args.cipher)
    rows = [_line(one) for one in _ciphers()] if args.what == "ciphers" else data
    columns = tuple(rows[0])
    check_columns(args, columns)
    cells = [[_plain(row[name]) for name in columns] for row in rows]
    shown = _SHOWN.get(args.what)
    notes = [_MEANINGS[args.what]] if args.what in _MEANINGS and args.columns is None else []
    print_rows(args, [Table(columns, cells, shown=shown)], data, notes)
    return 0


_SHUTTLE = {"board": SHUTTLE, "title": "Tiny Tapeout, a shuttle", "family": "sky130", "clocks": []}

_MEANINGS = {
    "ciphers": "!: broken, for comparison only. Key and IV are in bits. More columns: --wide.\n"
    "All that is known of a cipher: headwater show CIPHER",
    "sboxes": "Gates have two inputs; depth: gates on the longest way; right: for every input.\n"
    "Other circuits that are known: --wide",
}


def _ciphers() -> list[Cipher]:
    """All ciphers, the unbroken ones first."""
    return sorted(CATALOGUE.values(), key=lambda cipher: cipher.broken)


def _listed(what: str, cipher: str | None) -> list[dict[str, Any]]:
    if what == "ciphers":
        return [
            {
                "cipher": cipher.name,
                "kind": cipher.service,
                "key_bits": cipher.key_bits,
                "iv_bits": list(cipher.iv_bits),
                "state_bits": cipher.state_bits,
                "natural_radix": cipher.natural_radix,
                "security": cipher.security,
            }
            for cipher in _ciphers()
        ]
    if what == "services":
        return _services()
    if what == "targets":
        return _targets()
    if what == "interfaces":
        return [{"interface": name, "meaning": text} for name, text in INTERFACES.items()]
    if what == "boards":
        return _boards()
    if what == "sboxes":
        return _sboxes()
    if cipher is None:
        raise InputError("list options must be followed by a cipher: headwater list options CIPHER")
    return [
        {
            "option": option.name,
            "values": list(option.values),
            "default": option.default,
            "on_fpga": option.best_on_fpga or option.default,
            "meaning": option.meaning,
            "advice": option.advice,
        }
        for option in find(cipher).choices
    ]


def _targets() -> list[dict[str, Any]]:
    # Here, since it brings what runs tools: the other lists come sooner without.
    from headwater.measure.target import TARGETS, found_here

    outside = found_here()
    return [
        {
            "target": target.name,
            "kind": target.kind,
            "area_unit": target.area_unit,
            "gives": target.gives,
            "found": target.name in outside,
            "title": target.title,
        }
        for target in TARGETS.values()
    ]


def _boards() -> list[dict[str, Any]]:
    return [
        {
            "board": one.name,
            "title": one.title,
            "family": one.family.name,
            "clocks": [clock.mhz for clock in one.clocks],
        }
        for one in map(board, BOARDS)
    ] + [_SHUTTLE]


def _services() -> list[dict[str, Any]]:
    """Ciphers by what they do and whether they are broken, the unbroken ones first."""
    groups: dict[tuple[bool, str], list[str]] = {}
    for cipher in _ciphers():
        groups.setdefault((cipher.broken, cipher.service), []).append(cipher.name)
    return [
        {
            "service": service,
            "status": "broken, for comparison" if broken else "not broken",
            "ciphers": names,
        }
        for (broken, service), names in groups.items()
    ]


def _sboxes() -> list[dict[str, Any]]:
    from headwater.cipher.sboxes import CIRCUITS, depth

    rows: list[dict[str, Any]] = []
    for circuit in CIRCUITS:
        parts = circuit.parts()
        sums, products = sum(part.xors for part in parts), sum(part.ands for part in parts)
        rows.append(
            {
                "sbox": circuit.name,
                "form": circuit.form,
                "gates": sums + products,
                "xor": sums,
                "and": products,
                "depth": depth(parts),
                "right": circuit.is_right(parts),
                "meaning": circuit.meaning,
                "known": circuit.known,
            }
        )
    return rows


def _line(cipher: Cipher) -> Mapping[str, Any]:
    """A cipher as a line of the table."""
    return {
        "cipher": cipher.name,
        "key": cipher.key_bits,
        "IV": _lengths(cipher.iv_bits),
        "status": _status(cipher),
        "kind": cipher.service,
        "state": cipher.state_bits,
        "natural radix": cipher.natural_radix,
        "security": cipher.security,
    }


def _lengths(lengths: Sequence[int]) -> str:
    """Numbers in a few characters: a range where they are equally far apart."""
    steps = {after - before for before, after in pairwise(lengths)}
    if len(lengths) <= _FEW or len(steps) > 1:
        return ", ".join(map(str, lengths))
    (step,) = steps
    return f"{lengths[0]}..{lengths[-1]}" + (f" by {step}" if step > 1 else "")


def _status(cipher: Cipher) -> str:
    """The first words of what is known of the security, with a mark if it is broken."""
    first = re.split(r"[;:(,]", cipher.security)[0].strip()
    return textwrap.shorten(f"{'! ' * cipher.broken}{first}", _STATUS_WIDTH, placeholder=" ...")


def _plain(value: object) -> object:
    if isinstance(value, list):
        is_numeric = all(str(one).isdigit() for one in value)
        return _lengths(sorted(map(int, value))) if is_numeric else ", ".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value
