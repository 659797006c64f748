{% extends "driver_base.c" %}
{% block access %}
enum { LOAD_WORDS = ${load_words}, LOAD_WIDTH = ${load_width} };

{% if instruction %}
{% include "driver_instructions.c" %}
{% else %}
{% include "driver_registers.c" %}
{% endif %}
{% endblock %}
{% block load %}
{% if reversed %}
// Turns the bits of each byte round: the first bit of a byte is its highest, that of a word of the
// core its ${"highest" if top_first else "lowest"}.
static uint32_t turned(uint32_t word) {
    word = (word & 0x55555555u) << 1 | (word >> 1 & 0x55555555u);
    word = (word & 0x33333333u) << 2 | (word >> 2 & 0x33333333u);
    return (word & 0x0f0f0f0fu) << 4 | (word >> 4 & 0x0f0f0f0fu);
}

{% endif %}
// The place of a byte in a word.
static unsigned place_of(size_t byte) { return (unsigned)(${"24 - 8 * byte" if top_first else "8 * byte"}); }

{% if not keystream %}
static uint32_t joined(const uint8_t *bytes, size_t count) {
    uint32_t word = 0;
    for (size_t i = 0; i < count; ++i) word |= (uint32_t)bytes[i] << place_of(i);
    return ${turned};
}

{% endif %}
static void split(uint8_t *out, uint32_t word, size_t count) {
{% if reversed %}
    word = turned(word);
{% endif %}
    for (size_t i = 0; i < count; ++i) out[i] = (uint8_t)(word >> place_of(i));
}

// The result of a function; unless it is 0, what the function should have written becomes zero.
static int ended(int result, uint8_t *out, size_t bytes) {
    if (result != ${NAME}_OK) wipe(out, bytes);
    return result;
}

// Whether the core has answered all that it was asked.
static int answered(const struct ${name} *device) {
    return status(device) & ${NAME}_STATUS_LATE ? ${NAME}_LATE : ${NAME}_OK;
}

${load_code}
// The words of a load as the registers take them; 0 if there are none for ${"this IV" if iv_bytes else "what is given"}.
static int load_words(uint32_t *words, ${secret_pointers}${", uint64_t block" if block_bytes}) {
    uint8_t string[${NAME}_LOAD_BYTES];
    unsigned bits = ${name}_load_string(string, ${load_arguments});
    for (unsigned i = 0; i < LOAD_WORDS; ++i) words[i] = 0;
    for (unsigned number = 0; number < bits / LOAD_WIDTH; ++number) {
{% if load_width > 32 %}
        uint32_t limbs[${load_parts}];
        ${name}_load_word(limbs, string, number);
        for (unsigned i = 0; i < ${load_parts}; ++i)
            words[${load_parts} * number + i] = limbs[${"%d - i" % (load_parts - 1) if load_top_first else "i"}];
        wipe(limbs, sizeof limbs);
{% else %}
        uint32_t word;
        ${name}_load_word(&word, string, number);
        words[number / ${load_fitting}] |= word << LOAD_WIDTH * (${load_place});
{% endif %}
    }
    wipe(string, sizeof string);
    return bits != 0;
}

{% endblock %}
{% block functions %}
// A session: nothing of an earlier one is left, settings of other programs included.
static int begin(struct ${name} *device, ${secret_pointers}${", uint64_t block" if block_bytes}${", uint8_t decrypts" if directions}) {
    uint32_t words[LOAD_WORDS];
    int legal = load_words(words, ${secret_names}${", block" if block_bytes});
    ${name}_clear(device);
{% if directions %}
    set_register(device, ${NAME}_CONTROL, decrypts ? ${NAME}_CONTROL_DECRYPT : 0);
    device->decrypts = decrypts;
{% endif %}
{% if not keystream %}
    set_register(device, ${NAME}_TEXT_SPARE, 0);
{% endif %}
    if (legal) load(device, words, LOAD_WORDS);
    wipe(words, sizeof words);
    return legal ? ${NAME}_OK : ${NAME}_MISUSED;
}
{% include "driver_keystream.c" if keystream else "driver_text.c" %}
{% endblock %}
