// SPDX-License-Identifier: Apache-2.0
{% if "spare" not in unread %}
// Which bytes of a beat count, and how many bits of the last one do not, from the bits that count,
// which are the first ones of the beat: the first bit of each byte is its bit 0 here.
{% else %}
// Which bytes of a beat count, from the bits that count, which are the first ones of the beat: the
// first bit of each byte is its bit 0 here.
{% endif %}

module stream_bytes #(
  parameter BYTES = 1
) (
  input  wire [8*BYTES-1:0] bits,
{% if "spare" not in unread %}
  output wire         [2:0] spare,
{% endif %}
  output wire   [BYTES-1:0] bytes
);
  genvar place;
  generate
    for (place = 0; place < BYTES; place = place + 1) begin : of_byte
      assign bytes[place] = bits[8*place];
    end
  endgenerate
{% if "spare" not in unread %}

  assign spare = uncounted(bits);

  // How many bits of a byte do not count, of the one byte of which some do and some do not.
  function [2:0] uncounted(input [8*BYTES-1:0] counted);
    integer each, used;
    begin
      uncounted = 3'd0;
      for (each = 0; each < BYTES; each = each + 1)
        for (used = 1; used < 8; used = used + 1)
          if (counted[8*each + used - 1] & ~counted[8*each + used])
            uncounted = uncounted | ~used[2:0] + 3'd1;
    end
  endfunction
{% else %}
  wire unused = &{1'b0, bits};
{% endif %}
endmodule
