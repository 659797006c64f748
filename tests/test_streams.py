# amaranth: UnusedElaboratable=no
# SPDX-License-Identifier: Apache-2.0
"""Ports, the records of streams, headers and data sheets say the same of every core."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from amaranth.hdl import Signal
from amaranth.lib.wiring import In
from emitted import each_choice

from headwater.algebra import bitstring
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cli.starting_files.message import MY_CIPHER as MACHINE
from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.emit import verilog
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.kinds.registry import KINDS, facts_of, kind_of

Ports = dict[str, tuple[str, int]]
"""Direction and width by name, without clock and reset."""

_MARKS = {"keep", "ad", "last", "same_key"}
_CHECKED = {"stall", "clear", "direction", "keyed_state"}


def architectures(cipher: Cipher) -> Iterator[Architecture]:
    """The default one, another radix, and each value of the options that choose ports."""
    radices = cipher.legal_radices()
    for radix in {cipher.default_radix, radices[len(radices) // 2]}:
        yield Architecture.choose(cipher, radix=radix)
    for options in each_choice(cipher):
        if options.keys() <= _CHECKED:
            yield Architecture.choose(cipher, options=options)


def core_of(cipher: Cipher, architecture: Architecture) -> Core:
    """Made here, where nobody minds that it is never elaborated."""
    kind = kind_of(cipher)
    facts = kind.facts(kind.formed(cipher, architecture), architecture)
    core: Core = kind.core_class(facts)(facts)
    return core


def ports_of_core(cipher: Cipher, architecture: Architecture) -> Ports:
    core = core_of(cipher, architecture)
    return {
        signal.name: ("input" if member.flow is In else "output", len(signal))
        for _, member, signal in core.signature.flatten(core)
        if isinstance(signal, Signal)
    }


def ports_of_records(facts: Facts) -> Ports:
    streams = (stream.ports.items() for stream in facts.streams.values())
    found = dict(port for ports in streams for port in ports)
    return found | dict.fromkeys(facts.inputs, ("input", 1))


def ports_of_text(text: str) -> Ports:
    """Those that the module itself declares."""
    declared = re.findall(
        r"^\s*(input|output) +(?:wire|reg)? *(?:\[(\d+):0\])? *(\w+)", text, re.MULTILINE
    )
    return {name: (direction, int(top or 0) + 1) for direction, top, name in declared}


def header_lines(cipher: Cipher, architecture: Architecture) -> dict[str, str]:
    """What the header says of ports: their names are in small letters."""
    header = verilog._header(cipher, core_of(cipher, architecture))
    joined = re.sub(r"\n// {10,}", " ", header)
    return dict(re.findall(r"^// ([a-z_]+): +(.*)$", joined, re.MULTILINE))


def told_width(order: str) -> int:
    """The width that a text tells of the words of a stream."""
    found = re.search(r"of (?:(\d+) lanes of )?(\d+) bits?\b", order)
    return int(found[1] or 1) * int(found[2]) if found else 0


def disagreements(cipher: Cipher, architecture: Architecture) -> list[str]:
    """Where one of them says what another does not."""
    facts = facts_of(cipher, architecture)
    ports = ports_of_core(cipher, architecture)
    header, sheet = header_lines(cipher, architecture), datasheet(cipher, architecture)
    orders = {
        name.removesuffix("_order"): text for name, text in sheet.items() if name.endswith("_order")
    }
    orders = {{"data": "data_in"}.get(name, name): text for name, text in orders.items()}
    members: dict[str, dict[str, int]] = {}
    for name, (_, width) in ports.items():
        stream = next((one for one in facts.streams if name.startswith(f"{one}_")), name)
        member = name.removeprefix(f"{stream}_")
        members.setdefault(stream, {})[member] = width
    streams = {name: some for name, some in members.items() if "payload" in some}
    in_sheet = {name: dict(some) for name, some in sheet["streams"].items()}
    ways = {name: some.pop("direction") for name, some in in_sheet.items()}
    pairs: dict[str, tuple[Any, Any]] = {
        "records": (ports_of_records(facts), ports),
        "names in the header": (header.keys(), members.keys()),
        "names in the sheet": (orders.keys(), streams.keys()),
        "streams of the sheet": (in_sheet, streams),
        "directions": (ways, {name: ports[f"{name}_payload"][0] for name in streams}),
        "inputs of the sheet": (sheet["inputs"].keys(), members.keys() - streams.keys()),
        "width of data": (sheet.get("data_width"), members.get("data_in", {}).get("payload")),
    }
    for name, some in streams.items():
        for where, texts in (("header", header), ("sheet", orders)):
            text = texts.get(name, "")
            marks = _MARKS & set(re.findall(r"`(\w+)`", text))
            pairs[f"width of {name} in the {where}"] = (told_width(text), some["payload"])
            pairs[f"marks of {name} in the {where}"] = (marks, _MARKS & some.keys())
    return [where for where, (one, other) in pairs.items() if one != other]


@pytest.mark.parametrize("name", CATALOGUE)
def test_all_say_the_same_of_every_core(name: str) -> None:
    cipher = CATALOGUE[name]
    for architecture in architectures(cipher):
        assert disagreements(cipher, architecture) == [], str(architecture)


@pytest.mark.parametrize("kind", KINDS)
def test_generated_modules_have_these_ports(kind: str) -> None:
    """One cipher of each kind, two of its streams differently."""
    cipher = next(cipher for cipher in (*CATALOGUE.values(), MACHINE) if cipher.kind == kind)
    for architecture in (Architecture.choose(cipher), [*architectures(cipher)][-1]):
        made = generate(cipher, architecture)
        ports = ports_of_records(facts_of(cipher, architecture))
        clocking = {"clk": ("input", 1), "rst": ("input", 1)}
        assert ports_of_text(made.text) == clocking | ports
        assert {port.name: (port.direction, port.width) for port in made.ports} == clocking | ports


def keystream_alone(facts: Facts) -> dict[str, str]:
    return {"load": facts.load_order, "keystream": f"words of {facts.architecture.radix} bits"}


def of_another_width(facts: Facts) -> dict[str, str]:
    orders = {name: stream.order for name, stream in facts.streams.items()} | dict(facts.inputs)
    return orders | {"tag": "words of 3 bits"}


@pytest.mark.parametrize(
    ("wrong", "found"),
    [(keystream_alone, "names in the header"), (of_another_width, "width of tag in the header")],
)
def test_wrong_headers_are_found(wrong: Any, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A keystream port that is not there, streams left out, a width that is another."""
    monkeypatch.setattr(Facts, "port_meanings", property(wrong))
    cipher = CATALOGUE["grain128aead"]
    assert found in disagreements(cipher, Architecture.choose(cipher))


