# SPDX-License-Identifier: Apache-2.0
"""A core: a cipher at one architecture, behind one interface."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from headwater.api.design import Design, design
from headwater.api.operations import Operations
from headwater.board.boards import SHUTTLE, board
from headwater.board.project import BoardProject, board_project
from headwater.board.tinytapeout import tinytapeout_project
from headwater.cipher.description import Cipher as Description
from headwater.cipher.keywords import check_name_of_files
from headwater.core.architecture import Architecture
from headwater.emit.c_model import CModel, c_model
from headwater.emit.datasheet import datasheet
from headwater.emit.masked import spec_text
from headwater.emit.verilog import Verilog, generate, module_name
from headwater.errors import InputError, unknown
from headwater.kinds.masking import leakage_spec
from headwater.kinds.registry import build, facts_of
from headwater.verify.engine import Engine, RtlEngine
from headwater.verify.engines import GENERATED
from headwater.verify.masked import rtl_of

if TYPE_CHECKING:
    from headwater.core.component import Core as Component


class Core:
    """One core of a cipher, made by `Cipher.core`.

    Attributes
    ----------
    description : headwater.cipher.description.Cipher
        Of the cipher.
    architecture : headwater.core.architecture.Architecture
        Radix, load width and options.
    interface : str
        What `design` puts the core behind.
    """

    def __init__(
        self,
        description: Description,
        architecture: Architecture,
        interface: str = "stream",
        name: str | None = None,
    ) -> None:
        self.description = description
        self.architecture = architecture
        self.interface = interface
        if name is not None:
            check_name_of_files("core", name)
        self._given_name = name

    def __repr__(self) -> str:
        return f"<core of {self.description.title}: {self.architecture}>"

    @property
    def name(self) -> str:
        """The name of its module, which those around it, macros and functions of C begin with."""
        return self._given_name or module_name(self.description, self.architecture)

    @property
    def facts(self) -> dict[str, Any]:
        """The data sheet of the cipher and of this core: cycles, ports, options."""
        return datasheet(self.description, self.architecture)

    @property
    def generated(self) -> Verilog:
        """The Verilog with the name of its module, its ports and its hash."""
        return generate(self.description, self.architecture, self._given_name)

    def verilog(self) -> str:
        """The Verilog of the core: one file, one module, the same bytes each time."""
        return self.generated.text

    def design(
        self,
        *,
        data_width: int | None = None,
        key_by: str | None = None,
        packets: str | None = None,
        testbench: bool = False,
        fusesoc: bool = False,
        package: bool = False,
        area: bool = False,
        litex: bool = False,
    ) -> Design:
        """The files of the core behind its interface.

        Parameters
        ----------
        data_width, key_by, packets
            Of AXI4-Stream: bits of ``tdata``; whether the key comes by ``stream`` or into registers
            on ``axi4lite``; whether packets are ``marked`` by ``tuser``, or ``plain``, as any DMA
            engine sends them.
        testbench
            Also a testbench in Verilog that checks the core by itself, in any simulator.
        fusesoc
            Also a core file for FuseSoC.
        package
            Also all that an integrator needs: C driver, register map, testbenches, core file,
            constraints, README. Figures in it are those of the store.
        area
            Also map the package for ECP5: what the interface adds to the core is in its README.
        litex
            Also a module of LiteX, of interface ``wishbone``.
        """
        if self.architecture.is_masked:
            return self._masked_design(
                testbench=testbench, fusesoc=fusesoc, package=package, litex=litex
            )
        return design(
            self,
            data_width,
            key_by,
            packets,
            tested=testbench,
            fusesoc=fusesoc,
            packaged=package,
            area=area,
            litex=litex,
        )

    def _masked_design(self, **asked: bool) -> Design:
        """The Verilog of a core in shares, and what its signals are, for `headwater leakage`."""
        for what, wanted in asked.items():
            if wanted:
                raise InputError(
                    f"{what} must be of a core without masking: it takes no key in shares yet"
                )
        delivery = design(
            self,
            None,
            None,
            None,
            tested=False,
            fusesoc=False,
            packaged=False,
            area=False,
            litex=False,
        )
        names = rtl_of(self.description, self.architecture).wires
        spec = spec_text(self.description, leakage_spec(self.description, self.architecture, names))
        return replace(delivery, files=delivery.files | {f"{self.name}.toml": spec})

    def on_board(self, name: str, clock_mhz: int | None = None) -> BoardProject:
        """The project of the core on a board, with its ``files`` and the vector that it checks.

        Parameters
        ----------
        name
            The board: a name that ``headwater list boards`` prints.
        clock_mhz
            The core's clock; by default that of the board's oscillator.
        """
        if self.architecture.is_masked:
            raise InputError(
                "core on a board must be without masking: the board has no key in shares"
            )
        chosen = self.architecture.options
        cipher = self.description.with_parameters(
            {one.name: chosen[one.name] for one in self.description.parameters}
        )
        facts = facts_of(cipher, self.architecture)
        if name == SHUTTLE:
            return tinytapeout_project(self.name, self.verilog(), cipher, facts, clock_mhz)
        return board_project(self.name, self.verilog(), cipher, facts, board(name), clock_mhz)

    def component(self) -> Component:
        """A new Amaranth component, to be a submodule of a design."""
        return build(self.description, self.architecture)

    def c_model(self, parallel: int | None = None) -> CModel:
        """The core as portable C99, with ``name``, ``header`` and ``source``; with ``parallel`` so
        many sessions are side by side in its function for several of them."""
        if self.architecture.is_masked:
            raise InputError(
                "C model must be of a core without masking: in software it would only look masked"
            )
        return c_model(self.description, self.architecture, self._given_name, parallel=parallel)

    def run(self, engine: str = RtlEngine.name) -> Operations:
        """Keystream, encryption and tags as this core makes them: by ``rtl``, the Verilog in
        simulation, or by ``c``, the compiled C."""
        if engine not in GENERATED:
            raise unknown("engine", engine, GENERATED)
        return Operations(self.description, lambda cipher: self._engine(engine, cipher))

    def _engine(self, name: str, cipher: Description) -> Engine:
        """The engine of the core; of its cipher's other mode at the same radix."""
        architecture = self.architecture
        if cipher is not self.description:
            architecture = Architecture.choose(cipher, radix=architecture.radix)
        return GENERATED[name](cipher, architecture)
