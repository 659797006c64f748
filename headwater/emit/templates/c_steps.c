{% set kind = step.lines.kind %}
{% set tables = step.tables %}
{% include "c_tables_of.c" %}
// So many words of keystream from a core that runs: its step as the description has it.
static void ${name}_words(${name}_session *session, uint8_t *out, size_t words) {
    ${name}_state *state = &session->state;
{% for variable, member in members %}
    ${kind} ${variable} = ${"(%s)" % kind if kind != "uint64_t"}${member};
{% endfor %}
{% if word_bits == 1 %}
    for (; words; words -= 8, ++out) {
        unsigned byte = 0;
        for (unsigned place = 0; place < 8; ++place) {
{% for line in step.text %}
            ${line}
{% endfor %}
            byte |= (unsigned)${output[0]} << ${"(7 - place)" if msb_first else "place"};
{% for target, value in assigned %}
            ${target | replace("kept ", kind ~ " ")} = ${value};
{% endfor %}
        }
        *out = (uint8_t)byte;
    }
{% else %}
    for (; words; --words, out += ${word_bits // 8}) {
{% for line in step.text %}
        ${line}
{% endfor %}
{% for limb in output %}
{% set bytes = [limb_bytes, word_bits // 8 - loop.index0 * limb_bytes] | min %}
{% set first = (loop.length - 1 - loop.index0 if top_first else loop.index0) * limb_bytes %}
{% set value = "turned_%d" % loop.index0 if msb_first != top_first else limb %}
{% if msb_first != top_first %}
        uint64_t ${value} = ${limb};
{% for places, mask in ((4, "0x0f0f0f0f0f0f0f0fULL"), (2, "0x3333333333333333ULL"), (1, "0x5555555555555555ULL")) %}
        ${value} = (${value} & ${mask}) << ${places} | (${value} >> ${places} & ${mask});
{% endfor %}
{% endif %}
{% for byte in range(bytes) %}
{% set places = 8 * (bytes - 1 - byte if top_first else byte) %}
        out[${first + byte}] = (uint8_t)${"(%s >> %d)" % (value, places) if places else value};
{% endfor %}
{% endfor %}
{% for target, value in assigned %}
        ${target | replace("kept ", kind ~ " ")} = ${value};
{% endfor %}
    }
{% endif %}
{% for variable, member in members %}
    ${member} = ${variable};
{% endfor %}
}

