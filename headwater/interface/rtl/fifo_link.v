// SPDX-License-Identifier: Apache-2.0
// A FIFO each way between a port and a cipher: whoever puts does not wait until the cipher takes,
// and the cipher works ahead of whoever gets.
//
// With the first word of a load what was made under the key before is gone at once: nothing is
// handed out until that word has arrived at the cipher. What the cipher makes until then is taken
// from it and dropped, so that text that nobody read the answer to does not block the load.

module fifo_link (
  input  wire        clk,
  input  wire        rst,
  input  wire        clear,
  input  wire [31:0] load_word,
  input  wire        load_first,
  input  wire        load_valid,
  output wire        load_ready,
{% if text %}
  input  wire [31:0] text_word,
  input  wire  [4:0] text_marks,
  input  wire  [2:0] text_spare,
  input  wire        text_valid,
  output wire        text_ready,
{% endif %}
  output wire [31:0] word,
{% if tag %}
  output wire        word_tag,
{% endif %}
  output wire        word_valid,
  input  wire        word_ready,
  output wire  [7:0] level,
  output wire [31:0] cipher_load_word,
  output wire        cipher_load_first,
  output wire        cipher_load_valid,
  input  wire        cipher_load_ready,
{% if text %}
  output wire [31:0] cipher_text_word,
  output wire  [4:0] cipher_text_marks,
  output wire  [2:0] cipher_text_spare,
  output wire        cipher_text_valid,
  input  wire        cipher_text_ready,
{% endif %}
  input  wire [31:0] cipher_word,
{% if tag %}
  input  wire        cipher_word_tag,
{% endif %}
  input  wire        cipher_word_valid,
  output wire        cipher_word_ready
);
{% set forth = 42 if text else 33 %}
{% set back = 33 if tag else 32 %}
  wire [${forth - 1}:0] put, taken;
  wire put_ready, taken_valid, get_ready;
  wire [3:0] got, unused_level;
  reg [3:0] begun;                            // first words on their way to the cipher
  reg blocked;                                // a first word finds no room

  wire is_first = taken[${forth - 2 if text else 32}];
  wire begins = load_valid & load_ready & load_first;
  wire arrives = cipher_load_valid & cipher_load_ready & is_first;
  wire closed = begun != 4'd0 | blocked;

{% if text %}
  wire is_text = taken[41];
  assign put = {text_valid, load_valid & load_first, text_valid ? {text_spare, text_marks} : 8'd0,
                text_valid ? text_word : load_word};
  assign text_ready = put_ready;
  assign cipher_load_valid = taken_valid & ~is_text;
  assign cipher_text_word = taken[31:0];
  assign {cipher_text_spare, cipher_text_marks} = taken[39:32];
  assign cipher_text_valid = taken_valid & is_text;
{% else %}
  assign put = {load_first, load_word};
  assign cipher_load_valid = taken_valid;
{% endif %}
  assign load_ready = put_ready;
  assign cipher_load_word = taken[31:0];
  assign cipher_load_first = is_first;
  assign cipher_word_ready = get_ready | closed;
  assign level = {4'd0, got};

  word_fifo #(
    .WIDTH(${forth})
  ) towards_cipher (
    .clk(clk),
    .flush(rst | clear),
    .in(put),
    .in_valid(load_valid${" | text_valid" if text}),
    .in_ready(put_ready),
    .out(taken),
    .out_valid(taken_valid),
    .out_ready(${"is_text ? cipher_text_ready : cipher_load_ready" if text else "cipher_load_ready"}),
    .level(unused_level)
  );

  word_fifo #(
    .WIDTH(${back})
  ) from_cipher (
    .clk(clk),
    .flush(rst | clear | begins),
    .in(${"{cipher_word_tag, cipher_word}" if tag else "cipher_word"}),
    .in_valid(cipher_word_valid & ~closed),
    .in_ready(get_ready),
    .out(${"{word_tag, word}" if tag else "word"}),
    .out_valid(word_valid),
    .out_ready(word_ready),
    .level(got)
  );

  always @(posedge clk) begin
    if (rst | clear) begun <= 4'd0;
    else if (begins & ~arrives) begun <= begun + 4'd1;
    else if (arrives & ~begins) begun <= begun - 4'd1;
    blocked <= load_valid & load_first & ~load_ready & ~rst & ~clear;
  end

  wire unused = &{1'b0, unused_level};
endmodule
