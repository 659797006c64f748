// What has been collected of the words of associated data.
struct part {
    uint8_t bytes[4];
    size_t count;
};

static void flush(const struct ${name} *device, struct part *part) {
    if (part->count) put(device, joined(part->bytes, part->count), (uint32_t)part->count | ${associated});
    part->count = 0;
}

static void add(const struct ${name} *device, struct part *part, uint8_t byte) {
    part->bytes[part->count++] = byte;
    if (part->count == 4) flush(device, part);
}
{% if header %}

// The length in DER: a byte below 128, else the number of bytes that hold it, then these.
static void add_length(const struct ${name} *device, struct part *part, size_t length) {
    unsigned bytes = 0;
    for (size_t rest = length; rest; rest >>= 8) ++bytes;
    if (length >= 128) add(device, part, (uint8_t)(0x80 | bytes));
    else bytes = 1;
    while (bytes--) add(device, part, (uint8_t)(length >> 8 * bytes));
}
{% endif %}

void ${name}_associated_data(struct ${name} *device, const uint8_t *data, size_t bytes) {
    struct part part = {{0}, 0};
{% if header %}
    add_length(device, &part, bytes);
{% endif %}
    for (size_t i = 0; i < bytes; ++i) add(device, &part, data[i]);
    flush(device, &part);
    device->begun = 1;
}
