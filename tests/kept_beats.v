// SPDX-License-Identifier: Apache-2.0
// Streams behind the instructions of `port_driver.cpp`: 2 puts a beat, 1 gives one that came out, by
// its number, 5 forgets those that did.
module kept_beats (
  input  wire        clk,
  input  wire        rst,
  input  wire        cmd_valid,
  output wire        cmd_ready,
  input  wire  [9:0] cmd_function,            // {last, keep, kind} where a beat is put
  input  wire [31:0] cmd_first,
  input  wire [31:0] cmd_second,              // tuser where a beat is put
  output reg         rsp_valid,
  input  wire        rsp_ready,
  output reg  [31:0] rsp_result,
  output wire [31:0] in_tdata,
  output wire  [3:0] in_tkeep,
  output wire        in_tlast,
  output wire  [3:0] in_tuser,
  output wire        in_tvalid,
  input  wire        in_tready,
  input  wire [31:0] out_tdata,
  input  wire  [3:0] out_tkeep,
  input  wire        out_tvalid,
  output wire        out_tready
);
  reg [31:0] beats [0:63];
  reg [6:0] count;
  wire puts = cmd_function[2:0] == 3'd2, gets = cmd_function[2:0] == 3'd1;
  wire forgets = cmd_valid & cmd_ready & cmd_function[2:0] == 3'd5;
  wire [31:0] mask = {{8{out_tkeep[3]}}, {8{out_tkeep[2]}}, {8{out_tkeep[1]}}, {8{out_tkeep[0]}}};

  assign in_tdata = cmd_first;
  assign {in_tlast, in_tkeep} = cmd_function[7:3];
  assign in_tuser = cmd_second[3:0];
  assign in_tvalid = cmd_valid & puts & ~rsp_valid;
  assign cmd_ready = ~rsp_valid & (puts ? in_tready : gets ? cmd_first < {25'd0, count} : 1'b1);
  assign out_tready = ~count[6];

  always @(posedge clk) begin
    if (out_tvalid & out_tready) beats[count[5:0]] <= out_tdata & mask;
    if (rst | forgets) count <= 7'd0;
    else if (out_tvalid & out_tready) count <= count + 7'd1;
    if (rst) rsp_valid <= 1'b0;
    else if (cmd_valid & cmd_ready) rsp_valid <= 1'b1;
    else if (rsp_ready) rsp_valid <= 1'b0;
    if (cmd_valid & cmd_ready) rsp_result <= gets ? beats[cmd_first[5:0]] : 32'd0;
  end
endmodule
