# SPDX-License-Identifier: Apache-2.0
"""The properties of a source of random bits, as SystemVerilog, and how Yosys reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from headwater.core.counter import counter_states, counter_width
from headwater.emit.prng import described, top_name
from headwater.kinds.stepped.prng.lockup import WATCHED_BITS
from headwater.kinds.stepped.prng.properties import properties_of_source
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.kinds.stepped.prng.word_watch import GROUP_BITS
from headwater.templating import Templates

_RENDERED = Templates(Path(__file__).with_name("templates")).rendered
_CONTROL = (
    "loading",
    "running",
    "offered",
    "last_word",
    "last_blank",
    "count",
    "zero_groups",
    "zero_before",
    "hold",
)
_GROUPS = WATCHED_BITS // GROUP_BITS
_PLACE = "core_{number}.{register}"


def properties_file(shape: PrngShape) -> str:
    """The name of the file of assertions."""
    return f"{top_name(shape)}_properties.sv"


def prng_properties(shape: PrngShape) -> str:
    """The module ``TOP_properties``, which is bound to the source."""
    facts, timeline = shape.facts, shape.facts.timeline
    setup = timeline.load_cycles + timeline.blank_cycles
    count_bits = counter_width(setup)
    return _RENDERED(
        "prng_properties.sv",
        properties=properties_of_source(shape),
        inner=_widths(shape, count_bits),
        places=_places(shape),
        zeros=list(_zeros(shape)),
        holds=list(_holds(shape)),
        groups=_GROUPS,
        words_of_state=list(_words_of_state(shape)),
        offers=[
            f"offered[{number}]"
            for number in reversed(range(shape.instances))
            for _ in facts.locking
        ],
        load_cycles=timeline.load_cycles,
        count_bits=count_bits,
        counts=counter_states(count_bits, setup),
        **described(shape),
    )


def proof_sources(shape: PrngShape) -> list[str]:
    """The files of the source itself."""
    return [f"{top_name(shape)}_core.v", f"{top_name(shape)}.v"]


def proof_passes(shape: PrngShape, defined: str = "") -> list[str]:
    """Passes of Yosys that read the source with its assertions, as one flat module."""
    proof, macro = f"{top_name(shape)}_proof", f" -D {defined}" if defined else ""
    connections = (
        f"connect -nounset -set {name} {','.join(f'source.{place}' for place in places)}"
        for name, places in {**_places(shape), **_reset(shape)}.items()
    )
    at_once = ["async2sync t:$adff", "dffunmap -srst-only"] if _reset(shape) else []
    return [
        f"read_verilog {' '.join(proof_sources(shape))}",
        f"read_verilog -sv -formal{macro} {properties_file(shape)}",
        f"hierarchy -check -top {proof}",
        "proc -norom",
        *at_once,
        "flatten",
        *connections,
    ]


def prng_sby(shape: PrngShape) -> str:
    """The script of SymbiYosys that proves the assertions."""
    return _RENDERED(
        "prng.sby",
        top=top_name(shape),
        passes=proof_passes(shape),
        files=[*proof_sources(shape), properties_file(shape)],
    )


def _places(shape: PrngShape) -> Mapping[str, list[str]]:
    """The registers of the source that the assertions read, by port, the highest bits first."""
    numbers = range(shape.instances - 1, -1, -1)
    control = {
        name: [_PLACE.format(number=number, register=name) for number in numbers]
        for name in _control(shape)
    }
    state = [
        _PLACE.format(number=number, register=name)
        for number in numbers
        for name in reversed(_registers(shape))
    ]
    part = {"part": ["part"]} if shape.parts > 1 else {}
    return control | part | {"state": state}


def _reset(shape: PrngShape) -> Mapping[str, list[str]]:
    """The wire of a reset that acts at once."""
    return {"reset": ["reset"]} if shape.reset == "async" else {}


def _widths(shape: PrngShape, count_bits: int) -> Mapping[str, int]:
    """The widths of these ports."""
    bits = {"count": count_bits, "zero_groups": _GROUPS, "hold": shape.architecture.radix}
    control = {name: shape.instances * bits.get(name, 1) for name in _control(shape)}
    part = {"part": (shape.parts - 1).bit_length()} if shape.parts > 1 else {}
    return control | part | {"state": shape.instances * sum(_registers(shape).values())}


def _control(shape: PrngShape) -> list[str]:
    """The control registers, and what the watch reads. Where no flag watches the state bit by bit
    the flags of the count are no registers."""
    several, whole = shape.facts.timeline.load_cycles > 1, shape.watched and not shape.by_words
    flags = {"last_word": several and whole, "last_blank": whole}
    flags |= dict.fromkeys(("zero_groups", "zero_before", "hold"), shape.by_words)
    return [name for name in _CONTROL if flags.get(name, True)]


def _registers(shape: PrngShape) -> dict[str, int]:
    """The registers of the state and their lengths, from the lowest bits of `state` on; with a port
    of the state also the output register."""
    lengths = {register.name: register.length for register in shape.cipher.registers}
    return lengths | ({"hold": shape.architecture.radix} if shape.state_port else {})


def _holds(shape: PrngShape) -> Iterator[str]:
    """The bits of each core's output register that are watched, the first core first."""
    for number in range(shape.instances if shape.by_words else 0):
        yield f"hold[{number * shape.architecture.radix} +: {WATCHED_BITS}]"


def _words_of_state(shape: PrngShape) -> Iterator[Mapping[str, int]]:
    """Where the words of a state port are in `state`: first bit, width, and a mask of it."""
    size = sum(_registers(shape).values())
    for number in range(shape.instances):
        for low in range(0, size if shape.state_port else 0, shape.seed_width):
            width = min(shape.seed_width, size - low)
            yield {"low": number * size + low, "width": width, "mask": (1 << width) - 1}


def _zeros(shape: PrngShape) -> Iterator[str]:
    """For each core and set of registers that lock up, whether all of them are zero; the last core
    first."""
    lows, low = {}, 0
    for name, length in _registers(shape).items():
        lows[name] = low
        low += length
    for number in reversed(range(shape.instances)):
        for names in shape.facts.locking:
            parts = (
                f"state[{number * low + lows[name]} +: {_registers(shape)[name]}]" for name in names
            )
            yield f"~|{{{', '.join(parts)}}}"
