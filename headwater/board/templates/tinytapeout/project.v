// SPDX-License-Identifier: Apache-2.0
// ${core} on Tiny Tapeout, through a window of eight bits. ${readme}
`default_nettype none

module ${top} (
  input  wire [7:0] ui_in,                    // a byte in
  output wire [7:0] uo_out,                   // a byte out
  input  wire [7:0] uio_in,                   // 0 strobe, 3:1 address
  output wire [7:0] uio_out,                  // 4 busy, 5 and 6 words out, 7 load is awaited
  output wire [7:0] uio_oe,
  input  wire       ena,
  input  wire       clk,
  input  wire       rst_n
);
  assign uio_oe = 8'hf0;
  wire rst = !rst_n;

  // A strobe may come at any time; what it says must stand until some cycles later.
  reg [2:0] strobe;
  always @(posedge clk) strobe <= rst ? 3'd0 : {strobe[1:0], uio_in[0]};
  wire acts = strobe[1] && !strobe[2];
  wire [2:0] address = uio_in[3:1];

  reg [${word_bits - 1}:0] word;
  reg [7:0] marks, select;
{% for stream in inputs %}
  reg  ${stream.name}_valid;
  wire ${stream.name}_ready;
{% endfor %}
{% for stream in outputs %}
{% for name, width in stream.wires.items() %}
  wire [${width - 1}:0] ${stream.name}_${name};
{% endfor %}
  wire ${stream.name}_valid;
  reg  ${stream.name}_ready;
{% endfor %}
{% for name in controls %}
  reg  ${name};
{% endfor %}

  always @(posedge clk) begin
    if (acts && address == 3'd${addresses.word}) word <= ${"ui_in" if word_bits == 8 else "{ui_in, word[" ~ (word_bits - 1) ~ ":8]}"};
{% for stream in inputs %}
    if (${stream.name}_ready) ${stream.name}_valid <= 1'b0;
    if (acts && address == 3'd${stream.address}) begin
      ${stream.name}_valid <= 1'b1;
      marks <= ui_in;
    end
{% endfor %}
{% for stream in outputs %}
    if (${stream.name}_valid) ${stream.name}_ready <= 1'b0;
    if (acts && address == 3'd${stream.address}) ${stream.name}_ready <= 1'b1;
{% endfor %}
    if (acts && address == 3'd${addresses.select}) select <= ui_in;
{% if "clear" in controls %}
    clear <= acts && address == 3'd${addresses.control} && ui_in[0];
{% endif %}
{% if "decrypt" in controls %}
    if (acts && address == 3'd${addresses.control}) decrypt <= ui_in[1];
{% endif %}
    if (rst) begin
      word <= ${word_bits}'d0;
      marks <= 8'd0;
      select <= 8'd0;
{% for stream in inputs %}
      ${stream.name}_valid <= 1'b0;
{% endfor %}
{% for stream in outputs %}
      ${stream.name}_ready <= 1'b0;
{% endfor %}
{% for name in controls %}
      ${name} <= 1'b0;
{% endfor %}
    end
  end

  // What is shown: a byte of a word out, or its marks.
  reg [${shown_bits - 1}:0] shown;
  always @* begin
    case (select[7:5])
{% for stream in outputs %}
      3'd${2 * loop.index0}: shown = ${stream.payload};
{% if stream.marks %}
      3'd${2 * loop.index0 + 1}: shown = ${stream.marks};
{% endif %}
{% endfor %}
      default: shown = ${shown_bits}'d0;
    endcase
  end
  wire [${shown_bits - 1}:0] lowest = shown >> {select[4:0], 3'd0};
  assign uo_out = lowest[7:0];
  assign uio_out = {load_ready, ${(outputs[1].name ~ "_valid") if outputs | length > 1 else "1'b0"}, ${outputs[0].name}_valid, ${inputs | map(attribute="valid") | join(" | ")}, 4'd0};

  ${core} core (
{% for port, wire in connections.items() %}
    .${port}(${wire})${"" if loop.last else ","}
{% endfor %}
  );

  wire unused = &{1'b0, ena, uio_in[7:4], marks, lowest};
endmodule
