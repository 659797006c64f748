# SPDX-License-Identifier: Apache-2.0
"""The buses for a coprocessor's registers: their signals and adapters."""

from __future__ import annotations

from dataclasses import dataclass

CLOCKING = ("input  wire        clk", "input  wire        rst")
REQUESTS = (
    "input  wire        bus_req", "output wire        bus_gnt", "input  wire        bus_we",
    "input  wire  [7:2] bus_addr", "input  wire [31:0] bus_wdata",
    "output wire        bus_rvalid", "output wire [31:0] bus_rdata",
)  # fmt: skip
_WISHBONE = (
    "input  wire        wb_cyc_i", "input  wire        wb_stb_i", "input  wire        wb_we_i",
    "input  wire  [7:2] wb_adr_i", "input  wire  [3:0] wb_sel_i", "input  wire [31:0] wb_dat_i",
    "output wire [31:0] wb_dat_o", "output wire        wb_ack_o", "output wire        wb_err_o",
)  # fmt: skip
_AXI4_LITE = (
    "input  wire  [7:0] s_axi_awaddr", "input  wire  [2:0] s_axi_awprot",
    "input  wire        s_axi_awvalid", "output wire        s_axi_awready",
    "input  wire [31:0] s_axi_wdata", "input  wire  [3:0] s_axi_wstrb",
    "input  wire        s_axi_wvalid", "output wire        s_axi_wready",
    "output wire  [1:0] s_axi_bresp", "output wire        s_axi_bvalid",
    "input  wire        s_axi_bready", "input  wire  [7:0] s_axi_araddr",
    "input  wire  [2:0] s_axi_arprot", "input  wire        s_axi_arvalid",
    "output wire        s_axi_arready", "output wire [31:0] s_axi_rdata",
    "output wire  [1:0] s_axi_rresp", "output wire        s_axi_rvalid",
    "input  wire        s_axi_rready",
)  # fmt: skip


@dataclass(frozen=True)
class Bus:
    """A bus.

    Members
    -------
    signals : tuple of str
        The coprocessor's ports, as Verilog declares them, without clock and reset.
    adapter : str
        The module that translates the signals into requests and grants; empty where none is needed.
    clocking : tuple of str
        How clock and reset are declared.
    clock, reset : str
        Clock and active-high reset as expressions of the declared ports.
    """

    signals: tuple[str, ...]
    adapter: str = ""
    clocking: tuple[str, ...] = CLOCKING
    clock: str = "clk"
    reset: str = "rst"


BUSES = {
    "request": Bus(REQUESTS),
    "wishbone": Bus(_WISHBONE, "wishbone_port"),
    "axi4lite": Bus(
        _AXI4_LITE,
        "axi4lite_port",
        ("input  wire        aclk", "input  wire        aresetn"),
        "aclk",
        "~aresetn",
    ),
}


def declared(declarations: tuple[str, ...]) -> list[str]:
    """Wires for declared ports."""
    return [f"  wire {declaration.split(maxsplit=2)[2]};" for declaration in declarations]


def names(declarations: tuple[str, ...]) -> list[str]:
    """The names of declared ports."""
    return [declaration.split()[-1] for declaration in declarations]
