// SPDX-License-Identifier: Apache-2.0
// Driver of ${top}; see ${name}.h.
#include "${name}.h"

{% block access %}
{% endblock %}

// Overwrites a secret; volatile, so that no compiler leaves it out.
static void wipe(void *secret, size_t bytes) {
    for (volatile uint8_t *byte = secret; bytes; --bytes) *byte++ = 0;
}

{% block load %}
{% endblock %}
{% include "driver_probe.c" %}

{% if call_fields %}
void ${name}_iv(uint8_t iv[${iv_bytes}], ${call_parameters}) {
    for (size_t i = 0; i < ${iv_bytes}; ++i) iv[i] = 0;
{% for byte, value in call_fields %}
    iv[${byte}] |= (uint8_t)(${value});
{% endfor %}
}

{% endif %}
{% block functions %}
{% endblock %}

void ${name}_irq_enable(const struct ${name} *device, uint32_t bits) {
    set_register(device, ${NAME}_IRQ_ENABLE, bits);
}

uint32_t ${name}_irq_status(const struct ${name} *device) {
    return get_register(device, ${NAME}_IRQ_STATUS);
}

void ${name}_irq_acknowledge(const struct ${name} *device, uint32_t bits) {
    set_register(device, ${NAME}_IRQ_STATUS, bits);
}
