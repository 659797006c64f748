// SPDX-License-Identifier: Apache-2.0
// A coprocessor behind custom instructions: two operands in, one result out (the CFU bus)${", or two" if two}.
//
// `cmd_function` is {funct7, funct3}. An instruction is accepted as a whole, in the cycle in which
// `cmd_valid` and `cmd_ready` are one, or leaves no trace: so it may be interrupted and begun again
// until it is accepted. The result follows a cycle later, from a register.
//
{% if two %}
// A read whose function has its top bit set gives two words of one word of the core, each added to
// an operand.
//
{% endif %}
// A read waits for its word. After ${patience} cycles it gives zero and sets LATE in the status, so
// that a program that reads more than there is does not stop the processor for good.

module custom_port (
  input  wire        clk,
  input  wire        rst,
  input  wire        cmd_valid,
  output wire        cmd_ready,
  input  wire  [9:0] cmd_function,
  input  wire [31:0] cmd_first,
  input  wire [31:0] cmd_second,
  output reg         rsp_valid,
  input  wire        rsp_ready,
  output reg  [31:0] rsp_result,
{% if two %}
  output reg  [31:0] rsp_second,
{% endif %}
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
{% if two %}
  input  wire [31:0] after,                   // the word behind `word`
  input  wire        after_valid,
  output wire        both,                    // takes both words
{% endif %}
  input  wire  [7:0] level,
  input  wire        loaded,
{% if tag %}
  output wire        compares,
  output wire        missed,
  output wire [31:0] expected,
  input  wire        tag_ok,
  input  wire        tag_bad,
{% endif %}
  output wire  [7:2] setting,                 // the register that is read or written in `settings`
  output wire        setting_written,
  output wire [${setting_bits - 1}:0] setting_value,
  input  wire [31:0] setting_given
);
{% for name, number in instructions.items() %}
  localparam [2:0] ${name} = 3'd${number};
{% endfor %}
  localparam [15:0] LONGEST = 16'd${patience};
  wire [2:0] kind = cmd_function[2:0];
  wire is_load = kind == LOAD, is_get = kind == GET, is_register = kind == REGISTER;
{% if text %}
  wire is_exchange = kind == EXCHANGE, is_put = kind == PUT | is_exchange;
  reg awaiting;                               // the result of an exchange is yet to come
{% endif %}
{% if tag %}
  wire is_check = kind == CHECK;
{% endif %}
{% if pairs %}
  reg [31:0] kept;                            // the second word of a pair, until it is taken
  reg keeps;
{% endif %}
  reg late;
  reg [15:0] waited;

  wire free = cmd_valid & (~rsp_valid | rsp_ready)${" & ~keeps" if pairs}${" & ~awaiting" if text};
  wire too_late = waited == LONGEST;
{% if two %}
  wire there = ~cmd_function[9] | after_valid;  // as many words as are asked for
  wire asks = is_get & there;
{% else %}
  wire asks = is_get;
{% endif %}

{% if pairs %}
  assign load_word = keeps ? kept : cmd_first;
  assign load_first = ~keeps & cmd_function[9:3] == 7'd0;
  assign load_valid = keeps | (free & is_load);
{% else %}
  assign load_word = cmd_first;
  assign load_first = cmd_second == 32'd0;
  assign load_valid = free & is_load;
{% endif %}
{% if text %}
  assign text_word = cmd_first;
  assign text_marks = cmd_function[7:3];
  assign text_valid = free & is_put;
{% endif %}
{% if two %}
  assign both = free & is_get & cmd_function[9] & after_valid;
{% endif %}
  assign word_ready = (free & ${"(asks | (is_check & word_tag))" if tag else "asks"})${" | awaiting" if text};
  assign clear = free & kind == CLEAR;
  assign setting = cmd_function[8:3];
  assign setting_written = free & is_register & cmd_second == 32'd1;
  assign setting_value = cmd_first[${setting_bits - 1}:0];
{% if tag %}
  assign compares = free & is_check & word_tag & word_valid;
  assign missed = free & is_check & too_late & ~compares;
  assign expected = cmd_first;
{% endif %}

  wire word_done = (word_valid${" & (awaiting | there)" if two and text else " & there" if two}) | too_late;
{% if text %}
  wire text_done = text_ready | too_late;
{% endif %}
  assign cmd_ready = free & (is_load ? load_ready :
{% if text %}
                             is_put ? text_done :
{% endif %}
                             is_get ? word_done :
{% if tag %}
                             is_check ? compares | too_late :
{% endif %}
                             1'b1);

{% if text %}
  wire answers = awaiting ? word_done : cmd_ready & ~(is_exchange & text_ready);
{% else %}
  wire answers = cmd_ready;
{% endif %}
{% if tag %}
  wire tag_next = word_tag & word_valid;
{% endif %}
{% set checking = " | (free & is_check & ~compares & ~too_late)" if tag else "" %}
{% set putting = " | (text_valid & ~text_done)" if text else "" %}
  wire waits = (((free & is_get) | word_ready) & ~word_done)${putting}${checking};
  wire [31:0] status = ${status};
{% if text %}
  wire gives = word_valid & (awaiting | (free & asks));
  wire [31:0] result = gives ? word ^ (awaiting ? 32'd0 : cmd_first) :
{% else %}
  wire gives = word_valid & free & asks;
  wire [31:0] result = gives ? word ^ cmd_first :
{% endif %}
                       free & kind == STATUS ? status : free & is_register ? setting_given : 32'd0;

  always @(posedge clk) begin
    if (rst) begin
      rsp_valid <= 1'b0;
      rsp_result <= 32'd0;
{% if two %}
      rsp_second <= 32'd0;
{% endif %}
{% if pairs %}
      keeps <= 1'b0;
      kept <= 32'd0;
{% endif %}
{% if text %}
      awaiting <= 1'b0;
{% endif %}
      late <= 1'b0;
      waited <= 16'd0;
    end else begin
      if (answers) rsp_valid <= 1'b1;
      else if (rsp_ready) rsp_valid <= 1'b0;
      if (answers) rsp_result <= result;
      else if (rsp_ready) rsp_result <= 32'd0;
{% if two %}
      if (both) rsp_second <= after ^ cmd_second;
      else if (rsp_ready | answers) rsp_second <= 32'd0;
{% endif %}
{% if pairs %}
      if (free & is_load & load_ready) begin
        keeps <= 1'b1;
        kept <= cmd_second;
      end else if (keeps & load_ready) begin
        keeps <= 1'b0;
        kept <= 32'd0;
      end
{% endif %}
{% if text %}
      if (cmd_ready & is_exchange & text_ready) awaiting <= 1'b1;
      else if (word_done) awaiting <= 1'b0;
{% endif %}
      waited <= waits ? waited + 16'd1 : 16'd0;
      if (clear) late <= 1'b0;
      else if (too_late) late <= 1'b1;
    end
  end
{% if not two and not pairs %}

  wire unused = &{1'b0, cmd_function[9]};
{% endif %}
endmodule
