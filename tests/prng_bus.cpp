// SPDX-License-Identifier: Apache-2.0
// The Verilog of a source of random bits, with registers on requests and grants: software's access to them.
#include <cstdint>
#include <cstdio>

#include "Vsource.h"
#include "verilated.h"

static VerilatedContext context;
static Vsource source{&context, "source"};

static void tick() {
    source.clk = 0;
    source.eval();
    source.clk = 1;
    source.eval();
}

static void request(uintptr_t address, bool writes, uint32_t word) {
    source.bus_req = 1;
    source.bus_we = writes;
    source.bus_addr = static_cast<uint8_t>(address >> 2);
    source.bus_wdata = word;
    for (;;) {
        source.clk = 0;
        source.eval();
        bool granted = source.bus_gnt;
        tick();
        if (granted) break;
    }
    source.bus_req = 0;
}

static uint32_t bus_read(uintptr_t address) {
    request(address, false, 0);
    source.eval();
    return source.bus_rdata;
}

static void bus_write(uintptr_t address, uint32_t word) { request(address, true, word); }
