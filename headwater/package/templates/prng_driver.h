// SPDX-License-Identifier: Apache-2.0
// Driver of ${top}: ${title}.
//
{% if seed_order %}
{% for line in seed_order %}
// ${line}
{% endfor %}
// No setup follows, and no register gives a word of the state.
//
{% endif %}
// Freestanding C99. Functions that wait for the source give up after ${NAME}_PATIENCE looks at it.
#ifndef ${NAME}_H
#define ${NAME}_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ${NAME}_SEED_WORDS ${seed_words}

// Looks at STATUS before a function gives up; the setup of a seed takes ${setup_cycles} cycles.
#ifndef ${NAME}_PATIENCE
#define ${NAME}_PATIENCE ${patience}
#endif

enum {
    ${NAME}_OK = 0,
    ${NAME}_LATE = -1,     // there is no word, or no end of the setup
    ${NAME}_STRANGE = -2,  // another source than the one that this driver was made for
    ${NAME}_STUCK = -3,    // a state was stuck at zero: give a new seed
};

{% include "driver_numbers.h" %}

struct ${name} {
    uintptr_t base;  // address of the registers
};

// 0 if the source is the one that this driver was made for, else ${NAME}_STRANGE.
int ${name}_probe(const struct ${name} *device);

// Forgets what was before, gives a whole seed of fresh secret words, and waits for the end of its
// setup. Neither hardware nor software gets bits before ${name}_enable.
int ${name}_seed(const struct ${name} *device, const uint32_t seed[${NAME}_SEED_WORDS]);

// Adds a further word to the state of a source with a whole seed, which goes on.
void ${name}_mix(const struct ${name} *device, uint32_t word);

// Whether bits are offered.
void ${name}_enable(const struct ${name} *device);
void ${name}_disable(const struct ${name} *device);

// The next random word, of bits that hardware does not get. Where hardware asks for bits in every
// cycle there is none: ${NAME}_LATE. Without 0 the word is zero.
int ${name}_read(const struct ${name} *device, uint32_t *word);

// STATUS: bits ${NAME}_STATUS_VALID and others.
uint32_t ${name}_status(const struct ${name} *device);

// 0, or ${NAME}_STUCK: an alarm.
int ${name}_error(const struct ${name} *device);

// Bits are no longer offered, and the source waits for a whole seed.
void ${name}_clear(const struct ${name} *device);

#ifdef __cplusplus
}
#endif

#endif
