#include "${name}.h"

{% if instruction %}
struct ${name} device;
{% else %}
struct ${name} device = {.base = 0x80000000};  // where the registers are
{% endif %}

{% if keystream %}
if (${name}_probe(&device)) return 1;
if (${name}_init(&device, ${secret_names})) return 1;
if (${name}_encrypt(&device, out, in, bytes)) return 1;
${name}_clear(&device);
{% elif not encrypts %}
{% if call_fields %}
uint8_t iv[${iv_bytes}];
${name}_iv(iv, ${call_names});
{% endif %}
if (${name}_probe(&device)) return 1;
if (${name}_init(&device, ${secret_names})) return 1;
if (${name}_mac(&device, tag, message, ${unit})) return 1;
${name}_clear(&device);
{% elif tag_bytes %}
if (${name}_probe(&device)) return 1;
{% if encrypting %}
if (${name}_seal(&device, ${secret_names}, ${"data, data_bytes, " if associated_data}out, in, bytes, tag)) return 1;
{% endif %}
{% if decrypting %}
if (${name}_open(&device, ${secret_names}, ${"data, data_bytes, " if associated_data}out, in, bytes, tag)) return 1;
{% endif %}
{% else %}
{% if call_fields %}
uint8_t iv[${iv_bytes}];
${name}_iv(iv, ${call_names});
{% endif %}
if (${name}_probe(&device)) return 1;
if (${name}_init(&device, ${secret_names})) return 1;
if (${name}_${"encrypt" if encrypting else "decrypt"}(&device, out, in, ${unit})) return 1;
${name}_clear(&device);
{% endif %}
