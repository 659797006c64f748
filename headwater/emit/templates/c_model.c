// SPDX-License-Identifier: Apache-2.0
{% for line in heading %}
// ${line}
{% endfor %}
#include "${name}.h"

${core}

{% if not own_session %}
${load_code}
{% endif %}
static void ${name}_erase(void *memory, size_t bytes) {
    volatile uint8_t *byte = memory;
    while (bytes--) *byte++ = 0;
}

void ${name}_clear(${name}_session *session) { ${name}_erase(session, sizeof *session); }

{% if own_session %}
{% include "c_" ~ shape ~ ".c" %}
{% include "c_begin_" ~ shape ~ ".c" %}
{% else %}
{% include "c_begin.c" %}
{% endif %}
{% for way in inits %}

int ${name}_${way}(${name}_session *session${parameters}) {
    return ${name}_begin(session${arguments}${", " ~ (1 if way in decrypting else 0) if takes_text});
}
{% endfor %}

static unsigned ${name}_least(unsigned one, uint64_t other) {
    return other < one ? (unsigned)other : one;
}
{% if msb_first %}

// A byte whose first bit is bit 0, or back: in memory the first bit is the highest.
static uint8_t ${name}_turned(uint8_t byte) {
    unsigned bits = byte;
    bits = (bits & 0x0fu) << 4 | bits >> 4;
    bits = (bits & 0x33u) << 2 | (bits >> 2 & 0x33u);
    bits = (bits & 0x55u) << 1 | (bits >> 1 & 0x55u);
    return (uint8_t)bits;
}
{% endif %}

// Bits of a word to a place in memory.
static void ${name}_give(uint8_t *out, uint64_t at, const uint64_t *word, unsigned from, unsigned to) {
    while (from < to) {
        unsigned place = (unsigned)(at % 8);
        unsigned count = ${name}_least(${name}_least(8 - place, 64 - from % 64), to - from);
        unsigned ones = (1u << count) - 1;
        uint8_t bits = (uint8_t)(((unsigned)(word[from / 64] >> from % 64) & ones) << place);
        uint8_t kept = (uint8_t)~(ones << place);
{% if msb_first %}
        bits = ${name}_turned(bits);
        kept = ${name}_turned(kept);
{% endif %}
        out[at / 8] = (uint8_t)((out[at / 8] & kept) | bits);
        at += count;
        from += count;
    }
}
{% if not own_session %}
{% if top_first %}

// A word of so many bits, each the first one of a unit, in the order of the core's ports, or back:
// there the first bit is the highest.
static void ${name}_order(uint64_t *to, const uint64_t *from, unsigned width, unsigned unit) {
    unsigned count = width / unit;
    for (unsigned limb = 0; 64 * limb < count; ++limb) to[limb] = 0;
    for (unsigned place = 0; place < count; ++place) {
        unsigned old = unit * place, turned = count - 1 - place;
        to[turned / 64] |= (from[old / 64] >> old % 64 & 1) << turned % 64;
    }
}
{% else %}

// A word of so many bits, each the first one of a unit, in the order of the core's ports, or back.
static void ${name}_order(uint64_t *to, const uint64_t *from, unsigned width, unsigned unit) {
    unsigned count = width / unit;
    for (unsigned limb = 0; 64 * limb < count; ++limb) to[limb] = unit == 1 ? from[limb] : 0;
    if (unit == 1) return;
    for (unsigned place = 0; place < count; ++place)
        to[place / 64] |= (from[unit * place / 64] >> unit * place % 64 & 1) << place % 64;
}
{% endif %}
{% endif %}

{% if takes_text %}
{% include "c_model_message.c" %}
{% else %}
{% include "c_model_keystream.c" %}
{% endif %}
