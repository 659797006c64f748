${head}
//
// ${source}, random bits of ${title}, with registers on a bus; ${top}_registers.md tells of them.
//
// en          as of the source: the next clock edge brings new bits
// prng        random bits for hardware, without meaning while prng_valid is low
// prng_valid  a whole seed is in, its setup is over, and software has set ENABLE
// error       a state was stuck at zero; stays until a restart
//
// A word for software is made of bits of cycles without en, in which hardware uses none: prng then changes without en,
// ${"in one cycle" if fills == 1 else "in %d cycles" % fills} for each word. It is kept here until it is read, and forgotten with ENABLE, a restart or an error.
// A seed word is not kept here at all, and SEED reads as zero.

module ${top} (
{% for line in ports %}
${line}
{% endfor %}
);
{% for name, value in clocking.items() %}
  wire ${name} = ${value};
{% endfor %}
{% for port in wires %}
  ${port.wire};
{% endfor %}
{% if adapter %}

  ${adapter} translation (
    .clk(clk),
    .rst(rst),
{% for name in connections %}
    .${name}(${name})${"," if not loop.last}
{% endfor %}
  );
{% endif %}

  wire writes = bus_req & bus_we;
  wire controls = writes & bus_addr == ${address.CONTROL};
  wire restart = controls & ${written.CONTROL.RESTART};
  wire seeds = writes & bus_addr == ${address.SEED};
  wire seed_ready, valid;
  assign bus_gnt = bus_req & (~seeds | seed_ready);

  reg enable;
  assign prng_valid = valid & enable;
  always @(posedge clk)
    if (rst) enable <= 1'b0;
    else if (controls) enable <= ${written.CONTROL.ENABLE};

  // Words of a whole seed that are still to come.
  reg [${word_bits - 1}:0] expected;
  wire setting_up = expected == ${word_bits}'d0 & ~valid;
  always @(posedge clk)
    if (rst || restart) expected <= ${word_bits}'d${words};
    else if (seeds && seed_ready && expected != ${word_bits}'d0) expected <= expected - ${word_bits}'d1;

  // The word for software.
  reg full;
  reg [31:0] word;
  wire forgets = rst | restart | ~prng_valid | error;
  wire pops = bus_req & ~bus_we & bus_addr == ${address.RANDOM} & full;
  wire fills = ~full & ~en & ~forgets;
{% if fills > 1 %}
  reg [${fill_bits - 1}:0] filled;
  wire last_fill = filled == ${fill_bits}'d${fills - 1};
  always @(posedge clk)
    if (forgets) filled <= ${fill_bits}'d0;
    else if (fills) filled <= last_fill ? ${fill_bits}'d0 : filled + ${fill_bits}'d1;
{% endif %}
  always @(posedge clk)
    if (forgets || pops) begin
      full <= 1'b0;
      word <= 32'd0;
    end else if (fills) begin
      full <= ${"last_fill" if fills > 1 else "1'b1"};
{% if taken < 32 %}
      word <= {prng, word[31:${taken}]};
{% else %}
      word <= prng[31:0];
{% endif %}
    end

  wire [31:0] value =
{% for name, given in read.items() %}
    bus_addr == ${address[name]} ? ${given} :
{% endfor %}
    32'd0;
  reg rvalid;
  reg [31:0] rdata;
  assign bus_rvalid = rvalid;
  assign bus_rdata = rdata;
  always @(posedge clk)
    if (rst) begin
      rvalid <= 1'b0;
      rdata <= 32'd0;
    end else begin
      rvalid <= bus_gnt & ~bus_we;
      rdata <= bus_req & ~bus_we ? value : 32'd0;
    end

  ${source} source (
    .clk(clk),
    .rst(rst),
    .en((en & enable) | fills),
    .prng(prng),
    .prng_valid(valid),
    .seed_valid(seeds),
    .seed_ready(seed_ready),
    .seed(bus_wdata),
    .restart(restart),
    .error(error)
  );
endmodule
