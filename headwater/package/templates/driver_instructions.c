// A custom instruction: opcode custom-0, funct3 says what, funct7 is a third operand. Where it is
// reached in another way, define it.
#ifndef ${NAME}_INSTRUCTION
#define ${NAME}_INSTRUCTION(result, funct3, funct7, first, second)             \
    __asm__ volatile(".insn r 0x0b, " #funct3 ", " #funct7 ", %0, %1, %2"      \
                     : "=r"(result)                                            \
                     : "r"(first), "r"(second))
#endif

// One as a function.
#define INSTRUCTION(name, funct3, funct7)                                      \
    static uint32_t name(uint32_t first, uint32_t second) {                    \
        uint32_t result;                                                       \
        ${NAME}_INSTRUCTION(result, funct3, funct7, first, second);            \
        return result;                                                         \
    }

{% for function, funct3, funct7 in instructions %}
INSTRUCTION(${function}, ${funct3}, ${funct7})
{% endfor %}

static uint32_t get_register(const struct ${name} *device, uint32_t offset) {
    (void)device;
    switch (offset) {
{% for register in read_registers %}
    case ${NAME}_${register}: return register_${register | lower}(0, 0);
{% endfor %}
    default: return 0;
    }
}

static void set_register(const struct ${name} *device, uint32_t offset, uint32_t word) {
    (void)device;
    switch (offset) {
{% for register in written_registers %}
    case ${NAME}_${register}: (void)register_${register | lower}(word, 1); break;
{% endfor %}
    default: break;
    }
}

static uint32_t status(const struct ${name} *device) {
    (void)device;
    return status_instruction(0, 0);
}

static uint32_t next_word(const struct ${name} *device) {
    (void)device;
    return get_instruction(0, 0);
}

static void load(const struct ${name} *device, const uint32_t *words, size_t count) {
    (void)device;
{% if pairs %}
    // Two words at a time; a spare one is ignored.
    for (size_t i = 0; i < count; i += 2) {
        uint32_t second = i + 1 < count ? words[i + 1] : 0;
        (void)(i == 0 ? load_first_instruction(words[i], second) : load_next_instruction(words[i], second));
    }
{% else %}
    for (size_t i = 0; i < count; ++i) (void)load_first_instruction(words[i], i != 0);
{% endif %}
}
{% if not keystream %}

// A word of text with its marks.
static void put(const struct ${name} *device, uint32_t word, uint32_t marks) {
    (void)device;
    switch (marks) {
{% for marks in put_marks %}
    case ${marks}: (void)put_instruction_${marks}(word, 0); break;
{% endfor %}
    default: break;
    }
}
{% endif %}
{% if tag_bytes and decrypting %}

static void expect(const struct ${name} *device, uint32_t word) {
    (void)device;
    (void)check_instruction(word, 0);
}
{% endif %}

static void forget(const struct ${name} *device) {
    (void)device;
    (void)clear_instruction(0, 0);
}

