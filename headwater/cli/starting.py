# SPDX-License-Identifier: Apache-2.0
"""The verb new-cipher."""

from __future__ import annotations

import argparse
import re
import shlex

from headwater.api.vectors import vectors
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.outside import add_file
from headwater.cli.output import print_json, say
from headwater.cli.starting_files import KINDS, text_of
from headwater.errors import InputError, unknown
from headwater.files import check_file, write_whole

_VECTORS = 8


def run_new_cipher(args: argparse.Namespace) -> int:
    """`headwater new-cipher`: writes a working description, to be replaced line by line."""
    name = args.name
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise InputError(
            f"name of a cipher must be small letters, digits and _, a letter first, not {name!r}"
        )
    if name in CATALOGUE:
        raise InputError(f"name of a cipher must be one that no other has, not {name!r}")
    if args.kind not in KINDS:
        raise unknown("kind of a starting file", args.kind, KINDS)
    description = args.output / f"{name}.py"
    vector_file = args.output / "vectors" / f"{name}.json"
    for path in (description, vector_file):
        if path.exists():
            raise InputError(f"{path} must not exist yet: nothing is overwritten")
        check_file(path)
    write_whole(description, _description(args.kind, name).encode())
    add_file(description)
    write_whole(vector_file, vectors(name, "json", count=_VECTORS).encode())
    if args.json:
        print_json([str(description), str(vector_file)])
    else:
        print(f"{description}\n{vector_file}")
    file = shlex.quote(str(description))
    say(f"check it with: headwater --cipher-file {file} verify {name} --prove")
    return 0


def _description(kind: str, name: str) -> str:
    return text_of(kind).replace("my_cipher", name).replace("MY_CIPHER", name.upper())
