  localparam [7:0]
{% for register in registers %}
    ${register.name} = 8'h${"%02x" % register.address}${";" if loop.last else ","}
{% endfor %}

  task automatic pause;
    if (chance[7]) repeat (1 + {30'd0, chance[1:0]}) tick;
  endtask

  task automatic fail(
    input [8*8-1:0] what, input [7:0] place, input [31:0] given, input [31:0] expected
  );
    begin
      $display("FAIL: ${top}, comparison %0d: %0s %h gives %h instead of %h",
               checks, what, place, given, expected);
      $fatal(1);
    end
  endtask

{% include "testbench_" ~ bus ~ ".sv" %}
  task automatic check(input [7:0] register, input [31:0] mask, input [31:0] expected);
    reg [31:0] word;
    begin
      read(register, word);
      checks = checks + 1;
      if ((word & mask) !== expected) fail("register", register, word & mask, expected);
    end
  endtask

  // Reads a register until one of these bits is set.
  task automatic wait_for(input [7:0] register, input [31:0] mask);
    reg [31:0] word;
    begin
      word = 32'd0;
      while ((word & mask) == 32'd0) read(register, word);
    end
  endtask

  task automatic check_irq(input expected);
    begin
      tick;
      checks = checks + 1;
      if (irq !== expected) fail("irq", 8'd0, {31'd0, irq}, {31'd0, expected});
    end
  endtask

