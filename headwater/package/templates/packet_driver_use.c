#include "${name}.h"

struct ${name} device = {.base = 0x80000000};  // where the registers are
uint8_t packet[${NAME}_FRONT_BYTES + ${"AD_BYTES + " if packets.ad}TEXT_BYTES];

{% if call_fields %}
uint8_t iv[${iv_bytes}];
${name}_iv(iv, ${call_names});
{% endif %}
if (${name}_probe(&device)) return 1;
if (${name}_init(&device, key)) return 1;
if (${name}_front(packet, iv${front_example})) return 1;
// ${"Associated data and text" if packets.ad else "The text"} behind it, and the DMA engine may send the packet.
