# SPDX-License-Identifier: Apache-2.0
"""A cipher as a source of random bits for masking."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from headwater.emit.fusesoc import fusesoc_core
from headwater.emit.prng import prng_files, prng_pins, prng_waivers, top_name
from headwater.emit.prng_bus import bus_name, prng_bus_files, prng_bus_ports
from headwater.emit.prng_c import prng_c_files
from headwater.emit.prng_properties import prng_properties, prng_sby, properties_file
from headwater.emit.prng_testbench import prng_testbench
from headwater.errors import InputError
from headwater.interface.module_port import pins_of
from headwater.kinds.stepped.prng.model import PrngModel
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.package.component import component
from headwater.package.prng_driver import prng_driver_files, prng_register_map
from headwater.package.prng_linux import prng_linux_files
from headwater.verify.prng import check_prng
from headwater.verify.prng_proof import prove_prng
from headwater.verify.record import Record


class RandomBits:
    """A source of random bits, made by `Cipher.random_bits`.

    Members
    -------
    shape : headwater.kinds.stepped.prng.shape.PrngShape
        Instances, radix of each, and words of a seed.
    """

    def __init__(self, shape: PrngShape) -> None:
        self.shape = shape

    def __repr__(self) -> str:
        shape = self.shape
        cores = f"{shape.instances} core{'s' * (shape.instances > 1)}"
        return f"<{shape.amount} of {shape.cipher.title}, {cores}>"

    @property
    def name(self) -> str:
        """The name of the module on top."""
        return top_name(self.shape)

    def top(self, bus: str | None = None) -> str:
        """The name of the module on top of the source, or of the one with its registers on a
        bus."""
        return bus_name(self.shape, bus) if bus else self.name

    def files(
        self,
        *,
        testbench: bool = False,
        fusesoc: bool = False,
        properties: bool = False,
        c_model: bool = False,
        bus: str | None = None,
        linux: bool = False,
    ) -> dict[str, str]:
        """The Verilog by file name; also a testbench that compares it with the model, a core file
        for FuseSoC, assertions with the script of SymbiYosys that proves them, and the source in
        C, cycle by cycle; with a ``bus`` (`axi4lite`, `wishbone`, `request`) also registers on it
        around the source, the map of these registers, and their driver in C; with ``linux`` also
        a driver of Linux, of these registers.

        Raises
        ------
        InputError
            If the bus is not one of these, or does not fit the source, or ``linux`` has none."""
        if linux and not bus:
            raise InputError("linux must come with a bus, whose registers it drives, not with None")
        around = prng_bus_files(self.shape, bus) if bus else {}
        rtl = prng_files(self.shape) | around
        bench = {f"{self.name}_tb.sv": prng_testbench(self.shape)} if testbench else {}
        core_file = self._core_file(bus, list(rtl), list(bench), list(around)) if fusesoc else {}
        proofs = self._properties() if properties else {}
        registers = self._for_software(bus) if bus else {}
        in_c = prng_c_files(self.shape) if c_model else {}
        in_linux = prng_linux_files(self.shape, bus, self._title) if linux and bus else {}
        return rtl | bench | core_file | proofs | registers | in_c | in_linux

    def _for_software(self, bus: str) -> dict[str, str]:
        """The registers on a bus, for tools and for readers, and their driver in C."""
        shape, top = self.shape, self.top(bus)
        registers = prng_register_map(shape, bus)
        rtl = [*prng_bus_files(shape, bus), *prng_files(shape)]
        described = component(
            top,
            self._title,
            prng_bus_ports(shape, bus),
            [name for name in rtl if name.endswith(".v")],
            registers,
        )
        return {
            **registers.files(),
            f"{top}_component.xml": described,
            **prng_driver_files(shape, bus, self._title),
        }

    def _properties(self) -> dict[str, str]:
        """The assertions, and the script that proves them."""
        shape = self.shape
        return {properties_file(shape): prng_properties(shape), f"{self.name}.sby": prng_sby(shape)}

    def _core_file(
        self, bus: str | None, rtl: list[str], benches: list[str], around: list[str]
    ) -> dict[str, str]:
        """The core file, and what its style check passes over."""
        top, shape = self.top(bus), self.shape
        pins = pins_of(prng_bus_ports(shape, bus)) if bus else prng_pins(shape)
        by_use = {"sim": benches[0]} if benches else {}
        waivers = f"{top}.vbl"
        text = fusesoc_core(top, self._title, rtl, by_use, pins, waivers)
        return {f"{top}.core": text, waivers: prng_waivers(shape, around)}

    @property
    def _title(self) -> str:
        shape = self.shape
        return f"{shape.amount} in each cycle, from {shape.cipher.title}"

    def seed(self, key: bytes, iv: bytes) -> list[int]:
        """The words of a whole seed of key and IV."""
        return self.shape.seed(key, iv)

    def seed_of_state(self, state: bytes) -> list[int]:
        """The words of a whole seed of a source with ``seed_by="state"``: the state as bytes, in
        the order that `headwater.cipher.whole_state` says."""
        return self.shape.seed_of_state(state)

    def model(self) -> PrngModel:
        """The source in software, cycle by cycle."""
        return PrngModel(self.shape)

    def verify(self, *, prove: bool = False, traces: str | Path | None = None) -> list[Record]:
        """Check the Verilog: lint, and each cycle against the model, as of the C; also prove what
        the Verilog properties, and write a run that breaks a broken property into the folder
        ``traces``, if one is given."""
        return list(self.checks(prove=prove, traces=traces))

    def checks(self, *, prove: bool = False, traces: str | Path | None = None) -> Iterator[Record]:
        """The same, each record as soon as it is there."""
        yield from check_prng(self.shape)
        if prove:
            yield from prove_prng(self.shape, Path(traces) if traces else None)
