// SPDX-License-Identifier: Apache-2.0
module ${flat} (
  input  wire clk,
  input  wire rst,
  input  wire ${seed}load_payload,
  input  wire load_valid,
  output wire load_ready,
  output wire ${prng}keystream_payload,
  output wire keystream_valid,
  input  wire keystream_ready,
  input  wire clear${"," if state_words or watched}
{% if state_words %}
  input  wire state_write,
  input  wire ${index}state_word,
  input  wire ${seed}state_in,
  output wire ${seed}state_out${"," if watched}
{% endif %}
{% if watched %}
  output wire error
{% endif %}
);
  ${top} source (
    .clk(clk),
    .rst(rst),
    .en(keystream_ready),
    .prng(keystream_payload),
    .prng_valid(keystream_valid),
    .seed_valid(load_valid),
    .seed_ready(load_ready),
    .seed(load_payload),
    .restart(clear)${"," if state_words or watched}
{% if state_words %}
    .state_write(state_write),
    .state_word(state_word),
    .state_in(state_in),
    .state_out(state_out)${"," if watched}
{% endif %}
{% if watched %}
    .error(error)
{% endif %}
  );
endmodule
