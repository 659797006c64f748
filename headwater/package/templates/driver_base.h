// SPDX-License-Identifier: Apache-2.0
// Driver of ${top}: ${title}.
//
// Freestanding C99. Keys${", IVs" if iv_bytes} and texts are bytes in the cipher's convention:
{% for line in convention %}
// ${line}
{% endfor %}
//
{% block rule %}
{% endblock %}
#ifndef ${NAME}_H
#define ${NAME}_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ${NAME}_KEY_BYTES ${key_bytes}
{% if iv_bytes %}
#define ${NAME}_IV_BYTES ${iv_bytes}
{% endif %}
{% if tag_bytes %}
#define ${NAME}_TAG_BYTES ${tag_bytes}
{% endif %}

enum {
    ${NAME}_OK = 0,
    ${NAME}_LATE = -1,     // the core did not answer
    ${NAME}_STRANGE = -2,  // another core than the one that this driver was made for
    ${NAME}_MISUSED = -3,  // what is asked for is not legal, or not at this place
{% if tag_bytes %}
    ${NAME}_FORGED = -4,   // the tag is wrong
{% endif %}
};

{% include "driver_numbers.h" %}

struct ${name} {
{% if not instruction %}
    uintptr_t base;  // address of the registers
{% endif %}
{% block members %}
{% endblock %}
};

// 0 if the core is the one that this driver was made for, else ${NAME}_STRANGE.
int ${name}_probe(const struct ${name} *device);
{% if call_fields %}

// The IV of a message.
void ${name}_iv(uint8_t iv[${iv_bytes}], ${call_parameters});
{% endif %}

{% block functions %}
{% endblock %}

// Interrupts: bits of ${NAME}_IRQ_STATUS.
void ${name}_irq_enable(const struct ${name} *device, uint32_t bits);
uint32_t ${name}_irq_status(const struct ${name} *device);
void ${name}_irq_acknowledge(const struct ${name} *device, uint32_t bits);

// Forgets key, state and words, in the core and in the driver.
void ${name}_clear(struct ${name} *device);

#ifdef __cplusplus
}
#endif

#endif
