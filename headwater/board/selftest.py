# SPDX-License-Identifier: Apache-2.0
"""The Verilog of a core that checks itself, and the text that it gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from headwater.board.templating import rendered
from headwater.board.vector import BoardVector, InputWords, OutputWords
from headwater.cipher.description import Cipher
from headwater.core.facts import Facts
from headwater.core.streams import Stream

_BYTES, _VERDICT, _END = 0x80, 0x81, 0x82
ENDED = "\r\n"
"""What each line on the serial line ends with."""


@dataclass(frozen=True)
class _Rom:
    """A table in Verilog: what stands at most places is said once."""

    width: int
    default: str
    cases: Sequence[tuple[int, str]]


def _rom(values: Sequence[int], width: int, places: Sequence[int] | None = None) -> _Rom:
    """A table of these values, at places 0, 1, ... unless ``places`` are others."""
    usual = Counter(values).most_common(1)[0][0]
    at = range(len(values)) if places is None else places
    cases = [
        (place, f"{width}'h{value:x}")
        for place, value in zip(at, values, strict=True)
        if value != usual
    ]
    return _Rom(width, f"{width}'h{usual:x}", cases)


def text_lines(core: str, vector: BoardVector, verdict: str = "PASS") -> list[str]:
    """The lines that a core on a board sends, each ended by carriage return and line feed."""
    lines = (f"{output.title} {output.data.hex()}" for output in vector.outputs)
    return [_title(core, vector), *lines, verdict]


def _title(core: str, vector: BoardVector) -> str:
    what = "published vector" if vector.published else "generated vector"
    return f"{core} {what} {vector.name}"


def selftest(core: str, cipher: Cipher, facts: Facts, vector: BoardVector) -> str:
    """The module ``{core}_selftest``: clock, reset, characters with valid and ready, ``done`` and
    ``passed``."""
    inputs = [_input(one) for one in vector.inputs]
    width = max(output.stream.width for output in vector.outputs)
    place_bits = max(len(output.counts) for output in vector.outputs).bit_length()
    stream_bits = len(vector.outputs).bit_length()
    data = b"".join(output.data for output in vector.outputs)
    return rendered(
        "selftest.v",
        core=core,
        top=f"{core}_selftest",
        vector=vector,
        origin=one_line(vector.origin),
        inputs=inputs,
        outputs=[_output(one) for one in vector.outputs],
        width=width,
        place_bits=place_bits,
        stream_bits=stream_bits,
        left_bits=width.bit_length(),
        counts=_counts(vector.outputs, width, place_bits),
        lsb_first=cipher.bit_order == "lsb_first",
        expected=_rom(data, 8),
        byte_place_bits=len(data).bit_length(),
        text=_rom(codes := _codes(core, vector), 8),
        text_place_bits=len(codes).bit_length(),
        connections=connections(facts),
    )


def one_line(text: str) -> str:
    """A text without ends of lines."""
    return " ".join(text.split())


def _codes(core: str, vector: BoardVector) -> list[int]:
    """The text as characters, with codes for what the core makes."""
    codes = list(f"{_title(core, vector)}{ENDED}".encode("ascii", "replace"))
    for output in vector.outputs:
        codes += [*f"{output.title} ".encode(), _BYTES, *ENDED.encode()]
    return [*codes, _VERDICT, *ENDED.encode(), _END]


def _input(entering: InputWords) -> dict[str, Any]:
    """What the template needs of a stream into the core."""
    stream = entering.stream
    widths = carried(stream)
    words = [joined(word, widths) for word in entering.words]
    table = _rom(words, sum(widths.values()))
    return {
        "name": stream.name,
        "words": len(words),
        "place_bits": len(words).bit_length(),
        "width": table.width,
        "cases": table.cases,
        "default": table.default,
    }


def _output(words: OutputWords) -> dict[str, Any]:
    """What the template needs of a stream out of the core."""
    stream = words.stream
    widths = carried(stream)
    marks = {name: width for name, width in widths.items() if name != "payload"}
    places = range(stream.width)
    turned = ", ".join(f"{stream.name}_payload[{place}]" for place in places)
    return {
        "name": stream.name,
        "width": stream.width,
        "words": len(words.counts),
        "wires": widths,
        "turned": f"{{{turned}}}" if stream.top_first else f"{stream.name}_payload",
        "marks": ", ".join(f"{stream.name}_{name}" for name in reversed(marks)),
        "marks_rom": _rom([joined(mark, marks) for mark in words.marks], sum(marks.values()))
        if marks
        else None,
    }


def _counts(outputs: Sequence[OutputWords], width: int, place_bits: int) -> _Rom:
    """Which bits of each word count, by number of the stream and of the word."""
    flat = [
        (number << place_bits | place, count)
        for number, output in enumerate(outputs)
        for place, count in enumerate(output.counts)
    ]
    return _rom([count for _, count in flat], width, [place for place, _ in flat])


def carried(stream: Stream) -> dict[str, int]:
    """The members of a stream and their widths, without those of the handshake."""
    return {name: width for name, width in stream.members.items() if name not in ("valid", "ready")}


def joined(word: Mapping[str, int], widths: Mapping[str, int]) -> int:
    """The members of a word as one number, the first of them lowest."""
    value, at = 0, 0
    for name, width in widths.items():
        value |= word.get(name, 0) << at
        at += width
    return value


def connections(facts: Facts) -> dict[str, str]:
    """What each port of the core is connected to."""
    wires = {"clk": "clk", "rst": "rst"}
    for stream in facts.streams.values():
        at = 0
        for name, (_, width) in zip(stream.members, stream.ports.values(), strict=True):
            port = f"{stream.name}_{name}"
            wires[port] = port
            if stream.direction == "input" and name not in ("valid", "ready"):
                whole = f"{stream.name}_word"
                wires[port] = f"{whole}[{at + width - 1}:{at}]"
                at += width
    return wires | dict.fromkeys(facts.inputs, "1'b0")
