// SPDX-License-Identifier: Apache-2.0
module ${flat} (
  input  wire clk,
  input  wire rst,
  input  wire ${seed}load__payload,
  input  wire load__valid,
  output wire load__ready,
  output wire ${prng}keystream__payload,
  output wire keystream__valid,
  input  wire keystream__ready,
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
    .en(keystream__ready),
    .prng(keystream__payload),
    .prng_valid(keystream__valid),
    .seed_valid(load__valid),
    .seed_ready(load__ready),
    .seed(load__payload),
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
