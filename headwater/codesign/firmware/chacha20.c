// SPDX-License-Identifier: Apache-2.0
// ChaCha20 with a nonce of 96 bits and a block number of 32.
#include "software.h"

static uint32_t matrix[16];

#define QUARTER(a, b, c, d)                       \
    x[a] += x[b], x[d] = ROTATE(x[d] ^ x[a], 16); \
    x[c] += x[d], x[b] = ROTATE(x[b] ^ x[c], 12); \
    x[a] += x[b], x[d] = ROTATE(x[d] ^ x[a], 8);  \
    x[c] += x[d], x[b] = ROTATE(x[b] ^ x[c], 7);

static uint32_t word_at(const uint8_t *bytes) {
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void cipher_begin(const uint8_t *key, const uint8_t *nonce) {
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    for (uint32_t i = 0; i < 4; ++i) matrix[i] = constants[i];
    for (uint32_t i = 0; i < 8; ++i) matrix[4 + i] = word_at(key + 4 * i);
    matrix[12] = 0;
    for (uint32_t i = 0; i < 3; ++i) matrix[13 + i] = word_at(nonce + 4 * i);
}

void cipher_keystream(uint32_t *out, uint32_t words) {
    for (; words; words -= 16, out += 16) {
        uint32_t x[16];
        for (uint32_t i = 0; i < 16; ++i) x[i] = matrix[i];
        for (uint32_t i = 0; i < 10; ++i) {
            QUARTER(0, 4, 8, 12) QUARTER(1, 5, 9, 13) QUARTER(2, 6, 10, 14) QUARTER(3, 7, 11, 15)
            QUARTER(0, 5, 10, 15) QUARTER(1, 6, 11, 12) QUARTER(2, 7, 8, 13) QUARTER(3, 4, 9, 14)
        }
        for (uint32_t i = 0; i < 16; ++i) out[i] = x[i] + matrix[i];
        ++matrix[12];
    }
}
