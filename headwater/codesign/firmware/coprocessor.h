// SPDX-License-Identifier: Apache-2.0
// Drivers of a coprocessor. COP_INSTRUCTIONS: custom instructions, else registers on a bus.
// COP_PAIRS: a load instruction takes two words. COP_RESULTS: words that a read instruction gives. COP_TRANSFER_WORDS: words of text that go in
// before any comes out; COP_POLLED_WORDS: words that a level of so many promises (1, 2, 4 or 16).
//
// Reads wait for their words, so key setup needs no polling. What is read is stored only after
// the last word of a group: a processor with a pipeline then waits for the first word alone.
#pragma once
#include <stdint.h>

#include "coprocessor_map.h"

#ifndef COP_BASE
#define COP_BASE 0x80000000u
#endif
#ifndef COP_TRANSFER_WORDS
#define COP_TRANSFER_WORDS 1
#endif
#ifndef COP_POLLED_WORDS
#define COP_POLLED_WORDS 1
#endif

#if COP_INSTRUCTIONS

// One instruction: opcode custom-0, funct3 says what, funct7 is a third operand.
#define COP_INSTRUCTION(what, third, first, second)                          \
    ({                                                                       \
        uint32_t result_;                                                    \
        asm volatile(".insn r 0x0b, %1, %2, %0, %z3, %z4"                    \
                     : "=r"(result_)                                         \
                     : "i"(what), "i"(third), "rJ"(first), "rJ"(second));    \
        result_;                                                             \
    })

static inline uint32_t cop_get(void) { return COP_INSTRUCTION(COP_GET, 0, 0, 0); }
static inline uint32_t cop_status(void) { return COP_INSTRUCTION(COP_STATUS, 0, 0, 0); }
static inline void cop_clear(void) { (void)COP_INSTRUCTION(COP_CLEAR, 0, 0, 0); }
#define cop_put(word, marks) ((void)COP_INSTRUCTION(COP_PUT, marks, word, 0))
#define cop_exchange(word) COP_INSTRUCTION(COP_EXCHANGE, 4, word, 0)

// Key and IV, then the number of the first block where the cipher has one. What tells the first
// word from the others is the second operand, or with pairs the third; a spare word is ignored.
static inline void cop_load(const uint32_t *words, uint32_t count) {
#if COP_PAIRS
    (void)COP_INSTRUCTION(COP_LOAD, 0, words[0], words[1]);
    words += 2, count -= count > 1 ? 2 : 1;
    for (; count >= 4; words += 4, count -= 4) {
        uint32_t a = words[0], b = words[1], c = words[2], d = words[3];
        (void)COP_INSTRUCTION(COP_LOAD, 1, a, b);
        (void)COP_INSTRUCTION(COP_LOAD, 1, c, d);
    }
    for (; count; words += 2, count -= count > 1 ? 2 : 1)
        (void)COP_INSTRUCTION(COP_LOAD, 1, words[0], words[1]);
#else
    (void)COP_INSTRUCTION(COP_LOAD, 0, words[0], 0);
    for (++words, --count; count >= 4; words += 4, count -= 4) {
        uint32_t a = words[0], b = words[1], c = words[2], d = words[3];
        (void)COP_INSTRUCTION(COP_LOAD, 0, a, 1);
        (void)COP_INSTRUCTION(COP_LOAD, 0, b, 1);
        (void)COP_INSTRUCTION(COP_LOAD, 0, c, 1);
        (void)COP_INSTRUCTION(COP_LOAD, 0, d, 1);
    }
    for (; count; --count) (void)COP_INSTRUCTION(COP_LOAD, 0, *words++, 1);
#endif
}

#else

#define COP_AT(offset) (*(volatile uint32_t *)(COP_BASE + (offset)))

static inline uint32_t cop_get(void) { return COP_AT(COP_REG_DATA); }
static inline uint32_t cop_status(void) { return COP_AT(COP_REG_STATUS); }
static inline void cop_clear(void) { COP_AT(COP_REG_STATUS) = 0; }
static inline void cop_put(uint32_t word, uint32_t marks) {
    COP_AT(COP_REG_TEXT + 4 * marks) = word;
}
static inline uint32_t cop_exchange(uint32_t word) {
    cop_put(word, 4);
    return cop_get();
}

static inline void cop_load(const uint32_t *words, uint32_t count) {
    COP_AT(COP_REG_LOAD_FIRST) = words[0];
    for (++words, --count; count >= 4; words += 4, count -= 4) {
        uint32_t a = words[0], b = words[1], c = words[2], d = words[3];
        COP_AT(COP_REG_LOAD_NEXT) = a;
        COP_AT(COP_REG_LOAD_NEXT) = b;
        COP_AT(COP_REG_LOAD_NEXT) = c;
        COP_AT(COP_REG_LOAD_NEXT) = d;
    }
    for (; count; --count) COP_AT(COP_REG_LOAD_NEXT) = *words++;
}

// Words into memory without the processor; false while it goes on.
static inline void cop_dma_start(uint32_t *out, uint32_t words) {
    COP_AT(COP_REG_DMA_ADDRESS) = (uintptr_t)out;
    COP_AT(COP_REG_DMA_WORDS) = words;
}
static inline int cop_dma_done(void) { return !(cop_status() & COP_STATUS_BUSY); }

#endif

#define COP_4(F, i) F(i) F(i + 1) F(i + 2) F(i + 3)
#define COP_16(F) COP_4(F, 0) COP_4(F, 4) COP_4(F, 8) COP_4(F, 12)

#define COP_READ(i) w[i] = cop_get();
#define COP_STORE(i) out[i] = w[i];

