${head}
//
// ${amount} in each cycle for masking, from ${title}: ${instances} ${"core" if instances == 1 else "cores side by side"} of ${made} bit${"s" if made > 1}.
//
// en          new bits are in prng after the next clock edge; without it, prng and state hold
// prng        random bits, from registers; without meaning while prng_valid is low
{% for line in seed_order %}
// ${"seed       " if loop.first else "           "} ${line}
{% endfor %}
//             Words that come later ${"enter its steps" if emptied else "are added to the state"}, and nothing stops
// restart     wait for a whole new seed; prng_valid is low until it is in. A reset does the same
{% if watched %}
// error       a state was stuck at zero: a one was put into it, but bits can be foreseen until a new seed
{% endif %}
{% if at_once %}
// rst         acts at once, and lasts until two clock edges after its end: seed_ready is low until then
{% endif %}
//
{% if state_words %}
// state_word  the number of a word of the state, below ${state_words}; save and write while the state holds: without en and seed_valid
// state_out   that word. Word ${state_words - 1} has prng_valid in bit 0${", error in bit 1" if watched}
// state_write it becomes state_in. A one in bit 0 of word ${state_words - 1}: prng_valid rises, with the state as it is
//
{% endif %}
{% if emptied %}
// A reset and a restart make the state zero, and prng_valid low. Software gives a whole seed of fresh secret
// bits before the first use. ${setup} cycles after its last word prng_valid rises.
{% else %}
// After power-up and reset the state is whatever the flip-flops hold, and prng_valid is low. Software gives
// a whole seed of fresh secret bits before the first use. ${setup} cycles after its last word prng_valid rises.
{% endif %}
{% if by_state %}
// A whole seed is the whole state: no setup follows it, so the first bits are those of the cipher from this state on.
{% endif %}
{% if state_words %}
// State and, by it, seed can be read: whoever may do so knows all bits to come, and the bits that were.
{% else %}
// State and seed cannot be read.
{% endif %}

module ${top} (
  input  wire clk,
  input  wire rst,
  input  wire en,
  output wire ${prng}prng,
  output wire prng_valid,
  input  wire seed_valid,
  output wire seed_ready,
  input  wire ${seed}seed,
  input  wire restart${"," if state_words or watched}
{% if state_words %}
  input  wire state_write,
  input  wire ${index}state_word,
  input  wire ${seed}state_in,
  output wire ${seed}state_out${"," if watched}
{% endif %}
{% if watched %}
  output wire error
{% endif %}
);

  wire [${whole - 1}:0] bits;
  wire [${instances - 1}:0] ready, offered, ends${", failed" if watched};
{% if at_once %}

  // A reset begins at once, and ends at a clock edge: the second after rst is low. Assertions that are bound to this
  // module read it at the clock, too.
  // verilator lint_off SYNCASYNCNET
  reg [1:0] held;
  // verilator lint_on SYNCASYNCNET
  wire reset = held[1];
  always @(posedge clk or posedge rst)
    if (rst) held <= 2'b11;
    else held <= {held[0], 1'b0};
{% endif %}
{% if state_words %}

  // The words of each core, and one of all. The last one that is written begins to offer bits.
{% for number in range(instances) %}
  wire ${seed}state_${number};
{% endfor %}
  wire last_state = state_word == ${index_bits}'d${state_words - 1};
  wire resume = state_write & last_state & state_in[0];
  assign state_out = (last_state ? {${seed_width - 2}'d0, ${"error" if watched else "1'b0"}, prng_valid} : ${seed_width}'d0)
{% for number in range(instances) %}
    | state_${number}${";" if loop.last}
{% endfor %}
{% endif %}
{% if parts > 1 %}

  // A seed word stays until its last part is taken.
  reg [${part_bits - 1}:0] part;
  wire last_part = ends[0] | part == ${part_bits}'d${parts - 1};
  wire [${load_width - 1}:0] load = seed[part * ${load_width} +: ${load_width}];
  assign seed_ready = ready[0] & last_part;
{% if at_once %}
  always @(posedge clk or posedge reset)
    if (reset) part <= ${part_bits}'d0;
    else if (restart${" || resume" if state_words}) part <= ${part_bits}'d0;
{% else %}
  always @(posedge clk)
    if (rst || restart${" || resume" if state_words}) part <= ${part_bits}'d0;
{% endif %}
    else if (ready[0] && seed_valid) part <= last_part ? ${part_bits}'d0 : part + ${part_bits}'d1;
{% else %}
  wire [${load_width - 1}:0] load = seed[${load_width - 1}:0];
  assign seed_ready = ready[0]${" & ~reset" if at_once};
{% endif %}
  assign prng = bits[${bits - 1}:0];
  assign prng_valid = offered[0];
{% if watched %}
  assign error = |failed;
{% endif %}
{% if unread %}
  wire unused = &{
    1'b0, ${unread|join(", ")}
  };
{% endif %}
{% for number in range(instances) %}

  ${core} core_${number} (
    .clk(clk),
    .rst(${"reset" if at_once else "rst"}),
    .load_payload(load),
    .load_valid(seed_valid),
    .load_ready(ready[${number}]),
    .keystream_payload(bits[${made * (number + 1) - 1}:${made * number}]),
    .keystream_valid(offered[${number}]),
    .keystream_ready(en),
    .restart(restart),
{% if state_words %}
    .state_write(state_write),
    .resume(resume),
    .state_word(state_word${" - %d'd%d"|format(index_bits, number * core_words) if number}),
    .state_in(state_in),
    .state_out(state_${number}),
{% endif %}
{% if number_bits %}
    .number(${number_bits}'d${number}),
{% endif %}
    .ends_load(ends[${number}])${"," if watched}
{% if watched %}
    .error(failed[${number}])
{% endif %}
  );
{% endfor %}

endmodule
