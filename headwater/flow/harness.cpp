// SPDX-License-Identifier: Apache-2.0
// Drives one core by commands on standard input and prints what it offers. It knows the streams
// `load` and `keystream` and the pins `clear` and `rst`; cipher, radix and load width it does not.
//
//   reset N | clear | idle N          hold rst for N cycles; pulse clear; let N cycles pass
//   load HEX...                       offer these load words until all are taken
//   take N | skip N                   accept N keystream words, print them or not
//   gaps SEED PERMILLE                from now on withhold valid and ready that often, at random
//   setup                             print the cycles from the first load word of the last load
//                                     taken to the first keystream word offered
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>
#include <string>

#include "verilated.h"

#include UNITY

// Verilator spells a double underscore this way.
#define load__payload load___05Fpayload
#define load__valid load___05Fvalid
#define load__ready load___05Fready
#define keystream__payload keystream___05Fpayload
#define keystream__valid keystream___05Fvalid
#define keystream__ready keystream___05Fready

static VerilatedContext context;
static Vdut dut{&context};
static std::mt19937 random_source;
static unsigned gap_permille = 0;
static const uint64_t PATIENCE = 4000000;  // cycles without progress before giving up
static uint64_t cycle = 0, first_taken = 0, first_offered = 0;
static bool offered_since_load = false, taken_since_load = false;
static bool held = false;
static std::string held_word;

template <typename T>
static void put(T& port, const std::string& hex) {
    port = static_cast<T>(std::stoull(hex, nullptr, 16));
}

template <std::size_t N>
static void put(VlWide<N>& port, const std::string& hex) {
    std::string padded = std::string(8 * N, '0') + hex;
    padded = padded.substr(padded.size() - 8 * N);
    for (std::size_t word = 0; word < N; ++word)
        port[N - 1 - word] = std::stoul(padded.substr(8 * word, 8), nullptr, 16);
}

template <typename T>
static std::string get(const T& port) {
    char text[17];
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(port));
    return text;
}

template <std::size_t N>
static std::string get(const VlWide<N>& port) {
    std::string text;
    char digits[9];
    for (std::size_t word = N; word-- > 0;) {
        std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(port[word]));
        text += digits;
    }
    return text;
}

[[noreturn]] static void fail(const char* what) {
    std::fprintf(stderr, "cycle %llu: %s\n", static_cast<unsigned long long>(cycle), what);
    std::exit(1);
}

static bool gap() { return gap_permille && random_source() % 1000 < gap_permille; }

static void set_clear(bool value) {
#ifdef HAS_CLEAR
    dut.clear = value;
#else
    if (value) fail("this core has no clear");
#endif
}

static void set_ready(bool value) {
#ifdef HAS_READY
    dut.keystream__ready = value;
#else
    (void)value;
#endif
}

// Settles the outputs for the inputs as they are now, and watches the promises on them.
static void settle() {
    dut.clk = 0;
    dut.eval();
    if (dut.keystream__valid && !offered_since_load) {
        offered_since_load = true;
        first_offered = cycle;
        if (!taken_since_load) fail("keystream offered before a load");
    }
#ifdef HAS_READY
    if (held && (!dut.keystream__valid || get(dut.keystream__payload) != held_word))
        fail("a keystream word was withdrawn before it was taken");
#ifdef HAS_CLEAR
    bool keeps = !dut.clear;
#else
    bool keeps = true;
#endif
    held = dut.keystream__valid && !dut.keystream__ready && !dut.rst && !dut.load__valid && keeps;
    held_word = get(dut.keystream__payload);
#endif
}

static void tick() {
    dut.clk = 1;
    dut.eval();
    ++cycle;
}

static void idle(uint64_t cycles) {
    while (cycles--) {
        settle();
        tick();
    }
}

static void load(std::istream& words) {
    std::string word;
    bool first = true;
    while (words >> word) {
        for (uint64_t waited = 0;; ++waited) {
            if (waited > PATIENCE) fail("the load word was never taken");
            bool offer = !gap();
            dut.load__valid = offer;
            put(dut.load__payload, offer ? word : "0");
            settle();
            bool taken = offer && dut.load__ready;
            if (taken && first) {
                first = false;
                taken_since_load = true;
                offered_since_load = false;
                first_taken = cycle;
            }
            tick();
            if (taken) break;
        }
    }
    dut.load__valid = 0;
    put(dut.load__payload, "0");
}

static void take(uint64_t words, bool print) {
    for (uint64_t waited = 0; words; ++waited) {
        if (waited > PATIENCE) fail("the keystream never came");
        bool ready = true;
#ifdef HAS_READY
        ready = !gap();
#endif
        set_ready(ready);
        settle();
        if (ready && dut.keystream__valid) {
            if (print) std::cout << get(dut.keystream__payload) << '\n';
            --words;
            waited = 0;
        }
        tick();
    }
    set_ready(false);
}

int main() {
    context.randReset(2);  // power-up values are random: a core may not rely on them
    random_source.seed(1);
    dut.rst = 0;
    dut.load__valid = 0;
    put(dut.load__payload, "0");
    set_ready(false);
    set_clear(false);
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string command;
        uint64_t number = 0;
        words >> command;
        if (command == "load") {
            load(words);
            continue;
        }
        words >> number;
        if (command == "reset") {
            dut.rst = 1;
            idle(number);
            dut.rst = 0;
            taken_since_load = offered_since_load = false;
        } else if (command == "clear") {
            set_clear(true);
            idle(1);
            set_clear(false);
            taken_since_load = offered_since_load = false;
        } else if (command == "idle") {
            idle(number);
        } else if (command == "take" || command == "skip") {
            take(number, command == "take");
        } else if (command == "gaps") {
            random_source.seed(static_cast<uint32_t>(number));
            words >> gap_permille;
        } else if (command == "setup") {
            std::cout << first_offered - first_taken << '\n';
        } else {
            fail("unknown command");
        }
    }
    return 0;
}
