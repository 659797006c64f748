// SPDX-License-Identifier: Apache-2.0
// Models of the cells that nextpnr-ice40 writes.
`timescale 1ns / 1ps

// A logic cell: a LUT with a carry and a flip-flop.
module ICESTORM_LC #(
  parameter [15:0] LUT_INIT = 16'd0,
  parameter [0:0] NEG_CLK = 1'b0, CARRY_ENABLE = 1'b0, DFF_ENABLE = 1'b0, SET_NORESET = 1'b0, ASYNC_SR = 1'b0,
  parameter [0:0] CIN_CONST = 1'b0, CIN_SET = 1'b0
) (
  input I0, I1, I2, I3, CIN, CLK, CEN, SR,
  output LO, O, COUT
);
  wire carry = CIN_CONST ? CIN_SET : CIN;
  assign COUT = (I1 & I2) | ((I1 | I2) & carry);
  assign LO = LUT_INIT[{I3, I2, I1, I0}];
  wire clock = CLK ^ NEG_CLK;
  reg kept = 1'b0;
  generate
    if (ASYNC_SR) begin : asynchronous
      always @(posedge clock or posedge SR)
        if (SR) kept <= SET_NORESET;
        else if (CEN) kept <= LO;
    end else begin : synchronous
      always @(posedge clock) if (CEN) kept <= SR ? SET_NORESET : LO;
    end
  endgenerate
  assign O = DFF_ENABLE ? kept : LO;
endmodule

// A pad that is an input or an output, without registers.
module SB_IO #(
  parameter [5:0] PIN_TYPE = 6'd0,
  parameter [0:0] PULLUP = 1'b0, NEG_TRIGGER = 1'b0,
  parameter IO_STANDARD = "SB_LVCMOS"
) (
  inout PACKAGE_PIN,
  input LATCH_INPUT_VALUE, CLOCK_ENABLE, INPUT_CLK, OUTPUT_CLK, OUTPUT_ENABLE, D_OUT_0, D_OUT_1,
  output D_IN_0, D_IN_1
);
  assign PACKAGE_PIN = PIN_TYPE[5:2] == 4'b0110 ? D_OUT_0 : 1'bz;
  assign D_IN_0 = PACKAGE_PIN;
endmodule

module SB_GB (input USER_SIGNAL_TO_GLOBAL_BUFFER, output GLOBAL_BUFFER_OUTPUT);
  assign GLOBAL_BUFFER_OUTPUT = USER_SIGNAL_TO_GLOBAL_BUFFER;
endmodule
