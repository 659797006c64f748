// SPDX-License-Identifier: Apache-2.0
// The same work as keystream.c and text.c, done by the processor alone. TAKES_TEXT says which.
#include "software.h"

#include "bench.h"

enum { TAG_WORDS = 4, EDGE = 16 };

#if TAKES_TEXT
int main(void) {
    const struct request *request = REQUEST;
    uint32_t words = request->message_words, *out = OUTPUT;
    mark(MESSAGE_BEGINS);
    cipher_begin(request->key, request->iv);
    cipher_text(out, INPUT, words);
    cipher_tag(out + words);
    mark(MESSAGE_ENDS);
    const uint32_t *in = INPUT + words;
    out += words + TAG_WORDS;
    cipher_begin(request->key, request->iv);
    cipher_text(out, in, EDGE);
    mark(STEADY_BEGINS);
    cipher_text(out + EDGE, in + EDGE, request->steady_words);
    mark(STEADY_ENDS);
    uint32_t done = EDGE + request->steady_words;
    cipher_text(out + done, in + done, EDGE);
    cipher_tag(out + done + EDGE);
    return 0;
}
#else
int main(void) {
    const struct request *request = REQUEST;
    mark(MESSAGE_BEGINS);
    cipher_begin(request->key, request->iv);
    cipher_keystream(OUTPUT, request->message_words);
    mark(MESSAGE_ENDS);
    mark(STEADY_BEGINS);
    cipher_keystream(OUTPUT + request->message_words, request->steady_words);
    mark(STEADY_ENDS);
    return 0;
}
#endif
