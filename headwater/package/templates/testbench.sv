// SPDX-License-Identifier: Apache-2.0
// Tests ${top} through its own ports, with pauses at random places. The words expected
// are the model's. Prints PASS; or FAIL and why, and ends with $fatal.

module ${top}_tb;
{% for port in ports %}
  ${"reg " if port.direction == "input" else "wire"} ${port.span + " " if port.span}${port.name}${" = 0" if port.direction == "input" and not loop.first and port.name != reset};
{% endfor %}

  ${top} dut (
{% for port in ports %}
    .${port.name}(${port.name})${"," if not loop.last}
{% endfor %}
  );

  integer checks = 0;
  initial {${clock}, ${reset}} = 2'b0${initial};
  reg [31:0] chance;                          // a shift-register sequence

  always #5 ${clock} = ~${clock};
  initial chance = 32'h00000001;
  always @(posedge ${clock})
    chance <= {chance[30:0], chance[31] ^ chance[21] ^ chance[1] ^ chance[0]};

  // Inputs change, and outputs are looked at, between the edges that the design sees.
  task automatic tick;
    @(negedge ${clock}) #1;
  endtask

{% include "testbench_registers.sv" %}
{% if dma %}
  // A memory that lets the DMA wait.
  reg [31:0] memory [0:63];
  always @(posedge ${clock}) begin
    dma_gnt <= chance[4];
    if (dma_req & dma_gnt) memory[dma_addr[7:2]] <= dma_wdata;
  end

  task automatic check_memory(input [7:0] place, input [31:0] expected);
    begin
      checks = checks + 1;
      if (memory[place[5:0]] !== expected) fail("memory", place, memory[place[5:0]], expected);
    end
  endtask

{% endif %}
  initial begin
    repeat (4) tick;
    ${reset} = ${released};
    tick;
{% for line in script %}
    ${line}
{% endfor %}
    $display("PASS: ${top}, comparisons with the model: %0d", checks);
    $finish;
  end

  initial begin
    repeat (${cycle_limit}) @(posedge ${clock});
    $display("FAIL: ${top} is not done after ${cycle_limit} cycles, comparisons: %0d", checks);
    $fatal(1);
  end
endmodule
