// SPDX-License-Identifier: Apache-2.0
// Closes the gaps between the units of a packet: words that are filled in part go in, at the end of
// the associated data or at the beginning of the text, and full words come out, one in each cycle;
// only the last one of a packet may be filled in part. The units that count in a word are neighbours.
// What has left is overwritten with zeros.

module stream_pack #(
  parameter UNITS = 2,                        // of a word
  parameter DATA = 8,                         // bits of a unit
{% if "out_ad" not in unread %}
  parameter AD = 1,                           // its marks of associated data
{% endif %}
  parameter KEEP = 1                          // its marks of bits that count
) (
  input  wire                  clk,
  input  wire                  flush,
  input  wire [UNITS*DATA-1:0] in_data,
  input  wire [UNITS*KEEP-1:0] in_keep,
{% if "out_ad" not in unread %}
  input  wire   [UNITS*AD-1:0] in_ad,
{% endif %}
  input  wire                  in_last,
  input  wire                  in_valid,
  output wire                  in_ready,
  output wire [UNITS*DATA-1:0] out_data,
  output wire [UNITS*KEEP-1:0] out_keep,
{% if "out_ad" not in unread %}
  output wire   [UNITS*AD-1:0] out_ad,
{% endif %}
  output wire                  out_last,
  output wire                  out_valid,
  input  wire                  out_ready
);
  // Bits of a number below `count`.
  function integer bits_below(input integer count);
    for (bits_below = 0; 1 << bits_below < count; bits_below = bits_below + 1) ;
  endfunction
  localparam integer WIDTH = DATA + KEEP${" + AD" if "out_ad" not in unread}, BITS = bits_below(UNITS) + 1;
  localparam [BITS-1:0] ALL = UNITS[BITS-1:0];
  // Units with their marks; those that do not count are zero.
  wire [UNITS*WIDTH-1:0] given;
  reg [2*UNITS*WIDTH-WIDTH-1:0] joined;       // what is held, and what comes behind it
  wire [UNITS-1:0] counts;
  genvar each;
  generate
    for (each = 0; each < UNITS; each = each + 1) begin : unit
      assign counts[each] = |in_keep[KEEP*each +: KEEP];
      assign given[WIDTH*each +: WIDTH] = {WIDTH{counts[each]}} &
        {${"in_ad[AD*each +: AD], " if "out_ad" not in unread}in_keep[KEEP*each +: KEEP], in_data[DATA*each +: DATA]};
      assign {${"out_ad[AD*each +: AD], " if "out_ad" not in unread}out_keep[KEEP*each +: KEEP], out_data[DATA*each +: DATA]} =
        joined[WIDTH*each +: WIDTH];
    end
  endgenerate

  reg [BITS-1:0] gap, size;                   // units before those that count; how many count
  integer one;
  always @* begin
    gap = {BITS{1'b0}};
    size = {BITS{1'b0}};
    for (one = 0; one < UNITS; one = one + 1) begin
      if (size == {BITS{1'b0}} & ~counts[one]) gap = gap + 1'b1;
      if (counts[one]) size = size + 1'b1;
    end
  end

  reg [UNITS*WIDTH-WIDTH-1:0] held;
  reg [BITS-1:0] level;                       // units that are held
  reg ending;                                 // they are the last ones of a packet
  reg [UNITS*WIDTH-1:0] dense;
  integer place;
  always @* begin
    dense = given;
    for (place = 1; place < UNITS; place = place + 1)
      if (place[BITS-1:0] == gap) dense = given >> (WIDTH * place);
    if (ending) dense = {UNITS*WIDTH{1'b0}};
    joined = {{UNITS*WIDTH-WIDTH{1'b0}}, dense};
    for (place = 1; place < UNITS; place = place + 1)
      if (place[BITS-1:0] == level) joined = {{UNITS*WIDTH-WIDTH{1'b0}}, dense} << (WIDTH * place);
    joined = joined | {{UNITS*WIDTH{1'b0}}, held};
  end
  wire [BITS:0] total = {1'b0, level} + {1'b0, size};
  wire fills = total >= {1'b0, ALL};
  wire offers = ending | fills | in_last;
  wire moves = out_ready | ~offers;

  assign out_valid = ending | (in_valid & offers);
  assign out_last = ending | (in_last & total <= {1'b0, ALL});
  assign in_ready = moves & ~ending;

  wire taken = in_valid & in_ready;
  always @(posedge clk)
    if (flush | (ending & out_ready)) begin
      held <= {UNITS*WIDTH-WIDTH{1'b0}};
      level <= {BITS{1'b0}};
      ending <= 1'b0;
    end else if (taken) begin
      held <= offers ? joined[2*UNITS*WIDTH-WIDTH-1:UNITS*WIDTH] : joined[UNITS*WIDTH-WIDTH-1:0];
      level <= offers ? (fills ? total[BITS-1:0] - ALL : {BITS{1'b0}}) : total[BITS-1:0];
      ending <= in_last & ~out_last;
    end
endmodule
