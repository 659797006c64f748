{% extends "driver_base.c" %}
{% block access %}
{% include "driver_access.c" %}

static void forget(const struct ${name} *device) { set_register(device, ${NAME}_STATUS, 0); }
{% endblock %}
{% block functions %}
// Bytes of a load that wait for a whole word.
struct packet {
    uint32_t word;
    unsigned bytes;
};

static void flush(const struct ${name} *device, struct packet *packet) {
    if (packet->bytes) set_register(device, ${NAME}_LOAD, packet->word);
    packet->word = 0;
    packet->bytes = 0;
}

static void add(const struct ${name} *device, struct packet *packet, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        packet->word |= (uint32_t)bytes[i] << 8 * packet->bytes;
        if (++packet->bytes == 4) flush(device, packet);
    }
}

static int load(const struct ${name} *device, uint32_t marks, ${secret_pointers}${", uint64_t block" if number_bytes}) {
    struct packet packet = {0, 0};
    size_t key_bytes = ${"marks & %s_CONTROL_SAME_KEY ? 0 : " % NAME if "SAME_KEY" in controls}${NAME}_KEY_BYTES${", iv_bytes = %s" % iv_size if iv_bytes};
{% for condition in refused %}
    if (${condition}) return ${NAME}_MISUSED;
{% endfor %}
{% if controls %}
    set_register(device, ${NAME}_CONTROL, marks);
{% else %}
    (void)marks;
{% endif %}
    set_register(device, ${NAME}_START, (uint32_t)(key_bytes${" + iv_bytes" if iv_bytes}${" + %d" % number_bytes if number_bytes}));
    add(device, &packet, key, key_bytes);
{% if iv_bytes %}
    add(device, &packet, iv, iv_bytes);
{% endif %}
{% if number_bytes %}
    for (unsigned i = 0; i < ${number_bytes}; ++i, block >>= 8) {
        uint8_t byte = (uint8_t)block;
        add(device, &packet, &byte, 1);
    }
{% endif %}
    flush(device, &packet);
    wipe(&packet, sizeof packet);
    return status(device) & ${NAME}_STATUS_LATE ? ${NAME}_LATE : ${NAME}_OK;
}

int ${name}_init(const struct ${name} *device, ${secret}) {
    return load(device, 0, ${secret_names}${", 0" if number_bytes});
}
{% if "DECRYPT" in controls %}

int ${name}_init_decrypt(const struct ${name} *device, ${secret}) {
    return load(device, ${NAME}_CONTROL_DECRYPT, ${secret_names}${", 0" if number_bytes});
}
{% endif %}
{% if number_bytes %}

int ${name}_init_at(const struct ${name} *device, ${secret},
${pad}uint64_t block) {
    return load(device, 0, ${secret_names}, block);
}
{% endif %}
{% if "SAME_KEY" in controls %}

int ${name}_renew(const struct ${name} *device, ${secret.partition(", ")[2]}) {
    return load(device, ${NAME}_CONTROL_SAME_KEY, 0, ${secret_names.partition(", ")[2]});
}
{% endif %}

int ${name}_loaded(const struct ${name} *device) { return (status(device) & ${NAME}_STATUS_LOADED) != 0; }

int ${name}_busy(const struct ${name} *device) { return (status(device) & ${NAME}_STATUS_BUSY) != 0; }

void ${name}_clear(struct ${name} *device) { forget(device); }
{% endblock %}
