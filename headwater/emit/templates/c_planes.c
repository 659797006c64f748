{% set lane_bits = 64 %}
{% include "c_lanes.c" %}
// A word of each lane. Where it is a plane, it has bit n of all bytes of four blocks: those of a row
// of a half are eight bits side by side, four of the first two columns, then of the last two.
union ${name}_word {
    ${name}_lanes lanes;
    uint64_t words[${NAME}_LANES];
};

static inline void ${name}_substitute(union ${name}_word *plane) {
{% for bit in range(8) %}
    const ${name}_lanes x${bit} = plane[${bit}].lanes;
{% endfor %}
{% for line in substitute.text %}
    ${line}
{% endfor %}
{% for bit in range(8) %}
    plane[${bit}].lanes = ${substitute.results["y%d" % bit][0]};
{% endfor %}
}

static inline ${name}_lanes ${name}_shift_rows(${name}_lanes plane) {
    return {% for by, mask in moves.items() %}${"\n        | " if not loop.first}(plane${" >> %d" % by if by > 0 else " << %d" % -by if by else ""} & ${mask}){% endfor %};
}

// Each byte from the one so many rows below in its column.
static inline ${name}_lanes ${name}_below(${name}_lanes plane, unsigned rows) {
    const uint64_t upper = rows == 1 ? 0x00ffffff00ffffffULL : 0x0000ffff0000ffffULL;
    return (plane >> 8 * rows & upper) | (plane << (32 - 8 * rows) & ~upper);
}

