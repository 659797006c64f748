// SPDX-License-Identifier: Apache-2.0
// A text through the coprocessor, and its tag: a message with its key setup, then a long one of
// which only the words in its midst are timed.
#include "bench.h"
#include "coprocessor.h"

enum { EDGE = 16 };

#if DRIVER_POLLING
#define cop_text cop_text_polling
#endif

static uint32_t load[64];

static inline uint32_t *tag(uint32_t *out) {
    for (uint32_t i = 0; i < TAG_WORDS; ++i) *out++ = cop_get();
    return out;
}

// What comes before the text: what is authenticated, and the words that have to go in before the
// first one comes out.
static inline void lead(const uint32_t *in, uint32_t words) {
    (void)in, (void)words;
#if PREFIX_BYTES
    cop_put(PREFIX_WORD, COP_MARK_DATA | PREFIX_BYTES);
#endif
#if COP_LAG_WORDS
    for (uint32_t i = 0; i < COP_LAG_WORDS && i < words; ++i) {
        if (i + 1 == words) cop_put(in[i], 4 | COP_MARK_LAST);
        else cop_put(in[i], 4);
    }
#endif
}

// A text of which COP_LAG_WORDS words have gone in already. With `ends` all come out, and the tag.
static inline uint32_t *text(uint32_t *out, const uint32_t *in, uint32_t words, int ends) {
    uint32_t rest = !ends ? 0 : words < COP_LAG_WORDS ? words : COP_LAG_WORDS;
    cop_text(out, in + COP_LAG_WORDS, words - rest, ends);
    out += words - rest;
    for (uint32_t i = 0; i < rest; ++i) *out++ = cop_get();
    return ends ? tag(out) : out;
}

int main(void) {
    const struct request *request = REQUEST;
    uint32_t words = request->message_words;
    for (uint32_t i = 0; i < request->load_words; ++i) load[i] = request->load[i];
    mark(MESSAGE_BEGINS);
    cop_load(load, request->load_words);
    lead(INPUT, words);
    uint32_t *out = text(OUTPUT, INPUT, words, 1);
    mark(MESSAGE_ENDS);
    const uint32_t *in = INPUT + words;
    cop_load(load, request->load_words);
    lead(in, UINT32_MAX);
    text(out, in, EDGE, 0);
    mark(STEADY_BEGINS);
    text(out + EDGE, in + EDGE, request->steady_words, 0);
    mark(STEADY_ENDS);
    uint32_t done = EDGE + request->steady_words;
    text(out + done, in + done, EDGE, 1);
    cop_clear();
    return 0;
}
