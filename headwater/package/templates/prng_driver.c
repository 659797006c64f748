// SPDX-License-Identifier: Apache-2.0
// Driver of ${top}; see ${name}.h.
#include "${name}.h"

{% include "driver_access.c" %}

{% include "driver_probe.c" %}

// Waits for a bit of STATUS.
static int wait_for(const struct ${name} *device, uint32_t bit) {
    for (uint32_t looks = 0; looks < ${NAME}_PATIENCE; ++looks) {
        uint32_t seen = status(device);
        if (seen & ${NAME}_STATUS_ERROR) return ${NAME}_STUCK;
        if (seen & bit) return ${NAME}_OK;
    }
    return ${NAME}_LATE;
}

int ${name}_seed(const struct ${name} *device, const uint32_t seed[${NAME}_SEED_WORDS]) {
    ${name}_clear(device);
    for (unsigned i = 0; i < ${NAME}_SEED_WORDS; ++i) set_register(device, ${NAME}_SEED, seed[i]);
    return wait_for(device, ${NAME}_STATUS_VALID);
}

void ${name}_mix(const struct ${name} *device, uint32_t word) { set_register(device, ${NAME}_SEED, word); }

void ${name}_enable(const struct ${name} *device) { set_register(device, ${NAME}_CONTROL, ${NAME}_CONTROL_ENABLE); }

void ${name}_disable(const struct ${name} *device) { set_register(device, ${NAME}_CONTROL, 0); }

int ${name}_read(const struct ${name} *device, uint32_t *word) {
    int result = wait_for(device, ${NAME}_STATUS_WORD);
    uint32_t taken = result == ${NAME}_OK ? get_register(device, ${NAME}_RANDOM) : 0;
    // An error in between has taken the word.
    if (result == ${NAME}_OK) result = ${name}_error(device);
    *word = result == ${NAME}_OK ? taken : 0;
    return result;
}

uint32_t ${name}_status(const struct ${name} *device) { return status(device); }

int ${name}_error(const struct ${name} *device) {
    return status(device) & ${NAME}_STATUS_ERROR ? ${NAME}_STUCK : ${NAME}_OK;
}

void ${name}_clear(const struct ${name} *device) { set_register(device, ${NAME}_CONTROL, ${NAME}_CONTROL_RESTART); }
