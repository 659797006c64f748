# SPDX-License-Identifier: Apache-2.0
"""What a description from outside must be like, beyond what its types say.

Nothing here knows a kind of cipher: a description is asked for the members that it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.description import HASHES, SPECIAL_FIELDS, Cipher
from headwater.cipher.keywords import check_name
from headwater.cipher.typed import check_types
from headwater.errors import InputError, unknown

_BITS = (0, 1, ~0, ~1)
"""What a bit of a load may be that is no bit of key or IV; a complement has ones above bit 0."""


def check_description(cipher: Cipher) -> None:
    """Refuse a description whose circuit would be another one than is meant, or none."""
    check_types(cipher, cipher.name)
    _check_special_fields(cipher)
    _check_lengths(cipher)
    _check_registers(cipher)
    _check_phases(cipher)
    _check_rewrites(cipher)
    _check_radices(cipher)
    _check_rounds(cipher)
    _check_lanes(cipher)
    _check_placed(cipher)
    _check_authenticator(cipher)
    cipher.check_functions()
    _check_laws(cipher)


def _check_special_fields(cipher: Cipher) -> None:
    """What nothing reads is a mistake."""
    defaults = {field.name: field.default for field in fields(Cipher)}
    for name in SPECIAL_FIELDS:
        if name not in cipher.own_fields and getattr(cipher, name) != defaults[name]:
            raise InputError(
                f"{name} of {cipher.name} must be left out, as no cipher of its kind uses it"
            )


def _check_laws(cipher: Cipher) -> None:
    names = [law.name for law in cipher.laws]
    for law in cipher.laws:
        if names.count(law.name) > 1:
            raise InputError(
                f"laws of {cipher.name} must have names of their own, not two of {law.name!r}"
            )
        words = {name: IntegerWord(0, bits) for name, bits in law.words_of(cipher).items()}
        law.checked(cipher, unnamed, words)


def _check_lengths(cipher: Cipher) -> None:
    least = 0 if cipher.service in HASHES else 8
    if cipher.key_bits < least or cipher.key_bits % 8:
        raise InputError(
            f"key_bits of {cipher.name} must be a multiple of 8, not {cipher.key_bits}"
        )
    lengths = cipher.iv_bits
    if not lengths or min(lengths) < 0 or list(lengths) != sorted(set(lengths)):
        raise InputError(
            f"iv_bits of {cipher.name} must be lengths in ascending order, not {lengths}"
        )
    if cipher.first_iv_bit not in (None, 0, 1):
        raise InputError(
            f"first_iv_bit of {cipher.name} must be 0, 1 or None, not {cipher.first_iv_bit}"
        )


def _check_registers(cipher: Cipher) -> None:
    names = [register.name for register in getattr(cipher, "registers", ())]
    for name in names:
        check_name("register", name)
        if names.count(name) > 1:
            raise InputError(f"registers of {cipher.name} must have a name each, not {name} twice")


def _check_phases(cipher: Cipher) -> None:
    phases = getattr(cipher, "phases", None)
    if phases is None:
        return
    for phase in phases:
        if phase.steps < 1:
            raise InputError(
                f"phase {phase.name} of {cipher.name} must have one step at least, "
                f"not {phase.steps}"
            )
        for control in phase.controls:
            check_name("control", control)


def _check_rewrites(cipher: Cipher) -> None:
    controls: Sequence[str] = getattr(cipher, "controls", ())
    for control in getattr(cipher, "rewrites", ()):
        if control not in controls:
            raise unknown(f"control of rewrites of {cipher.name}", control, controls)


def _check_radices(cipher: Cipher) -> None:
    radices: tuple[int, ...] = getattr(cipher, "radices", (1,))
    if not radices or min(radices) < 1:
        raise InputError(f"radices of {cipher.name} must be numbers from 1 on, not {radices!r}")


def _check_rounds(cipher: Cipher) -> None:
    legal: tuple[int, ...] | None = getattr(cipher, "legal_rounds", None)
    if legal is None:
        return
    if not legal or any(one < 2 or one % 2 for one in legal):
        raise InputError(f"legal_rounds of {cipher.name} must be even numbers, not {legal!r}")
    rounds = getattr(cipher, "rounds", None)
    if rounds not in legal:
        raise unknown(f"rounds of {cipher.name}", rounds, legal)


def _check_lanes(cipher: Cipher) -> None:
    """Every bit of key and IV enters, but for bits that must be zero."""
    lanes: Callable[..., Sequence[Sequence[Any]]] | None = getattr(cipher, "lanes", None)
    if lanes is None:
        return
    key, iv = _named("key", cipher.key_bits), _named("IV", cipher.iv_bits[-1])
    entering = {bit for lane in lanes(key, iv) for bit in lane}
    free = [bit for place, bit in enumerate(iv) if place not in cipher.zero_iv_bits]
    for bit in (*key, *free):
        if bit not in entering:
            raise InputError(f"lanes of {cipher.name} must hold every bit, but {bit} is missing")


def _named(what: str, count: int) -> tuple[str, ...]:
    return tuple(f"{what} bit {number}" for number in range(count))


def _check_placed(cipher: Cipher) -> None:
    """Each bit of key and IV changes what a load places, and a constant is a bit."""
    content: Callable[..., Mapping[str, Sequence[int]]] | None
    content = getattr(getattr(cipher, "load", None), "content", None)
    if content is None:
        return
    lengths = cipher.key_bits, cipher.iv_bits[-1]
    key, iv = ((0,) * length for length in lengths)
    loaded = content(key, iv)
    for name, bits in loaded.items():
        for bit in bits:
            if bit not in _BITS:
                raise InputError(f"load of {cipher.name} must put bits into {name}, not {bit!r}")
    for what, number, changed in _each_changed(content, key, iv):
        if changed == loaded:
            raise InputError(
                f"load of {cipher.name} must hold every bit, but {what} bit {number} is missing"
            )


def _each_changed(
    content: Callable[..., Mapping[str, Sequence[int]]],
    key: tuple[int, ...],
    iv: tuple[int, ...],
) -> Iterator[tuple[str, int, Mapping[str, Sequence[int]]]]:
    """What is loaded if one bit is one, for each bit of key and IV."""
    for number in range(len(key)):
        yield "key", number, content((*key[:number], 1, *key[number + 1 :]), iv)
    for number in range(len(iv)):
        yield "IV", number, content(key, (*iv[:number], 1, *iv[number + 1 :]))


def _check_authenticator(cipher: Cipher) -> None:
    """The register of accumulator and shift register has two bits for each of the tag."""
    name: str | None = getattr(cipher, "authenticator", None)
    if not name:
        return
    tag_bits: int = getattr(cipher, "tag_bits", 0)
    if tag_bits <= 0 or tag_bits % 8:
        raise InputError(f"tag_bits of {cipher.name} must be a multiple of 8, not {tag_bits!r}")
    lengths = {register.name: register.length for register in getattr(cipher, "registers", ())}
    if name not in lengths:
        raise unknown(f"authenticator of {cipher.name}", name, lengths)
    if lengths[name] != 2 * tag_bits:
        raise InputError(
            f"register {name} of {cipher.name} must have two stages for each of {tag_bits} bits of "
            f"the tag, {2 * tag_bits} in all, not {lengths[name]}"
        )
