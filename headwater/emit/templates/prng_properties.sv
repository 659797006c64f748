// SPDX-License-Identifier: Apache-2.0
// What ${top} promises, as assertions on its ports and registers, for simulation and proof.
{% if by_state %}
// A whole seed is the whole state of the core, and no setup follows.
{% endif %}
//
// Simulators and formal tools bind this module to the source; synthesis sees nothing of it. Yosys knows no bind: it
// reads ${top}_proof, whose registers ${top}.sby connects. There every assertion is proven by induction.

`ifndef SYNTHESIS
module ${top}_properties (
  input wire clk,
  input wire rst,
  input wire en,
  input wire ${prng}prng,
  input wire prng_valid,
  input wire seed_valid,
  input wire seed_ready,
  input wire restart,
{% if watched %}
  input wire error,
{% endif %}
{% if at_once %}
  input wire reset,
{% endif %}
{% if state_words %}
  input wire state_write,
  input wire ${index}state_word,
  input wire ${seed}state_in,
  input wire ${seed}state_out,
{% endif %}
{% for name, width in inner.items() %}
  input wire [${width - 1}:0] ${name}${"," if not loop.last}
{% endfor %}
);

{% if watched %}
  // Registers that stay zero once they are zero, and whether their core offers bits.
  wire [${zeros|length - 1}:0] zero = {
    ${zeros|join(",\n    ")}
  };
{% if not by_words %}
  wire [${zeros|length - 1}:0] offers = {${offers|join(", ")}};
{% endif %}

{% endif %}
  // What was a cycle ago (was_) and two cycles ago (before_), which is known after so many cycles.
  reg [1:0] spec_age;
  initial spec_age = 2'd0;
  reg was_reset, was_restart, was_en, was_valid, was_seed_valid${", was_error" if watched};
  reg [${instances - 1}:0] was_offered;
{% if watched %}
  reg [${zeros|length - 1}:0] was_zero${", before_zero, was_offers" if not by_words};
{% endif %}
  reg ${prng}was_prng;
  reg [${inner.state - 1}:0] was_state;
  always @(posedge clk) begin
    if (spec_age != 2) spec_age <= spec_age + 2'd1;
    was_reset <= ${"reset" if at_once else "rst"};
    was_restart <= restart;
    was_en <= en;
    was_valid <= prng_valid;
    was_seed_valid <= seed_valid;
    was_offered <= offered;
{% if watched %}
    was_error <= error;
    was_zero <= zero;
{% if not by_words %}
    before_zero <= was_zero;
    was_offers <= offers;
{% endif %}
{% endif %}
    was_prng <= prng;
    was_state <= state;
  end
{% if state_words %}

  // The port of the state: what is asked for, and what is in the registers of a word that was written.
  wire resume = state_write & (state_word == ${state_words - 1}) & state_in[0];
  reg was_write, was_resume${", before_resume" if watched};
  reg ${index}was_word;
  reg ${seed}was_state_in, asked, written, written_mask;
  always @(posedge clk) begin
    was_write <= state_write;
    was_resume <= resume;
{% if watched %}
    before_resume <= was_resume;
{% endif %}
    was_word <= state_word;
    was_state_in <= state_in;
  end
  always @(*) begin
    case (state_word)
{% for word in words_of_state %}
      ${loop.index0}: asked = ${seed_width}'(state[${word.low} +: ${word.width}]);
{% endfor %}
      ${state_words - 1}: asked = {${seed_width - 2}'d0, ${"error" if watched else "1'b0"}, prng_valid};
      default: asked = ${seed_width}'d0;
    endcase
    case (was_word)
{% for word in words_of_state %}
      ${loop.index0}: {written, written_mask} = {${seed_width}'(state[${word.low} +: ${word.width}]), ${seed_width}'h${"%x"|format(word.mask)}};
{% endfor %}
      default: {written, written_mask} = ${2 * seed_width}'d0;
    endcase
  end
  wire [${words_of_state|length - 1}:0] unmoved;
{% for word in words_of_state %}
  assign unmoved[${loop.index0}] = (was_write && was_word == ${loop.index0})
    || state[${word.low} +: ${word.width}] == was_state[${word.low} +: ${word.width}];
{% endfor %}
{% else %}
  wire was_write = 1'b0${", was_resume = 1'b0, before_resume = 1'b0" if watched and not by_words};
  wire unmoved = state == was_state;
{% endif %}
  wire ended = was_reset | was_restart${" | reset | rst" if at_once};
  wire was_emptied = ${"ended" if emptied else "1'b0"};

  wire closed = restart${" | reset" if at_once};
{% if by_words %}

  // For each core: words in a row that a state of zeros has made, up to 3, and words in a row that were given away
  // and had ${watched_bits} zeros, up to 2; and whether so many have come that the source must find it.
  wire [${instances - 1}:0] taken = running & ({${instances}{en}} | ~offered);
  wire [${instances - 1}:0] full, gone, watch_known;
  reg [${instances - 1}:0] was_full, before_full, was_gone, before_gone;
  reg before_ended;
{% for hold in holds %}
  reg [1:0] spec_made_${loop.index0}, spec_gone_${loop.index0};
  wire word_zero_${loop.index0} = ${hold} == 0;
  wire [1:0] stuck_${loop.index0} = zero[${loop.index0}] ? spec_made_${loop.index0} : 2'd0;
  assign full[${loop.index0}] = stuck_${loop.index0} == 3;
  assign gone[${loop.index0}] = spec_gone_${loop.index0} >= 2;
  wire [${groups - 1}:0] groups_${loop.index0} = zero_groups[${loop.index0 * groups} +: ${groups}];
  assign watch_known[${loop.index0}] = (stuck_${loop.index0} < 1 || (word_zero_${loop.index0} && offered[${loop.index0}]))
    && (stuck_${loop.index0} < 2 || &groups_${loop.index0}) && (stuck_${loop.index0} < 3 || zero_before[${loop.index0}])
    && (!(&groups_${loop.index0}) || spec_gone_${loop.index0} >= 1)
    && (!(&groups_${loop.index0} && zero_before[${loop.index0}]) || gone[${loop.index0}]);
  always @(posedge clk) begin
    if (${"reset" if at_once else "rst"} || restart) spec_made_${loop.index0} <= 2'd0;
    else if (!zero[${loop.index0}]) spec_made_${loop.index0} <= 2'd0;
    else if (taken[${loop.index0}] && spec_made_${loop.index0} != 3) spec_made_${loop.index0} <= spec_made_${loop.index0} + 2'd1;
    if (${"reset" if at_once else "rst"} || restart) spec_gone_${loop.index0} <= 2'd0;
    else if (taken[${loop.index0}] && !(offered[${loop.index0}] && word_zero_${loop.index0})) spec_gone_${loop.index0} <= 2'd0;
    else if (taken[${loop.index0}] && spec_gone_${loop.index0} < 2) spec_gone_${loop.index0} <= spec_gone_${loop.index0} + 2'd1;
  end
{% endfor %}
  always @(posedge clk) begin
    was_full <= full;
    before_full <= was_full;
    was_gone <= gone;
    before_gone <= was_gone;
    before_ended <= ended;
  end
{% endif %}

  // The setup since a reset or restart: seed words taken, then cycles; and cycles for which a word was refused.
  reg spec_known;
  reg [15:0] spec_words, spec_cycles, spec_refused;
{% if at_once %}
  wire followed = spec_known & ~reset;
{% else %}
  wire followed = spec_known;
{% endif %}
  wire seeding = spec_words != ${words};
  wire over = spec_cycles == ${setup - 1};
  wire refuses = prng_valid & seed_valid & ~seed_ready & ~restart;
  always @(posedge clk) begin
    spec_refused <= refuses ? spec_refused + 16'd1 : 16'd0;
    if (${"reset" if at_once else "rst"} || restart) begin
      spec_known <= 1'b1;
      spec_words <= 16'd0;
      spec_cycles <= 16'd0;
      spec_refused <= 16'd0;
{% if state_words %}
    end else if (resume) begin
      spec_known <= 1'b1;
      spec_words <= 16'd${words};
      spec_cycles <= 16'd${setup - 1};
      spec_refused <= 16'd0;
{% endif %}
    end else if (seeding) begin
      if (seed_valid && seed_ready) spec_words <= spec_words + 16'd1;
    end else if (!over) begin
      spec_cycles <= spec_cycles + 16'd1;
    end
  end

  // What the registers of the control are at this point of the setup.
  wire [15:0] words_and_cycles = seeding ? ${"spec_words * 16'd%d + 16'(part)"|format(parts) if parts > 1 else "spec_words"} : 16'd${load_cycles} + spec_cycles;
  wire blank = ${"~seeding & (spec_cycles < %d)"|format(setup - 2) if setup > 2 else "1'b0"};
  reg [${count_bits - 1}:0] counted;
  always @(*) begin
    case (words_and_cycles)
{% for state in counts %}
      16'd${loop.index0}: counted = ${count_bits}'h${"%x"|format(state)};
{% endfor %}
      default: counted = ${count_bits}'h0;
    endcase
  end
  wire counts = ~(seeding | blank) | ((count == {${instances}{counted}})
{% if "last_word" in inner %}
      & (last_word == {${instances}{words_and_cycles == ${load_cycles - 1}}})
{% endif %}
{% if "last_blank" in inner %}
      & (last_blank == {${instances}{words_and_cycles == ${counts|length - 1}}})
{% endif %}
      );
  wire in_step = (spec_words <= ${words}) & (spec_cycles <= ${setup - 1}) & (~seeding | (spec_cycles == 0))
{% if parts > 1 %}
      & (16'(part) < ${parts}) & (~seeding | (words_and_cycles < ${load_cycles})) & (seeding | over | (part == 0))
      & (spec_refused <= (over ? 16'(part) : 16'd0))
{% else %}
      & (spec_refused == 0)
{% endif %}
      & (loading == {${instances}{seeding}}) & (running == {${instances}{~(seeding | blank)}})
      & (offered == {${instances}{over}}) & counts${" & (&watch_known)" if by_words};

  always @(posedge clk) begin
{% for property in properties %}
    // ${property.meaning}
    if (${property.when}) ${property.name}: assert (${property.then});
{% endfor %}
  end

`ifdef FROM_ANY_STEP
  // To see quickly that a faulty source is found: the run begins at any point of the setup.
  always @(*) begins: assume (spec_age != 0 || (spec_known && in_step));
