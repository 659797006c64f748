// SPDX-License-Identifier: Apache-2.0
// ${core} on ${board.title}: a self-test of one vector, again and again. What it tells is sent at
// ${baud} baud, eight bits, no parity, one stop bit. The LED shines if the last test passed.

module ${top} #(
  parameter REST_BITS = 24                    // between two tests are 2^REST_BITS cycles
) (
  input  wire clk,                            // ${oscillator} MHz
  output wire uart_tx,
  output wire led
);
{% if clock.pll %}
  wire fast, locked;                          // ${clock.mhz} MHz
{% include "pll_" ~ board.family.name ~ ".v" %}
{% else %}
  wire fast = clk, locked = 1'b1;
{% endif %}

  // Configuration leaves zeros: the reset ends some cycles after it.
  reg [3:0] awake = 4'd0;
  reg [REST_BITS-1:0] rest = {REST_BITS{1'b0}};
  reg again = 1'b0, shines = 1'b0;
  wire rst = !awake[3] || again;
  wire done, passed;
  always @(posedge fast) begin
    if (!locked) awake <= 4'd0;
    else if (!awake[3]) awake <= awake + 4'd1;
    rest <= done && !rst ? rest + {{(REST_BITS-1){1'b0}}, 1'b1} : {REST_BITS{1'b0}};
    again <= &rest;
    if (done && !rst) shines <= passed;
  end

  wire [7:0] char;
  wire char_valid, char_ready;
  ${core}_selftest selftest (
    .clk(fast), .rst(rst), .char(char), .char_valid(char_valid), .char_ready(char_ready),
    .done(done), .passed(passed)
  );
  uart_tx #(.CYCLES(${cycles})) uart (
    .clk(fast), .rst(!awake[3]), .char(char), .char_valid(char_valid), .char_ready(char_ready),
    .tx(uart_tx)
  );
  assign led = ${"shines" if board.led_on else "!shines"};
endmodule
