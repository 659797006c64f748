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
    uint64_t word[${limbs}];
    unsigned left;
{% endif %}
} ${name}_session;

// Begins a session. Gives 0, or -1 if a length or a value is not legal.
{% for way in inits %}
int ${name}_${way}(${name}_session *session${parameters});
{% endfor %}
{% if not takes_text %}

// The next bytes of the keystream.
void ${name}_keystream(${name}_session *session, uint8_t *out, size_t bytes);

// Passes over bits of the keystream.
void ${name}_skip(${name}_session *session, uint64_t bits);
{% elif has_keystream %}

// The next bytes of the keystream, in a session without a message.
void ${name}_keystream(${name}_session *session, uint8_t *out, size_t bytes);
{% endif %}
{% if takes_associated_data %}

// All associated data of a message, before its text. Gives 0, or -1 where that has begun.
int ${name}_associated_data(${name}_session *session, const uint8_t *data, size_t bytes);
{% endif %}
{% for way in ways %}

// The next bits of the text; out may be text. Unused bits of the last byte are zero. Gives 0, or -1
// where that is not possible${": after the tag" if tag_width}${", or in the other direction" if directions}.
int ${name}_${way}(${name}_session *session, uint8_t *out, const uint8_t *text, size_t bits);
{% endfor %}
{% if takes_text and not ways %}

// The next bits of the message. Gives 0, or -1 after the tag.
int ${name}_authenticate(${name}_session *session, const uint8_t *text, size_t bits);
{% endif %}
{% if tag_width %}

// Ends the message and gives its tag. Gives 0, or -1 if the message has ended before.
int ${name}_tag(${name}_session *session, uint8_t *tag);

// Ends the message. Gives 0 only if its tag is the expected one.
int ${name}_check_tag(${name}_session *session, const uint8_t *expected);
{% if "encrypt" in ways %}

// A whole message: its text becomes out, and its tag is given. Gives 0, or -1 as above.
int ${name}_seal(${whole_parameters}, uint8_t *out, const uint8_t *text, size_t bits, uint8_t *tag);
{% endif %}
{% if "decrypt" in ways %}

// The opposite. Gives 0 only if the tag is right; else out is zero.
int ${name}_open(${whole_parameters}, uint8_t *out, const uint8_t *text, size_t bits, const uint8_t *tag);
{% endif %}
{% if not ways %}

// The tag of a whole message. Gives 0, or -1 as above.
int ${name}_mac(${whole_parameters}, const uint8_t *text, size_t bits, uint8_t *tag);
{% endif %}
{% endif %}

// Erases the session.
void ${name}_clear(${name}_session *session);

#ifdef __cplusplus
}
#endif

#endif
