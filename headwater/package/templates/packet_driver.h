{% extends "driver_base.h" %}
{% block rule %}
// Text is on the streams, in packets as any DMA engine sends them: the front, which ${name}_front writes,
// then ${"associated data and " if packets.ad}text${" and the tag, if one has been received," if packets.tag and packets.receives} without a gap.
{% endblock %}
{% block functions %}
#define ${NAME}_FRONT_BYTES ${packets.front}

// The key of all packets until another one is given, or ${name}_clear. ${NAME}_LATE if the core did not take
// it, since a packet was not over: then ${name}_clear, and again.
int ${name}_init(const struct ${name} *device, const uint8_t key[${key_bytes}]);

// Writes the front of a packet into memory.
{% if packets.spare %}
// The text has so many bits.
{% endif %}
{% if packets.receives and packets.header %}
// `received` says that ${" and ".join((["the text is ciphertext"] if packets.gives_text else []) + (["a tag follows it"] if packets.tag else []))}.
{% endif %}
{% for line in iv_rules %}
// ${line}
{% endfor %}
int ${name}_front(uint8_t front[${packets.front}], const uint8_t iv[${iv_bytes}]${front_parameters});
{% if packets.header %}

// What the last ${status_bytes} bytes of a packet that came back say: 0 if it is good. Before this nothing of the
// packet is to be used; else all of it is to be erased: ${NAME}_MISUSED, it was not as its front says${";" if packets.tag and packets.receives else "."}
{% if packets.tag and packets.receives %}
// ${NAME}_FORGED, the tag is another.
{% endif %}
int ${name}_verdict(const uint8_t status[${status_bytes}]);
{% endif %}

// Whether there is a key.
int ${name}_loaded(const struct ${name} *device);

// Whether a key has begun, or a packet is not over: the next key waits for it.
int ${name}_busy(const struct ${name} *device);
{% endblock %}
