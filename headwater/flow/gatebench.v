// SPDX-License-Identifier: Apache-2.0
{% macro each_taken(stream, moment) %}
      if (given == 0) $display("${moment} %0d", $time);
      given = given + 1;
      $display("word %h", ${stream}_payload);
      if (given == ${words}) begin
        $display("end %0d", $time);
        $finish;
      end
    end
{% endmacro %}
module bench;
  reg clk = 0, rst = 1, load_valid = 0, load_last = 0;
  reg [${ports.load_payload - 1}:0] load_payload = 0, load_words [0:${sessions * loads - 1}];
  wire load_ready;
{% if "fresh" in ports %}
  // Random bits of a core in shares: new ones in each cycle.
  reg [${ports.fresh - 1}:0] fresh = 0;
  integer word;
  always @(posedge ${"clk" if latency is none else "outside"})
    for (word = 0; word < ${ports.fresh}; word = word + 1) fresh[word] <= $random;
{% endif %}
  integer cycle = 0, taken = 0, given = 0;
  // Load words taken by each session, all together in `taken`; the session of the next cycle; whether loads have begun.
  integer of_session [0:${sessions - 1}], next = 0, session;
  reg begun = 0;
{% if sessions > 1 %}
  wire [${ports.turn - 1}:0] turn;
{% endif %}
{% if messages %}
  reg data_in_valid = 0, data_in_last = 0;
  reg [${width - 1}:0] data_in_payload = 0;
  reg [${kept - 1}:0] data_in_keep = 0;
  reg [${marks - 1}:0] data_in_ad = 0;
  reg [${marks + kept + width - 1}:0] data_words [0:${messages - 1}];
  wire [${ports.get("data_out_payload", width) - 1}:0] data_out_payload;
  wire [${kept - 1}:0] data_out_keep;
  wire [${tag_width - 1}:0] tag_payload;
  wire data_in_ready, data_out_last, data_out_valid, tag_valid;
  integer passed = 0, left = 0;
  initial $readmemh("${data_file}", data_words);
{% else %}
  wire [${ports.keystream_payload - 1}:0] keystream_payload;
  wire keystream_valid;
{% endif %}

  ${top} dut (${connections});

  initial begin
    $readmemh("${load_file}", load_words);
    for (session = 0; session < ${sessions}; session = session + 1) of_session[session] = 0;
{% if watch %}
    // The nets of the netlist, but not those inside its cells.
    $dumpfile("dump.vcd");
    repeat (3) @(negedge clk);
    $dumpvars(1, dut);
{% endif %}
  end

  always #${half_cycle} clk = !clk;
{% if latency is not none %}
  // The clock of the registers outside.
  reg outside = 0;
  always @(clk) outside <= #${latency} clk;
{% endif %}

  // Inputs change at the rising edge like registers, so logic settles once a cycle.
  always @(posedge ${"clk" if latency is none else "outside"}) begin
    cycle = cycle + 1;
    rst <= cycle < ${sessions + 2};
    // Gates may make an unknown bit of a reset register, whatever it holds: the words are unknown, too.
    if (cycle > ${sessions + 4} && (load_ready === 1'bx
{%- for valid in (("data_in_ready", "data_out_valid", "tag_valid") if messages else ("keystream_valid",)) %}
        || ${valid} === 1'bx
{%- endfor %})) begin
      $display("word x");
      $finish;
    end
    if (load_valid && load_ready) begin
      if (taken == 0) $display("setup %0d", $time);
      taken = taken + 1;
      of_session[next] = of_session[next] + 1;
    end
{% if sessions > 1 %}
    next = cycle > ${sessions + 2} ? (turn + 1) % ${sessions} : 0;
{% endif %}
    begun = begun || cycle > ${sessions + 2} && next == 0;
    load_valid <= begun && of_session[next] < ${loads};
    load_last <= begun && of_session[next] == ${loads - 1};
    load_payload <= begun && of_session[next] < ${loads} ? load_words[${loads} * next + of_session[next]] : 0;
{% if messages %}
    if (data_in_valid && data_in_ready) begin
      if (passed == 0) $display("${"message" if has_text else "running"} %0d", $time);
      passed = passed + 1;
    end
{% if has_text %}
    if (!rst && data_out_valid) begin
      if (left == 0) $display("running %0d", $time);
      left = left + 1;
      $display("data %h %h %b", data_out_payload, data_out_keep, data_out_last);
{% if not has_tag %}
      if (data_out_last) begin
        $display("end %0d", $time);
        $finish;
      end
{% endif %}
    end
{% endif %}
    data_in_valid <= taken == ${sessions * loads} && passed < ${messages};
    data_in_last <= taken == ${sessions * loads} && passed == ${messages - 1};
    {data_in_ad, data_in_keep, data_in_payload} <=
      taken == ${sessions * loads} && passed < ${messages} ? data_words[passed] : 0;
{% if has_tag %}
    if (!rst && tag_valid) begin
${each_taken("tag", "tag")}
{%- endif %}
{% else %}
    if (taken == ${sessions * loads} && keystream_valid) begin
${each_taken("keystream", "running")}
{%- endif %}
    if (cycle == ${cycle_limit}) $finish;
  end
endmodule
