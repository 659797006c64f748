
// Words that go in before the first one of them comes out.
enum { AHEAD = ${ahead} };

static int process(struct ${name} *device, uint8_t *out, const uint8_t *in, size_t ${unit}${", uint8_t decrypts" if directions}) {
{% if unit == "bits" %}
    size_t bytes = bytes_of(device, bits);
{% endif %}
{% if directions %}
    if (device->decrypts != decrypts) return ended(${NAME}_MISUSED, out, bytes);
{% endif %}
{% if associated_data %}
    if (!device->begun) ${name}_associated_data(device, 0, 0);
{% endif %}
{% if tag_bytes %}
    if (bytes == 0) put_text(device, in, 0, 0);
{% endif %}
    size_t words = bytes / 4 + (bytes % 4 != 0), sent = 0;
    for (size_t taken = 0; taken < words; ++taken) {
        for (; sent < words && sent < taken + AHEAD; ++sent) put_text(device, in, bytes, sent);
        split(out + 4 * taken, next_word(device), smaller(bytes - 4 * taken, 4));
    }
    return ended(answered(device), out, bytes);
}
{% if encrypting %}

int ${name}_encrypt(struct ${name} *device, uint8_t *out, const uint8_t *in, size_t ${unit}) {
    return process(device, out, in, ${unit}${", 0" if directions});
}
{% endif %}
{% if decrypting %}

int ${name}_decrypt(struct ${name} *device, uint8_t *out, const uint8_t *in, size_t ${unit}) {
    return process(device, out, in, ${unit}${", 1" if directions});
}
{% endif %}
{% if tag_bytes and encrypting %}

int ${name}_tag(struct ${name} *device, uint8_t tag[${tag_bytes}]) { return read_tag(device, tag); }
{% endif %}
{% if tag_bytes and decrypting %}

int ${name}_check_tag(struct ${name} *device, const uint8_t tag[${tag_bytes}]) {
    return compare_tag(device, tag);
}
{% endif %}
{% if tag_bytes and encrypting %}

int ${name}_seal(struct ${name} *device, ${secret},
${pad}${message_parameters},
${pad}uint8_t tag[${tag_bytes}]) {
    int result = ${name}_init(device, ${secret_names});
{% if associated_data %}
    if (result == ${NAME}_OK) ${name}_associated_data(device, data, data_bytes);
{% endif %}
    if (result == ${NAME}_OK) result = ${name}_encrypt(device, out, in, bytes);
    if (result == ${NAME}_OK) result = ${name}_tag(device, tag);
    ${name}_clear(device);
    (void)ended(result, tag, ${tag_bytes});
    return ended(result, out, bytes);
}
{% endif %}
{% if tag_bytes and decrypting %}

int ${name}_open(struct ${name} *device, ${secret},
${pad}${message_parameters},
${pad}const uint8_t tag[${tag_bytes}]) {
    int result = ${name}_init${"_decrypt" if directions}(device, ${secret_names});
{% if associated_data %}
    if (result == ${NAME}_OK) ${name}_associated_data(device, data, data_bytes);
{% endif %}
    if (result == ${NAME}_OK) result = ${name}_decrypt(device, out, in, bytes);
    if (result == ${NAME}_OK) result = ${name}_check_tag(device, tag);
    ${name}_clear(device);
    return ended(result, out, bytes);
}
{% endif %}
