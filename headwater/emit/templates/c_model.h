// SPDX-License-Identifier: Apache-2.0
{% for line in heading %}
// ${line}
{% endfor %}
#ifndef ${NAME}_H
#define ${NAME}_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

${structures}

// Makes one clock cycle: gives the outputs for these inputs, then the registers take their next
// values.
void ${name}_cycle(${name}_state *state, const ${name}_inputs *given, ${name}_outputs *out);

// A session. Its members are not for the caller, who may copy it.
typedef struct {
    ${name}_state state;
{% if takes_text %}
    uint64_t data[${limbs}], counts[${limbs}], before[${limbs}];
    unsigned place, phase, decrypts, tag_bits;
{% else %}
{% if shape == "planes" %}
    uint64_t keys[${rounds + 1}][8], block[2];
{% elif shape == "tables" %}
    uint32_t keys[${rounds + 1}][4]${", block[4]" if not counted_bits};
{% if counted_bits %}
    uint64_t block[2];
{% endif %}
{% elif shape == "blocks" %}
    uint32_t matrix[${matrix | length}];
    uint64_t block;
{% endif %}
    uint64_t word[${word_bits // 64 if own_session else limbs}];
    unsigned left, keyed${", running" if shape and not own_session};
{% endif %}
} ${name}_session;

// Begins a session. Gives 0, or -1 if a length or a value is not legal: the session then has no key, and the
// functions below give -1. So it is after clear, and where all bytes of a session are zero.
{% for way in inits %}
${declared[way]};
{% endfor %}
{% if "init_state" in declared %}

// Begins a session with a whole state of ${state.bits} bits in place of key and IV: registers in the order
// of the description, of each its stages in ascending number, no padding between them, packed into
// bytes as the keystream; unused bits of the last byte are zero. Gives 0, or -1 if they are not.
//${state_order}
${declared["init_state"]};
{% endif %}
{% if "keystream" in declared %}

// The next bytes of the keystream${", in a session without a message" if takes_text}. Gives 0, or -1 without a key${" or after a tag" if takes_text and tag_width}.
${declared["keystream"]};
{% endif %}
{% if side_by_side %}

// The next bytes of the keystreams of several sessions at once: as one call for each, but quicker.
// Gives 0, or -1 and nothing if one of them has no key.
int ${name}_keystreams(${name}_session *sessions, size_t count, uint8_t *const *out, size_t bytes);
{% endif %}
{% if "skip" in declared %}

// Passes over bits of the keystream. Gives 0, or -1 without a key.
${declared["skip"]};
{% endif %}
{% if "associated_data" in declared %}

// All associated data of a message, before its text. Gives 0, or -1 where that has begun${", or there are more than %d bytes" % longest_data if longest_data is not none}.
${declared["associated_data"]};
{% endif %}
{% for way in ways %}

// The next bits of the text; out may be text. Unused bits of the last byte are zero. Gives 0, or -1
// where that is not possible: ${"after the tag, " if tag_width}${"in the other direction, " if directions}without a key${", or where bits are no multiple of %d" % text_unit if text_unit > 1}.
${declared[way]};
{% endfor %}
{% if "authenticate" in declared %}

// The next bits of the message. Gives 0, or -1 after the tag, without a key${", or where bits are no multiple of %d" % text_unit if text_unit > 1}.
${declared["authenticate"]};
{% endif %}
{% if "tag" in declared %}

// Ends the message and gives its tag. Gives 0, or -1 if the message has ended before, or without a key.
${declared["tag"]};

// Ends the message. Gives 0 only if its tag is the expected one.
${declared["check_tag"]};
{% if "encrypt" in ways %}

// A whole message: its text becomes out, and its tag is given. Gives 0, or -1 as above.
int ${name}_seal(${whole_parameters}uint8_t *out, const uint8_t *text, size_t bits, uint8_t *tag);
{% endif %}
{% if "decrypt" in ways %}

// The opposite. Gives 0 only if the tag is right; else out is zero.
int ${name}_open(${whole_parameters}uint8_t *out, const uint8_t *text, size_t bits, const uint8_t *tag);
{% endif %}
{% if not ways %}

// The ${"digest" if tag_verb == "hash" else "tag"} of a whole message. Gives 0, or -1 as above.
int ${name}_${tag_verb}(${whole_parameters}const uint8_t *text, size_t bits, uint8_t *tag);
{% endif %}
{% endif %}

// Erases the session.
void ${name}_clear(${name}_session *session);

#ifdef __cplusplus
}
#endif

#endif
