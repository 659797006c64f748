{% set kind = step.lines.kind %}
{% set authenticator = "session->state.%s" % authenticator %}
{% macro swapped(word, stages) %}
{% for places, mask in stages %}
    ${word} = (${word} & ${mask}) << ${places} | (${word} >> ${places} & ${mask});
{% endfor %}
{% endmacro %}
{% set in_bytes = ((1, "0x5555555555555555ULL"), (2, "0x3333333333333333ULL"), (4, "0x0f0f0f0f0f0f0f0fULL")) %}
{% set of_bytes = ((8, "0x00ff00ff00ff00ffULL"), (16, "0x0000ffff0000ffffULL")) %}
// So many times 64 output bits of a core that runs: its steps as the description has them.
static void ${name}_words(${name}_state *state, uint64_t *out, size_t words) {
{% for variable, member in members %}
    ${kind} ${variable} = ${"(%s)" % kind if kind != "uint64_t"}${member};
{% endfor %}
    for (; words; --words) {
        uint64_t word = 0;
        for (unsigned place = 0; place < 64; place += ${bits}) {
{% for line in step.text %}
            ${line}
{% endfor %}
            word |= (uint64_t)${output[0]} << place;
{% for target, value in assigned %}
            ${target | replace("kept ", kind ~ " ")} = ${value};
{% endfor %}
        }
        *out++ = word;
    }
{% for variable, member in members %}
    ${member} = ${variable};
{% endfor %}
}

// The bits in even places below those in odd ones.
static uint64_t ${name}_apart(uint64_t word) {
    uint64_t changed;
{% for places, mask in ((1, "0x2222222222222222ULL"), (2, "0x0c0c0c0c0c0c0c0cULL"), (4, "0x00f000f000f000f0ULL"), (8, "0x0000ff000000ff00ULL"), (16, "0x00000000ffff0000ULL")) %}
    changed = (word ^ word >> ${places}) & ${mask};
    word ^= changed ^ changed << ${places};
{% endfor %}
    return word;
}

// The bits in the other order.
static uint64_t ${name}_reversed(uint64_t word) {
${swapped("word", in_bytes + of_bytes)}    return word << 32 | word >> 32;
}

// Adds the lowest half of the product of two polynomials over GF(2). Each of four sums has the bits in every fourth
// place: so far apart they leave room for carries, which ${name}_product cuts off.
static inline void ${name}_multiply(uint64_t *sums, uint64_t one, uint64_t other) {
{% for place in range(4) %}
    const uint64_t a${place} = one & 0x${"1248"[place] * 16}ULL, b${place} = other & 0x${"1248"[place] * 16}ULL;
{% endfor %}
{% for sum in range(4) %}
    sums[${sum}] ^= a0 * b${sum} ^ a1 * b${(sum - 1) % 4} ^ a2 * b${(sum - 2) % 4} ^ a3 * b${(sum - 3) % 4};
{% endfor %}
}

static uint64_t ${name}_product(const uint64_t *sums) {
    return (sums[0] & 0x1111111111111111ULL) | (sums[1] & 0x2222222222222222ULL) |
        (sums[2] & 0x4444444444444444ULL) | (sums[3] & 0x8888888888888888ULL);
}

// Eight bytes as a word, the first bit lowest, and back.
static uint64_t ${name}_half(const uint8_t *bytes) {
    uint64_t word = bytes[0]{% for place in range(1, 8) %} | (uint64_t)bytes[${place}] << ${8 * place}{% endfor %};
{% if msb_first %}
${swapped("word", in_bytes)}{% endif %}
    return word;
}

static void ${name}_put(uint8_t *bytes, uint64_t word) {
{% if msb_first %}
${swapped("word", in_bytes)}{% endif %}
{% for place in range(8) %}
    bytes[${place}] = (uint8_t)${"(word >> %d)" % (8 * place) if place else "word"};
{% endfor %}
}

// So many times 64 bits of a message, which follow a word that the core has taken. In turn an output bit encrypts a
// bit and the next one enters the line, behind the ${tag} bits that are added to the sum for each bit that is one.
static void ${name}_turns(${name}_session *session, uint8_t *out, const uint8_t *in, size_t words, unsigned before) {
    uint64_t output[64], earlier[4] = {0}, later[4] = {0};
{% if tag == 64 %}
    uint64_t sum = ${authenticator}[0], line = ${authenticator}[1];
{% else %}
    uint64_t sum = ${authenticator} & 0x${"%x" % (2 ** tag - 1)}ULL, line = ${authenticator} >> ${tag};
{% endif %}
{% if pending_bits %}
    // What the core has taken, and not yet added.
    for (unsigned place = 0; session->state.shifts && place < ${pending_bits}; ++place) {
        sum ^= line & (0 - (session->state.plain_before >> place & 1));
        line = line >> 1 | (session->state.entering >> place & 1) << ${tag - 1};
    }
    session->state.shifts = session->state.plain_before = session->state.entering = 0;
{% endif %}
    while (words) {
        const size_t count = words < 32 ? words : 32;
        ${name}_words(&session->state, output, 2 * count);
        for (size_t word = 0; word < count; ++word, in += 8) {
            const uint64_t first = ${name}_apart(output[2 * word]), second = ${name}_apart(output[2 * word + 1]);
            const uint64_t encrypting = (first & 0xffffffffULL) | second << 32;
            const uint64_t entering = first >> 32 | (second & 0xffffffff00000000ULL);
            uint64_t plain = ${name}_half(in);
            if (!before) {
                const uint64_t other = plain ^ encrypting;
                ${name}_put(out, other);
                out += 8;
{% if ways == ["decrypt"] %}
                plain = other;
{% elif directions %}
                if (session->decrypts) plain = other;
{% endif %}
            }
{% if tag == 64 %}
            ${name}_multiply(earlier, plain, ${name}_reversed(line));
            line = entering;
{% else %}
            ${name}_multiply(earlier, plain, ${name}_reversed(line | entering << ${tag}));
            line = entering >> ${64 - tag};
{% endif %}
            ${name}_multiply(later, ${name}_reversed(plain), line);
        }
        words -= count;
    }
    sum ^= ${name}_reversed(${name}_product(earlier)) ^ ${name}_product(later) << 1;
{% if tag == 64 %}
    ${authenticator}[0] = sum;
    ${authenticator}[1] = line;
{% else %}
    ${authenticator} = (sum & 0x${"%x" % (2 ** tag - 1)}ULL) | line << ${tag};
{% endif %}
    ${name}_erase(output, sizeof output);
}

