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
  input  wire clear,
  output wire error
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
    .restart(clear),
    .error(error)
  );
endmodule
