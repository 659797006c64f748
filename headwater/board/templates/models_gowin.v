// SPDX-License-Identifier: Apache-2.0
// Stands in for the PLL in simulation: its clock has the frequency that its parameters give, and it
// knows nothing of phase, jitter or the limits of the oscillator in it. Yosys has models of all
// other cells, in ${models}, but for the sources of constants.
`timescale 1ns / 1ps

module rPLL #(
  parameter FCLKIN = "", DEVICE = "",
  parameter IDIV_SEL = 0, FBDIV_SEL = 0, ODIV_SEL = 8
) (
  input CLKIN, CLKFB, RESET, RESET_P,
  input [5:0] FBDSEL, IDSEL, ODSEL,
  input [3:0] PSDA, DUTYDA, FDLY,
  output CLKOUT, LOCK, CLKOUTP, CLKOUTD, CLKOUTD3
);
  pll_model #(.TIMES(FBDIV_SEL + 1), .PARTS(IDIV_SEL + 1)) model (.in(CLKIN), .out(CLKOUT), .locked(LOCK));
endmodule
{% include "pll_model.v" %}

`ifdef PLACED
module GOWIN_GND (output G);
  assign G = 1'b0;
endmodule

module GOWIN_VCC (output V);
  assign V = 1'b1;
endmodule
`endif
