# SPDX-License-Identifier: Apache-2.0
"""Messages in the words of the LWC hardware API: instructions, and segments with a header.

J.-P. Kaps, W. Diehl, M. Tempelmeier, E. Homsirikamol, K. Gaj, "Hardware API for Lightweight
Cryptography", versions 1.0 to 1.2, 2019 to 2022. A core has streams `pdi` (nonce, data, text),
`sdi` (key) and `do` (text and tag), of 8, 16 or 32 bits, byte 0 of a word highest. Instruction and
status are one word with a code in the upper four bits. A header is 32 bits: the type of the
segment, in bits 27 to 24 whether it is a part, the end of the input, the end of its type and the
last one, and in the lower half its length in bytes. A segment is filled with zeros to whole words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from headwater.foreign.messages import Sample
from headwater.foreign.netlist import Netlist
from headwater.foreign.settings import PACKETS, Sending

PDI, SDI = PACKETS
ORDER = "bytes"
"""Byte 0 of a word is highest, and bit 7 of each byte."""
WIDTHS = (8, 16, 32)
_ENCRYPT, _LOAD_KEY, _ACTIVATE_KEY, _SUCCESS, _FAILURE = 2, 4, 7, 14, 15
_AD, _PLAINTEXT, _CIPHERTEXT, _TAG, _KEY, _NONCE = 1, 4, 5, 8, 12, 13
_END_OF_INPUT, _END_OF_TYPE, _LAST = 4, 2, 1
_HEADER_BITS = 32


@dataclass(frozen=True)
class Streams:
    """The ports of a core that has the API."""

    pdi: Sending
    sdi: Sending
    output: str
    valid: str


def streams_of(netlist: Netlist) -> Streams | None:
    """The ports, if the core has all of them under the names of the API, in any case."""
    ports = {name.lower(): name for name in netlist.ports}
    wanted = {
        f"{stream}_{part}" for stream in (PDI, SDI, "do") for part in ("data", "valid", "ready")
    }
    if not wanted <= ports.keys():
        return None
    if any(netlist.ports[ports[f"{one}_data"]][1] not in WIDTHS for one in (PDI, SDI, "do")):
        return None
    pdi, sdi = (
        Sending(one, *(ports[f"{one}_{part}"] for part in ("data", "valid", "ready")))
        for one in (PDI, SDI)
    )
    return Streams(pdi, sdi, ports["do_data"], ports["do_valid"])


def encrypted(sample: Sample, netlist: Netlist, streams: Streams) -> Sample:
    """A message as the words that make a core encrypt it."""
    widths = (netlist.ports[one.data][1] for one in (streams.pdi, streams.sdi))
    pdi, sdi = (width // 8 for width in widths)
    texts = sample.strings
    segments = [(_NONCE, texts["iv"]), (_AD, texts["ad"]), (_PLAINTEXT, texts["text"])]
    words = [_instruction(_ACTIVATE_KEY, pdi), _instruction(_ENCRYPT, pdi)]
    for place, (kind, content) in enumerate(segments):
        rest = any(later for _, later in segments[place + 1 :])
        flags = _END_OF_TYPE | (0 if rest else _END_OF_INPUT)
        flags |= _LAST * (place == len(segments) - 1)
        words.append(_segment(kind, flags, content, pdi))
    key = _segment(_KEY, _END_OF_INPUT | _END_OF_TYPE | _LAST, texts["key"], sdi)
    strings = {SDI: _instruction(_LOAD_KEY, sdi) + key, PDI: b"".join(words)}
    return replace(sample, strings=strings, told=tuple(len(content) for _, content in segments))


def _instruction(code: int, size: int) -> bytes:
    return bytes([code << 4]) + bytes(size - 1)


def _segment(kind: int, flags: int, content: bytes, size: int) -> bytes:
    header = bytes([kind << 4 | flags, 0]) + len(content).to_bytes(2, "big")
    return header + content + bytes(-len(content) % size)


Words = Iterator[tuple[int, list[int]]]


def data_words(words: Words, mask: int) -> Words:
    """Of the words that come out those that are text or tag: cycle and bits, each bit with one of
    each run; ``mask`` has all runs, which have messages of the same lengths."""
    for _, bits in words:
        width = len(bits)
        code = _number(bits[-4:], mask)
        if code in (_SUCCESS, _FAILURE):
            continue
        more = [following for _, following in islice(words, _HEADER_BITS // width - 1)]
        header = [bit for word in reversed([bits, *more]) for bit in word]
        count = -(-8 * _number(header[:16], mask) // width)
        segment = list(islice(words, count))
        if code in (_CIPHERTEXT, _PLAINTEXT, _TAG):
            yield from segment


def _number(bits: Sequence[int], mask: int) -> int:
    """The number that bits have in all runs, the lowest first."""
    return sum((bit == mask) << place for place, bit in enumerate(bits))
