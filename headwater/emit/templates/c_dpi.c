// SPDX-License-Identifier: Apache-2.0
// What ${name}_dpi.sv imports.
#include <stdlib.h>
#include "svdpi.h"
#include "${name}.h"

static void *bytes_of(const svOpenArrayHandle array) { return svGetArrayPtr(array); }

void *${name}_dpi_open(void) { return calloc(1, sizeof(${name}_session)); }

void ${name}_dpi_close(void *session) {
    ${name}_clear(session);
    free(session);
}

void ${name}_dpi_cycle(
    void *session,
{% for port in inputs %}
    unsigned long long ${port},
{% endfor %}
{% for port in outputs %}
    unsigned long long *${port}${"," if not loop.last}
{% endfor %}
) {
    ${name}_inputs in;
    ${name}_outputs out;
{% for port, member in inputs.items() %}
    in.${member} = ${port};
{% endfor %}
    ${name}_cycle(&((${name}_session *)session)->state, &in, &out);
{% for port, member in outputs.items() %}
    *${port} = out.${member};
{% endfor %}
}
{% for one in functions %}

int ${name}_dpi_${one.name}(void *session${one.in_c}) {
    return ${name}_${one.name}(session${one.given});
}
{% endfor %}
