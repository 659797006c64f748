// SPDX-License-Identifier: Apache-2.0
// Runs a system and a coprocessor, which are two Verilated models, side by side.
//
//   harness RAM_IMAGE WAIT_STATES TIMER_PERIOD CYCLES FIRST_WORD WORDS
//
// RAM_IMAGE has one 32-bit word in hex on each line. Every store to the address for marks prints
// "mark CYCLE VALUE"; the value 0xffffffff ends the run, after which WORDS words of memory from
// FIRST_WORD on are printed. A run that does not end within CYCLES fails.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "Vcop.h"
#include "Vsoc.h"
#include "Vsoc_soc.h"
#include "verilated.h"

static VerilatedContext context;
static Vsoc soc{&context, "soc"};
static Vcop cop{&context, "cop"};

// Hands one output to an input of the other model; tells whether it changed.
template <typename A, typename B>
static bool wire(const A& from, B& to) {
    if (to == from) return false;
    to = from;
    return true;
}

static void settle() {
    soc.eval();
    for (int rounds = 0;; ++rounds) {
        if (rounds > 20) {
            std::fprintf(stderr, "the wires between system and coprocessor do not settle\n");
            std::exit(1);
        }
        wire(soc.cmd_valid, cop.cmd_valid);
        wire(soc.cmd_function, cop.cmd_function);
        wire(soc.cmd_first, cop.cmd_first);
        wire(soc.cmd_second, cop.cmd_second);
        wire(soc.rsp_ready, cop.rsp_ready);
        wire(soc.bus_req, cop.bus_req);
        wire(soc.bus_we, cop.bus_we);
        wire(soc.bus_addr, cop.bus_addr);
        wire(soc.bus_wdata, cop.bus_wdata);
        wire(soc.dma_gnt, cop.dma_gnt);
        cop.eval();
        bool changed = wire(cop.cmd_ready, soc.cmd_ready);
        changed |= wire(cop.rsp_valid, soc.rsp_valid);
        changed |= wire(cop.rsp_result, soc.rsp_result);
        changed |= wire(cop.rsp_second, soc.rsp_second);
        changed |= wire(cop.bus_gnt, soc.bus_gnt);
        changed |= wire(cop.bus_rvalid, soc.bus_rvalid);
        changed |= wire(cop.bus_rdata, soc.bus_rdata);
        changed |= wire(cop.dma_req, soc.dma_req);
        changed |= wire(cop.dma_addr, soc.dma_addr);
        changed |= wire(cop.dma_wdata, soc.dma_wdata);
        if (!changed) return;
        soc.eval();
    }
}

static void clock(bool level) {
    soc.clk = cop.clk = level;
    soc.eval();
    cop.eval();
}

static void reset(bool level) { soc.rst = cop.rst = level; }

int main(int count, char** words) {
    if (count != 7) return 2;
    auto& ram = soc.soc->ram;
    context.randReset(2);
    std::ifstream image(words[1]);
    std::string line;
    soc.wait_states = std::strtoul(words[2], nullptr, 10);
    soc.timer_period = std::strtoul(words[3], nullptr, 10);
    uint64_t limit = std::strtoull(words[4], nullptr, 10);
    uint32_t first = std::strtoul(words[5], nullptr, 10);
    uint32_t printed = std::strtoul(words[6], nullptr, 10);
    clock(false);
    for (uint32_t place = 0; std::getline(image, line); ++place)
        ram[place] = std::strtoul(line.c_str(), nullptr, 16);
    reset(true);
    for (uint64_t cycle = 0; cycle < limit; ++cycle) {
        if (cycle == 8) reset(false);
        settle();
        bool ends = false;
        if (soc.mark_valid && cycle >= 8) {
            std::printf("mark %llu %x\n", static_cast<unsigned long long>(cycle), soc.mark);
            ends = soc.mark == 0xffffffffu;
        }
        clock(true);
        clock(false);
        if (!ends) continue;
        for (uint32_t place = first; place < first + printed; ++place)
            std::printf("%08x\n", ram[place]);
        return 0;
    }
    std::fprintf(stderr, "the firmware did not end within %llu cycles\n",
                 static_cast<unsigned long long>(limit));
    return 1;
}
