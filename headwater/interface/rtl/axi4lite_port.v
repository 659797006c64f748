// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite, 32 bits, to request and grant. All its outputs are registers. Of each direction one
// access goes on while the next one may wait; where both wait for their grants they take turns, so
// that neither can hold up the other. Writes of less than a word are answered with SLVERR and do
// nothing. Data is forgotten as soon as it is handed on.

module axi4lite_port (
  input  wire        clk,
  input  wire        rst,
  input  wire  [7:0] s_axi_awaddr,
  input  wire  [2:0] s_axi_awprot,
  input  wire        s_axi_awvalid,
  output wire        s_axi_awready,
  input  wire [31:0] s_axi_wdata,
  input  wire  [3:0] s_axi_wstrb,
  input  wire        s_axi_wvalid,
  output wire        s_axi_wready,
  output reg   [1:0] s_axi_bresp,
  output reg         s_axi_bvalid,
  input  wire        s_axi_bready,
  input  wire  [7:0] s_axi_araddr,
  input  wire  [2:0] s_axi_arprot,
  input  wire        s_axi_arvalid,
  output wire        s_axi_arready,
  output reg  [31:0] s_axi_rdata,
  output wire  [1:0] s_axi_rresp,
  output reg         s_axi_rvalid,
  input  wire        s_axi_rready,
  output wire        bus_req,
  input  wire        bus_gnt,
  output wire        bus_we,
  output wire  [7:2] bus_addr,
  output wire [31:0] bus_wdata,
  input  wire        bus_rvalid,
  input  wire [31:0] bus_rdata
);
  localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10;

  // What has been taken and not been carried out.
  reg aw_held, w_held, ar_held;
  reg [7:2] write_addr, read_addr;
  reg [31:0] write_data;
  reg [3:0] strobes;
  wire takes_address = s_axi_awvalid & s_axi_awready;
  wire takes_data = s_axi_wvalid & s_axi_wready;
  wire takes_read = s_axi_arvalid & s_axi_arready;

  reg reads_turn;
  wire written = aw_held & w_held & ~s_axi_bvalid;
  wire whole = strobes == 4'hf;
  wire writes = written & whole;
  wire reads = ar_held & ~s_axi_rvalid;
  wire write_ends = written & (~whole | (bus_gnt & bus_we));
  wire read_ends = bus_req & bus_gnt & ~bus_we;

  assign bus_req = writes | reads;
  assign bus_we = writes & ~(reads & reads_turn);
  assign bus_addr = bus_we ? write_addr : read_addr;
  assign bus_wdata = write_data;
  assign s_axi_awready = ~aw_held;
  assign s_axi_wready = ~w_held;
  assign s_axi_arready = ~ar_held;
  assign s_axi_rresp = OKAY;

  always @(posedge clk) begin
    if (rst) begin
      aw_held <= 1'b0;
      w_held <= 1'b0;
      ar_held <= 1'b0;
      write_data <= 32'd0;
      reads_turn <= 1'b0;
      s_axi_bvalid <= 1'b0;
      s_axi_rvalid <= 1'b0;
      s_axi_rdata <= 32'd0;
    end else begin
      if (writes & reads) reads_turn <= ~reads_turn;

      if (write_ends) aw_held <= 1'b0;
      else if (takes_address) aw_held <= 1'b1;
      if (write_ends) begin
        w_held <= 1'b0;
        write_data <= 32'd0;
      end else if (takes_data) begin
        w_held <= 1'b1;
        write_data <= s_axi_wdata;
      end
      if (write_ends) s_axi_bvalid <= 1'b1;
      else if (s_axi_bready) s_axi_bvalid <= 1'b0;

      if (read_ends) ar_held <= 1'b0;
      else if (takes_read) ar_held <= 1'b1;
      if (s_axi_rvalid & s_axi_rready) begin
        s_axi_rvalid <= 1'b0;
        s_axi_rdata <= 32'd0;
      end else if (bus_rvalid) begin
        s_axi_rvalid <= 1'b1;
        s_axi_rdata <= bus_rdata;
      end
    end
    if (takes_address) write_addr <= s_axi_awaddr[7:2];
    if (takes_data) strobes <= s_axi_wstrb;
    if (takes_read) read_addr <= s_axi_araddr[7:2];
    if (write_ends) s_axi_bresp <= whole ? OKAY : SLVERR;
  end

  wire unused = &{1'b0, s_axi_awprot, s_axi_arprot, s_axi_awaddr[1:0], s_axi_araddr[1:0]};
endmodule
