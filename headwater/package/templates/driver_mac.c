
static void send(const struct ${name} *device, const uint8_t *message, size_t ${unit}) {
{% if unit == "bits" %}
    size_t bytes = bytes_of(device, bits);
{% endif %}
    if (bytes == 0) put_text(device, message, 0, 0);
    for (size_t i = 0; 4 * i < bytes; ++i) put_text(device, message, bytes, i);
}

int ${name}_mac(struct ${name} *device, uint8_t tag[${tag_bytes}], const uint8_t *message, size_t ${unit}) {
    send(device, message, ${unit});
    return read_tag(device, tag);
}

int ${name}_check_mac(struct ${name} *device, const uint8_t tag[${tag_bytes}], const uint8_t *message,
${pad}size_t ${unit}) {
    send(device, message, ${unit});
    return compare_tag(device, tag);
}
