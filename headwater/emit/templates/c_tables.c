{% include "c_tables_of.c" %}
// Four bytes as a word, the first one highest, and back.
static uint32_t ${name}_word(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void ${name}_put(uint8_t *bytes, uint32_t word) {
    bytes[0] = (uint8_t)(word >> 24);
    bytes[1] = (uint8_t)(word >> 16);
    bytes[2] = (uint8_t)(word >> 8);
    bytes[3] = (uint8_t)word;
}

{% for part, made in (("round", round), ("last", last)) %}
// ${"A round" if loop.first else "The last round, which mixes no columns"}: a state and a round key, four columns each.
static inline void ${name}_${part}(uint32_t *state, const uint32_t *key) {
{% for place in range(4) %}
    const uint32_t c${place} = state[${place}], k${place} = key[${place}];
{% endfor %}
{% for line in made.text %}
    ${line}
{% endfor %}
{% for place in range(4) %}
    state[${place}] = ${made.results["c%d" % place][0]};
{% endfor %}
}

{% endfor %}
// What the first word of a round key adds to the one four before it.
static uint32_t ${name}_core(uint32_t word, uint32_t constant) {
{% for line in key.text %}
    ${line}
{% endfor %}
    return ${key.results["added"][0]};
}

{% if counted_bits %}
{% include "c_count.c" %}
{% endif %}
// The next blocks of the keystream, so many: ${"each is a counter block" if counted_bits else "each is the one before"}, encrypted.
static void ${name}_words(${name}_session *session, uint8_t *out, size_t blocks) {
    for (; blocks; --blocks, out += 16) {
{% if counted_bits %}
        uint32_t state[4];
        for (unsigned column = 0; column < 4; ++column)
            state[column] = (uint32_t)(session->block[column / 2] >> (column % 2 ? 0 : 32));
        ${name}_count(session->block, 1);
{% else %}
        uint32_t *state = session->block;
{% endif %}
        for (unsigned column = 0; column < 4; ++column) state[column] ^= session->keys[0][column];
        for (unsigned round = 1; round < ${rounds}; ++round) ${name}_round(state, session->keys[round]);
        ${name}_last(state, session->keys[${rounds}]);
        for (unsigned column = 0; column < 4; ++column) ${name}_put(out + 4 * column, state[column]);
    }
}

