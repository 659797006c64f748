# SPDX-License-Identifier: Apache-2.0
"""A public vector as an entry of the project's own vector files, for one cipher."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from headwater.cipher.block_vectors import KIND as BLOCKS
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import HASHES, Cipher
from headwater.errors import InputError, describe_lengths
from headwater.verify.published.algorithms import catalogued
from headwater.verify.published.case import Case
from headwater.verify.published.formats import Format, cases_of
from headwater.verify.published.layouts import counter_and_iv, fields_of_iv, is_of_base
from headwater.verify.published.source import Source

Entry = dict[str, Any]


@dataclass(frozen=True)
class OwnForm:
    """The vectors of a public file that one cipher runs, as a file of the project's own has them.

    Members
    -------
    cipher : Cipher
    content : dict
        Of the file.
    lines : list of int
        Of each vector, in the public file.
    skipped : dict
        Reason by name for each vector that is not in the content.
    """

    cipher: Cipher
    content: dict[str, Any]
    lines: list[int]
    skipped: dict[str, str]


def own_forms(
    source: Source, shape: Format, asked_for: Cipher, legal: Sequence[Cipher]
) -> list[OwnForm]:
    """The vectors of the ciphers that are ``legal``: the one that was asked for, which those
    without an algorithm are of, and its modes. The first form has the skipped ones of all."""
    cases, skipped, others = cases_of(source, shape), dict[str, str](), dict[str, int]()
    by_name = {
        cipher.name: OwnForm(cipher, {**head_of(cipher), "vectors": []}, [], skipped)
        for cipher in (asked_for, *legal)
    }
    for case in cases:
        named = catalogued(case.algorithm, asked_for) if case.algorithm else asked_for.name
        form = by_name.get(named)
        if form and case.output and is_of_base(form.cipher, case.iv):
            form = by_name[asked_for.name]
        if form is None:
            skipped[case.name] = f"of {case.algorithm}"
            others[case.algorithm] = others.get(case.algorithm, 0) + 1
        elif reason := reason_to_skip(case, form.cipher):
            skipped[case.name] = reason
        else:
            with _of_file(source):
                entry = entry_of(case, form.cipher)
            origin = f"published: {source.path.name}, line {case.line}"
            form.content["vectors"].append({"id": case.name, "origin": origin} | entry)
            form.lines.append(case.line)
    if sum(others.values()) == len(cases):
        raise InputError(
            f"vector file {source.path} must have vectors of "
            f"{' or '.join(by_name)}, not {' or '.join(others)}"
        )
    used = [form for form in by_name.values() if form.lines] or [by_name[asked_for.name]]
    return [replace(form, skipped={} if number else skipped) for number, form in enumerate(used)]


def head_of(cipher: Cipher) -> dict[str, Any]:
    """What a file of the project's own has beside its vectors."""
    return {
        "cipher": cipher.name,
        "kind": cipher.service,
        "bit_order": cipher.bit_order,
        "convention": cipher.convention,
    }


@contextmanager
def _of_file(source: Source) -> Iterator[None]:
    """Name the file in an error that names a line."""
    try:
        yield
    except InputError as error:
        raise InputError(f"vector file {source.path}, {error}") from error


def reason_to_skip(case: Case, cipher: Cipher) -> str:
    """Why the cipher is not asked about a vector, though it is one of its own; or empty."""
    if case.left_out:
        return case.left_out
    if cipher.service in HASHES:
        return ""  # What reads its entries says which lengths it has.
    if (case.text_bits or 0) % cipher.text_unit:
        return "a text that is not whole bytes"
    if (case.ad_bits or 0) % cipher.data_unit:
        return "associated data that is not whole bytes"
    keys = (*cipher.shorter_keys, cipher.key_bits)
    if case.second_key and 8 * len(case.key + case.second_key) not in keys:
        return "a nonce that is masked with a second key"
    if case.result == "invalid" and not cipher.tag_lengths:
        return "invalid, but without a tag nothing tells it from others"
    bits = case.tag_bits
    if bits is None and case.result == "valid" and case.tag is not None:
        bits = 8 * len(case.tag)
    if bits is not None and cipher.tag_lengths and bits not in cipher.tag_lengths:
        return f"{bits}-bit tag"
    if cipher.call_fields and fields_of_iv(cipher, case.iv) is None:
        return f"an IV that no {', '.join(name for name, _ in cipher.call_fields)} give"
    return ""


