// SPDX-License-Identifier: Apache-2.0
// Drives the ports of a coprocessor by commands on standard input; each prints one line.
//
//   op FUNCT7 FUNCT3 FIRST SECOND      an instruction: "RESULT CYCLES", or "none" where none comes
//   glimpse CYCLES FUNCT7 FUNCT3 FIRST SECOND   offered so long and withdrawn: "taken" or "left"
//   write ADDRESS WORD | read ADDRESS  on the bus: "CYCLES", "WORD CYCLES", or "none"
//   dma CYCLES PERMILLE                grant so often: the words written, each "ADDRESS:WORD"
//   idle CYCLES
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

#include "Vcop.h"
#include "verilated.h"

static VerilatedContext context;
static Vcop cop{&context, "cop"};
static const unsigned PATIENCE = 40000;

static void settle() {
    cop.clk = 0;
    cop.eval();
}

static void tick() {
    cop.clk = 1;
    cop.eval();
}

static unsigned hex(std::istream& words) {
    std::string word;
    words >> word;
    return static_cast<unsigned>(std::stoul(word, nullptr, 16));
}

static void offer(std::istream& words) {
    unsigned funct7 = hex(words), funct3 = hex(words);
    cop.cmd_function = funct7 << 3 | funct3;
    cop.cmd_first = hex(words);
    cop.cmd_second = hex(words);
    cop.cmd_valid = 1;
}

// The result of an instruction that was taken.
static bool result(unsigned& waited) {
    cop.rsp_ready = 1;
    for (; waited < PATIENCE; ++waited) {
        settle();
        bool there = cop.rsp_valid;
        unsigned word = cop.rsp_result;
        tick();
        if (!there) continue;
        std::printf("%x %u\n", word, waited);
        cop.rsp_ready = 0;
        return true;
    }
    cop.rsp_ready = 0;
    return false;
}

static void instruction(std::istream& words) {
    offer(words);
    unsigned waited = 0;
    for (; waited < PATIENCE; ++waited) {
        settle();
        bool taken = cop.cmd_ready;
        tick();
        if (taken) break;
    }
    cop.cmd_valid = 0;
    if (!result(++waited)) std::printf("none\n");
}

static void glimpse(std::istream& words) {
    unsigned cycles = hex(words);
    offer(words);
    while (cycles--) {
        settle();
        bool taken = cop.cmd_ready;
        tick();
        if (!taken) continue;
        unsigned waited = 0;
        cop.cmd_valid = 0;
        std::printf("taken ");
        result(waited);
        return;
    }
    cop.cmd_valid = 0;
    std::printf("left\n");
}

static void access(std::istream& words, bool writes) {
    cop.bus_addr = hex(words) >> 2;
    cop.bus_wdata = writes ? hex(words) : 0;
    cop.bus_we = writes;
    cop.bus_req = 1;
    for (unsigned waited = 0; waited < PATIENCE; ++waited) {
        settle();
        bool granted = cop.bus_gnt;
        tick();
        if (!granted) continue;
        cop.bus_req = cop.bus_we = 0;
        settle();
        if (writes) std::printf("%u\n", waited);
        else std::printf("%x %u\n", cop.bus_rdata, waited);
        return;
    }
    cop.bus_req = cop.bus_we = 0;
    std::printf("none\n");
}

static void grant(unsigned cycles, unsigned permille) {
    while (cycles--) {
        cop.dma_gnt = static_cast<unsigned>(std::rand()) % 1000 < permille;
        settle();
        if (cop.dma_req && cop.dma_gnt) std::printf("%x:%x ", cop.dma_addr << 2, cop.dma_wdata);
        tick();
    }
    cop.dma_gnt = 0;
    std::printf("\n");
}

int main() {
    context.randReset(2);
    cop.cmd_valid = cop.bus_req = cop.bus_we = cop.dma_gnt = cop.rsp_ready = 0;
    cop.rst = 1;
    for (int cycle = 0; cycle < 3; ++cycle) {
        settle();
        tick();
    }
    cop.rst = 0;
    std::string line, command;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        words >> command;
        if (command == "op") instruction(words);
        else if (command == "glimpse") glimpse(words);
        else if (command == "write" || command == "read") access(words, command == "write");
        else if (command == "dma") {
            unsigned cycles = hex(words);
            grant(cycles, hex(words));
        } else {
            for (unsigned cycles = hex(words); cycles--;) {
                settle();
                tick();
            }
            std::printf("\n");
        }
        std::fflush(stdout);
    }
    return 0;
}
