// SPDX-License-Identifier: Apache-2.0
// Trivium as its specification is written: one step at a time, a byte for every bit of state.
#include "software.h"

static uint8_t s[289];  // s[1] to s[288]

static uint32_t step(void) {
    uint8_t t1 = s[66] ^ s[93], t2 = s[162] ^ s[177], t3 = s[243] ^ s[288];
    uint32_t z = t1 ^ t2 ^ t3;
    t1 ^= (s[91] & s[92]) ^ s[171];
    t2 ^= (s[175] & s[176]) ^ s[264];
    t3 ^= (s[286] & s[287]) ^ s[69];
    for (uint32_t i = 288; i > 1; --i) s[i] = s[i - 1];
    s[1] = t3, s[94] = t1, s[178] = t2;
    return z;
}

void cipher_begin(const uint8_t *key, const uint8_t *iv) {
    for (uint32_t i = 1; i < 289; ++i) s[i] = i > 285;
    for (uint32_t i = 0; i < 80; ++i) {
        s[80 - i] = key[i / 8] >> i % 8 & 1;
        s[173 - i] = iv[i / 8] >> i % 8 & 1;
    }
    for (uint32_t i = 0; i < 4 * 288; ++i) (void)step();
}

void cipher_keystream(uint32_t *out, uint32_t words) {
    for (; words; --words) {
        uint32_t word = 0;
        for (uint32_t i = 0; i < 32; ++i) word |= step() << i;
        *out++ = word;
    }
}
