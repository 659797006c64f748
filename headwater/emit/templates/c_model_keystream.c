{% if shape and not own_session %}
{% include "c_" ~ shape ~ ".c" %}
{% endif %}
{% if state %}
{% include "c_model_state.c" %}

{% endif %}
{% if own_session %}
// The next word of the keystream, of which all bits are left.
static void ${name}_next_word(${name}_session *session) {
    uint8_t bytes[${word_bits // 8}];
    ${name}_words(session, bytes, 1);
    for (unsigned limb = 0; limb < ${word_bits // 64}; ++limb) session->word[limb] = 0;
    for (unsigned place = 0; place < sizeof bytes; ++place) {
        const uint64_t byte = ${"%s_turned(bytes[place])" % name if msb_first else "bytes[place]"};
        session->word[place / 8] |= byte << 8 * (place % 8);
    }
    ${name}_erase(bytes, sizeof bytes);
    session->left = ${word_bits};
}
{% else %}
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
{% if shape %}
    session->running = 1;
{% endif %}
}
{% endif %}

int ${name}_keystream(${name}_session *session, uint8_t *out, size_t bytes) {
    if (!session->keyed) return -1;
    uint64_t at = 0, bits = 8 * (uint64_t)bytes;
    while (at < bits) {
{% if shape %}
        if (session->left == 0 && ${'session->running && ' if not own_session}at % 8 == 0 && bits - at >= ${[word_bits, 8] | max}) {
            const size_t words = (size_t)((bits - at) / ${word_bits})${" & ~(size_t)7" if word_bits < 8};
            ${name}_words(session, out + at / 8, words);
            at += ${word_bits} * (uint64_t)words;
            continue;
        }
{% endif %}
        if (session->left == 0) ${name}_next_word(session);
        unsigned count = ${name}_least(session->left, bits - at), from = ${width if not own_session else word_bits} - session->left;
        ${name}_give(out, at, session->word, from, from + count);
        session->left -= count;
        at += count;
    }
    return 0;
}

int ${name}_skip(${name}_session *session, uint64_t bits) {
    if (!session->keyed) return -1;
{% if shape == "blocks" or counted_bits %}
    if (bits > session->left) {
        bits -= session->left;
        session->left = 0;
{% if counted_bits %}
        ${name}_count(session->block, bits / ${word_bits});
{% else %}
        session->block = (session->block + bits / ${word_bits})${" & 0x%xULL" % (2 ** counter_bits - 1) if counter_bits < 64};
{% endif %}
        bits %= ${word_bits};
    }
{% endif %}
    while (bits > session->left) {
        bits -= session->left;
        ${name}_next_word(session);
    }
    session->left -= (unsigned)bits;
    return 0;
}
{% if slices %}
{% include "c_slices.c" %}
{% elif side_by_side %}

int ${name}_keystreams(${name}_session *sessions, size_t count, uint8_t *const *out, size_t bytes) {
    const size_t blocks = bytes / ${word_bits // 8};
    for (size_t one = 0; one < count; ++one) if (!sessions[one].keyed) return -1;
    while (count) {
        const unsigned some = count < 4 * ${NAME}_LANES ? (unsigned)count : 4 * ${NAME}_LANES;
        unsigned within = 0;
        for (unsigned one = 0; one < some; ++one) within |= sessions[one].left;
        if (!within) ${name}_blocks(sessions, some, out, blocks);
        for (unsigned one = 0; one < some; ++one) {
            const size_t first = within ? 0 : ${word_bits // 8} * blocks;
            ${name}_keystream(sessions + one, out[one] + first, bytes - first);
        }
        sessions += some;
        out += some;
        count -= some;
    }
    return 0;
}
{% endif %}
