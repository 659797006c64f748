
// A clock of TIMES / PARTS of the frequency of another one.
module pll_model #(parameter TIMES = 1, PARTS = 1) (input in, output reg out, output reg locked);
  realtime edge_ns = 0, period = 0;
  integer periods = 0;
  initial begin
    out = 1'b0;
    locked = 1'b0;
  end
  always @(posedge in) begin
    period = $realtime - edge_ns;
    edge_ns = $realtime;
    periods = periods < 16 ? periods + 1 : periods;
    locked <= periods == 16;
  end
  always begin
    wait (periods > 2);
    #(period * PARTS / TIMES / 2) out = !out;
  end
endmodule