def entry_of(case: Case, cipher: Cipher) -> Entry:
    """The entry. Refuses a vector without what the service of the cipher needs, with more than
    that, and one of another length of key that no member of the file states."""
    if case.key_bits is None:
        _check_key(case, cipher)
    service = cipher.service
    if service not in _SERVICES:
        raise InputError(f"line {case.line}: no public format has vectors of {cipher.name}")
    members, make = _SERVICES[service]
    # One of these sets of members must be what the vector has.
    present = {name for name in _TEXTS if getattr(case, name) is not None}
    if present not in members:
        raise InputError(
            f"line {case.line}: a vector of {cipher.name} must have "
            f"{' or '.join(map(_listed, members))}, not {_listed(present)}"
        )
    if case.ad and not cipher.takes_associated_data:
        raise InputError(
            f"line {case.line}: a vector of {cipher.name} must have no associated "
            f"data, not {len(case.ad)} bytes"
        )
    return {"id": case.name, **make(case, cipher), **_stated(case, cipher), **_result(case)}


_OF_CALLS = ("3gpp-cipher", "3gpp-mac")
"""Services whose entries have what an IV is made of."""

_TEXTS = ("text", "output", "tag", "tagged", "keystream", "digest")


def _listed(names: Any) -> str:
    return " and ".join(sorted(names)) or "none of its texts"


def _check_key(case: Case, cipher: Cipher) -> None:
    legal = {cipher.key_bits, *cipher.shorter_keys}
    for option in cipher.parameters:
        if option.name == "key_bits":
            legal |= set(map(int, option.values))
    if 8 * len(case.key) not in legal:
        raise InputError(
            f"line {case.line}: key of {cipher.name} must be "
            f"{describe_lengths(tuple(sorted(legal)))}, not {8 * len(case.key)} bits"
        )


