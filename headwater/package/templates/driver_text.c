
int ${name}_init(struct ${name} *device, ${secret}) {
    return begin(device, ${secret_names}${", 0" if directions});
}
{% if directions %}

int ${name}_init_decrypt(struct ${name} *device, ${secret}) {
    return begin(device, ${secret_names}, 1);
}
{% endif %}

{% if associated_data %}
{% include "driver_associated_data.c" %}

{% endif %}
static size_t smaller(size_t one, size_t other) { return one < other ? one : other; }

// One word of a text, by its number.
static void put_text(const struct ${name} *device, const uint8_t *text, size_t bytes, size_t number) {
    size_t rest = bytes - 4 * number;
    put(device, joined(text + 4 * number, smaller(rest, 4)), rest > 4 ? 4 : (uint32_t)rest | ${last});
}
{% if unit == "bits" %}

// The bytes of a message of so many bits. The core is told how many bits of the last one are spare.
static size_t bytes_of(const struct ${name} *device, size_t bits) {
    set_register(device, ${NAME}_TEXT_SPARE, (uint32_t)(8 - bits % 8) % 8);
    return bits / 8 + (bits % 8 != 0);
}
{% endif %}
{% if tag_bytes %}
{% if encrypting %}

static int read_tag(const struct ${name} *device, uint8_t tag[${tag_bytes}]) {
    for (size_t i = 0; i < ${tag_bytes}; i += 4) split(tag + i, next_word(device), 4);
    return ended(answered(device), tag, ${tag_bytes});
}
{% endif %}
{% if decrypting %}

static int compare_tag(const struct ${name} *device, const uint8_t tag[${tag_bytes}]) {
    for (size_t i = 0; i < ${tag_bytes}; i += 4) expect(device, joined(tag + i, 4));
    uint32_t seen = status(device);
    if (seen & ${NAME}_STATUS_LATE) return ${NAME}_LATE;
    return seen & ${NAME}_STATUS_TAG_OK ? ${NAME}_OK : ${NAME}_FORGED;
}
{% endif %}
{% endif %}
{% include "driver_text_both.c" if encrypts else "driver_mac.c" %}

void ${name}_clear(struct ${name} *device) {
    forget(device);
    device->begun = 0;
{% if directions %}
    device->decrypts = 0;
{% endif %}
}
