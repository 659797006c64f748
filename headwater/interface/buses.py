# SPDX-License-Identifier: Apache-2.0
"""The buses for a coprocessor's registers: their signals and adapters."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.interface.module_port import ModulePort, given, made
from headwater.interface.registers import WORD_BITS

CLOCKING = (given("clk"), given("rst"))
REQUESTS = (
    given("bus_req"),
    made("bus_gnt"),
    given("bus_we"),
    given("bus_addr", 6, low=2),
    given("bus_wdata", WORD_BITS),
    made("bus_rvalid"),
    made("bus_rdata", WORD_BITS),
)
_WISHBONE = (
    given("wb_cyc_i"),
    given("wb_stb_i"),
    given("wb_we_i"),
    given("wb_adr_i", 6, low=2),
    given("wb_sel_i", 4),
    given("wb_dat_i", WORD_BITS),
    made("wb_dat_o", WORD_BITS),
    made("wb_ack_o"),
    made("wb_err_o"),
)
_AXI4_LITE = (
    given("s_axi_awaddr", 8),
    given("s_axi_awprot", 3),
    given("s_axi_awvalid"),
    made("s_axi_awready"),
    given("s_axi_wdata", WORD_BITS),
    given("s_axi_wstrb", 4),
    given("s_axi_wvalid"),
    made("s_axi_wready"),
    made("s_axi_bresp", 2),
    made("s_axi_bvalid"),
    given("s_axi_bready"),
    given("s_axi_araddr", 8),
    given("s_axi_arprot", 3),
    given("s_axi_arvalid"),
    made("s_axi_arready"),
    made("s_axi_rdata", WORD_BITS),
    made("s_axi_rresp", 2),
    made("s_axi_rvalid"),
    given("s_axi_rready"),
)


@dataclass(frozen=True)
class Bus:
    """A bus.

    Members
    -------
    signals : tuple of ModulePort
        The coprocessor's ports, without clock and reset.
    adapter : str
        The module that translates the signals into requests and grants; empty where none is needed.
    clocking : tuple of ModulePort
        Clock and reset.
    clock, reset : str
        Clock and active-high reset as expressions of the declared ports.
    """

    signals: tuple[ModulePort, ...]
    adapter: str = ""
    clocking: tuple[ModulePort, ...] = CLOCKING
    clock: str = "clk"
    reset: str = "rst"


BUSES = {
    "request": Bus(REQUESTS),
    "wishbone": Bus(_WISHBONE, "wishbone_port"),
    "axi4lite": Bus(
        _AXI4_LITE,
        "axi4lite_port",
        (given("aclk"), given("aresetn")),
        "aclk",
        "~aresetn",
    ),
}
