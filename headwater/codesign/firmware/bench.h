// SPDX-License-Identifier: Apache-2.0
// What the harness asks for, and how it is told what has been done.
#pragma once
#include <stdint.h>

struct request {
    uint32_t message_words;  // of a message, key setup included in its time
    uint32_t steady_words;   // of what is measured without key setup
    uint32_t load_words;     // of key and IV as the coprocessor takes them
    uint32_t block_words;    // of a block that is asked for by its number; 0: there are none
    uint32_t counter_words;  // at the end of a load, which hold that number
    uint32_t iv_bytes;
    uint32_t load[64];
    uint8_t key[32];
    uint8_t iv[32];
};

#define REQUEST ((const struct request *)0x8000)
#define OUTPUT ((uint32_t *)0x10000)
#define INPUT ((const uint32_t *)0x28800)

enum {
    MESSAGE_BEGINS = 1,
    MESSAGE_ENDS = 2,
    STEADY_BEGINS = 3,
    STEADY_ENDS = 4,
};

// The harness notes the cycle.
static inline void mark(uint32_t what) {
    asm volatile("" ::: "memory");
    *(volatile uint32_t *)0xf0000000 = what;
    asm volatile("" ::: "memory");
}
