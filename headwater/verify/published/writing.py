# SPDX-License-Identifier: Apache-2.0
"""Vector files that are written: of the model's vectors, in public formats and the project's own,
and a public file as one of the project's own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from headwater.cipher.description import HASHES, Cipher
from headwater.errors import InputError, at_least, unknown
from headwater.kinds.reading import Keystream
from headwater.verify.published.formats import Format
from headwater.verify.published.made import (
    SEGMENT_BYTES,
    STREAM_BYTES,
    estream_inputs,
    made_cases,
)
from headwater.verify.published.own_form import entry_of, head_of, own_forms
from headwater.verify.published.source import Source

_SEGMENTS = (0, 192, 256, 448)
"""The first bytes of the segments that eSTREAM prints of a stream."""
_ROW = 32
_MARGIN = 28
_ORIGIN = "generated: the model of this description"


def written(cipher: Cipher, shape: str, count: int) -> str:
    """The first ``count`` vectors of a cipher, as a file of the format ``shape``: one of
    `WRITERS`."""
    if shape not in WRITERS:
        raise unknown("format", shape, WRITERS)
    return WRITERS[shape](cipher, at_least(1, "count", count))


def as_text(content: Mapping[str, Any]) -> str:
    """A file of the project's own."""
    return json.dumps(content, indent=1) + "\n"


def converted(source: Source, shape: Format, cipher: Cipher) -> dict[str, Any]:
    """The vectors of a public file that are of a cipher, as content of the project's own file."""
    forms = own_forms(source, shape, cipher, [cipher])
    return forms[0].content


def _own(cipher: Cipher, count: int) -> str:
    entries = [
        {"id": case.name, "origin": _ORIGIN} | entry_of(case, cipher)
        for case in made_cases(cipher, count)
    ]
    return as_text({**head_of(cipher), "vectors": entries})


def _kat(cipher: Cipher, count: int) -> str:
    """As NIST's lightweight cryptography has it."""
    if cipher.service != "aead" or not cipher.takes_associated_data:
        raise InputError(
            f"vectors of {cipher.name} cannot be of the format kat: it is for ciphers "
            "that authenticate associated data"
        )
    blocks = []
    for number, case in enumerate(made_cases(cipher, count), 1):
        tagged = (case.output or b"") + (case.tag or b"")
        values = (
            ("Key", case.key),
            ("Nonce", case.iv),
            ("PT", case.text or b""),
            ("AD", case.ad),
            ("CT", tagged),
        )
        lines = [f"{name} = {data.hex().upper()}" for name, data in values]
        blocks.append("\n".join([f"Count = {number}", *lines, "", ""]))
    return "".join(blocks)


def _hash_kat(cipher: Cipher, count: int) -> str:
    """As NIST's lightweight cryptography has it for hash functions."""
    if cipher.service not in HASHES:
        raise InputError(
            f"vectors of {cipher.name} cannot be of the format hash-kat: it is for "
            "functions without a key"
        )
    blocks = []
    for number, case in enumerate(made_cases(cipher, count), 1):
        custom = [("Z", case.ad)] if cipher.takes_associated_data else []
        values = [("Msg", case.text or b""), *custom, ("MD", case.tag or b"")]
        lines = [f"{name} = {data.hex().upper()}" for name, data in values]
        blocks.append("\n".join([f"Count = {number}", *lines, "", ""]))
    return "".join(blocks)


def _estream(cipher: Cipher, count: int) -> str:
    """As eSTREAM has it, without the sets of long streams."""
    if cipher.service != "keystream" or cipher.iv_bits[-1] % 8:
        raise InputError(
            f"vectors of {cipher.name} cannot be of the format estream: it is for "
            "ciphers with a keystream, and with IVs of whole bytes"
        )
    lines = [
        f"Primitive Name: {cipher.name}",
        f"Key size: {cipher.key_bits} bits",
        f"IV size: {cipher.iv_bits[-1]} bits",
        "",
    ]
    for name, key, iv in islice(estream_inputs(cipher), count):
        group, number = name.removeprefix("set ").split(", vector ")
        stream = Keystream(cipher, key=key, iv=iv).read(8 * STREAM_BYTES)
        lines += [f"Set {group}, vector#{number:>3}:", *_rows("key", key), *_rows("IV", iv)]
        for first in _SEGMENTS:
            end = first + SEGMENT_BYTES
            lines += _rows(f"stream[{first}..{end - 1}]", stream[first:end])
        lines += [*_rows("xor-digest", _digest(stream)), ""]
    return "\n".join([*lines, "", "End of test vectors", ""])


def _digest(stream: bytes) -> bytes:
    total = 0
    for first in range(0, len(stream), SEGMENT_BYTES):
        total ^= int.from_bytes(stream[first : first + SEGMENT_BYTES], "big")
    return total.to_bytes(SEGMENT_BYTES, "big")


def _rows(name: str, data: bytes) -> list[str]:
    digits = data.hex().upper()
    rows = [digits[first : first + _ROW] for first in range(0, len(digits), _ROW)] or [""]
    return [f"{name:>{_MARGIN}} = {rows[0]}", *(" " * (_MARGIN + 3) + row for row in rows[1:])]


WRITERS: Mapping[str, Callable[[Cipher, int], str]] = {
    "json": _own,
    "kat": _kat,
    "hash-kat": _hash_kat,
    "estream": _estream,
}
"""By format what writes vectors of a cipher; json is the project's own."""
