// SPDX-License-Identifier: Apache-2.0
// A coprocessor behind custom instructions: two operands in, one result out (the CFU bus), or two.
//
// `cmd_function` is {funct7, funct3}. An instruction is accepted as a whole, in the cycle in which
// `cmd_valid` and `cmd_ready` are one, or leaves no trace: so it may be interrupted and begun again
// until it is accepted. The result follows a cycle later, from a register.
//
// With two RESULTS a read whose function has its top bit set gives two words of one word of the
// core, each added to an operand.
//
// A read waits for its word. After PATIENCE cycles it gives zero and sets LATE in the status, so
// that a program that reads more than there is does not stop the processor for good.

module custom_port #(
  parameter PAIRS = 0,                        // a load takes two words, and its number from funct7
  parameter RESULTS = 1,
  parameter PATIENCE = 16384,
  parameter TEXTS = 0, TAGS = 0,              // whether a text goes in, whether there is a tag
  parameter [2:0] LOAD = 0, GET = 1, PUT = 2, EXCHANGE = 3, STATUS = 4, CLEAR = 5, REGISTER = 6, CHECK = 7
) (
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
  output reg  [31:0] rsp_second,
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
  input  wire [31:0] after,                   // the word behind `word`
  input  wire        after_valid,
  output wire        both,                    // takes both words
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
  input  wire        tag_bad
);
  localparam [15:0] LONGEST = PATIENCE;
  wire [2:0] kind = cmd_function[2:0];
  wire is_load = kind == LOAD, is_get = kind == GET, is_exchange = TEXTS != 0 & kind == EXCHANGE;
  wire is_put = TEXTS != 0 & (kind == PUT | is_exchange), is_check = TAGS != 0 & kind == CHECK;
  wire is_register = kind == REGISTER;
  reg [31:0] kept;                            // the second word of a pair, until it is taken
  reg keeps;
  reg awaiting;                               // the result of an exchange is yet to come
  reg late;
  reg [15:0] waited;

  wire free = cmd_valid & (~rsp_valid | rsp_ready) & ~keeps & ~awaiting;
  wire too_late = waited == LONGEST;

  assign load_word = keeps ? kept : cmd_first;
  assign load_first = ~keeps & (PAIRS != 0 ? cmd_function[9:3] == 7'd0 : cmd_second == 32'd0);
  assign load_valid = keeps | (free & is_load);
  assign text_word = cmd_first;
  assign text_marks = cmd_function[7:3];
  assign text_valid = free & is_put;
  assign both = RESULTS == 2 & free & is_get & cmd_function[9] & after_valid;
  assign word_ready = (free & ((is_get & there) | (is_check & word_tag))) | awaiting;
  assign clear = free & kind == CLEAR;
  assign setting = cmd_function[8:3];
  assign setting_written = free & is_register & cmd_second == 32'd1;
  assign setting_value = cmd_first;
  assign compares = free & is_check & word_tag & word_valid;
  assign missed = free & is_check & too_late & ~compares;
  assign expected = cmd_first;

  wire text_done = text_ready | too_late;
  wire there = RESULTS == 1 | ~cmd_function[9] | after_valid;    // as many words as are asked for
  wire word_done = (word_valid & (awaiting | there)) | too_late;
  assign cmd_ready = free & (is_load ? load_ready : is_put ? text_done : is_get ? word_done :
                             is_check ? compares | too_late : 1'b1);

  wire answers = awaiting ? word_done : cmd_ready & ~(is_exchange & text_ready);
  wire checking = free & is_check & ~compares & ~too_late;
  wire waits = (text_valid & ~text_done) | (((free & is_get) | word_ready) & ~word_done) | checking;
  wire tag_next = TAGS != 0 & word_tag & word_valid;
  wire [31:0] status = {18'd0, tag_bad, tag_ok, tag_next, loaded, 1'b0, late, level};
  wire gives = (free & is_get) | awaiting;
  wire [31:0] result = gives & word_valid & (awaiting | there) ? word ^ (awaiting ? 32'd0 : cmd_first) :
                       free & kind == STATUS ? status : free & is_register ? setting_given : 32'd0;

  always @(posedge clk) begin
    if (rst) begin
      rsp_valid <= 1'b0;
      rsp_result <= 32'd0;
      rsp_second <= 32'd0;
      keeps <= 1'b0;
      kept <= 32'd0;
      awaiting <= 1'b0;
      late <= 1'b0;
      waited <= 16'd0;
    end else begin
      if (answers) rsp_valid <= 1'b1;
      else if (rsp_ready) rsp_valid <= 1'b0;
      if (answers) rsp_result <= result;
      else if (rsp_ready) rsp_result <= 32'd0;
      if (both) rsp_second <= after ^ cmd_second;
      else if (rsp_ready | answers) rsp_second <= 32'd0;
      if (PAIRS != 0) begin
        if (free & is_load & load_ready) begin
          keeps <= 1'b1;
          kept <= cmd_second;
        end else if (keeps & load_ready) begin
          keeps <= 1'b0;
          kept <= 32'd0;
        end
      end
      if (cmd_ready & is_exchange & text_ready) awaiting <= 1'b1;
      else if (word_done) awaiting <= 1'b0;
      waited <= waits ? waited + 16'd1 : 16'd0;
      if (clear) late <= 1'b0;
      else if (too_late) late <= 1'b1;
    end
  end

  wire unused = &{1'b0, cmd_function[9], after, after_valid};
endmodule
