// SPDX-License-Identifier: Apache-2.0
// 32-bit words from a bus, an instruction or a FIFO become the load words of a core.
//
// A load begins with the word that is marked `first`, whatever was loaded before; words after the
// last one are taken and ignored. Where load words are narrower than 32 bits, a word holds as many
// of them as fit, the first one lowest (TOP_FIRST: highest); where they are wider, several words
// make one, the first one lowest (highest).
// Nothing that is stored here can be read: it leaves towards the core alone.

module load_words #(
  parameter WIDTH = 32,                       // of the core's load words
  parameter integer COUNT = 5,                      // load words of a load
  parameter TOP_FIRST = 0
) (
  input  wire             clk,
  input  wire             rst,
  input  wire             clear,              // forget the load
  input  wire      [31:0] word,
  input  wire             first,
  input  wire             valid,
  output wire             ready,
  output wire             loaded,             // the load is complete
  output wire             abandon,            // a load that was begun ends here: to the core's clear
  output wire [WIDTH-1:0] payload,
  output wire             payload_last,
  output wire             payload_valid,
  input  wire             payload_ready
);
  localparam COUNT_BITS = $clog2(COUNT + 1);
  localparam integer LAST_TAKEN = COUNT - 1, ONE = 1;
  reg [COUNT_BITS-1:0] taken;                 // load words that the core has taken
  reg underway;                               // the word on the input has begun to be used
  wire part_kept;                             // it waits for the rest of a load word
  wire ends_word;                             // with this transfer it is used up

  wire restart = valid & first & ~underway & (taken != {COUNT_BITS{1'b0}} | part_kept);
  wire busy = valid & ~restart & ~loaded;
  wire moves = payload_valid & payload_ready;

  assign loaded = taken == COUNT[COUNT_BITS-1:0];
  assign abandon = restart & ~loaded;
  assign payload_last = taken == LAST_TAKEN[COUNT_BITS-1:0];
  assign ready = valid & ~restart & (loaded | (ends_word & (payload_ready | ~payload_valid)));

  always @(posedge clk) begin
    if (rst | clear | restart) begin
      taken <= {COUNT_BITS{1'b0}};
      underway <= 1'b0;
    end else begin
      if (moves) taken <= taken + ONE[COUNT_BITS-1:0];
      if (ready) underway <= 1'b0;
      else if (moves) underway <= 1'b1;
    end
  end

  generate
    if (WIDTH == 32) begin : whole
      assign part_kept = 1'b0;
      assign ends_word = 1'b1;
      assign payload_valid = busy;
      assign payload = word;
    end else if (WIDTH < 32) begin : pieces
      localparam integer PIECES = 32 / WIDTH;
      localparam integer LAST = PIECES - 1;
      localparam [4:0] LAST_PIECE = LAST[4:0];
      reg [4:0] piece;
      wire [4:0] place = TOP_FIRST != 0 ? LAST_PIECE - piece : piece;
      wire [31:0] shifted = word >> (WIDTH * place);
      assign part_kept = 1'b0;
      assign ends_word = piece == LAST_PIECE | payload_last;
      assign payload_valid = busy;
      assign payload = shifted[WIDTH-1:0];
      always @(posedge clk)
        if (rst | clear | restart | ready) piece <= 5'd0;
        else if (moves) piece <= piece + 5'd1;
      wire unused = &{1'b0, shifted[31:WIDTH]};
    end else begin : parts
      localparam integer PARTS = (WIDTH + 31) / 32;
      localparam integer LAST = PARTS - 1;
      localparam [4:0] LAST_PART = LAST[4:0];
      reg [32*PARTS-33:0] kept;
      reg [4:0] part;
      wire [32*PARTS-1:0] joined = TOP_FIRST != 0 ? {kept, word} : {word, kept};
      assign part_kept = part != 5'd0;
      assign ends_word = 1'b1;
      assign payload_valid = busy & part == LAST_PART;
      assign payload = joined[WIDTH-1:0];
      wire keeps = ready & ~loaded & part != LAST_PART;
      always @(posedge clk) begin
        if (rst | clear | restart | moves) part <= 5'd0;
        else if (keeps) part <= part + 5'd1;
        // Parts of a key do not stay behind.
        if (rst | clear | restart | moves) kept <= {32*PARTS-32{1'b0}};
        else if (keeps) kept <= TOP_FIRST != 0 ? joined[32*PARTS-33:0] : joined[32*PARTS-1:32];
      end
    end
  endgenerate
endmodule
