# SPDX-License-Identifier: Apache-2.0
"""Test vectors: files of the project's own format and of public ones, read and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from headwater.cipher.catalogue import CATALOGUE, modes_of
from headwater.cipher.description import HASHES, Cipher
from headwater.cipher.outside import vectors_folder
from headwater.errors import InputError, unknown
from headwater.verify.entries import AnyVector, Entry, digest_reason, readers_of
from headwater.verify.published.acvp import joined
from headwater.verify.published.case import Case
from headwater.verify.published.formats import format_of
from headwater.verify.published.own_form import entry_of, head_of, own_forms, reason_to_skip
from headwater.verify.published.source import Source, load

_FOLDER = Path(__file__).with_name("vectors")

_CHOSEN_KINDS = ("keystream", "aead", "self-synchronising", *HASHES)
"""Kinds whose entries may be of another variant of the cipher."""

_OF_WHOLE_BYTES = ("mac-core",)
"""Kinds whose fields are whole bytes, so that the order of bits in them says nothing."""

_EITHER_RIGHT = "acceptable: either answer is right"


@dataclass(frozen=True)
class VectorFile:
    """The vectors of one file that belong to one cipher, and why others are not run."""

    name: str
    vectors: tuple[AnyVector, ...]
    skipped: Mapping[str, str]
    """Reason by vector id."""
    cipher: Cipher
    """The cipher whose engines run them: the requested one or one of its modes."""


def own_files(cipher: Cipher) -> list[Path]:
    """The vector files that come with a cipher."""
    return [path for path in looked_for(cipher) if path.exists()]


def looked_for(cipher: Cipher) -> list[Path]:
    """Where the vector files of a cipher may be."""
    folder = vectors_folder(cipher.name) or _FOLDER
    return [folder / f"{name}.json" for name in _ciphers_by_name(cipher)]


def read_file(path: Path, cipher: Cipher) -> VectorFile:
    """Read a vector file of ``cipher``, of one of its modes or of one of its key lengths. Of a
    public file with vectors of several modes, those of the first one."""
    return _read(load(path), cipher)[0]


def read_variants(path: Path, cipher: Cipher, chosen: Mapping[str, str]) -> list[VectorFile]:
    """The parts of one file; see `read_files`."""
    return read_files([path], cipher, chosen)[0]


def read_files(
    paths: Iterable[Path], cipher: Cipher, chosen: Mapping[str, str]
) -> list[list[VectorFile]]:
    """Read vector files of a cipher and of its variants with other parameters: of each file one
    part for each variant that has vectors, or for each mode. Vectors with other than the ``chosen``
    values of parameters are skipped. A prompt of ACVP and its expected results are one file."""
    return [_variants(source, cipher, chosen) for source in joined([load(path) for path in paths])]


def _variants(source: Source, cipher: Cipher, chosen: Mapping[str, str]) -> list[VectorFile]:
    free = [option for option in cipher.parameters if option.name not in chosen]
    names = [option.name for option in free]
    several = [
        _read(source, cipher.with_parameters({**chosen, **dict(zip(names, values, strict=True))}))
        for values in product(*(option.values for option in free))
    ]
    parts = _of_different_ciphers([part for parts in several for part in parts])
    skipped = {
        name: reason
        for part in parts
        for name, reason in part.skipped.items()
        if all(name in other.skipped for other in parts if other.cipher.name == part.cipher.name)
    }
    used = [part for part in parts if part.vectors] or parts[:1]
    return [replace(part, skipped={} if number else skipped) for number, part in enumerate(used)]


def _of_different_ciphers(parts: Sequence[VectorFile]) -> list[VectorFile]:
    """The parts without those of modes that another variant of the cipher has as well."""
    return [
        part
        for number, part in enumerate(parts)
        if not any(part.cipher is other.cipher for other in parts[:number])
    ]


def _ciphers_by_name(cipher: Cipher) -> dict[str, Cipher]:
    """The cipher names that a file may state, each with the cipher that runs its vectors."""
    known = dict.fromkeys((cipher.name, *cipher.vector_names), cipher)
    return known | {mode.name: mode for mode in modes_of(cipher)}


def _read(source: Source, cipher: Cipher) -> list[VectorFile]:
    """The vectors of one variant of a cipher and of its modes."""
    path, legal = source.path, _ciphers_by_name(cipher)
    shape = format_of(source)
    if shape is None:
        return [_own(source, legal)]
    forms = own_forms(source, shape, cipher, list(dict.fromkeys(legal.values())))
    return [_checked(path, form.content, form.cipher, form.lines, form.skipped) for form in forms]


def checked_case(case: Case, cipher: Cipher) -> list[VectorFile]:
    """One vector of a public file as each variant of a cipher has it."""
    if reason_to_skip(case, cipher):
        return []
    names = [option.name for option in cipher.parameters]
    content = {**head_of(cipher), "vectors": [entry_of(case, cipher)]}
    return [
        _checked(
            Path(),
            content,
            cipher.with_parameters(dict(zip(names, values, strict=True))),
            (case.line,),
            {},
        )
        for values in product(*(option.values for option in cipher.parameters))
    ]


def _own(source: Source, legal: Mapping[str, Cipher]) -> VectorFile:
    """The vectors of a file of the project's own format."""
    path, content = source.path, source.content
    try:
        name = content["cipher"]
        if name not in legal:
            raise InputError(
                f"vector file {path} must be of cipher {' or '.join(legal)}, not {name!r}"
            )
        return _checked(path, content, legal[name], (), {})
    except KeyError as error:
        raise InputError(f"vector file {path} must have {error.args[0]!r}, but has none") from error
    except (TypeError, AttributeError) as error:
        raise InputError(f"vector file {path} is not of the vector format: {error}") from error