def test_wrong_ports_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    cipher = CATALOGUE["trivium"]
    architecture = Architecture.choose(cipher)
    core = core_of(cipher, architecture)
    wide = replace(core.facts.streams["keystream"], width=2, keep_bits=1)
    monkeypatch.setitem(core.facts.streams, "keystream", wide)  # type: ignore[arg-type]
    monkeypatch.setattr("test_streams.facts_of", lambda *_: core.facts)
    assert disagreements(cipher, architecture) == ["records"]


@pytest.mark.parametrize("top_first", [False, True])
def test_words_of_a_stream(top_first: bool) -> None:
    stream = Stream(
        name="data_in",
        direction="input",
        width=16,
        order="",
        top_first=top_first,
        keep_bits=8,
        ad_bits=16,
        marks=("last",),
        waits=False,
    )
    assert stream.members == {"payload": 16, "keep": 2, "last": 1, "ad": 1, "ready": 1}
    string = bitstring.from_bytes(
        bytes([0x12, 0x34, 0x56]), "msb_first" if top_first else "lsb_first"
    )
    assert [stream.payload(string, number) for number in (0, 1)] == (
        [0x1234, 0x5600] if top_first else [0x3412, 0x0056]
    )
    counts = (1 << 24) - 1
    assert [stream.marked(counts, number, 8) for number in (0, 1)] == [3, 2 if top_first else 1]
    assert stream.turned(stream.turned(0x1234)) == 0x1234
