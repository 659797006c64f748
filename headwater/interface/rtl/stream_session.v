// SPDX-License-Identifier: Apache-2.0
// When a packet of key and IV may go in, and what has gone in. With MESSAGES it waits until the message
// before is over. Else it ends the keystream before, but not while an offered beat waits to be taken,
// nor before the core has all words of the packet before.

module stream_session #(
{% if "user" in unread %}
  parameter MESSAGES = 0
{% else %}
  parameter MESSAGES = 0,
  parameter USERS = 1
{% endif %}
) (
  input  wire             clk,
  input  wire             rst,
  input  wire             abandoned,          // the packet that comes will not be complete
  output wire             abandon,            // what of it has gone in is forgotten
  input  wire             load_valid,
  output wire             load_ready,
  input  wire             load_last,
{% if "user" not in unread %}
  input  wire [USERS-1:0] load_user,
{% endif %}
  output wire             go_valid,
  input  wire             go_ready,
  input  wire             waiting,            // a beat is offered and not taken
  input  wire             ended,              // the core takes its last load word
{% if "user" not in unread %}
  output reg  [USERS-1:0] user,               // of the packet that has gone in
{% endif %}
{% if "loaded" not in unread %}
  output reg              loaded,             // the core has key and IV
{% endif %}
{% if "busy" not in unread %}
  output wire             busy,               // a load has begun, or a message is not over
{% endif %}
  input  wire             over                // the message is over
);
  reg begun, awaits;
  wire free = begun | (~awaits & (MESSAGES != 0 | ~waiting));
  wire taken = load_valid & load_ready;

  // A packet of which nothing has gone in leaves the core and its message alone.
  assign abandon = abandoned & begun;
  assign go_valid = load_valid & free;
  assign load_ready = go_ready & free;
{% if "busy" not in unread %}
  assign busy = begun | awaits;
{% endif %}

  always @(posedge clk)
    if (rst) begin
      begun <= 1'b0;
      awaits <= 1'b0;
{% if "loaded" not in unread %}
      loaded <= 1'b0;
{% endif %}
{% if "user" not in unread %}
      user <= {USERS{1'b0}};
{% endif %}
    end else begin
      if (abandon) begun <= 1'b0;
      else if (go_valid) begun <= ~(taken & load_last);
      awaits <= (awaits | (taken & load_last)) & ~(MESSAGES != 0 ? over : ended);
{% if "loaded" not in unread %}
      if (ended) loaded <= 1'b1;
      else if (go_valid & ~begun) loaded <= 1'b0;
{% endif %}
{% if "user" not in unread %}
      if (taken) user <= load_user;
{% endif %}
    end
endmodule
