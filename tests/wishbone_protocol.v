// SPDX-License-Identifier: Apache-2.0
// What Wishbone properties of answers, whatever the master, the core and the reset do: an answer is
// given in a cycle that asks for it, once for each access, and what is read is what was granted.
module protocol (
  input wire clk, input wire rst, input wire cyc, input wire stb, input wire we_in,
  input wire [7:2] adr, input wire [3:0] sel, input wire [31:0] dat, input wire gnt,
  input wire [31:0] core_data
);
  wire ack, err, req, we;
  wire [7:2] addr;
  wire [31:0] read, written;
  reg given, reset_seen = 1'b0;

  wishbone_port port (
    .clk(clk), .rst(rst), .wb_cyc_i(cyc), .wb_stb_i(stb), .wb_we_i(we_in), .wb_adr_i(adr),
    .wb_sel_i(sel), .wb_dat_i(dat), .wb_dat_o(read), .wb_ack_o(ack), .wb_err_o(err),
    .bus_req(req), .bus_gnt(gnt & req), .bus_we(we), .bus_addr(addr), .bus_wdata(written),
    .bus_rvalid(given), .bus_rdata(core_data)
  );

  // The access that is asked for, and how often the core has been asked to carry it out.
  reg waits, asked_we, granted;
  reg [7:2] asked_adr;
  reg [3:0] asked_sel;
  reg [31:0] asked_dat;
  wire asks = cyc & stb & ~rst;
  wire takes = req & gnt;
  always @(posedge clk) begin
    reset_seen <= 1'b1;
    given <= ~rst & takes & ~we;
    waits <= asks & ~(ack | err);
    granted <= asks & ~(ack | err) & (granted | takes);
    asked_we <= we_in;
    asked_adr <= adr;
    asked_sel <= sel;
    asked_dat <= dat;
  end

  always @* begin
    assume (reset_seen | rst);
    // A master keeps what it asks for until it is answered.
    if (waits & ~rst)
      assume (asks & we_in == asked_we & adr == asked_adr & sel == asked_sel & dat == asked_dat);
    if (reset_seen & ~rst) begin
      assert (~(ack & err));
      if (ack | err) assert (asks);
      if (err) assert (sel != 4'hf & ~takes);
      if (takes) assert (asks & ~granted & we == we_in & addr == adr & sel == 4'hf);
      if (takes & we) assert (ack & written == dat);
      if (ack & ~we_in) assert (granted & given & read == core_data);
      if (ack & we_in) assert (takes);
      assert (given == granted);
    end
  end
endmodule
