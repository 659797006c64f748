{% set lane_bits = 32 %}
{% include "c_lanes.c" %}
// A word of each of as many blocks as there are lanes.
union ${name}_word {
    ${name}_lanes lanes;
    uint32_t words[${NAME}_LANES];
};

// A quarter round of as many blocks as there are lanes.
static inline void ${name}_quarter(union ${name}_word *x, unsigned at_a, unsigned at_b, unsigned at_c, unsigned at_d) {
{% for operand in "abcd" %}
    const ${name}_lanes ${operand} = x[at_${operand}].lanes;
{% endfor %}
{% for line in quarter.text %}
    ${line}
{% endfor %}
{% for operand in "abcd" %}
    x[at_${operand}].lanes = ${quarter.results[operand][0]};
{% endfor %}
}

// All rounds of as many blocks as there are lanes.
static inline void ${name}_rounds(union ${name}_word *x) {
    for (unsigned round = 0; round < ${rounds // 2}; ++round) {
{% for which in kinds_of_round %}
{% for places in which %}
        ${name}_quarter(x, ${places | join(", ")});
{% endfor %}
{% endfor %}
    }
{% if rounds % 2 %}
{% for places in kinds_of_round[0] %}
    ${name}_quarter(x, ${places | join(", ")});
{% endfor %}
{% endif %}
}

// The next blocks of the keystream, so many.
static void ${name}_words(${name}_session *session, uint8_t *out, size_t blocks) {
    const ${name}_lanes zero = {0};
    while (blocks) {
        union ${name}_word first[${matrix | length}], x[${matrix | length}];
        const size_t count = blocks < ${NAME}_LANES ? blocks : ${NAME}_LANES;
        for (unsigned word = 0; word < ${matrix | length}; ++word) first[word].lanes = zero + session->matrix[word];
        for (unsigned lane = 0; lane < ${NAME}_LANES; ++lane) {
            const uint64_t block = session->block + lane;
{% for place in counters %}
            first[${place}].words[lane] = (uint32_t)${"block" if loop.first else "(block >> %d)" % (32 * loop.index0)};
{% endfor %}
        }
        for (unsigned word = 0; word < ${matrix | length}; ++word) x[word] = first[word];
        ${name}_rounds(x);
        for (unsigned word = 0; word < ${matrix | length}; ++word) x[word].lanes += first[word].lanes;
        for (unsigned lane = 0; lane < count; ++lane) {
            for (unsigned word = 0; word < ${matrix | length}; ++word, out += 4) {
                const uint32_t value = x[word].words[lane];
                out[0] = (uint8_t)value;
                out[1] = (uint8_t)(value >> 8);
                out[2] = (uint8_t)(value >> 16);
                out[3] = (uint8_t)(value >> 24);
            }
        }
        session->block = (session->block + count)${" & 0x%xULL" % (2 ** counter_bits - 1) if counter_bits < 64};
        blocks -= count;
    }
}

