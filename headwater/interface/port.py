# SPDX-License-Identifier: Apache-2.0
"""The ports by which a processor reaches a coprocessor: instructions, or registers on a bus."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.interface.buses import BUSES, CLOCKING, Bus
from headwater.interface.core_shape import CoreShape
from headwater.interface.module_port import ModulePort, given, made
from headwater.interface.registers import WORD_BITS


@dataclass(frozen=True)
class Port:
    """How a processor reaches the core.

    Members
    -------
    instruction : bool
        By custom instructions; else by registers on a bus.
    pairs : bool
        Whether a load instruction takes two words, and the word number as a third operand.
    results : int
        Most words that a read instruction gives.
    fifo : bool
        Whether there is a FIFO in each direction.
    dma : bool
        Whether words can be written into memory; on a bus only.
    bus : Bus
        The bus of the registers.
    """

    instruction: bool
    pairs: bool = False
    results: int = 1
    fifo: bool = False
    dma: bool = False
    bus: Bus = BUSES["request"]

    @property
    def clocking(self) -> tuple[ModulePort, ...]:
        """The ports of clock and reset."""
        return CLOCKING if self.instruction else self.bus.clocking

    @property
    def access(self) -> tuple[ModulePort, ...]:
        """The ports by which a processor gives and takes words."""
        second = (SECOND_RESULT,) if self.results > 1 else ()
        return (*INSTRUCTION_PORTS, *second) if self.instruction else self.bus.signals

    @property
    def signals(self) -> tuple[ModulePort, ...]:
        """The ports of the coprocessor."""
        memory = DMA_PORTS if self.dma else ()
        return (*self.clocking, *self.access, *memory, INTERRUPT)


PORTS = {
    "custom": Port(instruction=True),
    "custom3": Port(instruction=True, pairs=True),
    "custom2x2": Port(instruction=True, results=2),
    "fifo": Port(instruction=True, fifo=True),
    "bus": Port(instruction=False),
    "dma": Port(instruction=False, dma=True),
    "wishbone": Port(instruction=False, bus=BUSES["wishbone"]),
    "axi4lite": Port(instruction=False, bus=BUSES["axi4lite"]),
}
"""Those that have names."""

INSTRUCTION_PORTS = (
    given("cmd_valid"),
    made("cmd_ready"),
    given("cmd_function", 10),
    given("cmd_first", WORD_BITS),
    given("cmd_second", WORD_BITS),
    made("rsp_valid"),
    given("rsp_ready"),
    made("rsp_result", WORD_BITS),
)
SECOND_RESULT = made("rsp_second", WORD_BITS)
INTERRUPT = made("irq")
DMA_PORTS = (
    made("dma_req"),
    given("dma_gnt"),
    made("dma_addr", 30, low=2),
    made("dma_wdata", WORD_BITS),
)


def features(core: CoreShape, port: Port) -> frozenset[str]:
    """What core and port have of ``needs`` in `headwater.interface.registers`."""
    return core.features | ({"dma"} if port.dma else set())
