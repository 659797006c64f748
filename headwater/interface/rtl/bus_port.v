// SPDX-License-Identifier: Apache-2.0
// A coprocessor as registers on a bus: request and grant, read data one cycle after the grant.
//
{% if tag %}
// A read of DATA waits for its word by not being granted, and TAG_EXPECTED for the word of the tag
// that it is compared with; after ${patience} cycles a read gives zero, and LATE is set in the status.
{% else %}
// A read of DATA waits for its word by not being granted; after ${patience} cycles it gives zero, and
// LATE is set in the status.
{% endif %}
// Addresses that have no register read as zero: so do those of the load, which can be written only.

module bus_port (
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
{% if text %}
  output wire [31:0] text_word,
  output wire  [4:0] text_marks,              // last, associated data, bytes (0 to 4)
  output wire        text_valid,
  input  wire        text_ready,
{% endif %}
  input  wire [31:0] word,
{% if tag %}
  input  wire        word_tag,
{% endif %}
  input  wire        word_valid,
  output wire        word_ready,
  input  wire  [7:0] level,
  input  wire        loaded,
{% if tag %}
  output wire        compares,
  output wire        missed,
  output wire [31:0] expected,
  input  wire        tag_ok,
  input  wire        tag_bad,
{% endif %}
{% if dma %}
  output wire        dma_set_address,
  output wire        dma_start,
  input  wire        dma_busy,
{% endif %}
  output wire  [7:2] setting,                 // the register that is read or written in `settings`
  output wire        setting_written,
  output wire [${setting_bits - 1}:0] setting_value,
  input  wire [31:0] setting_given
);
{% for name, address in addresses.items() %}
  localparam [7:2] ${name} = 6'd${address};
{% endfor %}
  localparam [15:0] LONGEST = 16'd${patience};
  wire writes = bus_req & bus_we, reads = bus_req & ~bus_we;
  wire gets = reads & bus_addr == DATA;
{% if tag %}
  wire checks = writes & bus_addr == TAG_EXPECTED;
{% endif %}
  reg late;
  reg [15:0] waited;
  wire too_late = waited == LONGEST;

  assign load_word = bus_wdata;
  assign load_first = bus_addr == LOAD_FIRST;
  assign load_valid = writes & (load_first | bus_addr == LOAD_NEXT);
{% if text %}
  assign text_word = bus_wdata;
  assign text_marks = bus_addr[6:2];
  assign text_valid = writes & ${in_text};
{% endif %}
  assign word_ready = ${"(gets | (checks & word_tag))" if tag else "gets"}${" & ~dma_busy" if dma};
  assign clear = writes & bus_addr == STATUS;
  assign setting = bus_addr;
  assign setting_written = writes;
  assign setting_value = bus_wdata[${setting_bits - 1}:0];
{% if tag %}
  assign compares = checks & word_ready & word_valid;
  assign missed = checks & too_late & ~compares;
  assign expected = bus_wdata;
{% endif %}
{% if dma %}
  assign dma_set_address = writes & bus_addr == DMA_ADDRESS;
  assign dma_start = writes & bus_addr == DMA_WORDS;
{% endif %}

  wire gives = word_ready & word_valid;
  assign bus_gnt = gets${" | checks" if tag} ? gives | too_late :
                   load_valid ? load_ready :
{% if text %}
                   text_valid ? text_ready | too_late :
{% endif %}
                   bus_req;
{% if tag %}
  wire tag_next = word_tag & word_valid;
{% endif %}
  wire [31:0] status = ${status};

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
