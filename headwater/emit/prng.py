# SPDX-License-Identifier: Apache-2.0
"""Verilog of a source of random bits: its core, the module on top, and a testbench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from headwater.emit.verilog import Port, Verilog, verilog_of
from headwater.flow.folders import private_folder
from headwater.flow.yosys import run_yosys
from headwater.kinds.stepped.prng.core import PrngCore
from headwater.kinds.stepped.prng.model import PrngInputs, PrngModel, PrngOutputs
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.templating import Templates

_RENDERED = Templates(Path(__file__).with_name("templates")).rendered
_RUNNING_CYCLES = 40
"""Cycles of each session that a testbench looks at, once bits are made."""

_PASSED_OVER = ("explicit-parameter-storage-type", "parameter-name-style")


def top_name(shape: PrngShape) -> str:
    """The module on top."""
    several = f"x{shape.instances}" if shape.instances > 1 else ""
    return f"{shape.cipher.name.replace('-', '_')}_prng{shape.random_bits}{several}"


def core_name(shape: PrngShape) -> str:
    """The module of an instance."""
    return f"{top_name(shape)}_core"


def prng_files(shape: PrngShape, core: PrngCore | None = None) -> dict[str, str]:
    """The Verilog: the core, which is there once or several times, the module on top, and this once
    more with other names of ports. ``core`` is another one in its place."""
    made = core or PrngCore(shape.facts)
    name, words = core_name(shape), described(shape)
    return {
        f"{name}.v": verilog_of(shape.cipher, made, name).text,
        f"{top_name(shape)}.v": _RENDERED("prng.v", **words),
        f"{top_name(shape)}_wrapper.sv": _RENDERED("prng_wrapper.sv", **words),
    }


def prng_waivers(shape: PrngShape) -> str:
    """What Verible's style check passes over: constants of Verilog 2001."""
    core = core_name(shape)
    waived = (f'waive --rule={rule} --location="{core}\\.v"\n' for rule in _PASSED_OVER)
    return "".join(("# SPDX-License-Identifier: Apache-2.0\n",
                    "# The core is Verilog 2001: a localparam has no type, and capital letters.\n",
                    *waived))  # fmt: skip


def source_verilog(shape: PrngShape) -> Verilog:
    """A source as one module with the ports of a core, as every flow that measures cores reads it:
    `keystream` is what `prng` is, `load` the seed, and `clear` the wish to restart."""
    name = f"{top_name(shape)}_flat"
    given = {
        **prng_files(shape),
        "flat.v": _RENDERED("prng_flat.v", flat=name, **described(shape)),
    }
    sources = [file for file in given if file.endswith(".v")]
    with private_folder() as folder:
        for file in sources:
            (folder / file).write_text(given[file])
        run_yosys([f"read_verilog {' '.join(sources)}", f"hierarchy -check -top {name}", "proc",
                   "flatten -noscopeinfo", "opt_clean", "write_verilog -noattr made.v"],
                  folder)  # fmt: skip
        return Verilog(name, (folder / "made.v").read_text(), _flat_ports(shape))


def _flat_ports(shape: PrngShape) -> tuple[Port, ...]:
    widths = {"load__payload": shape.seed_width, "keystream__payload": shape.random_bits}
    outputs = ("load__ready", "keystream__payload", "keystream__valid", "error")
    inputs = ("clk", "rst", "load__payload", "load__valid", "keystream__ready", "clear")
    return (*(Port(name, "input", widths.get(name, 1)) for name in inputs),
            *(Port(name, "output", widths.get(name, 1)) for name in outputs))  # fmt: skip


@dataclass(frozen=True)
class PrngCycle:
    """A cycle of a test: inputs, outputs, and a mark for each instance whose state is made zero
    before, that of the first in bit 0."""

    zero: int
    given: PrngInputs
    made: PrngOutputs


def prng_cycles(shape: PrngShape, seed: int = 1) -> Iterator[PrngCycle]:
    """What the model does with inputs at random moments: a load broken off, whole seeds, bits asked
    for, words mixed in, resets, a state that is made zero."""
    model = PrngModel(shape)
    for given, zero in _stimulus(shape, Random(seed)):
        model.zero(zero)
        yield PrngCycle(zero, given, model.clock(given))


