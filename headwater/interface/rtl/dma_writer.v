// SPDX-License-Identifier: Apache-2.0
// Writes words into memory, one in each cycle in which there is one and the memory takes it. It
// never reads. Words that are not wanted stay where they are: DMA and reads may follow each other.

module dma_writer (
  input  wire        clk,
  input  wire        rst,
  input  wire        stop,
  input  wire        set_address,             // bytes; the lowest two bits are ignored
  input  wire        start,                   // so many words
  input  wire [31:0] value,
  output wire        busy,
  input  wire [31:0] word,
  input  wire        word_valid,
  output wire        word_ready,
  output wire        dma_req,
  input  wire        dma_gnt,
  output wire [31:2] dma_addr,
  output wire [31:0] dma_wdata
);
  reg [31:2] address;
  reg [29:0] left;

  assign busy = left != 30'd0;
  assign dma_req = busy & word_valid;
  assign word_ready = busy & dma_gnt;
  assign dma_addr = address;
  assign dma_wdata = dma_req ? word : 32'd0;

  always @(posedge clk) begin
    if (rst | stop) left <= 30'd0;
    else if (start) left <= value[29:0];
    else if (dma_req & dma_gnt) left <= left - 30'd1;
    if (set_address) address <= value[31:2];
    else if (dma_req & dma_gnt) address <= address + 30'd1;
  end
endmodule
