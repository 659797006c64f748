{% extends "driver_base.h" %}
{% block rule %}
// Text or keystream is on the streams. Functions that load give 0, or ${NAME}_LATE if the core did not
// take the load: then ${name}_clear, and begin anew. ${name}_clear ends what other programs began, too.
{% endblock %}
{% block functions %}
// Loads a key${" and an IV" if iv_bytes} for the next message or keystream.
{% for line in iv_rules %}
// ${line}
{% endfor %}
int ${name}_init(const struct ${name} *device, ${secret});
{% if "DECRYPT" in controls %}

// The same for a message to decrypt.
int ${name}_init_decrypt(const struct ${name} *device, ${secret});
{% endif %}
{% if number_bytes %}

// The same; the keystream begins with this one of its blocks of ${block_bytes} bytes.
int ${name}_init_at(const struct ${name} *device, ${secret},
${pad}uint64_t block);
{% endif %}
{% if "SAME_KEY" in controls %}

// Loads an IV for the key of the load before.
int ${name}_renew(const struct ${name} *device, ${secret.partition(", ")[2]});
{% endif %}

// Whether the core has ${"key and IV" if iv_bytes else "the key"}.
int ${name}_loaded(const struct ${name} *device);

// Whether a load has begun, or a message is not over: the next load waits for it.
int ${name}_busy(const struct ${name} *device);
{% endblock %}
