{% extends "driver_base.h" %}
{% block rule %}
// Functions that write give 0, or what went wrong: then all that they should have written is zero,
// also where it is what they read. After ${NAME}_LATE, by which the core did not answer,
// ${name}_init has to begin anew.
//
// ${name}_init depends on nothing that was before: it ends every session, its own and those of
// other programs, and writes all settings but ${NAME}_IRQ_ENABLE.
{% endblock %}
{% block members %}
{% if keystream %}
    uint32_t kept;   // bytes of keystream that were read and not given out, the next one lowest
    uint8_t left;    // how many
{% else %}
    uint8_t begun;   // whether associated data has been put
{% if directions %}
    uint8_t decrypts;
{% endif %}
{% endif %}
{% endblock %}
{% block functions %}
// Forgets what was before, and loads a key${" and an IV" if iv_bytes}.
{% for line in iv_rules %}
// ${line}
{% endfor %}
int ${name}_init(struct ${name} *device, ${secret});
{% if directions %}

// The same for a message to decrypt.
int ${name}_init_decrypt(struct ${name} *device, ${secret});
{% endif %}
{% if block_bytes %}

// The same; the keystream begins with this one of its blocks of ${block_bytes} bytes.
int ${name}_init_at(struct ${name} *device, ${secret},
${pad}uint64_t block);
{% endif %}
{% if keystream %}

// The next bytes of the keystream.
int ${name}_keystream(struct ${name} *device, uint8_t *out, size_t bytes);

// A text with the next bytes of the keystream added: it encrypts, and it decrypts.
int ${name}_encrypt(struct ${name} *device, uint8_t *out, const uint8_t *in, size_t bytes);
{% if dma %}

// Words of keystream into memory without the processor, to an address of the bus that is a multiple
// of four. Begin with it directly after ${name}_init.
void ${name}_dma_start(const struct ${name} *device, uint32_t address, uint32_t words);
int ${name}_dma_busy(const struct ${name} *device);
{% endif %}
{% else %}
{% if associated_data %}

// What is authenticated and not encrypted: before the text, once, and all of it.
void ${name}_associated_data(struct ${name} *device, const uint8_t *data, size_t bytes);
{% endif %}
{% if encrypts %}

// The whole text of a message; `out` may be `in`.${unit_rule}
{% if encrypting %}
int ${name}_encrypt(struct ${name} *device, uint8_t *out, const uint8_t *in, size_t ${unit});
{% endif %}
{% if decrypting %}
int ${name}_decrypt(struct ${name} *device, uint8_t *out, const uint8_t *in, size_t ${unit});
{% endif %}
{% else %}

// The tag of a message.${unit_rule}
int ${name}_mac(struct ${name} *device, uint8_t tag[${tag_bytes}], const uint8_t *message, size_t ${unit});

// 0 if it is this tag, else ${NAME}_FORGED; the core compares.
int ${name}_check_mac(struct ${name} *device, const uint8_t tag[${tag_bytes}], const uint8_t *message,
${pad}size_t ${unit});
{% endif %}
{% if encrypts and tag_bytes %}
{% if encrypting %}

// The tag, after the text.
int ${name}_tag(struct ${name} *device, uint8_t tag[${tag_bytes}]);
{% endif %}
{% if decrypting %}

// ${"Instead of it" if encrypting else "After the text"}: 0 if it is this tag, else ${NAME}_FORGED; the core compares.
int ${name}_check_tag(struct ${name} *device, const uint8_t tag[${tag_bytes}]);
{% endif %}

// A message at once.${" Nothing of `out` is to be used before %s_open has given 0: if the tag is" % name if decrypting}
{% if decrypting %}
// wrong it is zero.
{% endif %}
{% if encrypting %}
int ${name}_seal(struct ${name} *device, ${secret},
${pad}${message_parameters},
${pad}uint8_t tag[${tag_bytes}]);
{% endif %}
{% if decrypting %}
int ${name}_open(struct ${name} *device, ${secret},
${pad}${message_parameters},
${pad}const uint8_t tag[${tag_bytes}]);
{% endif %}
{% endif %}
{% endif %}
{% endblock %}
