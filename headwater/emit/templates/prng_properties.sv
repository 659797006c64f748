// SPDX-License-Identifier: Apache-2.0
// What ${top} promises, as assertions. Bind it in simulation, or prove it with ${top}.sby; no
// synthesis reads it.

module ${top}_properties (
  input wire ${clk}clk,
  input wire ${clk}rst,
  input wire ${clk}en,
  input wire ${prng}prng,
  input wire ${clk}prng_valid,
  input wire ${clk}seed_valid,
  input wire ${clk}seed_ready,
  input wire ${clk}restart
);

  // Seed words taken since the last restart, up to a whole seed; clocks passed since then.
  reg [15:0] words = 16'd0, clocks = 16'd0;
  reg past = 1'b0, seen = 1'b0, valid_before = 1'b0, en_before = 1'b0;
  reg ${prng}prng_before = ${bits}'d0;
  wire whole = words == 16'd${words};

  always @(posedge clk) begin
    past <= ~rst & ~restart;
    seen <= seen | rst;
    valid_before <= prng_valid;
    en_before <= en;
    prng_before <= prng;
    if (rst || restart) begin
      words <= 16'd0;
      clocks <= 16'd0;
    end else begin
      if (seed_valid && seed_ready && !whole) words <= words + 16'd1;
      if (whole && clocks != 16'd${setup}) clocks <= clocks + 16'd1;
    end
  end

  always @(posedge clk)
    if (seen && past) begin
      // No output before a whole seed and the setup, and no later than that.
      no_output_before_seed: assert (prng_valid == (clocks == 16'd${setup}));
      // Without en, the output holds.
      holds: assert (!valid_before || en_before || prng == prng_before);
      // The output stays valid.
      stays_valid: assert (!valid_before || prng_valid);
      // A seed word that comes while bits are made is taken at once.
      reseeds_at_once: assert (!prng_valid || restart || !seed_valid || ${"part != 0 || seed_ready" if false else "words == 16'd%d" % words});
    end

endmodule

bind ${top} ${top}_properties properties (.*);
