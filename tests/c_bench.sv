// SPDX-License-Identifier: Apache-2.0
// A core and its model in C beside each other under random inputs, and the functions that take bytes.
module bench;
  import trivium_r64_dpi::*;

  reg clk = 0, rst = 1, load_valid = 0, keystream_ready = 0, clear = 0;
  reg [63:0] load_payload = 0;
  wire load_ready, keystream_valid;
  wire [63:0] keystream_payload;
  longint unsigned c_load_ready, c_payload, c_valid;
  byte unsigned key[10], iv[10], out[16], first;
  chandle core, session;
  integer differences = 0, offered = 0, refused = 0;

  trivium_r64 dut (
    .clk(clk), .rst(rst), .load_payload(load_payload), .load_valid(load_valid), .load_ready(load_ready),
    .keystream_payload(keystream_payload), .keystream_valid(keystream_valid),
    .keystream_ready(keystream_ready), .clear(clear));

  initial begin
    core = trivium_r64_dpi_open();
    for (integer cycle = 0; cycle < 2000; cycle = cycle + 1) begin
      rst = cycle < 2;
      clear = cycle % 400 == 399;
      load_valid = cycle % 400 < 8 && $urandom % 2 == 0;
      keystream_ready = $urandom % 2 == 0;
      load_payload = {$urandom, $urandom};
      #1;
      trivium_r64_dpi_cycle(core, {63'b0, rst}, load_payload, {63'b0, load_valid}, {63'b0, keystream_ready},
          {63'b0, clear}, c_load_ready, c_payload, c_valid);
      if (cycle > 0 && (c_load_ready != {63'b0, load_ready} || c_payload != keystream_payload
          || c_valid != {63'b0, keystream_valid})) differences = differences + 1;
      offered = offered + {31'b0, keystream_valid};
      clk = 1;
      #1;
      clk = 0;
    end
    trivium_r64_dpi_close(core);
    session = trivium_r64_dpi_open();
    for (integer i = 0; i < 10; i = i + 1) begin
      key[i] = i == 0 ? 8'h80 : 8'h00;
      iv[i] = 8'h00;
    end
    refused = trivium_r64_dpi_init(session, key, iv, 81);
    if (trivium_r64_dpi_init(session, key, iv, 80) != 0) $display("init failed");
    if (trivium_r64_dpi_keystream(session, out, 16) != 0) $display("no keystream");
    trivium_r64_dpi_close(session);
    $display("%0d differences in cycles, %0d words offered, refused %0d", differences, offered, refused);
    for (integer i = 0; i < 16; i = i + 1) $write("%02x", out[i]);
    $display;
    $finish;
  end
endmodule
