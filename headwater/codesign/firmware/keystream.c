// SPDX-License-Identifier: Apache-2.0
// Keystream from the coprocessor into memory: a message with its key setup, then a long run.
#include "bench.h"
#include "coprocessor.h"

static uint32_t load[64];

#if COP_DMA
// DMA goes past the data cache. It is emptied while DMA goes on: what is written is not read before
// the end, so none of it comes back in.
static inline void flush_cache(void) {
#if CPU_VEXRISCV
    asm volatile(".word 0x500f" ::: "memory");
#endif
}
#endif

static inline void words_into(uint32_t *out, uint32_t words, int first) {
    (void)first;
#if COP_DMA
    cop_dma_start(out, words);
    if (first) flush_cache();
    while (!cop_dma_done()) {}
    asm volatile("" ::: "memory");
#elif DRIVER_POLLING
    cop_keystream_polling(out, words);
#elif DRIVER_FOUR
    cop_keystream_four(out, words);
#elif DRIVER_SIMPLE
    cop_keystream_simple(out, words);
#else
    cop_keystream(out, words);
#endif
}

#if STATELESS
// Each block is asked for with key, nonce and its number.
static uint32_t block_number;

static __attribute__((noinline)) void produce(uint32_t *out, uint32_t words) {
    const struct request *request = REQUEST;
    uint32_t count = request->load_words, size = request->block_words;
    uint32_t *number = load + count - request->counter_words;
    for (int first = 1; words; words -= size, out += size, first = 0) {
        *number = block_number++;
        cop_load(load, count);
        words_into(out, size, first);
    }
}

static void begin(void) {}
#else
static __attribute__((noinline)) void produce(uint32_t *out, uint32_t words) { words_into(out, words, 1); }

static void begin(void) { cop_load(load, REQUEST->load_words); }
#endif

int main(void) {
    const struct request *request = REQUEST;
    uint32_t message = request->message_words, steady = request->steady_words;
    for (uint32_t i = 0; i < request->load_words; ++i) load[i] = request->load[i];
    mark(MESSAGE_BEGINS);
    begin();
    produce(OUTPUT, message);
    mark(MESSAGE_ENDS);
    mark(STEADY_BEGINS);
    produce(OUTPUT + message, steady);
    mark(STEADY_ENDS);
    cop_clear();
    return 0;
}
