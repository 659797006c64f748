// SPDX-License-Identifier: Apache-2.0
// Whatever other programs left in a core and in memory, the driver gives what the model gives.
//
// `case.h` has the driver, what the core has, and the function `session`. Standard input and output
// are connected with `port_driver.cpp`.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t answer(const char *command, ...);
static uint32_t bus_read(uintptr_t address) { return answer("read %x", (unsigned)address); }
static void bus_write(uintptr_t address, uint32_t word) {
    (void)answer("write %x %x", (unsigned)address, (unsigned)word);
}
static uint32_t instruction(unsigned funct3, unsigned funct7, uint32_t first, uint32_t second) {
    return answer("op %x %x %x %x", funct7, funct3, (unsigned)first, (unsigned)second);
}

#define CHECK(what) ((what) ? (void)0 : failed(__LINE__, #what))
static void failed(int line, const char *what);
#include "case.h"

static unsigned round_number;

static void failed(int line, const char *what) {
    fprintf(stderr, "round %u, line %d: %s\n", round_number, line, what);
    exit(1);
}

// What the simulator says; the first of its words.
static uint32_t answer(const char *command, ...) {
    char line[1024];
    va_list values;
    va_start(values, command);
    vprintf(command, values);
    va_end(values);
    putchar('\n');
    fflush(stdout);
    CHECK(fgets(line, sizeof line, stdin));
    CHECK(strncmp(line, "none", 4));
    return (uint32_t)strtoul(line, 0, 16);
}

static uint32_t drawn(void) {
    static uint32_t state = 1;
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

// Another program reads the next word.
static void peek_word(void) {
    if (INSTRUCTIONS) (void)instruction(1, 0, 0, 0);
    else (void)bus_read(BASE);
}

static void poke(unsigned offset, uint32_t word) {
    if (!INSTRUCTIONS) bus_write(BASE + offset, word);
    else if (offset == STATUS) (void)instruction(5, 0, 0, 0);
    else if (offset == LOAD_FIRST) (void)instruction(0, 0, word, PAIRS ? drawn() : 0);
    else if (offset == LOAD_NEXT) (void)instruction(0, 1, word, PAIRS ? drawn() : 1);
    else if (offset == TAG_EXPECTED) (void)instruction(7, 0, word, 0);
    else if (offset >= TEXT) (void)instruction(2, (offset - TEXT) / 4, word, 0);
    else (void)instruction(6, offset / 4, word, 1);
}

static void poke_load(void) {
    unsigned words = 1 + drawn() % LOAD_TRANSFERS;
    if (drawn() % 2) words = LOAD_TRANSFERS;
    poke(LOAD_FIRST, LENGTH(drawn()));
    for (unsigned i = 1; i < words; ++i) poke(LOAD_NEXT, drawn());
}

static void poke_text(void) {
    if (!HAS_TEXT) return;
    uint32_t bytes = drawn() % 5, mark = drawn() % 4;
    poke(TEXT + 4 * (bytes | (mark == 1 ? 16 : mark == 2 && bytes && HAS_DATA ? 8 : 0)), drawn());
}

static void poke_dma(void) {
    if (!HAS_DMA) return;
    poke(DMA_ADDRESS, drawn() & 0xfffcu);
    poke(DMA_WORDS, drawn() % 9);
    (void)answer("dma %x 1f4", drawn() % 20);
}

// Random legal values in every register that can be written, wherever a session is.
static void poison(void) {
    for (unsigned left = drawn() % 12; left; --left) {
        switch (drawn() % 8) {
        case 0: case 1: poke_load(); break;
        case 2: case 3: case 4: poke_text(); break;
        case 5: poke_dma(); break;
        case 6: peek_word(); break;
        default:
            if (HAS_TAG) poke(TAG_EXPECTED, drawn());
        }
    }
    for (unsigned i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; ++i)
        poke(SETTINGS[i].offset, drawn() & SETTINGS[i].mask);
}

int main(void) {
    for (; round_number < ROUNDS; ++round_number) {
        DRIVER device;
        for (size_t i = 0; i < sizeof device; ++i) ((uint8_t *)&device)[i] = (uint8_t)drawn();
        SET_BASE(device);
        poison();
        session(&device, round_number);
    }
    return 0;
}
