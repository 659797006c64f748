# SPDX-License-Identifier: Apache-2.0
"""A core as a project of Tiny Tapeout: its pins are a window of eight bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.board.boards import SHUTTLE
from headwater.board.project import BoardProject, check_core
from headwater.board.selftest import carried, connections, joined, one_line
from headwater.board.templating import rendered
from headwater.board.vector import BoardVector, InputWords, OutputWords, board_vector
from headwater.cipher.description import Cipher
from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.errors import InputError
from headwater.flow.asic import MappedNetlist, map_to_cells
from headwater.flow.folders import private_folder
from headwater.measure.target import AsicTarget, find

LIBRARY = "sky130hd"
TILES = {"1x1": 1, "1x2": 2, "2x2": 4, "3x2": 6, "4x2": 8, "6x2": 12, "8x2": 16}
"""How many tiles each size has that a project can choose."""
TILE_UM2 = 167 * 108
"""The area of a tile, as the template of the shuttle states it (ttsky-verilog-template, 2026)."""
DENSITY = 0.6
"""The part of it that cells may take: what the template aims at in placement."""
CLOCK_HZ = 50_000_000
_BYTE, _MARKS = 8, 8
_ADDRESSES = {"word": 0, "select": 5, "control": 6}
_INPUT, _OUTPUT = 1, 3
"""The addresses of the first stream in, and of the first one out."""


def tinytapeout_project(
    core: str, verilog: str, cipher: Cipher, facts: Facts, mhz: int | None = None
) -> BoardProject:
    """The project of a core; the number of tiles follows from its area in SKY130.

    Raises
    ------
    InputError
        If the window is too narrow for the core, no vector fits, the core takes more than the
        largest number of tiles, or the library is not found. A clock cannot be chosen.
    """
    if mhz is not None:
        raise InputError(f"clock of {SHUTTLE} must be left out, as it is chosen on the board")
    check_core(cipher, facts)
    vector = board_vector(cipher, facts)
    values = _values(core, cipher, facts, vector)
    sources = {f"{core}.v": verilog, f"{values['top']}.v": _rendered("project.v", values)}
    tiles = tiles_of(mapped(sources, values["top"]).area_um2, core)
    values |= {"sources": list(sources), "tiles": tiles, "clock_hz": CLOCK_HZ}
    files = {f"src/{name}": text for name, text in sources.items()}
    for name, template in _FILES.items():
        files[name] = _rendered(template, values)
    return BoardProject(files, values["top"], vector)


_FILES = {
    "info.yaml": "info.yaml",
    "docs/info.md": "info.md",
    "test/Makefile": "Makefile",
    "test/tb.v": "tb.v",
    "test/test.py": "test.py.jinja",
    "test/requirements.txt": "requirements.txt",
}


def _rendered(template: str, values: Mapping[str, Any]) -> str:
    return rendered(f"{SHUTTLE}/{template}", **values)


def mapped(sources: Mapping[str, str], top: str) -> MappedNetlist:
    """The whole in cells of SKY130, its smallest area."""
    with private_folder() as folder:
        return map_to_cells("\n".join(sources.values()), top, _library().library(), folder)


def _library() -> AsicTarget:
    target = find(LIBRARY)
    assert isinstance(target, AsicTarget)
    return target


def tiles_of(area_um2: float, core: str) -> str:
    """The smallest size of a project with room for cells of this area."""
    for size, tiles in TILES.items():
        if area_um2 <= tiles * TILE_UM2 * DENSITY:
            return size
    most = max(TILES.values()) * TILE_UM2 * DENSITY
    raise InputError(
        f"a project of {SHUTTLE} must have at most {most:.0f} um2 of cells, and "
        f"{core} has {area_um2:.0f}"
    )


def _values(core: str, cipher: Cipher, facts: Facts, vector: BoardVector) -> dict[str, Any]:
    """What the templates need."""
    inputs = [_input(one, _INPUT + place) for place, one in enumerate(vector.inputs)]
    outputs = [_output(one, _OUTPUT + place) for place, one in enumerate(vector.outputs)]
    widest = max(one.stream.width for one in vector.inputs)
    wires = connections(facts)
    for stream in inputs:
        wires |= stream["wires"]
    return {
        "core": core,
        "top": f"tt_um_{core}",
        "title": cipher.title,
        "readme": "See docs/info.md.",
        "description": f"{cipher.title}: {core} behind a window of eight bits",
        "cipher_convention": one_line(cipher.convention),
        "vector": vector,
        "origin": one_line(vector.origin),
        "inputs": inputs,
        "outputs": outputs,
        "controls": list(facts.inputs),
        "addresses": _ADDRESSES,
        "orders": {name: one_line(stream.order) for name, stream in facts.streams.items()},
        "word_bits": -(-widest // _BYTE) * _BYTE,
        "shown_bits": max(_BYTE, *(one.stream.width for one in vector.outputs)),
        "lsb_first": cipher.bit_order == "lsb_first",
        "connections": wires | {name: name for name in facts.inputs},
    }


def _marks_of(stream: Stream) -> dict[str, int]:
    """The members of a stream beside its payload; an error if they are more than a byte."""
    marks = {name: width for name, width in carried(stream).items() if name != "payload"}
    if sum(marks.values()) > _MARKS or stream.width > 32 * _BYTE:
        raise InputError(
            f"{stream.name} of a core on {SHUTTLE} must have at most 256 bits and 8 "
            f"marks, not {stream.width} and {sum(marks.values())}"
        )
    return marks


def _input(words: InputWords, address: int) -> dict[str, Any]:
    """What the templates need of a stream into the core."""
    stream, marks = words.stream, _marks_of(words.stream)
    wires, at = {f"{stream.name}_payload": f"word[{stream.width - 1}:0]"}, 0
    for name, width in marks.items():
        wires[f"{stream.name}_{name}"] = f"marks[{at + width - 1}:{at}]"
        at += width
    return {
        "name": stream.name,
        "address": address,
        "wires": wires,
        "valid": f"{stream.name}_valid",
        "marks_text": ", ".join(f"{name} of {width}" for name, width in marks.items()),
        "words": [(word["payload"], joined(word, marks)) for word in words.words],
    }


def _output(words: OutputWords, address: int) -> dict[str, Any]:
    """What the templates need of a stream out of the core."""
    stream, marks = words.stream, _marks_of(words.stream)
    return {
        "name": stream.name,
        "address": address,
        "wires": carried(stream),
        "width": stream.width,
        "payload": f"{stream.name}_payload",
        "top_first": stream.top_first,
        "marks": _together([f"{stream.name}_{name}" for name in reversed(marks)]) if marks else "",
        "counts": list(words.counts),
        "data": words.data.hex(),
    }


def _together(names: Sequence[str]) -> str:
    return f"{{{', '.join(names)}}}"
