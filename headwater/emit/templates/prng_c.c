// SPDX-License-Identifier: Apache-2.0
#include "${top}.h"

static void ${core}_cycle(${core}_state *state, const ${core}_inputs *given, ${core}_outputs *out);

${definition}

// Adds a word to zeros, from bit number at on.
static void ${top}_put(uint64_t *bits, unsigned at, uint64_t word) {
    bits[at / 64] |= word << at % 64;
    if (at % 64) bits[at / 64 + 1] |= word >> (64 - at % 64);
}

void ${top}_step(
    ${top}_state *state, const ${top}_inputs *given, ${top}_outputs *out
) {
    uint64_t bits[${limbs_of(whole) + 1}] = {0};
    ${core}_inputs in = {0};
    ${core}_outputs made;
{% if at_once %}
    if (given->rst & 1) state->held = 3;
    in.rst = state->held >> 1;
    state->held = given->rst & 1 ? 3 : state->held << 1 & 3;
{% if parts > 1 %}
    if (in.rst) state->part = 0;
{% endif %}
{% else %}
    in.rst = given->rst & 1;
{% endif %}
    in.restart = given->restart & 1;
    in.keystream_ready = given->en & 1;
    in.load_valid = given->seed_valid & 1;
{% if parts > 1 %}
    in.load_payload = given->seed >> state->part * ${load_width} & ${ones(load_width)};
{% else %}
    in.load_payload = given->seed${" & " ~ ones(load_width) if load_width < 64};
{% endif %}
{% if state_words %}
    const unsigned last_state = given->state_word == ${state_words - 1};
    in.state_write = given->state_write & 1;
    in.resume = in.state_write && last_state && given->state_in & 1;
    in.state_in = given->state_in${" & " ~ ones(seed_width) if seed_width < 64};
    out->state_out = 0;
{% endif %}
{% if watched %}
    out->error = 0;
{% endif %}
    // All cores do the same at the same time. Core 0 comes last, and speaks for them.
    for (unsigned number = ${instances}; number--;) {
{% if state_words %}
        in.state_word = (given->state_word - number * ${core_words}ULL) & ${ones(index_bits)};
{% endif %}
{% if number_bits %}
        in.number = number;
{% endif %}
        ${core}_cycle(&state->core[number], &in, &made);
{% if watched %}
        out->error |= made.error;
{% endif %}
{% if state_words %}
        out->state_out |= made.state_out;
{% endif %}
{% for limb in range(limbs_of(made)) %}
        ${top}_put(bits, number * ${made}${" + %d"|format(64 * limb) if limb}, made.keystream_payload${"[%d]"|format(limb) if made > 64});
{% endfor %}
    }
    out->prng_valid = made.keystream_valid;
{% if state_words %}
    if (last_state) out->state_out |= ${"out->error << 1 | " if watched}out->prng_valid;
{% endif %}
{% for limb in range(limbs_of(bits)) %}
    out->prng${"[%d]"|format(limb) if bits > 64} = bits[${limb}]${" & " ~ ones(bits % 64) if loop.last and bits % 64};
{% endfor %}
{% if parts > 1 %}
    const unsigned last_part = made.ends_load || state->part == ${parts - 1};
    out->seed_ready = made.load_ready && last_part;
    if (in.rst || in.restart${" || in.resume" if state_words}) state->part = 0;
    else if (made.load_ready && in.load_valid) state->part = last_part ? 0 : state->part + 1;
{% else %}
    out->seed_ready = made.load_ready${" && !in.rst" if at_once};
{% endif %}
}
