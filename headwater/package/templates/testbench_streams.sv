// SPDX-License-Identifier: Apache-2.0
// Tests ${top} through its own streams, with pauses at random places. The words expected
// are the model's. Prints PASS; or FAIL and why, and ends with $fatal.

module ${top}_tb;
{% for port in ports %}
  ${"reg " if port.direction == "input" else "wire"} ${port.span + " " if port.span}${port.name}${" = 0" if port.direction == "input" and port.name not in ("aclk", "aresetn")};
{% endfor %}

  ${top} dut (
{% for port in ports %}
    .${port.name}(${port.name})${"," if not loop.last}
{% endfor %}
  );

  integer checks = 0, allowed = ${sessions - 2};
  initial {aclk, aresetn} = 2'b00;
  reg [31:0] chance;                          // a shift-register sequence

  always #5 aclk = ~aclk;
  initial chance = 32'h00000001;
  always @(posedge aclk)
    chance <= {chance[30:0], chance[31] ^ chance[21] ^ chance[1] ^ chance[0]};

  // Inputs change at falling edges. Outputs, which may depend on inputs, are looked at shortly
  // before the rising edge that the design sees.
  task automatic tick;
    @(negedge aclk);
  endtask

  task automatic pause_if(input now);
    if (now) repeat (1 + {30'd0, chance[1:0]}) tick;
  endtask
{% if loads %}

{% include "testbench_registers.sv" %}
{% endif %}

  // Sessions whose beats were all compared.
{% for sink in sinks %}
  integer ${sink.name}_done = 0;
{% endfor %}
  wire signed [31:0] done = ${sinks[0].name}_done{% for sink in sinks[1:] %} < ${sink.name}_done ? ${sinks[0].name}_done : ${sink.name}_done{% endfor %};
  integer loaded = 0;
{% if loads %}

  // A load waits for what came before it to be compared.
  initial begin : send_load
    while (!aresetn) tick;
{% for line in before %}
    ${line}
{% endfor %}
{% for load in loads %}
    while (done < ${loop.index0} || allowed < ${loop.index0}) tick;
{% for line in load %}
    ${line}
{% endfor %}
    loaded = ${loop.index};
{% endfor %}
  end
{% endif %}
{% for source in sources %}

  // ${source.prefix}: beats, and the sessions that they belong to.
  reg [${source.width - 1}:0] ${source.name}_beats [0:${source.values | length - 1}];
  integer ${source.name}_session [0:${source.values | length - 1}];
  initial begin
{% for value, session in source.values %}
    ${source.name}_beats[${loop.index0}] = ${source.width}'h${"%x" % value}; ${source.name}_session[${loop.index0}] = ${session};
{% endfor %}
  end

  initial begin : send_${source.name}
    integer place;
    reg taken;
    while (!aresetn) tick;
    for (place = 0; place < ${source.values | length}; place = place + 1) begin
      // A load waits for what came before it to be compared, a text for its load.
{% if source.name == "load" %}
      while (done < ${source.name}_session[place] || allowed < ${source.name}_session[place]) tick;
{% else %}
      while (loaded <= ${source.name}_session[place]) tick;
{% endif %}
      pause_if(chance[${7 + loop.index}]);
      ${source.members} = ${source.name}_beats[place];
      ${source.prefix}_tvalid = 1'b1;
      taken = 1'b0;
      while (!taken) begin
        #4 taken = ${source.prefix}_tready;
        tick;
      end
      ${source.prefix}_tvalid = 1'b0;
{% if source.name == "load" %}
      if (${source.prefix}_tlast) loaded = loaded + 1;
{% endif %}
    end
  end
{% endfor %}
{% for sink in sinks %}

  // ${sink.prefix}: beats, what of them is compared, and their sessions.
  reg [${sink.width - 1}:0] ${sink.name}_beats [0:${sink.values | length - 1}];
  reg [${sink.width - 1}:0] ${sink.name}_masks [0:${sink.values | length - 1}];
  integer ${sink.name}_session [0:${sink.values | length}];
  initial begin
{% for value, session in sink.values %}
    ${sink.name}_beats[${loop.index0}] = ${sink.width}'h${"%x" % value}; ${sink.name}_session[${loop.index0}] = ${session};
    ${sink.name}_masks[${loop.index0}] = ${sink.width}'h${"%x" % sink.masks[loop.index0]};
{% endfor %}
    ${sink.name}_session[${sink.values | length}] = ${sessions};
  end

  initial begin : take_${sink.name}
    integer place;
    reg [${sink.width - 1}:0] all, given, expected;
    reg taken;
    while (!aresetn) tick;
    place = 0;
    while (place < ${sink.values | length}) begin
      pause_if(chance[${17 + loop.index}]);
      ${sink.prefix}_tready = 1'b1;
      taken = 1'b0;
      while (!taken) begin
        #4 taken = ${sink.prefix}_tvalid;
        all = ${sink.members};
        tick;
      end
      ${sink.prefix}_tready = 1'b0;
      given = all & ${sink.name}_masks[place];
      expected = ${sink.name}_beats[place] & ${sink.name}_masks[place];
{% if sink.name == "keystream" %}
      // Beats before the one that is marked are of the keystream before.
      if (!given[${sink.width - 1}] && expected[${sink.width - 1}]) place = place - 1;
      else
{% endif %}
      begin
        checks = checks + 1;
        if (given !== expected) begin
          $display("FAIL: ${top}, beat %0d of ${sink.prefix}: %h instead of %h", place, given, expected);
          $fatal(1);
        end
        ${sink.name}_done = ${sink.name}_session[place + 1];
      end
      place = place + 1;
    end
  end
{% endfor %}

  initial begin
    repeat (4) tick;
    aresetn = 1'b1;
    while (done < ${sessions - 1}) tick;
{% if clears or loads %}
{% if loads %}
    write(STATUS, 32'd0);
    check(STATUS, 32'hffffffff, 32'd0);
{% else %}
    clear = 1'b1;
    tick;
    clear = 1'b0;
{% endif %}
    repeat (64) tick;
    #4;
    if (${sinks[0].prefix}_tvalid) begin
      $display("FAIL: ${top} gives a beat after clear");
      $fatal(1);
    end
{% endif %}
    tick;
    allowed = ${sessions - 1};
    while (done < ${sessions}) tick;
    $display("PASS: ${top}, beats compared with the model: %0d", checks);
    $finish;
  end

  initial begin
    repeat (${cycle_limit}) @(posedge aclk);
    $display("FAIL: ${top} is not done after ${cycle_limit} cycles, beats compared: %0d", checks);
    $fatal(1);
  end
endmodule
