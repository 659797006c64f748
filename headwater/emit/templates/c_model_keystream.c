{% if state %}
{% include "c_model_state.c" %}

{% endif %}
// The next word of the keystream, of which all bits are left.
static void ${name}_next_word(${name}_session *session) {
    ${name}_inputs in = {0};
    ${name}_outputs out;
{% if waits %}
    in.keystream_ready = 1;
{% endif %}
    do ${name}_cycle(&session->state, &in, &out);
    while (!out.keystream_valid);
    ${name}_order(session->word, ${pointer("out.keystream_payload", width)}, ${width}, 1);
    session->left = ${width};
}

int ${name}_keystream(${name}_session *session, uint8_t *out, size_t bytes) {
    if (!session->keyed) return -1;
    uint64_t at = 0, bits = 8 * (uint64_t)bytes;
    while (at < bits) {
        if (session->left == 0) ${name}_next_word(session);
        unsigned count = ${name}_least(session->left, bits - at), from = ${width} - session->left;
        ${name}_give(out, at, session->word, from, from + count);
        session->left -= count;
        at += count;
    }
    return 0;
}

int ${name}_skip(${name}_session *session, uint64_t bits) {
    if (!session->keyed) return -1;
    while (bits > session->left) {
        bits -= session->left;
        ${name}_next_word(session);
    }
    session->left -= (unsigned)bits;
    return 0;
}
