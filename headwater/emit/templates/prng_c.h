// SPDX-License-Identifier: Apache-2.0
// ${amount} in each cycle for masking, from ${title}: ${top}.v in C99, clock cycle by clock cycle.
{% if by_state %}
// A whole seed is the whole state, and no setup follows: ${top}.v says which bit is where.
{% endif %}
// The cores are printed from the circuit that their Verilog is printed from. Words of more than 64 bits are arrays,
// the lowest bits first.
#ifndef ${TOP}_H
#define ${TOP}_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

${structures}

// The registers of the source.
typedef struct {
    ${core}_state core[${instances}];
{% if parts > 1 %}
    unsigned part;  // of a seed word, which stays until its last part is taken
{% endif %}
{% if at_once %}
    unsigned held;  // a one in bit 1 is a reset, which lasts until two clock edges after rst
{% endif %}
} ${top}_state;

// Its inputs in one clock cycle, as the Verilog describes them.
typedef struct {
    uint64_t rst, en, restart, seed_valid, seed${", state_write, state_word, state_in" if state_words};
} ${top}_inputs;

// Its outputs in one clock cycle.
typedef struct {
    uint64_t prng${array(bits)}, prng_valid, seed_ready${", error" if watched}${", state_out" if state_words};
} ${top}_outputs;

// Makes one clock cycle: gives the outputs for these inputs, then the registers take their next values. Begin with
// registers of zeros (in hardware they hold anything) and a cycle in which rst is one.
void ${top}_step(
    ${top}_state *state, const ${top}_inputs *given, ${top}_outputs *out
);

#ifdef __cplusplus
}
#endif

#endif