def prng_testbench(shape: PrngShape, seed: int = 1) -> str:
    """The module ``TOP_tb``, which compares the source with its model in each cycle. It prints
    "PASS", or "FAIL" and where."""
    rows, width = [], shape.random_bits + shape.seed_width + shape.instances + 7
    for cycle in prng_cycles(shape, seed):
        given, made = cycle.given, cycle.made
        fields = ((cycle.zero, shape.instances), (given.reset, 1), (given.en, 1),
                  (given.restart, 1), (given.seed_valid, 1), (given.seed, shape.seed_width),
                  (made.seed_ready, 1), (made.valid, 1), (made.error, 1),
                  (made.prng, shape.random_bits))  # fmt: skip
        rows.append(f"{_joined(fields):x}")
    registers = {register.name: register.length for register in shape.cipher.registers}
    return _RENDERED("prng_testbench.sv", rows=rows, width=width, registers=registers,
                     **described(shape))  # fmt: skip


def _joined(fields: tuple[tuple[int, int], ...]) -> int:
    """Fields of a value and a width as one number, the first in the lowest bits."""
    value = place = 0
    for field, width in fields:
        value |= field << place
        place += width
    return value


def _stimulus(shape: PrngShape, random: Random) -> Iterator[tuple[PrngInputs, int]]:
    """Inputs at random moments, each with marks where states are made zero."""
    setup = shape.facts.timeline.blank_cycles + 2
    loading = 2 * shape.seed_words * shape.parts
    ends = (PrngInputs(restart=True, seed_valid=True, seed=1), PrngInputs(reset=True, en=True))
    for session, end in enumerate(ends):
        faulty = 1 << (shape.instances - 1) * session
        yield from _session(shape, random, loading // 3, {random.randrange(4): faulty})
        yield end, 0
        running = _RUNNING_CYCLES * (2 + session)
        zeros = {loading + setup + running // 2: faulty}
        yield from _session(shape, random, loading + setup + running, zeros)
        yield replace(_inputs(shape, random), restart=not session, reset=session > 0), 0


def _session(
    shape: PrngShape, random: Random, cycles: int, zeros: Mapping[int, int]
) -> Iterator[tuple[PrngInputs, int]]:
    for cycle in range(cycles):
        yield _inputs(shape, random), zeros.get(cycle, 0)


def _inputs(shape: PrngShape, random: Random) -> PrngInputs:
    offered = random.random() < 0.7
    return PrngInputs(en=random.random() < 0.6, seed_valid=offered,
                      seed=random.getrandbits(shape.seed_width))  # fmt: skip


def described(shape: PrngShape) -> dict[str, Any]:
    """What templates say of a source."""
    count, made, width = shape.instances, shape.architecture.radix, shape.architecture.load_width
    return {
        "top": top_name(shape), "core": core_name(shape), "title": shape.cipher.title,
        "instances": count, "made": made, "whole": count * made, "bits": shape.random_bits,
        "number_bits": shape.facts.number_bits, "load_width": width, "parts": shape.parts,
        "part_bits": (shape.parts - 1).bit_length(), "seed_width": shape.seed_width,
        "used": width * shape.parts, "words": shape.seed_words,
        "setup": shape.facts.timeline.blank_cycles + 2, "unread": _unread(shape),
        "at_once": shape.reset == "async",
        "prng": f"[{shape.random_bits - 1}:0] ", "seed": f"[{shape.seed_width - 1}:0] ",
    }  # fmt: skip


def _unread(shape: PrngShape) -> list[str]:
    """Wires of the module on top that nothing reads."""
    made, used = (
        shape.instances * shape.architecture.radix,
        shape.parts * shape.architecture.load_width,
    )
    unread = [f"{name}[{shape.instances - 1}:1]" for name in ("ready", "offered", "ends")
              if shape.instances > 1]  # fmt: skip
    if shape.parts == 1:
        unread.append("ends[0]")
    if made > shape.random_bits:
        unread.append(f"bits[{made - 1}:{shape.random_bits}]")
    if used < shape.seed_width:
        unread.append(f"seed[{shape.seed_width - 1}:{used}]")
    return unread
