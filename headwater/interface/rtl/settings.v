// SPDX-License-Identifier: Apache-2.0
// The registers that software sets and reads without waiting, and what interrupts. What the other
// registers here hold is constant: it tells this coprocessor from others.

module settings (
  input  wire        clk,
  input  wire        rst,
  input  wire        clear,
{% if decrypt %}
  input  wire        flush,                   // no key is loaded, or a load begins
{% endif %}
  input  wire  [7:2] address,
  input  wire        written,
  input  wire  [${setting_bits - 1}:0] value,
  output reg  [31:0] given,
  input  wire        word_valid,
{% if tag %}
  input  wire        word_tag,
  input  wire        compared,                // a comparison with a tag is complete
{% endif %}
  input  wire        loaded,
{% if dma %}
  input  wire        dma_busy,
{% endif %}
{% if decrypt %}
  output reg         decrypt,                 // for the core: constant while a key is loaded
{% endif %}
{% if text %}
  output reg   [2:0] spare,
{% endif %}
  output wire        irq
);
{% for name, number in addresses.items() %}
  localparam [7:2] ${name} = 6'd${number};
{% endfor %}
{% set top = events - 1 %}

  // Bits of IRQ_STATUS: that a word can be read is a state, the others stay until they are cleared.
  reg [${top}:0] enabled;
  reg [${top}:1] happened, earlier;
{% if dma %}
  wire [3:1] now = {~dma_busy, 1'b0, loaded};
  wire [3:1] happens = now & ~earlier;
{% elif tag %}
  wire [2:1] now = {word_valid & word_tag, loaded};
  wire [2:1] happens = (now & ~earlier) | {compared, 1'b0};
{% else %}
  wire [1:1] now = loaded;
  wire [1:1] happens = now & ~earlier;
{% endif %}
  wire [${top}:0] seen = {happened, word_valid};
  wire [${top}:1] cleared = written & address == IRQ_STATUS ? value[${top}:1] : ${top}'d0;
  assign irq = |(enabled & seen);

  always @(posedge clk) begin
    if (rst) enabled <= ${events}'d0;
    else if (written & address == IRQ_ENABLE) enabled <= ${"{value[3], 1'b0, value[1:0]}" if dma else "value[%d:0]" % top};
    earlier <= rst ? ${top}'b${"100" if dma else "0" * top} : now;
    happened <= rst | clear ? ${top}'d0 : (happened & ~cleared) | happens;
  end
{% if decrypt %}

  reg decrypts;
  always @(posedge clk) begin
    if (rst) decrypts <= 1'b0;
    else if (written & address == CONTROL) decrypts <= ${field.CONTROL.DECRYPT};
    if (rst) decrypt <= 1'b0;
    else if (flush) decrypt <= decrypts;
  end
{% endif %}
{% if text %}

  always @(posedge clk)
    if (rst) spare <= 3'd0;
    else if (written & address == TEXT_SPARE) spare <= ${field.TEXT_SPARE.BITS};
{% endif %}

  always @*
    case (address)
{% for name, expression in read.items() %}
      ${name}: given = ${expression};
{% endfor %}
      default: given = 32'd0;
    endcase
endmodule
