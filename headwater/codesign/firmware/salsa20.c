// SPDX-License-Identifier: Apache-2.0
// Salsa20 with a key of 256 bits: blocks of sixteen words.
#include "software.h"

static uint32_t matrix[16];

#define QUARTER(a, b, c, d)       \
    x[b] ^= ROTATE(x[a] + x[d], 7);  \
    x[c] ^= ROTATE(x[b] + x[a], 9);  \
    x[d] ^= ROTATE(x[c] + x[b], 13); \
    x[a] ^= ROTATE(x[d] + x[c], 18);

static uint32_t word_at(const uint8_t *bytes) {
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void cipher_begin(const uint8_t *key, const uint8_t *nonce) {
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    for (uint32_t i = 0; i < 4; ++i) {
        matrix[5 * i] = constants[i];
        matrix[1 + i] = word_at(key + 4 * i);
        matrix[11 + i] = word_at(key + 16 + 4 * i);
    }
    matrix[6] = word_at(nonce), matrix[7] = word_at(nonce + 4);
    matrix[8] = matrix[9] = 0;
}

void cipher_keystream(uint32_t *out, uint32_t words) {
    for (; words; words -= 16, out += 16) {
        uint32_t x[16];
        for (uint32_t i = 0; i < 16; ++i) x[i] = matrix[i];
        for (uint32_t i = 0; i < 10; ++i) {
            QUARTER(0, 4, 8, 12) QUARTER(5, 9, 13, 1) QUARTER(10, 14, 2, 6) QUARTER(15, 3, 7, 11)
            QUARTER(0, 1, 2, 3) QUARTER(5, 6, 7, 4) QUARTER(10, 11, 8, 9) QUARTER(15, 12, 13, 14)
        }
        for (uint32_t i = 0; i < 16; ++i) out[i] = x[i] + matrix[i];
        if (!++matrix[8]) ++matrix[9];
    }
}