`else
  initial spec_known = 1'b0;
`endif
endmodule

`ifdef YOSYS
module ${top}_proof (
  input wire clk,
  input wire rst,
  input wire en,
  input wire seed_valid,
  input wire ${seed}seed,
{% if state_words %}
  input wire state_write,
  input wire ${index}state_word,
  input wire ${seed}state_in,
{% endif %}
  input wire restart
);
  wire ${prng}prng;
  wire prng_valid, seed_ready${", error" if watched};
{% if at_once %}
  wire reset;
{% endif %}
{% if state_words %}
  wire ${seed}state_out;
{% endif %}
{% for name, width in inner.items() %}
  wire [${width - 1}:0] ${name};
{% endfor %}

  ${top} source (
    .clk(clk), .rst(rst), .en(en), .prng(prng), .prng_valid(prng_valid), .seed_valid(seed_valid),
    .seed_ready(seed_ready), .seed(seed), .restart(restart)${"," if state_words or watched}
{% if state_words %}
    .state_write(state_write), .state_word(state_word), .state_in(state_in), .state_out(state_out)${"," if watched}
{% endif %}
{% if watched %}
    .error(error)
{% endif %}
  );
  ${top}_properties properties (
    .clk(clk), .rst(rst), .en(en), .prng(prng), .prng_valid(prng_valid), .seed_valid(seed_valid),
    .seed_ready(seed_ready), .restart(restart)${", .error(error)" if watched},
{% if at_once %}
    .reset(reset),
{% endif %}
{% if state_words %}
    .state_write(state_write), .state_word(state_word), .state_in(state_in), .state_out(state_out),
{% endif %}
{% for name in inner %}
    .${name}(${name})${"," if not loop.last}
{% endfor %}
  );
endmodule
`else
bind ${top} ${top}_properties properties (
  .clk(clk), .rst(rst), .en(en), .prng(prng), .prng_valid(prng_valid), .seed_valid(seed_valid),
  .seed_ready(seed_ready), .restart(restart)${", .error(error)" if watched},
{% if at_once %}
  .reset(reset),
{% endif %}
{% if state_words %}
  .state_write(state_write), .state_word(state_word), .state_in(state_in), .state_out(state_out),
{% endif %}
{% for name, registers in places.items() %}
  .${name}({${registers|join(", ")}})${"," if not loop.last}
{% endfor %}
);
`endif
`endif
