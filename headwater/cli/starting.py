# SPDX-License-Identifier: Apache-2.0
"""The verb new-cipher."""

from __future__ import annotations

import argparse
import json
import random
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.description import Cipher
from headwater.cipher.outside import add_file
from headwater.cli.output import print_json, say
from headwater.errors import InputError
from headwater.files import check_file, write_whole
from headwater.kinds.reading import Keystream

_TEMPLATE = Path(__file__).with_name("starting_cipher.py")
_ORIGIN = "made by this description's own model: shows that nothing changed, not that it is right"
_VECTORS = 8
_VECTOR_BITS = 256


def run_new_cipher(given: argparse.Namespace) -> int:
    """`headwater new-cipher`: writes a working description, to be replaced line by line."""
    name = given.name
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise InputError(
            f"name of a cipher must be small letters, digits and _, a letter first, not {name!r}"
        )
    if name in CATALOGUE:
        raise InputError(f"name of a cipher must be one that no other has, not {name!r}")
    description = given.output / f"{name}.py"
    vectors = given.output / "vectors" / f"{name}.json"
    for path in (description, vectors):
        if path.exists():
            raise InputError(f"{path} must not exist yet: nothing is overwritten")
        check_file(path)
    write_whole(description, _description(name).encode())
    add_file(description)
    write_whole(vectors, (json.dumps(_vector_file(find(name)), indent=1) + "\n").encode())
    if given.json:
        print_json([str(description), str(vectors)])
    else:
        print(f"{description}\n{vectors}")
    file = shlex.quote(str(description))
    say(f"check it with: headwater --cipher-file {file} verify {name} --prove")
    return 0


def _description(name: str) -> str:
    text = _TEMPLATE.read_text(encoding="utf-8")
    return text.replace("my_cipher", name).replace("MY_CIPHER", name.upper())


def _vector_file(cipher: Cipher) -> dict[str, Any]:
    return {
        "cipher": cipher.name,
        "kind": "keystream",
        "bit_order": cipher.bit_order,
        "convention": cipher.convention,
        "vectors": list(_vectors(cipher)),
    }


def _vectors(cipher: Cipher) -> Iterator[dict[str, Any]]:
    """Keystream vectors with fixed keys and IVs."""
    source = random.Random(cipher.name)
    for number in range(_VECTORS):
        key, iv = source.randbytes(cipher.key_bits // 8), source.randbytes(cipher.iv_bits[-1] // 8)
        yield {
            "id": f"own-model-{number}",
            "origin": _ORIGIN,
            "key": key.hex(),
            "iv": iv.hex(),
            "key_bits": cipher.key_bits,
            "iv_bits": cipher.iv_bits[-1],
            "offset_bits": 0,
            "keystream": Keystream(cipher, key=key, iv=iv).read(_VECTOR_BITS).hex(),
            "keystream_bits": _VECTOR_BITS,
        }
