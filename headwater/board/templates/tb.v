// SPDX-License-Identifier: Apache-2.0
// Decodes what ${top} sends, as a terminal does, and compares it with the vector. It sees the pins
// alone: it takes the Verilog, or, with PLACED defined, the netlist that place and route wrote.
// Prints PASS; or FAIL and why, and ends with $fatal.
`timescale 1ns / 1ps

module ${top}_tb;
  localparam real HALF = 500.0 / ${oscillator};         // of a period of the oscillator, in ns
  localparam real BIT = 1.0e9 / ${baud};           // of a bit on the line
  localparam LENGTH = ${length};
`ifdef PLACED
  localparam TESTS = 1;
`else
  localparam TESTS = 2;                       // the second one after a rest
`endif
  reg [8*LENGTH-1:0] text = {
{% for line in lines %}
    "${line}\015\012"${"" if loop.last else ","}
{% endfor %}
  };
  reg clk = 1'b0;
  wire pin = clk;                             // a pad may be driven from both sides
  wire uart_tx, led;
  always #(HALF) clk = ~clk;

  ${top}
`ifndef PLACED
    #(.REST_BITS(8))
`endif
    board (.clk(pin), .uart_tx(uart_tx), .led(led));

  integer test, place, number;
  reg [7:0] char, previous, expected;
  initial begin
    #(HALF * 8);
    for (test = 0; test < TESTS; test = test + 1)
      for (place = 0; place < LENGTH; place = place + 1) begin
        @(negedge uart_tx);
        #(BIT / 2);
        if (uart_tx !== 1'b0) begin
          $display("\nFAIL: no start bit before character %0d", place);
          $fatal(1);
        end
        for (number = 0; number < 8; number = number + 1) begin
          #(BIT);
          char[number] = uart_tx;
        end
        #(BIT);
        expected = text[8*(LENGTH-1-place) +: 8];
        if (uart_tx !== 1'b1 || char !== expected) begin
          $display("\nFAIL: character %0d is %h, not %h", place, char, expected);
          $fatal(1);
        end
        if (place == 0 || previous == 8'h0a) $write("| ");
        $write("%c", char);
        previous = char;
      end
    #(BIT * 4);
    if (led !== 1'b${board.led_on}) begin
      $display("FAIL: the LED does not shine");
      $fatal(1);
    end
    $display("PASS: ${top}, characters as the vector has them: %0d", TESTS * LENGTH);
    $finish;
  end

  initial begin
    repeat (${limit_bits}) #(BIT);
    $display("\nFAIL: ${top} sends nothing more");
    $fatal(1);
  end
endmodule
