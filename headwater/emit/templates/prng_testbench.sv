// SPDX-License-Identifier: Apache-2.0
// Tests ${top}: what goes in at random moments, and what the model says must come out. Marks let the
// states of cores be zero, as after a fault. Prints PASS; or FAIL and where, and ends with $fatal.
{% if by_state %}
// A whole seed is the whole state of the core.
{% endif %}

module ${top}_tb;
  localparam integer CYCLES = ${rows|length};
  reg clk = 1'b0, rst = 1'b1, en = 1'b0, restart = 1'b0, seed_valid = 1'b0;
  reg [${seed_width - 1}:0] seed = ${seed_width}'d0;
  wire [${bits - 1}:0] prng;
  wire prng_valid, seed_ready${", error" if watched};
{% if state_words %}
  reg state_write = 1'b0;
  reg ${index}state_word = ${index_bits}'d0;
  reg ${seed}state_in = ${seed_width}'d0;
  wire ${seed}state_out;
  reg ${seed}expected_state;
{% endif %}
  // Expected: prng, ${"error, " if watched}valid, ready; given: seed, its valid, restart, en, reset, zero.
  reg [${width - 1}:0] rows [0:CYCLES-1];
  reg [${bits - 1}:0] expected;
  reg ${"expected_error, " if watched}expected_valid, expected_ready;
  reg [${instances - 1}:0] zero;
  integer cycle;

  ${top} dut (
    .clk(clk), .rst(rst), .en(en), .prng(prng), .prng_valid(prng_valid), .seed_valid(seed_valid),
    .seed_ready(seed_ready), .seed(seed), .restart(restart)${"," if state_words or watched}
{% if state_words %}
    .state_write(state_write), .state_word(state_word), .state_in(state_in), .state_out(state_out)${"," if watched}
{% endif %}
{% if watched %}
    .error(error)
{% endif %}
  );

  initial begin
{% for row in rows %}
    rows[${loop.index0}] = ${width}'h${row};
{% endfor %}
    #1 clk = 1'b1;
    #1 clk = 1'b0;
    for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
      {${"expected_state, state_in, state_word, state_write, " if state_words}expected, ${"expected_error, " if watched}expected_valid, expected_ready, seed, seed_valid, restart, en, rst, zero}
        = rows[cycle];
{% for number in range(instances) %}
      if (zero[${number}]) begin
{% for register, length in registers.items() %}
        dut.core_${number}.${register} = ${length}'d0;
{% endfor %}
      end
{% endfor %}
      #1;
      if (${"error !== expected_error || " if watched}prng_valid !== expected_valid || seed_ready !== expected_ready
{% if state_words %}
          || (expected_valid && state_out !== expected_state)
{% endif %}
          || (expected_valid && prng !== expected)) begin
        $display("FAIL: cycle %0d", cycle);
        $fatal(1);
        cycle = 2 * CYCLES;
      end
      clk = 1'b1;
      #1 clk = 1'b0;
    end
    if (cycle == CYCLES) $display("PASS: %0d cycles", CYCLES);
    $finish;
  end
endmodule
