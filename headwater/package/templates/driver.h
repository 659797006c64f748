// SPDX-License-Identifier: Apache-2.0
// Driver of ${top}: ${title}.
//
// Freestanding C99. Keys, IVs and texts are bytes in the cipher's convention:
{% for line in convention %}
// ${line}
{% endfor %}
//
// Functions that wait for the core give 0, or ${NAME}_LATE if it did not answer: then what they
// should have written is zero, and ${name}_init has to begin anew.
#ifndef ${NAME}_H
#define ${NAME}_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ${NAME}_KEY_BYTES ${key_bytes}
#define ${NAME}_IV_BYTES ${iv_bytes}
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

// Registers, by their addresses in bytes, and the bits of their fields.
{% for register in registers %}
#define ${"%-40s" % (NAME ~ "_" ~ register.name)} 0x${"%02x" % register.address}u  // ${register.meaning}
{% for field in register.fields %}
#define ${"%-40s" % (NAME ~ "_" ~ register.name ~ "_" ~ field.name)} 0x${"%x" % field.mask}u  // ${field.meaning}
{% endfor %}
{% endfor %}

struct ${name} {
{% if not instruction %}
    uintptr_t base;  // address of the registers
{% endif %}
{% if keystream %}
    uint32_t kept;   // bytes of keystream that were read and not given out, the next one lowest
    uint8_t left;    // how many
{% else %}
    uint8_t begun;   // whether associated data has been put
{% if directions %}
    uint8_t decrypts;
{% endif %}
{% endif %}
};

// 0 if the core is the one that this driver was made for, else ${NAME}_STRANGE.
int ${name}_probe(const struct ${name} *device);
{% if call_fields %}

// The IV of a message.
void ${name}_iv(uint8_t iv[${iv_bytes}], ${call_parameters});
{% endif %}

// Forgets what was before, and loads a key and an IV.${iv_rule}
int ${name}_init(struct ${name} *device, const uint8_t key[${key_bytes}], const uint8_t iv[${iv_bytes}]);
{% if directions %}

// The same for a message to decrypt.
int ${name}_init_decrypt(struct ${name} *device, const uint8_t key[${key_bytes}], const uint8_t iv[${iv_bytes}]);
{% endif %}
{% if block_bytes %}

// The same; the keystream begins with this one of its blocks of ${block_bytes} bytes.
int ${name}_init_at(struct ${name} *device, const uint8_t key[${key_bytes}], const uint8_t iv[${iv_bytes}],
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
int ${name}_encrypt(struct ${name} *device, uint8_t *out, const uint8_t *in, size_t ${unit});
int ${name}_decrypt(struct ${name} *device, uint8_t *out, const uint8_t *in, size_t ${unit});
{% else %}

// The tag of a message.${unit_rule}
int ${name}_mac(struct ${name} *device, uint8_t tag[${tag_bytes}], const uint8_t *message, size_t ${unit});

// 0 if it is this tag, else ${NAME}_FORGED; the core compares.
int ${name}_check_mac(struct ${name} *device, const uint8_t tag[${tag_bytes}], const uint8_t *message,
${pad}size_t ${unit});
{% endif %}
{% if encrypts and tag_bytes %}

// The tag, after the text.
int ${name}_tag(struct ${name} *device, uint8_t tag[${tag_bytes}]);

// Instead of it: 0 if it is this tag, else ${NAME}_FORGED; the core compares.
int ${name}_check_tag(struct ${name} *device, const uint8_t tag[${tag_bytes}]);

// A message at once. Nothing of `out` is to be used before ${name}_open has given 0: if the tag is
// wrong it is zero.
int ${name}_seal(struct ${name} *device, const uint8_t key[${key_bytes}], const uint8_t iv[${iv_bytes}],
${pad}${message_parameters},
${pad}uint8_t tag[${tag_bytes}]);
int ${name}_open(struct ${name} *device, const uint8_t key[${key_bytes}], const uint8_t iv[${iv_bytes}],
${pad}${message_parameters},
${pad}const uint8_t tag[${tag_bytes}]);
{% endif %}
{% endif %}

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
