// SPDX-License-Identifier: Apache-2.0
// Models of the cells that nextpnr-ecp5 writes. The PLL stands in for one: its clock has the
// frequency that its parameters give, and it knows nothing of phase, jitter or the limits of the
// oscillator in it.
`timescale 1ns / 1ps

module EHXPLLL #(
  parameter CLKI_DIV = 1, CLKFB_DIV = 1, CLKOP_DIV = 1, CLKOP_CPHASE = 0, CLKOP_FPHASE = 0,
  parameter CLKOP_ENABLE = "", FEEDBK_PATH = ""
) (
  input CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG,
  input PLLWAKESYNC, ENCLKOP,
  output CLKOP, LOCK
);
  pll_model #(.TIMES(CLKFB_DIV), .PARTS(CLKI_DIV)) model (.in(CLKI), .out(CLKOP), .locked(LOCK));
endmodule
{% include "pll_model.v" %}

`ifdef PLACED
// A LUT; half of a carry cell; with the multiplexer of a wider LUT behind it.
module TRELLIS_COMB #(
  parameter MODE = "LOGIC", CCU2_INJECT1 = "NO", WREMUX = "WRE",
  parameter [15:0] INITVAL = 16'd0,
  parameter [0:0] IS_Z1 = 1'b0
) (
  input A, B, C, D, M, FCI, F1, FXA, FXB, WD, WAD0, WAD1, WAD2, WAD3, WRE, WCK, DI0, DI1,
  output F, FCO, OFX
);
  wire four = INITVAL[{D, C, B, A}];
  wire two = INITVAL[{2'b00, B, A}];
  wire carries = CCU2_INJECT1 == "NO";
  assign F = MODE == "CCU2" ? four ^ (carries & FCI) : four;
  assign FCO = four ? FCI : carries & two;
  assign OFX = IS_Z1 ? (M ? FXB : FXA) : (M ? F1 : F);
  initial if (MODE != "LOGIC" && MODE != "CCU2") begin
    $display("FAIL: a LUT is used as a memory, of which there is no model");
    $fatal(1);
  end
endmodule

module TRELLIS_FF #(
  parameter GSR = "", CEMUX = "CE", CLKMUX = "CLK", LSRMUX = "LSR", REGSET = "RESET", SD = "",
  parameter SRMODE = "LSR_OVER_CE"
) (
  input CLK, LSR, CE, DI, M,
  output reg Q
);
  localparam SET = REGSET == "SET";
  wire clock = CLKMUX == "INV" ? !CLK : CLK;
  wire reset = LSRMUX == "INV" ? !LSR : LSR;
  wire enable = CEMUX == "1" ? 1'b1 : CEMUX == "0" ? 1'b0 : CEMUX == "INV" ? !CE : CE;
  wire direct = SD != "0" && SD != "0 ";
  initial Q = SET;
  always @(posedge clock)
    if (reset) Q <= SET;
    else if (enable) Q <= direct ? DI : M;
  initial if (SRMODE == "ASYNC") begin
    $display("FAIL: a register has an asynchronous reset, of which there is no model");
    $fatal(1);
  end
endmodule

module TRELLIS_IO #(
  parameter DIR = "INPUT", DATAMUX_MDDR = "", DATAMUX_ODDR = "", TRIMUX_TSREG = "", IO_TYPE = ""
) (
  inout B,
  input I, T, IOLDO, IOLTO,
  output O
);
  assign B = DIR == "OUTPUT" ? I : 1'bz;
  assign O = B;
endmodule

module DCCA (input CLKI, CE, output CLKO);
  assign CLKO = CLKI;
endmodule
`endif
