// How a register is read and written. Where it is not a plain access to memory, define both.
#ifndef ${NAME}_READ
#define ${NAME}_READ(address) (*(const volatile uint32_t *)(address))
#define ${NAME}_WRITE(address, word) (*(volatile uint32_t *)(address) = (word))
#endif

static uint32_t get_register(const struct ${name} *device, uint32_t offset) {
    return ${NAME}_READ(device->base + offset);
}

static void set_register(const struct ${name} *device, uint32_t offset, uint32_t word) {
    ${NAME}_WRITE(device->base + offset, word);
}

static uint32_t status(const struct ${name} *device) { return get_register(device, ${NAME}_STATUS); }

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
{% if tag_bytes %}

static void expect(const struct ${name} *device, uint32_t word) {
    set_register(device, ${NAME}_TAG_EXPECTED, word);
}
{% endif %}

static void forget(const struct ${name} *device) { set_register(device, ${NAME}_STATUS, 0); }

