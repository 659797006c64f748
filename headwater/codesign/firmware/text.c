// SPDX-License-Identifier: Apache-2.0
// A text through the coprocessor, and its tag: a message with its key setup, then a long one of
// which only the words in its midst are timed.
#include "bench.h"
#include "coprocessor.h"

enum { TAG_WORDS = 4, EDGE = 16 };

#if DRIVER_POLLING
#define cop_text cop_text_polling
#endif

static uint32_t load[64];

static inline uint32_t *tag(uint32_t *out) {
    for (uint32_t i = 0; i < TAG_WORDS; ++i) *out++ = cop_get();
    return out;
}

int main(void) {
    const struct request *request = REQUEST;
    uint32_t words = request->message_words;
    for (uint32_t i = 0; i < request->load_words; ++i) load[i] = request->load[i];
    mark(MESSAGE_BEGINS);
    cop_load(load, request->load_words);
    cop_text(OUTPUT, INPUT, words, 1);
    uint32_t *out = tag(OUTPUT + words);
    mark(MESSAGE_ENDS);
    const uint32_t *in = INPUT + words;
    cop_load(load, request->load_words);
    cop_text(out, in, EDGE, 0);
    mark(STEADY_BEGINS);
    cop_text(out + EDGE, in + EDGE, request->steady_words, 0);
    mark(STEADY_ENDS);
    uint32_t done = EDGE + request->steady_words;
    cop_text(out + done, in + done, EDGE, 1);
    tag(out + done + EDGE);
    cop_clear();
    return 0;
}
