# SPDX-License-Identifier: Apache-2.0
"""Verilog of a source of random bits: its core, and the module on top."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headwater.cipher.keywords import identifiers
from headwater.core.heading import digest, heading, origin
from headwater.emit.verilog import Port, Verilog, verilog_of
from headwater.errors import InputError
from headwater.flow.folders import private_folder
from headwater.flow.yosys import run_yosys
from headwater.kinds.stepped.prng.core import PrngCore
from headwater.kinds.stepped.prng.lockup import WATCHED_BITS
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.templating import Templates

_RENDERED = Templates(Path(__file__).with_name("templates")).rendered
_TOLD = 105
"""Width of what the head of the module on top tells of a port."""
_PASSED_OVER = ("explicit-parameter-storage-type", "parameter-name-style")


def top_name(shape: PrngShape) -> str:
    """The module on top."""
    if shape.name:
        return shape.name
    several = f"x{shape.instances}" if shape.instances > 1 else ""
    return f"{shape.cipher.name.replace('-', '_')}_prng{shape.random_bits}{several}"


def core_name(shape: PrngShape) -> str:
    """The module of an instance."""
    return f"{top_name(shape)}_core"


def prng_files(shape: PrngShape, core: PrngCore | None = None) -> dict[str, str]:
    """The Verilog: the core, which is there once or several times, the module on top, and this once
    more with other names of ports. ``core`` is another one in its place."""
    name, top, words = core_name(shape), top_name(shape), described(shape)
    around = _RENDERED("prng.v", **words)
    if shape.name and identifiers(around)[top] > 1:
        raise InputError(f"source must have a name that none of its signals has, not {top!r}")
    source = core or PrngCore(shape.facts)
    return {
        f"{name}.v": verilog_of(shape.cipher, source, name).text,
        f"{top}.v": around,
        f"{top}_wrapper.sv": _RENDERED("prng_wrapper.sv", **words),
    }


def prng_waivers(shape: PrngShape, around: Sequence[str] = ()) -> str:
    """What Verible's style check passes over: constants of Verilog 2001, in the core and in the
    files ``around`` the source."""
    files = (f"{core_name(shape)}.v", *around)
    waived = (
        f'waive --rule={rule} --location="{re.escape(file)}"\n'
        for file in files
        for rule in _PASSED_OVER
    )
    return "".join(
        (
            "# SPDX-License-Identifier: Apache-2.0\n",
            "# The core is Verilog 2001: a localparam has no type, and capital letters.\n",
            *waived,
        )
    )


def source_verilog(shape: PrngShape) -> Verilog:
    """A source as one module with the ports of a core, as every flow that measures cores reads it:
    `keystream` is what `prng` is, `load` the seed, and `clear` the wish to restart."""
    name = f"{top_name(shape)}_flat"
    values = {
        **prng_files(shape),
        "flat.v": _RENDERED("prng_flat.v", flat=name, **described(shape)),
    }
    sources = [file for file in values if file.endswith(".v")]
    with private_folder() as folder:
        for file in sources:
            (folder / file).write_text(values[file])
        run_yosys(
            [
                f"read_verilog {' '.join(sources)}",
                f"hierarchy -check -top {name}",
                "proc",
                "flatten -noscopeinfo",
                "opt_clean",
                "write_verilog -noattr made.v",
            ],
            folder,
        )
        return Verilog(name, (folder / "made.v").read_text(), _flat_ports(shape))


def prng_pins(shape: PrngShape) -> int:
    """Bits of all ports of a source."""
    return sum(port.width for port in _flat_ports(shape))


def _flat_ports(shape: PrngShape) -> tuple[Port, ...]:
    widths = {
        "load_payload": shape.seed_width,
        "keystream_payload": shape.random_bits,
        "state_word": shape.facts.index_bits,
        "state_in": shape.seed_width,
        "state_out": shape.seed_width,
    }
    outputs = ["load_ready", "keystream_payload", "keystream_valid"]
    outputs += ["error"] if shape.watched else []
    inputs = ["clk", "rst", "load_payload", "load_valid", "keystream_ready", "clear"]
    if shape.state_port:
        inputs += ["state_write", "state_word", "state_in"]
        outputs.append("state_out")
    return (
        *(Port(name, "input", widths.get(name, 1)) for name in inputs),
        *(Port(name, "output", widths.get(name, 1)) for name in outputs),
    )


def described(shape: PrngShape) -> dict[str, Any]:
    """What templates say of a source."""
    count, radix, width = shape.instances, shape.architecture.radix, shape.architecture.load_width
    return {
        "top": top_name(shape),
        "core": core_name(shape),
        "title": shape.cipher.title,
        "instances": count,
        "made": radix,
        "whole": count * radix,
        "bits": shape.random_bits,
        "amount": shape.amount,
        "head": heading({**origin(shape.cipher, shape.architecture), **digest(shape.cipher)}),
        "number_bits": shape.facts.number_bits,
        "load_width": width,
        "parts": shape.parts,
        "part_bits": (shape.parts - 1).bit_length(),
        "seed_width": shape.seed_width,
        "used": width * shape.parts,
        "words": shape.seed_words,
        "setup": shape.facts.timeline.blank_cycles + 2,
        "unread": _unread(shape),
        "at_once": shape.reset == "async",
        "watched": shape.watched,
        "by_words": shape.by_words,
        "watched_bits": WATCHED_BITS,
        "state_words": shape.state_words,
        "core_words": shape.facts.state_words,
        "index_bits": shape.facts.index_bits,
        "emptied": shape.facts.enters_steps,
        "index": f"[{shape.facts.index_bits - 1}:0] ",
        "by_state": shape.seed_by == "state",
        "seed_order": textwrap.wrap(seed_order(shape), _TOLD),
        "prng": f"[{shape.random_bits - 1}:0] ",
        "seed": f"[{shape.seed_width - 1}:0] ",
    }


def seed_order(shape: PrngShape) -> str:
    """What the words of a seed hold."""
    parts, loads = shape.parts, shape.facts.timeline.load_cycles
    spare = shape.seed_width - parts * shape.architecture.load_width
    held = f"{parts} load words, the first in its lowest bits" if parts > 1 else "one load word"
    ignored = f", and {spare} bits above that are ignored" * (spare > 0)
    beyond = "; what the last seed word has beyond them is ignored" * (
        shape.seed_words * parts > loads
    )
    return (
        f"{shape.seed_words} words of {shape.seed_width} bits are a whole seed. Each has {held}"
        f"{ignored}. The load has {shape.facts.seed_order}{beyond}."
    )


def _unread(shape: PrngShape) -> list[str]:
    """Wires of the module on top that nothing reads."""
    made, used = (
        shape.instances * shape.architecture.radix,
        shape.parts * shape.architecture.load_width,
    )
    unread = [
        f"{name}[{shape.instances - 1}:1]"
        for name in ("ready", "offered", "ends")
        if shape.instances > 1
    ]
    if shape.parts == 1:
        unread.append("ends[0]")
    if made > shape.random_bits:
        unread.append(f"bits[{made - 1}:{shape.random_bits}]")
    if used < shape.seed_width:
        unread.append(f"seed[{shape.seed_width - 1}:{used}]")
    return unread
