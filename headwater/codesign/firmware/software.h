// SPDX-License-Identifier: Apache-2.0
// What every cipher in software offers to software.c.
#pragma once
#include <stdint.h>

#define ROTATE(word, by) ((word) << (by) | (word) >> (32 - (by)))

// Key and IV as bytes.
void cipher_begin(const uint8_t *key, const uint8_t *iv);

// The next words of the keystream, first byte lowest; a multiple of sixteen.
void cipher_keystream(uint32_t *out, uint32_t words);

// Instead, for ciphers that take the text in: its next words, and the four words of the tag.
void cipher_text(uint32_t *out, const uint32_t *in, uint32_t words);
void cipher_tag(uint32_t *out);
