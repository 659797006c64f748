// The words of a load, after a reset.
static void ${name}_load(${name}_session *session, const uint8_t *string, unsigned words) {
    ${name}_inputs in = {0};
    ${name}_outputs out;
    in.rst = 1;
    ${name}_cycle(&session->state, &in, &out);
    in.rst = 0;
    in.load_valid = 1;
    for (unsigned number = 0; number < words; ++number) {
        ${name}_load_word(${pointer("in.load_payload", load_width)}, string, number);
{% if load_marked %}
        in.load_last = number + 1 == words;
{% endif %}
        do ${name}_cycle(&session->state, &in, &out);
        while (!out.load_ready);
    }
    ${name}_erase(&in, sizeof in);
}

{% if takes_text %}
enum { ${NAME}_NO_KEY, ${NAME}_FRESH, ${NAME}_IN_TEXT, ${NAME}_ENDED };

{% endif %}
static int ${name}_begin(${name}_session *session${parameters}${", unsigned decrypts" if takes_text}) {
    uint8_t string[${NAME}_LOAD_BYTES];
    unsigned words = ${name}_load_string(string${load_arguments}) / ${load_width};
    ${name}_clear(session);
    if (!words${" || !(" ~ tag_rule ~ ")" if tag_rule}) return -1;
{% if takes_text %}
    session->decrypts = decrypts;
    session->tag_bits = ${tag_bits};
{% endif %}
    ${name}_load(session, string, words);
    ${name}_erase(string, sizeof string);
    session->${"phase = %s_FRESH" % NAME if takes_text else "keyed = 1"};
    return 0;
}
