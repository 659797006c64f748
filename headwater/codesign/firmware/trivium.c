// SPDX-License-Identifier: Apache-2.0
// Trivium, 32 steps at a time: no tap is nearer than 66 to where its register is fed, so a word of
// each tap can be read at once. Registers are kept with the oldest bit (stages 93, 177 and 288 of
// the specification) lowest.
#include "software.h"

struct state {
    uint32_t a0, a1, a2;      // 93 bits
    uint32_t b0, b1, b2;      // 84 bits
    uint32_t c0, c1, c2, c3;  // 111 bits
};

static struct state kept;

// 32 bits from bit n of two words on.
#define FROM(low, high, n) ((low) >> (n) | (high) << (32 - (n)))

static inline uint32_t step(struct state *s) {
    uint32_t t1 = FROM(s->a0, s->a1, 27) ^ s->a0;
    uint32_t t2 = FROM(s->b0, s->b1, 15) ^ s->b0;
    uint32_t t3 = FROM(s->c1, s->c2, 13) ^ s->c0;
    uint32_t z = t1 ^ t2 ^ t3;
    t1 ^= (FROM(s->a0, s->a1, 1) & FROM(s->a0, s->a1, 2)) ^ FROM(s->b0, s->b1, 6);
    t2 ^= (FROM(s->b0, s->b1, 1) & FROM(s->b0, s->b1, 2)) ^ FROM(s->c0, s->c1, 24);
    t3 ^= (FROM(s->c0, s->c1, 1) & FROM(s->c0, s->c1, 2)) ^ FROM(s->a0, s->a1, 24);
    s->a0 = s->a1, s->a1 = s->a2 | t3 << 29, s->a2 = t3 >> 3;
    s->b0 = s->b1, s->b1 = s->b2 | t1 << 20, s->b2 = t1 >> 12;
    s->c0 = s->c1, s->c1 = s->c2, s->c2 = s->c3 | t2 << 15, s->c3 = t2 >> 17;
    return z;
}

// Bit i of the string is s(80 - i): the last bit of the specification's order is the oldest.
static void place(uint32_t *words, uint32_t first, const uint8_t *bytes) {
    for (uint32_t i = 0; i < 10; ++i) {
        uint32_t at = first + 8 * i, value = bytes[i];
        words[at / 32] |= value << at % 32;
        if (at % 32 > 24) words[at / 32 + 1] |= value >> (32 - at % 32);
    }
}

void cipher_begin(const uint8_t *key, const uint8_t *iv) {
    uint32_t a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
    place(a, 13, key);
    place(b, 4, iv);
    kept = (struct state){a[0], a[1], a[2], b[0], b[1], b[2], 7, 0, 0, 0};
    for (uint32_t i = 0; i < 36; ++i) (void)step(&kept);
}

void cipher_keystream(uint32_t *out, uint32_t words) {
    struct state s = kept;
    for (; words; --words) *out++ = step(&s);
    kept = s;
}
