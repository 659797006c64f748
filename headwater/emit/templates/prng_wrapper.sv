// SPDX-License-Identifier: Apache-2.0
{% if at_once %}
// ${top} with ports named by direction, and a reset that is low while active: it acts at once, and lasts until two
// clock edges after its end.
{% else %}
// ${top} with ports named by direction, and a reset that is low while active, taken at the clock edge.
{% endif %}

module ${top}_wrapper (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic en_i,
  output logic ${prng}prng_o,
  output logic prng_valid_o,
  input  logic seed_valid_i,
  output logic seed_ready_o,
  input  logic ${seed}seed_i,
  input  logic restart_i${"," if state_words or watched}
{% if state_words %}
  input  logic state_write_i,
  input  logic ${index}state_word_i,
  input  logic ${seed}state_i,
  output logic ${seed}state_o${"," if watched}
{% endif %}
{% if watched %}
  output logic err_o
{% endif %}
);

  ${top} u_prng (
    .clk       (clk_i),
    .rst       (~rst_ni),
    .en        (en_i),
    .prng      (prng_o),
    .prng_valid(prng_valid_o),
    .seed_valid(seed_valid_i),
    .seed_ready(seed_ready_o),
    .seed      (seed_i),
    .restart   (restart_i)${"," if state_words or watched}
{% if state_words %}
    .state_write(state_write_i),
    .state_word(state_word_i),
    .state_in  (state_i),
    .state_out (state_o)${"," if watched}
{% endif %}
{% if watched %}
    .error     (err_o)
{% endif %}
  );

endmodule
