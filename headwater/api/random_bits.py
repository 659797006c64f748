# SPDX-License-Identifier: Apache-2.0
"""A cipher as a source of random bits for masking."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.emit.fusesoc import fusesoc_core
from headwater.emit.prng import prng_files, prng_waivers, top_name
from headwater.emit.prng_c import prng_c_files
from headwater.emit.prng_properties import prng_properties, prng_sby, properties_file
from headwater.emit.prng_testbench import prng_testbench
from headwater.kinds.stepped.prng.model import PrngModel
from headwater.kinds.stepped.prng.shape import PrngShape
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
        return f"<{shape.random_bits} random bits of {shape.cipher.title}, {shape.instances} cores>"

    @property
    def name(self) -> str:
        """The name of the module on top."""
        return top_name(self.shape)

    def files(
        self, *, testbench: bool = False, fusesoc: bool = False, properties: bool = False,
        c_model: bool = False,
    ) -> dict[str, str]:  # fmt: skip
        """The Verilog by file name; also a testbench that compares it with the model, a core file
        for FuseSoC, assertions with the script of SymbiYosys that proves them, and the source in
        C, cycle by cycle."""
        rtl = prng_files(self.shape)
        bench = {f"{self.name}_tb.sv": prng_testbench(self.shape)} if testbench else {}
        core_file = self._core_file(list(rtl), list(bench)) if fusesoc else {}
        proofs = self._properties() if properties else {}
        return rtl | bench | core_file | proofs | (prng_c_files(self.shape) if c_model else {})

    def _properties(self) -> dict[str, str]:
        """The assertions, and the script that proves them."""
        shape = self.shape
        return {properties_file(shape): prng_properties(shape), f"{self.name}.sby": prng_sby(shape)}

    def _core_file(self, rtl: list[str], benches: list[str]) -> dict[str, str]:
        """The core file, and what its style check passes over."""
        shape, name = self.shape, self.name
        title = f"{shape.random_bits} random bits in each cycle, from {shape.cipher.title}"
        by_use = {"sim": benches[0]} if benches else {}
        waivers = f"{name}.vbl"
        text = fusesoc_core(name, name, title, rtl, by_use, waivers)
        return {f"{name}.core": text, waivers: prng_waivers(shape)}

    def seed(self, key: bytes, iv: bytes) -> list[int]:
        """The words of a whole seed."""
        return self.shape.seed(key, iv)

    def model(self) -> PrngModel:
        """The source in software, cycle by cycle."""
        return PrngModel(self.shape)

    def verify(self, *, prove: bool = False) -> list[Record]:
        """Check the Verilog: lint, and each cycle against the model, as of the C; also prove what
        the Verilog promises."""
        return list(self.checks(prove=prove))

    def checks(self, *, prove: bool = False) -> Iterator[Record]:
        """The same, each record as soon as it is there."""
        yield from check_prng(self.shape)
        if prove:
            yield from prove_prng(self.shape)
