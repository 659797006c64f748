# SPDX-License-Identifier: Apache-2.0
"""Streams of words that a core is taken to have, by the names of their ports, and in which order
key and IV enter by one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, permutations

from headwater.cipher.description import Cipher
from headwater.foreign.netlist import Netlist
from headwater.foreign.ports import Stream, input_streams
from headwater.foreign.session import side_by_side
from headwater.foreign.settings import Sending
from headwater.kinds.stepped.runs import is_read, run_cipher

_LOAD = re.compile(r"key|iv|nonce|load|seed|init|conf", re.IGNORECASE)
_OWN, _BASE = ("key", "iv"), ("base_key", "base_iv")


def streams_by_name(netlist: Netlist, inputs: Mapping[str, int], cipher: Cipher) -> list[Sending]:
    """The streams of a core: that of the load first, of which nothing is said yet but "key", then
    those of data; none if no stream is that of the load."""
    streams = [*input_streams(netlist, inputs)]
    load = next((one for one in streams if _LOAD.search(one.stem)), None)
    if load is None:
        return []
    texts = [text for one in streams if one is not load for text in _texts(one, cipher)]
    return [Sending("key", load.payload, load.valid, load.ready, end=load.last), *texts]


def _texts(one: Stream, cipher: Cipher) -> Iterator[Sending]:
    """What enters by a stream of data: associated data where they have a mark, and the text."""
    stream = (one.payload, one.valid, one.ready)
    if one.ad and cipher.takes_associated_data:
        yield Sending("ad", *stream, end=one.last, keep=one.keep, values={one.ad: 1})
    yield Sending("text", *stream, end=one.last, keep=one.keep)


def ways_of_texts(texts: Sequence[Sending], cipher: Cipher) -> list[list[Sending]]:
    """The streams of data; associated data also with what the cipher authenticates before them."""
    ways = [[*texts]]
    if cipher.prefix(b""):
        ways.append([replace(one, send="base_ad") if one.send == "ad" else one for one in texts])
    return ways


def loads(cipher: Cipher, width: int, words: int) -> list[str]:
    """The orders in which key and IV may enter by one stream, the likeliest first: one behind the
    other, with zeros where the core takes more, or as the lanes of the description. Of a mode
    they may be those of its cipher.

    Parameters
    ----------
    width
        Bits of a word.
    words
        How many of them the core takes; 0 if it is not known.
    """
    base = cipher.base if hasattr(cipher, "base_inputs") else None
    texts = _strings(cipher, _OWN, width * words)
    if base:
        texts += _strings(base, _BASE, width * words)
    return [*dict.fromkeys(texts + _lanes(base or cipher, _BASE if base else _OWN, width))]


def is_explained(cipher: Cipher, bits: int) -> bool:
    """Whether a load of so many bits has nothing but key, IV and what the description says of the
    rest: the number of a block, or what the IV is filled to."""
    base = cipher.base if hasattr(cipher, "base_inputs") else None
    known = [one.key_bits + one.iv_bits[-1] for one in (cipher, base) if one]
    return not bits or bits in (*known, known[0] + cipher.counter_bits)


def _strings(cipher: Cipher, names: Sequence[str], bits: int) -> list[str]:
    lengths = (cipher.key_bits, -(-cipher.iv_bits[-1] // 8) * 8)
    strings = [name for name, length in zip(names, lengths, strict=True) if length]
    fits_always = not bits or (bits == sum(lengths) and len(cipher.iv_bits) == 1)
    if bits and bits < sum(lengths):
        return []
    every = strings if fits_always else [*strings, "zeros"]
    return [
        ", ".join(order) for order in sorted(permutations(every), key=lambda o: "zeros" in o[:1])
    ]


def _lanes(cipher: Cipher, names: Sequence[str], width: int) -> list[str]:
    """The words of the description's lanes."""
    if not is_read(cipher):
        return []
    first = 7 if (cipher.input_order or cipher.bit_order) == "msb_first" else 0
    key, iv = (
        [(name, place ^ first) for place in range(length)]
        for name, length in zip(names, (cipher.key_bits, cipher.iv_bits[-1]), strict=True)
    )
    words = side_by_side(run_cipher(cipher), key, iv, width)
    bits = [bit for word in words for bit in word]
    if not bits or 1 in bits:
        return []
    return [", ".join(_runs([bit if isinstance(bit, tuple) else None for bit in bits]))]


def _runs(bits: Sequence[tuple[str, int] | None]) -> Iterator[str]:
    """Bits as parts of strings, those that follow each other together."""
    numbered = enumerate(bit or ("zeros", place) for place, bit in enumerate(bits))
    for _, run in groupby(numbered, key=lambda one: (one[1][0], one[1][1] - one[0])):
        (_, (name, begin)), *rest = run
        yield f"{name}[{begin}:{begin + len(rest) + 1}]"
