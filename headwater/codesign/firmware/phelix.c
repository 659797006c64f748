// SPDX-License-Identifier: Apache-2.0
// Phelix with a key of 256 bits, a tag of 128 and no associated data: encryption.
#include "software.h"

enum { KEY_BYTES = 32, SETUP_BLOCKS = 8, MAC_BLOCKS = 12 };

struct state {
    uint32_t z0, z1, z2, z3, z4;
};

static struct state state;
static uint32_t old[4], early[8], late[8];  // X and X' of the specification, but for the block number
static uint32_t block;

static inline void half_block(struct state *s, uint32_t p, uint32_t k) {
    s->z0 += s->z3 ^ p, s->z3 = ROTATE(s->z3, 15);
    s->z1 += s->z4, s->z4 = ROTATE(s->z4, 25);
    s->z2 ^= s->z0, s->z0 = ROTATE(s->z0, 9);
    s->z3 ^= s->z1, s->z1 = ROTATE(s->z1, 10);
    s->z4 += s->z2, s->z2 = ROTATE(s->z2, 17);
    s->z0 ^= s->z3 + k, s->z3 = ROTATE(s->z3, 30);
    s->z1 ^= s->z4, s->z4 = ROTATE(s->z4, 13);
    s->z2 += s->z0, s->z0 = ROTATE(s->z0, 20);
    s->z3 += s->z1, s->z1 = ROTATE(s->z1, 11);
    s->z4 ^= s->z2, s->z2 = ROTATE(s->z2, 5);
}

// One block: takes a plain word in and gives a keystream word.
static inline uint32_t whole_block(struct state *s, uint32_t number, uint32_t plain) {
    half_block(s, 0, early[number % 8]);
    uint32_t keystream = s->z4 + old[number % 4];
    half_block(s, plain, late[number % 8] + number);
    old[number % 4] = s->z4;
    return keystream;
}

static uint32_t word_at(const uint8_t *bytes) {
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void mix_key(uint32_t *k, const uint8_t *key) {
    for (uint32_t i = 0; i < 8; ++i) k[i] = word_at(key + 4 * i);
    for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t *from = k + (i % 2 ? 4 : 0);
        uint32_t *into = k + (i % 2 ? 0 : 4);
        struct state s = {from[0], from[1], from[2], from[3], KEY_BYTES + 64};
        half_block(&s, 0, 0);
        half_block(&s, 0, 0);
        into[0] ^= s.z0, into[1] ^= s.z1, into[2] ^= s.z2, into[3] ^= s.z3;
    }
}

void cipher_begin(const uint8_t *key, const uint8_t *nonce) {
    uint32_t *k = early, n[4];
    mix_key(k, key);
    for (uint32_t i = 0; i < 4; ++i) {
        n[i] = word_at(nonce + 4 * i);
        late[i] = k[i + 4] + n[i];
        late[i + 4] = k[i] + i - n[i];
        old[i] = 0;
    }
    late[1] += 4 * KEY_BYTES, late[5] += 4 * KEY_BYTES;  // and 256 * (128 mod 128)
    state = (struct state){k[3] ^ n[0], k[4] ^ n[1], k[5] ^ n[2], k[6] ^ n[3], k[7]};
    for (block = 0; block < SETUP_BLOCKS; ++block) (void)whole_block(&state, block, 0);
    // The marks before and after associated data, of which there is none.
    state.z1 ^= 0xAADAADAA;
    state.z1 ^= 0xAADAADAA;
}

void cipher_text(uint32_t *out, const uint32_t *in, uint32_t words) {
    struct state s = state;
    uint32_t number = block;
    for (; words; --words) {
        uint32_t plain = *in++;
        *out++ = plain ^ whole_block(&s, number++, plain);
    }
    state = s;
    block = number;
}

void cipher_tag(uint32_t *out) {
    state.z0 ^= 0x912D94F1;
    for (uint32_t i = 0; i < MAC_BLOCKS; ++i) {
        uint32_t keystream = whole_block(&state, block++, 0);
        if (i >= MAC_BLOCKS - 4) *out++ = keystream;
    }
}
