// SPDX-License-Identifier: Apache-2.0
// Tests ${core} by itself: words go in and come out ${"at random moments" if waits else "without a gap"}, and those that come
// out are compared with the model's. Sessions with a second key follow the first; they are ended early
// ${ended_by}. Then come ${messages - 1} whole ones.
// Prints PASS; or FAIL and why, and ends with $fatal.

module ${core}_tb;
  localparam FULL = ${sessions|length + 1}, LAST = ${sessions|length + messages - 1};
  localparam WAIT = ${wait};                     // cycles in which nothing is loaded
  reg clk = 1'b0, rst = 1'b1, restart = 1'b0;
  reg [15:0] chance = 16'h0001;               // a shift-register sequence
  integer cycle = 0;
  integer session = 0;
  integer age = 0;                            // cycles of the session
  integer ready_for = 0;                      // cycles since its load was over
  integer waited = 0;
  reg quiet = 1'b0;                           // cleared or reset, and nothing offered since
  wire [31:0] message = session == 0 ? 0 : session < FULL ? 1 : session - FULL + 1;
{% if "clear" in inputs %}
  reg clear = 1'b0;
{% endif %}
{% if "decrypt" in inputs %}
  wire decrypt = ${decrypts};
{% endif %}
{% for name, stream in streams.items() %}
{% for port, (direction, width) in stream.ports.items() %}
{% set bits = "[%d:0] " % (width - 1) if width > 1 else "" %}
{% if direction == "output" or port.endswith("_ready") %}
  wire ${bits}${port};
{% elif name in words and not port.endswith("_same_key") %}
  reg ${bits}${port} = ${width}'d0;
{% else %}
  wire ${bits}${port} = ${width}'d0;
{% endif %}
{% endfor %}
{% endfor %}

  ${core} core (
{% for port in ports %}
    .${port}(${port})${"," if not loop.last}
{% endfor %}
  );

  always #5 clk = ~clk;
{% if waits %}
  wire pause;
{% endif %}

{% for name, values in words.items() %}
  reg [${width_of[name] - 1}:0] ${name}_words [0:${values|length - 1}];
  initial begin
{% for value in values %}
    ${name}_words[${loop.index0}] = ${width_of[name]}'h${value};
{% endfor %}
  end

{% endfor %}
{% for name, values in words.items() %}
{% set stream = streams[name] %}
  wire [31:0] ${name}_from = ${begins[name]};
  wire [31:0] ${name}_count = ${counts[name]};
{% if stream.direction == "input" %}
{# A core that cannot wait takes data as soon as it is ready, so data must be valid by then. #}
{% set starts = "load_taken %s" % ("== load_count" if stream.waits else "!= 0") if name != "load" else "!waits" %}
{% set offered = name ~ ("_valid" if stream.waits else "_offered") %}
{% if not stream.waits %}
  reg ${offered} = 1'b0;
{% endif %}
  integer ${name}_next = 0, ${name}_taken = 0;
{% if name == "load" %}
  // The load begins late in each second session, and pauses in the others.
  wire waits = session != 0 && waited != WAIT
    && load_next == (session % 2 != 0 ? 0 : ${pauses_at});
{% endif %}
  always @(posedge clk)
    if (rst || restart) begin
      ${name}_next <= 0;
      ${name}_taken <= 0;
      ${offered} <= 1'b0;
    end else begin
      if (${offered} && ${name}_ready) ${name}_taken <= ${name}_taken + 1;
      if (!${offered} || ${name}_ready)
        if (${starts} && ${name}_next < ${name}_count${" && chance[0]" if waits}) begin
          ${offered} <= 1'b1;
          ${together[name]} <= ${name}_words[${name}_from + ${name}_next];
{% if "last" in stream.marks %}
          ${name}_last <= ${name}_next + 1 == ${name}_count;
{% endif %}
          ${name}_next <= ${name}_next + 1;
        end else begin
          ${offered} <= 1'b0;
          ${together[name]} <= ${width_of[name]}'d0;
{% if "last" in stream.marks %}
          ${name}_last <= 1'b0;
{% endif %}
        end
    end
{% else %}
{% if stream.waits %}
  assign ${name}_ready = chance[${3 + outputs.index(name)}] && !pause;
{% endif %}
  reg ${name}_wrong = 1'b0, ${name}_early = 1'b0;
  integer ${name}_seen = 0;
  always @(posedge clk) begin
{% if stream.waits %}
    if (cycle > 4 && !${name}_valid && ${name}_payload !== 0) ${name}_wrong <= 1'b1;
{% endif %}
    if (cycle > 4 && ${name}_valid !== 1'b0 && (quiet || (load_taken != 0 && load_taken < load_count)))
      ${name}_early <= 1'b1;
    if (rst || restart) ${name}_seen <= 0;
    else if (load_taken != 0 && ${name}_valid && ${name}_seen < ${name}_count) begin
      if (${together[name]} !== ${name}_words[${name}_from + ${name}_seen]) ${name}_wrong <= 1'b1;
      ${"if (%s_ready) " % name if stream.waits}${name}_seen <= ${name}_seen + 1;
    end
  end
{% endif %}

{% endfor %}
  wire [31:0] total = ${total};
  wire [31:0] seen = ${seen};
{% if waits %}
  // In one of the whole sessions nothing is taken for a while, which the core must bear.
  reg [5:0] paused = 6'd0;
  assign pause = session == FULL && seen != 0 && paused != 6'd63;
{% endif %}
  // How a session ends before it is whole.
  wire ends =
{% for one in sessions %}
    session == ${loop.index} ? ${one.when} :
{% endfor %}
    session != LAST && seen == total;
{% if "clear" in inputs %}
  wire clears = ${cleared};
{% endif %}
{% if resets %}
  wire resets = ${resets};
{% endif %}

  always @(posedge clk) begin
    cycle <= cycle + 1;
    rst <= cycle < 3${" || (ends && !restart && resets)" if resets};
    restart <= ends && !restart && !rst;
{% if "clear" in inputs %}
    clear <= ends && !restart && !rst && clears;
{% endif %}
    age <= restart ? 0 : age + 1;
    ready_for <= restart || load_taken != load_count ? 0 : ready_for + 1;
    waited <= restart ? 0 : waits ? waited + 1 : waited;
    if (rst${" || clear" if "clear" in inputs}) quiet <= 1'b1;
    else if (load_valid) quiet <= 1'b0;
    if (restart) session <= session + 1;
{% if waits %}
    if (session == FULL && seen != 0 && paused != 6'd63) paused <= paused + 6'd1;
{% endif %}
    chance <= {chance[14:0], chance[15] ^ chance[13] ^ chance[12] ^ chance[10]};
    if (${wrong}) begin
      $display("FAIL: ${core} gives other words than the model");
      $fatal(1);
    end else if (${early}) begin
      $display("FAIL: ${core} gives words before it is loaded");
      $fatal(1);
    end else if (cycle > 4 && quiet && load_ready !== 1'b1) begin
      $display("FAIL: ${core} is not ready for a load");
      $fatal(1);
    end else if (session == LAST && seen == total) begin
      $display("PASS: ${core}, words compared with the model's: ${compared}");
      $finish;
    end else if (age == ${cycle_limit}) begin
      $display("FAIL: ${core} gave %0d of %0d words in %0d cycles", seen, total, age);
      $fatal(1);
    end
  end
endmodule
