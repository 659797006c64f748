{% include "driver_access.c" %}

static void forget(const struct ${name} *device) { set_register(device, ${NAME}_STATUS, 0); }

static uint32_t next_word(const struct ${name} *device) { return get_register(device, ${NAME}_DATA); }

static void load(const struct ${name} *device, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; ++i)
        set_register(device, i == 0 ? ${NAME}_LOAD_FIRST : ${NAME}_LOAD_NEXT, words[i]);
}
{% if not keystream %}

// A word of text with its marks.
static void put(const struct ${name} *device, uint32_t word, uint32_t marks) {
    set_register(device, ${NAME}_TEXT + 4 * marks, word);
}
{% endif %}
{% if tag_bytes and decrypting %}

static void expect(const struct ${name} *device, uint32_t word) {
    set_register(device, ${NAME}_TAG_EXPECTED, word);
}
{% endif %}
