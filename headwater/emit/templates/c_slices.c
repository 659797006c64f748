
{% set lane_bits = 64 %}
{% include "c_lanes.c" %}
enum { ${NAME}_SIDE_BY_SIDE = 64 * ${NAME}_LANES };

// A bit of each of as many sessions as fit side by side.
union ${name}_bits {
    ${name}_lanes lanes;
    uint64_t words[${NAME}_LANES];
};

// Steps of all sessions, ${slices.outputs | length} of them.
static void ${name}_sliced(${name}_lanes *state, ${name}_lanes *out) {
{% if zero_used %}
    const ${name}_lanes zero = {0};
{% endif %}
{% for line in slices.text %}
    ${line}
{% endfor %}
{% for value in slices.outputs %}
    out[${loop.index0 // 8 * 8 + 7 - loop.index0 % 8 if msb_first else loop.index0}] = ${value};
{% endfor %}
{% for target, value in sliced_state %}
    ${target | replace("kept ", name ~ "_lanes ")} = ${value};
{% endfor %}
}

// The registers of sessions, bit by bit, and back.
static void ${name}_gather(${name}_lanes *state, const ${name}_session *sessions, unsigned count) {
    const ${name}_lanes zero = {0};
{% for member, width, first in sliced_members %}
    for (unsigned bit = 0; bit < ${width}; ++bit) {
        union ${name}_bits all;
        all.lanes = zero;
        for (unsigned which = 0; which < count; ++which)
            all.words[which / 64] |= (sessions[which].state.${member}${"[bit / 64]" if width > 64} >> bit % 64 & 1) << which % 64;
        state[${first} + bit] = all.lanes;
    }
{% endfor %}
}

static void ${name}_spread(${name}_session *sessions, unsigned count, const ${name}_lanes *state) {
{% for member, width, first in sliced_members %}
    for (unsigned bit = 0; bit < ${width}; ++bit) {
        union ${name}_bits all;
        all.lanes = state[${first} + bit];
        for (unsigned which = 0; which < count; ++which) {
            uint64_t *limb = &sessions[which].state.${member}${"[bit / 64]" if width > 64};
            *limb = (*limb & ~((uint64_t)1 << bit % 64)) | (all.words[which / 64] >> which % 64 & 1) << bit % 64;
        }
    }
{% endfor %}
}

// In each lane bit m of row n becomes bit n of row m.
static void ${name}_turn(${name}_lanes *row) {
    static const uint64_t masks[6] = {0x5555555555555555ULL, 0x3333333333333333ULL, 0x0f0f0f0f0f0f0f0fULL,
                                      0x00ff00ff00ff00ffULL, 0x0000ffff0000ffffULL, 0x00000000ffffffffULL};
    for (unsigned stage = 0; stage < 6; ++stage) {
        const unsigned by = 1u << stage;
        for (unsigned one = 0; one < 64; ++one) {
            if (one & by) continue;
            const ${name}_lanes changed = (row[one] >> by ^ row[one + by]) & masks[stage];
            row[one + by] ^= changed;
            row[one] ^= changed << by;
        }
    }
}

// So many times eight bytes of sessions that run, from this place of their outputs on.
static void ${name}_slices(${name}_session *sessions, unsigned count, uint8_t *const *out, size_t at, size_t words) {
    ${name}_lanes state[${slices.state | length}], row[64];
    ${name}_gather(state, sessions, count);
    for (; words; --words, at += 8) {
        for (unsigned step = 0; step < 64; step += ${slices.outputs | length}) ${name}_sliced(state, row + step);
        ${name}_turn(row);
        for (unsigned which = 0; which < count; ++which) {
            union ${name}_bits all;
            all.lanes = row[which % 64];
            const uint64_t word = all.words[which / 64];
{% for place in range(8) %}
            out[which][at + ${place}] = (uint8_t)${"(word >> %d)" % (8 * place) if place else "word"};
{% endfor %}
        }
    }
    ${name}_spread(sessions, count, state);
    ${name}_erase(state, sizeof state);
    ${name}_erase(row, sizeof row);
}

// Sessions that do not yet run, or are within a word, begin alone; few are quicker alone.
int ${name}_keystreams(${name}_session *sessions, size_t count, uint8_t *const *out, size_t bytes) {
    for (size_t one = 0; one < count; ++one) if (!sessions[one].keyed) return -1;
    while (count) {
        const unsigned some = count < ${NAME}_SIDE_BY_SIDE ? (unsigned)count : ${NAME}_SIDE_BY_SIDE;
        size_t done = bytes < 8 ? bytes : 8;
        unsigned ready = some >= ${fewest};
        for (unsigned one = 0; one < some; ++one) {
            ${name}_keystream(sessions + one, out[one], done);
            ready &= sessions[one].running && sessions[one].left == 0;
        }
        if (ready) {
            ${name}_slices(sessions, some, out, done, (bytes - done) / 8);
            done += (bytes - done) / 8 * 8;
        }
        for (unsigned one = 0; one < some; ++one) ${name}_keystream(sessions + one, out[one] + done, bytes - done);
        sessions += some;
        out += some;
        count -= some;
    }
    return 0;
}
