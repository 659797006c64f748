{% extends "driver_base.c" %}
{% block access %}
{% include "driver_access.c" %}
{% endblock %}
{% block functions %}
int ${name}_init(const struct ${name} *device, const uint8_t key[${key_bytes}]) {
    set_register(device, ${NAME}_START, ${NAME}_KEY_BYTES);
    for (size_t i = 0; i < ${NAME}_KEY_BYTES; i += 4) {
        uint32_t word = 0;
        for (size_t j = i; j < i + 4 && j < ${NAME}_KEY_BYTES; ++j) word |= (uint32_t)key[j] << 8 * (j - i);
        set_register(device, ${NAME}_LOAD, word);
        wipe(&word, sizeof word);
    }
    return status(device) & ${NAME}_STATUS_LATE ? ${NAME}_LATE : ${NAME}_OK;
}

{% if numbered %}
// A number, its lowest byte first.
static void put(uint8_t *bytes, uint64_t number, size_t count) {
    for (size_t i = 0; i < count; ++i, number >>= 8) bytes[i] = (uint8_t)number;
}

{% endif %}
int ${name}_front(uint8_t front[${packets.front}], const uint8_t iv[${iv_bytes}]${front_parameters}) {
{% for condition in refused %}
    if (${condition}) return ${NAME}_MISUSED;
{% endfor %}
    for (size_t i = 0; i < ${NAME}_FRONT_BYTES; ++i) front[i] = 0;
{% if packets.ad %}
    put(front, ad_bytes, 4);
{% endif %}
{% if packets.header %}
    put(front + 4, ${"text_bits / 8 + (text_bits % 8 != 0)" if packets.spare else "text_bytes"}, 4);
{% endif %}
{% if packets.header and packets.receives %}
    front[8] = ${"received != 0" if packets.sends else "1"};
{% endif %}
{% if packets.spare %}
    front[9] = (uint8_t)((8 - text_bits % 8) % 8);
{% endif %}
    for (size_t i = 0; i < ${iv_bytes}; ++i) front[${packets.header} + i] = iv[i];
{% if packets.block %}
    put(front + ${packets.header + packets.iv}, block, ${packets.block});
{% endif %}
    return ${NAME}_OK;
}
{% if packets.header %}

int ${name}_verdict(const uint8_t status[${status_bytes}]) {
    unsigned rest = status[1] | status[2] | status[3];
    if (status[0] == ${good} && rest == 0) return ${NAME}_OK;
{% if packets.tag and packets.receives %}
    return status[0] == ${other_tag} && rest == 0 ? ${NAME}_FORGED : ${NAME}_MISUSED;
{% else %}
    return ${NAME}_MISUSED;
{% endif %}
}
{% endif %}

int ${name}_loaded(const struct ${name} *device) { return (status(device) & ${NAME}_STATUS_LOADED) != 0; }

int ${name}_busy(const struct ${name} *device) { return (status(device) & ${NAME}_STATUS_BUSY) != 0; }

void ${name}_clear(struct ${name} *device) { set_register(device, ${NAME}_STATUS, 0); }
{% endblock %}
