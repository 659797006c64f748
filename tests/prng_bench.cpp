// SPDX-License-Identifier: Apache-2.0
// Runs a source of random bits under Verilator beside its C, cycle by cycle, with inputs at random moments: seeds
// given, broken off and given again, words mixed in, gaps, resets, and states that are made zero. Prints how many
// cycles differed in some output, how many there were, how many offered bits, and how many told of an error.
//
// "names.h" says what the C is called, and how the state of the Verilog is made zero (ZERO).
#include <cstdio>
#include <cstring>
#include <random>

#include "names.h"

int main() {
    std::mt19937_64 random(5);
    auto one_in = [&](unsigned number) { return random() % number == 0; };
    Vdut dut;
    STATE state = {};
    INPUTS given = {};
    OUTPUTS out = {};
    unsigned differences = 0, offered = 0, failed = 0;
    for (unsigned cycle = 0; cycle < CYCLES; ++cycle) {
        // In the first tenth of each quarter no seed is left whole.
        unsigned place = cycle % (CYCLES / 4), rarely = place < CYCLES / 40 ? 20 : CYCLES;
        given.rst = cycle == 0 || one_in(rarely);
        given.restart = one_in(rarely);
        given.en = !one_in(3);
        given.seed_valid = !one_in(4);
        given.seed = SEED_WIDTH == 64 ? random() : random() & 0xffffffff;
        if (place == CYCLES / 5) { ZERO }
        dut.rst = given.rst;
        dut.restart = given.restart;
        dut.en = given.en;
        dut.seed_valid = given.seed_valid;
        dut.seed = given.seed;
        dut.clk = 0;
        dut.eval();
        STEP(&state, &given, &out);
        offered += out.prng_valid;
        failed += out.error;
        // The registers hold anything before the first reset, and the output register before the first seed.
        differences += cycle && (dut.prng_valid != out.prng_valid || dut.seed_ready != out.seed_ready
            || dut.error != out.error || (out.prng_valid && std::memcmp(&dut.prng, &out.prng, sizeof dut.prng)));
        dut.clk = 1;
        dut.eval();
    }
    std::printf("%u of %u cycles differ, %u offer bits, %u tell of an error\n", differences, unsigned(CYCLES), offered,
                failed);
}
