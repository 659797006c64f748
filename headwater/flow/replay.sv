// SPDX-License-Identifier: Apache-2.0
// A run that a solver found, in a design that is joined to this module: whether an assertion fails.
// Arguments: the file of the run, a line for each cycle, and the number of the checker.
module replay;
  reg clk = 0, load = 0;
  string name;
  integer file, cycle, number;

`include "joined.sv"

  task move;
    #1 clk = 1;
    #1 clk = 0;
  endtask

  task run;
    if (!$value$plusargs("run=%s", name) || !$value$plusargs("checker=%d", number)) return;
    file = $fopen(name, "r");
    cycle = 0;
    while ($fscanf(file, "%h", inputs) == 1) begin
      if (cycle == 0) begin
        load = 1;
        move;
        load = 0;
      end
      #1 show;
      if (!holds[number]) begin
        $display("FAIL: an assumption does not hold in cycle %0d", cycle);
        return;
      end
      if (fails[number]) begin
        $display("PASS: an assertion fails in cycle %0d", cycle);
        return;
      end
      move;
      cycle = cycle + 1;
    end
    $display("FAIL: no assertion fails in %0d cycles", cycle);
  endtask

  initial begin
    run;
    $finish;
  end
endmodule
