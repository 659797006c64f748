# SPDX-License-Identifier: Apache-2.0
"""Verilog of a source of random bits with registers on a bus."""

from __future__ import annotations

from pathlib import Path

from headwater.emit.prng import described, top_name
from headwater.errors import InputError, unknown
from headwater.interface.buses import BUSES, REQUESTS, Bus
from headwater.interface.identity import identity_of
from headwater.interface.module_port import ModulePort, given, made, names, port_lines
from headwater.interface.parts import part_name, with_parts
from headwater.interface.prng_registers import PRNG_REGISTERS, SEED_BITS
from headwater.interface.register_verilog import (
    constants,
    read_value,
    word_addresses,
    written_fields,
)
from headwater.interface.registers import WORD_BITS
from headwater.kinds.stepped.prng.shape import LOCKUPS, RESETS, PrngShape
from headwater.templating import Templates

_RENDERED = Templates(Path(__file__).with_name("templates")).rendered


def bus_name(shape: PrngShape, bus: str) -> str:
    """The module on top of a source with registers on a bus."""
    return f"{top_name(shape)}_{bus}"


def prng_identity(shape: PrngShape) -> dict[str, int]:
    """What the registers that tell one source from another hold."""
    built = {"PARAMETERS": shape.instances << 16 | shape.random_bits}
    return identity_of(shape.cipher, shape.choices) | built


def check_bus(shape: PrngShape, bus: str) -> None:
    """Refuse a bus that there is not, and sources that its registers do not fit."""
    if bus not in BUSES:
        raise unknown("bus", bus, BUSES)
    if shape.seed_width != SEED_BITS:
        raise InputError(
            f"seed width of a source on a bus, whose words have {SEED_BITS} bits, must be "
            f"{SEED_BITS}, not {shape.seed_width}"
        )
    if shape.reset != RESETS[0]:
        raise InputError(
            f"reset of a source on a bus, whose registers are reset at a clock edge, must be "
            f"{RESETS[0]}, not {shape.reset!r}"
        )
    if shape.lockup != LOCKUPS[0]:
        raise InputError(
            f"lockup of a source on a bus, whose registers tell of it, must be {LOCKUPS[0]}, not "
            f"{shape.lockup!r}"
        )
    if shape.state_port:
        raise InputError(
            "source on a bus must have no state port; its registers would not know "
            "of a state that is restored"
        )


def prng_bus_ports(shape: PrngShape, bus: str) -> tuple[ModulePort, ...]:
    """The ports of the module on top."""
    on = BUSES[bus]
    own = (given("en"), made("prng", shape.random_bits), made("prng_valid"), made("error"))
    return (*on.clocking, *on.signals, *own)


def prng_bus_files(shape: PrngShape, bus: str) -> dict[str, str]:
    """The Verilog around a source: registers, and the adapter to the bus."""
    check_bus(shape, bus)
    top, on = bus_name(shape, bus), BUSES[bus]
    parts = [on.adapter] if on.adapter else []
    width = min(shape.random_bits, WORD_BITS)
    fills, bits = -(-WORD_BITS // width), shape.seed_words.bit_length()
    read = {
        "ENABLE": "enable",
        "VALID": "valid",
        "BUSY": "setting_up",
        "WORD": "(full & ~forgets)",
        "ERROR": "error",
        "SEED_WORDS": f"{{{16 - bits}'d0, expected}}",
    }
    values = constants(prng_identity(shape)) | {"RANDOM": "(full & ~forgets ? word : 32'd0)"}
    clocking = {
        name: source for name, source in (("clk", on.clock), ("rst", on.reset)) if name != source
    }
    text = _RENDERED(
        "prng_bus.v",
        head=described(shape)["head"],
        top=top,
        source=top_name(shape),
        title=shape.cipher.title,
        ports=port_lines(prng_bus_ports(shape, bus), _titles(on)),
        clocking=clocking,
        adapter="".join(part_name(top, part) for part in parts),
        wires=REQUESTS if on.adapter else (),
        connections=names((*on.signals, *REQUESTS)),
        bits=shape.random_bits,
        taken=width,
        fills=fills,
        fill_bits=(fills - 1).bit_length(),
        words=shape.seed_words,
        word_bits=bits,
        address={name: f"6'd{number}" for name, number in word_addresses(PRNG_REGISTERS).items()},
        written=written_fields(PRNG_REGISTERS, "bus_wdata"),
        read={
            one.name: values.get(one.name) or read_value(one, read)
            for one in PRNG_REGISTERS
            if "r" in one.access
        },
    )
    return with_parts(top, text, {part: {} for part in parts})


def _titles(bus: Bus) -> dict[int, str]:
    """The comments above groups of ports, by the number of the first one."""
    clocks, signals = len(bus.clocking), len(bus.signals)
    return {0: "Clock and reset", clocks: "Registers", clocks + signals: "Random bits"}
