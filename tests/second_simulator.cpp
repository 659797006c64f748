// SPDX-License-Identifier: Apache-2.0
// The harness of harness.cpp for CXXRTL, which has system and coprocessor in one model. The same
// arguments, the same output; the timer's period must be 0.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "model.h"

static cxxrtl_design::p_both both;

static void clock(bool level) {
    both.p_clk.set<bool>(level);
    both.step();
}

int main(int count, char** words) {
    if (count != 7) return 2;
    auto& ram = both.memory_p_system_2e_ram;
    std::ifstream image(words[1]);
    std::string line;
    both.p_wait__states.set<uint32_t>(std::strtoul(words[2], nullptr, 10));
    uint64_t limit = std::strtoull(words[4], nullptr, 10);
    uint32_t first = std::strtoul(words[5], nullptr, 10);
    uint32_t printed = std::strtoul(words[6], nullptr, 10);
    both.p_rst.set<bool>(true);
    clock(false);
    for (uint32_t place = 0; std::getline(image, line); ++place)
        ram[place].set<uint32_t>(std::strtoul(line.c_str(), nullptr, 16));
    for (uint64_t cycle = 0; cycle < limit; ++cycle) {
        if (cycle == 8) {
            both.p_rst.set<bool>(false);
            both.step();
        }
        bool ends = false;
        if (both.p_mark__valid.get<bool>() && cycle >= 8) {
            uint32_t mark = both.p_mark.get<uint32_t>();
            std::printf("mark %llu %x\n", static_cast<unsigned long long>(cycle), mark);
            ends = mark == 0xffffffffu;
        }
        clock(true);
        clock(false);
        if (!ends) continue;
        for (uint32_t place = first; place < first + printed; ++place)
            std::printf("%08x\n", ram[place].get<uint32_t>());
        return 0;
    }
    std::fprintf(stderr, "the firmware did not end within %llu cycles\n",
                 static_cast<unsigned long long>(limit));
    return 1;
}
