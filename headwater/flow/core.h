// SPDX-License-Identifier: Apache-2.0
// What a compiled core shows to the harness that drives it.
#ifndef HEADWATER_CORE_H
#define HEADWATER_CORE_H

struct CorePort {
    const char* name;
    unsigned bits;
    void* value;  // an unsigned integer, or 32-bit words where it has more than 64 bits; the lowest first
};

struct Core {
    const CorePort* ports;  // the last one has no name
    void* model;
    void (*evaluate)(void* model);  // makes the outputs follow the inputs
};

extern "C" Core make_core();

#endif
