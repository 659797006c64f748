// SPDX-License-Identifier: Apache-2.0
// A coprocessor as registers on a bus: request and grant, read data one cycle after the grant.
//
// A read of DATA waits for its word by not being granted, and TAG_EXPECTED for the word of the tag
// that it is compared with; after PATIENCE cycles a read gives zero, and LATE is set in the status.
// Addresses that have no register read as zero: so do those of the load, which can be written only.

module bus_port #(
  parameter PATIENCE = 16384,
  parameter TEXTS = 0, TAGS = 0,              // whether a text goes in, whether there is a tag
  parameter [7:2] DATA = 0, STATUS = 1, LOAD_FIRST = 2, LOAD_NEXT = 3, DMA_ADDRESS = 4, DMA_WORDS = 5,
  parameter [7:2] TAG_EXPECTED = 9, TEXT = 32
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        bus_req,
  output wire        bus_gnt,
  input  wire        bus_we,
  input  wire  [7:2] bus_addr,
  input  wire [31:0] bus_wdata,
  output reg         bus_rvalid,
  output reg  [31:0] bus_rdata,
  output wire        clear,
  output wire [31:0] load_word,
  output wire        load_first,
  output wire        load_valid,
  input  wire        load_ready,
  output wire [31:0] text_word,
  output wire  [4:0] text_marks,              // last, associated data, bytes (0 to 4)
  output wire        text_valid,
  input  wire        text_ready,
  input  wire [31:0] word,
  input  wire        word_tag,
  input  wire        word_valid,
  output wire        word_ready,
  input  wire  [7:0] level,
  input  wire        loaded,
  output wire  [7:2] setting,                 // the register that is read or written in `settings`
  output wire        setting_written,
  output wire [31:0] setting_value,
  input  wire [31:0] setting_given,
  output wire        compares,
  output wire        missed,
  output wire [31:0] expected,
  input  wire        tag_ok,
  input  wire        tag_bad,
  output wire        dma_set_address,
  output wire        dma_start,
  input  wire        dma_busy
);
  localparam [15:0] LONGEST = PATIENCE;
  wire writes = bus_req & bus_we, reads = bus_req & ~bus_we;
  wire gets = reads & bus_addr == DATA;
  wire checks = TAGS != 0 & writes & bus_addr == TAG_EXPECTED;
  reg late;
  reg [15:0] waited;
  wire too_late = waited == LONGEST;

  assign load_word = bus_wdata;
  assign load_first = bus_addr == LOAD_FIRST;
  assign load_valid = writes & (load_first | bus_addr == LOAD_NEXT);
  assign text_word = bus_wdata;
  assign text_marks = bus_addr[6:2];
  assign text_valid = TEXTS != 0 & writes & bus_addr[7] == TEXT[7];
  assign word_ready = (gets | (checks & word_tag)) & ~dma_busy;
  assign clear = writes & bus_addr == STATUS;
  assign setting = bus_addr;
  assign setting_written = writes;
  assign setting_value = bus_wdata;
  assign compares = checks & word_ready & word_valid;
  assign missed = checks & too_late & ~compares;
  assign expected = bus_wdata;
  assign dma_set_address = writes & bus_addr == DMA_ADDRESS;
  assign dma_start = writes & bus_addr == DMA_WORDS;

  wire gives = word_ready & word_valid;
  assign bus_gnt = gets | checks ? gives | too_late :
                   load_valid ? load_ready :
                   text_valid ? text_ready | too_late : bus_req;
  wire tag_next = TAGS != 0 & word_tag & word_valid;
  wire [31:0] status = {18'd0, tag_bad, tag_ok, tag_next, loaded, dma_busy, late, level};

  always @(posedge clk) begin
    if (rst) begin
      bus_rvalid <= 1'b0;
      bus_rdata <= 32'd0;
      late <= 1'b0;
      waited <= 16'd0;
    end else begin
      bus_rvalid <= bus_gnt & ~bus_we;
      bus_rdata <= ~reads ? 32'd0 : gives ? word : bus_addr == STATUS ? status : setting_given;
      if (bus_gnt | ~bus_req) waited <= 16'd0;
      else if (~too_late) waited <= waited + 16'd1;
      if (clear) late <= 1'b0;
      else if (bus_req & too_late) late <= 1'b1;
    end
  end
endmodule