static inline void ${name}_mix_columns(union ${name}_word *plane) {
    ${name}_lanes pair[8], below[8];
    for (unsigned bit = 0; bit < 8; ++bit) {
        below[bit] = ${name}_below(plane[bit].lanes, 1);
        pair[bit] = plane[bit].lanes ^ below[bit];
    }
{% for bit in range(8) %}
    plane[${bit}].lanes = below[${bit}] ^ ${name}_below(pair[${bit}], 2)${" ^ pair[%d]" % (bit - 1) if bit}${" ^ pair[7]" if reduction // 2**bit % 2};
{% endfor %}
}

// Blocks side by side, each under its own round keys.
static void ${name}_encrypt(union ${name}_word *plane, union ${name}_word (*keys)[8]) {
    for (unsigned bit = 0; bit < 8; ++bit) plane[bit].lanes ^= keys[0][bit].lanes;
    for (unsigned round = 1; round <= ${rounds}; ++round) {
        ${name}_substitute(plane);
        for (unsigned bit = 0; bit < 8; ++bit) plane[bit].lanes = ${name}_shift_rows(plane[bit].lanes);
        if (round < ${rounds}) ${name}_mix_columns(plane);
        for (unsigned bit = 0; bit < 8; ++bit) plane[bit].lanes ^= keys[round][bit].lanes;
    }
}

// Words as planes, and back: bit n of each byte of word m is bit m of that byte of word n.
// First halves of four blocks are the first four words, their last halves the others.
static void ${name}_turn(union ${name}_word *word) {
    static const uint64_t masks[3] = {0x5555555555555555ULL, 0x3333333333333333ULL, 0x0f0f0f0f0f0f0f0fULL};
    for (unsigned stage = 0; stage < 3; ++stage) {
        const unsigned by = 1u << stage;
        for (unsigned one = 0; one < 8; ++one) {
            if (one & by) continue;
            const ${name}_lanes changed = (word[one].lanes >> by ^ word[one + by].lanes) & masks[stage];
            word[one + by].lanes ^= changed;
            word[one].lanes ^= changed << by;
        }
    }
}

// Eight bytes as a word, the first one lowest, and back.
static uint64_t ${name}_half(const uint8_t *bytes) {
    uint64_t word = 0;
    for (unsigned place = 0; place < 8; ++place) word |= (uint64_t)bytes[place] << 8 * place;
    return word;
}

static void ${name}_put(uint8_t *bytes, uint64_t word) {
{% for place in range(8) %}
    bytes[${place}] = (uint8_t)${"(word >> %d)" % (8 * place) if place else "word"};
{% endfor %}
}

{% if counted_bits %}
{% include "c_count.c" %}
// The bytes of a word in the other order.
static uint64_t ${name}_turned_bytes(uint64_t word) {
    word = (word & 0x00ff00ff00ff00ffULL) << 8 | (word >> 8 & 0x00ff00ff00ff00ffULL);
    word = (word & 0x0000ffff0000ffffULL) << 16 | (word >> 16 & 0x0000ffff0000ffffULL);
    return word << 32 | word >> 32;
}

// The next blocks of the keystream, so many: several counter blocks at once, under the same keys.
static void ${name}_words(${name}_session *session, uint8_t *out, size_t blocks) {
    const ${name}_lanes zero = {0};
    union ${name}_word keys[${rounds + 1}][8], plane[8];
    for (unsigned round = 0; round <= ${rounds}; ++round)
        for (unsigned bit = 0; bit < 8; ++bit) keys[round][bit].lanes = zero + session->keys[round][bit] * 15;
    while (blocks) {
        const size_t count = blocks < 4 * ${NAME}_LANES ? blocks : 4 * ${NAME}_LANES;
        uint64_t block[2] = {session->block[0], session->block[1]};
        for (unsigned which = 0; which < 4 * ${NAME}_LANES; ++which) {
            for (unsigned half = 0; half < 2; ++half)
                plane[which % 4 + 4 * half].words[which / 4] = ${name}_turned_bytes(block[half]);
            ${name}_count(block, 1);
        }
        ${name}_turn(plane);
        ${name}_encrypt(plane, keys);
        ${name}_turn(plane);
        for (unsigned which = 0; which < count; ++which, out += 16)
            for (unsigned half = 0; half < 2; ++half)
                ${name}_put(out + 8 * half, plane[which % 4 + 4 * half].words[which / 4]);
        ${name}_count(session->block, count);
        blocks -= count;
    }
    ${name}_erase(keys, sizeof keys);
}

{% else %}
// The next blocks of several sessions, so many of each: each block is the one before, encrypted.
static void ${name}_blocks(${name}_session *sessions, unsigned count, uint8_t *const *out, size_t blocks) {
    const ${name}_lanes zero = {0};
    union ${name}_word plane[8], word[8], keys[${rounds + 1}][8];
    for (unsigned bit = 0; bit < 8; ++bit) {
        word[bit].lanes = zero;
        for (unsigned round = 0; round <= ${rounds}; ++round) keys[round][bit].lanes = zero;
    }
    for (unsigned which = 0; which < count; ++which) {
        for (unsigned round = 0; round <= ${rounds}; ++round)
            for (unsigned bit = 0; bit < 8; ++bit)
                keys[round][bit].words[which / 4] |= sessions[which].keys[round][bit] << which % 4;
        for (unsigned half = 0; half < 2; ++half)
            word[which % 4 + 4 * half].words[which / 4] = sessions[which].block[half];
    }
    for (unsigned bit = 0; bit < 8; ++bit) plane[bit] = word[bit];
    ${name}_turn(plane);
    for (size_t block = 0; block < blocks; ++block) {
        ${name}_encrypt(plane, keys);
        for (unsigned bit = 0; bit < 8; ++bit) word[bit] = plane[bit];
        ${name}_turn(word);
        for (unsigned which = 0; which < count; ++which)
            for (unsigned half = 0; half < 2; ++half)
                ${name}_put(out[which] + 16 * block + 8 * half, word[which % 4 + 4 * half].words[which / 4]);
    }
    for (unsigned which = 0; which < count; ++which)
        for (unsigned half = 0; half < 2; ++half)
            sessions[which].block[half] = word[which % 4 + 4 * half].words[which / 4];
    ${name}_erase(keys, sizeof keys);
}

// The next blocks of the keystream, so many.
static void ${name}_words(${name}_session *session, uint8_t *out, size_t blocks) {
    ${name}_blocks(session, 1, &out, blocks);
}

{% endif %}