// The next four words of the keystream.
static inline void cop_four(uint32_t *out) {
#if COP_RESULTS == 2
    // The second result is in the register behind the first one, and can be read a cycle later.
    register uint32_t a asm("a2"), b asm("a3"), c asm("a4"), d asm("a5");
    asm volatile(".insn r 0x0b, %2, 0x40, %0, x0, x0" : "=r"(a), "=r"(b) : "i"(COP_GET));
    asm volatile(".insn r 0x0b, %2, 0x40, %0, x0, x0" : "=r"(c), "=r"(d) : "i"(COP_GET));
    out[0] = a, out[2] = c, out[1] = b, out[3] = d;
#else
    uint32_t w[4];
    COP_4(COP_READ, 0)
    COP_4(COP_STORE, 0)
#endif
}

// The next words of the keystream, four at a time.
static inline void cop_keystream_four(uint32_t *out, uint32_t words) {
    for (; words >= 4; words -= 4, out += 4) cop_four(out);
    for (; words; --words) *out++ = cop_get();
}

// The same, sixteen at a time as long as there are as many.
static inline void cop_keystream(uint32_t *out, uint32_t words) {
    for (; words >= 16; words -= 16, out += 16) {
#if COP_RESULTS == 2
        cop_four(out), cop_four(out + 4), cop_four(out + 8), cop_four(out + 12);
#else
        uint32_t w[16];
        COP_16(COP_READ)
        COP_16(COP_STORE)
#endif
    }
    cop_keystream_four(out, words);
}

// The same, each word stored before the next is read.
static inline void cop_keystream_simple(uint32_t *out, uint32_t words) {
    for (; words; --words) *out++ = cop_get();
}

// The same, words read only when the status says that they are there: COP_POLLED_WORDS at a time,
// of which `words` is a multiple.
static inline void cop_keystream_polling(uint32_t *out, uint32_t words) {
    uint32_t w[16];
    for (; words; words -= COP_POLLED_WORDS, out += COP_POLLED_WORDS) {
        while ((cop_status() & COP_STATUS_LEVEL) < COP_POLLED_WORDS) {}
#if COP_POLLED_WORDS == 1
        COP_READ(0) COP_STORE(0)
#elif COP_POLLED_WORDS == 2
        COP_READ(0) COP_READ(1) COP_STORE(0) COP_STORE(1)
#elif COP_POLLED_WORDS == 4
        COP_4(COP_READ, 0) COP_4(COP_STORE, 0)
#else
        COP_16(COP_READ) COP_16(COP_STORE)
#endif
    }
}

// A text through a cipher that encrypts and authenticates words. With `ends` it is the end of the
// message, and at least one word: those of the tag follow, to be fetched with cop_get(). Without,
// it is a multiple of eight words.
static inline void cop_text(uint32_t *out, const uint32_t *in, uint32_t words, int ends) {
    uint32_t w[8];
#define COP_FETCH(i) w[i] = in[i];
#define COP_EXCHANGE_WORD(i) w[i] = cop_exchange(w[i]);
#define COP_PUT_WORD(i) cop_put(w[i], 4);
    for (; words > 8 || (words && !ends); words -= 8, in += 8, out += 8) {
        COP_4(COP_FETCH, 0) COP_4(COP_FETCH, 4)
#if COP_TRANSFER_WORDS == 1 && !COP_FIFO
        COP_4(COP_EXCHANGE_WORD, 0) COP_4(COP_EXCHANGE_WORD, 4)
#elif COP_TRANSFER_WORDS == 2
        COP_PUT_WORD(0) COP_PUT_WORD(1) COP_READ(0) COP_READ(1)
        COP_PUT_WORD(2) COP_PUT_WORD(3) COP_READ(2) COP_READ(3)
        COP_PUT_WORD(4) COP_PUT_WORD(5) COP_READ(4) COP_READ(5)
        COP_PUT_WORD(6) COP_PUT_WORD(7) COP_READ(6) COP_READ(7)
#elif COP_TRANSFER_WORDS == 4
        COP_4(COP_PUT_WORD, 0) COP_4(COP_READ, 0) COP_4(COP_PUT_WORD, 4) COP_4(COP_READ, 4)
#else
        COP_4(COP_PUT_WORD, 0) COP_4(COP_PUT_WORD, 4) COP_4(COP_READ, 0) COP_4(COP_READ, 4)
#endif
        COP_4(COP_STORE, 0) COP_4(COP_STORE, 4)
    }
    for (; words; in += COP_TRANSFER_WORDS, out += COP_TRANSFER_WORDS) {
        uint32_t now = words < COP_TRANSFER_WORDS ? words : COP_TRANSFER_WORDS;
        words -= now;
        for (uint32_t i = 0; i + 1 < now; ++i) cop_put(in[i], 4);
        if (words) cop_put(in[now - 1], 4);
        else cop_put(in[now - 1], 4 | COP_MARK_LAST);
        for (uint32_t i = 0; i < now; ++i) out[i] = cop_get();
    }
}

// The same, each transfer put, and each word read when the status says that it is there.
static inline void cop_text_polling(uint32_t *out, const uint32_t *in, uint32_t words, int ends) {
    for (; words; in += COP_TRANSFER_WORDS, out += COP_TRANSFER_WORDS) {
        uint32_t now = words < COP_TRANSFER_WORDS ? words : COP_TRANSFER_WORDS;
        words -= now;
        for (uint32_t i = 0; i + 1 < now; ++i) cop_put(in[i], 4);
        if (words || !ends) cop_put(in[now - 1], 4);
        else cop_put(in[now - 1], 4 | COP_MARK_LAST);
        for (uint32_t i = 0; i < now; ++i) {
            while (!(cop_status() & COP_STATUS_LEVEL)) {}
            out[i] = cop_get();
        }
    }
}