def _checked(
    path: Path,
    content: Mapping[str, Any],
    cipher: Cipher,
    lines: Sequence[int],
    left_out: Mapping[str, str],
) -> VectorFile:
    kind = content["kind"]
    readers = readers_of(cipher)
    if kind not in readers:
        raise unknown(f"kind of vectors for {cipher.name}", kind, readers)
    if kind not in _OF_WHOLE_BYTES and content["bit_order"] != cipher.bit_order:
        raise InputError(
            f"bit order of vector file {path} must be {cipher.bit_order}, "
            f"not {content['bit_order']!r}"
        )
    vectors: list[AnyVector] = []
    skipped = dict(left_out)
    for number, fields in enumerate(content["vectors"]):
        named = {"id": str(number + 1), **fields}
        entry = Entry(path, named, lines[number] if lines else None)
        chosen = kind in _CHOSEN_KINDS or "key_bits" in fields or bool(cipher.parameters)
        with entry.whole():
            reason = _not_of(cipher, entry) if chosen else ""
            if entry.result == "acceptable":
                reason = _EITHER_RIGHT
            if reason:
                skipped[entry.name] = reason
            else:
                vectors += readers[kind](entry, cipher)
    return VectorFile(path.name, tuple(vectors), skipped, cipher)


def _is_refused(cipher: Cipher, entry: Entry, key_bits: int) -> bool:
    """Whether an entry of messages without an IV must be rejected for a length of key that no
    variant of the cipher has; the one that the catalogue names is asked."""
    legal = {
        value
        for option in cipher.parameters
        if option.name == "key_bits"
        for value in option.values
    }
    named = CATALOGUE.get(cipher.name, cipher).key_bits == cipher.key_bits
    return (
        entry.result == "invalid"
        and cipher.service == "mac"
        and named
        and (str(key_bits) not in legal)
    )


def _not_of(cipher: Cipher, entry: Entry) -> str:
    """Why an entry belongs to no variant of the cipher; empty if it belongs to one."""
    if cipher.service in HASHES:
        return digest_reason(cipher, entry)
    for option in cipher.parameters:
        if option.name != "key_bits" and str(entry.fields[option.name]) != option.default:
            return f"{entry.number(option.name, 1)} {option.name}"
    key_bits = entry.number_or("key_bits", 8 * len(entry.data("key")))
    if key_bits not in (*cipher.shorter_keys, cipher.key_bits):
        return "" if _is_refused(cipher, entry, key_bits) else f"{key_bits}-bit key"
    if "iv_bits" not in entry.fields and len(cipher.iv_bits) == 1:
        return ""
    iv_bits = entry.number("iv_bits", 0)
    legal = (*cipher.iv_bits, cipher.free_iv_bits)
    return "" if iv_bits in legal else f"{iv_bits}-bit IV"
