#include "${name}.h"

struct ${name} device = {.base = 0x80000000};  // where the registers are

{% if call_fields %}
uint8_t iv[${iv_bytes}];
${name}_iv(iv, ${call_names});
{% endif %}
if (${name}_probe(&device)) return 1;
${name}_clear(&device);  // whatever was before
if (${name}_init(&device, ${secret_names})) return 1;