def _stated(case: Case, cipher: Cipher) -> Entry:
    """The parameters of the vector, by which vectors of other variants are skipped."""
    if cipher.service in HASHES:
        return {}
    if cipher.service in _OF_CALLS:
        return {} if case.key_bits is None else {"key_bits": 8 * len(case.key)}
    plain = CATALOGUE.get(cipher.name, cipher)
    stated: Entry = {option.name: int(option.default) for option in plain.parameters}
    stated["key_bits"] = 8 * len(case.key)
    if case.result == "valid" and (case.iv_bits is not None or len(cipher.iv_bits) > 1):
        iv = _iv(case, cipher)
        is_whole = case.iv_bits is None or len(iv) != -(-case.iv_bits // 8)
        stated["iv_bits"] = 8 * len(iv) if is_whole else case.iv_bits
    return stated


def _result(case: Case) -> Entry:
    return {} if case.result == "valid" else {"result": case.result}


def _iv(case: Case, cipher: Cipher) -> bytes:
    return counter_and_iv(cipher, case.iv)[1]


def _keystream(case: Case, cipher: Cipher) -> Entry:
    if not case.iv and BLOCKS in cipher.vector_readers and case.text is not None:
        return {
            "key": case.key.hex(),
            "plaintext": _hex(case.text),
            "ciphertext": _hex(case.output),
            "iterations": case.iterations,
        }
    counter, iv = counter_and_iv(cipher, case.iv)
    entry: Entry = {"key": case.key.hex(), "iv": iv.hex(), "offset_bits": 8 * case.offset}
    if case.counter is not None or counter is not None:
        if not cipher.counter_bits:
            raise InputError(f"line {case.line}: a vector of {cipher.name} must have no counter")
        entry["counter"] = (case.counter or 0) + (counter or 0)
    if case.digest is not None:
        return entry | {"xor_digest": case.digest.hex(), "digested_bytes": case.digested}
    if case.keystream is not None:
        return entry | {
            "keystream": case.keystream.hex(),
            "keystream_bits": 8 * len(case.keystream),
        }
    return entry | {"plaintext": _hex(case.text), "ciphertext": _hex(case.output)}


def _aead(case: Case, cipher: Cipher) -> Entry:
    output, tag = case.output or b"", case.tag or b""
    if case.tagged is not None:
        length = len(case.text or b"")
        output, tag = case.tagged[:length], case.tagged[length:]
        if 8 * len(tag) not in cipher.tag_lengths:
            raise InputError(
                f"line {case.line}: tag of {cipher.name} must be "
                f"{describe_lengths(cipher.tag_lengths)}, not {8 * len(tag)} "
                "bits"
            )
    entry: Entry = {"key": case.key.hex(), "nonce": case.iv.hex(), "ad": case.ad.hex()}
    if case.text is not None:
        entry["plaintext"] = case.text.hex()
    if case.second_key:
        entry["key2"] = case.second_key.hex()
    lengths = {"ad_bits": case.ad_bits, "text_bits": case.text_bits, "tag_bits": case.tag_bits}
    entry |= {name: bits for name, bits in lengths.items() if bits and bits % 8}
    return entry | {"ciphertext": output.hex(), "tag": tag.hex()}


def _call(case: Case, cipher: Cipher) -> Entry:
    """Key, IV or what it is made of, and length of a message of mobile radio."""
    text = case.text or b""
    entry: Entry = {"key": case.key.hex(), "message": text.hex(), "length": 8 * len(text)}
    fields = fields_of_iv(cipher, case.iv) if cipher.call_fields else None
    return entry | (fields if fields is not None else {"iv": case.iv.hex()})


def _ciphered(case: Case, cipher: Cipher) -> Entry:
    return _call(case, cipher) | {"output": _hex(case.output)}


def _authenticated(case: Case, cipher: Cipher) -> Entry:
    entry = _call(case, cipher) | {"mac": _hex(case.tag)}
    several = len(cipher.tag_lengths) > 1 or any(
        one.name == "mac_bits" for one in cipher.parameters
    )
    bits = 8 * len(case.tag or b"") if case.tag_bits is None else case.tag_bits
    return entry | ({"mac_bits": bits} if several else {})


def _self_synchronising(case: Case, _: Cipher) -> Entry:
    return {
        "key": case.key.hex(),
        "iv": case.iv.hex(),
        "direction": "encrypt",
        "plaintext": _hex(case.text),
        "ciphertext": _hex(case.output),
    }


def _hex(data: bytes | None) -> str:
    return (data or b"").hex()


def _hashed(case: Case, cipher: Cipher) -> Entry:
    """Message, customization string and digest, with their lengths in bits."""
    values = {
        "message": (case.text or b"", case.text_bits),
        "output": (case.tag or b"", case.tag_bits),
    }
    if cipher.takes_associated_data:
        values["customization"] = case.ad, case.ad_bits
    entry: Entry = {}
    for name, (data, bits) in values.items():
        entry |= {name: data.hex(), f"{name}_bits": 8 * len(data) if bits is None else bits}
    return entry


_SERVICES: Mapping[str, tuple[list[set[str]], Callable[[Case, Cipher], Entry]]] = {
    "keystream": ([{"keystream"}, {"text", "output"}, {"digest"}], _keystream),
    "aead": ([{"text", "output", "tag"}, {"text", "tagged"}, {"output", "tag"}], _aead),
    "3gpp-cipher": ([{"text", "output"}], _ciphered),
    "3gpp-mac": ([{"text", "tag"}], _authenticated),
    "mac": ([{"text", "tag"}], _authenticated),
    "hash": ([{"text", "tag"}], _hashed),
    "xof": ([{"text", "tag"}], _hashed),
    "self-synchronising": ([{"text", "output"}], _self_synchronising),
}
"""By service of a cipher what a vector of it has, and how it becomes an entry."""
