// Bits from a place in memory to a word whose bits there are zero.
static void ${name}_take(uint64_t *word, unsigned from, unsigned to, const uint8_t *data, uint64_t at) {
    while (from < to) {
        unsigned place = (unsigned)(at % 8);
        unsigned count = ${name}_least(${name}_least(8 - place, 64 - from % 64), to - from);
        uint8_t byte = ${name ~ "_turned(data[at / 8])" if msb_first else "data[at / 8]"};
        uint64_t bits = (unsigned)byte >> place & ((1u << count) - 1);
        word[from / 64] |= bits << from % 64;
        at += count;
        from += count;
    }
}

static void ${name}_mark(uint64_t *marks, unsigned from, unsigned to) {
    for (; from < to; ++from) marks[from / 64] |= (uint64_t)1 << from % 64;
}

// Sends the word that has been gathered, and gives the word of text that leaves.
static void ${name}_send(${name}_session *session, unsigned last, uint64_t *text) {
    ${name}_inputs in = {0};
    ${name}_outputs out;
    ${name}_order(${pointer("in.data_in_payload", width)}, session->data, ${width}, 1);
    ${name}_order(${pointer("in.data_in_keep", width // keep_bits)}, session->counts, ${width}, ${keep_bits});
{% if ad_bits %}
    ${name}_order(${pointer("in.data_in_ad", width // ad_bits)}, session->before, ${width}, ${ad_bits});
{% endif %}
    in.data_in_last = last;
{% if waits %}
    in.data_in_valid = 1;
{% if ways %}
    in.data_out_ready = 1;
{% endif %}
{% endif %}
{% if directions %}
    in.decrypt = session->decrypts;
{% endif %}
    for (unsigned limb = 0; limb < ${limbs}; ++limb)
        text[limb] = session->data[limb] = session->counts[limb] = session->before[limb] = 0;
    session->place = 0;
    do {
        ${name}_cycle(&session->state, &in, &out);
{% if ways %}
        if (out.data_out_valid) ${name}_order(text, ${pointer("out.data_out_payload", width)}, ${width}, 1);
{% endif %}
    } while (!out.data_in_ready);
    ${name}_erase(&in, sizeof in);
}

{% if shape == "turns" %}
{% include "c_turns.c" %}
{% endif %}
// Bits go in, zeros where in is 0, and the bits that leave in their places go to out, unless it is 0.
// The last word is kept, as more may follow; what leaves with it is found in a copy of the session.
static void ${name}_feed(${name}_session *session, uint8_t *out, const uint8_t *in, uint64_t bits,
        unsigned before) {
    uint64_t text[${limbs}], done = 0, given = 0;
    unsigned from = session->place;
    if (bits == 0) return;
    while (done < bits) {
        if (session->place == ${width}) {
            ${name}_send(session, 0, text);
            if (out) ${name}_give(out, given, text, from, ${width});
            given += ${width} - from;
            from = 0;
{% if shape == "turns" %}
            if (done % 8 == 0 && bits - done > 64) {
                const size_t words = (size_t)((bits - done - 1) / 64);
                ${name}_turns(session, out ? out + given / 8 : 0, in + done / 8, words, before);
                given += 64 * (uint64_t)words;
                done += 64 * (uint64_t)words;
            }
{% endif %}
        }
        unsigned place = session->place, end = place + ${name}_least(${width} - place, bits - done);
        if (in) ${name}_take(session->data, place, end, in, done);
        ${name}_mark(session->counts, place, end);
        if (before) ${name}_mark(session->before, place, end);
        session->place = end;
        done += end - place;
    }
    if (out) {
        ${name}_session ahead = *session;
        const uint64_t zero = 0;
        ${name}_send(&ahead, 1, text);
        ${name}_give(out, given, text, from, session->place);
        ${name}_give(out, bits, &zero, 0, (unsigned)(-bits % 8));
        ${name}_clear(&ahead);
        ${name}_erase(text, sizeof text);
    }
}

// What is authenticated before the text, which begins with a new part.
static void ${name}_precede(${name}_session *session, const uint8_t *data, size_t ${data_unit}) {
{% if header == "bits" %}
    uint8_t length[8] = {0};
    for (unsigned place = 0; place < 8; ++place) length[place] = (uint8_t)(${"(uint64_t)bits" if data_unit == "bits" else "8 * (uint64_t)bytes"} >> 8 * place & 255);
    ${name}_feed(session, 0, length, 64, 1);
{% elif header %}
    uint8_t length[1 + sizeof bytes] = {0};
    unsigned digits = 0;
    for (size_t rest = bytes; rest; rest /= 256) ++digits;
    for (unsigned digit = 0; digit < digits; ++digit)
        length[digits - digit] = (uint8_t)(bytes >> 8 * digit & 255);
    length[0] = (uint8_t)(0x80u | digits);
    unsigned form = bytes < 128;
    if (form) length[0] = (uint8_t)bytes;
    ${name}_feed(session, 0, length, form ? 8 : 8 * (1 + digits), 1);
{% endif %}
    ${name}_feed(session, 0, data, ${"bits" if data_unit == "bits" else "8 * (uint64_t)bytes"}, 1);
{% if part_bits > 1 %}
    session->place = (session->place + ${part_bits - 1}) / ${part_bits} * ${part_bits};
{% endif %}
    session->phase = ${NAME}_IN_TEXT;
}
{% if takes_associated_data %}

int ${name}_associated_data(${name}_session *session, const uint8_t *data, size_t ${data_unit}) {
    if (session->phase != ${NAME}_FRESH${" || " ~ data_unit ~ " > " ~ (8 * longest_data if data_unit == "bits" else longest_data) if longest_data is not none}) return -1;
    ${name}_precede(session, data, ${data_unit});
    return 0;
}
{% endif %}

// Whether there is a key, and text may still come.
static unsigned ${name}_goes_on(const ${name}_session *session) {
    return session->phase == ${NAME}_FRESH || session->phase == ${NAME}_IN_TEXT;
}

static int ${name}_text(${name}_session *session, uint8_t *out, const uint8_t *text, size_t bits) {
    if (!${name}_goes_on(session)${" || bits % " ~ text_unit if text_unit > 1}) return -1;
    if (session->phase == ${NAME}_FRESH) ${name}_precede(session, 0, 0);
    ${name}_feed(session, out, text, bits, 0);
    return 0;
}
{% if has_keystream %}

int ${name}_keystream(${name}_session *session, uint8_t *out, size_t bytes) {
    if (!${name}_goes_on(session)) return -1;
    session->phase = ${NAME}_IN_TEXT;
    ${name}_feed(session, out, 0, 8 * (uint64_t)bytes, 0);
    return 0;
}
{% endif %}
{% for way in ways %}

int ${name}_${way}(${name}_session *session, uint8_t *out, const uint8_t *text, size_t bits) {
{% if directions %}
    if (session->decrypts != ${1 if way == "decrypt" else 0}) return -1;
{% endif %}
    return ${name}_text(session, out, text, bits);
}
{% endfor %}
{% if not ways %}

int ${name}_authenticate(${name}_session *session, const uint8_t *text, size_t bits) {
    return ${name}_text(session, 0, text, bits);
}
{% endif %}
{% if tag_width %}

int ${name}_tag(${name}_session *session, uint8_t *tag) {
    ${name}_inputs in = {0};
    ${name}_outputs out;
    uint64_t word[${limbs_of(tag_width if tag_width > width else width)}];
    if (!${name}_goes_on(session)) return -1;
    if (session->phase == ${NAME}_FRESH) ${name}_precede(session, 0, 0);
    session->phase = ${NAME}_ENDED;
{% if tag_in_bits %}
    if (session->tag_bits % 8) tag[session->tag_bits / 8] = 0;
{% endif %}
{% if behind_bits is none %}
    unsigned from = 0;
{% else %}
    unsigned end = (session->place + ${part_bits - 1}) / ${part_bits} * ${part_bits};
    unsigned from = (end + ${behind_bits}) % ${tag_width};
{% endif %}
    ${name}_send(session, 1, word);
{% if tag_waits %}
    in.tag_ready = 1;
{% endif %}
    for (unsigned at = 0; at < session->tag_bits; from = 0) {
        do ${name}_cycle(&session->state, &in, &out);
        while (!out.tag_valid);
        ${name}_order(word, ${pointer("out.tag_payload", tag_width)}, ${tag_width}, 1);
        unsigned count = ${name}_least(${tag_width} - from, session->tag_bits - at);
        ${name}_give(tag, at, word, from, from + count);
        at += count;
    }
    ${name}_erase(word, sizeof word);
    return 0;
}

int ${name}_check_tag(${name}_session *session, const uint8_t *expected) {
    uint8_t tag[${longest_tag // 8}];
    unsigned bytes = ${"(session->tag_bits + 7)" if tag_in_bits else "session->tag_bits"} / 8, difference = 0;
    if (${name}_tag(session, tag) != 0) return -1;
    for (unsigned place = 0; place < bytes; ++place) difference |= (unsigned)(tag[place] ^ expected[place]);
    ${name}_erase(tag, sizeof tag);
    return difference ? -1 : 0;
}
{% if "encrypt" in ways %}

int ${name}_seal(${whole_parameters}uint8_t *out, const uint8_t *text, size_t bits, uint8_t *tag) {
    ${name}_session session;
    int wrong = ${name}_init(&session${arguments})
{% if takes_associated_data %}
        || ${name}_associated_data(&session, data, data_${data_unit})
{% endif %}
        || ${name}_encrypt(&session, out, text, bits) || ${name}_tag(&session, tag);
    ${name}_clear(&session);
    return -wrong;
}
{% endif %}
{% if "decrypt" in ways %}

int ${name}_open(${whole_parameters}uint8_t *out, const uint8_t *text, size_t bits, const uint8_t *tag) {
    ${name}_session session;
    int wrong = ${name}_${inits[-1]}(&session${arguments})
{% if takes_associated_data %}
        || ${name}_associated_data(&session, data, data_${data_unit})
{% endif %}
        || ${name}_decrypt(&session, out, text, bits) || ${name}_check_tag(&session, tag);
    ${name}_clear(&session);
    if (wrong) ${name}_erase(out, bits / 8 + (bits % 8 != 0));
    return -wrong;
}
{% endif %}
{% if not ways %}

int ${name}_${tag_verb}(${whole_parameters}const uint8_t *text, size_t bits, uint8_t *tag) {
    ${name}_session session;
    int wrong = ${name}_init(&session${arguments})
{% if takes_associated_data %}
        || ${name}_associated_data(&session, data, data_${data_unit})
{% endif %}
        || ${name}_authenticate(&session, text, bits) || ${name}_tag(&session, tag);
    ${name}_clear(&session);
    return -wrong;
}
{% endif %}
{% endif %}
