# SPDX-License-Identifier: Apache-2.0
"""What makes a value of another equal to ours: the order of its bits or bytes, a shift, an
inversion, another order of key or IV, another cipher. Each answer is the end of a sentence, or
empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import Any

from headwater.algebra import bitstring
from headwater.algebra.bitstring import BitOrder
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.errors import InputError

_TELLING_BITS, _TELLING_SHIFTED_BITS = 32, 48
"""A value of fewer bits may well fit by chance; so many places are tried for one that is shifted
that it needs more."""
_LONGEST_BITS, _REACH = 1 << 13, 1 << 11
"""The longest value that is looked for at other places, and how far away."""
_BEGINNING = 256
Units = tuple[tuple[str, int], ...]
"""Names of what a keystream is made in, with their lengths in bits, the longest first."""
_WORDS = (2, 4, 8, 16)
_INVERTED = "every bit inverted"
_TURNED = "the bits of each byte reversed"

Change = tuple[str, Callable[[bytes], bytes]]
"""What is other about a value, and how it comes of ours."""


@dataclass(frozen=True)
class Value:
    """A bit string as bytes, ``bits`` long, with zeros behind it."""

    data: bytes
    bits: int
    order: BitOrder

    @property
    def string(self) -> str:
        """Its bits as characters, the first bit first."""
        digits = f"{bitstring.from_bytes(self.data, self.order):0{self.bits}b}"
        return digits[::-1] if self.bits else ""

    def beginning(self) -> Value:
        """Its first bits, if it is long."""
        if self.bits <= _BEGINNING:
            return self
        return Value(self.data[: _BEGINNING // 8], _BEGINNING, self.order)


def _same(data: bytes) -> bytes:
    return data


def orders(count: int) -> Iterator[Change]:
    """The orders in which ``count`` bytes may be written down otherwise."""
    yield _TURNED, _turned
    yield "its bytes reversed", lambda data: data[::-1]
    yield "all its bits reversed", lambda data: _turned(data[::-1])
    for size in (size for size in _WORDS if count % size == 0 and count > size):
        yield f"the bytes of each word of {size} reversed", _in_words(size, _backwards)
        yield f"the bits of each word of {size} bytes reversed", _in_words(size, _turned_whole)
        yield f"its words of {size} bytes reversed", _words_reversed(size)


def same_but(expected: Value, ours: bytes) -> str:
    """What is other about a value, if it is ours in another order or inverted; else empty."""
    if expected.bits < _TELLING_BITS or len(expected.data) != len(ours):
        return ""
    spare = (1 << expected.bits) - 1
    ones = bitstring.to_bytes(spare, expected.bits, expected.order)
    for name, change in [("", _same), *orders(len(ours))]:
        changed = change(ours)
        if name and changed == expected.data:
            return f"with {name}"
        if bytes(one ^ other for one, other in zip(changed, ones, strict=True)) == expected.data:
            return f"with {' and '.join(filter(None, (name, _INVERTED)))}"
    return ""


def units(cipher: Cipher) -> Units:
    """The word and the block of a cipher, as far as it has them."""
    lengths = (("block", cipher.seek_bits or 1), ("word", getattr(cipher, "word_bits", 1)))
    return tuple((name, bits) for name, bits in lengths if bits > 1)


def shifted(
    expected: Value, offset: int, more: Callable[[int, int], bytes], named: Units = ()
) -> str:
    """Where in our keystream a given one is, whose first bit should be number ``offset``, if it is
    elsewhere; else empty. ``more(offset, bits)`` gives our keystream in the order of the expected
    one. A distance of whole units is given in these, too."""
    if not _TELLING_SHIFTED_BITS <= expected.bits <= _LONGEST_BITS:
        return ""
    begin = max(0, offset - _REACH)
    bits = offset - begin + expected.bits + _REACH
    ours = Value(more(begin, bits), bits, expected.order).string
    for name, change in [("", _same), *orders(len(expected.data))]:
        wanted = Value(change(expected.data), expected.bits, expected.order).string
        place = _found(wanted, ours, part=change in (_same, _turned))
        if place is not None and begin + place != offset:
            moved = _moved(begin + place - offset, named)
            return f"{moved}{f', with {name}' * bool(name)}"
    return ""


def _found(wanted: str, ours: str, *, part: bool) -> int | None:
    """Where a string is in another one; negative where it begins before it, so that only ``part``
    of it can be compared."""
    place = ours.find(wanted)
    if place >= 0 or not part:
        return place if place >= 0 else None
    most = len(wanted) - _TELLING_SHIFTED_BITS
    return next((-lead for lead in range(1, most + 1) if ours.startswith(wanted[lead:])), None)


def _moved(bits: int, named: Units) -> str:
    way, count = "late" if bits > 0 else "early", abs(bits)
    whole = [(name, count // length) for name, length in named if count % length == 0]
    also = f" ({_counted(*whole[0])})" if whole else ""
    return f"beginning {_counted('bit', count)}{also} too {way}"


def _counted(name: str, count: int) -> str:
    return f"{count} {name}{'s' * (count > 1)}"


def other_inputs(cipher: Cipher, key: bytes, iv: bytes) -> Iterator[tuple[str, bytes, bytes]]:
    """Key and IV in other orders, or with another direction of a call in the IV: what is other
    about them, key and IV."""
    plain: list[Change] = [("", _same), *orders(1)]
    of_words = {
        of: list(orders(len(data)))[len(plain) - 1 :] for of, data in (("key", key), ("iv", iv))
    }
    pairs = [
        *product(plain, plain),
        *((change, ("", _same)) for change in of_words["key"]),
        *((("", _same), change) for change in of_words["iv"]),
        *((one, two) for one, two in product(of_words["key"], of_words["iv"]) if one[0] == two[0]),
    ]
    for (of_key, turn_key), (of_iv, turn_iv) in pairs:
        names = [
            f"the {what} with {name}" for what, name in (("key", of_key), ("IV", of_iv)) if name
        ]
        if names and (turn_key(key), turn_iv(iv)) != (key, iv):
            yield f"of {' and '.join(names)}", turn_key(key), turn_iv(iv)
    if cipher.call_fields and cipher.call_fields[-1] == ("direction", 1):
        length = sum(bits for _, bits in cipher.call_fields)
        turned = int.from_bytes(iv, "big") ^ 1 << -length % 8
        yield "of the other direction", key, turned.to_bytes(len(iv), "big")


def other_ciphers(cipher: Cipher) -> Iterator[tuple[str, Cipher]]:
    """The cipher with another setup or other parameters, and those of the catalogue with such a
    key."""
    yield from _other_setups(cipher)
    for option in cipher.parameters:
        for value in option.values:
            if option.name != "key_bits" and value != option.default:
                other = cipher.with_parameters(
                    {"key_bits": str(cipher.key_bits), option.name: value}
                )
                yield f"of {cipher.name} with {value} {option.name}", other
    for other in CATALOGUE.values():
        alike = (other.key_bits, other.service) == (cipher.key_bits, cipher.service)
        if alike and other.name != cipher.name:
            yield f"of {other.name}", other


def _other_setups(cipher: Cipher) -> Iterator[tuple[str, Cipher]]:
    """The cipher with phases of its setup left out, or with a step more or less in one of them."""
    phases: tuple[Any, ...] = getattr(cipher, "phases", ())
    changed: Any = replace

    def with_steps(place: int, steps: int) -> Cipher:
        phase = replace(phases[place], steps=steps)
        other: Cipher = changed(cipher, phases=(*phases[:place], phase, *phases[place + 1 :]))
        return other

    if phases:
        none = tuple(replace(phase, steps=0) for phase in phases)
        yield f"of {cipher.name} without any blank step", changed(cipher, phases=none)
    for place, phase in enumerate(phases):
        of = f" in its phase {phase.name!r}" if len(phases) > 1 else ""
        if of:
            yield f"of {cipher.name} without its phase {phase.name!r}", with_steps(place, 0)
        for more, said in ((1, "more"), (-1, "less")):
            name = f"of {cipher.name} with a blank step {said}{of}"
            yield name, with_steps(place, phase.steps + more)


def likeness(
    expected: Value,
    cipher: Cipher,
    key: bytes,
    iv: bytes,
    run: Callable[[Cipher, bytes, bytes, int], bytes],
) -> str:
    """What is other about a value: that of another order of key or IV, or of another cipher.

    ``run(cipher, key, iv, bits)`` makes at least so many bits of such a value. Of a long one the
    beginning is looked at first.
    """
    if expected.bits < _TELLING_BITS:
        return ""
    inputs = ((name, cipher, one, two) for name, one, two in other_inputs(cipher, key, iv))
    ciphers = ((name, other, key, iv) for name, other in other_ciphers(cipher))
    for name, of, key_, iv_ in chain(inputs, ciphers):
        with suppress(InputError):
            for piece in (expected.beginning(), expected):
                keystream = run(of, key_, iv_, piece.bits)[: len(piece.data)]
                also = same_but(piece, keystream)
                if keystream != piece.data and not also:
                    break
            else:
                return f"{name}{f', {also}' * bool(also)}"
    return ""


def _turned(data: bytes) -> bytes:
    return bytes(bitstring.reverse(byte, 8) for byte in data)


def _backwards(data: bytes) -> bytes:
    return data[::-1]


def _turned_whole(data: bytes) -> bytes:
    return _turned(data[::-1])


def _in_words(size: int, change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    return lambda data: b"".join(change(word) for word in _words(data, size))


def _words_reversed(size: int) -> Callable[[bytes], bytes]:
    return lambda data: b"".join(_words(data, size)[::-1])


def _words(data: bytes, size: int) -> list[bytes]:
    return [data[place : place + size] for place in range(0, len(data), size)]
